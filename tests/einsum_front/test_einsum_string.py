"""Index strings mean what they mean to NumPy."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, render_all
from einsum_front.elaborate import elaborate
from einsum_front.index_string.make import graph_of
from einsum_front.index_string.notation import notation_of
from einsum_front.index_string.program import read_einsum
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.contraction.unparse import unparse as unparse_graph
from einsum_front.ir.contraction.verify import verify
from einsum_front.notation.check import check
from einsum_front.notation.unparse import unparse

EXTENTS = {"a": 2, "b": 3, "c": 1, "d": 4, "E": 2}


@st.composite
def index_strings(draw: st.DrawFn) -> tuple[str, list[tuple[int, ...]]]:
    """A string and shapes that NumPy accepts; ellipses broadcast, the output is spelled out or implied."""
    terms = draw(st.lists(st.text("abcdE", max_size=3), min_size=1, max_size=4))
    hidden = draw(st.lists(st.integers(1, 3), max_size=2))
    operands, shapes = [], []
    for term in terms:
        place = draw(st.integers(0, len(term)))
        shown = draw(st.integers(0, len(hidden))) if draw(st.booleans()) else None
        own = [] if shown is None else hidden[len(hidden) - shown :]
        stretched = tuple(draw(st.sampled_from((extent, 1))) for extent in own)
        operands.append(term[:place] + ("" if shown is None else "...") + term[place:])
        shapes.append((*(EXTENTS[i] for i in term[:place]), *stretched, *(EXTENTS[i] for i in term[place:])))
    text = draw(st.sampled_from((",", " , "))).join(operands)
    if draw(st.booleans()):
        letters = draw(st.lists(st.sampled_from(sorted(set("".join(terms)))), unique=True)) if any(terms) else []
        ellipsis = draw(st.sampled_from(("...", ""))) if "..." in text else ""
        text += f"->{ellipsis}{''.join(letters)}" if draw(st.booleans()) else f"->{''.join(letters)}{ellipsis}"
    return text, shapes


@given(index_strings())
def test_agrees_with_numpy(given_string: tuple[str, list[tuple[int, ...]]]) -> None:
    text, shapes = given_string
    random = np.random.default_rng(len(text))
    arrays = [random.uniform(-1, 1, shape) for shape in shapes]
    expected = np.einsum(text, *arrays, optimize=True)  # which lets the output lack an ellipsis
    string = read_einsum(text, shapes)
    kernel = string.kernel
    result = np.full(string.shape, np.nan)
    assert result.shape == expected.shape

    def argument(array: np.ndarray, is_batched: bool) -> np.ndarray:
        return array[np.newaxis] if is_batched and not kernel.has_batch_index else array

    pairs = zip(kernel.operands, arrays, strict=True)
    arguments = {operand.name: argument(array, operand.is_batched) for operand, array in pairs}
    interpret(graph_of(kernel, "f64"), {**arguments, kernel.output.name: argument(result, True)})
    np.testing.assert_allclose(result, expected, rtol=1e-13, atol=1e-13)


@given(index_strings(), st.sampled_from(["f32", "f64"]))
def test_the_graph_is_that_of_the_notation(given_string: tuple[str, list[tuple[int, ...]]], real: str) -> None:
    string = read_einsum(*given_string)
    program = check(notation_of(string, real))
    expected, graph = elaborate(program.kernels[0], program), graph_of(string.kernel, real)
    assert unparse_graph(graph) == unparse_graph(expected)
    assert graph.tensors == expected.tensors
    assert [node.origin for _, node in graph.nodes] == [node.origin for _, node in expected.nodes]
    assert not verify(graph)


@pytest.mark.parametrize(
    ("text", "shapes", "batched"),
    [
        ("bik,kj->bij", [(7, 3, 4), (4, 5)], [True, False]),
        ("bij,bjk->bik", [(7, 3, 4), (7, 4, 5)], [True, True]),
        ("bi->b", [(7, 3)], [True]),
        ("eijk,ai,bj,ck->eabc", [(7, 3, 3, 3), (4, 3), (4, 3), (4, 3)], [True, False, False, False]),
        ("...ij,jk->...ik", [(7, 3, 4), (4, 5)], [True, False]),
        ("...ij,...jk->...ik", [(7, 3, 4), (1, 4, 5)], [True, False]),
    ],
)
def test_the_leading_index_becomes_the_batch(text: str, shapes: list[tuple[int, ...]], batched: list[bool]) -> None:
    kernel = read_einsum(text, shapes).kernel
    assert kernel.has_batch_index
    assert [operand.is_batched for operand in kernel.operands] == batched


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("ik,kj->ij", [(3, 4), (4, 5)]),
        ("bi,ij->bj", [(7, 3), (3, 4)]),
        ("ei,ai,bi->eab", [(7, 80), (80, 80), (80, 80)]),
        ("ij,jk,kl->il", [(9, 8), (8, 7), (7, 6)]),
        ("ib,bj->bij", [(3, 7), (7, 4)]),
        ("bij->ijb", [(7, 3, 4)]),
        ("bb->b", [(7, 7)]),
        ("ij->", [(3, 4)]),
    ],
)
def test_other_indices_do_not(text: str, shapes: list[tuple[int, ...]]) -> None:
    kernel = read_einsum(text, shapes).kernel
    assert not kernel.has_batch_index
    assert all(operand.is_batched for operand in kernel.operands)


def test_the_program_of_an_index_string() -> None:
    string = read_einsum("bik,kj->bij", [(7, 3, 4), (4, 5)])
    assert unparse(notation_of(string, "f32")) == (
        "real f32\n"
        "tensor A[3,4] row_major\n"
        "tensor B[4,5] constant row_major\n"
        "tensor C[3,5] row_major\n"
        "\n"
        "kernel einsum {\n"
        "    C[i,j] = A[i,k] * B[k,j]\n"
        "}\n"
    )
    assert string.kernel.output.name == "C"
    assert string.shape == (7, 3, 5)


def test_names_of_other_alphabets_are_spelled() -> None:
    strings = ("αβ,βΓ->αΓ", "alpha Gamma"), ("ä β,β 0->ä 0", "ne4 n0"), ("alpha α,α _->alpha _", "alpha n_")
    for text, names in strings:
        string = read_einsum(text, [(7, 3), (3, 4)])
        assert " ".join(string.kernel.subscripts.output.names) == names
        check(notation_of(string, "f64"))


def test_the_batch_may_be_empty() -> None:
    assert read_einsum("bi->bi", [(0, 3)]).shape == (0, 3)


def test_every_letter_keeps_its_place() -> None:
    string = read_einsum("bik, kj -> bij", [(7, 3, 4), (4, 5)])
    ((_, statement),) = graph_of(string.kernel, "f64").assignments
    spans = Counter(span.text for span in statement.origin)
    assert spans == {"bik, kj -> bij": 1}


@pytest.mark.parametrize(
    ("text", "shapes", "words"),
    [
        ("ik,k%->i", [(3, 4), (4, 5)], "`%` is no part of an index string\n --> <einsum>:1:5"),
        ("i..k->i", [(3, 4)], "`.` is no part of an index string\n --> <einsum>:1:2"),
        ("i->i->i", [(3,)], "an index string has one `->`\n --> <einsum>:1:5"),
        ("i,j->i,j", [(3,), (3,)], "there is one output, so no comma after `->`\n --> <einsum>:1:7"),
        ("ij->i", [(3, 4), (4, 5)], "the string describes 1 operand, but 2 are given\n --> <einsum>:1:1"),
        ("ij,jkl->i", [(3, 4), (4, 5)], "operand 1 has 2 modes, but its term has 3 indices\n --> <einsum>:1:4"),
        ("ij,...jkl->i", [(3, 4), (4, 5)], "operand 1 has 2 modes, but its term has 3 indices\n --> <einsum>:1:4"),
        ("...i...->i", [(3, 4)], "a term has one ellipsis\n --> <einsum>:1:5"),
        ("elem k,k->elem z", [(3, 4), (4,)], "index `z` of the output is in no operand\n --> <einsum>:1:16"),
        ("αβ,βγ->αδ", [(3, 4), (4, 5)], "index `δ` of the output is in no operand\n --> <einsum>:1:9"),
        ("αβ,βγ", [(3, 4), (5, 5)], "index `β` has size 5 in operand 1 but 4 in operand 0\n --> <einsum>:1:4"),
        ("i1 j,j", [(3, 4), (4, 5)], "operand 1 has 2 modes, but its term has 1 index\n --> <einsum>:1:6"),
        ("ij→i", [(3, 4)], "operand 0 has 2 modes, but its term has 4 indices\n --> <einsum>:1:1"),
        ("ij->iz", [(3, 4)], "index `z` of the output is in no operand\n --> <einsum>:1:6"),
        ("ij->ii", [(3, 4)], "index `i` stands twice in the output\n --> <einsum>:1:6"),
        ("ii->i", [(3, 4)], "index `i` has size 4 in operand 0 but 3 in operand 0\n --> <einsum>:1:2"),
        ("...,...", [(3,), (4,)], "a mode under `...` has size 4 in operand 1 but 3 in operand 0\n --> <einsum>:1:5"),
        ("bi->b", [(3, 0)], "only the batch may be empty\n --> <einsum>:1:2"),
    ],
)
def test_what_is_wrong_with_a_string(text: str, shapes: list[tuple[int, ...]], words: str) -> None:
    with pytest.raises(CompileError) as error:
        graph_of(read_einsum(text, shapes).kernel, "f64")
    assert render_all(error.value.diagnostics).startswith(f"error[E0227]: {words}\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ik,kj=>ij", "the output stands after `->`"),
        ("ik,kj-ij", "the output stands after `->`"),
        ("ik;kj->ij", "a comma stands between the indices of two operands"),
        ("ikkj->ij", "a comma stands between the indices of two operands"),
        (
            "C[i,j] = A[i,k] * B[k,j]",
            "it has the indices of the operands alone: `ik,kj->ij` for `C[i,j] = A[i,k] * B[k,j]`",
        ),
        ("..ik,kj->..ij", "an ellipsis has three dots, `...`"),
    ],
)
def test_what_is_written_instead(text: str, words: str) -> None:
    with pytest.raises(CompileError) as error:
        read_einsum(text, [(3, 4), (4, 5)])
    assert render_all(error.value.diagnostics).endswith(f"\n  = note: {words}")


def test_a_mismatch_shows_both_places() -> None:
    with pytest.raises(CompileError) as error:
        read_einsum("ik,kj->ij", [(3, 4), (5, 6)])
    assert render_all(error.value.diagnostics) == (
        "error[E0227]: index `k` has size 5 in operand 1 but 4 in operand 0\n"
        " --> <einsum>:1:4\n"
        "  |\n"
        "1 | ik,kj->ij\n"
        "  |  - ^ 5\n"
        "  |  |\n"
        "  |  4"
    )

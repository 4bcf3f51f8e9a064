"""`ef.einsum_expression`: shapes first, arrays later, and constants that are multiplied once."""

import copy
import pickle
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.runtime import find_device

RANDOM = np.random.default_rng(98)
A, B, K = RANDOM.random((7, 3, 4)), RANDOM.random((4, 5)), RANDOM.random((5, 2))

NETWORKS: list[tuple[str, list[int]]] = [
    ("hbc,bdef,cdkj,ji,ikeh,lfo", [1, 2, 3, 4]),
    ("bdef,cdkj,ji,ikeh,hbc,lfo", [0, 1, 2, 3]),
    ("ijab,acd,bce,df,ef->ji", [1, 2, 3, 4]),
    ("ab,cd,ad,cb", [1, 3]),
    ("ab,bc,cd", [0, 1]),
    ("ab,bc,cd->ad", [0, 1, 2]),
    ("aab,bc->c", [0]),
    ("a,b,ab->b", [0, 1]),
    (",ab,b->a", [0, 2]),
    ("ab,ab,b->a", []),
]


def test_shapes_first_arrays_later() -> None:
    expression = ef.einsum_expression("bik,kj->bij", (None, 3, 4), (4, 5))
    assert expression.num_args == 2
    for size in (7, 2, 0):
        np.testing.assert_allclose(expression(A[:size], B), A[:size] @ B)
    out = np.ones((7, 3, 5))
    assert expression(A, B, out=out, alpha=2, beta=3) is out
    np.testing.assert_allclose(out, 2 * (A @ B) + 3)


@pytest.mark.parametrize("build", ["never", "now"])
def test_keywords_are_those_of_einsum(build: Any) -> None:
    expression = ef.einsum_expression(
        (3, 4), [0, 1], (4, 5), [1, 2], (5, 2), [2, 3], [3, 0], dtype="f4", casting="same_kind", order="F", build=build
    )
    result = expression(A[0], B, K)
    np.testing.assert_allclose(result, (A[0] @ B @ K).T, rtol=1e-5)
    assert result.dtype == np.float32
    assert result.flags.f_contiguous
    assert result.strides == ef.einsum("ij,jk,kl->li", A[0], B, K, dtype="f4", casting="same_kind", order="F").strides
    assert expression.keywords["build"] == build


@pytest.mark.parametrize("build", ["never", "now"])
@pytest.mark.parametrize("path", [None, "dp", "in turn", "from behind", "at once"])
@pytest.mark.parametrize(("text", "constants"), NETWORKS)
def test_constants(text: str, constants: list[int], path: str | None, build: Any) -> None:
    terms = text.partition("->")[0].split(",")
    count = len(terms)
    paths: dict[str | None, Any] = {
        "dp": "dp",
        "in turn": [(0, 1)] * (count - 1),
        "from behind": [(left - 1, left - 2) for left in range(count, 1, -1)],
        "at once": [tuple(range(count))],
    }
    operands = [RANDOM.random((3,) * len(term)) for term in terms]
    expected = np.einsum(text, *operands, optimize=True)
    expression = ef.einsum_expression(
        text,
        *[operand if place in constants else operand.shape for place, operand in enumerate(operands)],
        constants=constants,
        optimize=paths.get(path, True),
        build=build,
    )
    given_later = [operand for place, operand in enumerate(operands) if place not in constants]
    for each in (expression, expression, pickle.loads(pickle.dumps(expression)), copy.deepcopy(expression)):
        np.testing.assert_allclose(each(*given_later), expected, rtol=1e-11)


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The strings that expressions compute from now on."""
    strings: list[str] = []
    module = import_module("einsum_front.index_string.expression")
    compute = module.einsum

    def watched(text: str, *operands: Any, **keywords: Any) -> Any:
        strings.append(text)
        return compute(text, *operands, **keywords)

    monkeypatch.setattr(module, "einsum", watched)
    return strings


def test_constants_are_multiplied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    strings = counted(monkeypatch)
    expression = ef.einsum_expression("bik,kj,jl->bil", A.shape, B, K, constants=[1, 2])
    assert not strings
    for _ in range(3):
        np.testing.assert_allclose(expression(A), A @ B @ K)
    assert len(strings) == 4
    assert [text.count(",") for text in strings] == [1, 1, 1, 1]
    strings.clear()
    expression = ef.einsum_expression("bik,kj,jl->bil", A.shape, B, K, constants=[1, 2])
    expression.evaluate_constants()
    assert len(strings) == 1


def test_a_product_of_constants_that_is_larger_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    strings = counted(monkeypatch)
    column, row = RANDOM.random((60, 1)), RANDOM.random((1, 60))
    expression = ef.einsum_expression("ij,jk,kl->il", column, row, (60, 2), constants=[0, 1])
    X = RANDOM.random((60, 2))
    np.testing.assert_allclose(expression(X), column @ (row @ X))
    assert strings == ["ij,jk,kl->il"]


@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=5), st.data())
def test_any_network(letters: list[str], data: st.DataObject) -> None:
    sizes = {"a": 2, "b": 3, "c": 1, "d": 4}
    terms = ["".join(data.draw(st.lists(st.sampled_from("abcd"), max_size=3))) for _ in letters]
    used = sorted(set("".join(terms)))
    output = "".join(data.draw(st.lists(st.sampled_from(used), unique=True))) if used else ""
    text = f"{','.join(terms)}->{output}"
    operands = [RANDOM.random([sizes[name] for name in term]) for term in terms]
    constants = data.draw(st.sets(st.integers(0, len(terms) - 1)))
    path: Any = data.draw(st.sampled_from([True, [(0, 1)] * (len(terms) - 1)]))
    given_first = [each if place in constants else each.shape for place, each in enumerate(operands)]
    expression = ef.einsum_expression(text, *given_first, constants=constants, optimize=path, build="never")
    result = expression(*[each for place, each in enumerate(operands) if place not in constants])
    expected = np.einsum(text, *operands)
    assert np.shape(result) == np.shape(expected)
    np.testing.assert_allclose(result, expected, rtol=1e-11)


def test_types_are_those_of_a_call_without_constants() -> None:
    for kinds in (("f4", "f4", "f4"), ("f4", "f8", "f4"), ("f4", "i4", "i4"), ("f8", "f4", "f4"), ("f4", "f4", "f8")):
        operands = [(10 * each).astype(kind) for each, kind in zip((A, B, K), kinds, strict=True)]
        expression = ef.einsum_expression("bik,kj,jl->bil", A.shape, *operands[1:], constants=[1, 2])
        expected = ef.einsum("bik,kj,jl->bil", *operands)
        result = expression(operands[0])
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, rtol=1e-5)


def test_a_search_is_asked_once_and_a_limit_is_kept() -> None:
    asked: list[Any] = []

    def search(inputs: Any, _output: Any, sizes: Any, limit: Any) -> list[tuple[int, ...]]:
        asked.append((sizes["b"], limit))
        return [(0, 1)] * (len(inputs) - 1)

    expression = ef.einsum_expression("bik,kj,jl->bil", (None, 3, 4), (4, 5), (5, 2), optimize=search)
    for _ in range(2):
        np.testing.assert_allclose(expression(A, B, K), A @ B @ K)
    assert asked == [(64, None)]
    expression = ef.einsum_expression("bik,kj,jl->bil", A.shape, B, (5, 2), constants=[1], memory_limit=4)
    assert expression.keywords["memory_limit"] == 4
    np.testing.assert_allclose(expression(A, K), A @ B @ K)


def test_arrays_of_a_device() -> None:
    array = pytest.importorskip("pyopencl.array")
    queue = find_device().queue
    there = array.to_device(queue, A)
    for constants in ((B, K), (array.to_device(queue, B), array.to_device(queue, K))):
        expression = ef.einsum_expression("bik,kj,jl->bil", (None, 3, 4), *constants, constants=[1, 2])
        again = pickle.loads(pickle.dumps(expression))
        for each in (expression, again):
            for size in (7, 2):
                result = each(there[:size])
                np.testing.assert_allclose(ef.to_host(result), A[:size] @ B @ K)
        np.testing.assert_allclose(again(A), A @ B @ K)  # its constants are in the memory of the host


def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(A)
    for constants in ((B, K), (torch.from_numpy(B), torch.from_numpy(K))):
        expression = ef.einsum_expression("bik,kj,jl->bil", (None, 3, 4), *constants, constants=[1, 2])
        result = expression(tensor, backend="torch")
        assert type(result) is torch.Tensor
        np.testing.assert_allclose(result.numpy(), A @ B @ K)


def test_it_says_what_it_is() -> None:
    expression = ef.einsum_expression("bik,kj->bij", (None, 3, 4), B, constants=[1])
    assert repr(expression) == "einsum_expression('bik,kj->bij', (None, 3, 4), (4, 5), constants=[1])"
    assert repr(ef.einsum_expression((2,), [0], (2,), [0])) == "einsum_expression('0, 0 -> ', (2,), (2,))"


@pytest.mark.parametrize(
    ("arguments", "keywords", "words"),
    [
        (("ij,jk", (2, 3), (4, 5)), {}, "E0227]: index `j` has size 4 in operand 1 but 3 in operand 0"),
        (("ij,jk", (2, 3)), {}, "E0227]: the string describes 2 operands, but 1 is given"),
        (("ij,jk", (2, 3), 3), {}, "E0503]: operand 1 is of type int, expected a shape"),
        (("ij,jk", (2, 3), "ab"), {}, "E0503]: operand 1 is of type str, expected a shape"),
        (("ij,jk", (2, 3.5), (3, 3)), {}, "E0503]: operand 0 has 3.5 in its shape, expected integers"),
        (
            ("ij,jk", (2, -3), (3, 3)),
            {},
            "E0505]: operand 0 has the size -3 in its shape (2, -3), expected one from 0 on",
        ),
        (("ij,jk", (2, 3), (3, 3)), {"constants": [1]}, "E0503]: operand 1 is a constant, and (3, 3) is a shape"),
        (("ij,jk", (2, 3), (3, 3)), {"constants": [2]}, "E0518]: `constants` has 2, expected places of operands"),
        (("ij,jk", (2, 3), (3, 3)), {"constants": ["B"]}, "E0518]: `constants` has 'B', expected places of operands"),
        (("ij,jk", (2, 3), (3, 3)), {"optimize": "much"}, "E0518]: `optimize` is 'much', which is no name"),
        (("ij,jk", (2, 3), (3, 3)), {"optimize": [(0, 2)]}, "E0518]: step 0 of the path is (0, 2), expected places"),
        (("ij,jk", (2, 3), (3, 3)), {"memory_limit": 0}, "E0518]: `memory_limit` is 0"),
        (("ij,jk", (2, 3), (3, 3)), {"order": "W"}, "E0518]: `order` is 'W'"),
        (("ij,jk", (2, 3), (3, 3)), {"build": "soon"}, "E0518]: `build` is 'soon'"),
    ],
)
def test_what_cannot_be_said(arguments: tuple[Any, ...], keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(ef.CompileError) as error:
        ef.einsum_expression(*arguments, **keywords)
    assert words in str(error.value)


def test_arrays_that_do_not_fit() -> None:
    expression = ef.einsum_expression("bik,kj->bij", (None, 3, 4), (4, 5))
    for arrays, words in (
        (
            (A,),
            "E0227]: the expression takes 2 arrays, and 1 is given\n  = note: it is einsum_expression(",
        ),
        ((A, B.T), "E0505]: operand 1 has shape (5, 4), and the expression is for (4, 5)"),
        ((A[0], B), "E0505]: operand 0 has shape (3, 4), and the expression is for (None, 3, 4)"),
        ((3, B), "E0505]: operand 0 has shape ()"),
        ((A, B.astype(str)), "E0504]: operand 1 has element type <U32"),
    ):
        with pytest.raises(ef.CompileError) as error:
            expression(*arrays)
        assert words in str(error.value)
    with pytest.raises(ef.CompileError, match="takes 1 array besides its 1 constant, and 2 are given"):
        ef.einsum_expression("bik,kj->bij", A.shape, B, constants=[1])(A, B)
    with pytest.raises(ef.CompileError, match=r"E0518.*`backend` is 'torch'"):
        expression(A, B, backend="torch")
    assert expression([[[1.0] * 4] * 3], B).shape == (1, 3, 5)  # lists are arrays

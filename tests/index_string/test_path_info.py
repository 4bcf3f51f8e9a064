"""What `ef.einsum_path` says: opt_einsum's figures, under its names, beside our plan."""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import einsum_front as ef
from einsum_front import ir
from einsum_front.driver.targets import own_machine
from einsum_front.driver.texts import level_text
from einsum_front.index_string.make import graph_of, path_of
from einsum_front.index_string.program import read_einsum
from tests.index_string.layouts import Call, calls
from tests.profiles import share

STRINGS: list[tuple[str, list[tuple[int, ...]]]] = [
    ("ij,jk,kl->il", [(2, 3), (3, 5), (5, 2)]),
    ("bbd,bda,fc,db->acf", [(3, 3, 4), (3, 4, 5), (6, 7), (4, 3)]),
    ("ea,fb,abcd,gc,hd->efgh", [(4, 4), (4, 4), (4,) * 4, (4, 4), (4, 4)]),
    ("ab,ab->", [(3, 4), (3, 4)]),
    ("ab->b", [(3, 4)]),
    ("a,b->ab", [(3,), (4,)]),
]


def test_the_figures_of_a_chain() -> None:
    """(ij,jk->ik, 2 * 3 * 5), then (ik,kl->il, 2 * 5 * 2): a multiplication and an addition each."""
    path, info = ef.einsum_path("ij,jk,kl->il", *STRINGS[0][1], shapes=True, optimize=[(0, 1), (1, 0)])
    assert path == ["einsum_path", (0, 1), (0, 1)]
    assert isinstance(info, str)
    assert (info.eq, info.path) == ("ij,jk,kl->il", [(0, 1), (0, 1)])
    assert (int(info.naive_cost), int(info.opt_cost)) == (3 * 60, 2 * 30 + 2 * 20)
    assert info.speedup == info.naive_cost / info.opt_cost
    assert (info.scale_list, info.size_list, int(info.largest_intermediate)) == ([3, 3], [10, 4], 10)
    assert info.size_dict == {"i": 2, "j": 3, "k": 5, "l": 2}
    for words in (
        "  Complete contraction:  ij,jk,kl->il\n",
        "     Optimized scaling:  3\n",
        "      Naive FLOP count:  1.80e+2\n",
        "  Optimized FLOP count:  1.00e+2\n",
        "  Largest intermediate:  10 elements\n",
    ):
        name, _, value = words.partition(":  ")
        assert f"{name}:  " in info, value


@pytest.mark.parametrize(("text", "shapes"), STRINGS)
def test_they_are_those_of_opt_einsum(text: str, shapes: list[tuple[int, ...]]) -> None:
    library = pytest.importorskip("opt_einsum")
    path, info = ef.einsum_path(text, *shapes, shapes=True)
    steps: Any = path[1:]
    _, theirs = library.contract_path(text, *shapes, shapes=True, optimize=steps)
    for name in ("eq", "naive_cost", "opt_cost", "speedup", "largest_intermediate", "scale_list", "size_list"):
        assert getattr(info, name) == getattr(theirs, name), name
    for name in ("input_subscripts", "output_subscript", "indices", "size_dict", "shapes"):
        assert getattr(info, name) == getattr(theirs, name), name
    lines = str(theirs).splitlines()[:7]
    assert "\n".join(lines) in info


def test_the_plan_stands_in_front() -> None:
    _, info = ef.einsum_path(*STRINGS[0][:1], *map(np.ones, STRINGS[0][1]))
    assert str(info).startswith("no index is a batch: costs are those of the whole\nplan einsum: ")
    assert f"{info}" == info.plan + info
    assert f"{info:s}" == str(info)
    _, info = ef.einsum_path(*STRINGS[0][:1], *map(np.ones, STRINGS[0][1]), optimize=[(0, 1, 2)])
    assert info.startswith("  Complete contraction:  ij,jk,kl->il\n")


def test_words_and_what_an_ellipsis_hides() -> None:
    _, info = ef.einsum_path("elem k l, elem l ..., l ... -> elem", (2, 3, 4), (2, 4, 5), (4, 5), shapes=True)
    assert info.eq == "elem k l,elem l a,l a->elem"
    _, info = ef.einsum_path((2, 3), [0, 1], (3, 4), [1, 2], shapes=True)
    assert info.eq == "0 1,1 2->0 2"


def test_a_limit_says_what_is_cut() -> None:
    path, info = ef.einsum_path("ij,jk,kl->il", (9, 9), (9, 9), (9, 9), shapes=True, memory_limit=27)
    assert len(path) == 3
    assert dict(info.slices) == {"i": 3}
    assert (int(info.largest_intermediate), int(info.opt_cost)) == (81, 2 * 2 * 9**3)  # the result
    assert "Slices:  3 of 9 of i\n" in info
    _, info = ef.einsum_path("ij,jk,ki->", (9, 9), (9, 9), (9, 9), shapes=True, memory_limit=27)
    assert info.largest_intermediate == 27


def test_more_indices_than_a_plan_has() -> None:
    call = [each for number in range(60) for each in ((2, 2), [number, number + 1])]
    path, info = ef.einsum_path(*call, shapes=True)
    assert len(path) == 60
    assert info.largest_intermediate == 4


def test_the_type_of_operands_does_not_matter() -> None:
    for kind in ("i8", "c16", "f4"):
        operands = [np.ones(shape, kind) for shape in STRINGS[0][1]]
        assert ef.einsum_path(STRINGS[0][0], *operands)[1].eq == STRINGS[0][0]
    with pytest.raises(ValueError, match="E0227"):
        ef.einsum_path("i%...", [0, 0])


def test_a_size_that_it_gives_is_a_limit() -> None:
    """`largest_intermediate` is a decimal number, as in opt_einsum."""
    text, shapes = STRINGS[2]
    _, info = ef.einsum_path(
        text, *shapes, shapes=True, memory_limit=ef.einsum_path(text, *shapes, shapes=True)[1].largest_intermediate
    )
    assert not info.slices


def test_it_is_pickled() -> None:
    _, info = ef.einsum_path(*STRINGS[0][:1], *STRINGS[0][1], shapes=True)
    again = pickle.loads(pickle.dumps(info))
    assert again == info
    assert vars(again) == vars(info)


def test_mistakes_are_those_of_einsum() -> None:
    with pytest.raises(ValueError, match="E0518"):
        ef.einsum_path("ij,jk", (2, 2), (2, 2), shapes=True, optimize=[(0, 2)])
    with pytest.raises(ValueError, match="E0227"):
        ef.einsum_path("ij,jk", (2, 2), (3, 2), shapes=True)
    with pytest.raises(TypeError, match=r"E0503.*operand 0 is of type int, expected a shape"):
        ef.einsum_path("ij,jk", 2, (3, 2), shapes=True)
    with pytest.raises(ValueError, match="E0505"):
        ef.einsum_path("ij,jk", (None, 3), (3, 2), shapes=True)


@share(0.5)
@given(calls())
def test_the_path_is_that_of_the_whole_plan(call: Call) -> None:
    """Which is made no further than its order needs."""
    text, operands = call
    shapes = [np.shape(each) for each in operands]
    path, info = ef.einsum_path(text, *shapes, shapes=True)
    string = read_einsum(text, shapes)
    plan = ir.plan_graph(graph_of(string.kernel, "f64"), machine=own_machine()).plan
    names = [operand.name for operand in string.kernel.operands]
    assert path == ["einsum_path", *path_of(names, ir.products_of(plan))]
    assert info.plan.endswith(f"{level_text(plan)}\n")

"""`ef.einsum` gives what `numpy.einsum` gives, for any layout and any batch, and says what it cannot take."""

import weakref
from importlib import import_module
from typing import Any, Literal

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import einsum_front as ef
from einsum_front.runtime import available_devices

RANDOM = np.random.default_rng(5)
A, B = RANDOM.random((7, 3, 4)), RANDOM.random((4, 5))


@pytest.mark.parametrize("subscripts", ["bik,kj->bij", "bik,kj", "bik,kj->", "bik,kj->ijb", " bik , kj -> b "])
def test_gives_what_numpy_gives(subscripts: str) -> None:
    np.testing.assert_allclose(ef.einsum(subscripts, A, B), np.einsum(subscripts, A, B), rtol=1e-13)


def test_takes_any_layout() -> None:
    for left, right in ((np.asfortranarray(A), B.T.copy().T), (A[::-1, ::2, ::-1], B[::-1, ::3])):
        np.testing.assert_allclose(
            ef.einsum("bik,kj->bij", left, right), np.einsum("bik,kj->bij", left, right), rtol=1e-13
        )


def test_the_type_is_that_of_the_widest_operand() -> None:
    single = A.astype(np.float32)
    assert ef.einsum("bik->b", single).dtype == np.float32
    assert ef.einsum("bik,kj->bij", single, B).dtype == np.float64
    assert ef.einsum("i,i->", [1.0, 2.0], [3.0, 4.0]) == 11.0


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("bik,kj->bij", [(0, 3, 4), (4, 5)]),
        ("b->", [(0,)]),
        ("ik,kj->ij", [(0, 4), (4, 5)]),
        ("ik,kj->ij", [(3, 0), (0, 5)]),
        ("...i->...", [(2, 0, 3)]),
    ],
)
def test_empty_arrays_are_arrays(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    operands = [np.ones(shape) for shape in shapes]
    result, expected = ef.einsum(subscripts, *operands), np.einsum(subscripts, *operands)
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result, expected)


def test_one_kernel_serves_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    ef.einsum("bik,kj->bij", A[:2], B)
    monkeypatch.setattr(import_module("einsum_front.index_string.make"), "make_way", None)
    for batch in (1, 3, 7):
        np.testing.assert_allclose(ef.einsum("bik,kj->bij", A[:batch], B), A[:batch] @ B, rtol=1e-13)


def test_calls_like_one_before_are_checked() -> None:
    left, right = RANDOM.random((4, 4)), RANDOM.random((4, 4))
    for _ in range(2):
        np.testing.assert_allclose(ef.einsum("ik,kj->ij", left, right), left @ right, rtol=1e-13)
    single = left.astype(np.float32), right.astype(np.float32)
    assert ef.einsum("ik,kj->ij", *single).dtype == np.float32
    assert ef.einsum("ik,kj->ij", left, single[1]).dtype == np.float64
    np.testing.assert_allclose(ef.einsum("ik,kj->ij", left[:3], right), left[:3] @ right, rtol=1e-13)
    for _ in range(2):
        with pytest.raises(ef.CompileError, match="index `k` has size 3 in operand 1 but 4 in operand 0"):
            ef.einsum("ik,kj->ij", left, right[:3])
        assert ef.einsum("ik,kj->ij", left.astype(int), right.astype(int)).dtype == int
        with pytest.raises(ef.CompileError, match="operand 0 has element type <U32, expected an array of numbers"):
            ef.einsum("ik,kj->ij", left.astype(str), right)
        with pytest.raises(ef.CompileError, match="there is no schedule `3`"):
            ef.einsum("ik,kj->ij", left, right, schedule="3")


def test_arrays_are_not_kept() -> None:
    operands = [RANDOM.random((4, 4)) for _ in range(2)]
    results = [ef.einsum("ik,kj->ij", *operands) for _ in range(3)]
    watched = [weakref.ref(array) for array in (*operands, *results)]
    del operands, results
    assert [each() for each in watched] == [None] * 5


FIRST = '  = note: the index string comes first: `einsum("ij->i", A)`'


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            (A, "ij->i"),
            f"error[E0520]: the index string is of type ndarray, expected str\n{FIRST}",
        ),
        (
            (A, [0, 1, 2], A),
            "error[E0520]: a list of labels is of type ndarray, expected a list or a tuple\n"
            "  = note: `einsum(A, [0, 1], B, [1, 2], [0, 2])` has a list of labels after each operand, "
            "and one for the result",
        ),
        ((3, A), "error[E0520]: the index string is of type int, expected str"),
        ((b"ij->i", A), "error[E0520]: the index string is of type bytes, expected str"),
        ((A, B, "bik,kj->bij"), f"error[E0520]: the index string is of type ndarray, expected str\n{FIRST}"),
        (
            ("ij->i", [[1.0], [2.0, 3.0]]),
            "error[E0504]: operand 0 has no shape, expected an array\n"
            "  = note: in a list of lists all have the same length, like the rows of a matrix",
        ),
        (("i->", "ab"), "error[E0504]: operand 0 is of type str, expected an array of numbers"),
        (
            ("i,i->", np.ones(2), np.array(["a", "b"])),
            "error[E0504]: operand 1 has element type <U1, expected an array of numbers",
        ),
        (
            ("i->", np.zeros(2, "M8[s]")),
            "error[E0504]: operand 0 has element type datetime64[s], expected an array of numbers",
        ),
        (
            ("i->", [1, None]),
            "error[E0504]: operands hold objects of Python that are not added up and multiplied: unsupported operand "
            "type(s) for +: 'int' and 'NoneType'",
        ),
        (("i->", None), "error[E0504]: operand 0 is of type NoneType, expected an array of numbers"),
        (
            ("i,i->", np.ones(2)),
            "error[E0227]: the string describes 2 operands, but 1 is given\n --> <einsum>:1:1\n  |\n1 | i,i->\n  | ^^^",
        ),
        (
            ("ik,kj->ij", np.ones((3, 0)), np.ones((5, 6))),
            "error[E0227]: index `k` has size 5 in operand 1 but 0 in operand 0\n"
            " --> <einsum>:1:4\n  |\n1 | ik,kj->ij\n  |  - ^ 5\n  |  |\n  |  0",
        ),
    ],
)
def test_what_it_cannot_take(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(ef.CompileError) as error:
        ef.einsum(*arguments)
    assert str(error.value) == words


# -- what numpy.einsum takes as well -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "optimize", [True, False, None, "greedy", "optimal", "einsum_path", ("greedy", 10**6), np.True_]
)
def test_the_order_is_always_good(optimize: Any) -> None:
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", A, B, optimize=optimize), A @ B, rtol=1e-13)


PATH = (
    '  = note: a path is a list such as `["einsum_path", (0, 1), (0, 1)]` or `[(0, 1), (0, 1)]`, '
    "which `ef.einsum_path` gives"
)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        (
            {"dtype": np.float32},
            "error[E0504]: operand 0 has element type float64, which is not converted to float32\n"
            "  = note: `casting` is 'safe'",
        ),
        ({"dtype": str}, "error[E0504]: `dtype` is <U0, expected a type of numbers"),
        ({"out": np.zeros((7, 3, 5), "S1")}, "error[E0504]: `out` has element type |S1, expected a type of numbers"),
        (
            {"dtype": complex, "schedule": "packed"},
            "error[E0504]: `dtype` is complex128, and kernels compute in float32 or float64\n  = note: other numbers "
            "are computed without a schedule, `tune=`, chunks and arrays of a GPU",
        ),
        (
            {"dtype": complex, "chunk": 2},
            "error[E0504]: `dtype` is complex128, and kernels compute in float32 or float64\n  = note: other numbers "
            "are computed without a schedule, `tune=`, chunks and arrays of a GPU",
        ),
        (
            {"dtype": int},
            "error[E0504]: operand 0 has element type float64, which is not converted to int64\n"
            "  = note: `casting` is 'safe'",
        ),
        ({"dtype": "foo"}, "error[E0504]: `dtype` is 'foo', expected an element type such as 'float32'"),
        (
            {"order": "x", "casting": "cast"},
            "error[E0518]: `order` is 'x', expected one of 'C', 'F', 'A', 'K'\n\n"
            "error[E0518]: `casting` is 'cast', expected one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe'",
        ),
        (
            {"optimize": "gready"},
            "error[E0518]: `optimize` is 'gready', which is no name of a search\n"
            "  = note: names are those of NumPy and opt_einsum; whatever is said, the planner looks for the order\n"
            f"{PATH}",
        ),
        (
            {"optimize": 3},
            f"error[E0518]: `optimize` is of type int, expected a truth value, a name or a path\n{PATH}",
        ),
        (
            {"optimize": [(0, 1), 3]},
            f"error[E0518]: `optimize` is of type list, expected a truth value, a name or a path\n{PATH}",
        ),
        (
            {"optimize": ["einsum_path", (0, 2)]},
            f"error[E0518]: step 0 of the path is (0, 2), expected places from 0 to 1\n{PATH}",
        ),
        (
            {"optimize": ["einsum_path", (0,)]},
            f"error[E0518]: the path leaves 2 operands, which it does not multiply\n{PATH}",
        ),
        ({"optimize": ["einsum_path", (0, 0)]}, "error[E0518]: step 0 of the path, (0, 0), takes an operand twice"),
        (
            {"schedule": 3},
            "error[E0304]: there is no schedule `3`: "
            "the schedules are `work_group`, `batch_simd`, `packed`, `tiled`, `columns`, `loops`; "
            "a file of recipes ends with `.sched`",
        ),
        ({"out": [1.0]}, "error[E0503]: `out` is of type list, expected a NumPy array"),
        (
            {"out": np.empty((7, 5, 3), np.float32)},
            "error[E0504]: `out` has element type float32, the result has float64\n\n"
            "error[E0505]: `out` has shape (7, 5, 3), the result has (7, 3, 5)",
        ),
        ({"out": np.broadcast_to(np.zeros(5), (7, 3, 5))}, "error[E0507]: `out` is read-only"),
    ],
)
def test_keywords_that_cannot_be(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(ef.CompileError) as error:
        ef.einsum("bik,kj->bij", A, B, **keywords)
    assert str(error.value) == words


def test_a_misspelt_keyword_is_that_of_nobody() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'optimise'"):
        ef.einsum("bik,kj->bij", A, B, optimise=True)  # type: ignore[call-overload] # that is the test


def test_a_device_may_be_named_by_its_number() -> None:
    number = available_devices()[0].number
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", A, B, device=number), A @ B, rtol=1e-13)
    with pytest.raises(ef.CompileError, match="there is no OpenCL device `77`"):
        ef.einsum("bik,kj->bij", A, B, device=77)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_result_goes_to_out(order: Literal["C", "F"]) -> None:
    out = np.full((7, 3, 5), np.nan, order=order)
    assert ef.einsum("bik,kj->bij", A, B, out=out) is out
    np.testing.assert_allclose(out, A @ B, rtol=1e-13)
    number = np.array(np.nan)
    assert ef.einsum("ij,ij->", B, B, out=number) is number
    np.testing.assert_allclose(number, (B * B).sum(), rtol=1e-13)


@pytest.mark.parametrize("element_type", ["f8", "f4"])
def test_entries_of_out_are_places_of_their_own(element_type: str) -> None:
    """Of the same type a kernel would write there, of another one NumPy."""
    row = np.zeros(100, dtype=element_type)
    out = as_strided(row, (7, 3, 5), (row.itemsize,) * 3)
    with pytest.raises(ef.CompileError) as error:
        ef.einsum("bik,kj->bij", A, B, out=out, casting="same_kind")
    assert str(error.value) == "error[E0510]: entries of `out` share memory, and the result is written to them"


def test_out_may_be_an_operand() -> None:
    array = B[:, :4].copy()
    expected = array @ array
    ef.einsum("ik,kj->ij", array, array, out=array)
    np.testing.assert_allclose(array, expected, rtol=1e-13)


@pytest.mark.parametrize("other", [np.int32, np.bool_, np.float16, np.dtype(">f8"), np.dtype(">f4")])
def test_types_meet_as_numpy_lets_them(other: type | np.dtype[Any]) -> None:
    right = (B * 4).astype(other)
    for left in (A, A.astype(np.float32)):
        result, expected = ef.einsum("bik,kj->bij", left, right), np.einsum("bik,kj->bij", left, right)
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(result, expected, rtol=1e-5)
    assert ef.einsum(",i->i", 2, np.ones(3)).tolist() == [2.0, 2.0, 2.0]


def test_without_indices_the_result_is_a_number() -> None:
    assert isinstance(ef.einsum("ij,ij", B, B), np.float64)


# -- what is too much for one work-group -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("pqrs,pi,qj,rk,sl->ijkl", [(24,) * 4, (24, 17), (24, 16), (24, 15), (24, 14)]),  # to molecular orbitals
        ("klcd,ic,ka,ljdb->ijab", [(9, 9, 24, 24), (9, 24), (9, 24), (9, 9, 24, 24)]),
        ("ij,jk,kl->il", [(300, 310), (310, 320), (320, 330)]),
        ("ijab,ijab->", [(16, 16, 30, 30)] * 2),
        ("ijab,ijab,ijab", [(16, 16, 30, 30)] * 3),
        ("i,i->", [(200_000,)] * 2),
        ("eijk,ai,bj,ck->eabc", [(2, 50, 50, 50), (60, 50), (60, 50), (60, 50)]),  # for one element already
        ("...ij,...jk,...kl->...il", [(2, 1, 150, 200), (1, 3, 200, 200), (2, 3, 200, 300)]),
        ("ii,ij,j->i", [(600, 600), (600, 600), (600,)]),
    ],
)
def test_large_contractions_are_those_of_numpy(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    operands = [RANDOM.integers(-3, 4, shape).astype(float) for shape in shapes]
    expected = np.einsum(subscripts, *operands, optimize=True)
    for _ in range(2):  # the second time everything is compiled
        np.testing.assert_array_equal(ef.einsum(subscripts, *operands), expected)
    out = np.empty_like(expected)
    ef.einsum(subscripts, *operands, out=out)
    np.testing.assert_array_equal(out, expected)


def test_steps_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    operands = [np.ones((24,) * 4), *[np.ones((24, 17))] * 4]
    first = ef.einsum("pqrs,pi,qj,rk,sl->ijkl", *operands)
    monkeypatch.setattr(import_module("einsum_front.index_string.make"), "make_way", None)
    np.testing.assert_array_equal(ef.einsum("pqrs,pi,qj,rk,sl->ijkl", *operands), first)


# -- the order ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subscripts", "shapes", "expected"),
    [
        ("ij,jk,k->i", [(9, 8), (8, 7), (7,)], [(1, 2), (0, 1)]),
        ("pqrs,pi,qj,rk,sl->ijkl", [(6,) * 4, *[(6, 5)] * 4], [(0, 1), (0, 3), (0, 2), (0, 1)]),
        ("eijk,ai,bj,ck->eabc", [(10, 4, 4, 4), *[(5, 4)] * 3], [(0, 1), (0, 2), (0, 1)]),
        ("iij,jk,k,...l->...i", [(3, 3, 4), (4, 5), (5,), (2, 7)], [(1, 2), (0, 2), (0, 1)]),
        ("ij->", [(3, 4)], [(0,)]),
    ],
)
def test_numpy_follows_the_path(
    subscripts: str, shapes: list[tuple[int, ...]], expected: list[tuple[int, ...]]
) -> None:
    operands = [RANDOM.random(shape) for shape in shapes]
    path, plan = ef.einsum_path(subscripts, *operands)
    assert path == ["einsum_path", *expected]
    followed = np.einsum(subscripts, *operands, optimize=path)
    np.testing.assert_allclose(followed, ef.einsum(subscripts, *operands), rtol=1e-12)
    assert "plan einsum: " in plan.plan


def test_the_path_says_what_the_costs_are_of() -> None:
    operands = [np.broadcast_to(0.0, shape) for shape in ((10_000, 8, 8, 8), (10, 8), (10, 8), (10, 8))]
    _, info = ef.einsum_path("eijk,ai,bj,ck->eabc", *operands)
    assert info.plan.startswith(
        "a batch of 10000, the first index of the result; costs are those of one of them\nplan "
    )
    _, info = ef.einsum_path("ik,kj->ij", *operands[1:2], operands[2].T)
    assert info.plan.startswith("no index is a batch: costs are those of the whole\nplan einsum: 1500 operations")
    with pytest.raises(ef.CompileError, match="E0227"):
        ef.einsum_path("ij,jk->ik", np.ones((2, 3)))

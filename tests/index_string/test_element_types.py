"""Element types of `numpy.einsum`: the result has NumPy's type, and the same entries."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from tests.index_string.layouts import LETTERS, arranged

KINDS = [np.dtype(each) for each in "?bBhHiIlLqQefdgFDGO"]
LAYOUTS = "C", "F", "permuted", "sliced", "reversed", "repeated", "unaligned", "list", "swapped"
RANDOM = np.random.default_rng(39)


def numbers(random: np.random.Generator, shape: list[int], kind: np.dtype[Any], *, are_small: bool) -> np.ndarray:
    """Integers of any size that the type has, or small ones, whose products floating types hold exactly."""
    if kind.kind in "iu" and not are_small:
        limits = np.iinfo(kind)
        return np.asarray(random.integers(limits.min, limits.max, shape, kind.newbyteorder("="), endpoint=True), kind)
    found: Any = np.asarray(random.integers(0 if kind.kind == "b" else -1, 3, shape))
    if kind.kind == "c":
        found = found + 1j * random.integers(-1, 3, shape)
    if kind.kind == "O" and not are_small:
        found = found.astype(kind) * 10**30
    return np.asarray(found).astype(kind)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, list[Any]]:
    """A string of one to four operands, each with a type and a layout of its own."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    letters = LETTERS[: draw(st.integers(1, 4))]
    extents = {letter: draw(st.integers(1, 3)) for letter in letters}
    types = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=2))
    are_small = np.result_type(*types).kind in "fc" or (object in types and len(set(types)) > 1)
    terms, operands = [], []
    for _ in range(draw(st.integers(1, 4))):
        term = "".join(draw(st.lists(st.sampled_from(letters), max_size=3)))
        ones = {letter for letter in term if draw(st.integers(0, 9)) == 0}
        shape = [2 * (1 if letter in ones else extents[letter]) for letter in term]
        kind, layout = draw(st.sampled_from(types)), draw(st.sampled_from(LAYOUTS))
        if kind.hasobject and layout == "unaligned":
            layout = "C"
        array = numbers(random, shape, kind.newbyteorder() if layout == "swapped" else kind, are_small=are_small)
        operands.append(arranged(random, array, "C" if layout == "swapped" else layout))
        terms.append(term)
    found = sorted(set("".join(terms)))
    output = draw(st.permutations(draw(st.lists(st.sampled_from(found), unique=True)) if found else []))
    return f"{','.join(terms)}->{''.join(output)}", operands


def check(subscripts: str, operands: list[Any], **keywords: Any) -> None:
    """Compares the results of three calls with that of NumPy: made, remembered, and with an array for the result."""
    kinds = [np.asarray(operand).dtype for operand in operands]
    try:
        expected = np.einsum(subscripts, *operands, **keywords)
    except TypeError:
        with pytest.raises(TypeError):
            ef.einsum(subscripts, *operands, **keywords)
        return
    for _ in range(2):
        result = ef.einsum(subscripts, *operands, **keywords)
        assert isinstance(result, np.ndarray) == isinstance(expected, np.ndarray)
        assert np.asarray(result).dtype == np.asarray(expected).dtype
        assert np.shape(result) == np.shape(expected)
        np.testing.assert_array_equal(result, expected)
    out = np.empty(np.shape(expected), np.asarray(expected).dtype if object not in kinds else object)
    assert ef.einsum(subscripts, *operands, out=out, **keywords) is out
    np.testing.assert_array_equal(out, expected)


@pytest.mark.generated
@given(calls())
def test_results_are_those_of_numpy(call: tuple[str, list[Any]]) -> None:
    check(*call)


@pytest.mark.generated
@pytest.mark.filterwarnings("ignore:Casting complex values")
@given(
    calls(),
    st.one_of(st.none(), st.sampled_from([kind for kind in KINDS if not kind.hasobject])),
    st.sampled_from(["no", "equiv", "safe", "same_kind", "unsafe"]),
)
def test_what_is_refused_is_refused_by_numpy(call: tuple[str, list[Any]], dtype: Any, casting: Any) -> None:
    subscripts, operands = call
    try:
        expected = np.einsum(subscripts, *operands, dtype=dtype, casting=casting)
    except TypeError:
        with pytest.raises(TypeError, match="E0504"):
            ef.einsum(subscripts, *operands, dtype=dtype, casting=casting)
        return
    result = ef.einsum(subscripts, *operands, dtype=dtype, casting=casting)
    assert result.dtype == expected.dtype


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_form_of_a_call(kind: np.dtype[Any]) -> None:
    A, B, C = (numbers(RANDOM, shape, kind, are_small=True) for shape in ([5, 3, 4], [4, 6], [6, 3]))
    expected = np.einsum("bik,kj,ji->bi", A, B, C)
    calls: list[Any] = [
        ef.einsum("bik,kj,ji->bi", A, B, C, optimize=[(0, 1), (0, 1)]),
        ef.einsum("bik,kj,ji->bi", A, B, C, memory_limit=10),
        ef.einsum("bik,kj,ji->bi", A, B, C, build="now", order="F"),
        ef.einsum("bik,kj,ji->bi", A, B, C, device="cpu", backend="numpy"),
        ef.einsum(A, [0, 1, 2], B, [2, 3], C, [3, 1], [0, 1]),
        ef.einsum_expression("bik,kj,ji->bi", (None, 3, 4), B, C, constants=[1, 2])(A),
        np.einsum("bik,kj,ji->bi", A, B, C, optimize=ef.einsum_path("bik,kj,ji->bi", A, B, C)[0]),
    ]
    for found in calls:
        assert (type(found), found.dtype) == (np.ndarray, kind)
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(ef.tensordot(A, B, 1), np.einsum("bik,kj->bij", A, B))
    view = ef.einsum("bik->kib", A)
    assert np.shares_memory(view, A)


def test_integers_wrap_around_at_every_step() -> None:
    for kind in "bhilBHIL":
        least, most = np.iinfo(kind).min, np.iinfo(kind).max
        A = np.array([[most, least], [most, 3]], kind)
        for string in ("ij,jk->ik", "ij,kj->ik", "ij,ij->ij", "ij->i", "ij->j", "ij,jk,kl->il"):
            operands = [A] * (string.count(",") + 1)
            np.testing.assert_array_equal(ef.einsum(string, *operands), np.einsum(string, *operands))
        repeated = np.broadcast_to(np.array(3, kind), 3 * 2**40)
        expected = np.array(9 * 2**40 % 2**64, np.uint64).astype(kind)
        assert ef.einsum("i->", repeated) == expected


def test_halves_are_added_up_in_f32_and_rounded_once() -> None:
    A = RANDOM.random((300, 300)).astype(np.float16)
    exact = (A.astype(np.float32) @ A.astype(np.float32)).astype(np.float16)
    for build in ("never", "now"):
        found = ef.einsum("ij,jk->ik", A, A, build=build)
        assert found.dtype == np.float16
        np.testing.assert_allclose(found, exact, rtol=2**-10)
    assert ef.einsum("i->", np.ones(5000, np.float16)) == 5000  # one by one, halves stay at 2048
    assert np.isinf(ef.einsum("ij->", A * np.float16(1000)))


def test_real_and_complex_numbers_in_every_order() -> None:
    for first, second in (("d", "D"), ("D", "d"), ("f", "D"), ("i", "F"), ("F", "e"), ("?", "D")):
        A, B = (numbers(RANDOM, [40, 40], np.dtype(kind), are_small=True) for kind in (first, second))
        for string in ("ij,jk->ik", "ij,jk->ki", "ji,jk->ik", "ij,kj->ik", "ij,ij->ij", "ij,jk->", "ij,jk,kl->il"):
            operands = [A, B, A][: string.count(",") + 1]
            for each in (operands, [np.asfortranarray(operands[0]), *operands[1:]], [X[::-1, ::2] for X in operands]):
                if "k" not in string or each[0].shape == (40, 40):
                    result, expected = ef.einsum(string, *each), np.einsum(string, *each)
                    assert result.dtype == expected.dtype
                    np.testing.assert_array_equal(result, expected)
                    out = np.empty_like(expected)
                    assert ef.einsum(string, *each, out=out) is out or not out.shape
                    np.testing.assert_array_equal(out, expected)


def test_calls_without_anything_are_the_errors_of_numpy() -> None:
    functions: Any = (ef.einsum, ef.einsum_path)
    for function in functions:
        with pytest.raises(ValueError, match="E0227"):
            function()


def test_constants_of_complex_numbers_are_multiplied_once() -> None:
    A, B, C = (numbers(RANDOM, shape, np.dtype(complex), are_small=True) for shape in ([5, 3, 4], [4, 6], [6, 3]))
    expression = ef.einsum_expression("bik,kj,jl->bil", (None, 3, 4), B, C, constants=[1, 2])
    np.testing.assert_array_equal(expression(A), A @ (B @ C))
    assert expression._folded is not None
    assert len(expression._folded.constants) == 1
    ours = numbers(RANDOM, [3, 3], np.dtype("i1"), are_small=False)
    mixed = ef.einsum_expression("ik,kj,jl->il", (3, 3), ours, ours, constants=[1, 2])
    wide = np.arange(9).reshape(3, 3)
    np.testing.assert_array_equal(mixed(wide), np.einsum("ik,kj,jl->il", wide, ours, ours))


def test_numbers_of_python() -> None:
    A = numbers(RANDOM, [4], np.dtype(complex), are_small=True)
    for number in (2, 2.0, 2j, True, np.float32(2), np.int8(2)):
        for _ in range(2):
            result, expected = ef.einsum("i,->i", A, number), np.einsum("i,->i", A, number)
            assert result.dtype == expected.dtype
            np.testing.assert_array_equal(result, expected)

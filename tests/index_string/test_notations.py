"""The ways to say a contraction: letters of any alphabet, words, lists of labels, more indices than letters."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import einsum_front as ef
from einsum_front.index_string.ways import find_way

RANDOM = np.random.default_rng(95)
A, B = RANDOM.random((7, 3, 4)), RANDOM.random((7, 4, 5))
PRODUCT = A @ B


@pytest.mark.parametrize("build", ["never", "now"])
@pytest.mark.parametrize(
    "text",
    [
        "elem k l, elem l q -> elem k q",
        "elem k l,elem l q->elem k q",
        "elem k l, elem l q -> elem  k  q",
        "e0 i1 j, e0 j k -> e0 i1 k",
        "_ n3b1 β, _ β γ -> _ n3b1 γ",
        "for int long, for long double -> for int double",
        "... row col, ... col row2 -> ... row row2",
        "βij,βjk->βik",
        "\N{CJK UNIFIED IDEOGRAPH-4EAC}ij,\N{CJK UNIFIED IDEOGRAPH-4EAC}jk->\N{CJK UNIFIED IDEOGRAPH-4EAC}ik",
        "×ij,×jk->×ik",  # no letter, but opt_einsum's 76th symbol
        "b i j, b j k -> b i k",
        "... ij, ... jk -> ... ik",
    ],
)
def test_letters_and_words(text: str, build: Any) -> None:
    np.testing.assert_allclose(ef.einsum(text, A, B, build=build), PRODUCT, rtol=1e-12)


def test_words_are_what_numpy_cannot_read() -> None:
    """Blanks alone change nothing: where there are as many modes as letters, letters are the indices."""
    X = RANDOM.random((2, 3, 4, 5))
    np.testing.assert_array_equal(ef.einsum("ab cd -> dc ba", X), X.T)
    np.testing.assert_array_equal(ef.einsum("ab cd -> cd ab", X[0, :, :, 0]), X[0, :, :, 0].T)
    np.testing.assert_allclose(ef.einsum("... ab cd -> ... ", X), X.sum())
    with pytest.raises(ef.CompileError, match=r"operand 0 has 2 modes, but its term has 3 indices"):
        ef.einsum("ijk,k->i", X[0, 0], X[0, 0, 0])


def test_an_implied_result_is_in_the_order_of_the_alphabet() -> None:
    for text in ("βα", "beta_ alpha_", "i10 i1"):
        np.testing.assert_array_equal(ef.einsum(text, A[0]), A[0].T)
    np.testing.assert_array_equal(ef.einsum(A[0], [10, 9]), A[0].T)  # numbers, not texts
    np.testing.assert_array_equal(ef.einsum("cβa", A), np.transpose(A, (2, 0, 1)))


@pytest.mark.parametrize("build", ["never", "now"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [("...i->i", A.sum((0, 1))), ("...->", A.sum()), ("i...->i", A.sum((1, 2))), ("...i,...j->ij", None)],
)
def test_an_ellipsis_that_the_result_lacks_is_summed(text: str, expected: Any, build: Any) -> None:
    operands = [A] if expected is not None else [A, A]
    wanted = np.einsum(text, *operands, optimize=True)
    np.testing.assert_allclose(ef.einsum(text, *operands, build=build), wanted, rtol=1e-12)


@st.composite
def interleaved(draw: st.DrawFn) -> list[Any]:
    """A call in NumPy's other form, with and without a list for the result."""
    sizes = dict(
        zip(draw(st.lists(st.integers(0, 51), min_size=1, max_size=5, unique=True)), (2, 3, 1, 2, 3), strict=False)
    )
    call: list[Any] = []
    for _ in range(draw(st.integers(1, 3))):
        labels = draw(st.lists(st.sampled_from(sorted(sizes)), max_size=3))
        hidden = [Ellipsis] if draw(st.booleans()) else []
        shape = ((2,) if hidden else ()) + tuple(sizes[each] for each in labels)
        call += [RANDOM.random(shape), draw(st.sampled_from((list, tuple)))([*hidden, *labels])]
    if draw(st.booleans()):
        used = sorted({each for labels in call[1::2] for each in labels if each is not Ellipsis})
        ellipsis = [Ellipsis] if draw(st.booleans()) and any(Ellipsis in labels for labels in call[1::2]) else []
        call.append([*ellipsis, *(draw(st.lists(st.sampled_from(used), unique=True)) if used else [])])
    return call


@given(interleaved())
def test_lists_of_labels_are_those_of_numpy(call: list[Any]) -> None:
    result = ef.einsum(*call)
    operands = [*call[: len(call) // 2 * 2 : 2]]
    letters = {label: chr(0x100 + label) for each in call[1::2] for label in each if label is not Ellipsis}
    terms = [
        "".join("..." if each is Ellipsis else letters[each] for each in labels)
        for labels in (*call[1::2], *([call[-1]] if len(call) % 2 else []))
    ]
    text = ",".join(terms[: len(operands)]) + (f"->{terms[-1]}" if len(call) % 2 else "")
    small = {letter: chr(97 + place) for place, letter in enumerate(sorted(letters.values()))}
    expected = np.einsum("".join(small.get(each, each) for each in text), *operands, optimize=True)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.parametrize(
    "labels",
    [
        [("elem", "k", "l"), ("elem", "l", "q"), ("elem", "k", "q")],
        [("elemen", "k", "l"), ("elemen", "l", "q"), ("elemen", "k", "q")],
        [("a", "ab", "abc"), ("a", "abc", "b"), ("a", "ab", "b")],
        [(1000, 10, 2), (1000, 2, 3), (1000, 10, 3)],
        [(("x", 0), 1, "k"), (("x", 0), "k", None), (("x", 0), 1, None)],
        ["bij", "bjk", "bik"],
        [range(3), np.array([0, 2, 3]), [0, 1, 3]],
        [(-1, 0, 1), (-1, 1, 2), (-1, 0, 2)],
    ],
)
def test_labels_of_any_kind(labels: list[Any]) -> None:
    first, second, result = labels
    np.testing.assert_allclose(ef.einsum(A, first, B, second, result), PRODUCT, rtol=1e-12)
    path, _ = ef.einsum_path(A, first, B, second, result)
    assert path == ["einsum_path", (0, 1)]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ([A, [0, 1, [2]]], "a label is of type list, expected"),
        ([A, ["a", 1, (2,)]], "labels of several kinds have no order"),
        ([None, None], "the index string is of type NoneType"),
        ([A], "the index string is of type ndarray"),
    ],
)
def test_labels_that_are_none(call: list[Any], words: str) -> None:
    with pytest.raises(TypeError, match=f"E0520.*{words}"):
        ef.einsum(*call)


@pytest.mark.parametrize("build", ["never", "auto", "now"])
def test_more_indices_than_letters(build: Any) -> None:
    matrices = [RANDOM.random((2, 2)) for _ in range(70)]
    symbols = [chr(0x100 + number) for number in range(71)]
    text = ",".join(one + other for one, other in pairwise(symbols))
    expected = np.linalg.multi_dot(matrices)
    np.testing.assert_allclose(ef.einsum(text, *matrices, build=build), expected, rtol=1e-12)
    in_turn = [(0, 1), *((0, 69 - number) for number in range(1, 69))]
    np.testing.assert_allclose(ef.einsum(text, *matrices, build=build, optimize=in_turn), expected, rtol=1e-12)
    call = [each for number, matrix in enumerate(matrices) for each in (matrix, [number, number + 1])]
    np.testing.assert_allclose(ef.einsum(*call, build=build), expected, rtol=1e-12)


def test_equal_products_of_a_path_are_one_kernel() -> None:
    matrices = [RANDOM.random((3, 3)) for _ in range(12)]
    symbols = [chr(0x100 + number) for number in range(13)]
    text = ",".join(one + other for one, other in pairwise(symbols))
    before = find_way.cache_info().misses
    found = ef.einsum(text, *matrices, build="now", optimize=[(0, 1), *((0, 11 - n) for n in range(1, 11))])
    np.testing.assert_allclose(found, np.linalg.multi_dot(matrices), rtol=1e-12)
    assert find_way.cache_info().misses - before <= 4  # the string, its first product, those behind it, and the last


def test_a_view_of_more_modes_than_letters() -> None:
    symbols = "".join(chr(0x100 + number) for number in range(55))
    X = np.arange(6.0).reshape(2, *[1] * 53, 3)
    view = ef.einsum(f"{symbols}->{symbols[::-1]}", X, build="never")
    np.testing.assert_array_equal(view, X.T)
    assert np.shares_memory(view, X)
    assert ef.einsum(f"{symbols}->", X, build="never") == 15

"""Extents: arithmetic of polynomials, comparisons for all sizes, texts."""

from fractions import Fraction
from itertools import product as grid
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.binding import bound, polynomials_in, replaced, shown_sizes
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import (
    Extent,
    Polynomial,
    Size,
    TooLargeError,
    capacity,
    evaluated,
    hint,
    is_at_most,
    is_integer,
    least_value,
    of_size,
    product,
    static,
    total,
    with_sizes,
    without_limits,
)
from einsum_front.core.extent_text import NoExtentError, bracketed, data, parse_extent, text_of_shape
from einsum_front.ir.index import Index
from einsum_front.ir.plan.pattern import interpolated

SIZES = {"n": Size("n", 2, 64, 56), "m": Size("m", 1, None, 1000)}
N, M = of_size(SIZES["n"]), of_size(SIZES["m"])

values = st.fixed_dictionaries({"n": st.integers(2, 64), "m": st.integers(1, 99)})


def extents(least: int = -3) -> st.SearchStrategy[Extent]:
    """Sums of products of the two sizes, some of which are numbers."""
    terms = st.tuples(st.integers(least, 5), st.integers(0, 3), st.integers(0, 3))
    return st.lists(terms, max_size=4).map(lambda each: total(c * product([N] * i + [M] * j) for c, i, j in each))


def at(extent: Extent, sizes: dict[str, int]) -> int:
    return static(evaluated(extent, sizes))


@given(extents(), extents(), values)
def test_arithmetic_is_that_of_the_values(one: Extent, other: Extent, sizes: dict[str, int]) -> None:
    a, b = at(one, sizes), at(other, sizes)
    assert at(one + other, sizes) == a + b
    assert at(one - other, sizes) == a - b
    assert at(one * other, sizes) == a * b
    assert at(-one, sizes) == -a


@given(extents(), extents())
def test_equal_polynomials_have_one_form(one: Extent, other: Extent) -> None:
    """(a + b)**2 and what it is expanded; a hash goes with it, and what does not depend on sizes is an integer."""
    square = (one + other) * (one + other)
    assert square == one * one + 2 * one * other + other * other
    assert hash(square) == hash(one * one + 2 * one * other + other * other)
    assert type(square - square + 3) is int
    assert isinstance(square, int) or square.sizes


@given(extents(), extents())
def test_division_undoes_multiplication(one: Extent, other: Extent) -> None:
    if isinstance(other, Polynomial) and isinstance(one * other, Polynomial):
        multiple = one * other
        assert isinstance(multiple, Polynomial)
        assert multiple.divided_by(other) == one


@given(extents(), extents())
def test_what_is_divided_is_the_quotient_times_the_divisor(one: Extent, other: Extent) -> None:
    if isinstance(one, Polynomial) and isinstance(other, Polynomial):
        try:
            quotient = one.divided_by(other)
        except ArithmeticError:
            return
        assert quotient * other == one


def test_there_is_no_quotient_where_none_divides() -> None:
    square = N * N + 1
    assert isinstance(square, Polynomial)
    for divisor in (N, M, N * M):
        assert isinstance(divisor, Polynomial)
        with pytest.raises(ArithmeticError):
            square.divided_by(divisor)


def test_a_polynomial_is_no_integer() -> None:
    """Neither an order, nor a bit, nor an index: what counts positions has to say what it does with one."""
    n: Any = N  # mypy says the same of each of these uses
    for use in (lambda: n < 3, lambda: max(n, 3), lambda: range(n), lambda: int(n), lambda: n // 2, lambda: n / 2):
        with pytest.raises(TypeError):
            use()
    with pytest.raises(CompilerBug):
        static(N)


@given(extents(0), values)
def test_hints_and_capacities_are_values(extent: Extent, sizes: dict[str, int]) -> None:
    assert hint(extent) == at(extent, {"n": 56, "m": 1000})
    most = capacity(extent)
    if isinstance(most, int):
        assert at(extent, sizes) <= most
    else:
        assert "m" in [size.name for size in most.sizes]
        assert most == extent


def test_a_hint_at_the_lower_bound_counts_as_one_more() -> None:
    assert [hint(of_size(Size("n", 1, most, 1))) for most in (None, 9, 1)] == [2, 2, 1]


@given(extents(), extents(), values)
def test_what_is_at_most_another_is_not_above_it(one: Extent, other: Extent, sizes: dict[str, int]) -> None:
    if is_at_most(one, other):
        assert at(one, sizes) <= at(other, sizes)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (N, N * M, True),
        (9 * N, 10 * N, True),
        (N + 2, 2 * N, True),
        (N + 3, 2 * N, False),
        (N, M, False),
        (N, 64, True),
        (N, 63, False),
        (N, M + 63, True),
        (2, N, True),
        (3, 4, True),
    ],
)
def test_comparison_for_all_sizes(one: Extent, other: Extent, expected: bool) -> None:
    """n is from 2 to 64: so n + 2 is at most 2*n, but n + 3 is not, and n is at most m + 63."""
    assert is_at_most(one, other) is expected


@given(extents(), values)
def test_the_least_value_is_one(extent: Extent, sizes: dict[str, int]) -> None:
    least = least_value(extent)
    if least is not None:
        assert at(extent, {"n": 2, "m": 1}) == least <= at(extent, sizes)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 3), st.integers(0, 2)), max_size=4))
def test_an_integer_for_all_integers_is_one_for_the_first_few(terms: list[tuple[int, int, int]]) -> None:
    """Of degree 3 in n and 2 in m: it is, if it is at 4 and 3 of them."""
    extent = total(c * product([N] * i + [M] * j) for c, i, j in terms)
    sixth = Polynomial((((), Fraction(1, 6)),)) * extent
    if isinstance(sixth, Polynomial):
        points = grid(range(1, 5), range(1, 4))
        is_one = all(sixth.fraction_at({"n": n, "m": m}).denominator == 1 for n, m in points)
        assert is_integer(sixth) is is_one


def test_a_count_is_found_from_few_positions() -> None:
    assert str(interpolated([N], {(k,): comb(k, 2) for k in (1, 2, 3)})) == "n**2/2 - n/2"
    assert interpolated([N], {(k,): 7 for k in (1, 2)}) == 7
    pairs: dict[tuple[int, ...], int] = {(n, m): n * n * m + 1 for n in (1, 2, 3) for m in (1, 2)}
    assert interpolated([N, M], pairs) == N * N * M + 1


def test_sizes_with_and_without_limits() -> None:
    extent = 2 * N + M
    plain = without_limits(extent)
    assert plain != extent
    assert plain == parse_extent("m + 2*n")
    assert with_sizes(plain, SIZES) == extent
    assert (without_limits(7), with_sizes(7, SIZES)) == (7, 7)


# -- in nodes ----------------------------------------------------------------------------------------------------------


def test_extents_of_nodes_are_found_and_replaced() -> None:
    nodes = (Index("i", 2 * N), (Index("j", 9), Index("k", M)))
    assert list(polynomials_in(nodes)) == [2 * N, M]
    assert bound(nodes, {"n": 5}) == (Index("i", 10), (Index("j", 9), Index("k", M)))
    assert replaced(nodes, lambda _: 3) == (Index("i", 3), (Index("j", 9), Index("k", 3)))


def test_sizes_are_those_of_arrays() -> None:
    assert shown_sizes([((N, 9, 2 * M), (3, 5, 9, 8)), ((M,), (4,))]) == {"n": 5, "m": 4}


# -- texts -------------------------------------------------------------------------------------------------------------


@given(extents())
def test_texts_are_read_back(extent: Extent) -> None:
    assert parse_extent(str(extent)) == without_limits(extent)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(n + 1)*(n - 1)", "n**2 - 1"),
        ("-(n - m)**2", "2*m*n - m**2 - n**2"),
        ("n*(n + 1)/2", "n**2/2 + n/2"),
        ("(n + m)**3 - n**3", "m**3 + 3*m**2*n + 3*m*n**2"),
        ("n - n + 6/3", "2"),
        ("2**3*n", "8*n"),
        ("1 - n", "1 - n"),
        ("-m - n", "-m - n"),
        ("+".join(["n"] * 5000), "5000*n"),
    ],
)
def test_texts_are_expanded(text: str, same: str) -> None:
    assert str(parse_extent(text)) == same


@pytest.mark.parametrize(
    "text", ["n**17", "*".join(["n"] * 17), "(a+b+c+d)**16", "(" * 3000 + "n" + ")" * 3000, "-" * 3000 + "n",
             "n" + "*9999999999999999999" * 200, "((n + m)**16)**16", "n**99999999999999999"]
)  # fmt: skip
def test_texts_beyond_the_limits(text: str) -> None:
    with pytest.raises(TooLargeError):
        parse_extent(text)


@pytest.mark.parametrize(
    "text",
    ["", "n +", "1/n", "n(2)", "n.x", "2.5*n", "f'n'", "n**m", "1/2", "n/2", "n*(n + 1)/3", "__import__('os')"],
)
def test_other_texts_are_none(text: str) -> None:
    with pytest.raises(NoExtentError):
        parse_extent(text)


def test_texts_for_people_and_for_programs() -> None:
    assert [bracketed(2 * N), bracketed(9), text_of_shape((2 * N, 9))] == ["[2*n]", "9", "[2*n]x9"]
    assert [data(2 * N), data(9)] == ["2*n", 9]

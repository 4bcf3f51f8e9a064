"""Numbers that only the launch knows: arithmetic, comparisons for all sizes, texts."""

from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.ir.open_numbers import bound, named, shown_sizes
from einsum_front.ir.run_time import (
    RunTimeNumber,
    Size,
    assumed,
    bracketed,
    capacity,
    data,
    equal,
    interpolated,
    is_never_above,
    with_samples,
)
from einsum_front.ir.yateto.parse.sizes import TooLargeError, read_number

N, M = (sympy.Symbol(name, integer=True, positive=True) for name in "nm")
SIZES = with_samples([Size("n", 2, 64, 56), Size("m", 1, None, 1000)], [N, M], 9)


def number(expression: Any) -> RunTimeNumber:
    return RunTimeNumber(sympy.sympify(expression).expand(), SIZES)


def polynomial(coefficients: list[int]) -> int:
    n, m = number(N), number(M)
    a, b, c, d = coefficients
    return a + b * n + c * n * m + d * m * m


def test_arithmetic_keeps_the_polynomial() -> None:
    n, m = number(N), number(M)
    assert [str(each) for each in (2 * n + 1, n * m, 1 - n, n - m, n * (n + 1))] == [
        "2*n + 1",
        "m*n",
        "1 - n",
        "-m + n",
        "n**2 + n",
    ]
    assert f"{n}" == "n"
    assert sum([n, 1, m], 0) == int(n) + 1 + int(m)


def test_what_does_not_depend_on_sizes_is_a_plain_integer() -> None:
    n = number(N)
    assert type(n - n + 3) is int
    assert type(0 * n) is int


@given(st.lists(st.integers(0, 5), min_size=4, max_size=4), st.integers(2, 64), st.integers(1, 99))
def test_a_number_has_the_value_of_its_polynomial(coefficients: list[int], n: int, m: int) -> None:
    a, b, c, d = coefficients
    value = polynomial(coefficients)
    assert bound(value, {"n": n, "m": m}) == a + b * n + c * n * m + d * m * m
    assert assumed(value) == a + b * 56 + c * 56 * 1000 + d * 1000 * 1000


@given(*[st.lists(st.integers(-3, 3), min_size=4, max_size=4)] * 2, st.integers(2, 64), st.integers(1, 99))
def test_what_is_never_above_another_is_not_above_it(one: list[int], other: list[int], n: int, m: int) -> None:
    first, second = polynomial(one), polynomial(other)
    if is_never_above(first, second):
        assert bound(first, {"n": n, "m": m}) <= bound(second, {"n": n, "m": m})


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(N, N * M, True), (9 * N, 10 * N, True), (N + 2, 2 * N, True), (N + 3, 2 * N, False), (N, M, False)],
)
def test_comparison_for_all_sizes(one: Any, other: Any, expected: bool) -> None:
    """n is at least 2: so n + 2 is at most 2*n, but n + 3 is not."""
    assert is_never_above(number(one), number(other)) is expected


def test_room_for_the_largest() -> None:
    assert capacity(number(2 * N + 1)) == 129
    assert capacity(9) == 9
    assert isinstance(capacity(number(N * M)), RunTimeNumber)


def test_numbers_are_equal_if_they_are_for_all_sizes() -> None:
    n = number(N)
    assert equal(n * 2, n + n)
    assert not equal(n, int(n))


@given(st.integers(1, 3), st.integers(0, 60))
def test_samples_tell_extents_apart(step: int, largest: int) -> None:
    """m and n + step differ, also from all numbers up to the largest known one."""
    extents = [N, M, N + step, 2 * N, N * M]
    sizes = with_samples([Size("n", 1, None, 8), Size("m", 1, None, 8)], extents, largest)
    values = [int(RunTimeNumber(extent.expand(), sizes)) for extent in extents]
    assert len(set(values)) == len(values)
    assert min(values) > largest


def test_a_count_is_found_from_few_positions() -> None:
    n = number(N)
    assert str(interpolated([n], {(k,): k * (k - 1) // 2 for k in (1, 2, 3)})) == "n**2/2 - n/2"
    assert interpolated([n], {(k,): 7 for k in (1, 2)}) == 7


@pytest.mark.parametrize("text", ["n", "2*n + 1", "m*n", "n**2/2 + n/2", "-m + 3*n"])
def test_texts_are_read_back(text: str) -> None:
    read = read_number(text)
    assert str(read) == text
    assert read_number(f" {text} ") == read


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(n + 1)*(n - 1)", "n**2 - 1"),
        ("-(n - m)**2", "-m**2 + 2*m*n - n**2"),
        ("n*(n + 1)/2", "n**2/2 + n/2"),
        ("(n + m)**3 - n**3", "m**3 + 3*m**2*n + 3*m*n**2"),
        ("n - n + 6/3", "2"),
        ("2**3*n", "8*n"),
        ("+".join(["n"] * 5000), "5000*n"),
    ],
)
def test_texts_are_expanded(text: str, same: str) -> None:
    assert str(read_number(text)) == same


@pytest.mark.parametrize(
    "text", ["n**17", "*".join(["n"] * 17), "(a+b+c+d)**16", "(" * 3000 + "n" + ")" * 3000, "-" * 3000 + "n",
             "n" + "*9999999999999999999" * 200, "((n + m)**16)**16", "n**99999999999999999"]
)  # fmt: skip
def test_texts_beyond_the_limits(text: str) -> None:
    with pytest.raises(TooLargeError):
        read_number(text)


def test_a_text_and_a_number_of_the_planner_are_the_same_number_once_it_is_named() -> None:
    assert named(number(2 * N + 1)) == read_number("1 + n*2")
    assert named(7) == read_number("7") == 7


@pytest.mark.parametrize("text", ["", "n +", "1/n", "n(2)", "n.x", "2.5*n", "f'n'", "n**m", "1/2", "__import__('os')"])
def test_other_texts_are_none(text: str) -> None:
    assert read_number(text) is None


def test_sizes_are_those_of_arrays() -> None:
    declared = (number(N), 9, number(2 * M))
    assert shown_sizes([(declared, (3, 5, 9, 8)), ((number(M),), (4,))]) == {"n": 5, "m": 4}


def test_texts_for_people_and_for_programs() -> None:
    assert [bracketed(number(2 * N)), bracketed(9)] == ["[2*n]", "9"]
    assert [data(number(2 * N)), data(9)] == ["2*n", 9]

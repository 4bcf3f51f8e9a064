"""Scalar arithmetic: exact integers that wrap, C's quotients, floating-point operations in their own width."""

from fractions import Fraction
from math import trunc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.scalars import (
    DTYPES,
    Scalar,
    UndefinedResultError,
    binary,
    cast,
    compare,
    fits_constant,
    integer_bounds,
    make,
    unary,
)
from einsum_front.tl_backend.types import ScalarType

INTEGERS = [scalar for scalar in ScalarType if scalar.is_integer and scalar is not ScalarType.BOOL]
FLOATS = [scalar for scalar in ScalarType if scalar.is_floating and scalar.is_computed]


@st.composite
def operands(draw: st.DrawFn) -> tuple[ScalarType, int, int]:
    scalar = draw(st.sampled_from(INTEGERS))
    numbers = st.integers(*integer_bounds(scalar)) | st.sampled_from([*integer_bounds(scalar), 0, 1])
    return scalar, draw(numbers), draw(numbers)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "and", "or", "xor"])
@given(drawn=operands())
def test_integers_wrap_as_in_numpy(name: str, drawn: tuple[ScalarType, int, int]) -> None:
    scalar, left, right = drawn
    arrays = np.array([left], DTYPES[scalar]), np.array([right], DTYPES[scalar])
    functions = {"sub": "subtract", "mul": "multiply", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"}
    expected = getattr(np, functions.get(name, name))(*arrays)[0]
    result = binary(tl.BinaryOperator(name), make(left, scalar), make(right, scalar), scalar)
    assert (result, result.dtype) == (expected, DTYPES[scalar])


@given(operands())
def test_quotients_are_rounded_toward_zero(drawn: tuple[ScalarType, int, int]) -> None:
    scalar, left, right = drawn
    quotient = trunc(Fraction(left, right)) if right else None
    if quotient is None or quotient > integer_bounds(scalar)[1]:
        for operator in (tl.BinaryOperator.DIV, tl.BinaryOperator.REM):
            with pytest.raises(UndefinedResultError):
                binary(operator, make(left, scalar), make(right, scalar), scalar)
        return
    assert binary(tl.BinaryOperator.DIV, make(left, scalar), make(right, scalar), scalar) == quotient
    assert binary(tl.BinaryOperator.REM, make(left, scalar), make(right, scalar), scalar) == left - right * quotient


@given(operands(), st.integers(0, 70))
def test_shifts(drawn: tuple[ScalarType, int, int], amount: int) -> None:
    scalar, left, _ = drawn
    if amount >= scalar.bits:
        with pytest.raises(UndefinedResultError):
            binary(tl.BinaryOperator.SHL, make(left, scalar), make(min(amount, 127), scalar), scalar)
        return
    array, bits = np.array([left], DTYPES[scalar]), np.array([amount], DTYPES[scalar])
    assert (
        binary(tl.BinaryOperator.SHL, make(left, scalar), make(amount, scalar), scalar) == np.left_shift(array, bits)[0]
    )
    assert binary(tl.BinaryOperator.SHR, make(left, scalar), make(amount, scalar), scalar) == left >> amount


@given(operands())
def test_unary_operators_wrap(drawn: tuple[ScalarType, int, int]) -> None:
    scalar, number, _ = drawn
    array = np.array([number], DTYPES[scalar])
    assert unary(tl.UnaryOperator.NEG, make(number, scalar), scalar) == np.negative(array)[0]
    assert unary(tl.UnaryOperator.NOT, make(number, scalar), scalar) == np.invert(array)[0]


@pytest.mark.parametrize("scalar", FLOATS)
@given(left=st.floats(width=32), right=st.floats(width=32))
def test_floating_point_rounds_in_its_own_width(scalar: ScalarType, left: float, right: float) -> None:
    one, other = np.array([left], DTYPES[scalar]), np.array([right], DTYPES[scalar])
    with np.errstate(all="ignore"):
        expected = {
            tl.BinaryOperator.ADD: one + other,
            tl.BinaryOperator.SUB: one - other,
            tl.BinaryOperator.MUL: one * other,
            tl.BinaryOperator.DIV: one / other,
            tl.BinaryOperator.REM: np.fmod(one, other),
        }
    for operator, array in expected.items():
        result = binary(operator, make(left, scalar), make(right, scalar), scalar)
        np.testing.assert_array_equal(result, array[0])
        assert result.dtype == DTYPES[scalar]
    assert compare(tl.Condition.LE, make(left, scalar), make(right, scalar)) == (left <= right)
    assert compare(tl.Condition.NE, make(left, scalar), make(right, scalar)) == (left != right)


def test_booleans_have_logic_only() -> None:
    true, false = make(1, ScalarType.BOOL), make(0, ScalarType.BOOL)
    assert binary(tl.BinaryOperator.XOR, true, true, ScalarType.BOOL) == false
    assert binary(tl.BinaryOperator.OR, true, false, ScalarType.BOOL) == true
    assert unary(tl.UnaryOperator.NOT, true, ScalarType.BOOL) == false


CASTS = [
    (make(300, ScalarType.I32), ScalarType.I8, 44),
    (make(-1, ScalarType.I8), ScalarType.U64, 2**64 - 1),
    (make(-2.9, ScalarType.F64), ScalarType.I32, -2),
    (make(2.9, ScalarType.F32), ScalarType.U8, 2),
    (make(2**24 + 1, ScalarType.I64), ScalarType.F32, 2**24),
    (make(0.1, ScalarType.F64), ScalarType.F32, float(np.float32(0.1))),
    (make(1e300, ScalarType.F64), ScalarType.F32, float("inf")),
    (make(0.5, ScalarType.F64), ScalarType.BOOL, True),
    (make(2, ScalarType.I32), ScalarType.BOOL, True),
    (make(1, ScalarType.BOOL), ScalarType.F64, 1.0),
]


@pytest.mark.parametrize(("value", "to_type", "expected"), CASTS)
def test_cast(value: Scalar, to_type: ScalarType, expected: object) -> None:
    result = cast(value, to_type)
    assert (result, result.dtype) == (expected, DTYPES[to_type])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 2.0**31, -(2.0**31) - 1])
def test_a_number_that_an_integer_type_cannot_hold_has_no_cast(number: float) -> None:
    with pytest.raises(UndefinedResultError):
        cast(make(number, ScalarType.F64), ScalarType.I32)


def test_constants_are_in_the_range_of_their_type_and_finite() -> None:
    assert fits_constant(2**64 - 1, ScalarType.U64)
    assert not fits_constant(2**64, ScalarType.U64)
    assert not fits_constant(-1, ScalarType.U64)
    assert fits_constant(-(2**63), ScalarType.I64)
    assert not fits_constant(2**63, ScalarType.I64)
    assert fits_constant(3.4028235e38, ScalarType.F32)
    assert not fits_constant(3.5e38, ScalarType.F32)
    assert not fits_constant(float("nan"), ScalarType.F64)

"""The arithmetic of scalars, exactly: what `arith`, `cmp` and `cast` compute, on NumPy scalars.

Integers wrap around in their width. Division and remainder round toward zero, as in C. Floating-point operations round
to the type of their operands. What has no result (a quotient by the integer 0, a shift by the width or more, a number
that the type of a cast cannot hold) is undefined.
"""

from collections.abc import Sequence
from math import trunc
from typing import Any

import numpy as np

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function, evaluate
from einsum_front.core.numbers import Dtypes, is_floating
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType

Scalar = np.bool_ | np.integer[Any] | np.floating[Any] | np.complexfloating[Any, Any]

DTYPES = Dtypes(
    {
        ScalarType.BOOL: np.bool_,
        ScalarType.I8: np.int8,
        ScalarType.I16: np.int16,
        ScalarType.I32: np.int32,
        ScalarType.I64: np.int64,
        ScalarType.U8: np.uint8,
        ScalarType.U16: np.uint16,
        ScalarType.U32: np.uint32,
        ScalarType.U64: np.uint64,
        ScalarType.INDEX: np.int64,
        ScalarType.F32: np.float32,
        ScalarType.F64: np.float64,
        ScalarType.F16: np.float16,
        ScalarType.C32: np.complex64,
        ScalarType.C64: np.complex128,
    },
    ScalarType.BF16,
)
"""The NumPy type of the values of a scalar type."""


class UndefinedResultError(ArithmeticError):
    """The operation has no result for these operands; the text says why."""


def integer_bounds(scalar: ScalarType) -> tuple[int, int]:
    """The least and the greatest integer of the type."""
    if scalar.is_signed:
        return -(1 << (scalar.bits - 1)), (1 << (scalar.bits - 1)) - 1
    return 0, (1 << scalar.bits) - 1


def fits_constant(value: complex, scalar: ScalarType) -> bool:
    """True if a number of the type's kind can be written as a constant of the type."""
    if not scalar.is_integer:
        with np.errstate(all="ignore"):
            return bool(np.isfinite(DTYPES[scalar].type(value)))
    low, high = integer_bounds(scalar)
    return low <= value.real <= high


def make(value: complex | Scalar, scalar: ScalarType) -> Scalar:
    """The value of a constant, or of an argument, that is in the range of its type."""
    made: Scalar = DTYPES[scalar].type(value)
    return made


def binary(operator: tl.BinaryOperator, left: Scalar, right: Scalar, scalar: ScalarType) -> Scalar:
    """`left operator right`, both operands and the result of one type."""
    if not scalar.is_integer:
        with np.errstate(all="ignore"):
            return make(_floating(operator, left, right), scalar)
    return _wrap(_integer(operator, int(left), int(right), scalar), scalar)


def _floating(operator: tl.BinaryOperator, left: Any, right: Any) -> Any:
    match operator:
        case tl.BinaryOperator.ADD:
            return left + right
        case tl.BinaryOperator.SUB:
            return left - right
        case tl.BinaryOperator.MUL:
            return left * right
        case tl.BinaryOperator.DIV:
            return left / right
        case tl.BinaryOperator.REM:
            return np.fmod(left, right)
        case (
            tl.BinaryOperator.SHL
            | tl.BinaryOperator.SHR
            | tl.BinaryOperator.AND
            | tl.BinaryOperator.OR
            | tl.BinaryOperator.XOR
        ):
            raise CompilerBug(f"`arith.{operator.value}` of floating-point numbers")


def _integer(operator: tl.BinaryOperator, left: int, right: int, scalar: ScalarType) -> int:
    match operator:
        case tl.BinaryOperator.ADD:
            return left + right
        case tl.BinaryOperator.SUB:
            return left - right
        case tl.BinaryOperator.MUL:
            return left * right
        case tl.BinaryOperator.DIV:
            return _quotient(left, right, scalar)
        case tl.BinaryOperator.REM:
            return left - right * _quotient(left, right, scalar)
        case tl.BinaryOperator.SHL:
            return left << _amount(right, scalar)
        case tl.BinaryOperator.SHR:
            return left >> _amount(right, scalar)
        case tl.BinaryOperator.AND:
            return left & right
        case tl.BinaryOperator.OR:
            return left | right
        case tl.BinaryOperator.XOR:
            return left ^ right


def _quotient(left: int, right: int, scalar: ScalarType) -> int:
    if right == 0:
        raise UndefinedResultError(f"{left} is divided by 0")
    magnitude = abs(left) // abs(right)
    quotient = magnitude if (left < 0) == (right < 0) else -magnitude
    if quotient > integer_bounds(scalar)[1]:
        raise UndefinedResultError(f"{left} divided by {right} does not fit into `{scalar.value}`")
    return quotient


def _amount(amount: int, scalar: ScalarType) -> int:
    if not 0 <= amount < scalar.bits:
        raise UndefinedResultError(f"`{scalar.value}` is shifted by {amount} bits")
    return amount


def unary(operator: tl.UnaryOperator, operand: Scalar, scalar: ScalarType) -> Scalar:
    """`operator operand`, of one type."""
    match operator:
        case tl.UnaryOperator.NEG:
            return _wrap(-int(operand), scalar) if scalar.is_integer else make(-DTYPES[scalar].type(operand), scalar)
        case tl.UnaryOperator.CONJ:
            return make(np.conj(operand), scalar)
        case tl.UnaryOperator.IM:
            return make(operand.imag, scalar.real)
        case tl.UnaryOperator.RE:
            return make(operand.real, scalar.real)
        case tl.UnaryOperator.NOT:
            return _wrap(~int(operand), scalar)


def call(function: Function, operands: Sequence[Scalar], scalar: ScalarType) -> Scalar:
    """A function of floating-point numbers, of narrow ones rounded once; of complex ones `exp`, `exp2` and `abs`."""
    if scalar.is_complex:
        (operand,) = operands
        if function is Function.ABS:
            return make(np.abs(operand), scalar.real)
        with np.errstate(all="ignore"):
            return make(np.exp(operand * (np.log(2.0) if function is Function.EXP2 else 1.0)), scalar)
    wide = DTYPES[scalar if scalar.is_computed else ScalarType.F32]
    result = evaluate(function, [np.asarray(operand).astype(wide) for operand in operands])
    return make(result.item(), scalar)


def compare(condition: tl.Condition, left: Scalar, right: Scalar) -> np.bool_:
    """`left condition right`; a comparison with NaN is false, except `ne`."""
    match condition:
        case tl.Condition.EQ:
            return np.bool_(left == right)
        case tl.Condition.NE:
            return np.bool_(left != right)
        case tl.Condition.GT:
            return np.bool_(left > right)
        case tl.Condition.GE:
            return np.bool_(left >= right)
        case tl.Condition.LT:
            return np.bool_(left < right)
        case tl.Condition.LE:
            return np.bool_(left <= right)


def cast(value: Scalar, to_type: ScalarType) -> Scalar:
    """The value in another type: to `i1` whether it differs from 0; to an integer cut off; between integers wrapped."""
    if to_type is ScalarType.BOOL:
        return np.bool_(value != 0)
    if not to_type.is_integer:
        with np.errstate(all="ignore"):
            return make(value.astype(DTYPES[to_type]), to_type)
    if not is_floating(value.dtype):
        return _wrap(int(value), to_type)
    low, high = integer_bounds(to_type)
    if not np.isfinite(value) or not low <= trunc(float(value)) <= high:
        raise UndefinedResultError(f"{value} does not fit into `{to_type.value}`")
    return make(trunc(float(value)), to_type)


def _wrap(value: int, scalar: ScalarType) -> Scalar:
    """The value modulo 2 to the width, in the range of the type."""
    low, _ = integer_bounds(scalar)
    return make((value - low) % (1 << scalar.bits) + low, scalar)

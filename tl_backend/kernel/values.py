"""The arithmetic of the kernel tree on NumPy arrays.

A scalar is an array of shape (n,), a vector one of shape (n, width): n is the number of work-items, or 1 where all have
the same value. Integers wrap around in their type. What C leaves undefined, a quotient by 0, a shift by the width or
more, a number that the type of a cast cannot hold, is E0715.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.functions import Function, evaluate
from einsum_front.core.numbers import Dtypes
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Type, Vector

Array = NDArray[Any]

DTYPES = Dtypes(
    {
        Scalar.BOOL: np.bool_,
        Scalar.I8: np.int8,
        Scalar.U8: np.uint8,
        Scalar.I16: np.int16,
        Scalar.U16: np.uint16,
        Scalar.I32: np.int32,
        Scalar.U32: np.uint32,
        Scalar.I64: np.int64,
        Scalar.U64: np.uint64,
        Scalar.F32: np.float32,
        Scalar.F64: np.float64,
        Scalar.F16: np.float16,
    },
    Scalar.BF16,
)

PLAIN: dict[tree.BinaryOperator, Any] = {
    tree.BinaryOperator.LESS: np.less,
    tree.BinaryOperator.LESS_EQUAL: np.less_equal,
    tree.BinaryOperator.GREATER: np.greater,
    tree.BinaryOperator.GREATER_EQUAL: np.greater_equal,
    tree.BinaryOperator.EQUAL: np.equal,
    tree.BinaryOperator.NOT_EQUAL: np.not_equal,
    tree.BinaryOperator.ADD: np.add,
    tree.BinaryOperator.SUBTRACT: np.subtract,
    tree.BinaryOperator.MULTIPLY: np.multiply,
    tree.BinaryOperator.BIT_AND: np.bitwise_and,
    tree.BinaryOperator.BIT_OR: np.bitwise_or,
    tree.BinaryOperator.BIT_XOR: np.bitwise_xor,
}


def undefined(what: str) -> CompileError:
    """The error of a program that does what no language defines."""
    return CompileError([Diagnostic("E0715", what)])


def constant(value: float, type_: Scalar) -> Array:
    """A constant for all work-items."""
    return np.array([value], DTYPES[type_])


def dtype_of(type_: Scalar | Vector) -> np.dtype[Any]:
    """The type of the entries."""
    return DTYPES[type_.element if isinstance(type_, Vector) else type_]


def converted(values: Array, type_: Type) -> Array:
    """The values in the type of what they go to; a scalar becomes a vector with all entries the same."""
    if isinstance(type_, Vector) and type_.width > 1:
        values = np.repeat(values[:, None], type_.width, 1) if values.ndim == 1 else values
        return values.astype(DTYPES[type_.element], copy=False)
    scalar = type_.element if isinstance(type_, Vector) else type_
    return cast(values, scalar) if isinstance(scalar, Scalar) else values


def cast(values: Array, type_: Scalar) -> Array:
    """Numbers converted as C does it."""
    dtype = DTYPES[type_]
    if values.dtype == dtype:
        return values
    if values.dtype.kind == "f" and dtype.kind in "iu":
        whole, limits = np.trunc(values), np.iinfo(dtype)
        if not ((whole >= float(limits.min)) & (whole < float(limits.max) + 1)).all():
            raise undefined(f"a number is converted to `{type_.value}`, which cannot hold it")
        return whole.astype(dtype)
    with np.errstate(over="ignore"):
        return values.astype(dtype)


def joined(left: Array, right: Array) -> tuple[Array, Array]:
    """Both operands in the type that they meet in, with entries of a vector where one is one."""
    if left.dtype != right.dtype:
        types = [np.dtype(np.int32), left.dtype, right.dtype]
        dtype = max(types, key=lambda each: (each.itemsize, each.kind == "u"))
        left, right = left.astype(dtype), right.astype(dtype)
    elif left.dtype.itemsize < 4 and left.dtype.kind in "iu":
        left, right = left.astype(np.int32), right.astype(np.int32)
    if left.ndim != right.ndim:
        left, right = (each if each.ndim == 2 else each[:, None] for each in (left, right))
    return left, right


def binary(operator: tree.BinaryOperator, left: Array, right: Array) -> Array:
    """An operator on two numbers or vectors."""
    left, right = joined(left, right)
    plain = PLAIN.get(operator)
    if plain is not None:
        return np.asarray(plain(left, right))
    return np.divide(left, right) if left.dtype.kind == "f" else _integers(operator, left, right)


def _integers(operator: tree.BinaryOperator, left: Array, right: Array) -> Array:
    if operator in (tree.BinaryOperator.SHIFT_LEFT, tree.BinaryOperator.SHIFT_RIGHT):
        if not ((right >= 0) & (right < 8 * left.dtype.itemsize)).all():
            raise undefined("a shift by the width of the number or more, or by less than 0")
        shifted: Array = (np.left_shift if operator is tree.BinaryOperator.SHIFT_LEFT else np.right_shift)(left, right)
        return shifted
    if not (right != 0).all():
        raise undefined("a quotient by 0")
    quotient: Array = left // right
    if left.dtype.kind == "i":
        quotient = quotient + ((left % right != 0) & ((left < 0) != (right < 0)))  # rounded toward 0, as C does it
    quotient = quotient.astype(left.dtype)
    rest: Array = left - quotient * right
    return quotient if operator is tree.BinaryOperator.DIVIDE else rest


def unary(operator: tree.UnaryOperator, operand: Array) -> Array:
    """An operator on one number or vector."""
    if operator is tree.UnaryOperator.NOT:
        return np.logical_not(operand)
    if operand.dtype.kind in "iu" and operand.dtype.itemsize < 4:
        operand = operand.astype(np.int32)
    return np.negative(operand) if operator is tree.UnaryOperator.NEGATE else np.invert(operand)


BITS: dict[str, tuple[type[np.signedinteger[Any]], int, int]] = {"f": (np.int32, 23, 127), "d": (np.int64, 52, 1023)}
"""Of a floating type: integers of its size, its bits behind the point, and what is added to exponents."""


def _by_bits(function: tree.MathFunction, values: Array) -> Array:
    """As devices do it: a number that is not meant here becomes the same in both."""
    kind, bits, bias = BITS[values.dtype.char]
    if function is tree.MathFunction.POWER_OF_TWO:
        shifted = (values + values.dtype.type(1.5 * 2.0**bits + bias)).view(kind)
        return np.asarray(np.left_shift(shifted, kind(bits)).view(values.dtype))
    integers = np.ascontiguousarray(values).view(kind)
    if function is tree.MathFunction.EXPONENT:
        return np.asarray((integers >> kind(bits)) - kind(bias), values.dtype)
    ones = (integers & kind(2**bits - 1)) | kind(bias << bits)
    return np.asarray(ones).view(values.dtype)


def math(function: tree.MathFunction | Function, operands: Sequence[Array]) -> Array:
    """A function of numbers or vectors."""
    match function:
        case Function():
            return evaluate(function, operands)
        case tree.MathFunction.MINIMUM:
            return np.asarray(np.minimum(*joined(*operands)))
        case tree.MathFunction.REMAINDER:
            return np.asarray(np.fmod(*joined(*operands)))
        case tree.MathFunction.POWER_OF_TWO | tree.MathFunction.EXPONENT | tree.MathFunction.SIGNIFICAND:
            return _by_bits(function, operands[0])

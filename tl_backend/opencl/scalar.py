"""Scalars of the tensor language in C: types, constants and arithmetic with the meaning that C leaves undefined.

Integers wrap around, which C promises for unsigned types of at least 32 bits only: integers are computed there and
brought back. What the language leaves undefined (a quotient by 0, a shift by the width or more, a floating-point number
that the integer type of a cast cannot hold) is undefined in C, too.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from struct import pack, unpack

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.types import ScalarType

REGISTER: dict[ScalarType, Scalar] = {
    ScalarType.BOOL: Scalar.BOOL,
    ScalarType.I8: Scalar.I8,
    ScalarType.I16: Scalar.I16,
    ScalarType.I32: Scalar.I32,
    ScalarType.I64: Scalar.I64,
    ScalarType.U8: Scalar.U8,
    ScalarType.U16: Scalar.U16,
    ScalarType.U32: Scalar.U32,
    ScalarType.U64: Scalar.U64,
    ScalarType.INDEX: Scalar.I64,
    ScalarType.F32: Scalar.F32,
    ScalarType.F64: Scalar.F64,
    ScalarType.BF16: Scalar.BF16,
    ScalarType.F16: Scalar.F16,
}
"""The C type of a value."""

CONDITIONS: dict[tl.Condition, tree.BinaryOperator] = {
    tl.Condition.EQ: tree.BinaryOperator.EQUAL,
    tl.Condition.NE: tree.BinaryOperator.NOT_EQUAL,
    tl.Condition.GT: tree.BinaryOperator.GREATER,
    tl.Condition.GE: tree.BinaryOperator.GREATER_EQUAL,
    tl.Condition.LT: tree.BinaryOperator.LESS,
    tl.Condition.LE: tree.BinaryOperator.LESS_EQUAL,
}


def memory_type(element: ScalarType) -> Scalar:
    """The C type of an element in memory: a boolean is a byte there, since `bool` has no size of its own in OpenCL."""
    return Scalar.U8 if element is ScalarType.BOOL else REGISTER[element]


def wrapping_type(type_: ScalarType) -> Scalar:
    """The C type in which sums and products of this type are computed: integers in an unsigned one, where they wrap.

    Booleans are counted: a sum of them holds where the count is not 0.
    """
    if type_.is_floating:
        return REGISTER[type_]
    return Scalar.U64 if type_.bits == 64 else Scalar.U32


def literal(constant: tl.Constant, type_: ScalarType) -> tree.Expression:
    """The constant, which is of the type's kind and in its range, as a value of the type; C has none below 32 bits."""
    value = constant.value.real
    if type_.is_floating:
        return number(value, REGISTER[type_])
    if type_.bits >= 32 or type_ is ScalarType.BOOL:
        return tree.Integer(int(value), REGISTER[type_])
    return tree.Cast(REGISTER[type_], tree.Integer(int(value), Scalar.I32))


def number(value: float, type_: Scalar) -> tree.Integer | tree.Floating:
    """The number in a type that C computes in: rounded to a floating type, wrapped in an unsigned one."""
    match type_:
        case Scalar.F32:
            return tree.Floating(unpack("f", pack("f", value))[0], type_)
        case Scalar.F64:
            return tree.Floating(float(value), type_)
        case Scalar.BF16 | Scalar.F16:
            raise CompilerBug(f"nothing is computed in {type_.value}")
        case (
            Scalar.BOOL | Scalar.I8 | Scalar.I16 | Scalar.I32 | Scalar.I64 | Scalar.U8 | Scalar.U16 | Scalar.U32
            | Scalar.U64
        ):  # fmt: skip
            return tree.Integer(int(value) % 2 ** (8 * size_of(type_)), type_)


def convert(value: tree.Expression, from_: Scalar, to: Scalar) -> tree.Expression:
    """The value as C converts it, which is written only where something changes."""
    if from_ is to:
        return value
    if to is Scalar.BOOL:
        zero = number(0, from_) if from_.is_floating or from_.size >= 4 else index.ZERO
        return tree.Binary(tree.BinaryOperator.NOT_EQUAL, value, zero)
    if isinstance(value, tree.Integer) and to in (Scalar.U32, Scalar.U64):
        return number(value.value, to)
    return converted(value, from_, to)


def converted(value: tree.Expression, from_: Scalar | Vector, to: Scalar | Vector) -> tree.Expression:
    """A number, or all entries of a vector, in another type; narrow ones by way of f32, which all languages know."""
    ends = [each.element if isinstance(each, Vector) else each for each in (from_, to)]
    if ends[0] is ends[1]:
        return value
    if any(each.is_narrow for each in ends) and Scalar.F32 not in ends:
        value = tree.Cast(replace(to, element=Scalar.F32) if isinstance(to, Vector) else Scalar.F32, value)
    return tree.Cast(replace(to, is_unaligned=False) if isinstance(to, Vector) else to, value)


def computed(
    instruction: tl.ArithBinary | tl.ArithUnary | tl.Cast | tl.Compare | tl.MathCall,
    scalar: Callable[[tl.Operand, ScalarType], tree.Expression],
) -> tuple[ScalarType, tree.Expression]:
    """The type and the value of an instruction on scalars; `scalar` gives an operand as a value of a type."""
    match instruction:
        case tl.ArithBinary(operator=operator, left=left, right=right, type=type_):
            return type_, binary(operator, scalar(left, type_), scalar(right, type_), type_)
        case tl.ArithUnary(operator=sign, operand=operand, type=type_):
            return type_, unary(sign, scalar(operand, type_), type_)
        case tl.Cast(operand=operand, from_type=from_type, to_type=to_type):
            return to_type, convert(scalar(operand, from_type), REGISTER[from_type], REGISTER[to_type])
        case tl.Compare(condition=condition, left=left, right=right, type=type_):
            return ScalarType.BOOL, tree.Binary(CONDITIONS[condition], scalar(left, type_), scalar(right, type_))
        case tl.MathCall(function=function, operands=operands, type=type_):
            return type_, call(function, [scalar(each, type_) for each in operands], is_floating=type_.is_floating)


CHOICES: dict[Function, tree.BinaryOperator] = {
    Function.MAX: tree.BinaryOperator.LESS,
    Function.MIN: tree.BinaryOperator.GREATER,
    Function.WHERE_LT: tree.BinaryOperator.LESS,
    Function.WHERE_LE: tree.BinaryOperator.LESS_EQUAL,
    Function.WHERE_EQ: tree.BinaryOperator.EQUAL,
    Function.WHERE_NE: tree.BinaryOperator.NOT_EQUAL,
}
"""Comparisons that choose."""

ARITHMETIC: dict[Function, tree.BinaryOperator] = {
    Function.ADD: tree.BinaryOperator.ADD,
    Function.SUB: tree.BinaryOperator.SUBTRACT,
    Function.MUL: tree.BinaryOperator.MULTIPLY,
    Function.DIV: tree.BinaryOperator.DIVIDE,
}
"""Functions that C has operators for; those of integers are the matter of `binary`."""


def call(function: Function, operands: Sequence[tree.Expression], *, is_floating: bool = True) -> tree.Expression:
    """A function of numbers, or of vectors; all operands are either."""
    if function in ARITHMETIC:
        return tree.Binary(ARITHMETIC[function], *operands)
    if function.row.c:
        return tree.Math(function, tuple(operands))
    if not function.is_extremum:
        left, right, then, otherwise = operands
        return tree.Conditional(tree.Binary(CHOICES[function], left, right), then, otherwise)
    left, right = operands
    chosen = tree.Conditional(tree.Binary(CHOICES[function], left, right), right, left)
    if isinstance(right, tree.Floating) or not is_floating:
        return chosen
    return tree.Conditional(
        tree.Binary(tree.BinaryOperator.NOT_EQUAL, right, right), right, chosen
    )  # NaN, which `fmax` forgets


# -- arithmetic --------------------------------------------------------------------------------------------------------

WRAPPING: dict[tl.BinaryOperator, tree.BinaryOperator] = {
    tl.BinaryOperator.ADD: tree.BinaryOperator.ADD,
    tl.BinaryOperator.SUB: tree.BinaryOperator.SUBTRACT,
    tl.BinaryOperator.MUL: tree.BinaryOperator.MULTIPLY,
    tl.BinaryOperator.SHL: tree.BinaryOperator.SHIFT_LEFT,
    tl.BinaryOperator.AND: tree.BinaryOperator.BIT_AND,
    tl.BinaryOperator.OR: tree.BinaryOperator.BIT_OR,
    tl.BinaryOperator.XOR: tree.BinaryOperator.BIT_XOR,
}
"""Operations whose low bits depend on the low bits of the operands only: right in any wider unsigned type."""

EXACT: dict[tl.BinaryOperator, tree.BinaryOperator] = {
    tl.BinaryOperator.DIV: tree.BinaryOperator.DIVIDE,
    tl.BinaryOperator.REM: tree.BinaryOperator.REMAINDER,
    tl.BinaryOperator.SHR: tree.BinaryOperator.SHIFT_RIGHT,
}
"""Operations that need the sign and never overflow where they are defined."""


def binary(
    operator: tl.BinaryOperator, left: tree.Expression, right: tree.Expression, type_: ScalarType
) -> tree.Expression:
    """`arith` of the tensor language on two operands of the type."""
    if type_.is_floating and operator is tl.BinaryOperator.REM:
        return tree.Math(tree.MathFunction.REMAINDER, (left, right))
    if type_.is_floating or type_ is ScalarType.BOOL:
        return tree.Binary((WRAPPING | EXACT)[operator], left, right)
    if operator in EXACT:
        return _narrowed(tree.Binary(EXACT[operator], left, right), type_)
    unsigned = wrapping_type(type_)
    operands = (convert(operand, REGISTER[type_], unsigned) for operand in (left, right))
    return _wrapped(tree.Binary(WRAPPING[operator], *operands), type_)


def unary(operator: tl.UnaryOperator, operand: tree.Expression, type_: ScalarType) -> tree.Expression:
    """`arith` of the tensor language on one operand of the type."""
    if type_.is_floating:
        return tree.Unary(tree.UnaryOperator.NEGATE, operand)
    if type_ is ScalarType.BOOL:
        return tree.Unary(tree.UnaryOperator.NOT, operand)
    sign = tree.UnaryOperator.NEGATE if operator is tl.UnaryOperator.NEG else tree.UnaryOperator.COMPLEMENT
    return _wrapped(tree.Unary(sign, convert(operand, REGISTER[type_], wrapping_type(type_))), type_)


def _wrapped(value: tree.Expression, type_: ScalarType) -> tree.Expression:
    """A value of the unsigned type that the type is computed in, brought back to the type."""
    return convert(value, wrapping_type(type_), REGISTER[type_])


def _narrowed(value: tree.Expression, type_: ScalarType) -> tree.Expression:
    """A value that C computed as an `int` because the type is narrower."""
    return tree.Cast(REGISTER[type_], value) if type_.bits < 32 else value

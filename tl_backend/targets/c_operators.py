"""Operators and numbers as all languages spell them that are like C."""

from decimal import Decimal

from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import WIDTHS, Scalar, Vector

POSTFIX, PREFIX, MULTIPLICATIVE, ADDITIVE, CONDITIONAL = 15, 14, 13, 12, 3

BINARY: dict[tree.BinaryOperator, tuple[str, int]] = {
    tree.BinaryOperator.MULTIPLY: ("*", MULTIPLICATIVE),
    tree.BinaryOperator.DIVIDE: ("/", MULTIPLICATIVE),
    tree.BinaryOperator.REMAINDER: ("%", MULTIPLICATIVE),
    tree.BinaryOperator.ADD: ("+", ADDITIVE),
    tree.BinaryOperator.SUBTRACT: ("-", ADDITIVE),
    tree.BinaryOperator.SHIFT_LEFT: ("<<", 11),
    tree.BinaryOperator.SHIFT_RIGHT: (">>", 11),
    tree.BinaryOperator.LESS: ("<", 10),
    tree.BinaryOperator.LESS_EQUAL: ("<=", 10),
    tree.BinaryOperator.GREATER: (">", 10),
    tree.BinaryOperator.GREATER_EQUAL: (">=", 10),
    tree.BinaryOperator.EQUAL: ("==", 9),
    tree.BinaryOperator.NOT_EQUAL: ("!=", 9),
    tree.BinaryOperator.BIT_AND: ("&", 8),
    tree.BinaryOperator.BIT_XOR: ("^", 7),
    tree.BinaryOperator.BIT_OR: ("|", 6),
}
"""Spelling and precedence; all bind to the left."""

UNARY: dict[tree.UnaryOperator, str] = {
    tree.UnaryOperator.NEGATE: "-",
    tree.UnaryOperator.COMPLEMENT: "~",
    tree.UnaryOperator.NOT: "!",
}

SUFFIXES = {
    Scalar.BOOL: "",
    Scalar.I32: "",
    Scalar.U32: "u",
    Scalar.I64: "LL",
    Scalar.U64: "ULL",
    Scalar.F32: "f",
    Scalar.F64: "",
}
"""Of numbers in C and C++, whose `long` has 32 or 64 bits."""

FUNCTIONS: dict[tree.MathFunction | Function, str] = {
    tree.MathFunction.MINIMUM: "min",
    tree.MathFunction.REMAINDER: "fmod",
    tree.MathFunction.POWER_OF_TWO: "power_of_two",
    tree.MathFunction.EXPONENT: "exponent",
    tree.MathFunction.SIGNIFICAND: "significand",
    **{function: function.row.c for function in Function if function.row.c},
}
"""Of OpenCL C and CUDA C++, which have one for all types; those of bits are ours."""

PRAGMAS = {tree.Unroll.FULLY: "#pragma unroll", tree.Unroll.NEVER: "#pragma unroll 1"}
"""Of Clang and nvcc."""

VECTOR_NAMES = frozenset(f"{scalar.value}x{width}{end}" for scalar in Scalar for width in WIDTHS for end in ("", "_u"))
"""All names that `vector_name` gives."""

Text = tuple[str, int]
"""An expression and the precedence of its outermost operator."""


def vector_name(vector: Vector) -> str:
    """`f64x4`, or `f64x4_u` where it may start at any entry: for languages without vectors of their own."""
    return f"{vector.element.value}x{vector.width}{'_u' if vector.is_unaligned else ''}"


def exact(value: float) -> str:
    """The shortest decimal if it is the number itself, as for 1.0 and 0.25, otherwise hexadecimal."""
    if Decimal(repr(value)) == Decimal(value):
        return repr(value)
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0')}p{exponent}"

"""Operators and numbers as all languages spell them that are like C."""

from decimal import Decimal

from einsum_front.tl_backend.kernel.tree import BinaryOperator, MathFunction, UnaryOperator, Unroll
from einsum_front.tl_backend.kernel.types import WIDTHS, Scalar, Vector

POSTFIX, PREFIX, MULTIPLICATIVE, ADDITIVE, CONDITIONAL = 15, 14, 13, 12, 3

BINARY: dict[BinaryOperator, tuple[str, int]] = {
    BinaryOperator.MULTIPLY: ("*", MULTIPLICATIVE),
    BinaryOperator.DIVIDE: ("/", MULTIPLICATIVE),
    BinaryOperator.REMAINDER: ("%", MULTIPLICATIVE),
    BinaryOperator.ADD: ("+", ADDITIVE),
    BinaryOperator.SUBTRACT: ("-", ADDITIVE),
    BinaryOperator.SHIFT_LEFT: ("<<", 11),
    BinaryOperator.SHIFT_RIGHT: (">>", 11),
    BinaryOperator.LESS: ("<", 10),
    BinaryOperator.LESS_EQUAL: ("<=", 10),
    BinaryOperator.GREATER: (">", 10),
    BinaryOperator.GREATER_EQUAL: (">=", 10),
    BinaryOperator.EQUAL: ("==", 9),
    BinaryOperator.NOT_EQUAL: ("!=", 9),
    BinaryOperator.BIT_AND: ("&", 8),
    BinaryOperator.BIT_XOR: ("^", 7),
    BinaryOperator.BIT_OR: ("|", 6),
}
"""Spelling and precedence; all bind to the left."""

UNARY: dict[UnaryOperator, str] = {
    UnaryOperator.NEGATE: "-",
    UnaryOperator.COMPLEMENT: "~",
    UnaryOperator.NOT: "!",
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

FUNCTIONS = {
    MathFunction.MINIMUM: "min",
    MathFunction.REMAINDER: "fmod",
    MathFunction.EXP: "exp",
    MathFunction.LOG: "log",
    MathFunction.SQRT: "sqrt",
    MathFunction.TANH: "tanh",
    MathFunction.ERF: "erf",
    MathFunction.ABS: "fabs",
    MathFunction.POWER_OF_TWO: "power_of_two",
    MathFunction.EXPONENT: "exponent",
    MathFunction.SIGNIFICAND: "significand",
}
"""Of OpenCL C and CUDA C++, which have one for all types; the last three are ours."""

PRAGMAS = {Unroll.FULLY: "#pragma unroll", Unroll.NEVER: "#pragma unroll 1"}
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

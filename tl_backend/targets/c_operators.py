"""Operators and functions of languages like C, and functions of the bits of numbers.

No language has the latter, all have integers and a way to read numbers as such.
"""

from collections.abc import Iterator
from decimal import Decimal

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import WIDTHS, Scalar, Vector, size_of

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


OF_BITS = frozenset((tree.MathFunction.POWER_OF_TWO, tree.MathFunction.EXPONENT, tree.MathFunction.SIGNIFICAND))
"""Functions that read or make the bits of a number; no language has them."""

BITS = {Scalar.F32: (Scalar.I32, 23, 127), Scalar.F64: (Scalar.I64, 52, 1023)}
"""Integers of the same size, the bits behind the point, and what is added to exponents."""

FROM_BF16, TO_BF16 = "f32_of_bf16", "bf16_of_f32"
"""Functions that read and make a number of bf16, the upper half of one of f32; no language has them."""


def of_bits(function: tree.MathFunction, type_: Scalar, a: str, to_bits: str, of_bits: str, ending: str) -> str:
    """One of `OF_BITS` of `a`, where casts are calls; `ending` is that of floating numbers, none is written in bits.

    The sum with a power of two that leaves no room behind the point has the whole number in its last bits.
    """
    _, bits, bias = BITS[type_]
    match function:
        case tree.MathFunction.POWER_OF_TWO:
            return f"{of_bits}({to_bits}({a} + {1.5 * 2.0**bits + bias!r}{ending}) << {bits})"
        case tree.MathFunction.EXPONENT:
            last = f"{(bits + bias) << bits:#x}"
            return f"{of_bits}(({to_bits}({a}) >> {bits}) | {last}) - {2.0**bits + bias!r}{ending}"
        case tree.MathFunction.SIGNIFICAND:
            return f"{of_bits}(({to_bits}({a}) & {2**bits - 1:#x}) | {bias << bits:#x})"
        case tree.MathFunction.MINIMUM | tree.MathFunction.REMAINDER:
            raise CompilerBug(f"{function.name} is not of bits")


@dataclass(frozen=True, slots=True)
class Words:
    """How a language spells a function of its own, a copy of bytes, and unsigned integers of 32, 64 and 16 bits."""

    function: str
    copy: str
    integers: tuple[str, str]
    short: str


C_WORDS = Words("static inline", "__builtin_memcpy", ("uint32_t", "uint64_t"), "uint16_t")
CUDA_WORDS = Words("__device__ __forceinline__", "memcpy", ("unsigned int", "unsigned long long"), "unsigned short")

FLOATING = (Scalar.F32, Scalar.F64)


def definitions(function: tree.MathFunction, of_f32: str, of_f64: str, words: Words) -> Iterator[str]:
    """The functions for both types in C or C++, under these names."""
    for type_, name, number, integer in zip(
        FLOATING, (of_f32, of_f64), ("float", "double"), words.integers, strict=True
    ):
        suffix, size = SUFFIXES[type_], size_of(type_)
        _, bits, bias = BITS[type_]
        yield ""
        yield f"{words.function} {number} {name}({number} a)"
        yield "{"
        if function is tree.MathFunction.POWER_OF_TWO:
            yield f"    a += {1.5 * 2.0**bits + bias!r}{suffix};"
        yield f"    {integer} bits;"
        yield f"    {words.copy}(&bits, &a, {size});"
        yield f"    bits = {_changed(function, type_)};"
        yield f"    {words.copy}(&a, &bits, {size});"
        rest = f" - {2.0**bits + bias!r}{suffix}" if function is tree.MathFunction.EXPONENT else ""
        yield f"    return a{rest};"
        yield "}"


def definitions_of_bf16(words: Words, ending: str = "") -> Iterator[str]:
    """Both functions in C or C++: to the nearest, ties to even; what is no number stays so."""
    short, integer = words.short, words.integers[0]
    yield ""
    yield f"{words.function} float {FROM_BF16}{ending}({short} a)"
    yield "{"
    yield f"    {integer} bits = ({integer})a << 16;"
    yield "    float number;"
    yield f"    {words.copy}(&number, &bits, 4);"
    yield "    return number;"
    yield "}"
    yield ""
    yield f"{words.function} {short} {TO_BF16}{ending}(float a)"
    yield "{"
    yield f"    {integer} bits;"
    yield f"    {words.copy}(&bits, &a, 4);"
    yield f"    return ({short})({ROUNDED});"
    yield "}"


ROUNDED = "a != a ? bits >> 16 | 64 : (bits + 32767 + (bits >> 16 & 1)) >> 16"
"""The upper half of the bits of `a`."""

OPENCL_BF16 = f"""
float {FROM_BF16}(ushort a)
{{
    return as_float((uint)a << 16);
}}

ushort {TO_BF16}(float a)
{{
    uint bits = as_uint(a);
    return {ROUNDED};
}}
"""
"""The same in OpenCL C."""


def name_of(function: tree.MathFunction | Function, type_: Scalar) -> str:
    """`power_of_two_f64`."""
    return f"{FUNCTIONS[function]}_{type_.value}"


def _changed(function: tree.MathFunction, type_: Scalar) -> str:
    _, bits, bias = BITS[type_]
    match function:
        case tree.MathFunction.POWER_OF_TWO:
            return f"bits << {bits}"
        case tree.MathFunction.EXPONENT:
            return f"(bits >> {bits}) | {(bits + bias) << bits:#x}"
        case tree.MathFunction.SIGNIFICAND:
            return f"(bits & {2**bits - 1:#x}) | {bias << bits:#x}"
        case tree.MathFunction.MINIMUM | tree.MathFunction.REMAINDER:
            raise CompilerBug(f"{function.name} is not of bits")

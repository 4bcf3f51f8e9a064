"""Functions of the bits of numbers: no language has them, all have integers and a way to read numbers as such."""

from collections.abc import Iterator

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.targets.c_operators import FUNCTIONS, SUFFIXES

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

"""Functions of the bits of numbers: no language has them, all have integers and a way to read numbers as such."""

from collections.abc import Iterator
from dataclasses import dataclass

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.targets.c_operators import FUNCTIONS, SUFFIXES

OF_BITS = frozenset((tree.MathFunction.POWER_OF_TWO, tree.MathFunction.EXPONENT, tree.MathFunction.SIGNIFICAND))
"""Functions that read or make the bits of a number; no language has them."""

BITS = {Scalar.F32: (Scalar.I32, 23, 127), Scalar.F64: (Scalar.I64, 52, 1023)}
"""Integers of the same size, the bits behind the point, and what is added to exponents."""


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
        case _:
            return f"{of_bits}(({to_bits}({a}) & {2**bits - 1:#x}) | {bias << bits:#x})"


@dataclass(frozen=True, slots=True)
class Words:
    """How a language spells a function of its own, a copy of bytes, and integers without a sign of 32 and 64 bits."""

    function: str
    copy: str
    integers: tuple[str, str]


C_WORDS = Words("static inline", "__builtin_memcpy", ("uint32_t", "uint64_t"))
CUDA_WORDS = Words("__device__ __forceinline__", "memcpy", ("unsigned int", "unsigned long long"))

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


def name_of(function: tree.MathFunction, type_: Scalar) -> str:
    """`power_of_two_f64`."""
    return f"{FUNCTIONS[function]}_{type_.value}"


def _changed(function: tree.MathFunction, type_: Scalar) -> str:
    _, bits, bias = BITS[type_]
    match function:
        case tree.MathFunction.POWER_OF_TWO:
            return f"bits << {bits}"
        case tree.MathFunction.EXPONENT:
            return f"(bits >> {bits}) | {(bits + bias) << bits:#x}"
        case _:
            return f"(bits & {2**bits - 1:#x}) | {bias << bits:#x}"

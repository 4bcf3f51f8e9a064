"""Stores past the caches: vectors that replace whole cache lines, which nothing reads soon.

    STREAM(f64x8, *(f64x8_u *)(C + 8), (sum));
    FENCE;                                        others see it before what is written from here on

x86-64 orders such stores with others by a fence alone. Clang has a function for them, GCC none for vectors of any type.
"""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import LINE, Pointer, Vector, size_of

STREAM = "STREAM({}, {}, ({}))"
FENCE = "FENCE"
WORDS = frozenset(("STREAM", FENCE))
"""Words of the macros, which no other name of a text is."""

_CLANG = "#define STREAM(type, place, value) __builtin_nontemporal_store(value, ({}type *)&(place))"
_GCC = """#define STREAM(type, place, value) __asm__("vmovntps %1, %0" : "=m"(*(type *)&(place)) : "v"((type)value))"""
_PLAIN = "#define STREAM(type, place, value) place = value"
_FENCE = "#define FENCE __builtin_ia32_sfence()"


def of_c(*, has_vectors: bool) -> Iterator[str]:
    """The macros in C; `has_vectors`: GCC has a register for a vector of a cache line. One text may have them twice."""
    yield from ("#undef STREAM", "#undef FENCE", "#if defined(__clang__)", _CLANG.format(""))
    yield from ("#else", _GCC if has_vectors else _PLAIN, "#endif", "#if defined(__x86_64__)", _FENCE)
    yield from ("#else", "#define FENCE (void)0", "#endif")


def of_opencl() -> Iterator[str]:
    """The macros in OpenCL C, where its compiler is Clang."""
    yield from ("#if defined(__has_builtin) && defined(__x86_64__)", "#if __has_builtin(__builtin_nontemporal_store)")
    yield from (_CLANG.format("global "), _FENCE, "#endif", "#endif")
    yield from ("#ifndef STREAM", _PLAIN, "#define FENCE (void)0", "#endif")


def streamed(assign: tree.Assign) -> Vector | None:
    """The type of what goes past the caches, if it is a whole cache line."""
    match assign:
        case tree.Assign(is_streamed=True, target=tree.Access(pointer=Pointer(target=Vector() as vector))):
            return replace(vector, is_unaligned=False) if size_of(vector) == LINE else None
        case _:  # open: other places
            return None

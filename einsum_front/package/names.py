"""Names that C, C++ and Fortran take, made of those of a text."""

import re
from collections.abc import Iterable
from zlib import crc32

import numpy as np

from einsum_front.core.limits import LARGEST_INTEGER
from einsum_front.runtime.artifact import COMPLEX

_NO_WORD = re.compile(r"[^A-Za-z0-9_]")

PACKAGE_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
"""What a package may be called: the name is part of all others, also where upper and lower case are one."""

ENDING = "_kernels"
LONGEST_STEM = 40 - len(ENDING)

LONGEST_OF_FORTRAN = 63

_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
asm bool catch class compl concept const_cast consteval constexpr constinit co_await co_return co_yield decltype
delete dynamic_cast explicit export false final friend module mutable namespace new noexcept nullptr operator
override private protected public reinterpret_cast requires static_assert static_cast template this thread_local
throw true try typeid typename using virtual wchar_t char8_t char16_t char32_t import
and and_eq bitand bitor not not_eq or or_eq xor xor_eq alignas alignof
complex imaginary noreturn I NULL EOF errno stdin stdout stderr assert offsetof linux unix near far min max
INFINITY NAN DOMAIN OVERFLOW UNDERFLOW main std
"""

RESERVED = frozenset(_WORDS.split())
"""Words of C and C++, and macros of their headers and of systems: `I` is one in <complex.h>."""

_TARGETS = """
all clean edit_cache help install list_install_components m package package_source preinstall rebuild_cache test
"""

TARGETS = frozenset(_TARGETS.split())
"""Targets that CMake makes or may make by itself, and the library of mathematics, which a package links."""


def against_package(name: str) -> str | None:
    """Why a package cannot be called so: it is a library of CMake and a namespace of C++. None if it can."""
    if PACKAGE_NAME.fullmatch(name) is None:
        return "a name has up to 40 lower-case letters, digits and underscores, a letter first"
    if name in RESERVED:
        return "the name has a meaning in C, in C++ or in their headers"
    return "a build of CMake has a target of this name" if name in TARGETS else None


def package_name(stem: str) -> str:
    """The name of the package of a file, `wave_kernels` for `wave`: shortened in the middle if it were too long.

    What is left out is told by a checksum, so that files of long names, of which one begins like the other, differ.
    """
    word = re.sub(r"[^a-z0-9_]", "_", stem.lower())
    word = word if word[:1].isalpha() else f"p{word}"
    if len(word) > LONGEST_STEM:
        checksum = f"{crc32(stem.encode('utf-8', 'surrogateescape')):08x}"
        word = f"{word[: LONGEST_STEM - len(checksum) - 1].rstrip('_')}_{checksum}"
    return f"{word}{ENDING}"


def identifier(name: str) -> str:
    """The name as C spells it: a word of C, or a macro, gets an underscore behind it."""
    word = _NO_WORD.sub("_", name)
    if not word or not word[0].isalpha():
        word = f"v{word}"
    return f"{word}_" if word in RESERVED or word.startswith("cl_") else word


class Supply:
    """Names of one scope, each given once. Where case does not count, names that differ in case only are one."""

    def __init__(self, taken: frozenset[str] = frozenset(), *, folds_case: bool = False, longest: int = 255) -> None:
        self._folds_case = folds_case
        self._longest = longest
        self._taken = {self._key(name) for name in taken}

    def give(self, name: str) -> str:
        """The name, or if it is taken, one with underscores or a number behind it."""
        word = identifier(name)[: self._longest]
        number = 2
        given = word
        while self._key(given) in self._taken:
            ending = f"_{number}"
            given = word[: self._longest - len(ending)] + ending
            number += 1
        self._taken.add(self._key(given))
        return given

    def _key(self, name: str) -> str:
        return name.casefold() if self._folds_case else name


# -- types, numbers and lists as C spells them -------------------------------------------------------------------------

C_TYPES = {
    "i1": "uint8_t",
    "i8": "int8_t",
    "i16": "int16_t",
    "i32": "int32_t",
    "i64": "int64_t",
    "index": "int64_t",
    "u8": "uint8_t",
    "u16": "uint16_t",
    "u32": "uint32_t",
    "u64": "uint64_t",
    "f32": "float",
    "f64": "double",
    "bf16": "uint16_t",
    "f16": "uint16_t",
    "c32": "float",
    "c64": "double",
}
"""Element types in C; complex numbers are two of theirs, one behind the other, as in every language."""

COLUMNS = 116


def listed(words: Iterable[str], indent: str) -> str:
    """Words with commas between, as many on a line as fit."""
    lines, line = [], indent
    for word in words:
        if len(line) + len(word) > COLUMNS and line != indent:
            lines.append(line.rstrip())
            line = indent
        line += f"{word}, "
    return "\n".join([*lines, line.rstrip()] if line != indent else lines)


def literal(value: float, type_: str) -> str:
    """A number that C reads back exactly, or a part of a complex one."""
    type_ = COMPLEX.get(type_, type_)
    if type_ == "f64":
        return repr(float(value))
    if type_ == "f32":
        text = str(np.float32(value))
        return f"{text}f" if any(mark in text for mark in ".en") else f"{text}.0f"
    whole = int(value)
    if whole == -(2**63):
        return f"{whole + 1} - 1"  # C has no negative constants
    return f"{whole}u" if whole > LARGEST_INTEGER else str(whole)

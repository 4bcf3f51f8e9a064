"""Declarations of the functions of OpenCL C that a program calls, for a compiler that would read those of all.

PoCL 3.0 reads Clang's header with 18,000 lines before each program, which takes 65 of the 85 ms until its passes begin
(Zen 5). A macro says that the header has been read; a program then declares what it calls. The types, macros and
constants of the language are in another header. Declared are all overloads of a name that the standard has, so that a
call means the same as with the header.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from einsum_front.core.functions import Function

INTEGERS = "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"
FLOATING = "float", "double"
WIDTHS = "", "2", "3", "4", "8", "16"
SPACES = "global", "local", "private", "constant"
EXTENSION = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"

OF_LAUNCHES = "get_group_id get_num_groups get_local_id get_local_size get_global_id get_global_size"
OF_FLOATING = {"fmod": 2, "fma": 3} | {each.row.c: each.arity for each in Function if each.row.c}
"""Functions of entries with the numbers that they are of."""
WITH_NUMBERS = "fmax", "fmin", "max", "min"
"""The second may be a number where the first is a vector; `max` and `min` are of integers, too."""
EXCHANGES = {"add": 1, "xchg": 1, "cmpxchg": 2}
"""The values that atomic functions take; those of 64 bits are called `atom_`."""

CALL = re.compile(r"\b([A-Za-z_]\w*)[ \n]*\(")
CLUTTER = re.compile(
    r"//[^\n]*|/\*.*?\*/|__attribute__\(\((?:[^()]|\([^()]*\))*\)\)|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE
)
WORDS = frozenset(["if", "for", "while", "switch", "return", "sizeof", "do", "else", "STREAM"])
"""What is no call: words of the language, and the macro for stores past the caches, which calls a built-in function."""
BUILT_IN = re.compile(r"__builtin_\w+|as_[a-z]+\d*")
"""Functions of the compiler, and macros of the header that is read."""


def with_declarations(source: str) -> str | None:
    """The program with declarations of what it calls before it, None if it calls something that is not known here."""
    text = CLUTTER.sub("", source)
    called = {name for name in CALL.findall(text) if name not in WORDS and not BUILT_IN.fullmatch(name)}
    declared = {name: lines for name in called if (lines := _declarations(name))}
    if any(not re.search(rf"\b{name}\s*\([^;{{}}]*\)\s*\{{", text) for name in called - declared.keys()):
        return None
    several = (line for name in sorted(declared) for line in declared[name])
    return "\n".join((EXTENSION, *several, "#line 1", source))


@cache
def _declarations(name: str) -> tuple[str, ...]:
    return tuple(f"__attribute__((overloadable)) {line};" for families in FAMILIES for line in families(name))


def _of_launches(name: str) -> Iterator[str]:
    if name in OF_LAUNCHES.split():
        yield f"__attribute__((const)) size_t {name}(uint)"
    if name == "barrier":
        yield f"__attribute__((convergent)) void {name}(cl_mem_fence_flags)"


def _of_entries(name: str) -> Iterator[str]:
    count = 2 if name in WITH_NUMBERS else OF_FLOATING.get(name)
    if count is None:
        return
    for element in (*FLOATING, *(INTEGERS if name in ("max", "min") else ())):
        for width in WIDTHS:
            yield f"__attribute__((const)) {element}{width} {name}({', '.join([element + width] * count)})"
            if width and name in WITH_NUMBERS:
                yield f"__attribute__((const)) {element}{width} {name}({element}{width}, {element})"


def _conversions(name: str) -> Iterator[str]:
    found = re.fullmatch(r"convert_([a-z]+)(\d*)", name)
    if found and found[1] in (*INTEGERS, *FLOATING) and found[2] in WIDTHS:
        for element in (*INTEGERS, *FLOATING):
            yield f"__attribute__((const)) {found[1]}{found[2]} {name}({element}{found[2]})"


def _choices(name: str) -> Iterator[str]:
    """`select`, whose last argument has integers of the same size, and `shuffle2`."""
    if name not in ("select", "shuffle2"):
        return
    sizes = dict(zip((*INTEGERS, *FLOATING), (1, 1, 2, 2, 4, 4, 8, 8, 4, 8), strict=True))
    for element, size in sizes.items():
        same = [each for each in INTEGERS if sizes[each] == size]
        for width in WIDTHS:
            if name == "select":
                for mask in same:
                    vector = element + width
                    yield f"__attribute__((const)) {vector} {name}({vector}, {vector}, {mask}{width})"
            elif width not in ("", "3"):
                for wide in ("2", "4", "8", "16"):
                    operands = f"{element}{wide}, {element}{wide}, {same[1]}{width}"
                    yield f"__attribute__((const)) {element}{width} {name}({operands})"


def _halves(name: str) -> Iterator[str]:
    found = re.fullmatch(r"v(load|store)_half(\d*)(_rt[ezpn])?", name)
    if not found or found[2] not in WIDTHS or (found[1] == "load" and found[3]):
        return
    for space in SPACES:
        if found[1] == "load":
            yield f"__attribute__((pure)) float{found[2]} {name}(size_t, const __{space} half *)"
        elif space != "constant":
            yield from (f"void {name}({element}{found[2]}, size_t, __{space} half *)" for element in FLOATING)


def _atomic(name: str) -> Iterator[str]:
    prefix, _, verb = name.partition("_")
    if prefix in ("atom", "atomic") and verb in EXCHANGES:
        for element in INTEGERS[4:] if prefix == "atom" else INTEGERS[4:6]:
            for space in SPACES[:2]:
                yield f"{element} {name}(volatile __{space} {element} *{f', {element}' * EXCHANGES[verb]})"


FAMILIES: tuple[Callable[[str], Iterator[str]], ...] = (
    _of_launches, _of_entries, _conversions, _choices, _halves, _atomic,
)  # fmt: skip

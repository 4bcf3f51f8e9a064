"""Random programs whose extents are opened: numbers of the text become dynamic sizes."""

import re

from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from tests.einsum_front.strategies import programs

SHAPE = re.compile(r"^((?:tensor|temp) \w+(?:\{\w+\})?)\[([^]]*)\]", re.MULTILINE)
EXTENTS = range(2, 6)
"""Extents that become sizes: those of random programs, and one more."""


@st.composite
def opened_programs(draw: st.DrawFn) -> tuple[str, str]:
    """A program with numbers, and the same with one or more of its extents as sizes, each with a bound or without."""
    text = draw(programs(with_zeros=draw(st.booleans())))
    opened = text = text if _can_be_opened(text) else _with_product(text)
    for extent in draw(st.permutations(EXTENTS)):
        changed = with_open_extent(opened, extent, draw(st.integers(0, 2)), is_bounded=draw(st.booleans()))
        if changed != opened and is_valid(changed):
            opened = changed
    return text, opened


def _can_be_opened(text: str) -> bool:
    """Whether an extent of the program can become a size."""
    changed = (with_open_extent(text, extent, 0) for extent in EXTENTS)
    return any(each != text and is_valid(each) for each in changed)


def _with_product(text: str) -> str:
    """The program with one statement more: it alone has extents of 5, so that these can become a size."""
    declared = "tensor Left[5, 4]\ntensor Right[4, 5] constant\ntensor Result[5, 5]\n"
    return declared + text.replace("kernel f {\n", "kernel f {\n    Result[ij] += dt * Left[ik] * Right[kj]\n")


def with_open_extent(text: str, extent: int, form: int, thought: int | None = None, *, is_bounded: bool = True) -> str:
    """The program with a size in the place of an extent, or with a size of which the extent is a polynomial.

    The size is `thought` to be that number, or one less than its bound.
    """
    name = "abcd"[extent - 2] * 2
    bound, spelled = [(extent, name), (extent + 3, name), (extent - 1, f"{name} + 1")][form]
    limit = f" <= {bound}" if is_bounded else ""
    hint = f"size {name}{limit} ~ {max(1, bound - 1) if thought is None else thought}\n"

    def replaced(match: re.Match[str]) -> str:
        sizes = [spelled if size.strip() == str(extent) else size.strip() for size in match[2].split(",")]
        return f"{match[1]}[{', '.join(sizes)}]"

    shown = "" if spelled == name else f"tensor shows{name}[{name}]\n"
    use = "" if spelled == name else f"    shows{name}[i] = 1\n"
    changed = SHAPE.sub(replaced, text)
    if changed == text:
        return text
    return hint + shown + changed.replace("kernel f {\n", "kernel f {\n" + use)


def is_valid(text: str) -> bool:
    """Whether the checker has nothing against a program."""
    try:
        check(parse(Source("opened.ein", text)))
    except CompileError:
        return False
    return True

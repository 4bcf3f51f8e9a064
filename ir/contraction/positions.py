"""How front ends access the modes of tensors."""

import re
from collections.abc import Collection, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, total
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.values import mistake
from einsum_front.ir.index import IterationSpace

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Window:
    """An index that walks `extent` positions of a mode, from `start` on; of a dynamic mode, all of them."""

    index: str
    start: int
    extent: Extent


@dataclass(frozen=True, slots=True)
class Entry:
    """The integer that an integer tensor has there: it says a place."""

    tensor: str
    positions: Sequence["str | int | Window"]


Position = str | int | Window
"""How a mode is accessed: by an index that walks all of it, held at a position, or by an index within a window."""


def without_single(
    space: IterationSpace, parts: tuple[cg.Part, ...], walked: Collection[str]
) -> tuple[IterationSpace, tuple[cg.Part, ...]]:
    """Indices of one position that the value lacks are that position: nothing is repeated along them."""
    single = {index.name for index in space.parallel if index.extent == 1 and index.name not in walked}
    if not single:
        return space, parts
    kept = IterationSpace(tuple(index for index in space.parallel if index.name not in single))
    return kept, tuple(
        cg.At(part.offset) if isinstance(part, cg.Along) and part.index in single else part for part in parts
    )


def shown(position: Position) -> str:
    """A position as the notation writes it: `k`, `3`, `k=2:5`."""
    match position:
        case Window(index=index, start=start, extent=extent):
            return f"`{index}={start}:{total((start, extent))}`"
        case str() | int():
            return f"`{position}`"


def part_at(position: Position, size: Extent) -> tuple[cg.Part, Extent]:
    """The part of a mode, and how many positions it has."""
    match position:
        case str():
            return cg.Along(position), size
        case Window(index=index, start=start, extent=extent):
            return cg.Along(index, start), extent
        case int():
            return cg.At(position), 1


def checked_name(name: str, what: str, origin: Origin) -> str:
    """The name, if it is one of a letter, then letters, digits and `_`; raises `CompileError`."""
    if NAME.fullmatch(name) is None:
        raise mistake("E0150", f"{name!r} is no name of a {what}: a letter, then letters, digits and `_`", origin)
    return name

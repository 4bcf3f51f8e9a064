"""Zero patterns seen through index maps and parts, as `views` sees arrays."""

from einsum_front.core.zero_pattern import Pattern, Place
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.tensor import positions


def part_of(pattern: Pattern, parts: tuple[cg.Part, ...], space: IterationSpace) -> Pattern:
    """The pattern of a part; its modes are the indices of the space in order."""
    names = tuple(part.index for part in parts if isinstance(part, cg.Along))
    picked = pattern.part(_places(pattern, parts, space)).diagonal(names)
    distinct = tuple(dict.fromkeys(names))
    return picked.transposed([distinct.index(name) for name in space.result_map])


def with_part(pattern: Pattern, parts: tuple[cg.Part, ...], space: IterationSpace, value: Pattern) -> Pattern:
    """The pattern, in which a part is replaced by `value`, whose modes are the indices of the space in order."""
    modes = [space.result_map.index(part.index) for part in parts if isinstance(part, cg.Along)]
    return pattern.with_part(_places(pattern, parts, space), modes, value)


def walked_by(pattern: Pattern, map_: IndexMap, space: IterationSpace) -> Pattern:
    """The pattern of what has some indices of the space, over all indices of its result."""
    modes = [map_.index(name) if name in map_ else None for name in space.result_map]
    return pattern.over(modes, positions(space.result_shape))


def _places(pattern: Pattern, parts: tuple[cg.Part, ...], space: IterationSpace) -> list[Place]:
    """An index of a dynamic extent runs through all of its mode, however many positions the pattern has."""
    found: list[Place] = []
    for part, own in zip(parts, pattern.cuts, strict=True):
        if isinstance(part, cg.At):
            found.append(part.position)
        else:
            extent = space.extents[part.index]
            found.append((part.offset, part.offset + extent if isinstance(extent, int) else own[-1]))
    return found

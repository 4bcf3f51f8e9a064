"""Zero patterns as the planner asks about them: boxes around them, and counts that are polynomials of the sizes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product as grid

from einsum_front.core import pattern_network as network
from einsum_front.core.extent import Extent, Polynomial, product
from einsum_front.core.pattern_network import Factor
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.zero_pattern import Pattern, Place
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.tensor import POSITIONS, dense, positions

Interval = tuple[int, Extent]
"""Half-open range of positions; of a dynamic mode it is all of them."""

Box = tuple[Interval, ...]
"""A range of each mode."""


def bounding_box(pattern: Pattern, shape: Sequence[Extent]) -> Box | None:
    """The smallest range of each mode of a tensor of this shape that holds all entries; None if there are none."""
    bounds = pattern.bounds()
    if bounds is None:
        return None
    return tuple(found if isinstance(size, int) else (0, size) for found, size in zip(bounds, shape, strict=True))


def within(box: Iterable[Interval], pattern: Pattern) -> Pattern:
    """The pattern of what there is in a box."""
    return pattern.part(_ranges(box, pattern))


def of_box(box: Iterable[Interval], shape: Iterable[Extent]) -> Pattern:
    """The pattern of a tensor of this shape that is zero outside of a box."""
    whole = dense(shape)
    return Pattern.of_boxes(whole.shape, [_ranges(box, whole)])


def _ranges(box: Iterable[Interval], pattern: Pattern) -> list[tuple[int, int]]:
    return [
        (start, stop if isinstance(stop, int) else own[-1])
        for (start, stop), own in zip(box, pattern.cuts, strict=True)
    ]


def projected(pattern: Pattern, map_: IndexMap, target: IndexMap) -> Pattern:
    """Whether there is an entry for some position of the other indices; `map_` has all indices of `target`."""
    left = pattern.without(mode for mode, name in enumerate(map_) if name not in target)
    kept = [name for name in map_ if name in target]
    return left.transposed([kept.index(name) for name in target])


def broadcast(pattern: Pattern, map_: IndexMap, target: IndexMap, extents: Mapping[str, Extent]) -> Pattern:
    """The pattern over the indices of `target`, which has those of `map_` and more."""
    modes = [map_.index(name) if name in map_ else None for name in target]
    return pattern.over(modes, positions(extents[name] for name in target))


# -- networks ----------------------------------------------------------------------------------------------------------


def is_uniform(factor: Factor, name: str) -> bool:
    """True if the pattern is the same at all positions of an index."""
    return name not in factor.indices or factor.pattern.is_uniform(factor.indices.index(name))


def told_apart(factors: Sequence[Factor], extents: Mapping[str, Extent]) -> list[Factor]:
    """The factors of a contraction, dense along dynamic indices where too many of these are in diagonals.

    Whether there is a position that differs from those of k other indices is seen with more than k positions.
    """
    dynamic = [name for name, extent in extents.items() if isinstance(extent, Polynomial)]
    diagonal = [name for name in dynamic if not all(is_uniform(factor, name) for factor in factors)]
    if len(diagonal) < POSITIONS:
        return list(factors)
    return [Factor(factor.indices, _dense_along(factor, diagonal)) for factor in factors]


def _dense_along(factor: Factor, names: Collection[str]) -> Pattern:
    kept = [mode for mode, name in enumerate(factor.indices) if name not in names]
    left = factor.pattern.without(mode for mode, name in enumerate(factor.indices) if name in names)
    modes = [kept.index(mode) if mode in kept else None for mode in range(factor.pattern.ndim)]
    return left.over(modes, factor.pattern.shape)


def conjunction(factors: Sequence[Factor], target: IndexMap, extents: Mapping[str, Extent]) -> Pattern:
    """The network over the indices `target` as one pattern; each factor's indices are among them."""
    pattern = dense(extents[name] for name in target)
    for factor in factors:
        pattern &= broadcast(factor.pattern, factor.indices, target, extents)
    return pattern


def entries(pattern: Pattern, shape: Sequence[Extent]) -> Extent:
    """Number of entries that may differ from zero in a tensor of this shape."""
    if pattern.is_full:
        return product(shape)
    if all(isinstance(extent, int) for extent in shape):
        return pattern.count()
    names = tuple(map(str, range(pattern.ndim)))
    return count([Factor(names, pattern)], dict(zip(names, shape, strict=True)))


def count(factors: Sequence[Factor], extents: Mapping[str, Extent]) -> Extent:
    """How many assignments of positions to the indices of the factors are possible; exact below 2**53.

    All of them count, if patterns on the way were too large.
    """
    names = dict.fromkeys(name for factor in factors for name in factor.indices)
    dynamic = {name: extent for name in names if isinstance(extent := extents[name], Polynomial)}
    try:
        return _count_dynamic(factors, dynamic) if dynamic else network.count(factors)
    except TooManyCellsError:
        return product(extents[name] for name in names)


def _count_dynamic(factors: Sequence[Factor], dynamic: Mapping[str, Polynomial]) -> Extent:
    diagonal = {
        name: extent for name, extent in dynamic.items() if not all(is_uniform(factor, name) for factor in factors)
    }
    same = [name for name in dynamic if name not in diagonal]
    left = [_at_first(factor, same) for factor in factors] if same else factors
    counted = _interpolated(left, diagonal) if diagonal else network.count(left)
    return product(dynamic[name] for name in same) * counted


def _at_first(factor: Factor, names: Collection[str]) -> Factor:
    """The factor without some of its indices, which are at their first position."""
    walked = zip(factor.indices, factor.pattern.shape, strict=True)
    at = [0 if name in names else (0, extent) for name, extent in walked]
    return Factor(tuple(name for name in factor.indices if name not in names), factor.pattern.part(at))


def _interpolated(factors: Sequence[Factor], extents: Mapping[str, Polynomial]) -> Extent:
    """The count as a polynomial of the extents of some indices, along which patterns are diagonals.

    Patterns of fewer positions are parts of these patterns, so the polynomial goes through their counts.
    """
    sizes = list(dict.fromkeys(extents.values()))
    degrees = [sum(extent == size for extent in extents.values()) for size in sizes]
    counts: dict[tuple[int, ...], int] = {}
    for points in grid(*(range(1, degree + 2) for degree in degrees)):
        stops = {name: points[sizes.index(extent)] for name, extent in extents.items()}
        counts[points] = network.count([_first_of(factor, stops) for factor in factors])
    return interpolated(sizes, counts)


def interpolated(extents: Sequence[Polynomial], counts: Mapping[tuple[int, ...], int]) -> Extent:
    """The polynomial of the extents that has these values at these points, a grid of 1, 2, … for each extent."""
    result: Extent = 0
    for point, value in counts.items():
        weight: Extent = value
        for extent, at, along in zip(extents, point, zip(*counts, strict=True), strict=True):
            for other in dict.fromkeys(along):
                if other != at:
                    weight = (extent - other) * weight * Polynomial((((), Fraction(1, at - other)),))
        result = result + weight
    return result


def _first_of(factor: Factor, stops: Mapping[str, int]) -> Factor:
    """The factor on the first positions of some indices."""
    walked = zip(factor.indices, factor.pattern.shape, strict=True)
    ranges = [(0, min(stops.get(name, extent), extent)) for name, extent in walked]
    return Factor(factor.indices, factor.pattern.part(ranges))


# -- zero patterns seen through index maps and parts, as `views` sees arrays -------------------------------------------


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

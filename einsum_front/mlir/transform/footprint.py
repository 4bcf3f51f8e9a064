"""What iterations touch, and who touches it: the two questions that maps answer in both directions.

    footprint(operation, 0, tile)                     the entries of operand 0 that these iterations read
    iterations_touching(operation, 0, part, space)    the iterations that read or write these entries

Operands are counted inputs first, as the maps are.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.interpret import iteration_space

# -- boxes of positions: intersection, convex union and difference -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """The positions from `starts[k]` to before `stops[k]` in each mode k; without modes, one position."""

    starts: tuple[int, ...]
    stops: tuple[int, ...]

    @staticmethod
    def of_shape(shape: Sequence[int]) -> "Box":
        """All positions of a tensor of this shape."""
        return Box((0,) * len(shape), tuple(shape))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of positions in each mode."""
        return tuple(max(stop - start, 0) for start, stop in zip(self.starts, self.stops, strict=True))

    @property
    def count(self) -> int:
        """The number of positions."""
        return prod(self.sizes)

    def __bool__(self) -> bool:
        """True if there is a position."""
        return self.count > 0

    def __contains__(self, position: tuple[int, ...]) -> bool:
        """True if the position is one of the box."""
        ranges = zip(self.starts, position, self.stops, strict=True)
        return all(start <= each < stop for start, each, stop in ranges)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """All positions, the last mode the fastest."""
        return product(*(range(start, stop) for start, stop in zip(self.starts, self.stops, strict=True)))

    def intersection(self, other: "Box") -> "Box":
        """The positions of both."""
        starts = tuple(map(max, self.starts, other.starts))
        return Box(starts, tuple(map(max, starts, map(min, self.stops, other.stops))))

    def convex_union(self, other: "Box") -> "Box":
        """The smallest box with the positions of both."""
        if not self or not other:
            return self if self else other
        return Box(tuple(map(min, self.starts, other.starts)), tuple(map(max, self.stops, other.stops)))

    def difference(self, other: "Box") -> tuple["Box", ...]:
        """The positions that the other has not, as boxes of which no two share a position: two a mode at most."""
        common = self.intersection(other)
        if not common:
            return (self,) if self else ()
        found: list[Box] = []
        left = self
        for mode, (start, stop) in enumerate(zip(common.starts, common.stops, strict=True)):
            found.append(left.cut(mode, left.starts[mode], start))
            found.append(left.cut(mode, stop, left.stops[mode]))
            left = left.cut(mode, start, stop)
        return tuple(each for each in found if each)

    def cut(self, mode: int, start: int, stop: int) -> "Box":
        """The box with other bounds in a mode."""
        starts, stops = list(self.starts), list(self.stops)
        starts[mode], stops[mode] = start, stop
        return Box(tuple(starts), tuple(stops))

    def tiles(self, sizes: Sequence[int]) -> Iterator["Box"]:
        """Boxes of these sizes that make up this one, smaller at its end; a mode of size 0 is not cut."""
        steps = [size or max(whole, 1) for size, whole in zip(sizes, self.sizes, strict=True)]
        ranges = (range(*each) for each in zip(self.starts, self.stops, steps, strict=True))
        for corner in product(*ranges):
            ends = (start + step for start, step in zip(corner, steps, strict=True))
            yield Box(corner, tuple(map(min, ends, self.stops)))


def space_of(operation: mlir.Structured, shapes: Sequence[tuple[int, ...]]) -> Box:
    """All iterations on operands of these shapes. Raises `CompileError` (E0815) if the shapes do not fit."""
    return Box.of_shape(iteration_space(operation, shapes))


def footprint(operation: mlir.Structured, operand: int, subspace: Box) -> Box:
    """The smallest box with all entries of an operand that these iterations touch.

    Iterations of a product of maps such as `2 * x + r` may leave entries between those that they touch.
    """
    bounds = [_bounds(linear(each), subspace) for each in operation.maps[operand].results]
    if not subspace:
        return Box((0,) * len(bounds), (0,) * len(bounds))
    return Box(tuple(least for least, _ in bounds), tuple(most + 1 for _, most in bounds))


def iterations_touching(operation: mlir.Structured, operand: int, part: Box, space: Box) -> Box:
    """A box with all iterations of `space` that touch an entry of `part`.

    It is the smallest one if each mode is an iterator, or a sum of iterators that no other mode has.
    """
    found, before = space, None
    while found != before and found:
        before = found
        for mode, each in enumerate(operation.maps[operand].results):
            found = _narrowed(found, linear(each), part.starts[mode], part.stops[mode] - 1)
    return found


def _bounds(position: Linear, box: Box) -> tuple[int, int]:
    """The least and the greatest position of iterations of a box."""
    least = most = position.constant
    for dim, factor in position.factors.items():
        ends = factor * box.starts[dim], factor * (box.stops[dim] - 1)
        least, most = least + min(ends), most + max(ends)
    return least, most


def _narrowed(box: Box, position: Linear, least: int, most: int) -> Box:
    """The box with bounds of each iterator between which the position can be reached, given those of all others."""
    if not position.factors and not least <= position.constant <= most:
        return Box(box.starts, box.starts)
    for dim, factor in position.factors.items():
        if not box:
            return box
        others = Linear(position.constant, {each: f for each, f in position.factors.items() if each != dim})
        low, high = _bounds(others, box)
        ends = least - high, most - low
        first, last = ends if factor > 0 else (-ends[1], -ends[0])
        size = abs(factor)
        start, stop = max(box.starts[dim], -(-first // size)), min(box.stops[dim], last // size + 1)
        box = box.cut(dim, start, max(start, stop))
    return box

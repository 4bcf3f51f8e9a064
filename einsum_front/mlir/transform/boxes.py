"""Boxes of positions: intersection, convex union and difference."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from einsum_front.core.dataclass import dataclass


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

"""Several indices as one: the i-th row, column or depth of a contraction, and where that is in each tensor."""

from collections.abc import Callable, Sequence
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.analysis.contraction import Index
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index

Tensor = Callable[[Index], int]
"""The stride of an index in one of the tensors."""


def left(each: Index) -> int:
    """The stride in the left factor."""
    return each.left


def right(each: Index) -> int:
    """The stride in the right factor."""
    return each.right


def target(each: Index) -> int:
    """The stride in the target."""
    return each.target


@dataclass(frozen=True, slots=True)
class Order:
    """Indices as one, the first of them fastest.

    With a `width`, the first index is walked by vectors of so many positions, the last of which overlaps with the one
    before if they do not fill it: then some positions of the index come twice, and no vector has several runs.
    """

    indices: tuple[Index, ...]
    width: int = 1

    @property
    def run(self) -> int:
        """How often the first index moves before the second does."""
        return -(-self.indices[0].extent // self.width) * self.width if self.indices else 1

    @property
    def twice(self) -> int:
        """How many positions of the first index come twice: the first ones of its last vector."""
        return self.run - self.indices[0].extent if self.indices else 0

    @property
    def count(self) -> int:
        """Positions in all."""
        return self.run * prod(each.extent for each in self.indices[1:])

    def offset(self, tensor: Tensor, position: tree.Expression) -> tree.Expression:
        """The distance of a position from the first one."""
        terms, size = [], 1
        runs = self._runs(tensor)
        for number, (stride, extent) in enumerate(runs):
            place = index.divide(position, index.constant(size))
            if number < len(runs) - 1:
                place = index.remainder(place, index.constant(extent))
            if self.twice and not number:
                is_last = index.divide(place, index.constant(self.run - self.width))
                place = index.subtract(place, index.multiply(index.constant(self.twice), is_last))
            terms.append(index.multiply(index.constant(stride), place))
            size *= extent
        return index.total(terms)

    def _runs(self, tensor: Tensor) -> list[tuple[int, int]]:
        """The stride and the extent of each index, those as one that follow each other without gaps in the tensor."""
        found: list[tuple[int, int]] = []
        for number, each in enumerate(self.indices):
            stride, extent = found[-1] if found and not (number == 1 and self.twice) else (None, 1)
            if stride is not None and tensor(each) == stride * extent:
                found[-1] = stride, extent * each.extent
            else:
                found.append((tensor(each), each.extent if number else self.run))
        return found


def ordered(indices: Sequence[Index], first: Tensor, second: Tensor, others: Tensor) -> tuple[Index, ...]:
    """The indices in an order in which a range of positions is near in memory, neighbours in all tensors as one.

    The fastest index in the first tensor, then the one along which the memory of the second runs, so that cache lines
    of both are used whole, then the others as in the last one.
    """
    merged: list[Index] = []
    for each in sorted(indices, key=first):
        if merged and _are_one(merged[-1], each):
            last = merged.pop()
            merged.append(Index(last.name, last.extent * each.extent, last.left, last.right, last.target))
        else:
            merged.append(each)
    nearest = [*merged[:1], *(each for each in merged if second(each) == 1)]
    return tuple(dict.fromkeys((*nearest, *sorted(merged, key=others))))


def _are_one(inner: Index, outer: Index) -> bool:
    return all(tensor(outer) == tensor(inner) * inner.extent for tensor in (left, right, target))


@dataclass(frozen=True, slots=True)
class Orders:
    """The indices of rows, columns and depths, each as one."""

    rows: Order
    columns: Order
    depths: Order

    def is_along(self, order: Order, tensor: Tensor) -> bool:
        """True if neighbours in memory are neighbours in this order, not in that of the depths."""
        depths = self.depths.indices
        if depths and tensor(depths[0]) == 1:
            return False
        return bool(order.indices) and (tensor(order.indices[0]) == 1 or not depths)


def depths_in_order(depths: Sequence[Index]) -> Order:
    """Along the memory of the left factor, or along that of the right one where only that runs along a depth."""
    only_right = any(each.right == 1 for each in depths) and all(each.left != 1 for each in depths)
    first, second = (right, left) if only_right else (left, right)
    return Order(ordered(depths, first, second, first))


def shown(indices: Sequence[Index]) -> str:
    """Several indices for people, with their extents."""
    return " x ".join(f"{each.name.removeprefix('.')}={each.extent}" for each in indices) or "none"


@dataclass(frozen=True, slots=True)
class Fibers:
    """Where neighbours in memory are in each block of positions: `distance` positions apart, `count` of them.

    Then it starts again, `distance * count` positions further. A `count` of None is as many as the block has.
    """

    distance: int
    count: int | None


def find_fibers(order: Order, tensor: Tensor, most: int, width: int) -> Fibers | None:
    """The fibers in blocks of `most` positions, None if there are none of a vector's `width` in every block."""
    distance = 1
    for number, each in enumerate(order.indices):
        extent = each.extent if number else order.run
        if tensor(each) == 1:
            return _cut(distance, extent, order.count, most, width)
        distance *= extent
    return None


def _cut(distance: int, extent: int, whole: int, most: int, width: int) -> Fibers | None:
    """The fibers of `extent` in blocks that have whole ones, or equal parts of them, or parts of the only one."""
    parts = (part for part in range(extent, width - 1, -1) if extent % part == 0 and most % (distance * part) == 0)
    if (part := next(parts, None)) is not None:
        return Fibers(distance, part)
    last = (whole - 1) % most + 1
    is_only = distance * extent == whole and most % distance == 0
    return Fibers(distance, None) if is_only and min(most, last) >= distance * width else None


@dataclass(frozen=True, slots=True)
class Axis:
    """The positions of a block along some indices, from `first` on, in one tensor.

    There are at most `most` in a block, which starts on a multiple of that. `table` is the array with their offsets,
    None where one stride says it.
    """

    order: Order
    tensor: Tensor
    first: tree.Expression
    most: int
    table: str | None

    def is_run(self, size: int) -> bool:
        """True if positions in a block of the size, which starts on a multiple of it, are neighbours in memory."""
        if not self.order.indices or self.tensor(self.order.indices[0]) != 1:
            return size == 1
        is_whole = not self.order.twice or self.order.width % size == 0
        return self.table is None or (is_whole and self.order.run % size == 0)

    def fibers(self, width: int) -> Fibers | None:
        """How memory runs along the positions, at least `width` at a time, None if it does not in every block."""
        return find_fibers(self.order, self.tensor, self.most, width)

    def at(self, position: tree.Expression) -> tree.Expression:
        """The offset of a position in the block."""
        if self.table is None:
            return self.order.offset(self.tensor, index.add(self.first, position))
        return tree.Subscript(tree.Name(self.table), position)

    def fill(self, count: tree.Expression, name: str, counter: Scalar, over: str) -> tree.For:
        """Writes the table, for `count` positions of the indices `over`; `name` is free for a counter."""
        value = self.order.offset(self.tensor, index.add(self.first, tree.Name(name)))
        entry = tree.Assign(tree.Subscript(tree.Name(self.table or ""), tree.Name(name)), value)
        return tree.For(counter, name, index.ZERO, count, index.ONE, (entry,), over=over)

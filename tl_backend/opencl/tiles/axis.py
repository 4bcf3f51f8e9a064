"""Several indices as one: the i-th row, column or depth of a contraction, and where that is in each tensor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tl_backend.analysis.contraction import Index
from tl_backend.opencl import index
from tl_backend.opencl.tree import (
    Assign,
    Expression,
    For,
    Name,
    Scalar,
    Subscript,
)

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


def ordered(indices: Sequence[Index], first: Tensor, second: Tensor) -> tuple[Index, ...]:
    """The indices in an order in which a range of positions is near in memory, neighbours in all tensors as one.

    The fastest index in the first tensor, then the one along which the memory of the second runs, so that lines of both
    are used whole, then the others as in the first.
    """
    by_stride = sorted(indices, key=first)
    nearest = [*by_stride[:1], *(each for each in indices if second(each) == 1)]
    merged: list[Index] = []
    for each in dict.fromkeys((*nearest, *by_stride)):
        if merged and _are_one(merged[-1], each):
            last = merged.pop()
            merged.append(Index(last.name, last.extent * each.extent, last.left, last.right, last.target))
        else:
            merged.append(each)
    return tuple(merged)


def _are_one(inner: Index, outer: Index) -> bool:
    return all(tensor(outer) == tensor(inner) * inner.extent for tensor in (left, right, target))


def offset(indices: Sequence[Index], tensor: Tensor, position: Expression) -> Expression:
    """The distance of a position in the box of the indices, first index fastest, from the first one."""
    terms, size = [], 1
    for number, each in enumerate(indices):
        place = index.divide(position, index.constant(size))
        if number < len(indices) - 1:
            place = index.remainder(place, index.constant(each.extent))
        terms.append(index.multiply(index.constant(tensor(each)), place))
        size *= each.extent
    return index.total(terms)


@dataclass(frozen=True, slots=True)
class Axis:
    """The positions of a block along some indices, from `first` on, in one tensor.

    `table` is the array with their offsets, None where one stride says it.
    """

    indices: tuple[Index, ...]
    tensor: Tensor
    first: Expression
    table: str | None

    def is_run(self, size: int) -> bool:
        """Whether positions in a block of the size, which starts on a multiple of it, are neighbours in memory."""
        if not self.indices or self.tensor(self.indices[0]) != 1:
            return size == 1
        return self.table is None or self.indices[0].extent % size == 0

    def at(self, position: Expression) -> Expression:
        """The offset of a position in the block."""
        if self.table is None:
            return offset(self.indices, self.tensor, index.add(self.first, position))
        return Subscript(Name(self.table), position)

    def fill(self, count: Expression, name: str, counter: Scalar) -> For:
        """Writes the table, for `count` positions; `name` is free for a counter."""
        value = offset(self.indices, self.tensor, index.add(self.first, Name(name)))
        entry = Assign(Subscript(Name(self.table or ""), Name(name)), value)
        return For(counter, name, index.ZERO, count, index.ONE, (entry,))

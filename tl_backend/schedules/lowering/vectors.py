"""Entries of a view that are neighbours in memory, as one vector."""

from collections.abc import Iterator, Mapping

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Pointer, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.lowering.product import ViewFactor
from einsum_front.tl_backend.semantics import Axis


def neighbours(factor: ViewFactor, places: Mapping[Axis, tree.Expression], count: int) -> tree.Place:
    """So many entries, of which the first is where the loops are at these `places`; a single one is a scalar.

    Vectors may start at any entry: on CPUs, loads that know no alignment are as fast as those that do.
    """
    return entries_from(factor.view, tuple(places[loop] for loop in factor.axes), count)


def entries_from(view: View, position: tuple[tree.Expression, ...], count: int) -> tree.Place:
    """So many neighbours in memory, from this position on."""
    if count == 1:
        return view.entry(position)
    vector = Vector(memory_type(view.element), count, is_unaligned=True)
    pointer = Pointer(vector, view.pointer.space, view.pointer.is_const)
    return tree.Access(pointer, index.add(view.base, view.offset(position)))


def powers(count: int) -> Iterator[tuple[int, int]]:
    """The first lane and the number of lanes of parts that are powers of two, the largest first: 6 is 4 and 2."""
    first = 0
    while first < count:
        size = 1 << (count - first).bit_length() - 1
        yield first, size
        first += size

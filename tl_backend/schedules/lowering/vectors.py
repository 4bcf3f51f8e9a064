"""Entries of a view that are neighbours in memory, as one vector."""

from collections.abc import Iterator, Mapping, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector
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


# -- blocks of entries that are transposed in registers ----------------------------------------------------------------
# As many vectors as one has entries, side by side in an array.
#
# double4 lines[4];
# lines[0] = …; …                 each from memory of its own
# transpose(lines);
# … = lines[0]; …                 the first entries of all of them, then the second ones


@dataclass(frozen=True, slots=True)
class TransposeBlock:
    """The vectors of an array from the number `first` on, and the function that transposes them in place."""

    array: tree.Name
    vector: Vector
    transpose: str
    first: int = 0

    @property
    def declared(self) -> tree.DeclareArray:
        """The array, for one block."""
        return tree.DeclareArray(self.vector, self.array.text, self.vector.width, AddressSpace.PRIVATE)

    @property
    def transposed(self) -> tree.Call:
        """The call."""
        return tree.Call(self.transpose, (index.add(self.array, index.constant(self.first)),))

    def at(self, number: int) -> tree.Subscript:
        """A vector, or what it becomes: the entries with this number of all of them."""
        return tree.Subscript(self.array, index.constant(self.first + number))

    def loaded(self, sources: Sequence[tree.Expression]) -> Iterator[tree.Statement]:
        """The block, filled and transposed; where there are fewer sources than lanes, the last one is repeated."""
        for number, source in enumerate(sources):
            yield tree.Assign(self.at(number), source)
        for number in range(len(sources), self.vector.width):
            yield tree.Assign(self.at(number), self.at(len(sources) - 1))
        yield self.transposed

"""Blocks of entries that are transposed in registers: as many vectors as one has entries, side by side in an array.

double4 lines[4];
lines[0] = …; …                 each from memory of its own
transpose(lines);
… = lines[0]; …                 the first entries of all of them, then the second ones
"""

from collections.abc import Iterator, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Vector
from einsum_front.tl_backend.opencl import index


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

"""Indices and iteration spaces: which loops an operation stands for, and which of them add up."""

from enum import Enum
from functools import cached_property

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent


class IndexKind(Enum):
    """Kind of the iterations over an index: they write different entries, or add to the same one."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@dataclass(frozen=True, slots=True)
class Index:
    """An index that runs through 0, …, extent - 1; its name is unique within its iteration space."""

    name: str
    extent: Extent


IndexMap = tuple[str, ...]
"""The index that walks each mode of an operand, by name."""


@dataclass(frozen=True)
class IterationSpace:
    """The indices of an operation. The parallel ones, in this order, are the modes of its result."""

    parallel: tuple[Index, ...]
    reduction: tuple[Index, ...] = ()

    @property
    def indices(self) -> tuple[Index, ...]:
        """All indices, the parallel ones first."""
        return self.parallel + self.reduction

    @property
    def result_map(self) -> IndexMap:
        """The index map of the result."""
        return names(self.parallel)

    @property
    def result_shape(self) -> tuple[Extent, ...]:
        """The extents of the parallel indices."""
        return tuple(index.extent for index in self.parallel)

    @cached_property
    def extents(self) -> dict[str, Extent]:
        """The extent of every index by its name."""
        return {index.name: index.extent for index in self.indices}

    def kind(self, name: str) -> IndexKind:
        """The kind of the index `name`."""
        reduced = any(index.name == name for index in self.reduction)
        return IndexKind.REDUCTION if reduced else IndexKind.PARALLEL


def names(indices: tuple[Index, ...]) -> IndexMap:
    """The names of indices."""
    return tuple(index.name for index in indices)


def spelled(index_map: IndexMap) -> str:
    """An index map as text: `kl` where all names are letters, `k1 l` where not, `_` without indices."""
    separator = "" if all(len(name) == 1 for name in index_map) else " "
    return separator.join(index_map) if index_map else "_"

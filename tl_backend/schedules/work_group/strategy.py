"""How a collective instruction is run: decided before anything is lowered, by the types of its operands."""

from collections.abc import Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.analysis.extremum import Extremum
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector
from einsum_front.tl_backend.schedules.work_group.register_blocks import RowPart


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors of `width` rows, of which there are `rows`; `parts` are the blocks of the result kept in registers.

    `active` says which vectors take part at which depths, `terms` which columns do where all depths are unrolled, if
    others can be left out. `last` is the last vector if it has fewer rows than others. If it `is_copied`, the left
    factor is copied so that its rows are neighbours. The `epilogue` is done before entries are stored.
    """

    element: Scalar
    rows: int
    width: int
    parts: tuple[RowPart, ...]
    active: Mask | None
    terms: Mask | None
    last: LastVector | None
    is_copied: bool
    epilogue: Epilogue | None = None

    @property
    def vectors(self) -> int:
        """How many it takes for all rows."""
        return -(-self.rows // self.width)

    @property
    def lanes(self) -> tuple[int, ...]:
        """The rows that each vector computes, also those that the vector in front of it has."""
        last = self.width if self.last is None else self.last.rows
        return *(self.width for _ in range(self.vectors - 1)), last


@dataclass(frozen=True, slots=True)
class RegisterTile:
    """The size of a matrix, its depth, and the rows and columns that each work-item computes."""

    rows: int
    columns: int
    depth: int
    block: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Blocking:
    """Rows and columns of the result that one work-item computes together."""

    rows: int
    columns: int


Strategy = Vectors | RegisterTile | Blocking
"""Vectors along the rows, a block for each work-item, or loops over blocks."""

Strategies = Mapping[tl.Collective, Strategy]


@dataclass(frozen=True, slots=True)
class VectorLoop:
    """Entries from `start` below `stop` in vectors of `width`, `beside` of them side by side.

    The last one may overlap with the one before.
    """

    real: Scalar
    start: int
    stop: int
    width: int
    beside: int
    overlaps: bool


@dataclass(frozen=True, slots=True)
class VectorExtremum:
    """Each iteration finds an extremum of numbers in vectors of `width`, `beside` of them side by side."""

    real: Scalar
    extremum: Extremum
    width: int
    beside: int


VectorLoops = Mapping[tl.Foreach, VectorLoop | VectorExtremum]
"""Those of a function."""

"""What the lowering of a work-group knows besides: who shares the work, and where temporaries are."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Protocol, Self

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.analysis.extremum import Extremum
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import transpose_name
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.elements import ALONE, Items, Scratch
from einsum_front.tl_backend.schedules.work_group.register_blocks import RowPart

# -- how a collective instruction is run -------------------------------------------------------------------------------
# Decided before anything is lowered, by the types of its operands.


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


@dataclass(frozen=True, slots=True)
class LocalPanel:
    """The bytes of local memory behind all temporaries that slices of factors pass through."""

    start: int
    size: int


class Setting(Protocol):
    """Choices for a collective instruction, made before anything is lowered."""

    @property
    def target(self) -> Target:
        """The device."""
        ...

    @property
    def items(self) -> Items:
        """Who shares the work."""
        ...

    @property
    def block(self) -> RegisterBlock | None:
        """Register block of every product, if one is given."""
        ...

    def view(self, operand: tl.Local) -> View:
        """A memref, with its sizes and strides as far as they are known."""
        ...


@dataclass(frozen=True, slots=True)
class GroupContext(Context):
    """Who shares the work, and what the file needs beside the kernel.

    `transposes` and `routines` (the functions of products) grow while lowering.
    `pool` is the C name of the local memory, `scratch` the part of global memory that the group has, and `places` says
    which bytes of the one or the other each `alloca` has.
    `panel` is what slices of factors pass through. `is_element` is false in work-items that have no element to run;
    None: all have one. With `has_global_fences`, barriers are for global memory, too. `strategies` are those of the
    collective instructions, and `block` is what every product keeps in registers, if that is given. `loops` run in
    vectors.
    """

    items: Items
    strategies: Strategies
    loops: VectorLoops
    pool: str
    places: Mapping[str, range]
    panel: LocalPanel
    block: RegisterBlock | None
    scratch: Scratch | None
    is_element: tree.Expression | None
    has_global_fences: bool
    transposes: dict[Vector, str] = field(default_factory=dict)
    routines: dict[str, tree.Function] = field(default_factory=dict)

    def alone(self) -> Self:
        """The context of an spmd region: other work-items run it on other data."""
        return replace(self, items=ALONE, is_element=None)

    def transpose(self, vector: Vector) -> str:
        """The name of the function that transposes as many such vectors as one has entries."""
        return self.transposes.setdefault(vector, transpose_name(vector))

    def once(self, body: tree.Statements) -> tree.Statements:
        """In a mixed region all work-items hold the same value, and the first one stores it."""
        if self.items.count == 1:
            return body
        return (tree.If(tree.Binary(tree.BinaryOperator.EQUAL, self.items.number, index.ZERO), body),)

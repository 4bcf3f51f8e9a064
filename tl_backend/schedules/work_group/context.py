"""What the lowering of a work-group knows besides: who shares the work, and where temporaries are."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Protocol, Self

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_name
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.elements import ALONE, Items, Scratch
from einsum_front.tl_backend.schedules.work_group.strategy import Strategies, VectorLoops


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

"""Context of the lowering of an instruction."""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Protocol

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import literal
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_name
from einsum_front.tl_backend.opencl.view import Group, Value, View
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.items import ALONE, Items
from einsum_front.tl_backend.schedules.work_group.scratch import Scratch
from einsum_front.tl_backend.schedules.work_group.strategy import Strategies, VectorLoops
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Panel:
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
class Context:
    """Values in sight, names in use, who shares the work, and what the file needs beside the kernel.

    `values`, `transposes`, `routines` (the functions of products) and `group_ids`, the variables with `group_id`, grow
    while lowering.
    `pool` is the C name of the local memory, `scratch` the part of global memory that the group has, and `places` says
    which bytes of the one or the other each `alloca` has.
    `panel` is what slices of factors pass through. `is_element` is false in work-items that have no element to run;
    None: all have one. With `has_global_fences`, barriers are for global memory, too. `group_id` is the number of the
    present group of the language, one of `group_count`. `strategies` are those of the collective instructions, and
    `block` is what every product keeps in registers, if that is given. `loops` run in vectors.
    """

    target: Target
    names: Names
    items: Items
    group_id: tree.Expression
    group_count: tree.Expression
    strategies: Strategies
    pool: str
    places: Mapping[str, range]
    values: dict[str, Value] = field(default_factory=dict)
    transposes: dict[Vector, str] = field(default_factory=dict)
    routines: dict[str, tree.Function] = field(default_factory=dict)
    group_ids: list[tree.Expression] = field(default_factory=list)
    block: RegisterBlock | None = None
    scratch: Scratch | None = None
    panel: Panel = Panel(0, 0)
    is_element: tree.Expression | None = None
    has_global_fences: bool = True
    loops: VectorLoops = field(default_factory=dict)

    def inner(self) -> "Context":
        """The context of a scope: its helper names are free again behind it."""
        return replace(self, names=self.names.inner())

    def alone(self) -> "Context":
        """The context of an spmd region: other work-items run it on other data."""
        return replace(self, items=ALONE, is_element=None)

    def transpose(self, vector: Vector) -> str:
        """The name of the function that transposes as many such vectors as one has entries."""
        return self.transposes.setdefault(vector, transpose_name(vector))

    def once(self, body: tree.Statements) -> tree.Statements:
        """The body, for the first work-item only."""
        if self.items.count == 1:
            return body
        return (tree.If(tree.Binary(tree.BinaryOperator.EQUAL, self.items.number, index.ZERO), body),)

    def scalar(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """The operand as a value of the type."""
        if not isinstance(operand, tl.Local):
            return literal(operand, type_)
        value = self.values[operand.name]
        if isinstance(value, View | Group):
            raise CompilerBug(f"`%{operand.name}` is used as a scalar")
        return value

    def index(self, operand: tl.IndexOperand) -> tree.Expression:
        """The operand as an index, offset, size or loop bound: a constant in the type that fits."""
        return (
            self.scalar(operand, ScalarType.INDEX) if isinstance(operand, tl.Local) else index.constant(operand.value)
        )

    def view(self, operand: tl.Local) -> View:
        """The memref."""
        value = self.values[operand.name]
        if not isinstance(value, View):
            raise CompilerBug(f"`%{operand.name}` is used as a memref")
        return value

    def group(self, operand: tl.Local) -> Group:
        """The group."""
        value = self.values[operand.name]
        if not isinstance(value, Group):
            raise CompilerBug(f"`%{operand.name}` is used as a group")
        return value

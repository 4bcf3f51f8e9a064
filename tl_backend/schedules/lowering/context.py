"""Context of the lowering of an instruction: what is in sight of it, whatever the schedule."""

from dataclasses import replace
from typing import Self

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import REGISTER, literal, number
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.view import Group, Value, View
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Context:
    """Values in sight and names in use, for a work-item that runs an element alone and has its memrefs as views.

    `group_id` is the number of the present group of the language, one of `group_count`. `values` and `group_ids`, the
    variables with `group_id`, grow while lowering. A schedule that does something in its own way has a subclass with
    what it needs for that, and other answers to the questions below.
    """

    target: Target
    names: Names
    values: dict[str, Value]
    group_id: tree.Expression
    group_count: tree.Expression
    group_ids: list[tree.Expression]

    def inner(self) -> Self:
        """The context of a scope: its names are free again behind it."""
        return replace(self, names=self.names.inner())

    # -- operands ------------------------------------------------------------------------------------------------------

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

    def define(self, result: tl.Local, type_: ScalarType, value: tree.Expression) -> tree.Statements:
        """A variable with the value."""
        return (tree.Declare(self.type_of(result, type_), self.named(result), value),)

    def named(self, result: tl.Local) -> str:
        """The C name of a new variable, which the result stands for from now on."""
        name = self.names.fresh(local_name(result.name))
        self.values[result.name] = tree.Name(name)
        return name

    # -- what schedules answer in their own way ------------------------------------------------------------------------

    @property
    def has_functions(self) -> bool:
        """True if functions of many lines are computed here, because the compiler has no vectors for them."""
        return self.target.is_cpu

    def type_of(self, _result: tl.Local, type_: ScalarType) -> Scalar | Vector:
        """The C type of a value."""
        return REGISTER[type_]

    def zero_of(self, _operand: tl.Operand, type_: Scalar) -> tree.Expression:
        """Zero in the C type of a coefficient, to compare it with."""
        return number(0, type_)

    def call_operands(self, call: tl.MathCall) -> list[tree.Expression]:
        """The operands of a function."""
        return [self.scalar(operand, call.type) for operand in call.operands]

    def place(self, memref: tl.Local, indices: tuple[tl.IndexOperand, ...]) -> tree.Place:
        """An entry of a memref in memory."""
        return self.view(memref).entry(tuple(map(self.index, indices)))

    def loaded(self, load: tl.Load) -> tree.Expression:
        """The value of an entry."""
        return self.view(load.operand).value(tuple(map(self.index, load.indices)))

    def once(self, body: tree.Statements) -> tree.Statements:
        """The body, for one work-item only."""
        return body

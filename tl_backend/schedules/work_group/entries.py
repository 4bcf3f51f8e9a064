"""Instructions on single entries, for several neighbouring ones at once: each value is a vector.

    %b_entry = load %b[%i]                        double4 b_entry = *(global const double4_u *)(b + i);
    %c_entry = load %c[%j]                        double4 c_entry = (double4)(c[j]);
    %add = arith.add %b_entry, %c_entry           double4 add = b_entry + c_entry;
    store %add, %Y[%i, %j]                        *(global double4_u *)(Y + (i + 32 * j)) = add;

What is the same for all of them is read once. Functions that are many lines (`exp`, `tanh`, …) are not done so, nor is
what lies in steps along the entries.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

from einsum_front.core.functions import Function as Mathematical
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import scalar
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.vectors import entries_from
from einsum_front.tl_backend.types import MemrefType, ScalarType

LONG = ELEMENTARY - {Mathematical.ABS}
"""Functions of many lines."""


def has_vectors(step: tl.Instruction, row: str, real: ScalarType, *, may_be_long: bool = False) -> bool:
    """True if an instruction computes numbers of one type, of neighbours along the variable `row`.

    Functions of many lines are for those who have the text once.
    """
    match step:
        case tl.ArithBinary(operator=operator, type=type_):
            return type_ is real and operator is not tl.BinaryOperator.REM
        case tl.ArithUnary(type=type_):
            return type_ is real
        case tl.MathCall(function=function, type=type_):
            return type_ is real and (may_be_long or function not in LONG)
        case tl.Load(indices=indices, type=MemrefType() as memref):
            return memref.element is real and strides_along(indices, memref, row) in ([], [1])
        case tl.Store(indices=indices, type=memref):
            return memref.element is real and strides_along(indices, memref, row) == [1]
        case (
            tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize() | tl.Load()
            | tl.Size() | tl.Subview() | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Yield() | tl.Barrier()
            | tl.LifetimeStop()
        ):  # fmt: skip
            return False


def strides_along(indices: tuple[tl.IndexOperand, ...], memref: MemrefType, row: str) -> list[int | None]:
    """The strides of the modes that a variable walks."""
    return [stride for place, stride in zip(indices, memref.strides, strict=True) if place == tl.Local(row)]


class Entries:
    """`count` neighbouring entries along the variable `row`; `positions` are those of the first one, by variables."""

    def __init__(
        self, row: str, positions: Mapping[str, tree.Expression], count: int, type_: Scalar, context: Context
    ) -> None:
        self._row, self._count = row, count
        self._context = replace(context.inner(), values=context.values | dict(positions))
        self._own: dict[str, tree.Expression] = {}
        self.type = type_ if count == 1 else Vector(type_, count)

    def beside(self, positions: Mapping[str, tree.Expression]) -> "Entries":
        """Others in the same scope, whose names differ."""
        other = copy(self)
        other._context = replace(self._context, values=self._context.values | dict(positions))
        other._own = {}
        return other

    def step(self, step: tl.Instruction, beside: Sequence["Entries"] = ()) -> tree.Statements:
        """The statements of an instruction, for these entries and others in turn."""
        if isinstance(step, tl.MathCall) and step.function in ELEMENTARY:
            calls = dict(entries._argument(step) for entries in (self, *beside))
            return elementary(step.function, calls, self.type, self._context.names)
        return tuple(statement for entries in (self, *beside) for statement in entries._step(step))

    def _argument(self, call: tl.MathCall) -> tuple[str, tree.Expression]:
        """The name of the result of a function of one operand, and that."""
        (operand,) = (self.operand(each, call.type) for each in call.operands)
        return self._named(call.result), operand

    def _step(self, step: tl.Instruction) -> tree.Statements:
        match step:
            case tl.Load(result=result):
                return self.define(result, self._loaded(step))
            case tl.Store(target=target, indices=indices, value=value, type=memref):
                place = entries_from(self._context.view(target), self._position(indices), self._count)
                return (tree.Assign(place, self.operand(value, memref.element)),)
            case tl.ArithBinary() | tl.ArithUnary() | tl.MathCall():
                return self.define(step.result, scalar.computed(step, self.operand)[1])
            case (
                tl.Alloca() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.GroupSize()
                | tl.Size() | tl.Subview() | tl.Collective() | tl.If() | tl.For() | tl.Foreach() | tl.Yield()
                | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                return ()

    def operand(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """An operand for all entries."""
        if isinstance(operand, tl.Local) and operand.name in self._own:
            return self._own[operand.name]
        return self._spread(self._context.scalar(operand, type_))

    def define(self, result: tl.Local, value: tree.Expression) -> tree.Statements:
        """A variable with the value."""
        return (tree.Declare(self.type, self._named(result), value),)

    def _spread(self, value: tree.Expression) -> tree.Expression:
        return tree.Pack(self.type, (value,)) if isinstance(self.type, Vector) else value

    def _loaded(self, load: tl.Load) -> tree.Expression:
        view, position = self._context.view(load.operand), self._position(load.indices)
        if tl.Local(self._row) not in load.indices:
            return self._spread(view.value(position))
        return entries_from(view, position, self._count)

    def _position(self, indices: tuple[tl.IndexOperand, ...]) -> tuple[tree.Expression, ...]:
        return tuple(map(self._context.index, indices))

    def _named(self, result: tl.Local) -> str:
        name = self._context.names.fresh(local_name(result.name))
        self._own[result.name] = tree.Name(name)
        return name

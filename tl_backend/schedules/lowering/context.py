"""Context of the lowering of an instruction: what is in sight of it, whatever the schedule."""

from dataclasses import field, replace
from typing import Self

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Type, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Group, Value, View
from einsum_front.tl_backend.opencl.scalar import REGISTER, literal, number
from einsum_front.tl_backend.opencl.target import Target
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


# -- instructions that make views --------------------------------------------------------------------------------------
# A new pointer, and sizes and strides that follow from the old ones. What is known when compiling needs no code; what
# is not becomes a variable.


@dataclass(frozen=True, slots=True)
class Variables:
    """The variables that the view `local` needs, in the order of the code."""

    local: tl.Local
    context: Context
    declarations: list[tree.Declare] = field(default_factory=list)

    def declare(self, type_: Type, suffix: str, value: tree.Expression) -> tree.Name:
        """A new variable, named after the view."""
        name = self.context.names.fresh(local_name(self.local.name) + suffix)
        self.declarations.append(tree.Declare(type_, name, value))
        return tree.Name(name)

    def extent(self, word: str, mode: int, value: tree.Expression) -> tree.Expression:
        """A size or stride, in a variable unless it is a constant or a variable already."""
        return (
            value if isinstance(value, tree.Integer | tree.Name) else self.declare(Scalar.I64, f"_{word}{mode}", value)
        )

    def bind(self, view: View) -> tree.Statements:
        """Lets the local stand for the view; the code that it needs."""
        self.context.values[self.local.name] = view
        return tuple(self.declarations)

    def moved(self, view: View, offset: tree.Expression) -> View:
        """The view behind a pointer that is moved by some elements."""
        if offset == index.ZERO:
            return view
        pointer = replace(view.pointer, is_restrict=False)
        return replace(view, pointer=pointer, base=self.declare(pointer, "", index.add(view.base, offset)))


def lower_view(instruction: tl.Expand | tl.Fuse | tl.Subview, context: Context) -> tree.Statements:
    """The code that a new view on a memref needs."""
    match instruction:
        case tl.Expand():
            return _expand(instruction, context)
        case tl.Fuse():
            return _fuse(instruction, context)
        case tl.Subview():
            return _subview(instruction, context)


def _subview(instruction: tl.Subview, context: Context) -> tree.Statements:
    """The pointer moves to the first entry; modes at one position are gone, strides are kept."""
    view, variables = context.view(instruction.operand), Variables(instruction.result, context)
    starts = tuple(context.index(_start(part)) for part in instruction.slices)
    moved = variables.moved(view, view.offset(starts))
    kept = [
        (_size(part, size, start, context), stride)
        for part, size, start, stride in zip(instruction.slices, view.shape, starts, view.strides, strict=True)
        if isinstance(part, tl.Slice)
    ]
    shape = tuple(variables.extent("size", mode, size) for mode, (size, _) in enumerate(kept))
    steps = [stride for part, stride in zip(instruction.slices, view.strides, strict=True) if _is_group(part, context)]
    distance = steps[0] if len(steps) == 1 else view.next_element
    strides = tuple(stride for _, stride in kept)
    return variables.bind(replace(moved, shape=shape, strides=strides, next_element=distance))


def _is_group(part: tl.Position | tl.Slice, context: Context) -> bool:
    """True if the position is the number of the group, so that the mode is the batch."""
    if not isinstance(part, tl.Position) or not isinstance(part.index, tl.Local):
        return False
    return context.values[part.index.name] in context.group_ids


def _start(part: tl.Position | tl.Slice) -> tl.IndexOperand:
    return part.index if isinstance(part, tl.Position) else part.offset


def _size(part: tl.Slice, size: tree.Expression, start: tree.Expression, context: Context) -> tree.Expression:
    return index.subtract(size, start) if part.size is None else context.index(part.size)


def _expand(instruction: tl.Expand, context: Context) -> tree.Statements:
    """The mode's size and stride are replaced; a `?` is what the given sizes leave of the mode."""
    view, variables, mode = context.view(instruction.operand), Variables(instruction.result, context), instruction.mode
    given = index.product(context.index(entry) for entry in instruction.shape if entry is not None)
    inferred = index.divide(view.shape[mode], given)
    sizes = tuple(
        variables.extent("size", mode + number, inferred if entry is None else context.index(entry))
        for number, entry in enumerate(instruction.shape)
    )
    strides = [view.strides[mode]]
    for place, size in enumerate(sizes[:-1], mode + 1):
        strides.append(variables.extent("stride", place, index.multiply(strides[-1], size)))
    return variables.bind(
        replace(
            view,
            shape=(*view.shape[:mode], *sizes, *view.shape[mode + 1 :]),
            strides=(*view.strides[:mode], *strides, *view.strides[mode + 1 :]),
        )
    )


def _fuse(instruction: tl.Fuse, context: Context) -> tree.Statements:
    """The modes become one of their product's size, with the stride of the first."""
    view, variables = context.view(instruction.operand), Variables(instruction.result, context)
    first, last = instruction.first, instruction.last
    size = variables.extent("size", first, index.product(view.shape[first : last + 1]))
    return variables.bind(
        replace(
            view,
            shape=(*view.shape[:first], size, *view.shape[last + 1 :]),
            strides=(*view.strides[: first + 1], *view.strides[last + 1 :]),
        )
    )


def lower_group_load(instruction: tl.Load, context: Context) -> tree.Statements:
    """The address is read and cast, then moved by the group's offset; dynamic sizes and strides are read beside it."""
    group, variables = context.group(instruction.operand), Variables(instruction.result, context)
    position = context.index(instruction.indices[0])

    def read(word: str, extents: tuple[tree.Expression, ...]) -> tuple[tree.Expression, ...]:
        return tuple(
            extent
            if isinstance(extent, tree.Integer)
            else variables.extent(word, mode, tree.Subscript(extent, position))
            for mode, extent in enumerate(extents)
        )

    address = tree.Cast(group.pointer, tree.Subscript(group.addresses, position))
    base = variables.declare(group.pointer, "", index.add(address, group.offset))
    shape, strides = read("size", group.shape), read("stride", group.strides)
    return variables.bind(View(group.element, base, group.pointer, shape, strides))


def element_address(value: Value, mode: int | None, element: tree.Expression) -> tree.Expression:
    """Where the memory of an element begins in an argument that has one for each, along the `mode` of a memref."""
    match value:
        case View(base=base, strides=strides) if mode is not None:
            return index.add(base, index.multiply(element, strides[mode]))
        case Group(addresses=addresses, offset=offset) as group:
            return index.add(tree.Cast(group.pointer, tree.Subscript(addresses, element)), offset)
        case _:  # open: expressions are scalars
            raise CompilerBug("an argument that is one for each element is a scalar, or has no mode for them")

"""Rewriting of instructions: other operands, other regions, new names."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    Cast,
    Collective,
    Compare,
    Expand,
    FloatConstant,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    IndexOperand,
    Instruction,
    LifetimeStop,
    Load,
    Local,
    MathCall,
    Operand,
    Position,
    Region,
    RegionInstruction,
    Size,
    Slice,
    Store,
    Subview,
    TypedMemref,
    TypedScalar,
    ValueInstruction,
    Yield,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import defined_in, defined_locals
from einsum_front.tl_backend.types import GroupType

Values = Mapping[str, Operand]
"""What stands for a value, by its name: another value, or a constant of its type."""


def substitute(instruction: Instruction, values: Values) -> Instruction:
    """The instruction with other operands; its regions stay as they are.

    Where a constant cannot stand, or would change the type of a view (a size), the name stays.
    """
    match instruction:
        case Alloca() | GroupId() | GroupSize() | Barrier():
            return instruction
        case ArithBinary(left=left, right=right) | Compare(left=left, right=right):
            return replace(instruction, left=_operand(left, values), right=_operand(right, values))
        case ArithUnary(operand=operand) | Cast(operand=operand):
            return replace(instruction, operand=_operand(operand, values))
        case MathCall(operands=operands):
            return replace(instruction, operands=tuple(_operand(operand, values) for operand in operands))
        case Fuse(operand=local) | Size(operand=local) | LifetimeStop(operand=local):
            return replace(instruction, operand=_local(local, values))
        case Expand() | Load() | Subview() | Store():
            return _substitute_access(instruction, values)
        case Collective():
            return _substitute_collective(instruction, values)
        case If(condition=condition):
            return replace(instruction, condition=_index(condition, values))
        case For(start=start, stop=stop, step=step):
            start, stop, step = _indices((start, stop, step), values)
            return replace(instruction, start=start, stop=stop, step=step)
        case Foreach(start=start, stop=stop):
            return replace(instruction, start=_index(start, values), stop=_index(stop, values))
        case Yield(values=yielded):
            return replace(instruction, values=tuple(_operand(value, values) for value in yielded))


def _substitute_access(instruction: Expand | Load | Subview | Store, values: Values) -> Instruction:
    match instruction:
        case Expand(operand=local, shape=shape):
            sizes = tuple(_size(size, values) for size in shape)
            return replace(instruction, operand=_local(local, values), shape=sizes)
        case Load(operand=local, indices=indices):
            return replace(instruction, operand=_local(local, values), indices=_indices(indices, values))
        case Subview(operand=local, slices=slices):
            picks = tuple(_slice(slice_, values) for slice_ in slices)
            return replace(instruction, operand=_local(local, values), slices=picks)
        case Store(value=value, target=target, indices=indices):
            value, target = _local(value, values), _local(target, values)
            return replace(instruction, value=value, target=target, indices=_indices(indices, values))


def _substitute_collective(instruction: Collective, values: Values) -> Collective:
    return replace(
        instruction,
        alpha=_typed_scalar(instruction.alpha, values),
        inputs=tuple(_typed_memref(memref, values) for memref in instruction.inputs),
        beta=_typed_scalar(instruction.beta, values),
        target=_typed_memref(instruction.target, values),
    )


def _operand(operand: Operand, values: Values) -> Operand:
    return values.get(operand.name, operand) if isinstance(operand, Local) else operand


def _local(local: Local, values: Values) -> Local:
    value = values.get(local.name, local)
    return value if isinstance(value, Local) else local


def _index(index: IndexOperand, values: Values) -> IndexOperand:
    value = _operand(index, values)
    if isinstance(value, FloatConstant):
        raise CompilerBug(f"{value.value} stands for an index")
    return value


def _indices(indices: tuple[IndexOperand, ...], values: Values) -> tuple[IndexOperand, ...]:
    return tuple(_index(index, values) for index in indices)


def _size(size: IndexOperand | None, values: Values) -> IndexOperand | None:
    return _local(size, values) if isinstance(size, Local) else size


def _slice(slice_: Position | Slice, values: Values) -> Position | Slice:
    match slice_:
        case Position(index=index):
            return Position(_index(index, values))
        case Slice(offset=Local() as offset, size=None):
            return Slice(_local(offset, values), None)
        case Slice(offset=offset, size=size):
            return Slice(_index(offset, values), _size(size, values))


def _typed_scalar(scalar: TypedScalar, values: Values) -> TypedScalar:
    return replace(scalar, value=_operand(scalar.value, values))


def _typed_memref(memref: TypedMemref, values: Values) -> TypedMemref:
    return replace(memref, value=_local(memref.value, values))


def with_regions(instruction: Instruction, change: Callable[[Region], Region]) -> Instruction:
    """The instruction with changed regions, if it has any."""
    if not isinstance(instruction, RegionInstruction):
        return instruction
    match instruction:
        case If(then=then, otherwise=otherwise):
            return replace(instruction, then=change(then), otherwise=None if otherwise is None else change(otherwise))
        case For(body=body) | Foreach(body=body):
            return replace(instruction, body=change(body))


class LocalNames:
    """A supply of values that the function does not have yet: `%t`, `%t_1`, `%t_2`, …"""

    def __init__(self, function: Function) -> None:
        self._names = Names(local.name for local in defined_locals(function))

    def fresh(self, stem: str) -> Local:
        """A value whose name starts with the stem; where the stem is a number, some other number."""
        return Local(self._names.numbered("") if stem.isdigit() else self._names.fresh(stem))


def with_new_names(region: Region, names: LocalNames, values: Mapping[str, Operand]) -> Region:
    """A copy of a region that can stand beside it: what it defines has new names, and `values` stand for others."""
    return Renamer(names, {local.name for local in defined_in(region)}, dict(values)).region(region)


@dataclass(frozen=True, slots=True)
class Renamer:
    """The names that are given away, and for those that were wanted again the last value that got another name.

    No name hides one in sight, so the last value of a name before a place in the text is the one that is meant there.
    """

    names: LocalNames
    given: set[str]
    meant: dict[str, Operand] = field(default_factory=dict)

    def region(self, region: Region) -> Region:
        """The region with names of its own."""
        return tuple(map(self._instruction, region))

    def _instruction(self, instruction: Instruction) -> Instruction:
        known = substitute(instruction, self.meant)
        if isinstance(known, For | Foreach):
            known = replace(known, variable=self._define(known.variable))
        known = with_regions(known, self.region)
        if isinstance(known, If):
            return replace(known, results=self._define_all(known.results))
        return replace(known, result=self._define(known.result)) if isinstance(known, ValueInstruction) else known

    def _define_all(self, locals_: Iterable[Local]) -> tuple[Local, ...]:
        return tuple(map(self._define, locals_))

    def _define(self, local: Local) -> Local:
        if local.name not in self.given:
            self.given.add(local.name)
            return local
        other = replace(self.names.fresh(local.name), origin=local.origin)
        self.meant[local.name] = other
        return other


def with_open_offsets(function: Function) -> Function:
    """The function with groups whose members begin behind an offset that the launch supplies."""
    groups = {argument.name.name for argument in function.arguments if isinstance(argument.type, GroupType)}

    def opened(type_: GroupType) -> GroupType:
        return replace(type_, offset=None)

    def instruction_with(instruction: Instruction) -> Instruction:
        if isinstance(instruction, Load) and isinstance(instruction.type, GroupType):
            return replace(instruction, type=opened(instruction.type))
        return with_regions(instruction, region_with)

    def region_with(region: Region) -> Region:
        return tuple(map(instruction_with, region))

    arguments = (
        replace(each, type=opened(each.type)) if isinstance(each.type, GroupType) else each
        for each in function.arguments
    )
    return replace(function, arguments=tuple(arguments), body=region_with(function.body)) if groups else function

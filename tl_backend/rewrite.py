"""Rewriting of instructions: other operands, other regions, new names."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from operator import is_

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.core.storage import ElementType
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Argument, Function, Prefetched
from einsum_front.tl_backend.traverse import defined_in, defined_locals, operands
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

Values = Mapping[str, tl.Operand]
"""What stands for a value, by its name: another value, or a constant of its type."""


def substitute(instruction: tl.Instruction, values: Values) -> tl.Instruction:
    """The instruction with other operands; its regions stay as they are.

    Where a constant cannot stand, or would change the type of a view (a size), the name stays.
    """
    if not values or not any(isinstance(each, tl.Local) and each.name in values for each in operands(instruction)):
        return instruction
    match instruction:
        case tl.GroupId() | tl.GroupSize() | tl.Barrier():
            return instruction
        case tl.Alloca(sizes=sizes):
            return replace(instruction, sizes=tuple(_local(size, values) for size in sizes))
        case tl.ArithBinary(left=left, right=right) | tl.Compare(left=left, right=right):
            return replace(instruction, left=_operand(left, values), right=_operand(right, values))
        case tl.ArithUnary(operand=operand) | tl.Cast(operand=operand):
            return replace(instruction, operand=_operand(operand, values))
        case tl.MathCall(operands=given):
            return replace(instruction, operands=tuple(_operand(operand, values) for operand in given))
        case tl.Fuse(operand=local) | tl.Size(operand=local) | tl.LifetimeStop(operand=local):
            return replace(instruction, operand=_local(local, values))
        case tl.Expand() | tl.Load() | tl.Subview() | tl.Store():
            return _substitute_access(instruction, values)
        case tl.Collective():
            return _substitute_collective(instruction, values)
        case tl.If(condition=condition):
            return replace(instruction, condition=_index(condition, values))
        case tl.For(start=start, stop=stop, step=step):
            start, stop, step = _indices((start, stop, step), values)
            return replace(instruction, start=start, stop=stop, step=step)
        case tl.Foreach(start=start, stop=stop):
            return replace(instruction, start=_index(start, values), stop=_index(stop, values))
        case tl.Yield(values=yielded):
            return replace(instruction, values=tuple(_operand(value, values) for value in yielded))


def _substitute_access(instruction: tl.Expand | tl.Load | tl.Subview | tl.Store, values: Values) -> tl.Instruction:
    match instruction:
        case tl.Expand(operand=local, shape=shape):
            sizes = tuple(_size(size, values) for size in shape)
            return replace(instruction, operand=_local(local, values), shape=sizes)
        case tl.Load(operand=local, indices=indices):
            return replace(instruction, operand=_local(local, values), indices=_indices(indices, values))
        case tl.Subview(operand=local, slices=slices):
            picks = tuple(_slice(slice_, values) for slice_ in slices)
            return replace(instruction, operand=_local(local, values), slices=picks)
        case tl.Store(value=value, target=target, indices=indices):
            value, target = _local(value, values), _local(target, values)
            return replace(instruction, value=value, target=target, indices=_indices(indices, values))


def _substitute_collective(instruction: tl.Collective, values: Values) -> tl.Collective:
    return replace(
        instruction,
        alpha=_typed_scalar(instruction.alpha, values),
        inputs=tuple(_typed_memref(memref, values) for memref in instruction.inputs),
        beta=_typed_scalar(instruction.beta, values),
        target=_typed_memref(instruction.target, values),
    )


def _operand(operand: tl.Operand, values: Values) -> tl.Operand:
    return values.get(operand.name, operand) if isinstance(operand, tl.Local) else operand


def _local(local: tl.Local, values: Values) -> tl.Local:
    value = values.get(local.name, local)
    return value if isinstance(value, tl.Local) else local


def _index(index: tl.IndexOperand, values: Values) -> tl.IndexOperand:
    value = _operand(index, values)
    if isinstance(value, tl.FloatConstant | tl.ComplexConstant):
        raise CompilerBug(f"{value.value} stands for an index")
    return value


def _indices(indices: tuple[tl.IndexOperand, ...], values: Values) -> tuple[tl.IndexOperand, ...]:
    return tuple(_index(index, values) for index in indices)


def _size(size: tl.IndexOperand | None, values: Values) -> tl.IndexOperand | None:
    return _local(size, values) if isinstance(size, tl.Local) else size


def _slice(slice_: tl.Position | tl.Slice, values: Values) -> tl.Position | tl.Slice:
    match slice_:
        case tl.Position(index=index):
            return tl.Position(_index(index, values))
        case tl.Slice(offset=tl.Local() as offset, size=None):
            return tl.Slice(_local(offset, values), None)
        case tl.Slice(offset=offset, size=size):
            return tl.Slice(_index(offset, values), _size(size, values))


def _typed_scalar(scalar: tl.TypedScalar, values: Values) -> tl.TypedScalar:
    return replace(scalar, value=_operand(scalar.value, values))


def _typed_memref(memref: tl.TypedMemref, values: Values) -> tl.TypedMemref:
    return replace(memref, value=_local(memref.value, values))


def with_regions(instruction: tl.Instruction, change: Callable[[tl.Region], tl.Region]) -> tl.Instruction:
    """The instruction with changed regions, if it has any; itself if they do not change."""
    if not isinstance(instruction, tl.RegionInstruction):
        return instruction
    match instruction:
        case tl.If(then=then, otherwise=otherwise):
            first, second = change(then), None if otherwise is None else change(otherwise)
            is_same = _is_same(first, then) and (second is None or _is_same(second, otherwise or ()))
            return instruction if is_same else replace(instruction, then=first, otherwise=second)
        case tl.For(body=body) | tl.Foreach(body=body):
            changed = change(body)
            return instruction if _is_same(changed, body) else replace(instruction, body=changed)


def with_body(function: Function, body: tl.Region) -> Function:
    """The function with these instructions; itself, with all that is known of it, if they are its own."""
    return function if _is_same(body, function.body) else replace(function, body=body)


def _is_same(one: tl.Region, other: tl.Region) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


class LocalNames:
    """A supply of values that the function does not have yet: `%t`, `%t_1`, `%t_2`, …"""

    def __init__(self, function: Function) -> None:
        self._names = Names(local.name for local in defined_locals(function))

    def fresh(self, stem: str) -> tl.Local:
        """A value whose name starts with the stem; where the stem is a number, some other number."""
        return tl.Local(self._names.numbered("") if stem.isdigit() else self._names.fresh(stem))


def with_new_names(region: tl.Region, names: LocalNames, values: Mapping[str, tl.Operand]) -> tl.Region:
    """A copy of a region that can stand beside it: what it defines has new names, and `values` stand for others."""
    return Renamer(names, {local.name for local in defined_in(region)}, dict(values)).region(region)


@dataclass(frozen=True, slots=True)
class Renamer:
    """The names that are given away, and for those that were wanted again the last value that got another name.

    No name hides one in sight, so the last value of a name before a place in the text is the one that is meant there.
    """

    names: LocalNames
    given: set[str]
    meant: dict[str, tl.Operand] = field(default_factory=dict)

    def region(self, region: tl.Region) -> tl.Region:
        """The region with names of its own."""
        return tuple(map(self._instruction, region))

    def _instruction(self, instruction: tl.Instruction) -> tl.Instruction:
        known = substitute(instruction, self.meant)
        if isinstance(known, tl.For | tl.Foreach) and (variable := self._define(known.variable)) is not known.variable:
            known = replace(known, variable=variable)
        known = with_regions(known, self.region)
        if isinstance(known, tl.If) and (results := self._define_all(known.results)) != known.results:
            return replace(known, results=results)
        if isinstance(known, tl.ValueInstruction) and (result := self._define(known.result)) is not known.result:
            return replace(known, result=result)
        return known

    def _define_all(self, locals_: Iterable[tl.Local]) -> tuple[tl.Local, ...]:
        return tuple(map(self._define, locals_))

    def _define(self, local: tl.Local) -> tl.Local:
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

    def instruction_with(instruction: tl.Instruction) -> tl.Instruction:
        if isinstance(instruction, tl.Load) and isinstance(instruction.type, GroupType):
            return replace(instruction, type=opened(instruction.type))
        return with_regions(instruction, region_with)

    def region_with(region: tl.Region) -> tl.Region:
        return tuple(map(instruction_with, region))

    arguments = (
        replace(each, type=opened(each.type)) if isinstance(each.type, GroupType) else each
        for each in function.arguments
    )
    return replace(function, arguments=tuple(arguments), body=region_with(function.body)) if groups else function


def with_prefetched(function: Function, wanted: Mapping[str, tuple[ElementType, int]]) -> Function:
    """The function with arguments more that it prefetches: so many entries of a type, by name."""
    types = {name: MemrefType.packed(ScalarType.of(element), (size,)) for name, (element, size) in wanted.items()}
    more = (Argument(tl.Local(name), type_) for name, type_ in types.items())
    facts = *function.facts, *map(Prefetched, wanted)
    return replace(function, arguments=(*function.arguments, *more), facts=facts)

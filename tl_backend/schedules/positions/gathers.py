"""Memory that is filled where integers of each element say, and the function without the code that fills it.

    %place = load %next_item[2]; …                 %tmp is an argument, one for each element,
    if %is_there { axpby %I[:, :, %place], %tmp }    ->   and a table says for each of its entries
    if %is_missing { %tmp := 0 }                          where it is read

Elements in lanes read at places of their own; so a place is no index that counts loops. The code is run here on what it
does to the memory: an entry is read from one source, or from one that a number chooses, or is 0 where a number is
negative. What is filled in another way stays unsuitable.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access, Accesses, Affine, value_of
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.program import Argument, Batched, Function
from einsum_front.tl_backend.schedules.positions.pieces import (
    OWN,
    Address,
    Entries,
    Entry,
    Gathers,
    Move,
    Number,
    Own,
    Test,
)
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.semantics import writes
from einsum_front.tl_backend.traverse import defined_locals, operands, walk
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

MOST_ENTRIES = 1 << 18
"""Entries that are followed one by one."""


def has_integers(function: Function) -> bool:
    """True if integers in memory may say places."""
    return any(_is_integer_memory(each.type) for each in function.arguments)


def without_gathers(function: Function) -> tuple[Function, Gathers]:
    """The function with arguments for what it gathers; raises `UnsuitableError` if it is more than gathering."""
    reading = _Reading(function)
    left = [each for each in function.body if not reading.takes(each)]
    targets = reading.targets
    if not targets:
        raise UnsuitableError("it computes with integers")
    access = argument_access(function)
    for name in reading.read:
        if access[name].is_written:
            raise UnsuitableError(f"it writes `%{name}`, which elements read where integers say")
    for each in (inner for outer in left for inner in walk((outer,))):
        written = {reading.accesses.memrefs[memref.name].buffer for memref in writes(each)}
        if written & targets.keys():
            raise UnsuitableError("memory is filled where integers say, and otherwise too")
    types = {each.result.name: each.type for each in left if isinstance(each, tl.Alloca)}
    if not targets.keys() <= types.keys():
        raise UnsuitableError("what it reads where integers say is in no memory of its own")
    names = Names(local.name for local in defined_locals(function))
    whole = {name: names.fresh(f"{name}_gathered") for name in targets}
    group = next((each.result for each in function.body if isinstance(each, tl.GroupId)), None)
    body = tuple(_rewritten(left, whole, group))
    used = {local.name for each in walk(body) for local in operands(each) if isinstance(local, tl.Local)}
    arguments = [each for each in function.arguments if each.name.name in used or isinstance(each.type, ScalarType)]
    arguments += [Argument(tl.Local(whole[name]), _batch_of(types[name])) for name in targets]
    kept = {each.name.name for each in arguments}
    facts = (*(each for each in function.facts if each.argument in kept), *map(Batched, whole.values()))
    pieces = {whole[name]: entries.pieces() for name, entries in targets.items()}
    return replace(function, arguments=tuple(arguments), body=body, facts=facts), pieces


def _batch_of(type_: MemrefType) -> MemrefType:
    return MemrefType(type_.element, (*type_.shape, None), (*type_.strides, None))


def _rewritten(
    region: Sequence[tl.Instruction], whole: Mapping[str, str], group: tl.Local | None
) -> Iterator[tl.Instruction]:
    """The instructions where arguments stand in the place of allocated memory."""
    for each in region:
        if isinstance(each, tl.Alloca) and each.result.name in whole:
            if group is None:
                raise UnsuitableError("no argument is one for each element")
            slices: tuple[tl.Slice | tl.Position, ...] = (
                *(tl.Slice(tl.IntegerConstant(0), None) for _ in each.type.shape),
                tl.Position(group),
            )
            source = tl.Local(whole[each.result.name])
            yield tl.Subview(each.result, source, slices, _batch_of(each.type), each.origin)
        elif not (isinstance(each, tl.LifetimeStop) and each.operand.name in whole):
            yield each


def _is_integer_memory(type_: object) -> bool:
    memref = type_.memref if isinstance(type_, GroupType) else type_
    return isinstance(memref, MemrefType) and memref.element.is_integer


def _has_integers(instruction: tl.Instruction) -> bool:
    """True if it takes integers from memory, or a part of such memory."""
    return isinstance(instruction, tl.Load | tl.Subview | tl.Fuse | tl.Expand) and _is_integer_memory(instruction.type)


# -- what the code does ------------------------------------------------------------------------------------------------


_Scalar = Number | frozenset[Number] | Test | Entry | tuple[tuple[tuple[Test, ...], Entry], ...]


class _Reading:
    """The code that reads where integers say, run on what it does to memory."""

    def __init__(self, function: Function) -> None:
        self.accesses = Accesses.of_arguments(function)
        self.targets: dict[str, Entries] = {}
        self.read: set[str] = set()
        self._scalars: dict[str, _Scalar] = {}
        self._loops: dict[str, int] = {}
        self._groups: set[str] = set()
        self._left = MOST_ENTRIES

    def takes(self, instruction: tl.Instruction) -> bool:
        """Runs an instruction if it has to do with integers in memory, else notes what it names."""
        inside = list(walk((instruction,)))
        for each in inside:
            if isinstance(each, tl.GroupId):
                self._groups.add(each.result.name)
        if self._says(inside):
            self._run(instruction, ())
            return True
        for each in inside:
            self.accesses.note(each)
        return False

    def _says(self, inside: Sequence[tl.Instruction]) -> bool:
        used = (operand for each in inside for operand in operands(each))
        return any(map(_has_integers, inside)) or any(
            isinstance(operand, tl.Local) and operand.name in self._scalars for operand in used
        )

    def _region(self, region: tl.Region, tests: tuple[Test, ...]) -> None:
        for instruction in region:
            self._run(instruction, tests)

    def _run(self, instruction: tl.Instruction, tests: tuple[Test, ...]) -> None:
        self.accesses.note(instruction)
        match instruction:
            case tl.Load(type=MemrefType()):
                self._scalars[instruction.result.name] = self._loaded(instruction)
            case tl.Cast(result=result, operand=operand):
                self._scalars[result.name] = self._scalar(operand)
            case tl.ArithBinary(result=result) if result.name in self.accesses.values:
                pass
            case tl.ArithBinary(operator=tl.BinaryOperator.OR, result=result, left=left, right=right):
                self._scalars[result.name] = self._numbers(left) | self._numbers(right)
            case tl.Compare(result=result):
                self._scalars[result.name] = self._test(instruction)
            case tl.If():
                self._branch(instruction, tests)
            case tl.For(variable=variable, start=start, stop=stop, step=step, body=body):
                self._loop(variable, (start, stop, step), body, tests)
            case tl.Foreach(variable=variable, start=start, stop=stop, body=body):
                self._loop(variable, (start, stop, tl.IntegerConstant(1)), body, tests)
            case tl.Axpby():
                self._copy(instruction, tests)
            case tl.Store():
                self._store(instruction, tests)
            case tl.Subview() | tl.Fuse() | tl.Expand() | tl.Size() | tl.LifetimeStop() | tl.Yield() | tl.Load():
                pass
            case _:  # open: all that no gather needs
                raise UnsuitableError("it computes with integers of its elements")

    # -- control -------------------------------------------------------------------------------------------------------

    def _loop(self, variable: tl.Local, bounds: Sequence[tl.Operand], body: tl.Region, tests: tuple[Test, ...]) -> None:
        start, stop, step = (self._known(value_of(bound, self.accesses.values)) for bound in bounds)
        for value in range(start, stop, step):
            self._loops[variable.name] = value
            self._region(body, tests)
        self._loops.pop(variable.name, None)

    def _branch(self, instruction: tl.If, tests: tuple[Test, ...]) -> None:
        """With results, what it yields in both cases is one scalar, an entry here and another there."""
        test = self._scalar(instruction.condition)
        if not isinstance(test, Test) or (instruction.otherwise is not None) != bool(instruction.results):
            raise UnsuitableError("it branches on what differs from element to element")
        if not instruction.results:
            self._region(instruction.then, (*tests, test))
            return
        if len(instruction.results) > 1:
            raise UnsuitableError("it branches on what differs from element to element")
        cases: list[tuple[tuple[Test, ...], Entry]] = []
        for region, each in ((instruction.then, test), (instruction.otherwise or (), replace(test, holds=False))):
            self._region(region[:-1], ())
            last = region[-1]
            if not isinstance(last, tl.Yield):
                raise UnsuitableError("it branches on what differs from element to element")
            cases += (((each, *inner), entry) for inner, entry in self._cases(last.values[0]))
        self._scalars[instruction.results[0].name] = tuple(cases)

    def _cases(self, operand: tl.Operand) -> tuple[tuple[tuple[Test, ...], Entry], ...]:
        value = self._scalar(operand)
        if isinstance(value, tuple):
            return value
        if not isinstance(value, Entry):
            raise UnsuitableError("it computes with integers of its elements")
        return (((), value),)

    def _test(self, compare: tl.Compare) -> Test:
        numbers, right = self._numbers(compare.left), compare.right
        if isinstance(right, tl.IntegerConstant):
            if compare.condition in (tl.Condition.GE, tl.Condition.LT) and right.value == 0:
                return Test(numbers, None, compare.condition is tl.Condition.GE)
            if compare.condition is tl.Condition.EQ and len(numbers) == 1:
                return Test(numbers, right.value)
        raise UnsuitableError("it compares what differs from element to element")

    # -- scalars -------------------------------------------------------------------------------------------------------

    def _scalar(self, operand: tl.Operand) -> _Scalar:
        if isinstance(operand, tl.Local) and operand.name in self._scalars:
            return self._scalars[operand.name]
        if isinstance(operand, tl.FloatConstant) and operand.value == 0.0:
            return Entry(None)
        raise UnsuitableError("it computes with integers of its elements")

    def _numbers(self, operand: tl.Operand) -> frozenset[Number]:
        value = self._scalar(operand)
        if isinstance(value, Number):
            return frozenset({value})
        if isinstance(value, frozenset):
            return value
        raise UnsuitableError("it computes with integers of its elements")

    def _loaded(self, load: tl.Load) -> Number | Entry:
        access = self.accesses.memrefs[load.operand.name]
        address, offset = self._address(access, [value_of(index, self.accesses.values) for index in load.indices])
        if not access.type.element.is_integer:
            return Entry(address, offset)
        if any(isinstance(move.number, Number) for move in address.moves) or isinstance(address.member, Number):
            raise UnsuitableError("it reads integers where others say")
        return Number(address, offset)

    # -- memory --------------------------------------------------------------------------------------------------------

    def _known(self, affine: Affine) -> int:
        if any(name not in self._loops for name, _ in affine.terms):
            raise UnsuitableError("an index is not known when compiling")
        return affine.constant + sum(self._loops[name] * factor for name, factor in affine.terms)

    def _address(self, access: Access, indices: Sequence[Affine | int]) -> tuple[Address, int]:
        """Where an entry of a view is, with indices of the view."""
        starts = list(access.starts)
        for mode, index in zip(access.modes, indices, strict=True):
            if mode.step is None:
                raise UnsuitableError(f"`%{access.buffer}` has sizes or strides that are known only at run time")
            each = index if isinstance(index, Affine) else Affine(index)
            starts[mode.of] = starts[mode.of] + each.times(mode.step)
        moves, offset = [], 0
        for mode_, (start, stride) in enumerate(zip(starts, access.type.strides, strict=True)):
            fixed = Affine(start.constant, tuple(term for term in start.terms if term[0] in self._loops))
            moves += [Move(mode_, self._moving(name), n) for name, n in start.terms if name not in self._loops]
            if stride is not None:
                offset += self._known(fixed) * stride
            elif (distance := self._known(fixed)) != 0:
                moves.append(Move(mode_, None, distance))
        member = None if access.member is None else self._moving_member(access.member)
        if member is not None and None in access.type.strides:
            raise UnsuitableError(f"`%{access.buffer}` has sizes or strides that are known only at run time")
        self.read.add(access.buffer)
        return Address(access.buffer, tuple(moves), member), offset

    def _moving(self, name: str) -> Number | Own:
        if name in self._groups:
            return OWN
        number = self._scalars.get(name)
        if not isinstance(number, Number):
            raise UnsuitableError("an index is not known when compiling")
        return number

    def _moving_member(self, member: Affine) -> Number | Own:
        if member.constant or len(member.terms) != 1 or member.terms[0][1] != 1:
            raise UnsuitableError("an index is not known when compiling")
        return self._moving(member.terms[0][0])

    def _target(self, access: Access, indices: Sequence[Affine | int]) -> int:
        address, offset = self._address(access, indices)
        self.read.discard(access.buffer)
        if address.moves or access.member is not None:
            raise UnsuitableError("it writes where integers say")
        return offset

    def _copy(self, axpby: tl.Axpby, tests: tuple[Test, ...]) -> None:
        if axpby.atomic or not (axpby.alpha.is_number(1) and axpby.beta.is_number(0)):
            raise UnsuitableError("it computes with what it reads where integers say")
        source, target = (self.accesses.memrefs[each.value.name] for each in (axpby.inputs[0], axpby.target))
        shape = [extent for extent in target.shape if extent is not None]
        self._count(int(np.prod(shape)))
        swapped = axpby.transposes == (tl.Transpose.T,)
        reads, at = self._walk(source, shape[::-1] if swapped else shape), self._walk(target, shape)
        if any(address.moves or address.member is not None for address, _ in at):
            raise UnsuitableError("it writes where integers say")
        order = np.arange(len(at)).reshape(shape[::-1] if swapped else shape)
        order = (order.T if swapped else order).ravel()
        self.read.discard(target.buffer)
        by_address: dict[Address, list[tuple[int, int]]] = {}
        for number, (_, position) in enumerate(at):
            address, offset = reads[order[number]]
            by_address.setdefault(address, []).append((position, offset))
        for address, places in by_address.items():
            positions, offsets = np.array(places, np.int64).T
            self._entries(target).take(tests, positions, address, offsets)

    def _walk(self, access: Access, shape: Sequence[int]) -> list[tuple[Address, int]]:
        """Addresses of all entries, last mode fastest."""
        if all(access.type.strides[mode.of] is not None and mode.step is not None for mode in access.modes):
            address, first = self._address(access, [0] * len(shape))
            steps = [(access.type.strides[mode.of] or 0) * (mode.step or 0) for mode in access.modes]
            offsets = np.full((), first, np.int64)
            for size, step in zip(shape, steps, strict=True):
                offsets = offsets[..., None] + np.arange(size, dtype=np.int64) * step
            return [(address, offset) for offset in offsets.ravel().tolist()]
        return [self._address(access, indices) for indices in product(*map(range, shape))]

    def _store(self, store: tl.Store, tests: tuple[Test, ...]) -> None:
        access = self.accesses.memrefs[store.target.name]
        position = self._target(access, [value_of(index, self.accesses.values) for index in store.indices])
        self._count(1)
        for inner, entry in self._cases(store.value):
            where, offset = np.array([position]), np.array([entry.offset])
            self._entries(access).take((*tests, *inner), where, entry.address, offset)

    def _entries(self, access: Access) -> Entries:
        return self.targets.setdefault(access.buffer, Entries())

    def _count(self, entries: int) -> None:
        self._left -= entries
        if self._left < 0:
            raise UnsuitableError(f"it reads more than {MOST_ENTRIES} entries where integers say")

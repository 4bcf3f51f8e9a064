"""Arguments that are stored in another type than the one that is computed with: what converts them is taken away.

func @f(%A: memref<f32x4x?>, %b: …) {                   func @f(%A: memref<f64x4x?>, %b: …) {
  %a = subview %A[:, %group] : …                          %a = subview %A[:, %group] : …
  %wide = alloca -> memref<f64x4>
  axpby.n 1.0, %a, 0.0, %wide : …
  gemv.n 1.0, %K, %wide, 0.0, %b : …                      gemv.n 1.0, %K, %a, 0.0, %b : …
}                                                       }

Elements in the lanes are read once and written once: there the numbers are converted.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import substitute, with_regions
from einsum_front.tl_backend.schedules.positions.places import Place, Places
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type

Stored = Mapping[str, ScalarType]
"""The types in memory of the arguments that have another one there."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """An argument in a type of its own, and the temporary in its place: `item` is a memref of both their shapes."""

    argument: str
    temporary: str
    item: tl.Local
    stored: ScalarType
    computed: ScalarType


def without_conversions(function: Function, places: Places) -> tuple[Function, Stored]:
    """The function with arguments of the type that it computes with, and in which types they are stored.

    Those are arguments that are one for each element, and that nothing but copies touches: whole, one before all else
    and one behind it. What is not so stays.
    """
    copies: dict[_Pair, list[int]] = {}
    for number, each in enumerate(function.body):
        pair = _pair(each, places)
        if pair is not None:
            copies.setdefault(pair, []).append(number)
    copies = {pair: numbers for pair, numbers in copies.items() if _is_alone(pair, numbers, function, places)}
    if not copies:
        return function, {}
    gone = {number for numbers in copies.values() for number in numbers}
    items = {pair.temporary: pair.item for pair in copies}
    change = _Change(places, {pair.argument: pair.computed for pair in copies}, items)
    body = tuple(change.region(each for number, each in enumerate(function.body) if number not in gone))
    arguments = tuple(
        replace(each, type=change.type(each.type, each.name.name)) if isinstance(each.type, MemrefType | GroupType)
        else each
        for each in function.arguments
    )  # fmt: skip
    return replace(function, arguments=arguments, body=body), {pair.argument: pair.stored for pair in copies}


def _pair(instruction: tl.Instruction, places: Places) -> _Pair | None:
    """The memories of a copy that converts all of an element; None for anything else."""
    if not isinstance(instruction, tl.Axpby) or instruction.atomic or instruction.transposes != (tl.Transpose.N,):
        return None
    if not (instruction.alpha.is_number(1) and instruction.beta.is_number(0)):
        return None
    source, target = instruction.inputs[0], instruction.target
    first, second = places.place(source.value), places.place(target.value)
    types = {first.base: source.type.element, second.base: target.type.element}
    if len(set(types.values())) < 2 or _positions(first) != _positions(second):
        return None
    argument, temporary = sorted(types, key=lambda base: base not in places.batch_modes)
    whole = places.memrefs.get(temporary)
    if argument not in places.batch_modes or whole is None or prod(first.shape) != prod(whole.shape):
        return None
    items = (name for name, each in places.memrefs.items() if each.base == argument)
    item = next((name for name in items if _positions(places.memrefs[name]) == _positions(whole)), None)
    return None if item is None else _Pair(argument, temporary, tl.Local(item), types[argument], types[temporary])


def _positions(place: Place) -> tuple[object, ...]:
    return place.offset, place.shape, place.strides


def _is_alone(pair: _Pair, copies: list[int], function: Function, places: Places) -> bool:
    """True if the argument is read before anything uses the temporary, or written behind all of that, or both."""
    users = {pair.argument: set[int](), pair.temporary: set[int]()}
    into: set[int] = set()
    for number, instruction in enumerate(function.body):
        for each in walk((instruction,)):
            written = {places.memrefs[memref.name].base for memref in writes(each) if memref.name in places.memrefs}
            read = {places.memrefs[memref.name].base for memref in reads(each) if memref.name in places.memrefs}
            for base in users.keys() & (read | written):
                users[base].add(number)
            if number in copies and pair.temporary in written:
                into.add(number)
    others = users[pair.temporary] - set(copies)
    behind = set(copies) - into
    is_ordered = all(number < min(others, default=number + 1) for number in into)
    is_ordered &= all(number > max(others, default=number - 1) for number in behind)
    return users[pair.argument] == set(copies) and len(into) <= 1 and len(behind) <= 1 and is_ordered


@dataclass(frozen=True, slots=True)
class _Change:
    """The types that arguments are computed with, and what stands for the temporaries."""

    places: Places
    computed: Mapping[str, ScalarType]
    items: Mapping[str, tl.Local]

    def region(self, region: Iterable[tl.Instruction]) -> Iterator[tl.Instruction]:
        """The instructions on the arguments."""
        for each in region:
            is_made = isinstance(each, tl.Alloca) and each.result.name in self.items
            if is_made or (isinstance(each, tl.LifetimeStop) and each.operand.name in self.items):
                continue
            yield self._instruction(each)

    def type(self, type_: Type, name: str) -> Type:
        """The type of a view, whose base may be one of the arguments."""
        place = self.places.memrefs.get(name)
        element = self.computed.get(name if place is None else place.base)
        match type_:
            case MemrefType() if element is not None:
                return replace(type_, element=element)
            case GroupType(memref=memref) if element is not None:
                return replace(type_, memref=replace(memref, element=element))
            case _:  # open: types that stay
                return type_

    def _instruction(self, instruction: tl.Instruction) -> tl.Instruction:
        known = substitute(instruction, self.items)
        match known:
            case tl.Subview() | tl.Fuse() | tl.Expand() | tl.Size() | tl.Load():
                return replace(known, type=self.type(known.type, known.operand.name))  # type: ignore[arg-type] # the same kind
            case tl.Store():
                return replace(known, type=self.type(known.type, known.target.name))  # type: ignore[arg-type] # the same kind
            case tl.Collective():
                return replace(
                    known, inputs=tuple(map(self._operand, known.inputs)), target=self._operand(known.target)
                )
            case tl.If() | tl.For() | tl.Foreach():
                return with_regions(known, lambda inner: tuple(self.region(inner)))
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.MathCall()
                | tl.GroupId() | tl.GroupSize() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
            ):  # fmt: skip
                return known

    def _operand(self, memref: tl.TypedMemref) -> tl.TypedMemref:
        return replace(memref, type=self.type(memref.type, memref.value.name))  # type: ignore[arg-type] # the same kind

"""What is known of a function before anything is decided, or why elements cannot stand side by side in it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from math import prod

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.core.machines import GENERIC
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.effects import argument_access, operations
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import substitute, with_regions
from einsum_front.tl_backend.schedules.positions.gathers import has_integers, without_gathers
from einsum_front.tl_backend.schedules.positions.pieces import Gathers
from einsum_front.tl_backend.schedules.positions.places import Place, Places, UnsuitableError, find_places
from einsum_front.tl_backend.schedules.positions.product import ProductSum, product_of
from einsum_front.tl_backend.schedules.positions.zeros import (
    Known,
    Patterns,
    Sharing,
    Storages,
    check_inside,
    find_known,
    find_patterns,
    find_sharing,
    find_storages,
    known_arguments,
    summands,
)
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.semantics import reads, result_type, writes
from einsum_front.tl_backend.traverse import operands, regions, typed_operands, walk, walked
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type

# -- arguments that are stored in another type than the one that is computed with --------------------------------------
# What converts them is taken away.
#
#     func @f(%A: memref<f32x4x?>, %b: …) {                   func @f(%A: memref<f64x4x?>, %b: …) {
#       %a = subview %A[:, %group] : …                          %a = subview %A[:, %group] : …
#       %wide = alloca -> memref<f64x4>
#       axpby.n 1.0, %a, 0.0, %wide : …
#       gemv.n 1.0, %K, %wide, 0.0, %b : …                      gemv.n 1.0, %K, %a, 0.0, %b : …
#     }                                                       }
#
# Elements in the lanes are read once and written once: there the numbers are converted.

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


@dataclass(frozen=True, slots=True)
class Facts:
    """Meanings of the names of a function, and facts about its memory.

    `function` is what all this is about: it computes in one type, and `stored` are the types in memory of the arguments
    that have another one there. `known` are the numbers in memory that are known when compiling. `counts` says how many
    summands of each collective instruction may differ from zero. `machine` is that of the target: what is decided here
    depends on its times. `is_outlined` if the loops are in a function of their own, with instructions that the kernel
    does without; `is_wide` if vectors have 64 bytes. `gathers` are the arguments that stand for memory which is filled
    where integers say, and `members` the known numbers of arguments that nothing but gathers read.
    """

    function: Function
    stored: Stored
    places: Places
    sharing: Sharing
    storages: Storages
    patterns: Patterns
    known: Known
    counts: Mapping[tl.Collective, int]
    machine: Machine = GENERIC
    is_outlined: bool = False
    is_wide: bool = False
    gathers: Gathers = field(default_factory=dict)
    members: Known = field(default_factory=dict)

    @property
    def registers(self) -> int:
        """Vectors that the innermost loops may keep in registers."""
        tables = self.machine.batch_simd.tables
        return tables.outlined if self.is_outlined else tables.wide if self.is_wide else tables.registers

    @property
    def element(self) -> ScalarType:
        """The type of all entries."""
        return next(iter(self.storages.values())).element

    def stored_as(self, base: str) -> ScalarType:
        """The type of its entries in memory."""
        return self.stored.get(base, self.element)

    def is_uniform(self, base: str) -> bool:
        """True if the memory is batch-invariant."""
        return self.storages[base].is_uniform

    def is_staged(self, base: str) -> bool:
        """True if it is gathered, and its entries do not lie side by side in one place each."""
        pieces = self.gathers.get(base, ())
        return bool(pieces) and pieces[0].positions != tuple(range(self.storages[base].span))

    def differs(self, operand: tl.Operand) -> bool:
        """True if a scalar differs from lane to lane."""
        return isinstance(operand, tl.Local) and operand.name in self.sharing.scalars


MOST_ITERATIONS = 1 << 16
"""Iterations of nested loops whose indices are followed."""

MOST_POINTS = 1 << 22
"""Rows times columns times depth of a product, before zeros are left out."""

MOST_SUMMANDS = 250_000
"""Summands of all products: each may stand in a table."""


def suitability(function: Function) -> Facts | Reason:
    """Facts about a function, or why this schedule cannot run it."""
    try:
        return find_facts(function)
    except UnsuitableError as error:
        return Reason(str(error))


def gathering_suitability(function: Function) -> Facts | Reason:
    """The same of a function that may read where integers say: facts about what else it does."""
    if not has_integers(function):
        return function.get(suitability)
    try:
        left, gathers = without_gathers(function)
        read = {address.argument for each in gathers.values() for piece in each for address, _ in piece.sources}
        return replace(find_facts(left), gathers=gathers, members=known_arguments(function, read))
    except UnsuitableError as error:
        return Reason(str(error))


def find_facts(function: Function) -> Facts:
    """Facts about a function; raises `UnsuitableError` if this schedule cannot run it."""
    _check_launch(function)
    if operations(function) > 2 * MOST_POINTS:  # before anything is followed
        raise UnsuitableError("a product is too large for the registers of one work-item")
    places = find_places(function)
    function, stored = without_conversions(function, places)
    if stored:
        places = find_places(function)
    _check_loops(function, places)
    _check_group_ids(function, places)
    sharing = find_sharing(function, places)
    storages = find_storages(function, places, sharing)
    check_inside(function, places, storages)
    _check_types(function, storages)
    _check_memory(function, storages)
    _check_scalars(function, sharing)
    products = {each: product_of(each, places) for each in _collectives(function)}
    _check_points(products.values())
    patterns = find_patterns(function, places, storages)
    counts = {each: _count_summands(product, patterns) for each, product in products.items()}
    _check_summands(counts[each] for each in _collectives(function))
    return Facts(function, stored, places, sharing, storages, patterns, find_known(function, storages), counts)


def _check_launch(function: Function) -> None:
    if prod(function.work_items) > 1 or function.subgroup_size is not None:
        raise UnsuitableError("the function asks for work-groups of its own")


def _check_loops(function: Function, places: Places) -> None:
    if _iterations(function.body, places) > MOST_ITERATIONS:
        raise UnsuitableError(f"its loops have more than {MOST_ITERATIONS} iterations")


def _iterations(region: tl.Region, places: Places) -> int:
    """The most iterations of loops inside each other."""
    most = 1
    for instruction in region:
        inner = max((_iterations(body, places) for body in regions(instruction)), default=1)
        if isinstance(instruction, tl.For | tl.Foreach):
            inner *= len(places.loops[instruction.variable.name])
        most = max(most, inner)
    return most


def _check_group_ids(function: Function, places: Places) -> None:
    if not places.batch_modes:
        raise UnsuitableError("no argument is one for each element")
    for instruction in function.get(walked):
        is_taking = isinstance(instruction, tl.Subview) or _is_group_load(instruction)
        used = {operand.name for operand in operands(instruction) if isinstance(operand, tl.Local)}
        if used & places.group_ids and not is_taking:
            raise UnsuitableError("the number of the work-group is used for more than taking elements")


def _is_group_load(instruction: tl.Instruction) -> bool:
    return isinstance(instruction, tl.Load) and isinstance(instruction.type, GroupType)


def _check_types(function: Function, storages: Storages) -> None:
    """One floating type for all memory and all coefficients: it decides how many lanes there are."""
    elements = {storage.element for storage in storages.values()}
    elements |= {operand.type for each in _collectives(function) for operand in _scalars(each)}
    if len(elements) > 1:
        names = " and ".join(sorted(f"`{element.value}`" for element in elements))
        raise UnsuitableError(f"it mixes {names}")
    if not all(element.is_floating for element in elements):
        raise UnsuitableError("it computes with integers")


def _collectives(function: Function) -> Iterator[tl.Collective]:
    return (each for each in function.get(walked) if isinstance(each, tl.Collective))


def _scalars(instruction: tl.Collective) -> Iterator[tl.TypedScalar]:
    return (operand for operand in typed_operands(instruction) if isinstance(operand, tl.TypedScalar))


def _check_memory(function: Function, storages: Storages) -> None:
    """Elements in the lanes write memory of their own only."""
    access = argument_access(function)
    for name, storage in storages.items():
        if storage.is_argument and storage.is_uniform and access[name].is_written:
            raise UnsuitableError(f"all elements write into `%{name}`")
    if any(instruction.atomic for instruction in _collectives(function)):
        raise UnsuitableError("it updates memory atomically, which elements may share")


def _check_scalars(function: Function, sharing: Sharing) -> None:
    """Rule: a value that differs from lane to lane is a number of the element type, and nothing branches on it."""
    for instruction in function.get(walked):
        if not isinstance(instruction, tl.ValueInstruction | tl.If):
            continue
        if any(isinstance(each, tl.Local) and each.name in sharing.scalars for each in operands(instruction)):
            _check_vector_operation(instruction)


def _check_vector_operation(instruction: tl.ValueInstruction | tl.If) -> None:
    if isinstance(instruction, tl.If):
        raise UnsuitableError("it branches on what differs from element to element")
    if isinstance(instruction, tl.Cast):
        raise UnsuitableError("it converts what differs from element to element")
    if isinstance(instruction, tl.ArithBinary) and instruction.operator is tl.BinaryOperator.REM:
        raise UnsuitableError("it takes remainders of what differs from element to element")
    if result_type(instruction) is ScalarType.BOOL:
        raise UnsuitableError("it compares what differs from element to element")


def _check_points(products: Iterable[ProductSum]) -> None:
    if any(prod(term.shape) > MOST_POINTS for product in products for term in product.terms):
        raise UnsuitableError("a product is too large for the registers of one work-item")


def _count_summands(product: ProductSum, patterns: Patterns) -> int:
    return sum(int(np.count_nonzero(summands(term, patterns))) for term in product.terms)


def _check_summands(counts: Iterable[int]) -> None:
    if sum(counts) > MOST_SUMMANDS:
        raise UnsuitableError(f"it has more than {MOST_SUMMANDS} multiplications for one element")

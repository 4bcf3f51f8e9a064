"""Which positions of each memory are kept: one pattern for the whole function.

An entry outside of its pattern is zero whenever it is read, so that it has no place, and is neither read nor written.
These are the entries that the facts leave out. Where an index counts a loop, all entries that it meets belong to the
pattern, because the code that runs in every iteration cannot skip those of one.
"""

from collections.abc import Collection, Mapping
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.core.runs import Mask, mask_from_runs
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.interpret.patterns import stated_mask
from einsum_front.tl_backend.program import Fact, Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.positions.places import Place, Places, UnsuitableError, element_type
from einsum_front.tl_backend.schedules.positions.product import ProductSum, StridedFactor, Term
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import operands, regions, results, walked
from einsum_front.tl_backend.types import MemrefType, ScalarType

# -- the memories of a function ----------------------------------------------------------------------------------------
# Arguments and temporaries, each one for the whole batch or one for each lane.


@dataclass(frozen=True, slots=True)
class Storage:
    """The memory of one base, of one element if there is one for each.

    `is_uniform` says that it is batch-invariant; a temporary is that if it is computed from such memory only.
    """

    name: str
    memref: MemrefType
    is_argument: bool
    is_uniform: bool

    @property
    def element(self) -> ScalarType:
        """The type of its entries."""
        return self.memref.element

    @property
    def span(self) -> int:
        """Positions from the first to the last entry, both included."""
        modes = zip(self.memref.shape, self.memref.strides, strict=True)
        return 1 + sum(((size or 1) - 1) * (stride or 0) for size, stride in modes)


Storages = Mapping[str, Storage]
"""The memories by the name of their base."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Values that differ from lane to lane: bases of memory, and scalars."""

    bases: frozenset[str]
    scalars: frozenset[str]


def find_storages(function: Function, places: Places, sharing: Sharing) -> Storages:
    """The memories that the function uses, arguments first."""
    storages = {}
    for argument in function.arguments:
        name = argument.name.name
        if name in places.batch_modes:
            memref = element_type(places.batches[name], places.batch_modes[name])
            storages[name] = Storage(name, memref, True, False)
        elif name in places.memrefs and isinstance(argument.type, MemrefType):
            storages[name] = Storage(name, argument.type, True, True)
    for instruction in function.get(walked):
        if isinstance(instruction, tl.Alloca):
            name = instruction.result.name
            storages[name] = Storage(name, instruction.type, False, name not in sharing.bases)
    return storages


def find_sharing(function: Function, places: Places) -> Sharing:
    """Follows what differs from lane to lane through the function, until loops add nothing."""
    bases, scalars = set(places.batch_modes), set[str]()
    size = -1
    while size < len(bases) + len(scalars):
        size = len(bases) + len(scalars)
        for instruction in function.get(walked):
            if _differs(instruction, places, bases, scalars):
                bases.update(places.place(memref).base for memref in writes(instruction))
                if isinstance(instruction, tl.If | tl.ValueInstruction):
                    scalars.update(local.name for local in results(instruction))
    return Sharing(frozenset(bases), frozenset(scalars))


def _differs(instruction: tl.Instruction, places: Places, bases: set[str], scalars: set[str]) -> bool:
    """True if the instruction computes with something that differs from lane to lane."""
    memory = {places.place(memref).base for memref in reads(instruction)}
    yielded = [region[-1] for region in regions(instruction) if region and isinstance(region[-1], tl.Yield)]
    used = [operand for each in (instruction, *yielded) for operand in operands(each)]
    return bool(memory & bases) or any(isinstance(operand, tl.Local) and operand.name in scalars for operand in used)


def check_inside(function: Function, places: Places, storages: Storages) -> None:
    """Raises `UnsuitableError` if a view or an entry is outside of its memory in some iteration."""
    for name, place in places.memrefs.items():
        modes = zip(place.shape, place.strides, strict=True)
        _check(name, place, place.offset, sum((size - 1) * stride for size, stride in modes), places, storages)
    for instruction in function.get(walked):
        if isinstance(instruction, tl.Load | tl.Store):
            memref = instruction.operand if isinstance(instruction, tl.Load) else instruction.target
            whole = places.memrefs.get(memref.name)
            if whole is not None:
                entry = whole.at(tuple(map(places.index, instruction.indices)))
                _check(memref.name, whole, entry, 0, places, storages)


def _check(name: str, place: Place, first: Affine, span: int, places: Places, storages: Storages) -> None:
    counted = [(places.loops[variable], factor) for variable, factor in first.terms]
    if place.base not in storages or not prod(len(positions) for positions, _ in counted):
        return
    ends = [sorted((positions[0] * factor, positions[-1] * factor)) for positions, factor in counted]
    lowest = first.constant + sum(low for low, _ in ends)
    highest = first.constant + sum(high for _, high in ends) + span
    if lowest < 0 or highest >= storages[place.base].span:
        raise UnsuitableError(f"`%{name}` leaves its memory in some iteration")


Patterns = Mapping[str, Mask]
"""For every base the positions that are kept."""

MOST_POSITIONS = 1 << 22
"""Positions of a memory whose pattern is followed: of a larger argument that is uniform, all are kept."""


def find_patterns(function: Function, places: Places, storages: Storages) -> Patterns:
    """What the facts state, and what moves with a loop; raises `UnsuitableError` if an element is too large."""
    stated = {each.result.name: each.nonzeros for each in function.get(walked) if isinstance(each, tl.Alloca)}
    patterns: dict[str, Mask] = {}
    for name, storage in storages.items():
        shape = _ints(storage.memref.shape)
        runs, facts = stated.get(name), _facts(name, function, places)
        is_stated = any(isinstance(fact, Nonzeros | Values) for fact in facts)
        if storage.is_argument and storage.is_uniform and (not is_stated or storage.span > MOST_POSITIONS):
            patterns[name] = np.broadcast_to(np.True_, storage.span)
            continue
        if storage.span > MOST_POSITIONS:
            raise UnsuitableError(f"`%{name}` has {storage.span} entries for an element, more than {MOST_POSITIONS}")
        entries = stated_mask(facts, shape) if runs is None else mask_from_runs(runs, shape)
        patterns[name] = np.zeros(storage.span, np.bool_)
        patterns[name][memory_positions(storage)] = entries.ravel(order="F")
    for instruction in function.get(walked):
        if isinstance(instruction, tl.Load | tl.Store):
            _add_entry(instruction, places, patterns)
        elif isinstance(instruction, tl.Collective):
            for memref in (*reads(instruction), *writes(instruction)):
                _add_moving(places.place(memref), places, patterns)
    return patterns


def _facts(name: str, function: Function, places: Places) -> list[Fact]:
    """The facts about an argument; those that count the entries of more than an element say nothing about one."""
    facts = [fact for fact in function.facts if fact.argument == name]
    mode = places.batch_modes.get(name)
    is_understood = mode is None or mode == function.batch_modes.get(name)
    return facts if is_understood else []


def _ints(extents: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(extent for extent in extents if extent is not None)


def memory_positions(storage: Storage) -> NDArray[np.int64]:
    """The positions of all entries of a memory, first mode fastest: what facts count."""
    memref = storage.memref
    return entry_positions(Place(storage.name, Affine(0), _ints(memref.shape), _ints(memref.strides)))


def entry_positions(place: Place) -> NDArray[np.int64]:
    """The positions of all entries, first mode fastest, without the loops' share of the offset."""
    positions = np.array([place.offset.constant], np.int64)
    for size, stride in zip(place.shape, place.strides, strict=True):
        positions = (np.arange(size, dtype=np.int64)[:, None] * stride + positions).reshape(-1)
    return positions


def _add_moving(place: Place, places: Places, patterns: dict[str, Mask]) -> None:
    """All that a view meets while it moves with a loop."""
    if place.offset.terms and place.base in patterns and patterns[place.base].flags.writeable:
        entries = entry_positions(place) - place.offset.constant
        for offset in places.values(place.offset):
            patterns[place.base][entries + offset] = True


def _add_entry(instruction: tl.Load | tl.Store, places: Places, patterns: dict[str, Mask]) -> None:
    """A stored entry; a loaded one too if it is not the same in every iteration."""
    memref = instruction.operand if isinstance(instruction, tl.Load) else instruction.target
    place = places.memrefs.get(memref.name)
    if place is None:
        return
    position = place.at(tuple(map(places.index, instruction.indices)))
    if (position.terms or isinstance(instruction, tl.Store)) and patterns[place.base].flags.writeable:
        patterns[place.base][list(places.values(position))] = True


def summands(term: Term, patterns: Patterns) -> Mask:
    """The summands, rows x columns x depth, that may differ from zero."""
    joined = np.ones((1, 1, 1), np.bool_)
    for factor in term.factors:
        joined = joined & factor_mask(factor, term.shape, patterns)
    return np.broadcast_to(joined, term.shape)


def _written_mask(product: ProductSum, patterns: Patterns) -> Mask:
    """The entries of the target, rows x columns, that the terms add something to."""
    mask = np.zeros((product.rows, product.columns), np.bool_)
    for term in product.terms:
        mask[np.ix_(term.rows, term.columns)] |= summands(term, patterns).any(axis=2)
    return mask


def stored_mask(product: ProductSum, patterns: Patterns) -> Mask:
    """The entries of the target, rows x columns, that get a new value."""
    kept = patterns[product.target.base][product.target_positions]
    return kept & _written_mask(product, patterns) if product.is_partial or product.beta.is_number(1) else kept


def factor_mask(factor: StridedFactor, shape: tuple[int, int, int], patterns: Patterns) -> Mask:
    """The entries of a factor that may differ from zero; an axis that it does not run with has one entry."""
    positions = factor.positions(shape)
    if factor.offset.terms:
        return np.ones(positions.shape, np.bool_)
    return patterns[factor.base][positions]


Numbers = NDArray[np.floating[Any]]
"""Numbers of the element type."""

Known = Mapping[str, Numbers]
"""For the arguments whose values are known, the number at every position; between entries it is 0."""


def find_known(function: Function, storages: Storages) -> Known:
    """Facts about the values of arguments."""
    facts = [fact for fact in function.facts if isinstance(fact, Values) and fact.argument in storages]
    return {fact.argument: _numbers(fact, storages[fact.argument]) for fact in facts}


def known_arguments(function: Function, names: Collection[str]) -> Known:
    """The same of arguments that all elements have together."""
    types = {each.name.name: each.type for each in function.arguments if each.name.name in names}
    storages = {
        name: Storage(name, type_, True, True)
        for name, type_ in types.items()
        if isinstance(type_, MemrefType) and None not in (*type_.shape, *type_.strides)
    }
    return find_known(function, storages)


def _numbers(fact: Values, storage: Storage) -> Numbers:
    numbers = np.zeros(storage.span, DTYPES[storage.element])
    if fact.entries:
        entries, values = zip(*fact.entries, strict=True)
        numbers[memory_positions(storage)[list(entries)]] = values
    return numbers

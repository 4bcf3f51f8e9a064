"""Which entries of each memory may differ from zero, at any time: one pattern for the whole function.

A pattern grows until every write fits into it: an entry outside is zero whenever it is read, so that it is neither kept
nor read nor written. Where an index counts a loop, all entries that it meets belong to the pattern, because the code
that runs in every iteration cannot skip those of one.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.instructions import Collective, Load, Store
from einsum_front.tl_backend.program import Function, Nonzeros, Values
from einsum_front.tl_backend.schedules.batch_simd.places import Place, Places
from einsum_front.tl_backend.schedules.batch_simd.product import Factor, Product, Term
from einsum_front.tl_backend.schedules.batch_simd.storage import Storage, Storages
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import walk

Mask = NDArray[np.bool_]
Patterns = Mapping[str, Mask]
"""For every base the positions that may differ from zero."""


def find_patterns(function: Function, places: Places, storages: Storages, products: Sequence[Product]) -> Patterns:
    """The least patterns that hold what the facts allow and what the function writes; it has these products."""
    patterns = {name: _initial(storage, function) for name, storage in storages.items()}
    for instruction in walk(function.body):
        if isinstance(instruction, Load | Store):
            _add_entry(instruction, places, patterns)
        elif isinstance(instruction, Collective):
            for memref in (*reads(instruction), *writes(instruction)):
                _add_moving(places.place(memref), places, patterns)
    readers: dict[str, list[int]] = {}
    for number, product in enumerate(products):
        for base in product.read:
            readers.setdefault(base, []).append(number)
    pending = dict.fromkeys(range(len(products)))
    while pending:
        number = next(iter(pending))
        del pending[number]
        if _add_product(products[number], patterns):
            pending |= dict.fromkeys(readers.get(products[number].target.base, ()))
    return patterns


def _initial(storage: Storage, function: Function) -> Mask:
    """What the facts leave of an argument; nothing of a temporary."""
    pattern = np.zeros(storage.span, np.bool_)
    if not storage.is_argument:
        return pattern
    positions = argument_positions(storage)
    pattern[positions] = True
    for fact in function.facts:
        if isinstance(fact, Nonzeros) and fact.argument == storage.name:
            kept = [number for start, stop in fact.runs for number in range(start, stop)]
        elif isinstance(fact, Values) and fact.argument == storage.name:
            kept = [number for number, value in fact.entries if value != 0]
        else:
            continue
        pattern[np.delete(positions, kept)] = False
    return pattern


def _ints(extents: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple(extent for extent in extents if extent is not None)


def argument_positions(storage: Storage) -> NDArray[np.int64]:
    """The positions of all entries of an argument, first mode fastest: what facts count."""
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
    if place.offset.terms and place.base in patterns:
        entries = entry_positions(place) - place.offset.constant
        for offset in places.values(place.offset):
            patterns[place.base][entries + offset] = True


def _add_entry(instruction: Load | Store, places: Places, patterns: dict[str, Mask]) -> None:
    """A stored entry; a loaded one too if it is not the same in every iteration."""
    memref = instruction.operand if isinstance(instruction, Load) else instruction.target
    place = places.memrefs.get(memref.name)
    if place is None:
        return
    position = place.at(tuple(map(places.index, instruction.indices)))
    if position.terms or isinstance(instruction, Store):
        patterns[place.base][list(places.values(position))] = True


def _add_product(product: Product, patterns: dict[str, Mask]) -> bool:
    """Adds what the product writes; whether that is new."""
    written = product.target_positions[written_mask(product, patterns)]
    pattern = patterns[product.target.base]
    is_new = not pattern[written].all()
    pattern[written] = True
    return is_new


def summands(term: Term, patterns: Patterns) -> Mask:
    """The summands, rows x columns x depth, that may differ from zero."""
    joined = np.ones((1, 1, 1), np.bool_)
    for factor in term.factors:
        joined = joined & factor_mask(factor, term.shape, patterns)
    return np.broadcast_to(joined, term.shape)


def written_mask(product: Product, patterns: Patterns) -> Mask:
    """The entries of the target, rows x columns, that the terms add something to."""
    mask = np.zeros((product.rows, product.columns), np.bool_)
    for term in product.terms:
        mask[np.ix_(term.rows, term.columns)] |= summands(term, patterns).any(axis=2)
    return mask


def stored_mask(product: Product, patterns: Patterns) -> Mask:
    """The entries of the target, rows x columns, that get a new value."""
    if product.is_partial or product.beta.is_number(1):
        return written_mask(product, patterns)
    return patterns[product.target.base][product.target_positions]


def factor_mask(factor: Factor, shape: tuple[int, int, int], patterns: Patterns) -> Mask:
    """The entries of a factor that may differ from zero; an axis that it does not run with has one entry."""
    positions = factor.positions(shape)
    if factor.offset.terms:
        return np.ones(positions.shape, np.bool_)
    return patterns[factor.base][positions]

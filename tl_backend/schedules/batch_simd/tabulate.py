"""Tables of rows for products: their orientation, their groups of rows, and where all operands are.

Rows of a table that are summed up together, because they have about the same summands.

An entry that was loaded for one row then serves the others as well. Rows without some summand of their group have a
value of zero for it, where values are packed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.schedules.batch_simd.sparsity import Sparsity
from einsum_front.tl_backend.schedules.batch_simd.table import Operand, RowTable, blocks_of, cycles
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Points, Positions, ProductSum, StridedFactor, Term
from einsum_front.tl_backend.semantics import Axis

MANY_PRODUCTS = 12
"""Products of a function from which on pairs of rows are not worth their code, a bound on the time to compile.

They make `localFlux_2` 3% faster; in the element-local part of a time step, with 45 products, their loops were a third
of all and took a third of the time to build.
"""


@dataclass(frozen=True, slots=True)
class _Orientation:
    """The axis of the target that the rows are, and the other one."""

    rows: Axis
    columns: Axis


ORIENTATIONS = (_Orientation(Axis.M, Axis.N), _Orientation(Axis.N, Axis.M))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The factors of a term that are its value and its entry."""

    term: Term
    value: StridedFactor | None
    entry: StridedFactor | None


def row_tables(sparsity: Sparsity, facts: Facts) -> tuple[RowTable, ...] | None:
    """The tables that take the least time.

    None if some factor runs with rows and columns, if terms do not fit together, or if there are too many.
    """
    limits = facts.machine.batch_simd.tables
    possible = [
        _Tables(sparsity, orientation, parts, facts)
        for orientation in ORIENTATIONS
        if (parts := _find_parts(sparsity.product, orientation, facts)) is not None
    ]
    small = [each for each in possible if len(each.blocks) <= limits.most]
    best = min((each.cycles_alone for each in small), default=0.0)
    tables = [tuple(each.tables()) for each in small if each.cycles_alone <= limits.similar * best]
    return min(tables, key=lambda tables: sum(table.cycles(facts) for table in tables), default=None)


def _find_parts(product: ProductSum, orientation: _Orientation, facts: Facts) -> list[_Parts] | None:
    """The parts of all terms, None if they do not fit into one table."""
    found = [parts for term in product.terms if (parts := _parts(term, orientation)) is not None]
    kinds = {_kind(parts, orientation, facts) for parts in found}
    return found if len(found) == len(product.terms) and len(kinds) == 1 else None


def _parts(term: Term, orientation: _Orientation) -> _Parts | None:
    """Value and entry, None if one of them runs with rows and columns."""
    values = [factor for factor in term.factors if factor.strides[orientation.columns] is None]
    entries = [factor for factor in term.factors if factor.strides[orientation.columns] is not None]
    if len(values) > 1:  # the one that does not run with the rows either can be the entry
        values.sort(key=lambda factor: factor.strides[orientation.rows] is None)
        entries.append(values.pop())
    if len(values) > 1 or len(entries) > 1 or any(entry.strides[orientation.rows] is not None for entry in entries):
        return None
    return _Parts(term, next(iter(values), None), next(iter(entries), None))


def _kind(parts: _Parts, orientation: _Orientation, facts: Facts) -> object:
    """Common property of the terms of one table.

    Values that are batch-invariant may come from anywhere: they are packed, and alpha with them if it can be.
    """
    term, value, entry = parts.term, parts.value, parts.entry
    is_packed = value is not None and facts.is_uniform(value.base)
    alpha = None if is_packed and not facts.differs(term.alpha.value) else term.alpha
    of_value = None if is_packed or value is None else value.offset.terms
    of_entry = None
    if entry is not None:
        of_entry = entry.base if facts.is_uniform(entry.base) else None, entry.offset.terms
    return is_packed, alpha, of_value, of_entry, _step(entry, orientation)


def _step(entry: StridedFactor | None, orientation: _Orientation) -> int:
    return 0 if entry is None else entry.strides[orientation.columns] or 0


class _Tables:
    """The tables of a product whose rows run with one axis: some for each run of columns that are alike."""

    def __init__(self, sparsity: Sparsity, orientation: _Orientation, parts: list[_Parts], facts: Facts) -> None:
        self._sparsity = sparsity
        self._orientation = orientation
        self._parts = parts
        values = [part.value.base for part in parts if part.value is not None]
        self._is_packed = bool(values) and all(map(facts.is_uniform, values))
        self._is_long = len(facts.counts) > MANY_PRODUCTS
        self._depths = max(part.term.depth for part in parts)
        axis = orientation.columns
        self.blocks = [run for run in sparsity.alike[axis] if sparsity.kept_in(axis, run.start).size]
        entry = parts[0].entry
        self._is_spread = entry is not None and facts.is_uniform(entry.base)
        self._registers, self._times = facts.registers, facts.machine.batch_simd.tables

    @property
    def cycles_alone(self) -> float:
        """How long the tables take with every row alone."""
        return sum(self._cycles_alone(block) for block in self.blocks)

    def _cycles_alone(self, block: range) -> float:
        axis = self._orientation.columns
        rows = self._sparsity.kept_in(axis, block.start).size
        count = int(self._sparsity.counts_in(axis, block.start).sum())
        blocks = blocks_of(len(block), 1, self._registers, self._times)
        return cycles(rows, count, 1, blocks, self._times, self._is_spread)

    def tables(self) -> Iterator[RowTable]:
        """The tables in the order of their columns, one for each height of the groups into which rows come."""
        for block in self.blocks:
            rows = self._sparsity.kept_in(self._orientation.columns, block.start)
            keys, holds = self._summands(block.start, rows)
            for members in self._groups(holds, len(block)):
                yield self._table(block, rows, keys, holds, members)

    def _groups(self, holds: Mask, columns: int) -> list[Positions]:
        """Groups of rows if they save time, otherwise every row alone."""
        alone = [np.arange(holds.shape[0])[:, None]]
        if self._parts[0].entry is None:
            return alone
        groups = find_groups(holds, self._times.rows, self._times.waste if self._is_packed else 1.0)
        if self._is_long:
            groups = without_pairs(groups)
        worthwhile = self._times.worthwhile if self._registers < 32 else self._times.worthwhile_wide
        is_worth = self._cycles(groups, holds, columns) < worthwhile * self._cycles(alone, holds, columns)
        return groups if is_worth else alone

    def _cycles(self, groups: Sequence[Positions], holds: Mask, columns: int) -> float:
        """How long tables of these groups take."""
        counts = (int(np.count_nonzero(holds[members].any(axis=1))) for members in groups)
        blocks = (blocks_of(columns, members.shape[1], self._registers, self._times) for members in groups)
        shapes = (members.shape for members in groups)
        loops = zip(shapes, counts, blocks, strict=True)
        return sum(cycles(rows, count, height, of, self._times) for (rows, height), count, of in loops)

    def _summands(self, column: int, rows: Positions) -> tuple[Positions, Mask]:
        """All summands of a column, as numbers made of term and depth, and which of them each row has."""
        holds = np.zeros((self._sparsity.kept.shape[self._orientation.rows], len(self._parts), self._depths), np.bool_)
        for number, part in enumerate(self._parts):
            run = part.term.along(self._orientation.columns)
            if column in run:
                mask = self._sparsity.terms[number].take(column - run.start, self._orientation.columns)
                along = part.term.along(self._orientation.rows)
                holds[along.start : along.stop, number, : part.term.depth] = mask
        flat = holds[rows].reshape(rows.size, -1)
        keys = np.flatnonzero(flat.any(axis=0))
        return keys, flat[:, keys]

    def _table(self, block: range, rows: Positions, keys: Positions, holds: Mask, members: Positions) -> RowTable:
        """The table of the rows that are members of groups of one height."""
        product, axis = self._sparsity.product, self._orientation.columns
        together = holds[members].any(axis=1)
        group, key = np.nonzero(together)
        terms, depths = np.divmod(keys[key], self._depths)
        summands = _Summands(terms, depths, rows[members[group]], block.start, self._orientation, self._parts)
        return RowTable(
            targets=np.asarray(product.target_positions.take(block.start, axis))[rows[members]],
            starts=np.append(0, np.count_nonzero(together, axis=1).cumsum()),
            terms=terms,
            holds=holds[members[group], key[:, None]],
            values=summands.values(),
            entries=summands.entries(),
            columns=len(block),
            target_step=product.target.strides[axis] or 0,
            entry_step=_step(self._parts[0].entry, self._orientation),
            registers=self._registers,
            times=self._times,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Summands:
    """Summands of a column: their terms and depths, and the rows of the group that each is in, summands x height."""

    terms: Positions
    depths: Positions
    rows: Positions
    column: int
    orientation: _Orientation
    parts: Sequence[_Parts]

    def values(self) -> Operand | None:
        """The values, for each row of the group."""
        return self._operand([part.value for part in self.parts], self.rows)

    def entries(self) -> Operand | None:
        """The entries, which are the same for all rows."""
        entries = self._operand([part.entry for part in self.parts], self.rows[:, :1])
        return None if entries is None else replace(entries, positions=entries.positions[:, 0])

    def _operand(self, factors: Sequence[StridedFactor | None], rows: Positions) -> Operand | None:
        """The values or the entries of all terms; None if they have none, which is so for all or for none."""
        known = [factor for factor in factors if factor is not None]
        if not known:
            return None
        positions = np.zeros_like(rows)
        for number, factor in enumerate(known):
            mine = self.terms == number
            positions[mine] = factor.at(self._points(self.parts[number].term, rows[mine], self.depths[mine]))
        moving = tuple(factor.offset.terms for factor in known)
        return Operand(tuple(factor.base for factor in known), moving, positions)

    def _points(self, term: Term, rows: Positions, depths: Positions) -> Points:
        along = rows - term.along(self.orientation.rows).start
        across = np.full_like(rows, self.column - term.along(self.orientation.columns).start)
        deep = np.broadcast_to(depths[:, None], rows.shape)
        return (along, across, deep) if self.orientation.rows is Axis.M else (across, along, deep)


def entry_table(sparsity: Sparsity, facts: Facts) -> RowTable:
    """A table with a row for every entry of the target, column by column, for a product of one term."""
    (term,) = sparsity.product.terms
    (mask,) = sparsity.terms
    columns, rows, depths = np.nonzero(mask.transpose(1, 0, 2))
    kept = np.argwhere(sparsity.kept.T) @ (sparsity.kept.shape[0], 1)
    of_summands = (columns + term.columns.start) * sparsity.kept.shape[0] + rows + term.rows.start
    *value, entry = sorted(term.factors, key=lambda factor: not facts.is_uniform(factor.base))
    points = rows, columns, depths
    return RowTable(
        targets=sparsity.product.target_positions.T[sparsity.kept.T][:, None],
        starts=np.append(np.searchsorted(of_summands, kept), of_summands.size),
        terms=np.zeros_like(rows),
        holds=np.ones((rows.size, 1), np.bool_),
        values=_only(value[0], value[0].at(points)[:, None]) if value else None,
        entries=_only(entry, entry.at(points)),
        columns=1,
        target_step=0,
        entry_step=0,
        registers=facts.registers,
        times=facts.machine.batch_simd.tables,
    )


def _only(factor: StridedFactor, positions: Positions) -> Operand:
    """The operand of a product with one term."""
    return Operand((factor.base,), (factor.offset.terms,), positions)


# -- groups ------------------------------------------------------------------------------------------------------------


PAIR = 2

STRETCH = 128
"""Rows among which partners are sought: the time for it grows with the square."""


def find_groups(holds: Mask, most: int, waste: float) -> list[Positions]:
    """The rows in groups of 1, 2, 4, … up to `most`: an array, groups x height, for each height, the largest first.

    `holds` says for each row which summands (the columns) it has. A group has at most `waste` times the multiplications
    that its rows need, those by zeros included.
    """
    groups = np.arange(holds.shape[0])[:, None]
    found: list[Positions] = []
    while groups.shape[1] < most and groups.shape[0] > 1:
        partners = _find_partners(holds[groups], waste)
        is_alone = partners == np.arange(partners.size)
        found.append(groups[is_alone])
        firsts = np.flatnonzero(np.arange(partners.size) < partners)
        groups = np.concatenate((groups[firsts], groups[partners[firsts]]), axis=1)
    return [each for each in (groups, *reversed(found)) if each.size]


def without_pairs(groups: list[Positions]) -> list[Positions]:
    """The same groups, but the rows of those of two are alone."""
    alone = [each.ravel() for each in groups if each.shape[1] <= PAIR]
    larger = [each for each in groups if each.shape[1] > PAIR]
    return [*larger, np.sort(np.concatenate(alone))[:, None]] if alone else larger


def _find_partners(holds: Mask, most_waste: float) -> Positions:
    """The number of the partner of each group, its own if it stays alone: who fits best comes first.

    `holds` are groups x height x summands.
    """
    partners = np.arange(holds.shape[0])
    for start in range(0, holds.shape[0], STRETCH):
        is_free = [True] * min(STRETCH, holds.shape[0] - start)
        for one, other in _candidates(holds[start : start + STRETCH], most_waste):
            if is_free[one] and is_free[other]:
                is_free[one] = is_free[other] = False
                partners[[start + one, start + other]] = start + other, start + one
    return partners


def _candidates(holds: Mask, most_waste: float) -> list[list[int]]:
    """Pairs of groups, those that waste least first, and among these those of neighbours."""
    together = np.asarray(holds.any(axis=1), np.float32)
    one, other = _pairs(holds.shape[0])
    lengths, needed = together.sum(axis=1), np.count_nonzero(holds, axis=(1, 2))
    joined = lengths[one] + lengths[other] - (together @ together.T)[one, other]
    waste = 2 * holds.shape[1] * joined / np.maximum(needed[one] + needed[other], 1)
    order = np.lexsort((one, other - one, waste))
    order = order[waste[order] <= most_waste]
    return np.stack((one[order], other[order]), axis=1).tolist()  # type: ignore[no-any-return]  # lists of two numbers


@cache
def _pairs(count: int) -> tuple[Positions, Positions]:
    """The numbers of all pairs of so many things."""
    return np.triu_indices(count, 1)

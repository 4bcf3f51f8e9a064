"""Products as tables of rows: for each row the summands that may differ from zero, for a block of columns at once.

    for every row:  for every summand of the row:  for every column of the block:
        sum[column] += value of the summand * entry of the summand, moved by the column

The *value* differs from row to row, not from column to column, and the *entry* the other way round: a value that was
loaded once serves all columns. Either may be missing. Rows and columns may be those of the target or the reverse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tl_backend.opencl.lanes.facts import Facts
from tl_backend.opencl.lanes.product import Axis, Factor, Points, Positions, Product, Term
from tl_backend.opencl.lanes.sparsity import Sparsity

NOTHING: Positions = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """The values, or the entries: their base in each term of the product, and their position in each summand.

    Positions lack the loops' share.
    """

    bases: tuple[str, ...]
    positions: Positions


@dataclass(frozen=True, slots=True, eq=False)
class RowTable:
    """Rows that have `columns` columns with the same summands; positions move by a step from column to column.

    `targets` are the positions of the first column of the rows, `starts` the numbers of their first summands and, at
    the end, that of all summands; `terms` says of which term of the product each summand is.
    """

    targets: Positions
    starts: Positions
    terms: Positions
    values: Operand | None
    entries: Operand | None
    columns: int
    target_step: int
    entry_step: int

    @property
    def count(self) -> int:
        """The number of summands of a column."""
        return self.terms.size

    def bases(self, operand: Operand) -> set[str]:
        """The bases of the values, or of the entries, of all summands."""
        return {operand.bases[term] for term in np.unique(self.terms)}

    def loads(self, facts: Facts) -> int:
        """How many numbers are loaded to compute it."""
        return _loads(self.count, self.columns, self.entries.bases[0] if self.entries is not None else None, facts)


def _loads(count: int, columns: int, entry: str | None, facts: Facts) -> int:
    """A scalar that a single column needs is spread over a vector: that takes as long as another load."""
    is_spread = entry is not None and facts.is_uniform(entry)
    return count * (1 + columns * (2 if is_spread else 1))


@dataclass(frozen=True, slots=True)
class _Orientation:
    """The axis of the target that the rows are, and the other one."""

    rows: Axis
    columns: Axis


ORIENTATIONS = (_Orientation(Axis.ROW, Axis.COLUMN), _Orientation(Axis.COLUMN, Axis.ROW))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The factors of a term that are its value and its entry."""

    term: Term
    value: Factor | None
    entry: Factor | None


def row_tables(sparsity: Sparsity, facts: Facts, most: int) -> tuple[RowTable, ...] | None:
    """The tables that load least.

    None if some factor runs with rows and columns, if terms do not fit together, or if there are more than `most`.
    """
    possible = [
        _Tables(sparsity, orientation, parts)
        for orientation in ORIENTATIONS
        if (parts := _find_parts(sparsity.product, orientation, facts)) is not None
    ]
    best = min(possible, key=lambda tables: tables.loads(facts), default=None)
    return None if best is None or len(best.blocks) > most else tuple(best.tables())


def _find_parts(product: Product, orientation: _Orientation, facts: Facts) -> list[_Parts] | None:
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
    """What the terms of one table have in common.

    Values that are one for the whole batch may come from anywhere: they are packed, and alpha with them if it can be.
    """
    term, value, entry = parts.term, parts.value, parts.entry
    is_packed = value is not None and facts.is_uniform(value.base)
    alpha = None if is_packed and not facts.differs(term.alpha.value) else term.alpha
    of_value = None if is_packed or value is None else value.offset.terms
    of_entry = None
    if entry is not None:
        of_entry = entry.base if facts.is_uniform(entry.base) else None, entry.offset.terms
    return is_packed, alpha, of_value, of_entry, _step(entry, orientation)


def _step(entry: Factor | None, orientation: _Orientation) -> int:
    return 0 if entry is None else entry.strides[orientation.columns] or 0


class _Tables:
    """The tables of a product whose rows run with one axis: one for each run of columns that are alike."""

    def __init__(self, sparsity: Sparsity, orientation: _Orientation, parts: list[_Parts]) -> None:
        self._sparsity = sparsity
        self._orientation = orientation
        self._parts = parts
        axis = orientation.columns
        self.blocks = [run for run in sparsity.alike[axis] if sparsity.kept_in(axis, run.start).size]

    def loads(self, facts: Facts) -> int:
        """How many numbers the tables load."""
        entry = self._parts[0].entry
        base = None if entry is None else entry.base
        axis = self._orientation.columns
        counts = (int(self._sparsity.counts_in(axis, run.start).sum()) for run in self.blocks)
        return sum(_loads(count, len(run), base, facts) for count, run in zip(counts, self.blocks, strict=True))

    def tables(self) -> Iterator[RowTable]:
        """The tables in the order of their columns."""
        yield from map(self._table, self.blocks)

    def _table(self, block: range) -> RowTable:
        product, axis = self._sparsity.product, self._orientation.columns
        rows = self._sparsity.kept_in(axis, block.start)
        points = [self._points(number, block.start) for number in range(len(self._parts))]
        firsts = [parts.term.along(self._orientation.rows).start for parts in self._parts]
        along = [each[self._orientation.rows] + first for each, first in zip(points, firsts, strict=True)]
        of_rows = np.concatenate(along)
        order = np.argsort(of_rows, kind="stable")
        return RowTable(
            targets=np.asarray(product.target_positions.take(block.start, axis))[rows],
            starts=_starts(rows, of_rows[order]),
            terms=np.repeat(np.arange(len(points)), [each[Axis.DEPTH].size for each in points])[order],
            values=_operand([parts.value for parts in self._parts], points, order),
            entries=_operand([parts.entry for parts in self._parts], points, order),
            columns=len(block),
            target_step=product.target.strides[axis] or 0,
            entry_step=_step(self._parts[0].entry, self._orientation),
        )

    def _points(self, number: int, column: int) -> Points:
        """The summands of a term in a column, row by row."""
        rows, columns = self._orientation.rows, self._orientation.columns
        mask, run = self._sparsity.terms[number], self._parts[number].term.along(columns)
        if column not in run:
            return NOTHING, NOTHING, NOTHING
        along, depths = np.nonzero(mask.take(column - run.start, columns))
        across = np.full_like(along, column - run.start)
        return (along, across, depths) if rows is Axis.ROW else (across, along, depths)


def _starts(rows: Positions, of_summands: Positions) -> Positions:
    """The first summand of each row, and behind the last one, if the summands are sorted by their rows."""
    return np.append(np.searchsorted(of_summands, rows), of_summands.size)


def _operand(factors: Sequence[Factor | None], points: Sequence[Points], order: Positions) -> Operand | None:
    """The values or the entries of all terms in this order; None if they have none, which is so for all or for none."""
    known = [factor for factor in factors if factor is not None]
    if not known:
        return None
    positions = [factor.at(each) for factor, each in zip(known, points, strict=True)]
    return Operand(tuple(factor.base for factor in known), np.concatenate(positions)[order])


def entry_table(sparsity: Sparsity, facts: Facts) -> RowTable:
    """A table with a row for every entry of the target, column by column, for a product of one term."""
    (term,) = sparsity.product.terms
    (mask,) = sparsity.terms
    columns, rows, depths = np.nonzero(mask.transpose(1, 0, 2))
    kept = np.argwhere(sparsity.kept.T) @ (sparsity.kept.shape[0], 1)
    of_summands = (columns + term.columns.start) * sparsity.kept.shape[0] + rows + term.rows.start
    *value, entry = sorted(term.factors, key=lambda factor: not facts.is_uniform(factor.base))
    points = [(rows, columns, depths)]
    order = np.arange(of_summands.size)
    return RowTable(
        targets=sparsity.product.target_positions.T[sparsity.kept.T],
        starts=_starts(kept, of_summands),
        terms=np.zeros_like(rows),
        values=_operand(value, points, order) if value else None,
        entries=_operand([entry], points, order),
        columns=1,
        target_step=0,
        entry_step=0,
    )

"""Products as tables of rows: for each row the summands that may differ from zero, for a block of columns at once.

    for every row:  for every summand of the row:  for every column of the block:
        sum[column] += value of the summand * entry of the summand, moved by the column

The *value* differs from row to row, not from column to column, and the *entry* the other way round: a value that was
loaded once serves all columns. Either may be missing. Rows and columns may be those of the target or the reverse.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tl_backend.opencl.lanes.facts import Facts
from tl_backend.opencl.lanes.product import Axis, Factor, Product, Term
from tl_backend.opencl.lanes.zeros import Mask, Patterns, stored_mask, summands


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a base: its position, without the loops' share."""

    base: str
    position: int


@dataclass(frozen=True, slots=True)
class Summand:
    """`value * entry` of the term with this number."""

    term: int
    value: Entry | None
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the target: the position of its first column, and what is summed up for every column."""

    target: int
    summands: tuple[Summand, ...]


@dataclass(frozen=True, slots=True)
class RowTable:
    """Rows that have `columns` columns with the same summands; positions move by a step from column to column."""

    rows: tuple[Row, ...]
    columns: int
    target_step: int
    entry_step: int

    @property
    def count(self) -> int:
        """The number of summands of a column."""
        return sum(len(row.summands) for row in self.rows)

    def loads(self, facts: Facts) -> int:
        """How many numbers are loaded to compute it; a scalar that a single column needs is spread over a vector."""
        summand = next((summand for row in self.rows for summand in row.summands), None)
        is_spread = summand is not None and summand.entry is not None and facts.is_uniform(summand.entry.base)
        return self.count * (1 + self.columns * (2 if is_spread else 1))


@dataclass(frozen=True, slots=True)
class _Orientation:
    """The axis of the target that the rows are, and the other one."""

    rows: Axis
    columns: Axis


ORIENTATIONS = (_Orientation(Axis.ROW, Axis.COLUMN), _Orientation(Axis.COLUMN, Axis.ROW))


def row_tables(product: Product, facts: Facts) -> tuple[RowTable, ...] | None:
    """The tables that load least; None if some factor runs with rows and columns, or terms do not fit together."""
    possible = [
        tuple(_Tables(product, facts.patterns, orientation).tables())
        for orientation in ORIENTATIONS
        if _is_possible(product, orientation, facts)
    ]
    return min(possible, key=lambda tables: sum(table.loads(facts) for table in tables), default=None)


def _is_possible(product: Product, orientation: _Orientation, facts: Facts) -> bool:
    kinds = {_kind(term, orientation, facts) for term in product.terms}
    return None not in kinds and len(kinds) == 1


def _kind(term: Term, orientation: _Orientation, facts: Facts) -> object:
    """What the terms of one table have in common, None if a term fits into none.

    Values that are one for the whole batch may come from anywhere: they are packed, and alpha with them if it can be.
    """
    parts = _parts(term, orientation)
    if parts is None:
        return None
    value, entry = parts
    is_packed = value is not None and facts.is_uniform(value.base)
    alpha = None if is_packed and not facts.differs(term.alpha.value) else term.alpha
    of_value = None if is_packed or value is None else value.offset.terms
    of_entry = None
    if entry is not None:
        of_entry = entry.base if facts.is_uniform(entry.base) else None, entry.offset.terms
    return is_packed, alpha, of_value, of_entry, _entry_step(term, orientation)


def _parts(term: Term, orientation: _Orientation) -> tuple[Factor | None, Factor | None] | None:
    """The factors that are value and entry, None if one of them runs with rows and columns."""
    values = [factor for factor in term.factors if factor.strides[orientation.columns] is None]
    entries = [factor for factor in term.factors if factor.strides[orientation.columns] is not None]
    if len(values) > 1:  # the one that does not run with the rows either can be the entry
        values.sort(key=lambda factor: factor.strides[orientation.rows] is None)
        entries.append(values.pop())
    if len(values) > 1 or len(entries) > 1 or any(entry.strides[orientation.rows] is not None for entry in entries):
        return None
    return next(iter(values), None), next(iter(entries), None)


def entry_table(product: Product, facts: Facts) -> RowTable:
    """A table with a row for every entry of the target, for a product of one term."""
    (term,) = product.terms
    mask, kept = summands(term, facts.patterns), stored_mask(product, facts.patterns)
    factors = sorted(term.factors, key=lambda factor: not facts.is_uniform(factor.base))
    grids = [np.broadcast_to(factor.positions(term.shape), term.shape) for factor in factors]

    def row(row: int, column: int) -> Row:
        at = row - term.rows.start, column - term.columns.start
        is_inside = row in term.rows and column in term.columns
        depths = np.flatnonzero(mask[at]) if is_inside else ()
        entries = ([Entry(f.base, int(grid[*at, k])) for f, grid in zip(factors, grids, strict=True)] for k in depths)
        found = tuple(Summand(0, *pair) if len(pair) > 1 else Summand(0, None, pair[0]) for pair in entries)
        return Row(int(product.target_positions[row, column]), found)

    return RowTable(tuple(row(int(r), int(c)) for c, r in np.argwhere(kept.T)), 1, 0, 0)


def _entry_step(term: Term, orientation: _Orientation) -> int:
    parts = _parts(term, orientation)
    entry = parts[1] if parts is not None else None
    return 0 if entry is None else entry.strides[orientation.columns] or 0


@dataclass(frozen=True, slots=True)
class _Line:
    """Where the entries of a factor are: from its first one on by a step for each row, column and summand."""

    base: str
    first: int
    steps: tuple[int, int, int]

    def entry(self, row: int, column: int, depth: int) -> Entry:
        """The entry of one summand."""
        of_row, of_column, of_depth = self.steps
        return Entry(self.base, self.first + row * of_row + column * of_column + depth * of_depth)


@dataclass(frozen=True, slots=True)
class _Share:
    """What a term adds to a table: its rows and columns, the summands that are not zero, and where its factors are."""

    rows: range
    columns: range
    mask: Mask
    value: _Line | None
    entry: _Line | None


class _Tables:
    """The tables of a product whose rows run with one axis."""

    def __init__(self, product: Product, patterns: Patterns, orientation: _Orientation) -> None:
        self._product = product
        self._orientation = orientation
        self._shares = [self._share(term, summands(term, patterns)) for term in product.terms]
        positions, kept = product.target_positions, stored_mask(product, patterns)
        self._kept = kept if orientation.rows is Axis.ROW else kept.T
        self._positions = positions if orientation.rows is Axis.ROW else positions.T

    def _share(self, term: Term, mask: Mask) -> _Share:
        value, entry = _parts(term, self._orientation) or (None, None)
        if self._orientation.rows is Axis.ROW:
            return _Share(term.rows, term.columns, mask, self._line(value), self._line(entry))
        return _Share(term.columns, term.rows, mask.transpose(1, 0, 2), self._line(value), self._line(entry))

    def _line(self, factor: Factor | None) -> _Line | None:
        if factor is None:
            return None
        rows, columns = factor.strides[self._orientation.rows], factor.strides[self._orientation.columns]
        return _Line(factor.base, factor.offset.constant, (rows or 0, columns or 0, factor.strides[2] or 0))

    def tables(self) -> Iterator[RowTable]:
        """One for each run of neighbouring columns with the same summands."""
        columns = range(self._kept.shape[1])
        keys = [self._key(column) for column in columns]
        start = 0
        for column in columns:
            if column + 1 == len(columns) or keys[column + 1] != keys[start]:
                table = self._table(start, column + 1 - start)
                if table.rows:
                    yield table
                start = column + 1

    def _key(self, column: int) -> tuple[bytes, ...]:
        """What two columns must have in common to stand in one table."""
        shares = (
            share.mask[:, column - share.columns.start].tobytes() if column in share.columns else b""
            for share in self._shares
        )
        return *shares, self._kept[:, column].tobytes()

    def _table(self, column: int, count: int) -> RowTable:
        rows = tuple(
            Row(int(self._positions[row, column]), tuple(self._summands(row, column)))
            for row in range(self._kept.shape[0])
            if self._kept[row, column]
        )
        target_step = self._product.target.strides[self._orientation.columns] or 0
        return RowTable(rows, count, target_step, _entry_step(self._product.terms[0], self._orientation))

    def _summands(self, row: int, column: int) -> Iterator[Summand]:
        for number, share in enumerate(self._shares):
            if row not in share.rows or column not in share.columns:
                continue
            first, second = row - share.rows.start, column - share.columns.start
            value, entry = share.value, share.entry
            for depth in np.flatnonzero(share.mask[first, second]).tolist():
                yield Summand(
                    number,
                    None if value is None else value.entry(first, second, depth),
                    None if entry is None else entry.entry(first, second, depth),
                )

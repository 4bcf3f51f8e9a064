"""Tables of rows in C: loops over rows and their summands, with the sums of a block of columns in registers.

for (int r = 0; r < 20; ++r) {
    const int target = r;
    double4 sum0 = (double4)(0.0); …
    for (int i = starts[r]; i < starts[r + 1]; ++i) {
        double value = values[i];
        double4 *entry = lanes + places[i];
        sum0 += value * entry[0]; …
    }
    Q[target] = sum0; …
}
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tl_backend.instructions import TypedScalar
from tl_backend.opencl import index
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.lanes.numbers import is_progression, number_at
from tl_backend.opencl.lanes.places import Affine
from tl_backend.opencl.lanes.product import Product
from tl_backend.opencl.lanes.table import Operand, RowTable
from tl_backend.opencl.lanes.update import scaled, updated
from tl_backend.opencl.tree import (
    Assign,
    Binary,
    BinaryOperator,
    Declare,
    Expression,
    For,
    Name,
    Scalar,
    Statement,
    Statements,
    Subscript,
)
from tl_backend.opencl.update import is_constant

MOST_COLUMNS = 12
"""Sums that stay in 16 vector registers, beside the value and what the compiler needs."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """A table, its product, and the C names of what its loops share; `values` is the packed array, if there is one."""

    table: RowTable
    product: Product
    context: Context
    values: Name | None
    row: Name
    item: Name
    column: Name
    target: Name
    value: Name
    entry: Name
    sums: tuple[Name, ...]
    ahead: Callable[[Expression], Statements]

    @property
    def wish(self) -> str:
        """What names of tables begin with."""
        return self.context.arrays[self.product.target.base].name

    @property
    def is_uniform(self) -> bool:
        """Whether the target is one for the whole batch."""
        return self.context.is_uniform(self.product.target.base)

    @property
    def alpha(self) -> TypedScalar | None:
        """The coefficient of all terms, if it is neither 1 nor in the values."""
        alpha = self.product.terms[0].alpha
        is_packed = self.values is not None and not self.context.differs(alpha.value)
        return None if is_packed or is_constant(alpha, 1) else alpha

    def at(self, column: int, block: "_Block") -> Expression:
        """The entry of the target in this row, at a column of the block."""
        step = index.constant(self.table.target_step)
        columns = index.multiply(index.add(block.start, index.constant(column)), step)
        return Subscript(Name(self.wish), index.add(self.target, columns))


@dataclass(frozen=True, slots=True)
class _Block:
    """Neighbouring columns of a table: the first one, and how many."""

    start: Expression
    columns: int


def lower_rows(
    table: RowTable, product: Product, values: Name | None, context: Context, ahead: Callable[[Expression], Statements]
) -> Statements:
    """The loops of a table: over blocks of columns, rows and summands.

    `values` are packed, or None; `ahead` is what else is done in a row, once for all columns.
    """
    context = context.inner()
    row, item, column, target, value, entry = (
        Name(context.names.fresh(wish)) for wish in ("r", "i", "j", "target", "value", "entry")
    )
    sums = tuple(Name(context.names.fresh(f"sum{number}")) for number in range(min(table.columns, MOST_COLUMNS)))
    frame = _Frame(table, product, context, values, row, item, column, target, value, entry, sums, ahead)
    return tuple(_blocks(frame))


def _blocks(frame: _Frame) -> Iterator[Statement]:
    """A loop over the blocks of columns that are full, then the rest."""
    columns = frame.table.columns
    size = -(-columns // -(-columns // MOST_COLUMNS))
    full = columns // size * size
    if full > size:
        body = (_rows(_Block(frame.column, size), frame),)
        yield For(Scalar.INT, frame.column.text, index.ZERO, index.constant(full), index.constant(size), body)
    else:
        yield _rows(_Block(index.ZERO, size), frame)
    if full < columns:
        yield _rows(_Block(index.constant(full), columns - full), frame)


def _rows(block: _Block, frame: _Frame) -> Statement:
    """The loop over all rows of a block."""
    array, context = frame.context.arrays[frame.product.target.base], frame.context
    row = number_at(frame.row, frame.table.targets - array.low, f"{frame.wish}_targets", context)
    target = index.add(row, context.index(Affine(0, frame.product.target.offset.terms)))
    body = (
        Declare(Scalar.INT, frame.target.text, target),
        *(frame.ahead(frame.row) if block.start == index.ZERO else ()),
        *(_first(column, block, frame) for column in range(block.columns)),
        *_summed(block, frame),
        *(_last(column, block, frame) for column in range(block.columns)),
    )
    stop = index.constant(frame.table.targets.size)
    return For(Scalar.INT, frame.row.text, index.ZERO, stop, index.ONE, body)


def _starts_with_target(frame: _Frame) -> bool:
    return is_constant(frame.product.beta, 1) and frame.alpha is None


def _first(column: int, block: _Block, frame: _Frame) -> Statement:
    """A sum starts with what is in the target if that is kept as it is, otherwise with 0."""
    zero = frame.context.zero_of(frame.is_uniform)
    value = frame.at(column, block) if _starts_with_target(frame) else zero
    return Declare(frame.context.type_of(frame.is_uniform), frame.sums[column].text, value)


def _last(column: int, block: _Block, frame: _Frame) -> Statement:
    """The sum goes to the target."""
    sum_: Expression = frame.sums[column]
    entry = frame.at(column, block)
    if not _starts_with_target(frame):
        value = sum_ if frame.alpha is None else scaled(frame.alpha, sum_, frame.context)
        sum_ = updated(value, frame.product.beta, entry, frame.is_uniform, frame.context)
    return Assign(entry, sum_)


def _summed(block: _Block, frame: _Frame) -> Iterator[Statement]:
    """The loop over the summands of a row."""
    if frame.table.count == 0:
        return
    starts = frame.table.starts
    if is_progression(starts):
        start, stop = (number_at(row, starts, "", frame.context) for row in (frame.row, _next(frame.row)))
    else:
        table = frame.context.table(f"{frame.wish}_starts", tuple(starts.tolist()))
        start, stop = Subscript(table, frame.row), Subscript(table, _next(frame.row))
    yield For(Scalar.INT, frame.item.text, start, stop, index.ONE, tuple(_body(block, frame)))


def _next(counter: Expression) -> Expression:
    return index.add(counter, index.ONE)


def _body(block: _Block, frame: _Frame) -> Iterator[Statement]:
    """A value and an entry, then a multiplication and an addition for every column."""
    values, entries = frame.table.values, frame.table.entries
    if values is not None:
        yield _load_value(values, frame)
    if entries is not None:
        yield _find_entry(entries, block, frame)
    for column in range(block.columns):
        entry = Subscript(frame.entry, index.constant(column * frame.table.entry_step))
        if values is None:
            term: Expression = entry
        elif entries is None:
            term = frame.value
        else:
            term = Binary(BinaryOperator.MULTIPLY, frame.value, entry)
        yield Assign(frame.sums[column], term, BinaryOperator.ADD)


def _load_value(values: Operand, frame: _Frame) -> Statement:
    """A packed value, or one that differs from lane to lane."""
    context = frame.context
    if frame.values is not None:
        return Declare(context.scalar_type, frame.value.text, Subscript(frame.values, frame.item))
    entry = index.add(*_place(values, f"{frame.wish}_values", frame))
    return Declare(context.vector_type, frame.value.text, Subscript(_home(values, frame), entry))


def _find_entry(entries: Operand, block: _Block, frame: _Frame) -> Statement:
    """A pointer to the entry for the first column of the block."""
    columns = index.multiply(block.start, index.constant(frame.table.entry_step))
    place, moving = _place(entries, f"{frame.wish}_entries", frame)
    pointer = frame.context.pointer(_first_base(entries, frame))
    return Declare(pointer, frame.entry.text, index.total((_home(entries, frame), place, moving, columns)))


def _first_base(operand: Operand, frame: _Frame) -> str:
    """The base in the first summand: what it says about where it is holds for all of them."""
    return operand.bases[int(frame.table.terms[0])]


def _home(operand: Operand, frame: _Frame) -> Name:
    """The array in which all of them are."""
    return Name(frame.context.arrays[_first_base(operand, frame)].home)


def _place(operand: Operand, wish: str, frame: _Frame) -> tuple[Expression, Expression]:
    """Where it is in its array in the present summand, and the loops' share of that, the same in all terms."""
    context = frame.context
    starts = np.array([context.place(base, 0) for base in operand.bases])
    place = number_at(frame.item, operand.positions + starts[frame.table.terms], wish, context)
    base = _first_base(operand, frame)
    factors = (factor for term in frame.product.terms for factor in term.factors if factor.base == base)
    return place, context.index(Affine(0, next(factors).offset.terms))

"""One block of the result with plain loops over its entries: sums in registers, then the update of each entry.

double sum[24];                                            one variable if the tile is one entry
for jj, ii: sum[ii + 8 * jj] = 0.0;                        unrolled
for k: for jj, ii: sum[ii + 8 * jj] += A[...] * B[...];    inner loops unrolled
for jj, ii: C[...] = sum[ii + 8 * jj];                     unrolled
"""

from collections.abc import Callable
from dataclasses import dataclass

from tl_backend.opencl import index
from tl_backend.opencl.frame import COLUMN_IN_TILE, ROW_IN_TILE, SUM, Frame, Tile
from tl_backend.opencl.product import Factor, Loop
from tl_backend.opencl.scalar import convert, memory_type, number
from tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    Binary,
    BinaryOperator,
    Declare,
    DeclareArray,
    Expression,
    For,
    Statement,
    Statements,
    Subscript,
)
from tl_backend.opencl.update import update


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the result, and where its sum is kept."""

    row: Expression
    column: Expression
    sum: Expression


def lower_tile(tile: Tile, frame: Frame) -> Statements:
    """The statements that compute the tile and update the result."""
    if not frame.product.is_sum:
        return _each(tile, frame, lambda entry: _update(entry, _term(entry, frame), frame))
    return (
        *_sums(tile, frame),
        *_each(tile, frame, lambda entry: _update(entry, entry.sum, frame)),
    )


def _sums(tile: Tile, frame: Frame) -> Statements:
    """Declares and computes the sums of all entries of the tile."""
    name, type_ = frame.variables[SUM], frame.product.type
    zero = number(0, type_)
    step = _each(tile, frame, lambda entry: Assign(entry.sum, _term(entry, frame), BinaryOperator.ADD))
    depth = frame.product.extent(Loop.DEPTH)
    loop = For(frame.counter, frame.variables[Loop.DEPTH.value], index.ZERO, depth, index.ONE, step)
    if tile.count == 1:
        return Declare(type_, name, zero), loop
    array = DeclareArray(type_, name, tile.count, AddressSpace.PRIVATE)
    return array, *_each(tile, frame, lambda entry: Assign(entry.sum, zero)), loop


def _each(tile: Tile, frame: Frame, body: Callable[[Entry], Statement]) -> Statements:
    """The statement for every entry of the tile, in unrolled loops that run down the columns."""
    ii = index.ZERO if tile.rows == 1 else frame.variable(ROW_IN_TILE)
    jj = index.ZERO if tile.columns == 1 else frame.variable(COLUMN_IN_TILE)
    kept = frame.variable(SUM)
    position = index.add(ii, index.multiply(index.constant(tile.rows), jj))
    sum_ = kept if tile.count == 1 else Subscript(kept, position)
    row = index.add(tile.row, index.multiply(ii, index.constant(tile.distance)))
    statement = body(Entry(row, index.add(tile.column, jj), sum_))
    for word, size in ((ROW_IN_TILE, tile.rows), (COLUMN_IN_TILE, tile.columns)):
        if size > 1:
            stop = index.constant(size)
            statement = For(
                frame.counter, frame.variables[word], index.ZERO, stop, index.ONE, (statement,), is_unrolled=True
            )
    return (statement,)


def _term(entry: Entry, frame: Frame) -> Expression:
    """The product of the factors at the entry, in the type that is computed in."""
    first, *others = (_factor(factor, entry, frame) for factor in frame.product.factors)
    term = first
    for other in others:
        term = Binary(BinaryOperator.MULTIPLY, term, other)
    return term


def _factor(factor: Factor, entry: Entry, frame: Frame) -> Expression:
    value = _at(factor, entry, frame)
    return convert(value, memory_type(factor.view.element), frame.product.type)


def _at(factor: Factor, entry: Entry, frame: Frame) -> Expression:
    places = {Loop.ROW: entry.row, Loop.COLUMN: entry.column, Loop.DEPTH: frame.variable(Loop.DEPTH.value)}
    return factor.view.entry(tuple(places[loop] for loop in factor.loops))


def _update(entry: Entry, value: Expression, frame: Frame) -> Statement:
    return update(frame.product, _at(frame.product.result, entry, frame), value, frame.context)

"""Sums and products of two arrays by NumPy's functions on views: what is executed while there is no kernel.

    lkb,ak->lab    (b l) k, k a -> one product of matrices, by `matmul`

An array is described by its indices from the slowest to the fastest in memory. A product has four kinds of indices:
the batch (in both operands and in the result), rows (of the first), columns (of the second), and those that are summed.
Each kind becomes one mode by `reshape`, which copies only if the entries do not lie that way. Products without a sum,
and those of few entries, are given to functions that need no matrices. Costs are estimated in nanoseconds: they decide
between functions, and when a kernel pays (decision 91).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from string import ascii_letters
from typing import Any

from numpy import add, ascontiguousarray, multiply

from einsum_front.core.numpy_einsum import c_einsum, matmul

Term = tuple[str, ...]
Array = Any
Unary = Callable[[Array], Array]
Binary = Callable[[Array, Array], Array]

CALL, VIEW = 800, 120
"""Nanoseconds of a call of a function, and of a view (AMD Zen 5, NumPy 2.4, as all that follows)."""

LOOP_TURN, LOOP_ENTRY = 8.0, 0.25
"""`c_einsum`: a turn of its outer loops, and a product in the innermost one."""

PRODUCT, MOVED, MATRIX = 0.02, 0.05, 22.0
"""`matmul`: a multiplication, an entry of an operand or of the result, and a matrix of a batch."""

NARROW = 8
"""Rows or columns that are computed at once: fewer take as long, and sums in them start and end as often."""

COPIED, REDUCED, ELEMENTWISE = 0.5, 0.6, 0.3
"""An entry that is copied in another order, added up, or multiplied with one other."""

MOST_LETTERS = 52


@dataclass(frozen=True, slots=True)
class Operand:
    """Indices of an array from the slowest to the fastest in memory.

    `is_close`: there are no gaps between entries; `is_unit`: those of the last index are neighbours in ascending order.
    """

    term: Term
    is_close: bool
    is_unit: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A function of one or two arrays, the array that it gives (in C order), its cost, and entries of its copies."""

    run: Callable[..., Array]
    result: Term
    cost: float
    copied: int = 0


def entries(term: Sequence[str], extents: Mapping[str, int]) -> int:
    """Entries of an array with these indices."""
    return prod([extents[name] for name in term])


def subscripts(terms: Sequence[Term], result: Term) -> str:
    """A string for `c_einsum`."""
    letters = dict(zip(dict.fromkeys(name for term in terms for name in term), ascii_letters, strict=False))
    written = ["".join([letters[name] for name in term]) for term in (*terms, result)]
    return f"{','.join(written[:-1])}->{written[-1]}"


def loops(operands: Sequence[Operand], result: Term, extents: Mapping[str, int]) -> Step:
    """Everything in the loops of `c_einsum`: no view, no copy, and no more than a few products in a nanosecond."""
    every = dict.fromkeys(name for operand in operands for name in operand.term)
    total = entries(tuple(every), extents)
    largest = max(operands, key=lambda operand: entries(operand.term, extents)).term
    inner = extents[largest[-1]] if largest else 1
    each = LOOP_ENTRY if len(operands) < 3 else LOOP_ENTRY * 8
    cost = CALL + 100 * (len(operands) - 1) + total * (LOOP_TURN / inner + each)
    written = subscripts([operand.term for operand in operands], result)

    def run(*arrays: Array) -> Array:
        return c_einsum(written, *arrays, order="C")

    return Step(run, result, cost)


def reduced(operand: Operand, result: Term, extents: Mapping[str, int]) -> Step:
    """The sum over all indices that the result lacks; the result lies as it is asked for."""
    total = entries(operand.term, extents)
    if total < 512 and len(result) < len(operand.term) <= MOST_LETTERS:
        return loops([operand], result, extents)
    axes = tuple(place for place, name in enumerate(operand.term) if name not in result)
    left = tuple(name for name in operand.term if name in result)
    order = tuple(left.index(name) for name in result)
    turned = None if order == tuple(range(len(order))) else order
    copied = entries(result, extents)

    def run(array: Array) -> Array:
        if axes:
            array = add.reduce(array, axes, keepdims=False)
        if turned is not None:
            return array.transpose(turned).copy()
        return array if axes else array.copy()

    return Step(run, result, CALL * 2 + total * (REDUCED if axes else COPIED), copied)


def product(first: Operand, second: Operand, wanted: Term | None, needed: set[str], extents: Mapping[str, int]) -> Step:
    """The product of two arrays, summed over the indices that are not `needed`.

    `wanted` is the order of the result; without one it is what costs least.
    """
    kinds = _kinds(first.term, second.term, needed)
    alone = any(name not in needed and name not in second.term for name in first.term) or any(
        name not in needed and name not in first.term for name in second.term
    )
    every = len(kinds.batch) + len(kinds.rows) + len(kinds.columns) + len(kinds.summed)
    found = [] if alone else [_elementwise(first, second, kinds, wanted, extents)] if not kinds.summed else []
    if kinds.summed and not alone and (kinds.rows or kinds.columns or not kinds.batch):
        found.append(_matrices(first, second, kinds, wanted, extents))
    if every <= MOST_LETTERS:
        result = kinds.batch + kinds.rows + kinds.columns if wanted is None else wanted
        found.append(loops([first, second], result, extents))
    if alone:
        found.append(_summed_first(first, second, wanted, needed, extents))
    return min(found, key=lambda step: step.cost)


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Indices of a product: of the batch, of rows and columns, and summed."""

    batch: Term
    rows: Term
    columns: Term
    summed: Term


def _kinds(first: Term, second: Term, needed: set[str]) -> _Kinds:
    ours, others = set(first), set(second)
    return _Kinds(
        tuple([name for name in first if name in others and name in needed]),
        tuple([name for name in first if name not in others]),
        tuple([name for name in second if name not in ours]),
        tuple([name for name in first if name in others and name not in needed]),
    )


def _summed_first(
    first: Operand, second: Operand, wanted: Term | None, needed: set[str], extents: Mapping[str, int]
) -> Step:
    """Sums over indices that one operand has alone, then the product."""
    steps: list[Step | None] = []
    left: list[Operand] = []
    for operand, other in ((first, second), (second, first)):
        kept = tuple(name for name in operand.term if name in needed or name in other.term)
        step = None if kept == operand.term else reduced(operand, kept, extents)
        steps.append(step)
        left.append(operand if step is None else Operand(kept, is_close=True, is_unit=True))
    rest = product(left[0], left[1], wanted, needed, extents)
    before, after = (None if step is None else step.run for step in steps)
    last = rest.run

    def run(a: Array, b: Array) -> Array:
        return last(a if before is None else before(a), b if after is None else after(b))

    cost = rest.cost + sum(step.cost for step in steps if step is not None)
    return Step(run, rest.result, cost, rest.copied + sum(entries(each.term, extents) for each in left))


# -- without a sum -----------------------------------------------------------------------------------------------------


def _elementwise(
    first: Operand, second: Operand, kinds: _Kinds, wanted: Term | None, extents: Mapping[str, int]
) -> Step:
    """One multiplication for each entry of the result: modes that an operand lacks have length 1."""
    result = kinds.batch + kinds.rows + kinds.columns if wanted is None else wanted
    one, other = _stretched(first.term, result, extents), _stretched(second.term, result, extents)

    def run(a: Array, b: Array) -> Array:
        return multiply(a if one is None else one(a), b if other is None else other(b), order="C")

    views = sum(VIEW * 2 for each in (one, other) if each is not None)
    return Step(run, result, CALL + 200 + views + ELEMENTWISE * entries(result, extents))


def _stretched(term: Term, result: Term, extents: Mapping[str, int]) -> Unary | None:
    order = tuple(term.index(name) for name in result if name in term)
    shape = tuple([extents[name] if name in term else 1 for name in result])
    return _view(order, None if len(shape) == len(order) else shape)


def _view(order: tuple[int, ...], shape: tuple[int, ...] | None) -> Unary | None:
    """A transpose, and then a reshape; None if there is neither."""
    is_turned = order != tuple(range(len(order)))
    if shape is None:
        return (lambda array: array.transpose(order)) if is_turned else None
    if not is_turned:
        return lambda array: array.reshape(shape)
    return lambda array: array.transpose(order).reshape(shape)


# -- with a sum --------------------------------------------------------------------------------------------------------


def _matrices(first: Operand, second: Operand, kinds: _Kinds, wanted: Term | None, extents: Mapping[str, int]) -> Step:
    """A product of matrices, or a batch of them."""
    batch, rows, columns, summed = kinds.batch, kinds.rows, kinds.columns, kinds.summed
    larger = first if entries(first.term, extents) >= entries(second.term, extents) else second
    summed = tuple([name for name in larger.term if name in summed])
    batch = tuple([name for name in larger.term if name in batch])
    if wanted is not None:
        ordered = [tuple([name for name in wanted if name in kind]) for kind in (batch, rows, columns)]
        if wanted == (*ordered[0], *ordered[2], *ordered[1]) and rows and columns:
            return _swapped(
                _multiplied(second, first, _Kinds(ordered[0], ordered[2], ordered[1], summed), wanted, extents)
            )
        if wanted == (*ordered[0], *ordered[1], *ordered[2]):
            batch, rows, columns = ordered
    return _multiplied(first, second, _Kinds(batch, rows, columns, summed), wanted, extents)


def _swapped(step: Step) -> Step:
    run = step.run
    return Step(lambda a, b: run(b, a), step.result, step.cost, step.copied)


def _multiplied(
    first: Operand, second: Operand, kinds: _Kinds, wanted: Term | None, extents: Mapping[str, int]
) -> Step:
    batch, rows, columns, summed = kinds.batch, kinds.rows, kinds.columns, kinds.summed
    m, n, k = entries(rows, extents), entries(columns, extents), entries(summed, extents)
    matrices = entries(batch, extents)
    one = _matrix(first, batch, rows, summed, extents, is_column=False)
    other = _matrix(second, batch, summed, columns, extents, is_column=True)
    result = batch + rows + columns
    shape = tuple([extents[name] for name in result])
    modes = len(batch) + (1 if rows or batch else 0) + (1 if columns or batch else 0)
    reshaped = (
        None
        if len(shape) == modes and len(rows) < 2 and len(columns) < 2 and (not batch or (rows and columns))
        else shape
    )
    turned = None
    if wanted is not None and wanted != result:
        turned = tuple(result.index(name) for name in wanted)
    a_view, b_view = one.view, other.view
    copied = one.copied + other.copied + (m * n * matrices if turned is not None else 0)
    terms = k + (NARROW if min(m, n) < NARROW else 2)
    cost = CALL + one.cost + other.cost + MOVED * matrices * (m * k + k * n + m * n)
    cost += PRODUCT * matrices * max(m, NARROW) * max(n, NARROW) * terms if min(m, n) > 1 else 0
    cost += MATRIX * matrices if batch else 0
    cost += (VIEW if reshaped is not None else 0) + (
        VIEW + CALL / 3 + COPIED * m * n * matrices if turned is not None else 0
    )

    if turned is not None:

        def run(a: Array, b: Array) -> Array:
            found = matmul(a if a_view is None else a_view(a), b if b_view is None else b_view(b))
            return ascontiguousarray((found if reshaped is None else found.reshape(reshaped)).transpose(turned))

    elif reshaped is not None:

        def run(a: Array, b: Array) -> Array:
            return matmul(a if a_view is None else a_view(a), b if b_view is None else b_view(b)).reshape(reshaped)

    elif a_view is None and b_view is None:
        return Step(matmul, result if wanted is None else wanted, cost, copied)
    else:

        def run(a: Array, b: Array) -> Array:
            return matmul(a if a_view is None else a_view(a), b if b_view is None else b_view(b))

    return Step(run, result if wanted is None else wanted, cost, copied)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """How an array becomes a matrix, or a batch of them: a view, or a copy of so many entries."""

    view: Unary | None
    copied: int
    cost: float


def _matrix(
    operand: Operand, batch: Term, high: Term, low: Term, extents: Mapping[str, int], *, is_column: bool
) -> _Matrix:
    """`high` are the indices of the rows, `low` those of the columns of the matrix.

    A vector stays one if there is no batch: `is_column` says on which side it stands. BLAS takes a matrix also if its
    columns lie one after the other, and a batch of matrices in any order; entries of a row or a column are neighbours.
    """
    term = operand.term
    total = entries(term, extents)
    inner = tuple([name for name in term if name not in batch])
    is_vector = not batch and not (low if is_column else high)
    if is_vector:
        vector = high if is_column else low
        order = tuple([term.index(name) for name in vector])
        is_there = vector == term and (operand.is_close or len(term) == 1)
        return _Matrix(
            _view(order, (total,) if len(vector) != 1 else None),
            0 if is_there else total,
            0 if is_there else COPIED * total,
        )
    by_rows, by_columns = inner == high + low, inner == low + high and bool(low) and bool(high)
    is_inner = not term or term[-1] not in batch
    fits = operand.is_unit and is_inner and (by_rows or by_columns)
    if not operand.is_close and (len(high) > 1 or len(low) > 1):
        fits = False  # modes may not lie as one
    if fits and (len(high) > 1 or len(low) > 1) and not _joins(term, high, low):
        fits = False
    is_turned = fits and by_columns and not by_rows
    groups = (low, high) if is_turned else (high, low)
    order = tuple([term.index(name) for name in (*batch, *groups[0], *groups[1])])
    sizes = [extents[name] for name in batch]
    shape = (*sizes, entries(groups[0], extents), entries(groups[1], extents))
    needs_shape = len(shape) != len(order) or len(groups[0]) != 1 or len(groups[1]) != 1
    view = _view(order, shape if needs_shape else None)
    if is_turned:
        if view is not None and needs_shape:
            view = _with_columns(view)
        else:
            view = _view((*order[:-2], order[-1], order[-2]), None)
    if fits or total == 0:
        return _Matrix(view, 0, VIEW * 2 if view is not None else 0)
    plain = view
    copy = ascontiguousarray if plain is None else lambda array: ascontiguousarray(plain(array))
    return _Matrix(copy, total, 3 * VIEW + COPIED * total)


def _with_columns(view: Unary) -> Unary:
    return lambda array: view(array).swapaxes(-1, -2)


def _joins(term: Term, *groups: Term) -> bool:
    """True if the indices of each group follow each other in memory."""
    places = {name: place for place, name in enumerate(term)}
    return all(places[name] + 1 == places[following] for group in groups for name, following in pairwise(group))

"""Products of two arrays by NumPy's functions on views: what is executed while there is no kernel.

    lkb,ak->lab    (b l) k, k a -> one product of matrices, by `matmul`

An array is described by its indices from the slowest to the fastest in memory. A product has four kinds of indices:
the batch (in both operands and in the result), rows (of the first), columns (of the second), and those that are summed.
Each kind becomes one mode by `reshape`, which copies only if the entries do not lie that way. Products without a sum,
and those of few entries, are given to functions that need no matrices. Costs are estimated in nanoseconds: they decide
between functions, and when a kernel pays (decision 91).
"""

from collections.abc import Callable, Mapping
from itertools import pairwise, takewhile

from numpy import ascontiguousarray, multiply

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import COMPLEX, in_parts
from einsum_front.core.numpy_einsum import matmul
from einsum_front.index_string.element_types import OBJECT, rates
from einsum_front.index_string.numpy_sums import (
    CALL,
    COPIED,
    MOST_LETTERS,
    MOVED,
    VIEW,
    Array,
    Operand,
    Step,
    Term,
    Unary,
    entries,
    in_order,
    loops,
    reduced,
    result_kind,
)

Binary = Callable[[Array, Array], Array]

MATRIX = 22.0
"""Nanoseconds of `matmul` for a matrix of a batch."""

NARROW = 8
"""Rows or columns that are computed at once: fewer take as long, and sums in them start and end as often."""

ELEMENTWISE = 0.2
"""An entry that is multiplied with one other."""


def product(first: Operand, second: Operand, wanted: Term | None, needed: set[str], extents: Mapping[str, int]) -> Step:
    """The product of two arrays, summed over the indices that are not `needed`.

    `wanted` is the order of the result; without one it is what costs least.
    """
    kinds = _kinds(first.term, second.term, needed)
    every = (*kinds.batch, *kinds.rows, *kinds.columns)
    result = tuple([name for name in every if name in needed]) if wanted is None else wanted
    if first.kind == OBJECT:
        return loops([first, second], result, extents)
    alone = any(name not in needed and name not in second.term for name in first.term) or any(
        name not in needed and name not in first.term for name in second.term
    )
    found = [] if alone else [_elementwise(first, second, kinds, wanted, extents)] if not kinds.summed else []
    if kinds.summed and not alone and (kinds.rows or kinds.columns or not kinds.batch):
        found.append(_matrices(first, second, kinds, wanted, extents))
    if len(every) + len(kinds.summed) <= MOST_LETTERS:
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
        left.append(operand if step is None else Operand(kept, is_close=True, is_unit=True, kind=operand.kind))
    rest = product(left[0], left[1], wanted, needed, extents)
    before, after = (None if step is None else step.run for step in steps)
    last = rest.run

    def run(a: Array, b: Array) -> Array:
        return last(a if before is None else before(a), b if after is None else after(b))

    cost = rest.cost + sum(step.cost for step in steps if step is not None)
    return Step(run, rest.result, rest.kind, cost, rest.copied + sum(entries(each.term, extents) for each in left))


# -- without a sum -----------------------------------------------------------------------------------------------------


def _elementwise(
    first: Operand, second: Operand, kinds: _Kinds, wanted: Term | None, extents: Mapping[str, int]
) -> Step:
    """One multiplication for each entry of the result: modes that an operand lacks have length 1."""
    result = kinds.batch + kinds.rows + kinds.columns if wanted is None else wanted
    one, other = _stretched(first.term, result, extents), _stretched(second.term, result, extents)

    def run(a: Array, b: Array) -> Array:
        return multiply(a if one is None else one(a), b if other is None else other(b), order="C")

    def into(a: Array, b: Array, target: Array) -> Array:
        return multiply(a if one is None else one(a), b if other is None else other(b), target)

    views = sum(VIEW * 2 for each in (one, other) if each is not None)
    kind = result_kind([first, second])
    cost = CALL + 200 + views + max(ELEMENTWISE, rates(kind).loop / 2) * entries(result, extents)
    return Step(run, result, kind, cost, 0, into)


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
    larger = first if entries(first.term, extents) >= entries(second.term, extents) else second
    summed = tuple([name for name in larger.term if name in kinds.summed])
    batch = tuple([name for name in larger.term if name in kinds.batch])
    plain = _Kinds(batch, kinds.rows, kinds.columns, summed)
    found = None if wanted is None else _as_wanted(first, second, plain, wanted, extents)
    if found is not None:
        return found
    found = _multiplied(first, second, plain, wanted, extents)
    for operand, kind in () if batch else ((first, kinds.rows), (second, kinds.columns)):
        # indices of one operand that lead it may be a batch: the other is the same in all of it
        ahead = tuple(takewhile(kind.__contains__, operand.term if wanted is None else wanted))
        both = kinds.rows, kinds.columns
        rows, columns = (tuple([name for name in each if name not in ahead]) for each in both)
        if not ahead or not (rows or columns) or (wanted is None and ahead == kind):
            continue
        more = _Kinds(ahead, rows, columns, summed)
        other = (
            _multiplied(first, second, more, None, extents)
            if wanted is None
            else _as_wanted(first, second, more, wanted, extents)
        )
        if other is not None and other.cost < found.cost:
            found = other
    return found


def _as_wanted(first: Operand, second: Operand, kinds: _Kinds, wanted: Term, extents: Mapping[str, int]) -> Step | None:
    """The product of matrices whose result lies as it is wanted; None if there is none."""
    batch, rows, columns = (
        tuple([name for name in wanted if name in kind]) for kind in (kinds.batch, kinds.rows, kinds.columns)
    )
    if wanted == (*batch, *rows, *columns):
        return _multiplied(first, second, _Kinds(batch, rows, columns, kinds.summed), wanted, extents)
    if wanted == (*batch, *columns, *rows):
        return _swapped(_multiplied(second, first, _Kinds(batch, columns, rows, kinds.summed), wanted, extents))
    return None


def _swapped(step: Step) -> Step:
    run, into = step.run, step.into
    swapped = None if into is None else lambda a, b, target: into(b, a, target)
    return Step(lambda a, b: run(b, a), step.result, step.kind, step.cost, step.copied, swapped)


def _multiplied(
    first: Operand, second: Operand, kinds: _Kinds, wanted: Term | None, extents: Mapping[str, int]
) -> Step:
    """`matmul` on two matrices, or batches of them. An operand that lacks the whole batch is the same in all of it."""
    batch, rows, columns, summed = kinds.batch, kinds.rows, kinds.columns, kinds.summed
    m, n, k = entries(rows, extents), entries(columns, extents), entries(summed, extents)
    matrices = entries(batch, extents)
    one = _matrix(first, kinds, rows, summed, extents, is_column=False)
    other = _matrix(second, kinds, summed, columns, extents, is_column=True)
    result = batch + rows + columns
    shape = tuple([extents[name] for name in result])
    sides = ((m,) if rows or batch else ()) + ((n,) if columns or batch else ())
    made = (*[extents[name] for name in batch], *sides)  # as `matmul` gives it
    reshaped = shape if made != shape else None
    turned = tuple([result.index(name) for name in wanted]) if wanted is not None and wanted != result else None
    total = m * n * matrices
    cost = CALL + one.cost + other.cost + MOVED * (matrices * (m * k + k * n) + total)
    kind = result_kind([first, second])
    each = rates(kind)
    if not each.has_blas:
        cost += each.matmul * matrices * m * n * k
    elif min(m, n) > 1:
        terms = k + (NARROW if min(m, n) < NARROW else 2)
        cost += each.matmul * matrices * max(m, NARROW) * max(n, NARROW) * terms
    cost += (MATRIX * matrices if batch else 0) + (VIEW if reshaped is not None else 0)
    cost += VIEW + CALL / 3 + COPIED * total if turned is not None else 0
    copied = one.copied + other.copied + (total if turned is not None else 0)
    return Step(
        _matmul(one.view, other.view, reshaped, turned),
        result if wanted is None else wanted,
        kind,
        cost,
        copied,
        _matmul_into(one.view, other.view, made) if turned is None else None,
    )


def _matmul(
    one: Unary | None, other: Unary | None, reshaped: tuple[int, ...] | None, turned: tuple[int, ...] | None
) -> Binary:
    """Views of both, their product, and what makes the result of it."""
    if turned is not None:

        def run(a: Array, b: Array) -> Array:
            found = matmul(a if one is None else one(a), b if other is None else other(b))
            return in_order(found if reshaped is None else found.reshape(reshaped), turned)

        return run
    if reshaped is not None:
        return lambda a, b: matmul(a if one is None else one(a), b if other is None else other(b)).reshape(reshaped)
    if one is None and other is None:
        return matmul
    return lambda a, b: matmul(a if one is None else one(a), b if other is None else other(b))


def _matmul_into(one: Unary | None, other: Unary | None, made: tuple[int, ...]) -> Callable[..., Array]:
    def into(a: Array, b: Array, target: Array) -> Array:
        return matmul(a if one is None else one(a), b if other is None else other(b), target.reshape(made))

    return into


@dataclass(frozen=True, slots=True)
class _Matrix:
    """How an array becomes a matrix, or a batch of them: a view, or a copy of so many entries."""

    view: Unary | None
    copied: int
    cost: float


def _matrix(
    operand: Operand, kinds: _Kinds, high: Term, low: Term, extents: Mapping[str, int], *, is_column: bool
) -> _Matrix:
    """`high` are the indices of the rows, `low` those of the columns of the matrix.

    A vector stays one if there is no batch: `is_column` says on which side it stands. BLAS takes a matrix also if its
    columns lie one after the other, and a batch of matrices in any order; entries of a row or a column are neighbours.
    """
    term, total = operand.term, entries(operand.term, extents)
    batch = tuple([name for name in kinds.batch if name in term])
    if not kinds.batch and not (low if is_column else high):
        vector = high if is_column else low
        order = tuple([term.index(name) for name in vector])
        is_there = vector == term and (operand.is_close or len(term) == 1)
        view = _view(order, (total,) if len(vector) != 1 else None)
        return _Matrix(view, 0, 0) if is_there else _Matrix(view, total, COPIED * total)
    inner = tuple([name for name in term if name not in batch])
    is_turned = inner == low + high and bool(low) and bool(high)
    is_inner = not term or term[-1] not in batch
    fits = operand.is_unit and is_inner and (is_turned or inner == high + low)
    if fits and (len(high) > 1 or len(low) > 1):
        fits = operand.is_close and _joins(term, high, low)  # else modes do not lie as one
    groups = (low, high) if is_turned else (high, low)
    order = tuple([term.index(name) for name in (*batch, *groups[0], *groups[1])])
    shape = (*[extents[name] for name in batch], entries(groups[0], extents), entries(groups[1], extents))
    needs_shape = len(groups[0]) != 1 or len(groups[1]) != 1
    is_single = fits and is_turned and not needs_shape
    view = _view((*order[:-2], order[-1], order[-2]) if is_single else order, shape if needs_shape else None)
    cost = VIEW * 2.0 if view is not None else 0.0
    if not fits:
        view = ascontiguousarray if view is None else _copied(view)
        cost = 3 * VIEW + (COPIED / 2 if is_turned or inner == high + low else COPIED) * total
    if is_turned and not is_single and view is not None:
        view, cost = _with_columns(view), cost + VIEW
    return _Matrix(view, 0 if fits else total, cost)


def _copied(view: Unary) -> Unary:
    return lambda array: ascontiguousarray(view(array))


def _with_columns(view: Unary) -> Unary:
    return lambda array: view(array).swapaxes(-1, -2)


def _joins(term: Term, *groups: Term) -> bool:
    """True if the indices of each group follow each other in memory."""
    places = {name: place for place, name in enumerate(term)}
    return all(places[name] + 1 == places[following] for group in groups for name, following in pairwise(group))


# -- products of real with complex arrays by NumPy ---------------------------------------------------------------------
# Two real products for each, not four. An array of complex numbers is one of real numbers with an index more, of
# extent 2, whose entries lie side by side.

PART = "\0part"
"""The index of real and imaginary parts, which no string has."""


def any_product(
    first: Operand, second: Operand, wanted: Term | None, needed: set[str], extents: Mapping[str, int]
) -> Step:
    """`product`, also where one operand is real and the other complex: by parts, or the real one becomes complex."""
    found = product(first, second, wanted, needed, extents)
    if first.kind == second.kind:
        return found
    real, other = (first, second) if second.kind == found.kind else (second, first)
    converted = found.cost + COPIED * entries(real.term, extents)
    parts = COMPLEX[found.kind]
    split = Operand((*other.term, PART), other.is_close, other.is_unit, parts)
    result = (*found.result, PART)
    pair = (first, split) if other is second else (split, second)
    step = product(*pair, result, {*needed, PART}, {**extents, PART: 2})
    if step.cost + VIEW * 4 >= converted:
        return found
    return _joined(step, found, is_second=other is second)


def _joined(step: Step, like: Step, *, is_second: bool) -> Step:
    """The step on real numbers, from complex operands to a complex result."""
    run, write, kind = step.run, step.into, like.kind

    def both(a: Array, b: Array) -> tuple[Array, Array]:
        return (a, in_parts(b)) if is_second else (in_parts(a), b)

    def joined(a: Array, b: Array) -> Array:
        return run(*both(a, b)).view(kind)[..., 0]

    def into(a: Array, b: Array, target: Array) -> Array:
        assert write is not None
        return write(*both(a, b), in_parts(target))

    return Step(joined, like.result, kind, step.cost + VIEW * 4, step.copied, None if write is None else into)

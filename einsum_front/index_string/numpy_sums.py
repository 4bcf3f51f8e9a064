"""Sums and copies of one array by NumPy's functions, and everything in one loop: the simplest steps of a plan.

An array is described by its indices from the slowest to the fastest in memory. Costs are estimated in nanoseconds: they
decide between functions, and when a kernel pays (decision 91).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import prod
from string import ascii_letters
from typing import Any

from numpy import add, asarray, empty, ones

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.numpy_einsum import c_einsum, matmul
from einsum_front.index_string.element_types import OBJECT, Kind, rates

Term = tuple[str, ...]
Array = Any
Unary = Callable[[Array], Array]

CALL, VIEW = 800, 120
"""Nanoseconds of a call of a function, and of a view (AMD Zen 5, NumPy 2.4, as all that follows)."""

LOOP_TURN = 8.0
"""A turn of the outer loops of `c_einsum`."""

COPIED, REDUCED, MOVED = 0.5, 0.6, 0.05
"""An entry that is copied in another order, added up, or read or written by `matmul`."""

FEW_NEIGHBOURS, MANY_COPIED = 4, 2048
"""Entries that lie behind each other in a copy, up to which they are copied one by one; of at least so many."""

FEW, FEW_TERMS = 512, 4096
"""Entries that are added up in the loops of `c_einsum`, and terms of each sum where they are neighbours: more are added
up by `add.reduce`, in pairs of pairs, which loses less."""

MOST_LETTERS = 52


@dataclass(frozen=True, slots=True)
class Operand:
    """Indices of an array from the slowest to the fastest in memory, and its element type.

    `is_close`: there are no gaps between entries; `is_unit`: those of the last index are neighbours in ascending order.
    """

    term: Term
    is_close: bool
    is_unit: bool
    kind: Kind


@dataclass(frozen=True, slots=True)
class Step:
    """A function of arrays, the array that it gives (in C order, of type `kind`), its cost, and entries of its copies.

    `into` takes another array behind those, in C order, and writes the result there; None if it cannot.
    """

    run: Callable[..., Array]
    result: Term
    kind: Kind
    cost: float
    copied: int = 0
    into: Callable[..., Array] | None = None


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
    inner = _innermost(operands, largest, result, extents)
    kind = result_kind(operands)
    each = rates(kind).loop * (1 if len(operands) < 3 else 8)
    cost = CALL + 100 * (len(operands) - 1) + total * (LOOP_TURN / inner + each)
    written = subscripts([operand.term for operand in operands], result)

    def run(*arrays: Array) -> Array:
        return c_einsum(written, *arrays, order="C")

    def run_objects(*arrays: Array) -> Array:
        try:
            return asarray(run(*arrays), OBJECT)  # a single number is no array
        except TypeError as error:
            message = f"operands hold objects of Python that are not added up and multiplied: {error}"
            raise CompileError([Diagnostic("E0504", message)]) from None

    return Step(run if kind != OBJECT else run_objects, result, kind, cost)


def result_kind(operands: Sequence[Operand]) -> Kind:
    """Complex if any of them is: there are no two other types in one plan."""
    return next((each.kind for each in operands if each.kind.kind == "c"), operands[0].kind)


def _innermost(operands: Sequence[Operand], largest: Term, result: Term, extents: Mapping[str, int]) -> int:
    """Turns of the innermost loop of `c_einsum`: indices that follow each other everywhere are one."""
    terms = [result, *[operand.term for operand in operands]]
    inner = extents[largest[-1]] if largest else 1
    if not all(operand.is_close for operand in operands):
        return inner
    for outer, name in zip(largest[-2::-1], largest[:0:-1], strict=True):
        pairs = outer, name
        if any((outer in term or name in term) and pairs not in pairwise(term) for term in terms):
            break
        inner *= extents[outer]
    return inner


def reduced(operand: Operand, result: Term, extents: Mapping[str, int]) -> Step:
    """The sum over all indices that the result lacks; the result lies as it is asked for."""
    total = entries(operand.term, extents)
    terms = total // max(1, entries(result, extents))
    is_sum, is_close = len(result) < len(operand.term), operand.is_close
    is_short = total < FEW or (is_close and result == operand.term[: len(result)] and terms <= FEW_TERMS)
    if operand.kind == OBJECT or (is_short and is_sum and len(operand.term) <= MOST_LETTERS):
        found = loops([operand], result, extents)
    else:
        found = _reduced_by_numpy(operand, result, extents)
    is_product = is_sum and is_close and terms <= FEW_TERMS and rates(operand.kind).has_blas
    by_ones = _summed_by_ones(operand, result, extents) if is_product else None
    return by_ones if by_ones is not None and by_ones.cost < found.cost else found


def _reduced_by_numpy(operand: Operand, result: Term, extents: Mapping[str, int]) -> Step:
    """The sum by `add.reduce`; without one, a copy."""
    axes = tuple(place for place, name in enumerate(operand.term) if name not in result)
    left = tuple(name for name in operand.term if name in result)
    order = tuple(left.index(name) for name in result)
    turned = None if order == tuple(range(len(order))) else order
    copied, kind = entries(result, extents), operand.kind

    def run(array: Array) -> Array:
        if axes:
            array = add.reduce(array, axes, kind)  # short integers would become long ones
        if turned is not None:
            return in_order(array, turned)
        return array if axes else array.copy()

    cost = CALL * 2 + entries(operand.term, extents) * (REDUCED if axes else COPIED)
    return Step(run, result, kind, cost, copied)


def _summed_by_ones(operand: Operand, result: Term, extents: Mapping[str, int]) -> Step | None:
    """The sum of rows or columns of a matrix without gaps, as its product with a vector of ones; None if it is neither.

    BLAS adds up as it multiplies, in half of the time of `c_einsum` and less: rows of few entries in a third.
    """
    rest, kept = len(operand.term) - len(result), len(result)
    are_rows = result == operand.term[:kept]
    if not result or not (are_rows or result == operand.term[rest:]):
        return None
    total = entries(operand.term, extents)
    terms = total // max(1, entries(result, extents))
    matrix = (total // terms, terms) if are_rows else (terms, total // terms)
    shape, made = tuple([extents[name] for name in operand.term]), tuple([extents[name] for name in result])
    is_matrix = shape == matrix
    cost = CALL + MOVED * total + (0 if is_matrix else VIEW) + (0 if len(result) == 1 else VIEW)

    def run(array: Array) -> Array:
        flat = array if is_matrix else array.reshape(matrix)
        ones = _ones(terms, array.dtype)
        found = matmul(flat, ones) if are_rows else matmul(ones, flat)
        return found if len(made) == 1 else found.reshape(made)

    return Step(run, result, operand.kind, cost)


@lru_cache(maxsize=64)
def _ones(size: int, kind: Kind) -> Array:
    """Shared by all sums of so many terms."""
    return ones(size, kind)


def in_order(array: Array, order: tuple[int, ...]) -> Array:
    """A copy of an array whose modes lie in this order, from the slowest to the fastest in memory.

    NumPy's innermost loop runs along the fastest mode of a copy. Where that is short, entries are copied mode by mode.
    """
    view = array.transpose(order)
    if array.size < MANY_COPIED or view.shape[-1] > FEW_NEIGHBOURS or order[-2] != len(order) - 1:
        return view.copy()
    result = empty(view.shape, view.dtype)
    for place in range(view.shape[-1]):
        result[..., place] = view[..., place]
    return result

"""An index string planned for NumPy's functions: in a tenth of a millisecond, for operands as they lie.

    "...ij,kj->i...k"    views without what repeats, in the order of memory; pairs (`pair_order`); steps (`numpy_steps`)

What a plan depends on is the string, shapes, strides and types of the operands, and how the result shall lie: it has
no arrays, and is run again for others that look the same.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy import multiply
from numpy.lib.stride_tricks import as_strided

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numpy_einsum import c_einsum
from einsum_front.core.pair_order import pair_order
from einsum_front.index_string.element_types import OBJECT, Kind, computed_in, converted_to, stored_as
from einsum_front.index_string.numpy_steps import any_product
from einsum_front.index_string.numpy_sums import (
    CALL,
    COPIED,
    MOST_LETTERS,
    VIEW,
    Operand,
    Step,
    Term,
    Unary,
    entries,
    loops,
    reduced,
    subscripts,
)
from einsum_front.index_string.steps import Positions

MOST_OPERANDS = 32
"""Operands that `c_einsum` takes at once in every release of NumPy."""


@dataclass(frozen=True, slots=True)
class Look:
    """An array without its entries; strides in bytes."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Kind
    is_aligned: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """What a string means for operands of certain shapes, and how the result shall be: of type `kind`.

    `layout` has the indices of the result from the slowest to the fastest in memory; `path` are the products that the
    caller wants, None for ours. `is_given`: there is an array for the result, of this type and layout, without gaps.
    """

    terms: tuple[Term, ...]
    output: Term
    extents: Mapping[str, int]
    kind: Kind
    layout: Term
    path: Positions | None = None
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class NumpyPlan:
    """`run` takes the operands and gives a new array, or a number; `is_view`: it gives a view of the only operand.

    `into` takes the operands and the array for the result, None if there is none that can be written at once. `cost` is
    in nanoseconds, `multiplications` are those of all products, `temporary` the bytes of all that is made on the way,
    `peak` of what is there at once, the result included.
    """

    run: Callable[[Sequence[Any]], Any]
    cost: float
    multiplications: int
    temporary: int
    is_view: bool = False
    into: Callable[[Sequence[Any], Any], Any] | None = None
    peak: int = 0


def plan_on_numpy(asked: Asked, looks: Sequence[Look]) -> NumpyPlan:
    """The plan for operands that look so."""
    shape = tuple([asked.extents[name] for name in asked.output])
    if len(looks) == 1 and looks[0].dtype == asked.kind and set(asked.terms[0]) == set(asked.output):
        view = strided(asked.terms[0], asked.output)
        return NumpyPlan(lambda arrays: view(arrays[0]), CALL, 0, 0, is_view=True)
    if 0 in asked.extents.values():
        return NumpyPlan(lambda _: np.zeros(shape, asked.kind)[()], CALL, 0, 0)
    kind = computed_in(asked.kind)
    views = [_seen(term, look, converted_to(look.dtype, kind)) for term, look in zip(asked.terms, looks, strict=True)]
    present = {name for view in views for name in view.operand.term}
    wanted = tuple([name for name in asked.layout if name in present])
    steps, multiplications = _steps([view.operand for view in views], wanted, asked)
    repeated = prod([size for name, size in asked.extents.items() if name not in present and name not in asked.output])
    finish = _finish(asked, present, repeated, steps[-1][1].kind)
    prepared = [view.prepare for view in views]
    run = _runner(None if not any(prepared) else prepared, steps, finish)
    cost = sum(step.cost for _, step in steps) + sum(view.cost for view in views)
    cost += 0 if finish is None else VIEW * 3 + (COPIED * prod(shape) if present != {*present, *asked.output} else 0)
    made = sum(step.copied + entries(step.result, asked.extents) for _, step in steps)
    is_direct = asked.is_given and repeated == 1 and steps[-1][1].kind == asked.kind
    into = _writer(prepared, steps, asked, present) if is_direct else None
    peak = max(_peak(len(looks), steps, asked.extents), prod(shape)) * kind.itemsize
    return NumpyPlan(run, cost, multiplications, made * kind.itemsize, into=into, peak=peak)


def _peak(operands: int, steps: "Steps", extents: Mapping[str, int]) -> int:
    """Entries of the arrays that are made on the way and are there at once."""
    alive, most = 0, 0
    sizes: dict[int, int] = {}
    for made, (numbers, step) in enumerate(steps, operands):
        sizes[made] = size = entries(step.result, extents)
        most = max(most, alive + step.copied + size)
        alive += size - sum([sizes.pop(number, 0) for number in numbers])
    return most


# -- operands ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Seen:
    """An operand without modes that are not run through, in the order of memory, and the function that makes it so."""

    operand: Operand
    prepare: Unary | None
    cost: float


def _seen(term: Term, look: Look, kind: Kind) -> _Seen:
    """Modes of length 1 go, and so do those that repeat one entry (stride 0), and diagonals become one mode."""
    shape, strides = look.shape, look.strides
    chain: list[Unary] = []
    if 1 in shape or 0 in strides:
        kept = [mode for mode in range(len(shape)) if shape[mode] > 1 and strides[mode]]
        if len(kept) < len(shape):
            chain.append(_without(shape, strides, kept))
            term, shape = tuple([term[mode] for mode in kept]), tuple([shape[mode] for mode in kept])
            strides = tuple([strides[mode] for mode in kept])
    if len(set(term)) < len(term):
        once = tuple(dict.fromkeys(term))
        chain.append(strided(term, once))
        steps = dict.fromkeys(once, 0)
        sizes = dict(zip(term, shape, strict=True))
        for name, step in zip(term, strides, strict=True):
            steps[name] += step
        term, shape, strides = once, tuple(sizes[name] for name in once), tuple(steps.values())
    order = tuple(sorted(range(len(term)), key=lambda mode: -abs(strides[mode])))
    if order != tuple(range(len(term))):
        chain.append(lambda array: array.transpose(order))
        term, shape = tuple([term[mode] for mode in order]), tuple([shape[mode] for mode in order])
        strides = tuple([strides[mode] for mode in order])
    cost = float(VIEW * len(chain))
    if look.dtype != kind or not look.is_aligned:
        chain.append(lambda array: array.astype(kind, "C"))
        copy = Operand(term, is_close=True, is_unit=True, kind=kind)
        return _Seen(copy, _chained(chain), cost + 250 + COPIED * prod(shape))
    is_unit, is_close, reach = True, True, look.dtype.itemsize
    for step, size in zip(reversed(strides), reversed(shape), strict=True):
        is_close = is_close and step == reach
        is_unit = is_unit and step >= reach and step % look.dtype.itemsize == 0
        reach = step * size
    is_unit = is_unit and (not strides or strides[-1] == look.dtype.itemsize)
    return _Seen(Operand(term, is_close, is_unit, kind), _chained(chain), cost)


def strided(term: Term, result: Term) -> Unary:
    """A view of an array in other indices, diagonals included."""
    if len({*term}) <= MOST_LETTERS:
        return partial(c_einsum, subscripts([term], result))

    def view(array: Any) -> Any:
        steps, sizes = dict.fromkeys(result, 0), dict(zip(term, array.shape, strict=True))
        for name, step in zip(term, array.strides, strict=True):
            steps[name] += step
        shape = [sizes[name] for name in result]
        return as_strided(array, shape, [*steps.values()], writeable=array.flags.writeable)

    return view


def _without(shape: tuple[int, ...], strides: tuple[int, ...], kept: Sequence[int]) -> Unary:
    if all(size == 1 or step for size, step in zip(shape, strides, strict=True)):
        left = tuple(shape[mode] for mode in kept)
        return lambda array: array.reshape(left)
    key = (*(slice(None) if mode in kept else 0 for mode in range(len(shape))), ...)
    return lambda array: array[key]


def _chained(functions: Sequence[Unary]) -> Unary | None:
    if len(functions) < 2:
        return functions[0] if functions else None

    def run(array: Any) -> Any:
        for function in functions:
            array = function(array)
        return array

    return run


# -- products ----------------------------------------------------------------------------------------------------------


Steps = list[tuple[tuple[int, ...], Step]]
"""Each with the numbers of its arrays: operands, and behind them the results of the steps before."""


def _steps(operands: Sequence[Operand], wanted: Term, asked: Asked) -> tuple[Steps, int]:
    """The steps from the operands to an array with the indices `wanted`, in this order."""
    extents, every = asked.extents, tuple(range(len(operands)))
    total = entries(tuple({name for operand in operands for name in operand.term}), extents)
    if len(operands) == 1:
        return [(every, reduced(operands[0], wanted, extents))], 0
    if len(operands) == 2 and asked.path is None:
        return [(every, any_product(operands[0], operands[1], wanted, set(wanted), extents))], total
    at_once = None
    if asked.path is None and len(operands) <= MOST_OPERANDS and total < 2**12:
        at_once = loops(operands, wanted, extents)
        if at_once.cost < CALL * (len(operands) - 1):
            return [(every, at_once)], total
    places = {name: place for place, name in enumerate(dict.fromkeys(n for each in operands for n in each.term))}
    if asked.path is None:
        bits = [sum([1 << places[name] for name in operand.term]) for operand in operands]
        output = sum([1 << places[name] for name in wanted])
        pairs = pair_order(bits, output, [extents[name] for name in places])
    else:
        pairs = _pairs_of(asked.path, len(operands))
    steps, multiplications = _products(operands, pairs, wanted, extents)
    if at_once is not None and len(places) <= MOST_LETTERS and at_once.cost < sum(step.cost for _, step in steps):
        return [(every, at_once)], total
    return steps, multiplications


def _products(
    operands: Sequence[Operand], pairs: Sequence[tuple[int, int]], wanted: Term, extents: Mapping[str, int]
) -> tuple[Steps, int]:
    """A step for each pair."""
    known = list(operands)
    users: dict[str, int] = dict.fromkeys(wanted, 1)
    for operand in operands:
        for name in operand.term:
            users[name] = users.get(name, 0) + 1
    steps: Steps = []
    multiplications = 0
    for number, (one, other) in enumerate(pairs):
        first, second = known[one], known[other]
        for name in (*first.term, *second.term):
            users[name] -= 1
        is_last = number == len(pairs) - 1
        needed = {name for name in (*first.term, *second.term) if users[name]}
        step = any_product(first, second, wanted if is_last else None, needed, extents)
        multiplications += entries(tuple({*first.term, *second.term}), extents)
        for name in step.result:
            users[name] += 1
        steps.append(((one, other), step))
        known.append(Operand(step.result, is_close=True, is_unit=True, kind=step.kind))
    return steps, multiplications


def _pairs_of(path: Positions, operands: int) -> list[tuple[int, int]]:
    """A path as pairs: products of more than two arrays are computed from left to right."""
    left = list(range(operands))
    pairs: list[tuple[int, int]] = []
    for places in path:
        taken = [left[place] for place in sorted(places)]
        left = [number for place, number in enumerate(left) if place not in places]
        made = taken[0]
        for other in taken[1:]:
            pairs.append((made, other))
            made = operands + len(pairs) - 1
        left.append(made)
    return pairs


# -- all of it ---------------------------------------------------------------------------------------------------------


def _finish(asked: Asked, present: set[str], repeated: int, found: Kind) -> Unary | None:
    """From an array with the indices that are run through, in the order of the layout and of type `found`, to the
    result."""
    output, layout, extents = asked.output, asked.layout, asked.extents
    chain: list[Unary] = []
    if repeated != 1:
        factor = _as_number(repeated, found)
        chain.append(lambda array: multiply(array, factor))  # scalars would warn
    missing = [name for name in layout if name not in present]
    if missing:
        inner = tuple([extents[name] if name in present else 1 for name in layout])
        chain.append(lambda array: array.reshape(inner))
        if any(extents[name] > 1 for name in missing):
            whole = tuple([extents[name] for name in layout])
            chain.append(lambda array: np.broadcast_to(array, whole).copy())
    if found != asked.kind:
        chain.append(lambda array: stored_as(array, asked.kind))
    if not output:
        chain.append(lambda array: array[()])  # a number, as NumPy has it
    if layout != output:
        order = tuple([layout.index(name) for name in output])
        chain.append(lambda array: array.transpose(order))
    return _chained(chain)


def _as_number(count: int, kind: Kind) -> Any:
    """A count in the type that is computed in, which may be too short for it: then it wraps around."""
    if kind.kind in "iu":
        return np.uint64(count % 2**64).astype(kind)
    return count if kind == OBJECT else kind.type(count)


def _runner(prepared: list[Unary | None] | None, steps: Steps, finish: Unary | None) -> Callable[[Sequence[Any]], Any]:
    if len(steps) == 1:
        function = steps[0][1].run
        if prepared is None and finish is None:
            return lambda arrays: function(*arrays)
        if finish is None:
            return lambda arrays: function(*_prepared(prepared, arrays))

    def run(arrays: Sequence[Any]) -> Any:
        known = _prepared(prepared, arrays)
        for numbers, step in steps:
            _compute(known, numbers, step.run)
        return known[-1] if finish is None else finish(known[-1])

    return run


def _writer(
    prepared: list[Unary | None], steps: Steps, asked: Asked, present: set[str]
) -> Callable[[Sequence[Any], Any], Any] | None:
    """What has the last step write to the array for the result; None if that step cannot, or entries repeat."""
    numbers, last = steps[-1]
    write = last.into
    if write is None or any(asked.extents[name] > 1 for name in asked.output if name not in present):
        return None
    order = tuple([asked.output.index(name) for name in asked.layout])
    shape = tuple([asked.extents[name] for name in last.result])

    def into(arrays: Sequence[Any], out: Any) -> None:
        known = _prepared(prepared, arrays)
        for each, step in steps[:-1]:
            _compute(known, each, step.run)
        write(*[known[number] for number in numbers], out.transpose(order).reshape(shape))

    return into


def _prepared(views: list[Unary | None] | None, arrays: Sequence[Any]) -> list[Any]:
    if views is None:
        return list(arrays)
    return [array if view is None else view(array) for view, array in zip(views, arrays, strict=True)]


def _compute(known: list[Any], numbers: tuple[int, ...], function: Callable[..., Any]) -> None:
    """One step: its result goes to the end, and its arrays are let go."""
    found = function(*[known[number] for number in numbers])
    for number in numbers:
        known[number] = None
    known.append(found)

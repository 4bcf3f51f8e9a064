"""`elementwise`: the payload on single entries, in a `foreach` over the fastest mode of the target inside of loops.

The tensor language has some of the functions; the others are made of these here, as their rows say.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial

from einsum_front.core.functions import Function
from einsum_front.core.payload import Entry, Operation, Payload
from einsum_front.ir.emit_tensor_language.access import (
    Access,
    IndexRange,
    Positions,
    collapse,
    extents_of,
    loop_name,
    loops,
    stored,
    times,
    updated,
)
from einsum_front.ir.emit_tensor_language.elementwise import fastest
from einsum_front.tl_backend import Builder, Index, Number, Value, apply
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType

NumberPayload = Payload[Number]

TOGETHER = 8
"""Entries of a reduction that are compared with each other first: 8 comparisons start while one waits for another."""

FEW = 4
"""Operations of a payload that are written out so many times."""


def emit_elementwise(
    builder: Builder,
    payload: NumberPayload,
    combiner: Function | None,
    alpha: Number,
    operands: Sequence[Access],
    beta: Number,
    target: Access,
) -> None:
    """`target := alpha payload(operands) + beta target`, combined over the indices that the target lacks."""
    target, *operands = collapse(builder, (target, *operands))
    extents = extents_of((target, *operands))
    along = fastest(target, target.indices) if target.indices else None
    combined = [index for index in extents if index not in target.indices]
    outside = [index for index in reversed(target.indices) if index != along]
    with loops(builder, outside, extents) as positions:
        extent = 1 if along is None else extents[along].index(builder)
        with builder.foreach_loop(0, extent, name=loop_name(along or "once")) as variable:
            at = {**positions, **({} if along is None else {along: variable})}
            value = partial(_value, builder, payload, operands, target.memref.memref.element)
            if combiner is None:
                number = updated(builder, _scaled(builder, alpha, value(at)), beta, target.at(at))
                _store(builder, number, target.at(at))
            else:
                together = TOGETHER if len(payload.operations) <= FEW else 1
                _combine(builder, combiner, value, target, combined, extents, at, together)


def _combine(
    builder: Builder,
    combiner: Function,
    value: Callable[[Positions], Number],
    target: Access,
    combined: Sequence[str],
    extents: Mapping[str, IndexRange],
    at: Positions,
    most: int,
) -> None:
    """The first entry goes to the target, which then takes what is larger or smaller; the first one comes twice.

    Several entries are compared with each other before the target is: one comparison after the other would wait.
    """
    entry = target.at(at)
    _store(builder, value({**at, **dict.fromkeys(combined, 0)}), entry)
    *outer, last = combined or [""]
    with loops(builder, outer, extents) as inside:
        around = {**at, **inside}
        for positions in _blocks(builder, last, extents, most):
            with positions as together:
                numbers = [value({**around, last: position}) for position in together]
                _store(builder, _tree(builder, combiner, [entry.entry(builder), *numbers]), entry)


def _blocks(
    builder: Builder, index: str, extents: Mapping[str, IndexRange], most: int
) -> Iterator[AbstractContextManager[Sequence[Index]]]:
    """A loop over blocks of `most` positions, then what is left; single positions where nobody knows how many."""
    extent = extents[index].extent if index in extents else 1
    if not isinstance(extent, int):
        yield _loop(builder, index, extents[index].index(builder), 1)
        return
    whole = extent // most * most
    if whole > most:
        yield _loop(builder, index, whole, most)
    elif whole:
        yield nullcontext(range(whole))
    if whole < extent:
        yield nullcontext(range(whole, extent))


@contextmanager
def _loop(builder: Builder, index: str, stop: Index, step: int) -> Iterator[Sequence[Index]]:
    with builder.for_loop(0, stop, step, name=loop_name(index)) as variable:
        later = [builder.arith(tl.BinaryOperator.ADD, variable, number, name="next") for number in range(1, step)]
        yield [variable, *later]


def _tree(builder: Builder, combiner: Function, numbers: Sequence[Number]) -> Value:
    """All of them combined, in pairs of neighbours and pairs of pairs; the first one last."""
    first, *rest = numbers
    while len(rest) > 1:
        pairs = [rest[start : start + 2] for start in range(0, len(rest), 2)]
        rest = [apply(builder, combiner, pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return apply(builder, combiner, (first, *rest))


def _scaled(builder: Builder, alpha: Number, value: Number) -> Number:
    if isinstance(value, Value):
        return times(builder, alpha, value)
    return times(builder, value, alpha) if isinstance(alpha, Value) else alpha * value


def _store(builder: Builder, number: Number, entry: Access) -> None:
    builder.store(stored(builder, number, entry.memref.memref.element), entry.memref, *entry.position)


def _value(
    builder: Builder, payload: NumberPayload, operands: Sequence[Access], element: ScalarType, at: Positions
) -> Number:
    """The value of the payload on the entries at these positions."""
    entries: list[Number] = [operand.at(at).entry(builder) for operand in operands]
    for operation in payload.operations:
        entries.append(_result(builder, operation, entries, element))
    return entries[-1]


def _result(builder: Builder, operation: Operation[Number], entries: Sequence[Number], element: ScalarType) -> Number:
    given = [entries[each.number] if isinstance(each, Entry) else each for each in operation.arguments]
    if not any(isinstance(each, Value) for each in given):
        given[0] = builder.constant(_constant(given[0]), element)
    return apply(builder, operation.function, given)


def _constant(number: Number) -> float:
    return 0.0 if isinstance(number, Value) else number

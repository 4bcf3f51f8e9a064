"""What is added after a function where integers say: a function of its own for each sum.

func @y_parts_sum(%y: memref<f64x?>, %parts: memref<f64x?>, %rows: memref<i32x?>, %first: memref<i32x?>,
                  %at: memref<i32x?>) {
  ...
  foreach %r = 0, 64 {                          the rows of this work-group, as far as there are any
    for %k = %begin, %end {                     from first[row] to first[row + 1]
      y[rows[row]] += parts[at[k]]
    }
  }
}
"""

from collections.abc import Sequence

import numpy as np

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.facts import Modes
from einsum_front.core.scattered import Scatter, Walked
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.builder import Builder, Index, Value
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type

ROWS = 64
"""Entries of the target that a work-group sums up."""

FEW_ROWS = 8
"""The same where each is several neighbours."""


def sums_of(function: Function) -> tuple[Scatter, ...]:
    """What is added after a function, in the order of its text."""
    return tuple(fact for fact in function.facts if isinstance(fact, Scatter))


def rows_together(width: int) -> int:
    """The entries of the target that a work-group sums up, each of them so many neighbours."""
    return ROWS if width == 1 else FEW_ROWS


def of_caller(function: Function, scatter: Scatter) -> Scatter:
    """The sum with the modes of the caller's tensors."""
    said = {fact.argument: fact.permutation for fact in function.facts if isinstance(fact, Modes)}

    def modes(name: str) -> Sequence[int]:
        permutation = said.get(name)
        return range(_ranks(scatter)[name]) if permutation is None else np.argsort(permutation).tolist()

    return scatter.with_modes(modes)


def _ranks(scatter: Scatter) -> dict[str, int]:
    own = {scatter.source: len(scatter.indices), scatter.target: len(scatter.places)}
    return own | {said.tensor: len(said.places) for said in scatter.integers}


def neighbours(function: Function, scatter: Scatter) -> tuple[int, int]:
    """How many indices of a sum walk neighbours in both memories, fastest first, and how many entries these are."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    source, target = (_element(function, name, types[name]) for name in (scatter.source, scatter.target))
    saying = {place.index for said in scatter.integers for place in said.places if isinstance(place, Walked)}
    count, width = 0, 1
    while count < len(scatter.indices):
        size, stride = source.shape[count], source.strides[count]
        walks = [mode for mode, place in enumerate(scatter.places) if place == Walked(scatter.indices[count])]
        if size is None or stride != width or len(walks) != 1 or scatter.indices[count] in saying:
            break
        if (target.shape[walks[0]], target.strides[walks[0]]) != (size, width):
            break
        count, width = count + 1, width * size
    return count, width


def _element(function: Function, name: str, type_: Type) -> MemrefType:
    """The memref of one element."""
    if isinstance(type_, GroupType):
        return type_.memref
    if not isinstance(type_, MemrefType):
        raise CompilerBug(f"`{name}` is no tensor")
    mode = function.batch_modes.get(name)
    shape, strides = (tuple(each for m, each in enumerate(of) if m != mode) for of in (type_.shape, type_.strides))
    return MemrefType(type_.element, shape, strides)


def sum_function(function: Function, scatter: Scatter) -> Function:
    """The function that adds, for the memory of the source and the target."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    y, parts = (
        MemrefType.packed(_element(function, name, types[name]).element, (None,))
        for name in (scatter.target, scatter.source)
    )
    integers = MemrefType.packed(ScalarType.I32, (None,))
    named = {"y": y, "parts": parts, "rows": integers, "first": integers, "at": integers}
    builder = Builder(f"{function.name}_{scatter.source}", named)
    builder.origin = scatter.origin
    _, width = neighbours(function, scatter)
    rows = next(value for value in builder.arguments if value.local.name == "rows")
    count, group = builder.size(rows, 0), builder.group_id()
    together = rows_together(width)
    start = builder.arith(tl.BinaryOperator.MUL, group, together, name="start")
    if width == 1:
        with builder.foreach_loop(0, together, name="r") as number:
            _row(builder, builder.arith(tl.BinaryOperator.ADD, start, number, name="row"), count, width)
    else:
        with builder.for_loop(0, together, name="r") as number:
            _row(builder, builder.arith(tl.BinaryOperator.ADD, start, number, name="row"), count, width)
    return builder.function()


def _row(builder: Builder, row: Value, count: Value, width: int) -> None:
    """What is stored in another type is summed where the first part is, and rounded once."""
    y, parts, rows, first, at = builder.arguments
    is_stored = y.memref.element is not parts.memref.element

    def loaded(memref: Value, *place: Index) -> Value:
        return builder.cast(builder.load(memref, *place), ScalarType.INDEX, name="place")

    with builder.if_then(builder.compare(tl.Condition.LT, row, count, name="is_there")):
        place, begin = loaded(rows, row), loaded(first, row)
        end = loaded(first, builder.arith(tl.BinaryOperator.ADD, row, 1, name="next"))
        sums, total = (parts, loaded(at, begin)) if is_stored else (y, place)
        if is_stored:
            _add(builder, (y, place), (sums, total), width)
            begin = builder.arith(tl.BinaryOperator.ADD, begin, 1, name="second")
        with builder.for_loop(begin, end, name="k") as number:
            _add(builder, (parts, loaded(at, number)), (sums, total), width)
        if is_stored:
            _add(builder, (sums, total), (y, place), width, beta=0.0)


def _add(
    builder: Builder, added: tuple[Value, Value], target: tuple[Value, Value], width: int, beta: float = 1.0
) -> None:
    """Adds so many entries to others, in the type of the parts; each is a memref and the first position there."""
    if width > 1:
        one, other = (builder.subview(memref, (place, width)) for memref, place in (added, target))
        builder.axpby(1.0, one, beta, other)
        return
    of, to = added[0].memref.element, target[0].memref.element  # numbers of 16 bits are cast to `f32` and back
    before = builder.load(*target) if beta else None
    value = builder.load(*added)
    for type_ in (ScalarType.F32, to) if not (of.is_computed and to.is_computed) else (to,):
        value = value if value.scalar is type_ else builder.cast(value, type_, name="number")
    builder.store(value if before is None else builder.arith(tl.BinaryOperator.ADD, before, value), *target)

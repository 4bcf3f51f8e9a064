"""`gather`: integers are loaded, and what they say is copied to the target, or zeros where one of them is negative.

for %f = 0, 4 {
  %place = load %next[%f] : memref<i32x4>
  %index = cast %place : i32 -> index
  %is_there = cmp.ge %index, 0 : index
  if %is_there {
    %source = subview %I[:, :, %index] : memref<f64x20x9x?>
    axpby.n 1.0, %source, 0.0, %view : f64, memref<f64x20x9>, f64, memref<f64x20x9>
  } else {
    ...
  }
}
"""

from collections.abc import Callable, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.ir.emit_tensor_language.access import Access, Positions, extents_of, loop_name, loops, stored
from einsum_front.ir.emit_tensor_language.elementwise import emit_broadcast, emit_fill, fastest
from einsum_front.tl_backend import Builder, Index, Number, Value
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read where: `source(number, item)` is the memref of a source, of an element if there is one.

    `places` are those of its modes: an index, a position, or the number of one of the `entries`, in a tuple. `element`
    and `member` are numbers of entries as well.
    """

    source: Callable[[int, Index | None], Value]
    sources: int
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...]
    places: tuple[str | int | tuple[int], ...]
    entries: tuple[Access, ...]
    element: int | None
    member: int | None


def emit_gather(builder: Builder, reading: Reading, target: Access) -> None:
    """Whole modes are copied at once; where each entry has integers of its own, work-items share the entries."""
    saying = list(dict.fromkeys(name for entry in reading.entries for name in entry.indices))
    extents = extents_of((target,))
    if any(name not in saying for name in target.indices):
        with loops(builder, saying, extents) as positions:
            _copy(builder, reading, target.at(positions), positions)
        return
    along = fastest(target, target.indices) if target.indices else None
    with loops(builder, [name for name in reversed(target.indices) if name != along], extents) as outside:
        extent = 1 if along is None else extents[along].index(builder)
        with builder.foreach_loop(0, extent, name=loop_name(along or "once")) as variable:
            positions = {**outside, **({} if along is None else {along: variable})}
            entry = target.at(positions)
            type_ = entry.memref.memref.element
            value = _entry(builder, reading, positions, type_ if type_.is_computed else ScalarType.F32)
            builder.store(stored(builder, value, type_), entry.memref, *entry.position)


def emit_scatter(builder: Builder, reading: Reading, added: Access) -> None:
    """The transpose: what is `added` there, atomically, unless one of the integers is negative."""
    saying = list(dict.fromkeys(name for entry in reading.entries for name in entry.indices))
    extents = extents_of((added,))
    walked = [name for name in added.indices if name not in saying]
    kept = [*([fastest(added, walked)] if walked else ())]
    with loops(builder, saying, extents) as positions:
        numbers = _numbers(builder, reading, positions)
        is_there = builder.compare(tl.Condition.GE, _sign(builder, numbers), 0, name="is_there")
        looped = [name for name in reversed(walked) if name not in kept]
        with builder.if_then(is_there), loops(builder, looped, extents) as inside:
            _add_there(builder, reading, numbers, added, {**positions, **inside})


def _add_there(builder: Builder, reading: Reading, numbers: list[Value], added: Access, at: Positions) -> None:
    for number in range(reading.sources):
        if reading.member is None:
            target = _source(builder, reading, number, numbers, at)
            builder.axpby(1.0, added.at(at).view(builder), 1.0, target.view(builder), atomic=True)
        else:
            is_chosen = builder.compare(tl.Condition.EQ, numbers[reading.member], number, name="is_chosen")
            with builder.if_then(is_chosen):
                target = _source(builder, reading, number, numbers, at)
                builder.axpby(1.0, added.at(at).view(builder), 1.0, target.view(builder), atomic=True)


def _numbers(builder: Builder, reading: Reading, positions: Positions) -> list[Value]:
    loaded = [entry.at(positions).entry(builder) for entry in reading.entries]
    return [builder.cast(each, ScalarType.INDEX, name="place") for each in loaded]


def _sign(builder: Builder, numbers: Sequence[Value]) -> Value:
    """A number that is negative if one of them is: the sign is a bit."""
    both = numbers[0]
    for number in numbers[1:]:
        both = builder.arith(tl.BinaryOperator.OR, both, number, name="places")
    return both


def _source(builder: Builder, reading: Reading, number: int, numbers: Sequence[Value], at: Positions) -> Access:
    """A source at its places; indices that are none of `at` walk the others."""
    item = None if reading.element is None else numbers[reading.element]
    memref = reading.source(number, item)
    modes: list[str | Index] = [numbers[each[0]] if isinstance(each, tuple) else each for each in reading.places]
    return Access(memref, tuple(modes), reading.shape, reading.strides).at(at)


def _copy(builder: Builder, reading: Reading, target: Access, at: Positions) -> None:
    numbers = _numbers(builder, reading, at)
    sign = _sign(builder, numbers)
    with builder.if_then(builder.compare(tl.Condition.GE, sign, 0, name="is_there")):
        for number in range(reading.sources):
            if reading.member is None:
                _copy_from(builder, reading, number, numbers, target, at)
            else:
                is_chosen = builder.compare(tl.Condition.EQ, numbers[reading.member], number, name="is_chosen")
                with builder.if_then(is_chosen):
                    _copy_from(builder, reading, number, numbers, target, at)
    with builder.if_then(builder.compare(tl.Condition.LT, sign, 0, name="is_missing")):
        emit_fill(builder, 0.0, 0.0, _viewed(builder, target))


def _copy_from(
    builder: Builder, reading: Reading, number: int, numbers: Sequence[Value], target: Access, at: Positions
) -> None:
    source = _source(builder, reading, number, numbers, at)
    emit_broadcast(builder, 1.0, _viewed(builder, source), 0.0, _viewed(builder, target))


def _viewed(builder: Builder, access: Access) -> Access:
    """The access as a memref of the modes that are walked."""
    walked = [mode for mode, each in enumerate(access.modes) if isinstance(each, str)]
    shape, strides = (tuple(of[mode] for mode in walked) for of in (access.shape, access.strides))
    return Access(access.view(builder), access.indices, shape, strides)


def _entry(builder: Builder, reading: Reading, at: Positions, element: ScalarType) -> Value:
    numbers = _numbers(builder, reading, at)

    def read(number: int) -> Value:
        return stored(builder, _source(builder, reading, number, numbers, at).entry(builder), element)

    def of_source(number: int) -> Number:
        if reading.member is None or number == reading.sources - 1:
            return read(number)
        is_chosen = builder.compare(tl.Condition.EQ, numbers[reading.member], number, name="is_chosen")
        (chosen,) = builder.if_else(
            is_chosen,
            (element,),
            lambda: (read(number),),
            lambda: (of_source(number + 1),),
        )
        return chosen

    is_there = builder.compare(tl.Condition.GE, _sign(builder, numbers), 0, name="is_there")
    (value,) = builder.if_else(is_there, (element,), lambda: (of_source(0),), lambda: (0.0,))
    return value

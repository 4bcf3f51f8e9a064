"""Modes of arguments that a function sees as one: that is right only where the launch makes them lie close."""

from collections.abc import Iterator, Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import viewed
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType

Pair = tuple[int, int]
"""Modes k and j of a memref with S_k s_k = S_j."""

Distance = tuple[str, int]
"""An unknown number of elements that has a name: the stride of a mode of the argument, its stride times its size, or
the border between two parts that a mode was expanded to."""


@dataclass(frozen=True, slots=True)
class _Mode:
    """A mode of a view: its stride, and its stride times its size; None if a slice cuts that short for certain."""

    stride: Distance
    reach: Distance | None


@dataclass(frozen=True, slots=True)
class _View:
    """A view on the memory of an argument, whose memref, or members, have this type."""

    argument: str
    type: MemrefType
    modes: tuple[_Mode, ...]


def fused_modes(function: Function) -> Mapping[str, tuple[Pair, ...]]:
    """For every memref and group argument the modes that must lie close, where its type leaves that open.

        func @f(%A: memref<f64x?x3x5>) {              %A: S_0 s_0 = S_1
          %a = subview %A[:, :, 4] : memref<f64x?x3x5>
          %b = fuse %a[0,1] : memref<f64x?x3,strided<1,?>>
        }

    Those of its prologue are among them. A slice of which nobody knows whether it is the whole mode counts as one: any
    other cannot be fused with the next mode.
    """
    found: dict[str, set[Pair]] = {}
    for each in (function,) if function.prologue is None else (function, function.prologue):
        for _, name, pair in _fusions(each):
            if pair is not None:
                found.setdefault(name, set()).add(pair)
    own = (a.name.name for a in function.arguments if isinstance(a.type, MemrefType | GroupType))
    return {name: tuple(sorted(found.get(name, ()))) for name in own}


def impossible_fusions(function: Function) -> Iterator[tl.Fuse]:
    """Fusions behind a slice that leaves positions of its mode out: the next mode starts behind these."""
    yield from (fuse for fuse, _, pair in _fusions(function) if pair is None)


def _fusions(function: Function) -> Iterator[tuple[tl.Fuse, str, Pair | None]]:
    """Demands of fusions on an argument; None where no layout will do.

    Regions that are not inside each other may give a name twice: the last value has it.
    """
    types = {argument.name.name: argument.type for argument in function.arguments}
    views = {name: _whole(name, type_) for name, type_ in types.items() if isinstance(type_, MemrefType)}
    for number, instruction in enumerate(function.get(walked)):
        if not isinstance(instruction, tl.ValueInstruction):
            continue
        if isinstance(instruction, tl.Fuse) and instruction.operand.name in views:
            view = views[instruction.operand.name]
            asked = _asked(view, instruction.first, instruction.last)
            yield from ((instruction, view.argument, pair) for pair in asked)
        operand = viewed(instruction)
        of = None if operand is None else views.get(operand.name)
        made = _made(instruction, of, number)
        if made is None:
            views.pop(instruction.result.name, None)
        else:
            views[instruction.result.name] = made


def _made(instruction: tl.ValueInstruction, of: _View | None, number: int) -> _View | None:
    """The view that the instruction makes of another one, or of the memory of a group."""
    match instruction:
        case tl.Load(operand=operand, type=GroupType(memref=memref)):
            return _whole(operand.name, memref)
        case tl.Subview() if of is not None:
            return _part(instruction, of)
        case tl.Expand() if of is not None:
            return _expanded(instruction, of, number)
        case tl.Fuse(first=first, last=last) if of is not None:
            return _fused(of, first, last)
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview()
        ):  # fmt: skip
            return None


def _whole(argument: str, memref: MemrefType) -> _View:
    modes = tuple(_Mode(("stride", mode), ("reach", mode)) for mode in range(memref.order))
    return _View(argument, memref, modes)


def _part(instruction: tl.Subview, view: _View) -> _View:
    """A slice keeps the stride, and reaches as far as the mode if it can be all of it."""
    kept = (
        _Mode(mode.stride, None) if _leaves_out(part, size) else mode
        for part, mode, size in zip(instruction.slices, view.modes, instruction.type.shape, strict=True)
        if isinstance(part, tl.Slice)
    )
    return _View(view.argument, view.type, tuple(kept))


def _leaves_out(part: tl.Slice, size: Extent) -> bool:
    """True if a slice is not the whole mode, as far as that is known."""
    if isinstance(part.offset, tl.IntegerConstant) and part.offset.value > 0:
        return True
    return isinstance(part.size, tl.IntegerConstant) and size is not None and part.size.value < size


def _expanded(instruction: tl.Expand, view: _View, number: int) -> _View:
    """The parts of a mode lie close, whatever its stride; `number` tells the borders of this one from others."""
    mode, parts = view.modes[instruction.mode], len(instruction.shape)
    borders = [(f"border {number}", border) for border in range(parts - 1)]
    new = map(_Mode, (mode.stride, *borders), (*borders, mode.reach))
    return _View(view.argument, view.type, (*view.modes[: instruction.mode], *new, *view.modes[instruction.mode + 1 :]))


def _fused(view: _View, first: int, last: int) -> _View:
    one = _Mode(view.modes[first].stride, view.modes[last].reach)
    return _View(view.argument, view.type, (*view.modes[:first], one, *view.modes[last + 1 :]))


def _asked(view: _View, first: int, last: int) -> Iterator[Pair | None]:
    """Strides that the argument has to keep for the modes to follow each other, as far as its type does not say so."""
    strides, shape = view.type.strides, view.type.shape
    for left, right in zip(view.modes[first:last], view.modes[first + 1 : last + 1], strict=True):
        if left.reach is None:
            yield None
            return
        (what, k), (other, j) = left.reach, right.stride
        if (what, other) == ("reach", "stride") and None in (strides[k], shape[k], strides[j]):
            yield k, j

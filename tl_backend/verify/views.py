"""Views and element accesses: mode numbers, indices, slices, and the shapes of `expand` and `fuse`."""

from collections.abc import Iterable, Iterator
from math import prod

from einsum_front.diagnostics import Diagnostic
from einsum_front.tl_backend.analysis.fused import impossible_fusions
from einsum_front.tl_backend.instructions import (
    Expand,
    Fuse,
    IndexOperand,
    Instruction,
    IntegerConstant,
    Load,
    Position,
    Size,
    Slice,
    Store,
    Subview,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.types import Extent, GroupType
from einsum_front.tl_backend.unparse import unparse_type
from einsum_front.tl_backend.unparse.words import mnemonic
from einsum_front.tl_backend.verify.report import mistake

View = Expand | Fuse | Size


def check_view(instruction: Instruction) -> Iterator[Diagnostic]:
    """Whether the operand has what the instruction picks from it."""
    if isinstance(instruction, Load | Store | Subview):
        yield from list(check_count(instruction)) or check_bounds(instruction)
    elif isinstance(instruction, Expand | Fuse | Size):
        yield from list(check_modes(instruction)) or check_new_shape(instruction)


def check_modes(instruction: View) -> Iterator[Diagnostic]:
    """Modes are counted from 0 and lie below the order."""
    order, name = instruction.type.order, f"`%{instruction.operand.name}`"
    modes = (instruction.first, instruction.last) if isinstance(instruction, Fuse) else (instruction.mode,)
    wrong = next((mode for mode in modes if not 0 <= mode < order), None)
    if wrong is not None:
        last = f"the last mode is {order - 1}" if order else "it has no modes"
        message = f"`{mnemonic(instruction)}` asks for mode {wrong} of {name}, which has order {order}"
        yield mistake("E0435", message, instruction.origin, last)
    elif isinstance(instruction, Fuse) and instruction.first >= instruction.last:
        message = f"`fuse` from mode {instruction.first} to mode {instruction.last} fuses nothing"
        yield mistake("E0435", message, instruction.origin, "the first mode must be before the last")


def check_count(instruction: Load | Store | Subview) -> Iterator[Diagnostic]:
    """There is one index for every mode of a memref, and one for a group."""
    given = len(instruction.slices if isinstance(instruction, Subview) else instruction.indices)
    if isinstance(instruction.type, GroupType):
        wanted, what = 1, "a group takes 1"
    else:
        wanted, what = instruction.type.order, f"`{unparse_type(instruction.type)}` has order {instruction.type.order}"
    if given != wanted:
        message = f"`{mnemonic(instruction)}` has {given} {'index' if given == 1 else 'indices'}, but {what}"
        yield mistake("E0436", message, instruction.origin)


def check_bounds(instruction: Load | Store | Subview) -> Iterator[Diagnostic]:
    """Indices and slices that are known lie inside their mode, as far as its size is known."""
    sizes = (None,) if isinstance(instruction.type, GroupType) else instruction.type.shape
    picks: Iterable[Position | Slice] = (
        instruction.slices if isinstance(instruction, Subview) else map(Position, instruction.indices)
    )
    for mode, (pick, size) in enumerate(zip(picks, sizes, strict=True)):
        match pick:
            case Position(index=index):
                yield from _check_position(index, mode, size)
            case Slice():
                yield from _check_slice(pick, mode, size)


def _check_position(index: IndexOperand, mode: int, size: Extent) -> Iterator[Diagnostic]:
    if not isinstance(index, IntegerConstant):
        return
    if index.value < 0:
        yield mistake(
            "E0437", f"index {index.value} of mode {mode} is negative", index.origin, "positions count from 0"
        )
    elif size is not None and index.value >= size:
        message = f"index {index.value} is outside of mode {mode}, which has size {size}"
        yield mistake("E0437", message, index.origin, f"the last position is {size - 1}")


def _check_slice(slice_: Slice, mode: int, mode_size: Extent) -> Iterator[Diagnostic]:
    """The part of the mode that is known to be cut out is in the mode: at least one position from the offset on."""
    offset, size = _known(slice_.offset), _known(slice_.size)
    if size is not None and size < 1:
        place = slice_.size.origin if slice_.size is not None else ()
        yield mistake("E0438", f"the slice of mode {mode} has size {size}", place, "must be at least 1")
        return
    yield from _check_position(slice_.offset, mode, mode_size)
    if offset is None or size is None or mode_size is None or offset >= mode_size or offset < 0:
        return
    if offset + size > mode_size:
        message = f"the slice {offset}:{size} reaches beyond mode {mode}, which has size {mode_size}"
        place = slice_.size.origin if slice_.size is not None else ()
        yield mistake("E0437", message, place, f"at most {mode_size - offset} positions follow offset {offset}")


def _known(operand: IndexOperand | None) -> int | None:
    return operand.value if isinstance(operand, IntegerConstant) else None


def check_new_shape(instruction: View) -> Iterator[Diagnostic]:
    """A mode can be split, or modes fused, as the instruction says."""
    match instruction:
        case Expand():
            yield from check_expand(instruction)
        case Fuse():
            yield from check_fuse(instruction)
        case Size():
            return


def check_expand(instruction: Expand) -> Iterator[Diagnostic]:
    """The new modes have as many positions as the old one; one of them may be left to infer."""
    shape = instruction.shape
    given = [entry.value for entry in shape if isinstance(entry, IntegerConstant)]
    least = prod(given)
    mode_size = instruction.type.shape[instruction.mode]
    what = f"mode {instruction.mode} of size {mode_size}"
    if len(shape) < 2:
        yield mistake("E0439", "`expand` needs at least two new modes", instruction.origin)
    elif shape.count(None) > 1:
        yield mistake("E0439", "`expand` leaves more than one size to infer", instruction.origin, "one `?` at most")
    elif any(size < 1 for size in given):
        yield mistake("E0438", f"`expand` makes a mode of size {min(given)}", instruction.origin, "must be at least 1")
    elif mode_size is None:
        return
    elif len(given) == len(shape) and least != mode_size:
        message = f"`expand` makes {least} positions of {what}"
        yield mistake("E0439", message, instruction.origin, f"the product of the sizes must be {mode_size}")
    elif mode_size % least != 0:
        message = f"`expand` cannot divide {what} by {least}"
        yield mistake("E0439", message, instruction.origin, "the sizes must divide the mode")


def check_fusions(function: Function) -> Iterator[Diagnostic]:
    """No mode that a slice cuts is fused with the next one, whatever their strides are; all else keeps the rules."""
    for fuse in impossible_fusions(function):
        message = f"modes {fuse.first} to {fuse.last} of `%{fuse.operand.name}` cannot be fused"
        label = "a slice leaves out positions of a mode, which lie before the next one"
        yield mistake("E0445", message, fuse.origin, label)


def check_fuse(instruction: Fuse) -> Iterator[Diagnostic]:
    """Positions of neighbouring fused modes follow each other in memory, as far as sizes and strides are known."""
    shape, strides = instruction.type.shape, instruction.type.strides
    for mode in range(instruction.first, instruction.last):
        size, stride, following = shape[mode], strides[mode], strides[mode + 1]
        if size is None or stride is None or following is None or stride * size == following:
            continue
        message = f"modes {mode} and {mode + 1} of `%{instruction.operand.name}` cannot be fused"
        label = f"stride {stride} times size {size} is {stride * size}, but the next stride is {following}"
        yield mistake("E0445", message, instruction.origin, label)
        return

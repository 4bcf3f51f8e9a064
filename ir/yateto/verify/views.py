"""Views: parts inside their modes, the result type that follows, offsets of work items."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import Extent, capacity, is_at_most, least_value
from einsum_front.core.words import counted
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.unparse import memref_text
from einsum_front.ir.yateto.verify.scope import Scope


def check_parts(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """A subview has one position or slice for every mode."""
    if isinstance(instruction, yir.Subview) and len(instruction.parts) != instruction.from_type.order:
        order = counted(instruction.from_type.order, "mode")
        message = f"{counted(len(instruction.parts), 'position or slice')} for {order}"
        yield mistake("E0487", message, instruction.origin, f"`%{instruction.operand.name}` has {order}")


def check_bounds(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Positions and slices lie inside their mode; a slice has at least one entry."""
    if not isinstance(instruction, yir.Subview):
        return
    for mode, (part, size) in enumerate(zip(instruction.parts, instruction.from_type.shape, strict=True)):
        found = _outside(part, size, scope)
        if found is not None:
            yield mistake(
                "E0488", found, instruction.origin, f"mode {mode} of `%{instruction.operand.name}` has size {size}"
            )


def _outside(part: yir.Position | yir.Slice, size: Extent, scope: Scope) -> str | None:
    match part:
        case yir.Position(index=yir.Local() as local):
            values = scope.visible[local.name].values
            if values is None or values[0] == values[1] or (values[0] >= 0 and _is_within(values[1], size, scope)):
                return None
            return f"`%{local.name}` takes the values {values[0]} to {values[1] - 1}, which lead outside"
        case yir.Position(index=int() as index):
            return None if index >= 0 and _is_within(index + 1, size, scope) else f"position {index} is outside"
        case yir.Position():
            return None
        case yir.Slice(start=first, stop=last):
            start, stop = first or 0, size if last is None else last
            if start < 0 or not _is_within(start + 1, stop, scope):
                none = "has no entry" if isinstance(stop, int) else "may have no entry"
                return f"the slice from {start} to {stop} {none}"
            return None if _is_within(stop, size, scope) else _leaves(start, stop, size, scope)


def _leaves(start: int, stop: Extent, size: Extent, scope: Scope) -> str:
    """Reason why a slice may leave its mode."""
    if isinstance(stop, int) and isinstance(size, int):
        return f"the slice from {start} to {stop} reaches outside"
    most, least = capacity(scope.limited(stop)), least_value(scope.limited(size))
    if isinstance(most, int):
        return f"the slice to {stop} reaches outside for some sizes: {most} is more than {least}"
    return f"the slice ends at {stop}, which no `;! limit` keeps from being more than {size}"


def _is_within(one: Extent, other: Extent, scope: Scope) -> bool:
    """True if a number is at most another one for all sizes within their limits."""
    return is_at_most(scope.limited(one), scope.limited(other))


def check_view_type(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """The type after `to` is the one that follows from the parts."""
    if isinstance(instruction, yir.Subview):
        wanted = view_type(instruction)
        if instruction.to_type != wanted:
            message = f"the view has type `{memref_text(wanted)}`, not `{memref_text(instruction.to_type)}`"
            yield mistake("E0489", message, instruction.origin, "a view keeps the strides of the modes that it keeps")


def view_type(instruction: yir.Subview) -> yir.MemrefType:
    """A mode at one position is gone, a sliced mode has the size of its slice; the strides of what stays are kept."""
    memref = instruction.from_type
    kept = [
        ((size if part.stop is None else part.stop) - (part.start or 0), stride)
        for part, size, stride in zip(instruction.parts, memref.shape, memref.strides, strict=True)
        if isinstance(part, yir.Slice)
    ]
    return yir.MemrefType(memref.element, tuple(size for size, _ in kept), tuple(stride for _, stride in kept))


def check_offset(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """A group that is taken with an offset somewhere has packed work items."""
    if not isinstance(instruction, yir.GetWorkItem) or instruction.group.name not in scope.moved:
        return
    memref = instruction.type.memref
    if not memref.is_packed or isinstance(instruction.type.layout, yir.After):
        message = f"an offset for work items of type `{memref_text(memref)}`"
        also = [] if instruction.offset is None else [(instruction.offset.origin, "the offset")]
        note = "an offset may lead anywhere in the group's memory, which is therefore flat: its work items are packed"
        yield mistake("E0490", message, instruction.origin, "not packed", also=also, notes=(note,))

"""Facts and limits: each is given once, is true of its argument or size, and contradicts no other."""

from collections.abc import Iterator, Mapping

from einsum_front.core.binding import polynomials_in
from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import Extent, Polynomial, capacity, is_at_most, least_value, sizes_in
from einsum_front.core.facts import Values, misfit, misplaced
from einsum_front.core.rules import check_limits, check_stated
from einsum_front.core.scattered import Scatter
from einsum_front.core.words import counted
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import instructions, moved_groups, target_of
from einsum_front.ir.yateto.unparse import memref_text
from einsum_front.ir.yateto.verify.scope import Scope


def check_facts(function: yir.Function) -> Iterator[Diagnostic]:
    """Every fact of the function is true of its argument, as far as that can be seen."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    memrefs = {name: memref for name, type_ in types.items() if (memref := _memref(type_)) is not None}
    groups = [name for name, type_ in types.items() if isinstance(type_, yir.GroupType)]

    def misfit_of(fact: yir.Fact) -> str | None:
        others = [other for other in function.facts if other.argument == fact.argument]
        found = _misfit(fact, memrefs[fact.argument], others, is_group=fact.argument in groups)
        if found is None and isinstance(fact, Scatter):
            return misplaced(fact, {name: (each.element.value, each.shape) for name, each in memrefs.items()}, groups)
        return found

    yield from check_stated("E0492", function, memrefs, misfit_of)


def known_values(function: yir.Function) -> Mapping[str, Values]:
    """The facts about values of arguments that are one for all work items, by the name of the argument."""
    whole = {argument.name.name for argument in function.arguments if isinstance(argument.type, yir.MemrefType)}
    return {fact.argument: fact for fact in function.facts if isinstance(fact, Values) and fact.argument in whole}


def check_known_values(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An argument whose values are known keeps them."""
    target = target_of(instruction)
    if target is None:
        return
    written = target.value
    memory = scope.visible[written.name].memory
    fact = None if memory is None else scope.known_values.get(memory.base)
    if fact is not None:
        message = f"`%{fact.argument}` is written, but its values are known when compiling"
        yield mistake("E0492", message, written.origin, "written here", also=[(fact.origin, "known here")])


def _memref(type_: yir.Type | None) -> yir.MemrefType | None:
    if isinstance(type_, yir.GroupType):
        return type_.memref
    return type_ if isinstance(type_, yir.MemrefType) else None


def _misfit(fact: yir.Fact, memref: yir.MemrefType, facts: list[yir.Fact], *, is_group: bool) -> str | None:
    """What the fact says that cannot be; `facts` are all about the argument."""
    if is_group and isinstance(fact, Values):
        return f"`%{fact.argument}` is a group, so its values cannot be known when compiling"
    shape = [None if isinstance(size, Polynomial) else size for size in memref.shape]
    return misfit(fact, memref.element.value, shape, facts)


# -- sizes: arguments show them to the launch --------------------------------------------------------------------------


def check_sizes(function: yir.Function) -> Iterator[Diagnostic]:
    """Each size is the whole size of a mode of an argument, which shows it; limits are about such sizes."""
    known, unknown = shown_names(function), f"no argument of `@{function.name}` has a mode of size `[{{}}]`"
    yield from check_limits("E0492", function.limits, known, unknown)
    for node in (*function.arguments, *instructions(function.body)):
        for name in sizes_in(polynomials_in(node)):
            if name not in known:
                message = f"{unknown.format(name)}, so nothing shows it"
                yield mistake("E0493", message, node.origin, f"`{name}` is needed here")
                known.add(name)


def shown_names(function: yir.Function) -> set[str]:
    """The sizes that are the whole size of a mode of an argument."""
    moved = moved_groups(function)
    types = (argument.type for argument in function.arguments if argument.name.name not in moved)
    memrefs = (type_.memref if isinstance(type_, yir.GroupType) else type_ for type_ in types)
    sizes = (size for memref in memrefs if isinstance(memref, yir.MemrefType) for size in memref.shape)
    return {size.size.name for size in sizes if isinstance(size, Polynomial) and size.size is not None}


# -- views -------------------------------------------------------------------------------------------------------------
# Parts inside their modes, the result type that follows, offsets of work items.


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

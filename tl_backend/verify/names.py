"""Names: none hides another, each is defined before it is used, in sight of the use, and its memory is alive."""

from collections.abc import Iterator, Sequence

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.traverse import operands
from einsum_front.tl_backend.verify.scope import Scope


def check_operands(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Every operand is in sight and its memory is alive; a name is reported once."""
    for operand in operands(instruction):
        if not isinstance(operand, tl.Local) or operand.name in scope.forgiven:
            continue
        found = _unusable(operand, scope)
        if found is not None:
            scope.forgiven.add(operand.name)
            yield found


def _unusable(local: tl.Local, scope: Scope) -> Diagnostic | None:
    name = f"`%{local.name}`"
    if local.name in scope.visible:
        access = scope.access_of(local)
        stop = scope.stopped.get(access.buffer) if access is not None else None
        if stop is None:
            return None
        ended = [(stop.origin, "its memory is given up here")]
        return mistake("E0413", f"{name} is used after its memory was given up", local.origin, "used here", also=ended)
    if local.name not in scope.first:
        return mistake("E0410", f"{name} is not defined", local.origin, "no argument or instruction has this name")
    if local.name in scope.closed:
        where, ended = "the region of its definition has ended", [(scope.closed[local.name].origin, "defined here")]
        return mistake("E0412", f"{name} is used outside its region", local.origin, where, also=ended)
    defined = [(scope.first[local.name].origin, "defined here")]
    return mistake("E0410", f"{name} is used before it is defined", local.origin, "used here", also=defined)


def check_definitions(names: Sequence[tl.Local], scope: Scope) -> Iterator[Diagnostic]:
    """No name hides one in sight."""
    together: dict[str, tl.Local] = {}
    for local in names:
        before = scope.visible[local.name].local if local.name in scope.visible else together.get(local.name)
        if before is not None:
            first = [(before.origin, "first defined here")]
            yield mistake("E0411", f"`%{local.name}` is defined twice", local.origin, "defined again here", also=first)
        together[local.name] = local


def check_lifetime_stop(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Mistakes of a `lifetime_stop`: its operand is the result of an `alloca` of its own region."""
    if not isinstance(instruction, tl.LifetimeStop):
        return
    local = instruction.operand
    definition = scope.visible[local.name]
    made = [(definition.local.origin, "defined here")]
    if not definition.is_alloca:
        message = f"`%{local.name}` is not the result of an `alloca`"
        yield mistake("E0414", message, local.origin, "only an `alloca` has a life to end", also=made)
    elif definition.depth != scope.depth:
        message = f"the life of `%{local.name}` ends in another region than it began"
        why = "would be used again if the inner region runs twice"
        yield mistake("E0414", message, local.origin, why, also=made)

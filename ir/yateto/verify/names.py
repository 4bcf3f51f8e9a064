"""Names: each is defined once, before it is used, in sight of the use, and its memory is alive."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import used
from einsum_front.ir.yateto.verify.scope import Scope


def check_used(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Every operand is in sight and its memory is alive; a name is reported once."""
    for local in used(instruction):
        if local.name in scope.forgiven:
            continue
        found = _unusable(local, scope)
        if found is not None:
            scope.forgiven.add(local.name)
            yield found


def _unusable(local: yir.Local, scope: Scope) -> Diagnostic | None:
    name = f"`%{local.name}`"
    definition = scope.visible.get(local.name)
    if definition is not None:
        stop = None if definition.memory is None else scope.stopped.get(definition.memory.base)
        if stop is None:
            return None
        ended = [(stop.origin, "its memory is given up here")]
        return mistake("E0467", f"{name} is used after its memory was given up", local.origin, "used here", also=ended)
    if local.name not in scope.first:
        return mistake("E0465", f"{name} is not defined", local.origin, "no argument or instruction has this name")
    defined = [(scope.first[local.name].origin, "defined here")]
    if local.name in scope.closed:
        where = "the loop of its definition has ended"
        return mistake("E0465", f"{name} is used outside its region", local.origin, where, also=defined)
    return mistake("E0465", f"{name} is used before it is defined", local.origin, "used here", also=defined)


def check_new(local: yir.Local, scope: Scope) -> Iterator[Diagnostic]:
    """The name is new in the function; one that is not is forgiven: nobody can say which value a use means."""
    if local.name in scope.visible or local.name in scope.closed:
        scope.forgiven.add(local.name)
        first = [(scope.first[local.name].origin, "first defined here")]
        yield mistake("E0466", f"`%{local.name}` is defined twice", local.origin, "defined again here", also=first)


def check_lifetime_stop(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Mistakes of a `lifetime_stop`: its operand is the result of an `alloca` of its own region."""
    if not isinstance(instruction, yir.LifetimeStop):
        return
    local = instruction.operand
    definition = scope.visible[local.name]
    made = [(definition.local.origin, "defined here")]
    if not definition.is_alloca:
        message = f"`%{local.name}` is not the result of an `alloca`"
        yield mistake("E0468", message, local.origin, "only an `alloca` has a life to end", also=made)
    elif definition.depth != scope.depth:
        message = f"the life of `%{local.name}` ends in another region than it began"
        yield mistake("E0468", message, local.origin, "the loop may need it again", also=made)

"""Rules of prologues: they read arguments of the function, and write memory that belongs to the launch."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import Polynomial
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.prologues import owned_memory, written_arguments
from einsum_front.ir.yateto.unparse import type_text


def check_prologue(function: yir.Function) -> Iterator[Diagnostic]:
    """The prologue of a function has arguments that are one for all work items, and that both agree on."""
    prologue = function.prologue
    if prologue is None:
        return
    owned, written = owned_memory(prologue), written_arguments(function)
    own = {argument.name.name: argument for argument in function.arguments}
    for argument in prologue.arguments:
        name = argument.name.name
        if isinstance(argument.type, yir.GroupType):
            message = f"`%{name}` is one for each work item, but `@{prologue.name}` runs once for all"
            yield mistake("E0494", message, argument.origin)
        elif name not in own and name not in owned:
            message = f"`@{prologue.name}` reads `%{name}`, which is no argument of `@{function.name}`"
            yield mistake("E0494", f"{message}: the caller of that passes all that is read", argument.origin)
        elif name in own:
            yield from _other(argument, own[name], prologue, function)
        if name in owned and any(isinstance(size, Polynomial) for size in owned[name].shape):
            message = f"`@{prologue.name}` writes `%{name}`, whose size is not known when compiling"
            yield mistake("E0494", message, argument.origin)
        elif name in owned and name in written:
            message = f"`%{name}` is written by `@{prologue.name}` beforehand: the function itself only reads it"
            yield mistake("E0494", message, argument.origin)


def _other(
    argument: yir.Argument, own: yir.Argument, prologue: yir.Function, function: yir.Function
) -> Iterator[Diagnostic]:
    """In what an argument of the prologue differs from that of the function."""
    name = argument.name.name
    facts, theirs = ({fact for fact in each.facts if fact.argument == name} for each in (prologue, function))
    if own.type != argument.type:
        of_function, of_prologue = type_text(own.type), type_text(argument.type)
        message = f"`%{name}` is `{of_prologue}` in `@{prologue.name}`, but `{of_function}` in `@{function.name}`"
        yield mistake("E0494", message, argument.origin)
    elif facts != theirs:
        message = f"the facts about `%{name}` in `@{prologue.name}` are not those in `@{function.name}`"
        yield mistake("E0494", message, argument.origin)

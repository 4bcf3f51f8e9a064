"""Rules of prologues: they read arguments of the function, and write memory that belongs to the launch."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.facts import Values
from einsum_front.tl_backend.analysis.effects import Effects, argument_access, owned_memory
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import GroupType, MemrefType
from einsum_front.tl_backend.unparse import unparse_type


def check_prologue(function: Function) -> Iterator[Diagnostic]:
    """The prologue of a function has arguments that are one for the launch, and that both agree on."""
    prologue = function.prologue
    if prologue is None:
        return
    own = {argument.name.name: argument for argument in function.arguments}
    owned = owned_memory(prologue)
    access = argument_access(function)
    for argument in prologue.arguments:
        name = argument.name.name
        is_owned = name in owned
        found = _misfit(argument, prologue) or (
            _other(argument, own.get(name), prologue, function) if name in own or not is_owned else None
        )
        if found is None and is_owned:
            found = _misfit_owned(argument, prologue, access.get(name))
        if found is not None:
            yield mistake("E0452", found, argument.origin)


def _misfit(argument: Argument, prologue: Function) -> str | None:
    """Why there is not one of the argument for the whole launch."""
    name = argument.name.name
    if isinstance(argument.type, GroupType) or name in prologue.batch_modes:
        return f"`%{name}` is one for each work-group, but `@{prologue.name}` runs once before each launch"
    return None


def _other(argument: Argument, own: Argument | None, prologue: Function, function: Function) -> str | None:
    """In what the argument differs from that of the function."""
    name = argument.name.name
    if own is None:
        message = f"`@{prologue.name}` reads `%{name}`, which is no argument of `@{function.name}`"
        return f"{message}: the caller of that passes all that is read"
    if own.type != argument.type:
        of_function, of_prologue = unparse_type(own.type), unparse_type(argument.type)
        return f"`%{name}` is `{of_prologue}` in `@{prologue.name}`, but `{of_function}` in `@{function.name}`"
    facts, theirs = ([f for f in each.facts if f.argument == name] for each in (prologue, function))
    if set(facts) != set(theirs):
        return f"the facts about `%{name}` in `@{prologue.name}` are not those in `@{function.name}`"
    return None


def _misfit_owned(argument: Argument, prologue: Function, access: Effects | None) -> str | None:
    """Why the argument cannot be memory of a launch."""
    name, type_ = argument.name.name, argument.type
    if isinstance(type_, MemrefType) and None in (*type_.shape, *type_.strides):
        return f"`@{prologue.name}` writes `%{name}`, whose size is not known when compiling"
    if any(isinstance(fact, Values) and fact.argument == name for fact in prologue.facts):
        return None  # said where it is written
    if access is not None and access.is_written:
        return f"`%{name}` is written by `@{prologue.name}` before each launch: the function itself only reads it"
    return None

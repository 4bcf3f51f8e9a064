"""Facts and limits: each is given once, is true of its argument or size, and contradicts no other."""

from collections.abc import Iterator, Mapping

from einsum_front.core.binding import polynomials_in
from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import Polynomial, sizes_in
from einsum_front.core.facts import Values, misfit
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import instructions, moved_groups, target_of
from einsum_front.ir.yateto.verify.scope import Scope


def check_facts(function: yir.Function) -> Iterator[Diagnostic]:
    """Every fact of the function is true of its argument, as far as that can be seen."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    seen: dict[tuple[type, str], yir.Fact] = {}
    for fact in function.facts:
        earlier = seen.setdefault((type(fact), fact.argument), fact)
        memref = _memref(types.get(fact.argument))
        if earlier is not fact:
            also = [(earlier.origin, "first given here")]
            yield mistake("E0492", f"a second fact of this kind about `%{fact.argument}`", fact.origin, also=also)
        elif memref is None:
            yield mistake("E0492", f"`%{fact.argument}` is not a tensor argument of `@{function.name}`", fact.origin)
        else:
            others = [other for other in function.facts if other.argument == fact.argument]
            found = _misfit(fact, memref, others, is_group=isinstance(types[fact.argument], yir.GroupType))
            if found is not None:
                yield mistake("E0492", found, fact.origin)


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


def check_limits(function: yir.Function) -> Iterator[Diagnostic]:
    """A limit is about a size that arguments show, is given once, and ascends."""
    shown = shown_names(function)
    seen: set[str] = set()
    for limit in function.limits:
        if limit.name in seen:
            yield mistake("E0492", f"a second limit of the size `{limit.name}`", limit.origin)
        elif limit.name not in shown:
            message = f"no argument of `@{function.name}` has a mode of size `[{limit.name}]`"
            yield mistake("E0492", message, limit.origin)
        elif not limit.ascends:
            yield mistake("E0492", f"the limit of the size `{limit.name}` does not ascend from 1 on", limit.origin)
        seen.add(limit.name)


def check_sizes_are_shown(function: yir.Function) -> Iterator[Diagnostic]:
    """Each size is the whole size of a mode of an argument, which shows it."""
    known = shown_names(function)
    for node in (*function.arguments, *instructions(function.body)):
        for name in sizes_in(polynomials_in(node)):
            if name not in known:
                message = f"no argument of `@{function.name}` has a mode of size `[{name}]`, so nothing shows it"
                yield mistake("E0493", message, node.origin, f"`{name}` is needed here")
                known.add(name)


def shown_names(function: yir.Function) -> set[str]:
    """The sizes that are the whole size of a mode of an argument."""
    moved = moved_groups(function)
    types = (argument.type for argument in function.arguments if argument.name.name not in moved)
    memrefs = (type_.memref if isinstance(type_, yir.GroupType) else type_ for type_ in types)
    sizes = (size for memref in memrefs if isinstance(memref, yir.MemrefType) for size in memref.shape)
    return {size.size.name for size in sizes if isinstance(size, Polynomial) and size.size is not None}

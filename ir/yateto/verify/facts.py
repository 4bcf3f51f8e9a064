"""Facts: each is about a tensor argument, is given once, and fits its shape."""

from collections.abc import Iterator
from math import prod

from diagnostics import Diagnostic
from ir.yateto.nodes import Fact, Function, GroupType, MemrefType, Modes, Nonzeros, Type
from ir.yateto.verify.report import mistake


def check_facts(function: Function) -> Iterator[Diagnostic]:
    """Every fact of the function fits its argument."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    seen: dict[tuple[type, str], Fact] = {}
    for fact in function.facts:
        earlier = seen.setdefault((type(fact), fact.argument), fact)
        memref = _memref(types.get(fact.argument))
        if earlier is not fact:
            also = [(earlier.origin, "first given here")]
            yield mistake("E0492", f"a second fact of this kind about `%{fact.argument}`", fact.origin, also=also)
        elif memref is None:
            yield mistake("E0492", f"`%{fact.argument}` is not a tensor argument of `@{function.name}`", fact.origin)
        else:
            yield from _check_fact(fact, memref)


def _memref(type_: Type | None) -> MemrefType | None:
    if isinstance(type_, GroupType):
        return type_.memref
    return type_ if isinstance(type_, MemrefType) else None


def _check_fact(fact: Fact, memref: MemrefType) -> Iterator[Diagnostic]:
    match fact:
        case Modes(permutation=permutation, origin=origin):
            if sorted(permutation) != list(range(memref.order)):
                message = f"`%{fact.argument}` has order {memref.order}: its modes are a permutation of"
                wanted = " ".join(str(mode) for mode in range(memref.order)) or "nothing"
                yield mistake("E0492", f"{message} {wanted}", origin)
        case Nonzeros(runs=runs, origin=origin):
            end = 0
            for start, stop in runs:
                if not end <= start < stop:
                    yield mistake("E0492", f"the runs of `%{fact.argument}` do not ascend at {start}:{stop}", origin)
                    return
                end = stop
            if end > prod(memref.shape):
                message = f"`%{fact.argument}` has {prod(memref.shape)} entries, but the runs end at {end}"
                yield mistake("E0492", message, origin)

"""Facts: each is about a tensor argument, is given once, and contradicts neither its type nor another fact."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import prod

import numpy as np

from einsum_front.diagnostics import Diagnostic
from einsum_front.ir.yateto.nodes import (
    Fact,
    Function,
    GroupType,
    Instruction,
    MemrefType,
    Modes,
    Nonzeros,
    ScalarType,
    Type,
    Values,
)
from einsum_front.ir.yateto.traverse import TensorOperation, accesses
from einsum_front.ir.yateto.verify.report import mistake
from einsum_front.ir.yateto.verify.scope import Scope


def check_facts(function: Function) -> Iterator[Diagnostic]:
    """Every fact of the function is true of its argument, as far as that can be seen."""
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
            others = [other for other in function.facts if other.argument == fact.argument]
            yield from _check_fact(fact, memref, others, is_group=isinstance(types[fact.argument], GroupType))


def known_values(function: Function) -> Mapping[str, Values]:
    """The facts about values of arguments that are one for all work items, by the name of the argument."""
    whole = {argument.name.name for argument in function.arguments if isinstance(argument.type, MemrefType)}
    return {fact.argument: fact for fact in function.facts if isinstance(fact, Values) and fact.argument in whole}


def check_known_values(instruction: Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An argument whose values are known keeps them."""
    if not isinstance(instruction, TensorOperation):
        return
    written = accesses(instruction)[-1][0].value
    memory = scope.visible[written.name].memory
    fact = None if memory is None else scope.known_values.get(memory.base)
    if fact is not None:
        message = f"`%{fact.argument}` is written, but its values are known when compiling"
        yield mistake("E0492", message, written.origin, "written here", also=[(fact.origin, "known here")])


def _memref(type_: Type | None) -> MemrefType | None:
    if isinstance(type_, GroupType):
        return type_.memref
    return type_ if isinstance(type_, MemrefType) else None


def _check_fact(fact: Fact, memref: MemrefType, facts: list[Fact], *, is_group: bool) -> Iterator[Diagnostic]:
    """`facts` are all about the argument."""
    match fact:
        case Modes(permutation=permutation, origin=origin):
            if sorted(permutation) != list(range(memref.order)):
                message = f"`%{fact.argument}` has order {memref.order}: its modes are a permutation of"
                wanted = " ".join(str(mode) for mode in range(memref.order)) or "nothing"
                yield mistake("E0492", f"{message} {wanted}", origin)
        case Nonzeros(runs=runs, origin=origin):
            descent = _descent(runs)
            if descent is not None:
                start, stop = descent
                yield mistake("E0492", f"the runs of `%{fact.argument}` do not ascend at {start}:{stop}", origin)
            elif runs and runs[-1][1] > prod(memref.shape):
                message = f"`%{fact.argument}` has {prod(memref.shape)} entries, but the runs end at {runs[-1][1]}"
                yield mistake("E0492", message, origin)
        case Values(origin=origin):
            found = _misfit(fact, memref, is_group=is_group) or _contradiction(fact, facts)
            if found is not None:
                yield mistake("E0492", found, origin)


def _descent(runs: tuple[tuple[int, int], ...]) -> tuple[int, int] | None:
    """The first run that is empty or begins before the end of the run before it."""
    ends = [0, *(stop for _, stop in runs)]
    return next((run for run, end in zip(runs, ends, strict=False) if not end <= run[0] < run[1]), None)


def _misfit(fact: Values, memref: MemrefType, *, is_group: bool) -> str | None:
    """Why these cannot be the values of a tensor of the type."""
    name, element, count = f"`%{fact.argument}`", memref.element, prod(memref.shape)
    positions = [position for position, _ in fact.entries]
    if is_group:
        return f"{name} is a group, so its values cannot be known when compiling"
    if not element.is_floating:
        return f"the elements of {name} are of type `{element.value}`: only `f32` and `f64` can have known values"
    if any(after <= before for before, after in pairwise(positions)):
        return f"the values of {name} are not in ascending order of their positions"
    if positions and positions[-1] >= count:
        return f"{name} has {count} entries, but the values reach to position {positions[-1]}"
    for position, number in fact.entries:
        if not _fits(number, element):
            return f"the value {number!r} at position {position} of {name} does not fit into `{element.value}`"
    return None


def _fits(number: float, element: ScalarType) -> bool:
    with np.errstate(over="ignore"):
        return element is ScalarType.F64 or bool(np.isfinite(np.float32(number)))


def _contradiction(fact: Values, facts: list[Fact]) -> str | None:
    """An entry with a value other than zero that the nonzeros, if they ascend, leave out."""
    for runs in (other.runs for other in facts if isinstance(other, Nonzeros)):
        ends = [stop for _, stop in runs]
        for position, number in fact.entries if _descent(runs) is None else ():
            run = bisect_right(ends, position)
            if number != 0 and (run == len(runs) or position < runs[run][0]):
                value = f"the value at position {position} of `%{fact.argument}` is {number!r}"
                return f"{value}, but its nonzeros leave that out"
    return None

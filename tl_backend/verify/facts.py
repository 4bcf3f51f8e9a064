"""Facts about arguments: what they say is true of the function, as far as that can be seen."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import prod

from einsum_front.diagnostics import Diagnostic
from einsum_front.tl_backend.instructions import Instruction
from einsum_front.tl_backend.program import Batched, Fact, Function, Modes, Nonzeros, Sizes, Values
from einsum_front.tl_backend.scalars import fits_constant
from einsum_front.tl_backend.semantics import writes
from einsum_front.tl_backend.types import GroupType, MemrefType
from einsum_front.tl_backend.verify.report import mistake
from einsum_front.tl_backend.verify.scope import Scope


def check_facts(function: Function) -> Iterator[Diagnostic]:
    """A fact is about a tensor that is an argument, is said once, and contradicts neither its type nor another fact."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    seen: set[tuple[type[Fact], str]] = set()
    for fact in function.facts:
        type_ = types.get(fact.argument)
        if not isinstance(type_, MemrefType | GroupType):
            found: str | None = f"`%{fact.argument}` is no tensor among the arguments of `@{function.name}`"
        elif (type(fact), fact.argument) in seen:
            found = f"the same fact about `%{fact.argument}` is given twice"
        else:
            found = _misfit(fact, type_, [other for other in function.facts if other.argument == fact.argument])
        seen.add((type(fact), fact.argument))
        if found is not None:
            yield mistake("E0449", found, fact.origin)


def check_limits(function: Function) -> Iterator[Diagnostic]:
    """A limit is about a size that a fact names, is said once, and ascends."""
    named = {name for fact in function.facts if isinstance(fact, Sizes) for name in fact.names}
    seen: set[str] = set()
    for limit in function.limits:
        found = None
        if limit.name in seen:
            found = f"the size `{limit.name}` has two limits"
        elif limit.name not in named:
            found = f"no `;! sizes` of `@{function.name}` names the size `{limit.name}`"
        elif not limit.ascends:
            found = f"the limit of the size `{limit.name}` does not ascend from 1 on"
        seen.add(limit.name)
        if found is not None:
            yield mistake("E0449", found, limit.origin)


def known_values(function: Function) -> Mapping[str, Values]:
    """The facts about values of arguments that are one for the launch, by the name of the argument."""
    batched = {fact.argument for fact in function.facts if isinstance(fact, Batched)}
    whole = {argument.name.name for argument in function.arguments if isinstance(argument.type, MemrefType)} - batched
    return {fact.argument: fact for fact in function.facts if isinstance(fact, Values) and fact.argument in whole}


def check_known_values(instruction: Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """An argument whose values are known keeps them."""
    for written in writes(instruction):
        access = scope.access_of(written)
        fact = None if access is None else scope.known_values.get(access.buffer)
        if fact is not None:
            also = [(fact.origin, "known here")]
            message = f"`%{fact.argument}` is written, but its values are known when compiling"
            yield mistake("E0449", message, written.origin or instruction.origin, "written here", also=also)


def _misfit(fact: Fact, type_: MemrefType | GroupType, facts: list[Fact]) -> str | None:
    """What the fact says that cannot be about a tensor of the type, or contradicts other facts about it."""
    name = f"`%{fact.argument}`"
    is_batched = any(isinstance(other, Batched) for other in facts)
    shape = type_.memref.shape if isinstance(type_, GroupType) else type_.shape
    element = shape[:-1] if is_batched else shape
    match fact:
        case Batched() if isinstance(type_, GroupType):
            return f"{name} is a group, which has no batch mode"
        case Batched():
            return None if shape else f"{name} has order 0: it has no mode that counts the batch"
        case Modes(permutation=permutation):
            if sorted(permutation) == list(range(len(element))):
                return None
            return f"the modes of {name} are no permutation of 0 to {len(element) - 1}"
        case Nonzeros(runs=runs):
            return _misfit_runs(name, runs, None if None in element else prod(size or 0 for size in element))
        case Sizes(names=names):
            if len(names) != len(element):
                return f"{name} has {len(element)} sizes, but {len(names)} are named"
            fixed = next((m for m, (s, n) in enumerate(zip(element, names, strict=True)) if None not in (s, n)), None)
            return (
                None if fixed is None else f"mode {fixed} of {name} has the size {element[fixed]}, which needs no name"
            )
        case Values():
            if is_batched or isinstance(type_, GroupType):
                return f"{name} is one for each work-group, so its values cannot be known when compiling"
            return _misfit_values(fact, type_) or _contradiction(fact, facts)


def _misfit_runs(name: str, runs: tuple[tuple[int, int], ...], count: int | None) -> str | None:
    ends = [0, *(end for _, end in runs)]
    if any(start >= end or start < before for (start, end), before in zip(runs, ends, strict=False)):
        return f"the nonzeros of {name} are not in ascending runs"
    if count is not None and ends[-1] > count:
        return f"the nonzeros of {name} reach to position {ends[-1] - 1}, but it has {count} elements"
    return None


def _misfit_values(fact: Values, memref: MemrefType) -> str | None:
    name, element = f"`%{fact.argument}`", memref.element
    if not element.is_floating:
        return f"the elements of {name} are of type `{element.value}`: only `f32` and `f64` can have known values"
    if None in memref.shape:
        return f"the size of {name} is not known when compiling, so its values are not known either"
    positions = [position for position, _ in fact.entries]
    if any(after <= before for before, after in pairwise(positions)):
        return f"the values of {name} are not in ascending order of their positions"
    count = prod(size or 0 for size in memref.shape)
    if positions and positions[-1] >= count:
        return f"the values of {name} reach to position {positions[-1]}, but it has {count} elements"
    for position, number in fact.entries:
        if not fits_constant(number, element):
            return f"the value {number!r} at position {position} of {name} does not fit into `{element.value}`"
    return None


def _contradiction(fact: Values, facts: list[Fact]) -> str | None:
    """An entry with a value other than zero that the nonzeros, if they are ascending, leave out."""
    name = f"`%{fact.argument}`"
    for runs in (other.runs for other in facts if isinstance(other, Nonzeros)):
        if _misfit_runs(name, runs, None) is None:
            ends = [stop for _, stop in runs]
            for position, number in fact.entries:
                run = bisect_right(ends, position)
                if number != 0 and (run == len(runs) or position < runs[run][0]):
                    return f"the value at position {position} of {name} is {number!r}, but its nonzeros leave that out"
    return None

"""Functions: their arguments, their attributes, and the facts about arguments."""

from collections.abc import Iterator
from math import prod

from diagnostics import Diagnostic
from tl_backend.program import Batched, Fact, Function, Modes, Nonzeros, Program
from tl_backend.types import GroupType, MemrefType, ScalarType
from tl_backend.verify.report import mistake


def check_names(program: Program) -> Iterator[Diagnostic]:
    """Functions have different names."""
    seen: dict[str, Function] = {}
    for function in program.functions:
        if function.name in seen:
            also = [(seen[function.name].origin, "first defined here")]
            yield mistake("E0446", f"`@{function.name}` is defined twice", function.origin, "", also=also)
        seen.setdefault(function.name, function)


def check_arguments(function: Function) -> Iterator[Diagnostic]:
    """A boolean has no place in a kernel's argument list."""
    for argument in function.arguments:
        if argument.type is ScalarType.BOOL:
            message = f"`%{argument.name.name}` is of type `i1`, which no argument can have"
            note = "OpenCL has no boolean kernel arguments"
            yield mistake("E0447", message, argument.origin, "", notes=(note,))


def check_attributes(function: Function) -> Iterator[Diagnostic]:
    """Work-groups have items, and consist of whole subgroups."""
    size, subgroup = function.work_group_size, function.subgroup_size
    if size is not None and min(size) < 1:
        message = f"the work-group size of `@{function.name}` is {size[0]} x {size[1]}"
        yield mistake("E0448", message, function.origin, "both modes must be at least 1")
    elif subgroup is not None and subgroup < 1:
        message = f"the subgroup size of `@{function.name}` is {subgroup}"
        yield mistake("E0448", message, function.origin, "must be at least 1")
    elif size is not None and subgroup is not None and size[0] % subgroup != 0:
        message = f"the first mode of the work-group, {size[0]}, is not a multiple of the subgroup size {subgroup}"
        yield mistake("E0448", message, function.origin)


def check_facts(function: Function) -> Iterator[Diagnostic]:
    """A fact is about a tensor that is an argument, is said once, and fits the shape."""
    types = {argument.name.name: argument.type for argument in function.arguments}
    batched = {fact.argument for fact in function.facts if isinstance(fact, Batched)}
    seen: set[tuple[type[Fact], str]] = set()
    for fact in function.facts:
        type_ = types.get(fact.argument)
        if not isinstance(type_, MemrefType | GroupType):
            found: str | None = f"`%{fact.argument}` is no tensor among the arguments of `@{function.name}`"
        elif (type(fact), fact.argument) in seen:
            found = f"the same fact about `%{fact.argument}` is given twice"
        else:
            found = _misfit(fact, type_, is_batched=fact.argument in batched)
        seen.add((type(fact), fact.argument))
        if found is not None:
            yield mistake("E0449", found, fact.origin)


def _misfit(fact: Fact, type_: MemrefType | GroupType, *, is_batched: bool) -> str | None:
    """What the fact says that cannot be about a tensor of the type."""
    name = f"`%{fact.argument}`"
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


def _misfit_runs(name: str, runs: tuple[tuple[int, int], ...], count: int | None) -> str | None:
    ends = [0, *(end for _, end in runs)]
    if any(start >= end or start < before for (start, end), before in zip(runs, ends, strict=False)):
        return f"the nonzeros of {name} are not in ascending runs"
    if count is not None and ends[-1] > count:
        return f"the nonzeros of {name} reach to position {ends[-1] - 1}, but it has {count} elements"
    return None

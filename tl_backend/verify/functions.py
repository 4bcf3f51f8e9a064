"""Functions: their names, their arguments and their attributes."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.prologues import with_prologues
from einsum_front.tl_backend.program import Function, Program
from einsum_front.tl_backend.types import ScalarType


def check_names(program: Program) -> Iterator[Diagnostic]:
    """Functions have different names."""
    seen: dict[str, Function] = {}
    for function in with_prologues(program.functions):
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

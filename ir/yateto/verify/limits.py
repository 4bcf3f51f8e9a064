"""Sizes that only the launch knows: arguments show them, and limits say something about them."""

from collections.abc import Iterator

from einsum_front.diagnostics import Diagnostic
from einsum_front.ir.open_numbers import numbers_in
from einsum_front.ir.run_time import RunTimeNumber
from einsum_front.ir.yateto.nodes import Function, GroupType, MemrefType
from einsum_front.ir.yateto.traverse import instructions, moved_groups
from einsum_front.ir.yateto.verify.report import mistake


def check_limits(function: Function) -> Iterator[Diagnostic]:
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


def check_sizes_are_shown(function: Function) -> Iterator[Diagnostic]:
    """Each size is the whole size of a mode of an argument, which shows it."""
    known = shown_names(function)
    for node in (*function.arguments, *instructions(function.body)):
        for name in dict.fromkeys(name for number in numbers_in(node) for name in number.sizes):
            if name not in known:
                message = f"no argument of `@{function.name}` has a mode of size `[{name}]`, so nothing shows it"
                yield mistake("E0493", message, node.origin, f"`{name}` is needed here")
                known.add(name)


def shown_names(function: Function) -> set[str]:
    """The sizes that are the whole size of a mode of an argument."""
    moved = moved_groups(function)
    types = (argument.type for argument in function.arguments if argument.name.name not in moved)
    memrefs = (type_.memref if isinstance(type_, GroupType) else type_ for type_ in types)
    sizes = (size for memref in memrefs if isinstance(memref, MemrefType) for size in memref.shape)
    return {str(size) for size in sizes if isinstance(size, RunTimeNumber) and str(size) in size.sizes}

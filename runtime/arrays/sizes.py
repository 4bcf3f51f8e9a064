"""Sizes at a launch: what the arguments say about dynamic extents, and their limits."""

from collections.abc import Iterable, Iterator

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.extent import Polynomial, evaluated
from einsum_front.core.extent_text import word
from einsum_front.runtime.artifact import SizeLimit


def size_mistakes(shown: Iterable[tuple[Polynomial, int, str]], limits: tuple[SizeLimit, ...]) -> Iterator[Diagnostic]:
    """What is wrong with the sizes that arguments show, each with the dynamic extent and the argument's name.

    Modes of one extent have one size: the kernel takes each from one argument and trusts the others.
    """
    found: dict[Polynomial, dict[int, str]] = {}
    for extent, size, argument in shown:
        found.setdefault(extent, {}).setdefault(size, argument)
    bounds = {limit.name: limit for limit in limits}
    known: dict[str, int] = {}
    for extent, values in found.items():
        if len(values) > 1:
            words = ", ".join(f"{size} in `{argument}`" for size, argument in values.items())
            yield Diagnostic("E0513", f"size `{word(extent)}` has several values: {words}")
        elif extent.size is not None:
            ((size, argument),) = values.items()
            known[extent.size.name] = size
            if extent.size.name in bounds:
                yield from _limit_mistakes(bounds[extent.size.name], size, argument)
    whole = {extent.size.name: values for extent, values in found.items() if extent.size is not None}
    for extent, values in found.items():
        expected = evaluated(extent, known)
        if extent.size is None and len(values) == 1 and isinstance(expected, int) and expected not in values:
            ((size, argument),) = values.items()
            names = [each.name for each in extent.sizes]
            parts = ", ".join(f"`{name}` is {known[name]} in `{whole[name][known[name]]}`" for name in names)
            yield Diagnostic("E0513", f"size `{word(extent)}` is {size} in `{argument}`, but {parts}")


def _limit_mistakes(limit: SizeLimit, size: int, argument: str) -> Iterator[Diagnostic]:
    if size < limit.least:
        yield Diagnostic("E0517", f"size `{limit.name}` is {size} in `{argument}`, but at least {limit.least}")
    elif limit.most is not None and size > limit.most:
        note = "the kernel has memory for no more: compile it with a larger bound"
        message = f"size `{limit.name}` is {size} in `{argument}`, but at most {limit.most}"
        yield Diagnostic("E0517", message, notes=(note,))

"""Sizes that only the launch knows: their names, what the arguments say about them, and their limits."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from einsum_front.diagnostics import Diagnostic
from einsum_front.runtime.artifact import SizeLimit

_TERM = re.compile(r"[+-]?[^+-]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def is_plain(name: str) -> bool:
    """Whether a name is one size, and no polynomial of others."""
    return _NAME.fullmatch(name) is not None


def names_in(name: str) -> tuple[str, ...]:
    """The sizes that a name is a polynomial of."""
    return tuple(dict.fromkeys(_NAME.findall(name)))


def value_of(name: str, sizes: Mapping[str, int]) -> int | None:
    """What a name such as `n**2/2+3*n` is for these sizes; None if they do not say it, or it is no such text."""
    try:
        value = sum(_term(term, sizes) for term in _TERM.findall(name))
    except (KeyError, ValueError, ZeroDivisionError):
        return None
    return int(value) if value.denominator == 1 else None


def _term(text: str, sizes: Mapping[str, int]) -> Fraction:
    product, *divisors = text.lstrip("+-").replace("**", "^").split("/")
    value = Fraction(-1 if text.startswith("-") else 1)
    for factor in product.split("*"):
        base, _, power = factor.partition("^")
        if len(power) > 2:
            raise ValueError(text)  # no limit of any language lets such a degree pass
        value *= (sizes[base] if is_plain(base) else int(base)) ** int(power or 1)
    for divisor in divisors:
        value /= int(divisor)
    return value


def size_mistakes(shown: Iterable[tuple[str, int, str]], limits: tuple[SizeLimit, ...]) -> Iterator[Diagnostic]:
    """What is wrong with the sizes that arguments show, each with its name and the argument's.

    Sizes of one name are equal: the kernel takes each from one argument and trusts the others.
    """
    found: dict[str, dict[int, str]] = {}
    for name, size, argument in shown:
        found.setdefault(name, {}).setdefault(size, argument)
    bounds = {limit.name: limit for limit in limits}
    for name, values in found.items():
        if len(values) > 1:
            words = ", ".join(f"{size} in `{argument}`" for size, argument in values.items())
            yield Diagnostic("E0513", f"size `{name}` has several values: {words}")
        elif name in bounds:
            ((size, argument),) = values.items()
            yield from _limit_mistakes(bounds[name], size, argument)
    known = {name: next(iter(values)) for name, values in found.items() if len(values) == 1}
    for name, size in known.items():
        expected = None if is_plain(name) else value_of(name, known)
        if expected not in (None, size):
            parts = ", ".join(f"`{part}` is {known[part]} in `{found[part][known[part]]}`" for part in names_in(name))
            yield Diagnostic("E0513", f"size `{name}` is {size} in `{found[name][size]}`, but {parts}")


def _limit_mistakes(limit: SizeLimit, size: int, argument: str) -> Iterator[Diagnostic]:
    if size < limit.least:
        yield Diagnostic("E0517", f"size `{limit.name}` is {size} in `{argument}`, but at least {limit.least}")
    elif limit.most is not None and size > limit.most:
        note = "the kernel has memory for no more: compile it with a larger bound"
        message = f"size `{limit.name}` is {size} in `{argument}`, but at most {limit.most}"
        yield Diagnostic("E0517", message, notes=(note,))

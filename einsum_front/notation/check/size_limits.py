"""Declarations about dynamic sizes: bounds and hints."""

from collections.abc import Mapping
from fractions import Fraction

from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.extent import Size
from einsum_front.core.storage import ElementType
from einsum_front.notation import syntax
from einsum_front.notation.check.mistakes import Mistakes, mistake
from einsum_front.notation.check.numbers import integer
from einsum_front.notation.check.scope import Scope, Value

LARGE = 1000
"""Hint of a size without hint and upper bound: large, and no power of two, which is bad for caches."""


def sizes_of(items: tuple[syntax.Size, ...], numbers: Mapping[str, Value], mistakes: Mistakes) -> dict[str, Size]:
    """The dynamic sizes, by name; one that a definition gives a number keeps its bounds."""
    scope = Scope(ElementType.F64, numbers)
    found: dict[str, Size] = {}
    for item in items:
        with mistakes.collect():
            size = _size(item, scope)
            value = numbers.get(item.name)
            if isinstance(value, Fraction):
                _check_definition(size, int(value), item.origin)
            else:
                found[item.name] = size
    return found


def _size(item: syntax.Size, scope: Scope) -> Size:
    least = 1 if item.least is None else integer(item.least, scope, "a bound of a size")
    most = None if item.most is None else integer(item.most, scope, "a bound of a size")
    likely = max(least, LARGE) if most is None else most
    hint = likely if item.hint is None else integer(item.hint, scope, "a hint")
    if least < 1:
        raise _misfit(item.least, f"size `{item.name}` is at least 1", f"this is {least}")
    if most is not None and most < least:
        raise _misfit(item.most, f"size `{item.name}` is at least {least}, so it cannot be at most {most}")
    if hint < least or (most is not None and hint > most):
        bound = f"at least {least}" if hint < least else f"at most {most}"
        raise _misfit(item.hint, f"size `{item.name}` is {bound}, so it is not about {hint}")
    return Size(item.name, least, most, hint)


def _misfit(place: syntax.Expression | None, message: str, label: str = "") -> CompileError:
    return mistake("E0207", message, (() if place is None else place.origin, label))


def _check_definition(size: Size, value: int, origin: Origin) -> None:
    if value < size.least or (size.most is not None and value > size.most):
        bound = f"at least {size.least}" if value < size.least else f"at most {size.most}"
        raise mistake("E0224", f"`-D {size.name}={value}` gives a size that is {bound}", (origin, "declared here"))

"""Extents inside of the nodes of any language: which ones there are, and the same nodes with others in their place."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from einsum_front.core.extent import Extent, Polynomial, evaluated

T = TypeVar("T")


def polynomials_in(value: object) -> Iterator[Polynomial]:
    """The dynamic extents in a node, or in a tuple of nodes."""
    if isinstance(value, Polynomial):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from polynomials_in(item)
    elif is_dataclass(value):
        for each in fields(value):
            yield from polynomials_in(getattr(value, each.name)) if each.name != "origin" else ()


def replaced(value: T, number: Callable[[Polynomial], Extent]) -> T:
    """The same node, or tuple of nodes, with what `number` says in the place of each dynamic extent."""
    result: Any = value
    if isinstance(value, Polynomial):
        result = number(value)
    elif isinstance(value, tuple):
        result = tuple(replaced(item, number) for item in value)
    elif is_dataclass(value) and not isinstance(value, type):
        names = (each.name for each in fields(value) if each.name != "origin")
        result = replace(value, **{name: replaced(getattr(value, name), number) for name in names})
    return result  # type: ignore[no-any-return] # what is made anew has the type of what it stands for


def bound(value: T, sizes: Mapping[str, int]) -> T:
    """The same node, or tuple of nodes, with numbers in the place of dynamic extents, as far as sizes are known."""
    return replaced(value, lambda extent: evaluated(extent, sizes))


def shown_sizes(shapes: Iterable[tuple[Sequence[Extent], Sequence[int]]]) -> dict[str, int]:
    """The sizes that shapes show: pairs of a declared shape and that of an array, whose last modes are the declared."""
    sizes: dict[str, int] = {}
    for declared, shape in shapes:
        for extent, size in zip(declared, shape[len(shape) - len(declared) :], strict=True):
            if isinstance(extent, Polynomial) and extent.size is not None:
                sizes.setdefault(extent.size.name, size)
    return sizes

"""Run-time numbers as texts have them, and numbers in their place."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from einsum_front.ir.run_time import RunTimeNumber, Size, with_named_sample

T = TypeVar("T")


def named(number: int) -> int:
    """The number with samples that depend on the names of sizes alone, as the numbers of texts have them."""
    if not isinstance(number, RunTimeNumber):
        return number
    return from_text(number.expression)


def from_text(polynomial: Any) -> RunTimeNumber:
    """The number that an expanded sympy polynomial in a text stands for."""
    sizes = (Size(symbol.name, 1, None, 1) for symbol in polynomial.free_symbols)
    return RunTimeNumber(polynomial, {size.name: with_named_sample(size) for size in sizes})


def shown_sizes(shapes: Iterable[tuple[Sequence[int], Sequence[int]]]) -> dict[str, int]:
    """The sizes that shapes show: pairs of a declared shape and that of an array, whose last modes are the declared."""
    sizes: dict[str, int] = {}
    for declared, shape in shapes:
        for extent, size in zip(declared, shape[len(shape) - len(declared) :], strict=True):
            if isinstance(extent, RunTimeNumber) and str(extent) in extent.sizes:
                sizes.setdefault(str(extent), size)
    return sizes


def numbers_in(value: object) -> Iterator[RunTimeNumber]:
    """The run-time numbers in a node, or in a tuple of nodes."""
    if isinstance(value, RunTimeNumber):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from numbers_in(item)
    elif is_dataclass(value):
        for each in fields(value):
            yield from numbers_in(getattr(value, each.name)) if each.name != "origin" else ()


def bound(value: T, sizes: Mapping[str, int]) -> T:
    """The same node, or tuple of nodes, with numbers in the place of run-time numbers, as far as sizes are known."""
    result: Any = value
    if isinstance(value, RunTimeNumber):
        result = value.at(sizes) if value.sizes.keys() <= sizes.keys() else value
    elif isinstance(value, tuple):
        result = tuple(bound(item, sizes) for item in value)
    elif is_dataclass(value) and not isinstance(value, type):
        inner = {each.name: bound(getattr(value, each.name), sizes) for each in fields(value) if each.name != "origin"}
        result = replace(value, **inner)
    return result  # type: ignore[no-any-return] # what is made anew has the type of what it stands for

"""Run-time numbers in texts, and numbers in their place."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from ir.run_time import RunTimeNumber, Size

T = TypeVar("T")

_POWERS_OF_NAMES = 64
"""Samples of sizes that a text names are larger than all numbers in it."""


def named(number: int) -> int:
    """The number with samples that depend on the names of sizes alone, as the numbers of texts have them."""
    if not isinstance(number, RunTimeNumber):
        return number
    return RunTimeNumber(number.expression, {name: _size(name) for name in number.sizes})


def _size(name: str) -> Size:
    return Size(name, 1, None, 1, (int.from_bytes(name.encode()) << _POWERS_OF_NAMES) + 1)


def read_number(text: str) -> int | None:
    """The number that a sum of products of names and numbers says: `2*n + 1`; None if the text is none."""
    import sympy  # noqa: PLC0415 - importing it costs more than compiling a kernel

    try:
        tree = ast.parse(text.strip(), mode="eval").body
        symbols = {node.id: sympy.Symbol(node.id, integer=True, positive=True) for node in _names(tree)}
        expression = sympy.sympify(_value(tree, symbols)).expand()
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None
    if not expression.free_symbols:
        return int(expression) if expression.is_integer else None
    if not expression.is_polynomial():
        return None
    return RunTimeNumber(expression, {name: _size(name) for name in symbols})


def _names(tree: ast.expr) -> Iterable[ast.Name]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Name))


def _value(tree: ast.expr, symbols: Mapping[str, Any]) -> Any:
    match tree:
        case ast.Name(id=name):
            return symbols[name]
        case ast.Constant(value=int() as value):
            return Fraction(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, symbols)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _value(left, symbols) + _value(right, symbols)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _value(left, symbols) - _value(right, symbols)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _value(left, symbols) * _value(right, symbols)
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=int() as divisor)):
            return _value(left, symbols) / Fraction(divisor)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if power <= _POWERS_OF_NAMES:
            return _value(left, symbols) ** power
        case _:
            raise ValueError(tree)


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

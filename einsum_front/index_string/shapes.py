"""Shapes in the place of operands, where nothing is computed yet."""

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np

from einsum_front.core.diagnostics import CompileError, Diagnostic

OpenShape = tuple[int | None, ...]
"""`None` stands for any size."""


def read_shape(number: int, given: Any) -> OpenShape:
    """The shape that is given for an operand, or that of an array; raises `CompileError` if it is none."""
    shape = getattr(given, "shape", given)
    if not isinstance(shape, Sequence) or isinstance(shape, str):
        message = f"operand {number} is of type {type(given).__name__}, expected a shape"
        notes = ("a shape is a tuple of sizes such as `(20, 9)`, and `()` is that of a number",)
        raise CompileError([Diagnostic("E0503", message, notes=notes)])
    sizes: list[int | None] = []
    for size in shape:
        try:
            sizes.append(None if size is None else index(size))
        except TypeError:
            message = f"operand {number} has {size!r} in its shape, expected integers"
            raise CompileError([Diagnostic("E0503", message)]) from None
        if size is not None and index(size) < 0:
            message = f"operand {number} has the size {size} in its shape {shape}, expected one from 0 on"
            raise CompileError([Diagnostic("E0505", message)])
    return tuple(sizes)


def closed_shape(number: int, given: Any) -> tuple[int, ...]:
    """The same without `None`."""
    shape = read_shape(number, given)
    if None in shape:
        message = f"operand {number} has a size that is None in its shape {shape}"
        raise CompileError([Diagnostic("E0505", message, notes=("costs depend on sizes: say one that is usual",))])
    return tuple(size for size in shape if size is not None)


def shape_of(number: int, operand: Any) -> tuple[int, ...]:
    """The shape of an operand, which may be a list or a number; raises `CompileError` if it has none."""
    try:
        return tuple(np.shape(operand))
    except ValueError:
        raise no_shape(number) from None


def no_shape(number: int) -> CompileError:
    """A list that is no array."""
    note = "in a list of lists all have the same length, like the rows of a matrix"
    return CompileError([Diagnostic("E0504", f"operand {number} has no shape, expected an array", notes=(note,))])

"""The forms and parameters that are worth a measurement, for a function on a target."""

from collections.abc import Iterator
from math import prod

from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import choose
from einsum_front.tl_backend.schedules.tuning import Form, RegisterBlock, Tuning

Blocks = tuple[RegisterBlock, ...]


def _sizes(text: str) -> tuple[tuple[int, int], ...]:
    pairs = (size.split("x") for size in text.split())
    return tuple((int(rows), int(columns)) for rows, columns in pairs)


def _blocks(text: str) -> Blocks:
    return tuple(RegisterBlock(rows, columns) for rows, columns in _sizes(text))


ALONE = _blocks("1x4 2x2 2x3 2x4 2x6 3x2 3x4 4x1 4x2")
"""Blocks of vectors of one work-item that fit into sixteen registers, with what they are made of."""

ALONE_WIDE = _blocks("2x8 3x6 4x4 4x6")
"""More of them for thirty-two registers."""

SHARED = _blocks("1x1 1x2 1x4 1x8 2x2 2x4 4x4")
"""Blocks of entries of a work-item that shares the result with others."""

WORK_GROUPS = _sizes("8x4 16x2 16x4 16x8 32x1 32x2 32x4 32x8 64x1 64x2 64x4 128x1 128x2 256x1")
"""Work-groups of devices that need many work-items."""

TILES = _blocks("2x4 2x6 3x4 4x2")
"""Blocks of vectors in the innermost loop of `tiles`."""

TILES_WIDE = _blocks("2x8 2x12 3x8 4x6")


def first_choice(function: Function, target: Target) -> Tuning:
    """What the model chooses for a function that is ready for OpenCL C."""
    return Tuning(choose(function, target).form)


def candidates(function: Function, target: Target) -> tuple[Tuning, ...]:
    """Everything that is worth trying, the function being able to have it or not.

    The passes may still be ahead of the function: where it asks for no work-group, it can have any.
    """
    return tuple(_all(function, target))


def _all(function: Function, target: Target) -> Iterator[Tuning]:
    has_many_registers, size = target.vector_registers >= 32, function.work_group_size
    yield Tuning(Form.GROUP)
    if target.is_cpu if size is None else prod(size) == 1:
        for block in ALONE + ALONE_WIDE if has_many_registers else ALONE:
            yield Tuning(Form.GROUP, block)
    else:
        for block in SHARED:
            yield Tuning(Form.GROUP, block)
        for work_group in WORK_GROUPS if size is None else ():
            yield Tuning(Form.GROUP, work_group=work_group)
    yield Tuning(Form.LANES)
    if target.has_prefetch:
        yield Tuning(Form.LANES, prefetch=False)
    if target.is_cpu:
        yield Tuning(Form.TILES)
        for block in TILES_WIDE if has_many_registers else TILES:
            yield Tuning(Form.TILES, block)

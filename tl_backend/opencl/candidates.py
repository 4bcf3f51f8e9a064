"""The forms and parameters that are worth a measurement, for a function on a target."""

from collections.abc import Iterator
from math import prod

from tl_backend.opencl.forms import choose
from tl_backend.opencl.target import Target
from tl_backend.opencl.tuning import Form, RegisterBlock, Tuning
from tl_backend.program import Function

Blocks = tuple[RegisterBlock, ...]


def _blocks(text: str) -> Blocks:
    return tuple(RegisterBlock(*map(int, block.split("x"))) for block in text.split())


ALONE = _blocks("1x4 2x2 2x3 2x4 2x6 3x2 3x4 4x1 4x2")
"""Blocks of vectors of one work-item that fit into sixteen registers, with what they are made of."""

ALONE_WIDE = _blocks("2x8 3x6 4x4 4x6")
"""More of them for the thirty-two registers of vectors of 64 bytes."""

SHARED = _blocks("1x1 1x2 1x4 1x8 2x2 2x4 4x4")
"""Blocks of entries of a work-item that shares the result with others."""

TILES = _blocks("2x4 2x6 3x4 4x2")
"""Blocks of vectors in the innermost loop of `tiles`."""

TILES_WIDE = _blocks("2x8 2x12 3x8 4x6")


def first_choice(function: Function, target: Target) -> Tuning:
    """What the model chooses, which must be one of the candidates."""
    return Tuning(choose(function, target).form)


def candidates(function: Function, target: Target) -> tuple[Tuning, ...]:
    """Everything that is worth trying, the function being able to have it or not."""
    return tuple(_all(function, target))


def _all(function: Function, target: Target) -> Iterator[Tuning]:
    is_wide = target.vector_bytes >= 64
    is_shared = prod(function.work_group_size or (1, 1)) > 1
    alone = ALONE + ALONE_WIDE if is_wide else ALONE
    yield Tuning(Form.GROUP)
    for block in SHARED if is_shared else alone:
        yield Tuning(Form.GROUP, block)
    yield Tuning(Form.LANES)
    if target.prefetch is not None:
        yield Tuning(Form.LANES, prefetch=False)
    if target.is_cpu:
        yield Tuning(Form.TILES)
        for block in TILES_WIDE if is_wide else TILES:
            yield Tuning(Form.TILES, block)

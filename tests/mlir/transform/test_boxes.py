"""Boxes are sets of positions, and maps take them to entries and back."""

from itertools import product
from random import Random

import pytest

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import linear
from einsum_front.mlir.named import Attributes, make
from einsum_front.mlir.transform import Box, footprint, iterations_touching, space_of

SHAPES: dict[str, list[tuple[int, ...]]] = {
    "matmul": [(5, 4), (4, 6), (5, 6)],
    "batch_matmul": [(2, 3, 4), (2, 4, 2), (2, 3, 2)],
    "matvec": [(5, 4), (4,), (5,)],
    "conv_1d": [(8,), (3,), (6,)],
    "conv_2d": [(5, 6), (2, 3), (4, 4)],
}
SEEDS = range(12)


def operation_of(name: str, attributes: Attributes | None = None) -> tuple[mlir.Structured, list[tuple[int, ...]]]:
    shapes = SHAPES[name]
    values = [mlir.Value(f"v{n}", mlir.MemrefType(shape, mlir.ScalarType.F64)) for n, shape in enumerate(shapes)]
    return make(name, values[:2], values[2:], (), attributes or Attributes()), shapes


def some_box(random: Random, shape: tuple[int, ...]) -> Box:
    starts = tuple(random.randint(0, size - 1) for size in shape)
    return Box(starts, tuple(random.randint(start, size) for start, size in zip(starts, shape, strict=True)))


def touched(operation: mlir.Structured, operand: int, at: tuple[int, ...]) -> tuple[int, ...]:
    positions = (linear(each) for each in operation.maps[operand].results)
    return tuple(each.constant + sum(f * at[dim] for dim, f in each.factors.items()) for each in positions)


def hull(positions: set[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    modes = list(zip(*positions, strict=True))
    return tuple(map(min, modes)), tuple(max(each) + 1 for each in modes)


@pytest.mark.parametrize("seed", SEEDS)
def test_boxes_are_sets(seed: int) -> None:
    random = Random(seed)
    shape = tuple(random.randint(1, 5) for _ in range(random.randint(1, 3)))
    one, other = some_box(random, shape), some_box(random, shape)
    assert set(one.intersection(other)) == set(one) & set(other)
    parts = one.difference(other)
    assert sum(each.count for each in parts) == len(set(one) - set(other))
    assert {position for each in parts for position in each} == set(one) - set(other)
    if one and other:
        both = one.convex_union(other)
        assert (both.starts, both.stops) == hull(set(one) | set(other))
    sizes = tuple(random.randint(0, 3) for _ in shape)
    tiles = list(one.tiles(sizes))
    assert sorted(position for tile in tiles for position in tile) == sorted(one)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SHAPES)
def test_footprints_are_what_tiles_touch_and_are_touched_by(name: str, seed: int) -> None:
    random = Random(seed)
    operation, shapes = operation_of(name)
    space = space_of(operation, shapes)
    tile = some_box(random, space.stops)
    for operand, shape in enumerate(shapes):
        touches = {touched(operation, operand, at) for at in tile}
        assert set(footprint(operation, operand, tile)) == touches
        part = some_box(random, shape)
        found = iterations_touching(operation, operand, part, space)
        expected = {at for at in space if touched(operation, operand, at) in part}
        assert not found if not expected else (found.starts, found.stops) == hull(expected)


def test_strides_leave_entries_between() -> None:
    operation, _ = operation_of("conv_1d", Attributes(strides=(2,), dilations=(1,)))
    space = Box((0, 0), (3, 1))
    assert set(footprint(operation, 0, space)) == set(product(range(5)))
    assert iterations_touching(operation, 0, Box((2,), (3,)), space) == Box((1, 0), (2, 1))


def test_a_wrong_map_is_seen() -> None:
    """The property fails for an operation whose maps are exchanged."""
    operation, _ = operation_of("matmul")
    tile = Box((0, 0, 0), (2, 1, 3))
    touches = {touched(operation, 0, at) for at in tile}
    assert set(footprint(operation, 1, tile)) != touches

"""Orders of indices: every position is where it should be, and lines of memory are found whole."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.analysis.contraction import Index
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.tiles.axis import Fibers, Order, find_fibers, left, ordered, right, target

EXTENTS = st.lists(st.integers(2, 20), min_size=1, max_size=3)


def order_of(extents: list[int], memory: tuple[int, ...] | None = None, width: int = 1) -> Order:
    """Indices whose memory in the left factor runs along them in the order of their numbers in `memory`."""
    strides, size = {}, 1
    for number in memory or range(len(extents)):
        strides[number] = size
        size *= extents[number]
    return Order(tuple(Index(f"i{n}", extent, strides[n], 0, 1) for n, extent in enumerate(extents)), width)


def offsets(order: Order) -> list[int]:
    """The offsets in the left factor."""
    values = [order.offset(left, index.constant(position)) for position in range(order.count)]
    return [value.value for value in values if isinstance(value, tree.Integer)]


@given(EXTENTS)
def test_an_order_walks_a_box(extents: list[int]) -> None:
    order = order_of(extents)
    assert offsets(order) == list(range(order.count))


@given(EXTENTS, st.sampled_from([2, 4, 8]))
def test_vectors_overlap_rather_than_have_two_runs(extents: list[int], width: int) -> None:
    order = order_of([extents[0] + width, *extents[1:]], width=width)
    places = offsets(order)
    vectors = [places[start : start + width] for start in range(0, len(places), width)]
    assert all(vector == list(range(vector[0], vector[0] + width)) for vector in vectors)
    extent = order.indices[0].extent
    assert all(vector[0] // extent == vector[-1] // extent for vector in vectors)
    first = [position for position in range(order.count) if not is_twice(order, position)]
    assert [places[position] for position in first] == list(range(order.count // order.run * extent))


def is_twice(order: Order, position: int) -> bool:
    """Whether what is at a position was in the vector before."""
    return 0 <= position % order.run - (order.run - order.width) < order.twice


@given(EXTENTS, st.permutations(range(3)), st.integers(1, 200), st.sampled_from([2, 4]))
def test_squares_along_lines_copy_every_position(extents: list[int], memory: list[int], most: int, width: int) -> None:
    order = order_of(extents, tuple(number for number in memory if number < len(extents)))
    lines = find_fibers(order, left, most, width)
    if lines is None:
        return
    places = offsets(order)
    for start in range(0, order.count, most):
        block = places[start : start + most]
        squares = list(squares_of(lines, len(block), width))
        assert {position for square in squares for position in square} == set(range(len(block)))
        for square in squares:
            assert [block[position] - block[square[0]] for position in square] == list(range(width))


def squares_of(lines: Fibers, count: int, width: int) -> Iterator[list[int]]:
    """The positions of each square in a block."""
    length = lines.count or count // lines.distance
    for start, within in product(range(0, count, lines.distance * length), range(lines.distance)):
        for line in range(0, length, width):
            first = start + within + lines.distance * min(line, length - width)
            yield [first + lines.distance * number for number in range(width)]


@pytest.mark.parametrize(("extents", "memory", "most", "lines"), [
    ([20, 20], (0, 1), 200, Fibers(1, 20)),
    ([20, 20], (1, 0), 200, Fibers(20, 10)),
    ([48, 48], (0, 1), 256, Fibers(1, 16)),
    ([257], (0,), 136, Fibers(1, None)),
    ([33], (0,), 32, None),
    ([3, 20], (0, 1), 60, None),
])  # fmt: skip
def test_lines(extents: list[int], memory: tuple[int, ...], most: int, lines: Fibers | None) -> None:
    assert find_fibers(order_of(extents, memory), left, most, 4) == lines


def test_neighbours_in_all_tensors_are_one_index() -> None:
    """`gdab,efgc->abcdef`: f and e are neighbours in the factor and in the target, whatever lies between them."""
    f, c, e = Index("f", 14, 196, 0, 1), Index("c", 14, 1, 0, 2744), Index("e", 14, 2744, 0, 14)
    assert ordered((c, e, f), target, left, left) == (Index("f", 196, 196, 0, 1), c)
    assert ordered((c, e, f), left, right, left) == (c, Index("f", 196, 196, 0, 1))

"""Zero patterns against boolean arrays, with a cell for each entry and on grids, which large tensors have."""

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core import zero_pattern
from einsum_front.core.runs import Mask, TooManyCellsError, mask_from_runs, runs_from_mask
from einsum_front.core.zero_pattern import Pattern, Place

HUGE = (40_000, 50_000)


@pytest.fixture(params=[zero_pattern.FEW, 0], ids=["entries", "grids"], scope="module", autouse=True)
def _smallest_grid(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zero_pattern, "FEW", request.param)
        yield


shapes = st.lists(st.integers(1, 5), max_size=3).map(tuple)


@st.composite
def masks(draw: st.DrawFn, shape: tuple[int, ...] | None = None) -> Mask:
    """Arrays of boxes, or of any entries."""
    shape = draw(shapes) if shape is None else shape
    if draw(st.booleans()):
        bits = draw(st.lists(st.booleans(), min_size=prod(shape), max_size=prod(shape)))
        return np.array(bits, np.bool_).reshape(shape)
    mask = np.full(shape, draw(st.booleans()))
    for _ in range(draw(st.integers(0, 3))):
        mask[tuple(slice(*draw(ranges(extent))) for extent in shape)] = draw(st.booleans())
    return mask


def ranges(extent: int) -> st.SearchStrategy[tuple[int, int]]:
    ends = st.lists(st.integers(0, extent), min_size=2, max_size=2, unique=True)
    return ends.map(lambda both: (min(both), max(both)))


def places(extent: int) -> st.SearchStrategy[Place]:
    return st.one_of(st.integers(0, extent - 1), ranges(extent))


def chosen(where: list[Place]) -> tuple[Any, ...]:
    return tuple(place if isinstance(place, int) else slice(*place) for place in where)


def check(found: Pattern, expected: Mask) -> None:
    """One pattern for one set of entries, with as few cells as it takes or with all."""
    np.testing.assert_array_equal(found.array(), expected)
    assert found.shape == expected.shape
    again = Pattern.of_array(expected)
    assert found == again
    assert hash(found) == hash(again)
    assert [len(own) - 1 for own in found.cuts] == list(found.cells.shape)
    if zero_pattern.FEW == 0 or found.cells.size == 1:
        for mode in range(found.ndim):
            rows = found.cells.swapaxes(0, mode)
            assert all((one != other).any() for one, other in pairwise(rows))


@given(st.data())
def test_sets_of_entries(data: st.DataObject) -> None:
    one = data.draw(masks())
    other = data.draw(masks(one.shape))
    patterns = Pattern.of_array(one), Pattern.of_array(other)
    check(patterns[0] & patterns[1], one & other)
    check(patterns[0] | patterns[1], one | other)
    check(patterns[0] - patterns[1], one & ~other)
    check(~patterns[0], ~one)
    assert (patterns[0] == patterns[1]) == bool((one == other).all())


@given(masks())
def test_questions(mask: Mask) -> None:
    pattern = Pattern.of_array(mask)
    check(pattern, mask)
    assert pattern.count() == np.count_nonzero(mask)
    assert (pattern.is_full, pattern.is_empty) == (bool(mask.all()), not mask.any())
    assert (pattern.size, pattern.ndim) == (mask.size, mask.ndim)
    found = np.argwhere(mask)
    bounds = tuple((int(at.min()), int(at.max()) + 1) for at in found.T) if mask.any() else None
    assert pattern.bounds() == bounds
    if mask.any():
        assert pattern.first() == tuple(np.argwhere(mask)[0].tolist())
    for mode in range(mask.ndim):
        assert pattern.is_uniform(mode) == bool((mask == mask.take([0], mode)).all())


@given(masks())
def test_runs(mask: Mask) -> None:
    pattern = Pattern.of_array(mask)
    assert pattern.runs() == runs_from_mask(mask)
    np.testing.assert_array_equal(mask_from_runs(pattern.runs(), mask.shape), mask)
    check(Pattern.of_runs(pattern.runs(), mask.shape), mask)


@given(st.data())
def test_boxes_and_positions(data: st.DataObject) -> None:
    shape = data.draw(shapes)
    boxes = data.draw(st.lists(st.tuples(*map(ranges, shape)), max_size=3))
    positions = data.draw(st.lists(st.tuples(*(st.integers(0, extent - 1) for extent in shape)), max_size=4))
    mask = np.zeros(shape, np.bool_)
    for box in boxes:
        mask[tuple(slice(*each) for each in box)] = True
    check(Pattern.of_boxes(shape, boxes), mask)
    mask = np.zeros(shape, np.bool_)
    for position in positions:
        mask[position] = True
    check(Pattern.of_positions(shape, positions), mask)


@given(st.data())
def test_parts(data: st.DataObject) -> None:
    mask = data.draw(masks())
    where = [data.draw(places(extent)) for extent in mask.shape]
    check(Pattern.of_array(mask).part(where), mask[chosen(where)])


@given(st.data())
def test_a_part_is_replaced(data: st.DataObject) -> None:
    mask = data.draw(masks())
    where = [data.draw(places(extent)) for extent in mask.shape]
    extents = [place[1] - place[0] for place in where if not isinstance(place, int)]
    order = data.draw(st.permutations(range(len(extents))))
    shape = tuple(extents[order.index(mode)] for mode in range(len(extents)))
    value = data.draw(masks(shape))
    expected = mask.copy()
    expected[chosen(where)] = value.transpose(order)
    check(Pattern.of_array(mask).with_part(where, order, Pattern.of_array(value)), expected)


@given(st.data())
def test_diagonals(data: st.DataObject) -> None:
    extent, other = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
    mask = data.draw(masks((extent, other, extent)))
    pattern = Pattern.of_array(mask)
    check(pattern.diagonal("iji"), np.einsum("iji->ij", mask))
    value = data.draw(masks((other, extent)))
    expected = mask.copy()
    np.einsum("iji->ji", expected)[...] = value
    replaced = pattern.with_part([(0, extent), (0, other), (0, extent)], (1, 0, 1), Pattern.of_array(value))
    check(replaced, expected)


@given(st.data())
def test_modes(data: st.DataObject) -> None:
    mask = data.draw(masks())
    pattern = Pattern.of_array(mask)
    order = data.draw(st.permutations(range(mask.ndim)))
    check(pattern.transposed(order), mask.transpose(order))
    dropped = data.draw(st.sets(st.sampled_from(range(mask.ndim)))) if mask.ndim else set()
    check(pattern.without(dropped), np.asarray(mask.any(axis=tuple(dropped))))
    modes: list[int | None] = list(order)
    modes.insert(data.draw(st.integers(0, len(modes))), None)
    shape = tuple(3 if mode is None else mask.shape[mode] for mode in modes)
    expected = np.broadcast_to(np.expand_dims(mask.transpose(order), modes.index(None)), shape)
    check(pattern.over(modes, shape), expected)


def test_the_size_of_a_pattern_is_that_of_what_it_says() -> None:
    """Not that of the tensor, whatever is done."""
    full, box = Pattern.full(HUGE), Pattern.of_boxes(HUGE, [[(5, 10), (7, 50_000)]])
    entries = Pattern.of_positions(HUGE, [(0, 0), (3, 4), (39_999, 49_999)])
    for pattern, most in ((full, 1), (box, 9), (entries, 49), (box | entries, 81), (~box, 9), (box & entries, 81)):
        assert pattern.cells.size <= most
        assert pattern.transposed((1, 0)).cells.size <= most
        assert pattern.part([(1, 30_000), (2, 50_000)]).cells.size <= most
        assert pattern.over((0, None, 1), (40_000, 10**6, 50_000)).cells.size <= most
        assert pattern.without([0]).cells.size <= most
        assert full.with_part([(0, 40_000), (0, 50_000)], (0, 1), pattern) == pattern
        assert pattern.count() == pattern.transposed((1, 0)).count()
    assert (full.count(), box.count(), entries.count()) == (2 * 10**9, 5 * 49_993, 3)
    assert box.bounds() == ((5, 10), (7, 50_000))
    assert full.runs() == ((0, 2 * 10**9),)
    assert entries.runs() == ((0, 1), (160_003, 160_004), (2 * 10**9 - 1, 2 * 10**9))
    assert Pattern.of_runs(entries.runs(), HUGE) == entries
    assert Pattern.of_array(np.broadcast_to(np.True_, HUGE)) == full
    assert full.array().strides == (0, 0)


def test_a_box_of_many_columns_has_too_many_runs() -> None:
    shape = (10, 2**21)
    assert not Pattern.of_boxes(shape, [[(0, 5), (0, 2**21)]]).has_few_runs()
    assert Pattern.of_boxes(shape, [[(0, 10), (0, 2**20)]]).has_few_runs()
    with pytest.raises(TooManyCellsError):
        Pattern.of_boxes(shape, [[(0, 5), (0, 2**21)]]).runs()


def test_what_is_scattered_over_too_many_cells_is_refused() -> None:
    with pytest.raises(TooManyCellsError) as caught:
        Pattern.empty(HUGE).with_part([(0, 40_000), (0, 40_000)], (0, 0), Pattern.full((40_000,)))
    assert caught.value.cells == 40_000 * 40_001

"""Patterns as the planner asks about them, against boolean arrays."""

import numpy as np
import pytest

from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import bounding_box, conjunction, entries, of_box, projected, within


@pytest.mark.parametrize("names", [(), ("j",), ("k", "i")])
def test_projection_keeps_what_has_an_entry(names: IndexMap) -> None:
    mask = np.zeros((3, 2, 4), np.bool_)
    mask[1, 0, 3] = mask[2, 1, 3] = True
    dropped = tuple(axis for axis, name in enumerate("ijk") if name not in names)
    expected = np.asarray(mask.any(axis=dropped))
    expected = expected.T if names == ("k", "i") else expected
    assert projected(Pattern.of_array(mask), ("i", "j", "k"), names) == Pattern.of_array(expected)


def test_a_bounding_box_holds_all_entries() -> None:
    assert bounding_box(Pattern.empty((5, 6)), (5, 6)) is None
    two = Pattern.of_positions((5, 6), [(1, 4), (3, 2)])
    assert bounding_box(two, (5, 6)) == ((1, 4), (2, 5))
    assert within(((1, 4), (2, 5)), two).count() == 2
    assert of_box(((1, 4), (2, 5)), (5, 6)).bounds() == ((1, 4), (2, 5))
    assert bounding_box(Pattern.full((2, 3)), (2, 3)) == ((0, 2), (0, 3))
    assert bounding_box(Pattern.full(()), ()) == ()


def test_the_size_of_a_tensor_does_not_matter() -> None:
    huge = conjunction([], ("i", "j"), {"i": 1 << 20, "j": 1 << 20})
    assert huge.is_full
    assert huge.cells.size == 1
    assert entries(huge, huge.shape) == 1 << 40

"""Patterns and networks of patterns against arrays that have every index."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.zero_pattern import Mask, mask_from_runs, runs_from_mask
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan import pattern
from einsum_front.ir.plan.pattern import (
    Factor,
    both,
    bounding_box,
    broadcast,
    conjunction,
    constrained,
    count,
    dense,
    either,
    entries,
    exists,
    has_entries,
    is_dense,
    projected,
)

EXTENTS = {"i": 3, "j": 2, "k": 4, "l": 2}


@st.composite
def factors(draw: st.DrawFn) -> list[Factor]:
    made = []
    for _ in range(draw(st.integers(1, 5))):
        names = tuple(draw(st.lists(st.sampled_from(sorted(EXTENTS)), max_size=3, unique=True)))
        shape = tuple(EXTENTS[name] for name in names)
        bits = draw(st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
        mask = dense(shape) if draw(st.booleans()) else np.array(bits, np.bool_).reshape(shape)
        made.append(Factor(names, mask))
    return made


def everything(network: list[Factor]) -> Mask:
    """The network over all indices at once."""
    names = tuple(EXTENTS)
    mask = np.ones(tuple(EXTENTS.values()), np.bool_)
    for factor in network:
        mask = mask & broadcast(factor.mask, factor.indices, names, EXTENTS)
    return mask


@pytest.fixture(params=[2**16, 0], ids=["small", "as large ones"], scope="module", autouse=True)
def _way_to_multiply(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both ways to multiply tables, on the same networks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pattern, "_LARGEST_PRODUCT", request.param)
        yield


@given(factors(), st.sets(st.sampled_from(sorted(EXTENTS))))
def test_exists_is_any_over_the_other_indices(network: list[Factor], keep: set[str]) -> None:
    kept = tuple(name for name in EXTENTS if name in keep)
    dropped = tuple(axis for axis, name in enumerate(EXTENTS) if name not in keep)
    left = exists(constrained(network), kept)
    np.testing.assert_array_equal(conjunction(left, kept, EXTENTS), everything(network).any(axis=dropped))


@given(factors())
def test_count_counts_positions_of_the_indices_of_the_factors(network: list[Factor]) -> None:
    walked = {name for factor in network for name in factor.indices}
    free = np.prod([extent for name, extent in EXTENTS.items() if name not in walked], dtype=int)
    assert count(network, EXTENTS) * free == np.count_nonzero(everything(network))


@pytest.mark.parametrize("names", [(), ("j",), ("k", "i")])
def test_projection_keeps_what_has_an_entry(names: IndexMap) -> None:
    mask = np.zeros((3, 2, 4), np.bool_)
    mask[1, 0, 3] = mask[2, 1, 3] = True
    dropped = tuple(axis for axis, name in enumerate("ijk") if name not in names)
    expected = mask.any(axis=dropped)
    assert (projected(mask, ("i", "j", "k"), names) == (expected.T if names == ("k", "i") else expected)).all()


def test_a_bounding_box_holds_all_entries() -> None:
    mask = np.zeros((5, 6), np.bool_)
    assert bounding_box(mask, (5, 6)) is None
    mask[1, 4] = mask[3, 2] = True
    assert bounding_box(mask, (5, 6)) == ((1, 4), (2, 5))
    assert bounding_box(dense((2, 3)), (2, 3)) == ((0, 2), (0, 3))
    assert bounding_box(np.array(True), ()) == ()


def test_patterns_without_zeros_take_no_memory() -> None:
    huge = dense((1 << 20, 1 << 20))
    assert is_dense(huge)
    assert has_entries(huge)
    assert entries(huge, huge.shape) == 1 << 40
    assert both(huge, huge) is huge
    assert either(huge, huge) is huge
    assert conjunction([], ("i", "j"), {"i": 1 << 20, "j": 1 << 20}).strides == (0, 0)


@given(st.lists(st.booleans(), min_size=12, max_size=12))
def test_runs_say_which_entries_there_are(bits: list[bool]) -> None:
    mask = np.array(bits, np.bool_).reshape(3, 4)
    runs = runs_from_mask(mask)
    np.testing.assert_array_equal(mask_from_runs(runs, (3, 4)), mask)
    assert sum(stop - start for start, stop in runs) == mask.sum()
    assert all(stop < start for (_, stop), (start, _) in pairwise(runs))

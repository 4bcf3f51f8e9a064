"""Networks of zero patterns against arrays that have every index."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core import pattern_network, zero_pattern
from einsum_front.core.pattern_network import Factor, constrained, count, exists
from einsum_front.core.runs import Mask
from einsum_front.core.zero_pattern import Pattern

EXTENTS = {"i": 3, "j": 2, "k": 4, "l": 2}


@pytest.fixture(params=[2**16, 0], ids=["small", "as large ones"], scope="module", autouse=True)
def _way_to_multiply(request: pytest.FixtureRequest) -> Iterator[None]:
    """Both ways to multiply tables, on the same networks; large ones on grids."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pattern_network, "_LARGEST_PRODUCT", request.param)
        patch.setattr(zero_pattern, "FEW", request.param)
        yield


@st.composite
def networks(draw: st.DrawFn) -> list[Factor]:
    made = []
    for _ in range(draw(st.integers(1, 5))):
        names = tuple(draw(st.lists(st.sampled_from(sorted(EXTENTS)), max_size=3, unique=True)))
        shape = tuple(EXTENTS[name] for name in names)
        bits = draw(st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
        full = draw(st.booleans())
        made.append(Factor(names, Pattern.of_array(np.array(bits, np.bool_).reshape(shape) | full)))
        if names == ("j",):
            made.append(Factor(("l",), made[-1].pattern))  # one pattern, walked by different indices
    return made


def everything(network: list[Factor]) -> Mask:
    """The network over all indices at once."""
    mask = np.ones(tuple(EXTENTS.values()), np.bool_)
    for factor in network:
        shape = [extent if name in factor.indices else 1 for name, extent in EXTENTS.items()]
        order = sorted(range(len(factor.indices)), key=lambda mode: factor.indices[mode])
        mask = mask & factor.pattern.array().transpose(order).reshape(shape)
    return mask


@given(networks(), st.sets(st.sampled_from(sorted(EXTENTS))))
def test_exists_is_any_over_the_other_indices(network: list[Factor], keep: set[str]) -> None:
    dropped = tuple(axis for axis, name in enumerate(EXTENTS) if name not in keep)
    left = exists(constrained(network), keep)
    assert all(name in keep for factor in left for name in factor.indices)
    expected = np.broadcast_to(everything(network).any(axis=dropped, keepdims=True), tuple(EXTENTS.values()))
    np.testing.assert_array_equal(everything(left), expected)


@given(networks())
def test_count_counts_positions_of_the_indices_of_the_factors(network: list[Factor]) -> None:
    walked = {name for factor in network for name in factor.indices}
    free = np.prod([extent for name, extent in EXTENTS.items() if name not in walked], dtype=int)
    assert count(network) * free == np.count_nonzero(everything(network))


def test_networks_of_large_tensors_take_what_their_patterns_take() -> None:
    shape = (10**6, 10**6)
    box, entries = Pattern.of_boxes(shape, [[(5, 10), (0, 1000)]]), Pattern.of_positions(shape, [(3, 4), (999, 7)])
    network = [Factor(("i", "j"), box), Factor(("j", "k"), entries), Factor(("k", "l"), Pattern.full(shape))]
    assert count(network) == 5 * 2 * 10**6
    (left,) = exists(constrained(network), ("i", "k"))
    assert left.pattern == Pattern.of_boxes(shape, [[(5, 10), (4, 5)], [(5, 10), (7, 8)]])


def test_one_pattern_may_be_walked_by_different_indices() -> None:
    both = Pattern.of_positions((4, 4), [(0, 1), (1, 3)])
    network = [Factor(("i", "j"), both), Factor(("j", "k"), both)]
    assert [factor.indices for factor in exists(network, ("i", "j", "k"))] == [("i", "j"), ("j", "k")]
    (left,) = exists(network, ("i", "k"))
    assert left.pattern == Pattern.of_positions((4, 4), [(0, 3)])
    assert count(network) == 1

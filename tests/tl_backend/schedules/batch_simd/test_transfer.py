"""Which positions of an element are loaded and stored as vectors."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.runs import Mask
from einsum_front.tl_backend.schedules.batch_simd.transfer import bridged, loaded_runs, stored_runs

masks = st.lists(st.booleans(), min_size=1, max_size=40).map(lambda bits: np.array(bits, np.bool_))
widths = st.sampled_from([2, 4, 8])


@given(masks, widths, st.integers(0, 3))
def test_loads_cover_what_is_needed_inside_the_array(needed: Mask, width: int, more: int) -> None:
    positions = np.flatnonzero(needed)
    low = max(0, int(positions[0]) - more) if positions.size else 0
    runs = loaded_runs(needed, range(low, needed.size), width)
    loaded = {start + lane for start in runs.vectors for lane in range(width)} | set(runs.singles)
    assert set(positions.tolist()) <= loaded
    assert all(low <= position < needed.size for position in loaded)
    assert not set(runs.singles) & {start + lane for start in runs.vectors for lane in range(width)}


@given(masks, widths)
def test_stores_are_what_is_written_once(written: Mask, width: int) -> None:
    runs = stored_runs(written, width)
    stored = sorted([start + lane for start in runs.vectors for lane in range(width)] + list(runs.singles))
    assert stored == np.flatnonzero(written).tolist()


@given(masks, masks, widths)
def test_bridges_are_allowed_and_never_cost_more(written: Mask, free: Mask, width: int) -> None:
    size = min(written.size, free.size)
    written, allowed = written[:size], written[:size] | free[:size]
    joined = bridged(written, allowed, width)
    assert not (written & ~joined).any()
    assert not (joined & ~allowed).any()
    assert stored_runs(joined, width).cost <= stored_runs(written, width).cost


def test_a_row_that_is_not_written_joins_columns_into_vectors() -> None:
    written = np.zeros(12, np.bool_)
    for column in range(2):
        written[6 * column : 6 * column + 5] = True  # rows 0 to 4 of 6
    joined = bridged(written, np.ones(12, np.bool_), 4)
    assert stored_runs(written, 4).singles == (4, 10)
    assert stored_runs(joined, 4).vectors == (0, 4, 8)
    assert stored_runs(joined, 4).singles == ()

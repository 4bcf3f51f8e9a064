"""Arguments with a fused transpose: an iteration of a loop loads what it reads, or stores what it has computed.

    for (int i = 0; i < 9; ++i) {
        // load %I
        double4 I_lanes[20];
        I_lanes[0] = four entries of the first element; I_lanes[1] = those of the second; …
        transpose(I_lanes);
        …
        T[10 * i] = fMrT[30] * I_lanes[3] + …
    }

That is how an unrolled loop gets at an argument that nothing else uses, if each iteration has entries of its own:
they stay in registers, and no array holds all of them in between.
"""

from collections.abc import Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow
from einsum_front.tl_backend.schedules.batch_simd.fused_transfer import Fusion
from einsum_front.tl_backend.schedules.batch_simd.merge import Step, users_of
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.batch_simd.transfer import Runs, bridged, loaded_runs, stored_runs
from einsum_front.tl_backend.schedules.batch_simd.unrolled import UnrolledLoop
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions


def candidates(steps: Sequence[Step], flows: Sequence[Flow]) -> list[list[Flow]]:
    """For each step the arguments that it alone uses, and either reads or writes."""
    users, found = users_of(steps), [list[Flow]() for _ in steps]
    for flow in flows:
        if len(users[flow.base]) == 1 and flow.needed.any() != flow.written.any():
            found[users[flow.base][0]].append(flow)
    return found


def find_fusions(loops: Sequence[Loop], flows: Sequence[Flow], facts: Facts, width: int) -> tuple[Fusion, ...]:
    """The fused loads and stores of a product that is these loops; `flows` are its candidates."""
    users: dict[str, list[RowTable | UnrolledLoop]] = {}
    for loop in loops if flows else ():
        for base in loop.bases:
            users.setdefault(base, []).append(loop.body)
    found = (_fusion(flow, users.get(flow.base, []), facts, width) for flow in flows)
    return tuple(fusion for fusion in found if fusion is not None)


def _fusion(flow: Flow, users: Sequence[RowTable | UnrolledLoop], facts: Facts, width: int) -> Fusion | None:
    """The fused load or store of an argument that these loops use; None if it must be in an array as a whole."""
    if len(users) != 1 or not isinstance(users[0], UnrolledLoop):
        return None
    used = _find_window(flow, users[0])
    if used is None:
        return None
    if flow.needed.any():
        fusion, whole = _loaded(used, flow, width), loaded_runs(flow.needed, range(flow.needed.size), width)
    else:
        fusion, whole = _stored(used, flow, facts, width), stored_runs(flow.written, width)
    most = facts.machine.batch_simd.unrolling.transfers  # more than 1 where columns do not end with vectors
    return fusion if used.count * fusion.runs.cost <= most * whole.cost else None


@dataclass(frozen=True, slots=True)
class _Window:
    """The positions that the first of `count` iterations uses, in order; they move by `step` in each."""

    positions: Positions
    step: int
    count: int

    @property
    def all(self) -> Positions:
        """Those of all iterations."""
        return (np.arange(self.count)[:, None] * self.step + self.positions).ravel()


def _find_window(flow: Flow, unrolled: UnrolledLoop) -> _Window | None:
    """Entries that an iteration uses of an argument; None if iterations share some, or some are used elsewhere."""
    entries = {entry for entry in unrolled.entries() if entry.base == flow.base}
    steps = {entry.step for entry in entries}
    if len(steps) != 1 or any(entry.position.terms for entry in entries):
        return None
    positions = np.array(sorted({entry.position.constant for entry in entries}), np.int64)
    window = _Window(positions, steps.pop(), unrolled.count)
    is_all = np.array_equal(window.all, np.flatnonzero(flow.needed | flow.written & ~flow.idle))
    return window if is_all and positions[-1] - positions[0] < window.step else None


def _loaded(window: _Window, flow: Flow, width: int) -> Fusion:
    """Vectors stay inside the element in the last iteration, too."""
    size = flow.needed.size - (window.count - 1) * window.step
    runs = loaded_runs(_mask(window.positions, size), range(size), width)
    return _make(flow, window, runs, frozenset(), width)


def _stored(window: _Window, flow: Flow, facts: Facts, width: int) -> Fusion:
    """Entries between the written ones and behind them are stored too where that makes vectors whole."""
    pattern = facts.patterns[flow.base]
    first, size = int(window.positions[0]), pattern.size - (window.count - 1) * window.step
    written = _mask(window.positions, min(size, first + window.step))
    moved = (pattern[start : start + written.size] for start in range(0, window.count * window.step, window.step))
    stored = written
    if flow.beta.is_number(1):
        allowed = np.logical_and.reduce(list(moved))
        allowed[:first] = False
        stored = bridged(written, allowed, width)
    idle = frozenset(np.flatnonzero(stored & ~written).tolist())
    return _make(flow, window, stored_runs(stored, width), idle, width)


def _mask(positions: Positions, size: int) -> Mask:
    mask = np.zeros(size, np.bool_)
    mask[positions] = True
    return mask


def _make(flow: Flow, window: _Window, runs: Runs, idle: frozenset[int], width: int) -> Fusion:
    first = min((*runs.vectors, *runs.singles))
    stop = max((*(start + width for start in runs.vectors), *(position + 1 for position in runs.singles)))
    is_stored = bool(flow.written.any())
    return Fusion(flow.base, first, stop - first, window.step, runs, idle, is_stored, flow.beta)

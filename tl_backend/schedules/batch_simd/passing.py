"""Arguments that a loop transposes in passing: an iteration loads what it reads, or stores what it has computed.

    for (int i = 0; i < 9; ++i) {
        // load %I
        double4 I_lanes[20];
        I_lanes[0] = four entries of the first element; I_lanes[1] = those of the second; …
        transpose(I_lanes);
        …
        T[10 * i] = fMrT[30] * I_lanes[3] + …
    }

That is how a written-out loop gets at an argument that nothing else uses, if each iteration has entries of its own:
they stay in registers, and no array holds all of them in between.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from einsum_front.tl_backend.schedules.batch_simd.collective import Loop
from einsum_front.tl_backend.schedules.batch_simd.facts import Facts
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow
from einsum_front.tl_backend.schedules.batch_simd.merge import Step, users_of
from einsum_front.tl_backend.schedules.batch_simd.passage import Passage
from einsum_front.tl_backend.schedules.batch_simd.product import Positions
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.batch_simd.transfer import Runs, bridged, loaded_runs, stored_runs
from einsum_front.tl_backend.schedules.batch_simd.unrolled import Stretch
from einsum_front.tl_backend.schedules.batch_simd.zeros import Mask

MOST_TRANSFERS = 2.1
"""How many more vectors the iterations may transfer than all entries at once, where columns do not end with vectors."""


def candidates(steps: Sequence[Step], flows: Sequence[Flow]) -> list[list[Flow]]:
    """For each step the arguments that it alone uses, and either reads or writes."""
    users, found = users_of(steps), [list[Flow]() for _ in steps]
    for flow in flows:
        if len(users[flow.base]) == 1 and flow.needed.any() != flow.written.any():
            found[users[flow.base][0]].append(flow)
    return found


def find_passages(loops: Sequence[Loop], flows: Sequence[Flow], facts: Facts, width: int) -> tuple[Passage, ...]:
    """The passages of a product that is these loops; `flows` are its candidates."""
    users: dict[str, list[RowTable | Stretch]] = {}
    for loop in loops if flows else ():
        for base in loop.bases:
            users.setdefault(base, []).append(loop.body)
    found = (_passage(flow, users.get(flow.base, []), facts, width) for flow in flows)
    return tuple(passage for passage in found if passage is not None)


def _passage(flow: Flow, users: Sequence[RowTable | Stretch], facts: Facts, width: int) -> Passage | None:
    """The passage of an argument that these loops use; None if it must be in an array as a whole."""
    if len(users) != 1 or not isinstance(users[0], Stretch):
        return None
    used = _find_window(flow, users[0])
    if used is None:
        return None
    if flow.needed.any():
        passage, whole = _loaded(used, flow, width), loaded_runs(flow.needed, range(flow.needed.size), width)
    else:
        passage, whole = _stored(used, flow, facts, width), stored_runs(flow.written, width)
    return passage if used.count * passage.runs.cost <= MOST_TRANSFERS * whole.cost else None


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


def _find_window(flow: Flow, stretch: Stretch) -> _Window | None:
    """What an iteration uses of an argument; None if iterations share entries, or if some are used elsewhere."""
    entries = {entry for entry in stretch.entries() if entry.base == flow.base}
    steps = {entry.step for entry in entries}
    if len(steps) != 1 or any(entry.position.terms for entry in entries):
        return None
    positions = np.array(sorted({entry.position.constant for entry in entries}), np.int64)
    window = _Window(positions, steps.pop(), stretch.count)
    is_all = np.array_equal(window.all, np.flatnonzero(flow.needed | flow.written & ~flow.idle))
    return window if is_all and positions[-1] - positions[0] < window.step else None


def _loaded(window: _Window, flow: Flow, width: int) -> Passage:
    """Vectors stay inside the element in the last iteration, too."""
    size = flow.needed.size - (window.count - 1) * window.step
    runs = loaded_runs(_mask(window.positions, size), range(size), width)
    return _make(flow, window, runs, frozenset(), width)


def _stored(window: _Window, flow: Flow, facts: Facts, width: int) -> Passage:
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


def _make(flow: Flow, window: _Window, runs: Runs, idle: frozenset[int], width: int) -> Passage:
    first = min((*runs.vectors, *runs.singles))
    stop = max((*(start + width for start in runs.vectors), *(position + 1 for position in runs.singles)))
    is_stored = bool(flow.written.any())
    return Passage(flow.base, first, stop - first, window.step, runs, idle, is_stored, flow.beta)

"""The steps of a block of elements, with the loops that their products become.

Which steps compute what is batch-invariant, so that a work-item runs them once.

Arguments with a fused transpose: an iteration of a loop loads what it reads, or stores what it has computed.

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

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop, loops_of, written_loops
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow, added_once, find_flows
from einsum_front.tl_backend.schedules.batch_simd.steps import Step, Users, everything, steps_of, users_of
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.batch_simd.transfer import Fusion, Runs, bridged, loaded_runs, stored_runs
from einsum_front.tl_backend.schedules.batch_simd.unrolled import UnrolledLoop
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions, ProductSum
from einsum_front.tl_backend.traverse import operands, regions, results
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Hoisted:
    """Steps that run once, the others, and the scalars and bases that are complete before all of them."""

    once: tuple[Step, ...]
    others: tuple[Step, ...]
    given: frozenset[str]

    @property
    def early(self) -> frozenset[str]:
        """The scalars and bases that are complete before the others."""
        return self.given.union(*(_completed(step) for step in self.once))

    def in_order(self) -> Iterator[tuple[Step, frozenset[str]]]:
        """The steps that run once, each with the scalars and bases that are complete before it: none of its own."""
        complete = self.given
        for step in self.once:
            yield step, complete - step.writes
            complete |= _completed(step)


def hoist(function: Function, steps: Sequence[Step], facts: Facts) -> Hoisted:
    """All uniform steps run once, unless a temporary is written again after elements have used it."""
    given = {argument.name.name for argument in function.arguments if isinstance(argument.type, ScalarType)}
    given |= {name for name, storage in facts.storages.items() if storage.is_argument and storage.is_uniform}
    uniform = _find_uniform(steps, facts)
    if not _are_independent(steps, uniform, facts):
        return Hoisted((), tuple(steps), frozenset(given))
    once = tuple(step for step, is_uniform in zip(steps, uniform, strict=True) if is_uniform)
    others = tuple(step for step, is_uniform in zip(steps, uniform, strict=True) if not is_uniform)
    return Hoisted(once, others, frozenset(given))


def _completed(step: Step) -> frozenset[str]:
    """Buffers that a step completes."""
    return step.writes.union(result.name for result in _made(step))


def _find_uniform(steps: Sequence[Step], facts: Facts) -> list[bool]:
    """Whether each step neither uses nor makes what differs from lane to lane, or what comes from a step that does."""
    late = set(facts.sharing.scalars)
    uniform = []
    for step in steps:
        is_uniform = all(facts.storages[base].is_uniform for base in step.touches)
        is_uniform = is_uniform and not any(used.name in late for used in (*_used(step), *_made(step)))
        late |= set() if is_uniform else {result.name for result in _made(step)}
        uniform.append(is_uniform)
    return uniform


def _used(step: Step) -> list[tl.Local]:
    """The scalars that a step uses, and other values."""
    if isinstance(step.action, ProductSum):
        return list(step.action.coefficients)
    used = (operand for instruction in everything(step.action) for operand in operands(instruction))
    return [operand for operand in used if isinstance(operand, tl.Local)]


def _made(step: Step) -> list[tl.Local]:
    """The scalars that a step makes, in its regions too."""
    if isinstance(step.action, ProductSum):
        return []
    return [result for instruction in everything(step.action) for result in results(instruction)]


def _are_independent(steps: Sequence[Step], uniform: Sequence[bool], facts: Facts) -> bool:
    """True if every temporary that is batch-invariant is complete before a step of elements uses it."""
    used: set[str] = set()
    for step, is_uniform in zip(steps, uniform, strict=True):
        temporaries = {base for base in step.touches if facts.storages[base].is_uniform}
        if not is_uniform:
            used |= temporaries
            if any(facts.storages[base].is_uniform for base in step.writes):
                return False
        elif step.writes & used:
            return False
    return True


def candidates(steps: Sequence[Step], flows: Sequence[Flow], facts: Facts) -> list[list[Flow]]:
    """For each step the arguments that it alone uses, and either reads or writes."""
    users, found = users_of(steps), [list[Flow]() for _ in steps]
    for flow in flows:
        if len(users[flow.base]) == 1 and not facts.is_staged(flow.base) and flow.needed.any() != flow.written.any():
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


# -- the plan ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step, and the loops that it is if it is a product, with the arguments that they load and store themselves.

    `inner` are the steps of each region if it is an instruction that has some.
    """

    step: Step
    loops: tuple[Loop, ...] = ()
    fusions: tuple[Fusion, ...] = ()
    inner: tuple[tuple["PlannedStep", ...], ...] = ()

    @property
    def all_loops(self) -> Iterator[Loop]:
        """Those of the step, and of all steps inside."""
        yield from self.loops
        for region in self.inner:
            for each in region:
                yield from each.all_loops

    def issued(self, facts: Facts) -> int:
        """Multiplications for an element, as often as they run."""
        action = self.step.action
        trips = len(facts.places.loops[action.variable.name]) if isinstance(action, tl.For | tl.Foreach) else 1
        inner = sum(each.issued(facts) for region in self.inner for each in region)
        return sum(loop.work for loop in self.loops) + trips * inner

    def is_short(self, facts: Facts) -> bool:
        """True if its summands are so few that they are always unrolled."""
        return sum(loop.text for loop in self.loops) <= facts.machine.batch_simd.unrolling.always


def fusions_of(steps: Sequence[PlannedStep]) -> dict[str, Fusion]:
    """The fused loads and stores of all steps, by their arguments, which have no array for all of their entries."""
    return {fusion.base: fusion for step in steps for fusion in step.fusions}


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """The steps of a function for elements in the lanes, with what comes before them once, and the traffic of them.

    `once` are the hoisted steps, `width` is the number of elements in the lanes.
    """

    width: int
    hoisted: Hoisted
    once: tuple[PlannedStep, ...]
    flows: tuple[Flow, ...]
    steps: tuple[PlannedStep, ...]


def make_plan(function: Function, steps: Sequence[Step], facts: Facts, width: int) -> LoopPlan:
    """The plan of a function of these steps with `width` elements in the lanes."""
    hoisted = hoist(function, steps, facts)
    once = tuple(_alone(step, facts) for step in hoisted.once)
    flows = find_flows(hoisted.others, facts, width)
    return LoopPlan(width, hoisted, once, flows, plan_steps(hoisted.others, flows, facts, width))


def plan_steps(steps: Sequence[Step], flows: Sequence[Flow], facts: Facts, width: int) -> tuple[PlannedStep, ...]:
    """The steps in their order, with `width` elements in the lanes.

    A product whose summands are many is unrolled to load or store an argument itself only if no array stays that
    is as large: several at different times share their memory, and the first-level cache gains only if all are gone.
    """
    users = users_of(steps)
    prepared = [_without_old(step, steps, users, facts) for step in steps]
    if width == 1:
        return tuple(_alone(step, facts) for step in prepared)
    alone = candidates(steps, flows, facts)
    planned = [_planned(step, mine, facts, width) for step, mine in zip(prepared, alone, strict=True)]
    written = [_written(step, mine, facts, width) for step, mine in zip(planned, alone, strict=True)]
    sizes = {flow.base: int(np.count_nonzero(flow.needed | flow.written)) for flow in flows}
    fused = {fusion.base for step in (*planned, *written) for fusion in step.fusions}
    largest = max((size for base, size in sizes.items() if base not in fused), default=0)
    return tuple(
        other if other.is_short(facts) or any(sizes[fusion.base] > largest for fusion in other.fusions) else step
        for step, other in zip(planned, written, strict=True)
    )


def _alone(step: Step, facts: Facts) -> PlannedStep:
    """A step whose operands are in arrays or are uniform: the loops that are the fastest by themselves."""
    if isinstance(step.action, ProductSum):
        return PlannedStep(step, loops_of(step.action, facts))
    inner = (steps_of(region, facts.places) for region in regions(step.action))
    return PlannedStep(step, inner=tuple(tuple(_alone(each, facts) for each in steps) for steps in inner))


def _planned(step: Step, alone: Sequence[Flow], facts: Facts, width: int) -> PlannedStep:
    """The same with what its loops load and store themselves."""
    planned = _alone(step, facts)
    return replace(planned, fusions=find_fusions(planned.loops, alone, facts, width))


def _written(planned: PlannedStep, alone: Sequence[Flow], facts: Facts, width: int) -> PlannedStep:
    """The same with all terms unrolled, if arguments can be loaded or stored by a loop only then."""
    product = planned.step.action
    if planned.fusions or not alone or not isinstance(product, ProductSum):
        return planned
    ways = (
        PlannedStep(planned.step, loops, find_fusions(loops, alone, facts, width))
        for loops in written_loops(product, facts)
    )
    return next((way for way in ways if way.fusions), planned)


def _without_old(step: Step, steps: Sequence[Step], users: Users, facts: Facts) -> Step:
    """A product that adds to an argument: what is in memory is added when the sums are stored."""
    product = step.action
    if not isinstance(product, ProductSum) or added_once(product.target.base, steps, users) is None:
        return step
    if not facts.storages[product.target.base].is_argument:
        return step
    no_prefetch = tl.TypedScalar(tl.FloatConstant(0.0), product.beta.type)
    return replace(step, action=replace(product, beta=no_prefetch, is_partial=product.beta.is_number(1)))

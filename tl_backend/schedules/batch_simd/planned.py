"""The steps of a block of elements, with the loops that their products become."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop, loops_of, written_loops
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow, added_once, find_flows
from einsum_front.tl_backend.schedules.batch_simd.fused_transfer import Fusion
from einsum_front.tl_backend.schedules.batch_simd.fusion import candidates, find_fusions
from einsum_front.tl_backend.schedules.batch_simd.hoist import Hoisted, hoist
from einsum_front.tl_backend.schedules.batch_simd.merge import Step, Users, users_of
from einsum_front.tl_backend.schedules.batch_simd.steps import steps_of
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import ProductSum
from einsum_front.tl_backend.traverse import regions


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
class Plan:
    """The steps of a function for elements in the lanes, with what comes before them once, and the traffic of them.

    `once` are the hoisted steps, `width` is the number of elements in the lanes.
    """

    width: int
    hoisted: Hoisted
    once: tuple[PlannedStep, ...]
    flows: tuple[Flow, ...]
    steps: tuple[PlannedStep, ...]


def make_plan(function: Function, steps: Sequence[Step], facts: Facts, width: int) -> Plan:
    """The plan of a function of these steps with `width` elements in the lanes."""
    hoisted = hoist(function, steps, facts)
    once = tuple(_alone(step, facts) for step in hoisted.once)
    flows = find_flows(hoisted.others, facts, width)
    return Plan(width, hoisted, once, flows, plan_steps(hoisted.others, flows, facts, width))


def plan_steps(steps: Sequence[Step], flows: Sequence[Flow], facts: Facts, width: int) -> tuple[PlannedStep, ...]:
    """The steps in their order, with `width` elements in the lanes.

    A product whose summands are many is unrolled to load or store an argument itself only if no array stays that
    is as large: several at different times share their memory, and the first-level cache gains only if all are gone.
    """
    users = users_of(steps)
    prepared = [_without_old(step, steps, users, facts) for step in steps]
    if width == 1:
        return tuple(_alone(step, facts) for step in prepared)
    alone = candidates(steps, flows)
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

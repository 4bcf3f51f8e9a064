"""How long an element takes in its lane, in multiplications, as the choice of a form wants to know it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log2

from einsum_front.tl_backend.instructions import Collective, For, Foreach, Region
from einsum_front.tl_backend.machine import BatchSimdTimes
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.facts import Facts
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow, find_flows
from einsum_front.tl_backend.schedules.batch_simd.merge import Step
from einsum_front.tl_backend.schedules.batch_simd.planned import Plan, passages_of
from einsum_front.tl_backend.semantics import writes
from einsum_front.tl_backend.traverse import regions


@dataclass(frozen=True, slots=True)
class Count:
    """What is done for an element: multiplications that are not by a known zero, and entries that are transposed.

    Of the entries, `passing` are transposed in passing (see `passing`); of the multiplications, `spread` are by
    constants that an instruction spreads over the lanes.
    """

    multiplications: int
    entries: int
    passing: int = 0
    spread: int = 0

    def total(self, width: int, times: BatchSimdTimes) -> float:
        """Everything in multiplications, with so many elements in the lanes."""
        steps = times.transposed * (self.entries - self.passing) + times.fused * self.passing
        return self.multiplications - (1 - times.broadcast) * self.spread + log2(width) * steps

    @property
    def least(self) -> "Count":
        """What it is at least, whatever the loops are."""
        return Count(self.multiplications, self.entries, self.entries, self.multiplications)


def find_count(function: Function, steps: Sequence[Step], facts: Facts) -> Count:
    """The cost of an element; what is the same for all of them is done rarely and is no multiplication."""
    flows = find_flows(steps, facts, 1)
    return Count(_count(function.body, facts), _entries(flows))


def planned_count(count: Count, plan: Plan, facts: Facts, *, has_spreads: bool) -> Count:
    """The same with what the plan of all loops says; `has_spreads`: there are instructions with embedded broadcast."""
    passing = passages_of(plan.steps)
    entries = _entries(flow for flow in plan.flows if flow.base in passing)
    spread = sum(loop.spread(facts) for step in plan.steps for loop in step.loops) if has_spreads else 0
    return replace(count, passing=entries, spread=spread)


def _entries(flows: Iterable[Flow]) -> int:
    return sum(int(flow.needed.sum()) + int(flow.written.sum()) for flow in flows)


def _count(region: Region, facts: Facts) -> int:
    """Multiplications, as often as they are done."""
    total = 0
    for instruction in region:
        if isinstance(instruction, Collective):
            total += _multiplications(instruction, facts)
        trips = len(facts.places.loops[instruction.variable.name]) if isinstance(instruction, For | Foreach) else 1
        total += trips * sum(_count(body, facts) for body in regions(instruction))
    return total


def _multiplications(instruction: Collective, facts: Facts) -> int:
    is_uniform = all(facts.is_uniform(facts.places.place(memref).base) for memref in writes(instruction))
    return 0 if is_uniform else facts.counts[instruction]

"""Cost of an element in the schedule `batch_simd`, in multiplications."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import log2

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import BatchSimdTimes
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow, find_flows
from einsum_front.tl_backend.schedules.batch_simd.merge import Step
from einsum_front.tl_backend.schedules.batch_simd.planned import Plan, fusions_of
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.semantics import writes
from einsum_front.tl_backend.traverse import regions


@dataclass(frozen=True, slots=True)
class Count:
    """Work for an element: multiplications that are not by a known zero, and entries that are transposed.

    Of the entries, `fused` are transposed inside of loops (see `fusion`); of the multiplications, `spread` are by
    constants that an instruction spreads over the lanes.
    """

    multiplications: int
    entries: int
    fused: int = 0
    spread: int = 0

    def total(self, width: int, times: BatchSimdTimes, *, is_narrow: bool = False) -> float:
        """Everything in multiplications, with so many elements in the lanes; `is_narrow` if more would fit."""
        steps = times.transposed * (self.entries - self.fused) + times.fused * self.fused
        multiplied = self.multiplications - (1 - times.broadcast) * self.spread
        return (times.narrow if is_narrow else 1.0) * multiplied + log2(width) * steps

    @property
    def least(self) -> "Count":
        """Lower bound, whatever the loops are."""
        return Count(self.multiplications, self.entries, self.entries, self.multiplications)


def find_count(function: Function, steps: Sequence[Step], facts: Facts) -> Count:
    """The cost of an element; what is the same for all of them is done rarely and is no multiplication."""
    flows = find_flows(steps, facts, 1)
    return Count(_count(function.body, facts), _entries(flows))


def planned_count(count: Count, plan: Plan, facts: Facts, *, embeds_broadcasts: bool) -> Count:
    """The same with what the plan of all loops says, on a target that `embeds_broadcasts` or does not."""
    fused = fusions_of(plan.steps)
    entries = _entries(flow for flow in plan.flows if flow.base in fused)
    spread = sum(loop.spread(facts) for step in plan.steps for loop in step.loops) if embeds_broadcasts else 0
    return replace(count, fused=entries, spread=spread)


def _entries(flows: Iterable[Flow]) -> int:
    return sum(int(flow.needed.sum()) + int(flow.written.sum()) for flow in flows)


def _count(region: tl.Region, facts: Facts) -> int:
    """Multiplications, as often as they are done."""
    total = 0
    for instruction in region:
        if isinstance(instruction, tl.Collective):
            total += _multiplications(instruction, facts)
        trips = (
            len(facts.places.loops[instruction.variable.name]) if isinstance(instruction, tl.For | tl.Foreach) else 1
        )
        total += trips * sum(_count(body, facts) for body in regions(instruction))
    return total


def _multiplications(instruction: tl.Collective, facts: Facts) -> int:
    is_uniform = all(facts.is_uniform(facts.places.place(memref).base) for memref in writes(instruction))
    return 0 if is_uniform else facts.counts[instruction]

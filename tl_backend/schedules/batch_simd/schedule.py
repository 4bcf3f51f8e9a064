"""The schedule `batch_simd`: what it costs, and what is worth a measurement.

Cost of an element in the schedule `batch_simd`, in multiplications.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf, log2

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import BatchSimdTimes
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow, find_flows
from einsum_front.tl_backend.schedules.batch_simd.memory import lane_entries
from einsum_front.tl_backend.schedules.batch_simd.planned import LoopPlan, fusions_of, make_plan
from einsum_front.tl_backend.schedules.batch_simd.steps import Step, steps_of
from einsum_front.tl_backend.schedules.positions.facts import Facts, gathering_suitability
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
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


def planned_count(count: Count, plan: LoopPlan, facts: Facts, *, embeds_broadcasts: bool) -> Count:
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


# -- the schedule ------------------------------------------------------------------------------------------------------


NARROW = 32
"""Bytes of the vectors of an element that is mostly transposed, where the processor computes wider ones in a step too.

An outlined function has no wider ones: compilers split vectors of 64 bytes there.
"""


@dataclass(frozen=True)
class BatchSimdPlan:
    """A function in this schedule, with what is known of it."""

    function: Function
    target: Target
    facts: Facts
    kind: ScheduleKind = ScheduleKind.BATCH_SIMD

    @cached_property
    def loops(self) -> LoopPlan:
        """The loops of all products, and what is loaded, stored and hoisted."""
        return make_plan(self.facts.function, self._steps, self._in_registers, self.width)

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        """The products and what else the function does, in order."""
        return steps_of(self.facts.function.body, self.facts.places)

    @property
    def width(self) -> int:
        """Elements in the lanes."""
        return self._narrowed.step_width(REGISTER[self.facts.element]) if self.target.is_cpu else 1

    @cached_property
    def _narrowed(self) -> Target:
        """The target with the vectors that pay: wide ones and no outlined function, or narrow ones."""
        target = self.target
        if not self._has_choice:
            return target
        is_wide = self._count.multiplications >= self._least_wide
        return replace(target, instructions=None) if is_wide else replace(target, native_vector_bytes=NARROW)

    @property
    def _least_wide(self) -> float:
        """The multiplications of an element from which on the wide vectors pay."""
        times = self.target.machine.batch_simd
        return max(times.fewest_wide * self._count.entries, times.least_wide * size_of(REGISTER[self.facts.element]))

    @property
    def _has_choice(self) -> bool:
        """True if the processor computes vectors of two widths in a step."""
        return self.target.is_cpu and (self.target.native_vector_bytes or self.target.vector_bytes) > NARROW

    @property
    def _is_narrow(self) -> bool:
        """True if it could have wider ones."""
        return self._has_choice and self._narrowed.native_vector_bytes == NARROW

    @cached_property
    def _in_registers(self) -> Facts:
        """The facts with the registers that the innermost loops have."""
        is_wide = self._has_choice and not self._is_narrow
        return replace(self.facts, is_outlined=self._narrowed.instructions is not None, is_wide=is_wide)

    def _time(self, count: Count) -> float:
        """Of an element with these counts."""
        return count.total(self.width, self.target.machine.batch_simd, is_narrow=self._is_narrow)

    @property
    def least(self) -> float:
        """As if all entries were transposed inside of loops."""
        return self._uncounted.time if self._uncounted is not None else self._time(self._count.least)

    @cached_property
    def cost(self) -> Cost:
        """Multiplications that are not by a known zero, and entries that are transposed."""
        if self._uncounted is not None:
            return self._uncounted
        count = planned_count(self._count, self.loops, self.facts, embeds_broadcasts=self.target.embeds_broadcasts)
        words = f"{count.multiplications} multiplications and {count.entries} entries to transpose"
        return Cost(self._time(count), words)

    @cached_property
    def _count(self) -> Count:
        return find_count(self.facts.function, self._steps, self.facts)

    @cached_property
    def _uncounted(self) -> Cost | None:
        """The cost on a GPU, which has no other model than the number of entries."""
        if self.target.is_cpu:
            return None
        entries, most = lane_entries(self.facts), self.target.machine.shared.private
        if entries > most:
            return Cost(inf, f"an element has {entries} entries, more than {most}")
        return Cost(0.0, "the registers of a work-item hold an element")

    @property
    def issued(self) -> int:
        """Known zeros are left out; what is hoisted runs rarely."""
        return sum(step.issued(self.facts) for step in self.loops.steps)

    def why(self, rivals: Rivals) -> str:
        """Replacement of all multiplications, in words."""
        other = rivals[ScheduleKind.WORK_GROUP]
        if not self.target.is_cpu or isinstance(other, Reason):
            return self.cost.counted
        return f"{self.cost.counted}, otherwise {other.cost.counted}"

    def explained(self) -> Iterator[str]:
        """Loads, loops and stores of a block of elements, behind the vectors where there are two widths."""
        from einsum_front.tl_backend.schedules.batch_simd.explain import explain  # noqa: PLC0415 - most plans are rivals, and print nothing

        if self._narrowed is not self.target:
            bits = 8 * (self._narrowed.native_vector_bytes or self._narrowed.vector_bytes)
            count = f"{self._count.multiplications} multiplications and {self._count.entries} entries of an element"
            yield f"vectors of {bits} bits: {count}; wider ones from {self._least_wide:g} multiplications on"
        yield from explain(self.loops, self.facts, has_prefetches=self.target.has_prefetch)

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel: a loop over blocks of elements."""
        from einsum_front.tl_backend.schedules.batch_simd.lower import lower  # noqa: PLC0415 - most plans are rivals, and make no code

        return lower(self.function, self._in_registers, self.loops, self._narrowed, taken)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """A function whose sizes are known and the same for all elements, which fit into the arrays of a work-item."""
    target, facts = subject.target, subject.function.get(gathering_suitability)
    if isinstance(facts, Reason):
        return facts
    if facts.gathers and not target.is_cpu:
        return Reason("work-items read where integers say one after the other")
    if (reason := _too_large(facts, target)) is not None:
        return reason
    facts = replace(facts, machine=target.machine)
    if tuning.prefetch is False:
        target = replace(target, has_prefetch=False)
    return BatchSimdPlan(subject.function, target, facts)


def _too_large(facts: Facts, target: Target) -> Reason | None:
    """The elements in the lanes are arrays of a work-item: on a CPU on its stack, and slow beyond the second cache."""
    entries = lane_entries(facts)
    if not target.is_cpu:
        needed = entries * size_of(REGISTER[facts.element])
        if needed > target.private_memory:
            return Reason(f"an element needs {needed} bytes, a work-item has {target.private_memory}")
        return None
    needed = entries * (target.native_vector_bytes or target.vector_bytes)
    if needed > min(target.machine.memory.second, target.stack):
        return Reason(f"the elements in the lanes would need {needed // 1024} KiB")
    return None


def candidates(_function: Function, target: Target) -> Iterator[Tuning]:
    """With prefetches and without."""
    yield Tuning(ScheduleKind.BATCH_SIMD)
    if target.has_prefetch:
        yield Tuning(ScheduleKind.BATCH_SIMD, prefetch=False)


BATCH_SIMD = Schedule(ScheduleKind.BATCH_SIMD, analyse, candidates)

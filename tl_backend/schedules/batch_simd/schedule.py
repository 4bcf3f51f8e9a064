"""The schedule `batch_simd`: what it costs, and what is worth a measurement."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.cost import Count, find_count, planned_count
from einsum_front.tl_backend.schedules.batch_simd.facts import Facts
from einsum_front.tl_backend.schedules.batch_simd.lines import lines
from einsum_front.tl_backend.schedules.batch_simd.lower import lower
from einsum_front.tl_backend.schedules.batch_simd.memory import lane_entries
from einsum_front.tl_backend.schedules.batch_simd.merge import Step
from einsum_front.tl_backend.schedules.batch_simd.planned import Plan as LoopPlan
from einsum_front.tl_backend.schedules.batch_simd.planned import make_plan
from einsum_front.tl_backend.schedules.batch_simd.steps import steps_of
from einsum_front.tl_backend.schedules.batch_simd.suitable import suitability
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import Form, Tuning

MOST_REGISTERS = 16
"""Entries of an element for which a work-item of a GPU takes no longer than several, side by side with other elements.

On an H200, f64, both take 0.10 ns with 2x2 matrices; with 4x4, an element for each item takes three times as long:
neighbours read memory that is far apart.
"""

REGISTERS_OUTLINED = 32
"""Vectors that the innermost loops keep in registers in an outlined function: those of AVX-512VL.

Where the compiler takes AVX-512 by itself, blocks for 32 registers are faster in some kernels and slower in others:
Intel's runtime needs 0.92 of the time for `volume` of ADER-DG and 1.07 for local fluxes at order 4.
"""


@dataclass(frozen=True)
class BatchSimdPlan:
    """A function in this schedule, with what is known of it."""

    function: Function
    target: Target
    facts: Facts
    form: Form = Form.LANES

    @cached_property
    def loops(self) -> LoopPlan:
        """The loops of all products, and what is loaded, stored and hoisted."""
        return make_plan(self.function, self._steps, self.facts, self.width)

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        """The products and what else the function does, in order."""
        return steps_of(self.function.body, self.facts.places)

    @property
    def width(self) -> int:
        """Elements in the lanes."""
        return self.target.step_width(REGISTER[self.facts.element]) if self.target.is_cpu else 1

    @property
    def least(self) -> float:
        """As if all entries were transposed in passing."""
        return (
            self._uncounted.time
            if self._uncounted is not None
            else self._count.least.total(self.width, self.target.machine.batch_simd)
        )

    @cached_property
    def cost(self) -> Cost:
        """Multiplications that are not by a known zero, and entries that are transposed."""
        if self._uncounted is not None:
            return self._uncounted
        count = planned_count(self._count, self.loops, self.facts, has_spreads=self.target.has_spreads)
        words = f"{count.multiplications} multiplications and {count.entries} entries to transpose"
        return Cost(count.total(self.width, self.target.machine.batch_simd), words)

    @cached_property
    def _count(self) -> Count:
        return find_count(self.function, self._steps, self.facts)

    @cached_property
    def _uncounted(self) -> Cost | None:
        """The cost of an element that has too many entries; of one on a GPU, which has no other model."""
        entries = lane_entries(self.facts)
        if not self.target.is_cpu:
            is_small = entries <= MOST_REGISTERS
            return Cost(
                0.0 if is_small else inf,
                "the registers of a work-item hold an element"
                if is_small
                else f"an element has {entries} entries, more than {MOST_REGISTERS}",
            )
        size = entries * (self.target.step_bytes or self.target.vector_bytes)
        if size > self.target.machine.second_cache:
            return Cost(inf, f"the elements in the lanes would need {size // 1024} KiB")
        return None

    @property
    def executed(self) -> int:
        """Known zeros are left out; what is hoisted runs rarely."""
        return sum(step.executed(self.facts) for step in self.loops.steps)

    def why(self, rivals: Rivals) -> str:
        """What is done instead of all multiplications."""
        other = rivals[Form.GROUP]
        if not self.target.is_cpu or isinstance(other, Reason):
            return self.cost.counted
        return f"{self.cost.counted}, otherwise {other.cost.counted}"

    def lines(self) -> Iterator[str]:
        """Loads, loops and stores of a block of elements."""
        return lines(self.loops, self.facts, has_prefetches=self.target.has_prefetch)

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel: a loop over blocks of elements."""
        return lower(self.function, self.facts, self.loops, self.target, taken)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """A function whose sizes are known and the same for all elements."""
    target, facts = subject.target, subject.get(suitability)
    if isinstance(facts, Reason):
        return facts
    if not target.is_cpu:
        needed = lane_entries(facts) * size_of(REGISTER[facts.element])
        if needed > target.private_memory:
            room = f"an element needs {needed} bytes, a work-item has {target.private_memory}"
            return Reason(f"lanes cannot be elements: {room}")
    if target.instructions is not None:
        facts = replace(facts, registers=REGISTERS_OUTLINED)
    if tuning.prefetch is False:
        target = replace(target, has_prefetch=False)
    return BatchSimdPlan(subject.function, target, facts)


def candidates(_function: Function, target: Target) -> Iterator[Tuning]:
    """With prefetches and without."""
    yield Tuning(Form.LANES)
    if target.has_prefetch:
        yield Tuning(Form.LANES, prefetch=False)


BATCH_SIMD = Schedule(Form.LANES, analyse, candidates)

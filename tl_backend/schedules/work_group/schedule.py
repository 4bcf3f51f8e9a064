"""The schedule `work_group`: what it costs, what it leaves out, and what is worth a measurement.

Cost of an element in the schedule `work_group`, in multiplications.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from math import inf, log2, prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.effects import iterations, operations
from einsum_front.tl_backend.interpret.patterns import Summands, find_zero_patterns, has_zeros
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import MANY_REGISTERS, RegisterBlock, ScheduleKind, Tuning, blocks, sizes
from einsum_front.tl_backend.schedules.work_group.collective import choose_strategies
from einsum_front.tl_backend.schedules.work_group.context import Strategies, Strategy, Vectors
from einsum_front.tl_backend.schedules.work_group.register_blocks import cycles_in_stages, unrolled_terms
from einsum_front.tl_backend.semantics import Axis, known_sizes
from einsum_front.tl_backend.traverse import regions

ALONE = blocks("1x4 2x2 2x3 2x4 2x6 3x2 3x4 4x1 4x2")
"""Blocks of vectors of one work-item that fit into sixteen registers, with what they are made of."""

ALONE_WIDE = blocks("2x8 3x6 4x4 4x6")
"""More of them for thirty-two registers."""

SHARED = blocks("1x1 1x2 1x4 1x8 2x2 2x4 4x4")
"""Blocks of entries of a work-item that shares the result with others."""

WORK_GROUPS = sizes("8x4 16x2 16x4 16x8 32x1 32x2 32x4 32x8 64x1 64x2 64x4 128x1 128x2 256x1")
"""Work-groups of devices that need many work-items."""


@dataclass(frozen=True)
class WorkGroupPlan:
    """A function in this schedule; `block` is what each product keeps in registers, if the user says so.

    Products leave out what `summands` says to be zero.
    """

    function: Function
    target: Target
    block: RegisterBlock | None
    summands: Summands
    kind: ScheduleKind = ScheduleKind.WORK_GROUP

    @cached_property
    def strategies(self) -> Strategies:
        """How each collective instruction is run."""
        return choose_strategies(self.function, self.target, self.block, self.summands)

    @property
    def least(self) -> float:
        """The cost is quickly found."""
        return self.cost.time

    @cached_property
    def cost(self) -> Cost:
        """Multiplications, weighed by how they are done, and what comes besides."""
        return Cost(
            group_cost(self.function, self.strategies, self.target), f"{operations(self.function) // 2} multiplications"
        )

    @property
    def issued(self) -> int:
        """Vectors whose lanes are all known to be zero are left out."""
        return issued(self.function, self.strategies)

    def why(self, rivals: Rivals) -> str:
        """Where batch vectorization is impossible or too large, that is the reason."""
        if not self.target.is_cpu:
            return f"{self.target.name} is no CPU"
        other = rivals[ScheduleKind.BATCH_SIMD]
        if isinstance(other, Reason):
            return f"no batch vectorization: {other.text}"
        if other.cost.time == inf:
            return other.cost.counted
        return f"{self.cost.counted}, otherwise {other.cost.counted}"

    def explained(self) -> Iterator[str]:
        """Each collective instruction with its strategy, and each loop that runs in vectors."""
        from einsum_front.tl_backend.schedules.work_group.explain import explain  # noqa: PLC0415 - most plans are rivals, and print nothing
        from einsum_front.tl_backend.schedules.work_group.vector_loops import find_vector_loops  # noqa: PLC0415 - as above

        return explain(self.function.body, self.strategies, find_vector_loops(self.function, self.target))

    def lower(self, taken: frozenset[str]) -> Kernel:
        """Without a work-group size it runs with one work-item a group."""
        from einsum_front.tl_backend.schedules.work_group.lower import lower  # noqa: PLC0415 - most plans are rivals, and make no code

        return lower(self.function, self.target, self.strategies, self.block, taken)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """Every function can have it."""
    function, target = subject.function, subject.target
    patterns = function.get(find_zero_patterns) if target.is_cpu and has_zeros(function) else None
    return WorkGroupPlan(function, target, tuning.block, {} if patterns is None else patterns.summands)


def candidates(function: Function, target: Target) -> Iterator[Tuning]:
    """Blocks that fit into registers; where work-items are many, also the usual work-groups."""
    size = function.work_group_size
    yield Tuning(ScheduleKind.WORK_GROUP)
    if target.is_cpu if size is None else prod(size) == 1:
        for block in ALONE + ALONE_WIDE if target.vector_registers >= MANY_REGISTERS else ALONE:
            yield Tuning(ScheduleKind.WORK_GROUP, block)
    else:
        for block in SHARED:
            yield Tuning(ScheduleKind.WORK_GROUP, block)
        for work_group in WORK_GROUPS if size is None else ():
            yield Tuning(ScheduleKind.WORK_GROUP, work_group=work_group)


WORK_GROUP = Schedule(ScheduleKind.WORK_GROUP, analyse, candidates)

# -- cost --------------------------------------------------------------------------------------------------------------


def group_cost(function: Function, strategies: Strategies, target: Target) -> float:
    """The cost of an element; run-time sizes and trip counts count as 1."""
    return _summed(function.body, lambda each: _collective(each, strategies[each], target))


def issued(function: Function, strategies: Strategies) -> int:
    """The multiplications that run for an element; run-time sizes and trip counts count as 1."""
    return int(_summed(function.body, lambda each: _multiplications(each, strategies[each])))


def _summed(region: tl.Region, of: Callable[[tl.Collective], float]) -> float:
    """What all collective instructions have, as often as they run."""
    total = 0.0
    for instruction in region:
        if isinstance(instruction, tl.Collective):
            total += of(instruction)
        total += iterations(instruction) * sum(_summed(body, of) for body in regions(instruction))
    return total


def _multiplications(instruction: tl.Collective, strategy: Strategy) -> int:
    """Those of whole vectors; a vector that columns share counts for all of them."""
    sizes = known_sizes(instruction)
    points = prod(sizes.values())
    if not isinstance(strategy, Vectors):
        return points
    if strategy.terms is not None:
        return unrolled_terms(strategy.terms, strategy.active, strategy.lanes)
    if strategy.active is not None:
        return int(strategy.active.sum(axis=1) @ strategy.lanes) * sizes.get(Axis.N, 1)
    return points // strategy.rows * sum(strategy.lanes)


def _collective(instruction: tl.Collective, strategy: Strategy, target: Target) -> float:
    sizes, times = known_sizes(instruction), target.machine.work_group
    points = prod(sizes.values())
    if not isinstance(strategy, Vectors):
        return times.in_loops * points + times.starting
    width, step = strategy.width, target.step_width(strategy.element)
    copied = (
        target.machine.batch_simd.transposed * log2(width) * sizes[Axis.M] * sizes[Axis.K] if strategy.is_copied else 0
    )
    factor = times.two_steps if width > step and sizes.get(Axis.N, 1) <= times.few_columns else 1.0
    if strategy.terms is not None:
        count = unrolled_terms(strategy.terms, strategy.active, (1,) * strategy.vectors)
        return times.waiting + factor * times.in_vectors * max(width, step) * count + copied
    if strategy.active is not None:
        cycles = cycles_in_stages(strategy.active, sizes.get(Axis.N, 1), strategy.last, target)
        return times.waiting + factor * times.cycle * max(width, step) * cycles + copied
    lanes = -(-sizes[Axis.M] // width) * max(width, step)
    return times.waiting + factor * times.in_vectors * (points // sizes[Axis.M] * lanes) + copied

"""Cost of an element in the schedule `work_group`, in multiplications."""

from math import log2, prod

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.operations import trips
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.work_group.depths import cycles_in_stages, unrolled_terms
from einsum_front.tl_backend.schedules.work_group.strategy import Strategies, Strategy, Vectors
from einsum_front.tl_backend.semantics import Axis, known_sizes
from einsum_front.tl_backend.traverse import regions


def group_cost(function: Function, strategies: Strategies, target: Target) -> float:
    """The cost of an element; run-time sizes and trip counts count as 1."""
    return _region(function.body, strategies, target)


def _region(region: tl.Region, strategies: Strategies, target: Target) -> float:
    total = 0.0
    for instruction in region:
        if isinstance(instruction, tl.Collective):
            total += _collective(instruction, strategies[instruction], target)
        total += _trips(instruction) * sum(_region(body, strategies, target) for body in regions(instruction))
    return total


def issued(function: Function, strategies: Strategies) -> int:
    """The multiplications that run for an element; run-time sizes and trip counts count as 1."""
    return _issued(function.body, strategies)


def _issued(region: tl.Region, strategies: Strategies) -> int:
    total = 0
    for instruction in region:
        if isinstance(instruction, tl.Collective):
            total += _multiplications(instruction, strategies[instruction])
        total += _trips(instruction) * sum(_issued(body, strategies) for body in regions(instruction))
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


def _trips(instruction: tl.Instruction) -> int:
    match instruction:
        case tl.For(start=start, stop=stop, step=step):
            return trips(start, stop, step)
        case tl.Foreach(start=start, stop=stop):
            return trips(start, stop, tl.IntegerConstant(1))
        case (
            tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
            | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview() | tl.Collective()
            | tl.If() | tl.Store() | tl.Yield() | tl.Barrier() | tl.LifetimeStop()
        ):  # fmt: skip
            return 1


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

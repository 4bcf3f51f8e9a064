"""How long an element takes in the form `group`, in multiplications, as the choice of a form wants to know it."""

from math import log2, prod

from einsum_front.tl_backend.analysis.operations import trips
from einsum_front.tl_backend.instructions import Collective, For, Foreach, Instruction, IntegerConstant, Region
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import TRANSPOSED
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.work_group.depths import cycles_in_stages
from einsum_front.tl_backend.schedules.work_group.strategy import Strategies, Strategy, Vectors
from einsum_front.tl_backend.semantics import Axis, known_sizes
from einsum_front.tl_backend.traverse import regions

IN_VECTORS = 0.85
"""The time of a multiplication in vectors along the rows, those with elements in the lanes taking 1.

Lanes that belong to no row multiply as well. Measured with PoCL 3.0 on AVX2 for dense products of 2 to 24 rows. That
two columns may share a vector does not count: it saves 2 to 5% where there are nine.
"""

IN_TWO_STEPS, FEW_COLUMNS = 1.25, 16
"""The time of vectors that take two steps each over that of their steps, in products with at most so many columns.

Measured with Intel's runtime on Zen 4: fluxes of the ADER-DG example take 1.25 to 1.3 times as long as said without it,
squares of up to 14 rows 1.2 to 1.3, those from 17 rows on do not.
"""

IN_A_CYCLE = 1.37
"""Multiplications of an element, those with elements in the lanes, for each lane in a cycle.

Measured with `localFlux`, of which products that leave out vectors take as long as their cycles say, within a tenth.
"""

WAITING = 25
"""What a product in vectors takes besides: it waits for the results of the one before, which are few if both are small.

Measured for the friction kernels of the ADER-DG example, which have five small products one after the other.
"""

IN_LOOPS, STARTING = 1.1, 150
"""The time of a multiplication, and of what comes with an instruction, where the compiler has to find the vectors."""


def group_cost(function: Function, strategies: Strategies, target: Target) -> float:
    """The cost of an element; run-time sizes and trip counts count as 1."""
    return _region(function.body, strategies, target)


def _region(region: Region, strategies: Strategies, target: Target) -> float:
    total = 0.0
    for instruction in region:
        if isinstance(instruction, Collective):
            total += _collective(instruction, strategies[instruction], target)
        total += _trips(instruction) * sum(_region(body, strategies, target) for body in regions(instruction))
    return total


def executed(function: Function, strategies: Strategies) -> int:
    """The multiplications that run for an element; run-time sizes and trip counts count as 1."""
    return _executed(function.body, strategies)


def _executed(region: Region, strategies: Strategies) -> int:
    total = 0
    for instruction in region:
        if isinstance(instruction, Collective):
            total += _multiplications(instruction, strategies[instruction])
        total += _trips(instruction) * sum(_executed(body, strategies) for body in regions(instruction))
    return total


def _multiplications(instruction: Collective, strategy: Strategy) -> int:
    """Those of whole vectors; a vector that two columns share counts for both."""
    sizes = known_sizes(instruction)
    points = prod(sizes.values())
    if not isinstance(strategy, Vectors):
        return points
    if strategy.active is not None:
        return int(strategy.active.sum()) * strategy.width * sizes.get(Axis.N, 1)
    whole, rest = divmod(strategy.rows, strategy.width)
    last = 0 if rest == 0 else strategy.width // 2 if strategy.is_paired else strategy.width
    return points // strategy.rows * (whole * strategy.width + last)


def _trips(instruction: Instruction) -> int:
    match instruction:
        case For(start=start, stop=stop, step=step):
            return trips(start, stop, step)
        case Foreach(start=start, stop=stop):
            return trips(start, stop, IntegerConstant(1))
        case _:
            return 1


def _collective(instruction: Collective, strategy: Strategy, target: Target) -> float:
    sizes = known_sizes(instruction)
    points = prod(sizes.values())
    if not isinstance(strategy, Vectors):
        return IN_LOOPS * points + STARTING
    width, step = strategy.width, target.step_width(strategy.element)
    copied = TRANSPOSED * log2(width) * sizes[Axis.M] * sizes[Axis.K] if strategy.is_copied else 0
    factor = IN_TWO_STEPS if width > step and sizes.get(Axis.N, 1) <= FEW_COLUMNS else 1.0
    if strategy.active is not None:
        cycles = cycles_in_stages(strategy.active, sizes.get(Axis.N, 1), target)
        return WAITING + factor * IN_A_CYCLE * max(width, step) * cycles + copied
    lanes = -(-sizes[Axis.M] // width) * max(width, step)
    return WAITING + factor * IN_VECTORS * (points // sizes[Axis.M] * lanes) + copied

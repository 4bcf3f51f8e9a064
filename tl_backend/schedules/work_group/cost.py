"""How long an element takes in the form `group`, in multiplications, as the choice of a form wants to know it."""

from math import log2, prod

from einsum_front.tl_backend.analysis.operations import trips
from einsum_front.tl_backend.instructions import (
    Collective,
    For,
    Foreach,
    Gemm,
    Gemv,
    Instruction,
    IntegerConstant,
    Region,
)
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import TRANSPOSED
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.known_zeros import Mask, Summands
from einsum_front.tl_backend.schedules.work_group.depths import active_vectors, cycles_in_stages
from einsum_front.tl_backend.schedules.work_group.vectors import fits_panel, vector_width
from einsum_front.tl_backend.semantics import Axis, index_maps, known_sizes, memrefs
from einsum_front.tl_backend.traverse import regions
from einsum_front.tl_backend.types import Extent

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


def group_cost(function: Function, summands: Summands, target: Target) -> float:
    """The cost of an element; run-time sizes and trip counts count as 1. `summands` are those that may not be zero."""
    return _region(function.body, summands, target)


def _region(region: Region, summands: Summands, target: Target) -> float:
    total = 0.0
    for instruction in region:
        if isinstance(instruction, Collective):
            total += _collective(instruction, summands.get(instruction), target)
        total += _trips(instruction) * sum(_region(body, summands, target) for body in regions(instruction))
    return total


def _trips(instruction: Instruction) -> int:
    match instruction:
        case For(start=start, stop=stop, step=step):
            return trips(start, stop, step)
        case Foreach(start=start, stop=stop):
            return trips(start, stop, IntegerConstant(1))
        case _:
            return 1


def _collective(instruction: Collective, summands: Mask | None, target: Target) -> float:
    sizes = known_sizes(instruction)
    points = prod(sizes.values())
    if not isinstance(instruction, Gemm | Gemv) or not _is_in_vectors(instruction, sizes[Axis.K], target):
        return IN_LOOPS * points + STARTING
    element = REGISTER[instruction.target.type.element]
    width = vector_width(sizes[Axis.M], element, target)
    active = None if summands is None else active_vectors(summands, width)
    step = target.step_width(element)
    copied = 0 if _left_stride(instruction) == 1 else TRANSPOSED * log2(width) * sizes[Axis.M] * sizes[Axis.K]
    factor = IN_TWO_STEPS if width > step and sizes.get(Axis.N, 1) <= FEW_COLUMNS else 1.0
    if active is not None:
        cycles = cycles_in_stages(active, sizes.get(Axis.N, 1), target)
        return WAITING + factor * IN_A_CYCLE * max(width, step) * cycles + copied
    lanes = -(-sizes[Axis.M] // width) * max(width, step)
    return WAITING + factor * IN_VECTORS * (points // sizes[Axis.M] * lanes) + copied


def _is_in_vectors(product: Gemm | Gemv, depth: int, target: Target) -> bool:
    """Whether rows are vectors, as `find_vectors` will say when it knows the views."""
    elements, written = {each.type.element for each in memrefs(product)}, product.target.type
    is_uniform = len(elements) == 1 and written.element.is_floating
    is_near = written.strides[0] == 1 and (written.shape[0] or 1) > 1
    return is_uniform and is_near and (_left_stride(product) == 1 or fits_panel(depth, target))


def _left_stride(product: Gemm | Gemv) -> Extent:
    """The distance of rows of the left factor."""
    return product.inputs[0].type.strides[index_maps(product).inputs[0].index(Axis.M)]

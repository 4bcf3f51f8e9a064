"""How many work-items share the work of a group."""

from dataclasses import replace
from math import log2, prod, sqrt

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import SharedWork
from einsum_front.core.machines import GENERIC
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import Axis, known_sizes
from einsum_front.tl_backend.traverse import walked


@dataclass(frozen=True, slots=True)
class WorkGroupLimits:
    """Properties of a device: whether its work-items are the lanes of one core, how many there may be, how many
    bytes of local memory they share, how many one that is alone may keep in arrays, whether slices of factors can
    pass through local memory, how many bytes of local memory temporaries may have, if that is more, and what its
    machine says of work that is shared."""

    is_cpu: bool
    max_work_group_size: int
    subgroup_sizes: tuple[int, ...] = ()
    local_memory: int = 32 * 1024
    private_memory: int = 1024 * 1024
    has_panels: bool = False
    most_local_memory: int | None = None
    shared: SharedWork = GENERIC.shared


HEAVY = 0.25
"""The share of the multiplications of the heaviest results from which on others count as well."""


def choose_work_group(function: Function, limits: WorkGroupLimits) -> Function:
    """Give the function the work-group size that its largest results ask for, unless it has one.

        func @f(%C: memref<f32x56x9>) {           func @f(%C: memref<f32x56x9>) work_group_size(14,3) {
          gemm.n.n 1.0, %A, %B, 0.0, %C : …         gemm.n.n 1.0, %A, %B, 0.0, %C : …

    On a CPU a work-item is a thread with vector units, and has the group for itself. Elsewhere the matrices that take
    the most multiplications are shared in blocks of up to eight rows and eight columns; the rows of a block lie as far
    apart as there are work-items beside each other. Vectors are shared by whole subgroups.
    """
    if function.work_group_size is not None:
        return function
    if limits.is_cpu:
        return replace(function, work_group_size=(1, 1))
    subgroup = function.subgroup_size or min(limits.subgroup_sizes, default=limits.shared.subgroup)
    most = max(subgroup, min(limits.shared.items, limits.max_work_group_size))
    rows, columns = _heaviest_results(function)
    if columns == 1:
        return replace(function, work_group_size=(min(_round_up(rows, subgroup), most // subgroup * subgroup), 1))
    return replace(function, work_group_size=_shared(rows, columns, most, limits.shared))


def _shared(rows: int, columns: int, most: int, shared: SharedWork) -> tuple[int, int]:
    """The rows and columns of work-items, at most so many, that share a matrix in blocks."""
    sides = range(1, shared.side + 1)
    blocks = [(high, wide) for high in sides for wide in sides if -(-rows // high) * -(-columns // wide) <= most]
    if not blocks:
        first = min(rows, most)
        return first, max(1, most // first)
    high, wide = min(blocks, key=lambda block: (_cost(rows, columns, block, shared), block))
    return -(-rows // high), -(-columns // wide)


def _cost(rows: int, columns: int, block: tuple[int, int], shared: SharedWork) -> float:
    """The time of a matrix in blocks of this size, over that of the best block there could be."""
    high, wide = block
    first, second = -(-rows // high), -(-columns // wide)
    waste = first * high * second * wide / (rows * columns)
    best = min(max(sqrt(rows * columns) / 2, shared.smallest), shared.block)
    deviation, narrow = abs(log2(high * wide / best)), max(0.0, log2(shared.rows / first))
    return round(waste * (1 + shared.deviation * deviation + shared.narrow * narrow), 6)


def _round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


def _heaviest_results(function: Function) -> tuple[int, int]:
    """The most rows and columns of the results that take many multiplications, as far as sizes are known."""
    work: dict[tuple[int, int], int] = {(1, 1): 0}
    for instruction in function.get(walked):
        if isinstance(instruction, tl.Collective):
            sizes = known_sizes(instruction)
            shape, multiplications = (sizes.get(Axis.M, 1), sizes.get(Axis.N, 1)), prod(sizes.values())
        elif isinstance(instruction, tl.Foreach):
            shape, multiplications = (_iterations(instruction), 1), _iterations(instruction)
        else:
            continue
        work[shape] = work.get(shape, 0) + multiplications
    heavy = [shape for shape, multiplications in work.items() if multiplications >= HEAVY * max(work.values())]
    return max(rows for rows, _ in heavy), max(columns for _, columns in heavy)


def _iterations(loop: tl.Foreach) -> int:
    if isinstance(loop.start, tl.IntegerConstant) and isinstance(loop.stop, tl.IntegerConstant):
        return loop.stop.value - loop.start.value
    return 1

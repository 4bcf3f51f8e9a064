"""How many work-items share the work of a group."""

from dataclasses import dataclass, replace

from tl_backend.analysis.extents import extents
from tl_backend.instructions import CollectiveInstruction, Foreach, IntegerConstant
from tl_backend.program import Function
from tl_backend.traverse import walk


@dataclass(frozen=True, slots=True)
class WorkGroupLimits:
    """What is asked of a device: whether its work-items are the lanes of one core, and how many there may be."""

    is_cpu: bool
    max_work_group_size: int
    subgroup_sizes: tuple[int, ...] = ()


SUBGROUP_SIZE = 32
"""Assumed where the device does not say: right for the GPUs of two makers, a multiple for the others."""

WORK_ITEMS = 256
"""At most so many work-items in a group: more would leave too few registers for each."""

COLUMNS_PER_ITEM = 4
"""Each work-item computes so many columns of the result, so that it uses an element of the left operand again."""


def choose_work_group(function: Function, limits: WorkGroupLimits) -> Function:
    """Give the function the work-group size that its largest results ask for, unless it has one.

        func @f(%C: memref<f32x56x9>) {           func @f(%C: memref<f32x56x9>) work_group_size(64,3) {
          gemm.n.n 1.0, %A, %B, 0.0, %C : …         gemm.n.n 1.0, %A, %B, 0.0, %C : …

    On a CPU a work-item is a thread with vector units, and has the group for itself. Elsewhere the rows of a result
    run along the first mode, in whole subgroups, and its columns along the second.
    """
    if function.work_group_size is not None:
        return function
    if limits.is_cpu:
        return replace(function, work_group_size=(1, 1))
    subgroup = function.subgroup_size or min(limits.subgroup_sizes, default=SUBGROUP_SIZE)
    most = max(subgroup, min(WORK_ITEMS, limits.max_work_group_size))
    rows, columns = _largest_result(function)
    first = min(_round_up(rows, subgroup), most // subgroup * subgroup)
    second = min(-(-columns // COLUMNS_PER_ITEM), most // first)
    return replace(function, work_group_size=(first, max(1, second)))


def _round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


def _largest_result(function: Function) -> tuple[int, int]:
    """The most rows and the most columns that an instruction spreads over the work-items, as far as they are known."""
    rows, columns = [1], [1]
    for instruction in walk(function.body):
        if isinstance(instruction, CollectiveInstruction):
            sizes = {index: uses[0].size or 1 for index, uses in extents(instruction).items()}
            rows.append(sizes.get("m", 1))
            columns.append(sizes.get("n", 1))
        elif isinstance(instruction, Foreach):
            rows.append(_iterations(instruction))
    return max(rows), max(columns)


def _iterations(loop: Foreach) -> int:
    if isinstance(loop.start, IntegerConstant) and isinstance(loop.stop, IntegerConstant):
        return loop.stop.value - loop.start.value
    return 1

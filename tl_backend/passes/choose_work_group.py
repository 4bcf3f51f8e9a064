"""How many work-items share the work of a group."""

from dataclasses import dataclass, replace
from math import prod

from tl_backend.analysis.extents import extents
from tl_backend.instructions import CollectiveInstruction, Foreach, IntegerConstant
from tl_backend.program import Function
from tl_backend.traverse import walk


@dataclass(frozen=True, slots=True)
class WorkGroupLimits:
    """What is asked of a device: whether its work-items are the lanes of one core, how many there may be, how many
    bytes of local memory they share, and how many one that is alone may keep in arrays."""

    is_cpu: bool
    max_work_group_size: int
    subgroup_sizes: tuple[int, ...] = ()
    local_memory: int = 32 * 1024
    private_memory: int = 1024 * 1024


SUBGROUP_SIZE = 32
"""Assumed where the device does not say: right for the GPUs of two makers, a multiple for the others."""

WORK_ITEMS = 256
"""At most so many work-items in a group: more would leave too few registers for each."""

COLUMNS_PER_ITEM = 4
"""Each work-item computes so many columns of a matrix, so that it uses an element of the left operand again."""

ROWS_PER_ITEM = 4, 2
"""It computes so many rows, if that divides them and leaves enough for the items beside it."""

HEAVY = 0.25
"""The share of the multiplications of the heaviest results from which on others count as well."""

FEWEST_ROWS = 8
"""Work-items beside each other that read entries beside each other."""


def choose_work_group(function: Function, limits: WorkGroupLimits) -> Function:
    """Give the function the work-group size that its largest results ask for, unless it has one.

        func @f(%C: memref<f32x56x9>) {           func @f(%C: memref<f32x56x9>) work_group_size(14,3) {
          gemm.n.n 1.0, %A, %B, 0.0, %C : …         gemm.n.n 1.0, %A, %B, 0.0, %C : …

    On a CPU a work-item is a thread with vector units, and has the group for itself. Elsewhere the matrices that take
    the most multiplications are shared in blocks of up to four rows and four columns; the rows of a block lie as far
    apart as there are work-items beside each other. Vectors are shared by whole subgroups.
    """
    if function.work_group_size is not None:
        return function
    if limits.is_cpu:
        return replace(function, work_group_size=(1, 1))
    subgroup = function.subgroup_size or min(limits.subgroup_sizes, default=SUBGROUP_SIZE)
    most = max(subgroup, min(WORK_ITEMS, limits.max_work_group_size))
    rows, columns = _heaviest_results(function)
    if columns == 1:
        return replace(function, work_group_size=(min(_round_up(rows, subgroup), most // subgroup * subgroup), 1))
    first = min(rows // rows_per_item(rows), most)
    second = min(-(-columns // COLUMNS_PER_ITEM), most // first)
    return replace(function, work_group_size=(first, max(1, second)))


def rows_per_item(rows: int) -> int:
    """Rows of a matrix that a work-item computes together."""
    return next((each for each in ROWS_PER_ITEM if rows % each == 0 and rows // each >= FEWEST_ROWS), 1)


def _round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple


def _heaviest_results(function: Function) -> tuple[int, int]:
    """The most rows and columns of the results that take many multiplications, as far as sizes are known."""
    work: dict[tuple[int, int], int] = {(1, 1): 0}
    for instruction in walk(function.body):
        if isinstance(instruction, CollectiveInstruction):
            sizes = {index: uses[0].size or 1 for index, uses in extents(instruction).items()}
            shape, multiplications = (sizes.get("m", 1), sizes.get("n", 1)), prod(sizes.values())
        elif isinstance(instruction, Foreach):
            shape, multiplications = (_iterations(instruction), 1), _iterations(instruction)
        else:
            continue
        work[shape] = work.get(shape, 0) + multiplications
    heavy = [shape for shape, multiplications in work.items() if multiplications >= HEAVY * max(work.values())]
    return max(rows for rows, _ in heavy), max(columns for _, columns in heavy)


def _iterations(loop: Foreach) -> int:
    if isinstance(loop.start, IntegerConstant) and isinstance(loop.stop, IntegerConstant):
        return loop.stop.value - loop.start.value
    return 1

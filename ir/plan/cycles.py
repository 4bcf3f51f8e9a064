"""What a step costs in cycles of a core, with given layouts."""

from collections.abc import Mapping, Sequence
from math import prod

from einsum_front.ir.plan.gemm import CYCLES, VECTOR_BYTES, Work, cheapest_loops, cycles_of
from einsum_front.ir.plan.matrices import Mode, modes_in_memory
from einsum_front.ir.plan.plan import Step, StepKind
from einsum_front.ir.plan.waiting import Loop, fetched
from einsum_front.ir.run_time import assumed
from einsum_front.ir.tensor import Tensor

Tensors = Mapping[str, Tensor]


def cycles(step: Step, tensors: Tensors) -> float:
    """What a step takes; a product with reduction, in the loops over matrix products that take the least."""
    if step.kind is StepKind.LOG:
        return cheapest_loops(step, tensors)[1]
    views = (*step.operands, step.target)
    modes = [modes_in_memory(view, step.space.extents, tensors[view.buffer]) for view in views]
    size = tensors[step.target.buffer].element_type.size
    waits = fetched(_nest(step, modes, size))
    arithmetic = _arithmetic(modes, size) * assumed(prod(step.space.extents.values()))
    return arithmetic + cycles_of(Work(pages=waits.pages, lines=waits.lines))


def least_cycles(step: Step, tensors: Tensors) -> float:
    """What a step takes at least, whatever the layouts."""
    size = tensors[step.target.buffer].element_type.size
    return assumed(prod(step.space.extents.values())) * CYCLES.vectors * size / VECTOR_BYTES


def _arithmetic(modes: Sequence[Sequence[Mode]], size: int) -> float:
    """Cycles for each entry: a part of a vector, if all that walk the fastest mode of the target are neighbours."""
    first = modes[-1][0].index if modes[-1] else None
    is_near = all(mode.stride == 1 for each in modes for mode in each if mode.index == first)
    return 2 * size / VECTOR_BYTES if first is not None and is_near else 1.0


def _nest(step: Step, modes: Sequence[Sequence[Mode]], size: int) -> list[Loop]:
    """The loops of a step, sums inside, then the modes of the target from the fastest to the slowest."""
    strides = [{mode.index: assumed(mode.stride) * size for mode in each} for each in modes]
    names = (*(index.name for index in step.space.reduction), *(mode.index for mode in modes[-1]))
    return [Loop(assumed(step.space.extents[name]), tuple(each.get(name) for each in strides)) for name in names]

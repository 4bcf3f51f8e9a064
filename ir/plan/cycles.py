"""Costs of a step in cycles of a core, with given layouts."""

from collections.abc import Mapping, Sequence

from einsum_front.core.extent import hint, product
from einsum_front.core.machine import GemmWork, Machine
from einsum_front.ir.plan.cache_model import Loop, fetched
from einsum_front.ir.plan.gemm import cheapest_loops, cycles_of
from einsum_front.ir.plan.matrices import Mode, modes_in_memory
from einsum_front.ir.plan.plan import Step, StepKind
from einsum_front.ir.tensor import Tensor

Tensors = Mapping[str, Tensor]


def cycles(step: Step, tensors: Tensors, machine: Machine) -> float:
    """Cycles of a step; of a product with reduction, in the loops over matrix products that take the least."""
    if step.kind is StepKind.LOG:
        return cheapest_loops(step, tensors, machine)[1]
    views = (*step.operands, step.target)
    modes = [modes_in_memory(view, step.space.extents, tensors[view.buffer]) for view in views]
    size = tensors[step.target.buffer].element_type.size
    misses = fetched(_nest(step, modes, size), machine.memory)
    arithmetic = _arithmetic(modes, size, machine) * hint(product(step.space.extents.values()))
    return arithmetic + cycles_of(GemmWork(pages=misses.pages, lines=misses.lines), machine)


def least_cycles(step: Step, tensors: Tensors, machine: Machine) -> float:
    """Lower bound on the cycles of a step, whatever the layouts."""
    size, model = tensors[step.target.buffer].element_type.size, machine.gemm
    return hint(product(step.space.extents.values())) * model.cycles.vectors * size / model.vector_bytes


def _arithmetic(modes: Sequence[Sequence[Mode]], size: int, machine: Machine) -> float:
    """Cycles for each entry: a part of a vector, if all that walk the fastest mode of the target are neighbours."""
    first = modes[-1][0].index if modes[-1] else None
    is_near = all(mode.stride == 1 for each in modes for mode in each if mode.index == first)
    is_in_vectors, model = first is not None and is_near, machine.gemm
    return model.vector_moved * size / model.vector_bytes if is_in_vectors else model.entry_moved


def _nest(step: Step, modes: Sequence[Sequence[Mode]], size: int) -> list[Loop]:
    """The loops of a step, sums inside, then the modes of the target from the fastest to the slowest."""
    strides = [{mode.index: hint(mode.stride) * size for mode in each} for each in modes]
    names = (*(index.name for index in step.space.reduction), *(mode.index for mode in modes[-1]))
    return [Loop(hint(step.space.extents[name]), tuple(each.get(name) for each in strides)) for name in names]

"""Costs of a step in cycles of a core, with given layouts."""

from collections.abc import Mapping, Sequence
from math import prod

from einsum_front.core.extent import hint, product
from einsum_front.core.machine import GemmWork, Machine
from einsum_front.ir.plan.cache_model import Loop, fetched
from einsum_front.ir.plan.gemm import Walks, cheapest_loops, cycles_of, walks_of
from einsum_front.ir.plan.matrices import Mode
from einsum_front.ir.plan.plan import Step, StepKind
from einsum_front.ir.tensor import Tensor

Tensors = Mapping[str, Tensor]


def cycles(step: Step, tensors: Tensors, machine: Machine) -> float:
    """Cycles of a step; of a product with reduction, in the loops over matrix products that take the least."""
    walks = walks_of(step, tensors)
    if step.kind is StepKind.LOG:
        return cheapest_loops(walks, machine)[1]
    return cycles_of_moves([index.name for index in step.space.reduction], walks, machine)


def cycles_of_moves(reduction: Sequence[str], walks: Walks, machine: Machine) -> float:
    """Cycles of a step that multiplies no matrices."""
    extents, size, modes = walks
    misses = fetched(_nest(reduction, dict(extents), size, modes), machine.memory)
    arithmetic = _arithmetic(modes, size, machine) * prod([extent for _, extent in extents])
    return arithmetic + cycles_of(GemmWork(pages=misses.pages, lines=misses.lines), machine)


def least_cycles(step: Step, size: int, machine: Machine) -> float:
    """Lower bound on the cycles of a step with entries of so many bytes, whatever the layouts."""
    model = machine.gemm
    return hint(product(step.space.extents.values())) * model.cycles.vectors * size / model.vector_bytes


def _arithmetic(modes: Sequence[Sequence[Mode]], size: int, machine: Machine) -> float:
    """Cycles for each entry: a part of a vector, if all that walk the fastest mode of the target are neighbours."""
    first = modes[-1][0].name if modes[-1] else None
    is_near = all(mode.stride == 1 for each in modes for mode in each if mode.name == first)
    is_in_vectors, model = first is not None and is_near, machine.gemm
    return model.vector_moved * size / model.vector_bytes if is_in_vectors else model.entry_moved


def _nest(
    reduction: Sequence[str], extents: Mapping[str, int], size: int, modes: Sequence[Sequence[Mode]]
) -> tuple[Loop, ...]:
    """The loops of a step, sums inside, then the modes of the target from the fastest to the slowest."""
    strides = [{mode.name: hint(mode.stride) * size for mode in each} for each in modes]
    names = (*reduction, *(mode.name for mode in modes[-1]))
    return tuple([Loop(extents[name], tuple([each.get(name) for each in strides])) for name in names])

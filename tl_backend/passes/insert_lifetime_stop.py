"""Memory is given up where it is needed no more."""

from collections.abc import Mapping

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_body, with_regions
from einsum_front.tl_backend.traverse import operands, results, walk


def insert_lifetime_stop(function: Function) -> Function:
    """End the life of every `alloca` behind the last instruction that uses its memory, through any view.

        %t = alloca -> memref<f32x4>              %t = alloca -> memref<f32x4>
        axpby.n 1.0, %A, 0.0, %t : …              axpby.n 1.0, %A, 0.0, %t : …
        axpby.n 1.0, %t, 1.0, %B : …              axpby.n 1.0, %t, 1.0, %B : …
        gemm.n.n 1.0, %C, %D, 0.0, %E : …         lifetime_stop %t
                                                  gemm.n.n 1.0, %C, %D, 0.0, %E : …

    A use inside a loop or an `if` counts for the whole of it. Where the region ends there, no instruction is needed:
    memory does not outlive its region. A life that has an end keeps it.
    """
    return with_body(function, _stop_region(function.body, buffers(function)))


def _stop_region(region: tl.Region, base: Mapping[str, str]) -> tl.Region:
    stops = _stops(region, base)
    stopped: list[tl.Instruction] = []
    for position, instruction in enumerate(region):
        stopped.append(with_regions(instruction, lambda inner: _stop_region(inner, base)))
        stopped += stops.get(position, ())
    return tuple(stopped)


def _stops(region: tl.Region, base: Mapping[str, str]) -> dict[int, tuple[tl.LifetimeStop, ...]]:
    """Instructions to insert behind each position of the region."""
    ended = {instruction.operand.name for instruction in region if isinstance(instruction, tl.LifetimeStop)}
    last_use = _last_uses(region, base)
    stops: dict[int, tuple[tl.LifetimeStop, ...]] = {}
    for instruction in region:
        if isinstance(instruction, tl.Alloca) and instruction.result.name not in ended:
            last = last_use[instruction.result.name]
            if any(not isinstance(following, tl.Yield) for following in region[last + 1 :]):
                stops[last] = (*stops.get(last, ()), tl.LifetimeStop(instruction.result, instruction.origin))
    return stops


def _last_uses(region: tl.Region, base: Mapping[str, str]) -> Mapping[str, int]:
    """For every argument and alloca the position of the last instruction that makes it, or uses a view of it."""
    last: dict[str, int] = {}
    for position, instruction in enumerate(region):
        for inner in walk((instruction,)):
            used = (*operands(inner), *results(inner))
            last |= {base[local.name]: position for local in used if isinstance(local, tl.Local) and local.name in base}
    return last

"""Memory is given up where it is needed no more."""

from collections.abc import Mapping
from dataclasses import replace

from tl_backend.analysis.alias import bases
from tl_backend.instructions import Alloca, Instruction, LifetimeStop, Local, Region, Yield
from tl_backend.program import Function
from tl_backend.rewrite import with_regions
from tl_backend.traverse import operands, walk


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
    return replace(function, body=_stop_region(function.body, bases(function)))


def _stop_region(region: Region, base: Mapping[str, str]) -> Region:
    stops = _stops(region, base)
    stopped: list[Instruction] = []
    for position, instruction in enumerate(region):
        stopped.append(with_regions(instruction, lambda inner: _stop_region(inner, base)))
        stopped += stops.get(position, ())
    return tuple(stopped)


def _stops(region: Region, base: Mapping[str, str]) -> dict[int, tuple[LifetimeStop, ...]]:
    """What to insert behind each position of the region."""
    ended = {instruction.operand.name for instruction in region if isinstance(instruction, LifetimeStop)}
    stops: dict[int, tuple[LifetimeStop, ...]] = {}
    for instruction in region:
        if isinstance(instruction, Alloca) and instruction.result.name not in ended:
            last = max(position for position, user in enumerate(region) if _uses(user, instruction, base))
            if any(not isinstance(following, Yield) for following in region[last + 1 :]):
                stop = LifetimeStop(instruction.result, instruction.origin)
                stops[last] = (*stops.get(last, ()), stop)
    return stops


def _uses(user: Instruction, alloca: Alloca, base: Mapping[str, str]) -> bool:
    """Whether the instruction, or one inside it, makes the memory or uses a view of it."""
    return user is alloca or any(
        base.get(operand.name) == alloca.result.name
        for instruction in walk((user,))
        for operand in operands(instruction)
        if isinstance(operand, Local)
    )

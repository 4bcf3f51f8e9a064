"""Arrays seen through index maps and parts: shared by the interpreter and the analyses of the planner."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap, IterationSpace


def aligned(array: NDArray[Any], map_: IndexMap, target: IndexMap) -> NDArray[Any]:
    """The array with its last modes in the order of `target`, and modes of size 1 for the indices that it lacks.

    Modes before those of `map_` (the batch) stay in front.
    """
    batch = array.ndim - len(map_)
    present = [name for name in target if name in map_]
    moved = array.transpose(*range(batch), *(batch + map_.index(name) for name in present))
    lacking = tuple(slice(None) if name in map_ else np.newaxis for name in target)
    return moved[(*[slice(None)] * batch, *lacking)]


def part_of(array: NDArray[Any], parts: tuple[cg.Part, ...], space: IterationSpace) -> NDArray[Any]:
    """A view of the part, writable if the array is; its last modes are the indices of the space in order.

    An index of a dynamic extent runs through all of its mode, however many positions the array has.
    """
    chosen = tuple(_chosen(part, space) if isinstance(part, cg.Along) else part.position for part in parts)
    picked = array[(..., *chosen)]
    if not space.parallel:
        return picked
    number = {name: position for position, name in enumerate(space.result_map)}
    modes: list[Any] = [..., *(number[part.index] for part in parts if isinstance(part, cg.Along))]
    result: list[Any] = [..., *number.values()]
    view: NDArray[Any] = numpy_einsum(picked, modes, result)
    return view


def _chosen(part: cg.Along, space: IterationSpace) -> slice:
    extent = space.extents[part.index]
    return slice(part.offset, part.offset + extent if isinstance(extent, int) else None)

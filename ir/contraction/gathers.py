"""Meaning of a gather in NumPy."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.extent import static
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.views import aligned, part_of
from einsum_front.ir.index import IterationSpace

Array = NDArray[Any]


def gathered(node: cg.Gather, operands: Sequence[Array]) -> Array:
    """The entries that the integers say, with the modes of the result last; modes before them are the batch."""
    result, source = node.space.result_map, operands[0]
    is_batched = source.ndim > len(node.parts)
    said = {id(entry): _integers(entry, operands[entry.operand], node.space) for entry in node.entries}
    places: list[Any] = [
        _place(part, said, node, source.shape[mode - len(node.parts)]) for mode, part in enumerate(node.parts)
    ]
    if is_batched and node.element is not None:
        places.insert(0, said[id(node.element)])
    elif is_batched:
        places.insert(0, np.arange(source.shape[0]).reshape(-1, *(1 for _ in result)))
    is_there = np.asarray(reduce(np.minimum, said.values())) >= 0
    at = tuple(np.maximum(each, 0) for each in places)
    shape = [static(index.extent) for index in node.space.parallel]
    if source.size == 0:  # no element is there, and every integer is negative
        return np.zeros((*is_there.shape[: is_there.ndim - len(shape)], *shape), source.dtype)
    found = np.asarray(source[at])
    for number, other in enumerate(operands[1 : node.sources] if node.member is not None else (), start=1):
        found = np.where(said[id(node.member)] == number, other[at], found)
    chosen = np.where(is_there, found, source.dtype.type(0))
    return np.broadcast_to(chosen, np.broadcast_shapes(chosen.shape, shape)).copy()


def _integers(entry: cg.Entry, array: Array, space: IterationSpace) -> Array:
    """The integers with modes of size 1 for the indices that they lack."""
    named = dict.fromkeys(part.index for part in entry.parts if isinstance(part, cg.Along))
    own = IterationSpace(tuple(index for index in space.parallel if index.name in named))
    return aligned(part_of(array, entry.parts, own), own.result_map, space.result_map)


def _place(part: cg.Part | cg.Entry, said: dict[int, Array], node: cg.Gather, size: int) -> Any:
    """The positions of a mode along the modes of the result."""
    match part:
        case cg.Entry():
            return said[id(part)]
        case cg.At(position=position):
            return position
        case cg.Along(index=index):
            return np.arange(size).reshape([-1 if name == index else 1 for name in node.space.result_map])

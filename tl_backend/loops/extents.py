"""Which entries accesses touch: positions over the loops of a part of the text, and cache lines of an element."""

from collections.abc import Iterator
from math import prod

import numpy as np
from numpy.typing import NDArray

from einsum_front.tl_backend.access import Affine, Terms
from einsum_front.tl_backend.kernel.types import LINE
from einsum_front.tl_backend.loops.nodes import (
    Access,
    Binding,
    Elements,
    Loop,
    Loops,
    Nodes,
    Product,
    Tensor,
    Update,
    walk,
)

Extents = dict[str, int]


def around(update: Update, body: Nodes) -> Extents:
    """The extents of the loops of `body` that are around the update."""
    return {each.axis: each.extent for each in _loops_around(update, body) if isinstance(each.extent, int)}


def _loops_around(update: Update, body: Nodes) -> tuple[Loop, ...]:
    nodes = next(nodes for node, nodes in walk(body) if node is update)
    return tuple(each for each in nodes if isinstance(each, Loop))


def used(access: Access, tensor: Tensor, update: Update, body: Nodes, extents: Extents) -> set[int]:
    """The offsets of an access over these axes; of known zeros only those that code cannot leave out."""
    offsets = values(tensor.offset(access.index), extents)
    sequential = {each.axis for each in _loops_around(update, body) if each.binding is Binding.SEQUENTIAL}
    is_left_out = access != update.target and not any(access.uses(axis) for axis in sequential)
    if tensor.known_nonzeros is None or not is_left_out or any(name not in extents for name in access.names):
        return {int(each) for each in offsets}
    return {offset for offset in map(int, offsets) if _position(offset, tensor) in tensor.known_nonzeros}


def _position(offset: int, tensor: Tensor) -> int:
    """The packed column-major position of what lies at an offset."""
    total, packed = 0, 1
    strides = dict(zip(tensor.strides, _packed(tensor.shape), strict=True))
    for stride in sorted(strides, reverse=True):
        packed, offset = divmod(offset, stride) if stride else (0, offset)
        total += packed * strides[stride]
    return total


def _packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, total = [], 1
    for size in shape:
        strides.append(total)
        total *= size
    return tuple(strides)


def values(affine: Affine, extents: Extents) -> NDArray[np.int64]:
    """All values of an index over these axes, each once, ascending; other axes are left out."""
    found = np.array([affine.constant], np.int64)
    for axis, factor in affine.terms:
        if axis in extents:
            found = (found[:, None] + factor * np.arange(extents[axis], dtype=np.int64)[None, :]).ravel()
            found = np.unique(found)
    return found


def outer_terms(affine: Affine, extents: Extents) -> Terms:
    """The terms of other axes."""
    return tuple(sorted(term for term in affine.terms if term[0] not in extents))


def entries(affine: Affine, update: Update, body: Nodes) -> set[tuple[Terms, int]]:
    """What an index is inside of `body`: the terms of axes outside, and each value of the others."""
    extents = around(update, body)
    outside = outer_terms(affine, extents)
    return {(outside, int(each)) for each in values(affine, extents)}


def used_lines(loops: Loops, name: str) -> list[int]:
    """The cache lines of a block of elements that are touched of an argument, from that of the first entry on.

    Where elements are neighbours, these are rows: each has a line of the block.
    """
    tensor, batch = loops.by_name[name], loops.batch
    if batch is None or not isinstance(batch.extent, Elements):
        return []
    size = tensor.bytes
    found: set[int] = set()
    for update, access in accesses_of(batch.body, name):
        touched = used(access, tensor, update, batch.body, around(update, batch.body))
        if tensor.is_fastest:
            found |= touched
            continue
        for element in range(batch.extent.block):
            found |= {(each + element * (tensor.batch or 0)) * size // LINE for each in touched}
    return sorted(found)


def accesses_of(body: Nodes, name: str) -> Iterator[tuple[Update, Access]]:
    """The accesses to a tensor, each with its update."""
    for node, _ in walk(body):
        if isinstance(node, Update):
            yield from ((node, access) for access in node.accesses if access.tensor == name)


def vector_axis(update: Update, body: Nodes) -> str | None:
    """The axis of the lanes of an update, if it has some."""
    for node, _ in walk(body):
        if isinstance(node, Loop) and node.binding is Binding.VECTOR and update in node.body:
            return node.axis
    return None


def issued(loops: Loops) -> int:
    """Multiplications that run for an element; what tables and unrolled code leave out is not counted."""
    total = 0.0
    for node, nodes in walk(loops.body):
        if not isinstance(node, Product) or len(node.factors) < 2:
            continue
        around_ = [each for each in nodes if isinstance(each, Loop) and isinstance(each.extent, int)]
        lanes = {name for each in node.accesses if each.element for name in each.element.names}
        times = prod(each.extent for each in around_ if isinstance(each.extent, int) and each.axis not in lanes)
        left_out = {each.axis for each in around_ if each.binding is Binding.UNROLLED or each.where is not None}
        extents = {each.axis: each.extent for each in around_ if isinstance(each.extent, int)}
        shares = (_share(access, loops, left_out, extents) for access in node.accesses[1:])
        total += times * prod(shares)
    return round(total)


def _share(access: Access, loops: Loops, left_out: set[str], extents: Extents) -> float:
    """The part of the entries that may differ from zero, where the others have no code."""
    known, names = loops.by_name[access.tensor].known_nonzeros, access.names
    if known is None or not names & left_out:
        return 1
    places = values(loops.by_name[access.tensor].position(access.index), extents)
    return sum(int(each) in known for each in places) / len(places)

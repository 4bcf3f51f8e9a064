"""Nodes that differ in the names of their indices only, as equal values."""

from dataclasses import replace

from einsum_front.ir.contraction.nodes import (
    Along,
    Assignment,
    Contraction,
    Elementwise,
    Embedding,
    Leaf,
    Node,
    Part,
    Reduction,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
)
from einsum_front.ir.index import Index, IndexMap, IterationSpace


def canonical(node: Node) -> Node:
    """The node with its indices named by their positions in the iteration space."""
    match node:
        case Leaf() | ScalarTerm() | Assignment():
            return node
        case Slice(space=space, parts=parts):
            return replace(node, space=_numbered(space), parts=tuple(_part(part, space) for part in parts))
        case Contraction(space=space, maps=maps) | Sum(space=space, maps=maps):
            return replace(node, space=_numbered(space), maps=tuple(_map(map_, space) for map_ in maps))
        case Elementwise(space=space, maps=maps) | Reduction(space=space, maps=maps):
            return replace(node, space=_numbered(space), maps=tuple(_map(map_, space) for map_ in maps))
        case Scaling(space=space) | Embedding(space=space):
            return replace(node, space=_numbered(space))


def _numbered(space: IterationSpace) -> IterationSpace:
    count = len(space.parallel)
    parallel = tuple(Index(str(number), index.extent) for number, index in enumerate(space.parallel))
    return IterationSpace(
        parallel, tuple(Index(str(number), index.extent) for number, index in enumerate(space.reduction, count))
    )


def _map(map_: IndexMap, space: IterationSpace) -> IndexMap:
    names = list(space.extents)
    return tuple(str(names.index(name)) for name in map_)


def _part(part: Part, space: IterationSpace) -> Part:
    return Along(_map((part.index,), space)[0], part.offset) if isinstance(part, Along) else part

"""Nodes that differ in the names of their indices only, as equal values."""

from dataclasses import replace

from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import Index, IndexMap, IterationSpace


def canonical(node: cg.Node) -> cg.Node:
    """The node with its indices named by their positions in the iteration space."""
    match node:
        case cg.Leaf() | cg.ScalarTerm() | cg.Assignment():
            return node
        case cg.Slice(space=space, parts=parts):
            return replace(node, space=_numbered(space), parts=tuple(_part(part, space) for part in parts))
        case cg.Gather(space=space, parts=parts, element=element, member=member):
            element, member = (None if each is None else _entry(each, space) for each in (element, member))
            own = tuple(_entry(each, space) if isinstance(each, cg.Entry) else _part(each, space) for each in parts)
            return replace(node, space=_numbered(space), parts=own, element=element, member=member)
        case cg.Contraction(space=space, maps=maps) | cg.Sum(space=space, maps=maps):
            return replace(node, space=_numbered(space), maps=tuple(_map(map_, space) for map_ in maps))
        case cg.Elementwise(space=space, maps=maps) | cg.Reduction(space=space, maps=maps):
            return replace(node, space=_numbered(space), maps=tuple(_map(map_, space) for map_ in maps))
        case cg.Scaling(space=space) | cg.Embedding(space=space):
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


def _entry(entry: cg.Entry, space: IterationSpace) -> cg.Entry:
    return replace(entry, parts=tuple(_part(part, space) for part in entry.parts))


def _part(part: cg.Part, space: IterationSpace) -> cg.Part:
    return cg.Along(_map((part.index,), space)[0], part.offset) if isinstance(part, cg.Along) else part

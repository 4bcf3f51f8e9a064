"""Nodes as parts of values: slices, and values that are zero around a node."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import NodeTable
from einsum_front.ir.index import Index, IndexMap, IterationSpace

Extents = Mapping[str, Extent]
Offsets = Mapping[str, int]
"""Where a node begins in a value, by the index that walks both."""


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring positions of a mode that go to neighbouring positions of another one."""

    source: int
    target: int
    extent: int


def indices_of(names: IndexMap, extents: Extents) -> tuple[Index, ...]:
    """The indices of these names."""
    return tuple(Index(name, extents[name]) for name in names)


def sliced(
    builder: NodeTable, key: int, map_: IndexMap, starts: Sequence[int], extents: Extents
) -> tuple[int, IndexMap]:
    """The part of a node from `starts` on, and its modes' indices; one that `map_` has twice takes the diagonal."""
    modes = tuple(dict.fromkeys(map_))
    parts = tuple(cg.Along(name, start) for name, start in zip(map_, starts, strict=True))
    shape = cg.result_shape(builder.node(key))
    if len(modes) == len(map_) and shape == tuple(extents[name] for name in map_):
        return key, map_
    return _slice(builder, key, IterationSpace(indices_of(modes, extents)), parts), modes


def embedded(builder: NodeTable, key: int, map_: IndexMap, offsets: Offsets, extents: Extents) -> int:
    """A value of these extents that is the node from the offsets on, and zero around it."""
    node = builder.node(key)
    if not any(_moves(builder, key, map_, offsets, extents)):
        return key
    if isinstance(node, cg.Scaling):
        (operand,) = builder.operands(key)
        inner = embedded(builder, operand, map_, offsets, extents)
        return builder.add(
            cg.Scaling(IterationSpace(indices_of(map_, extents)), node.coefficient, node.origin), (inner,)
        )
    space = IterationSpace(tuple(map(Index, map_, cg.result_shape(node))))
    shape = tuple(extents[name] for name in map_)
    return builder.add(cg.Embedding(space, tuple(offsets[name] for name in map_), shape, node.origin), (key,))


def placed(
    builder: NodeTable,
    key: int,
    map_: IndexMap,
    space: IterationSpace,
    offsets: Offsets,
    shared: Collection[int],
) -> int:
    """The same with the modes of `space`, which `map_` has in any order.

    A sum that nobody else reads (`shared` are the nodes that others read) becomes a sum of such values.
    """
    node, extents = builder.node(key), space.extents
    if isinstance(node, cg.Sum) and key not in shared:
        names = dict(zip(node.space.result_map, map_, strict=True))
        maps = tuple(tuple(names[name] for name in inner) for inner in node.maps)
        moved = set(_moves(builder, key, map_, offsets, extents))
        if all(moved <= set(inner) for inner in maps):
            operands = zip(builder.operands(key), maps, strict=True)
            terms = tuple(embedded(builder, term, inner, offsets, extents) for term, inner in operands)
            return builder.add(cg.Sum(space, maps, node.origin), terms)
    if map_ != space.result_map:
        own = dict(zip(map_, cg.result_shape(node), strict=True))
        ordered = IterationSpace(indices_of(space.result_map, own))
        key = _slice(builder, key, ordered, tuple(cg.Along(name) for name in map_))
    return embedded(builder, key, space.result_map, offsets, extents)


def _slice(builder: NodeTable, key: int, space: IterationSpace, parts: tuple[cg.Along, ...]) -> int:
    """A part of a node; a part of a part is one slice."""
    node = builder.node(key)
    if not isinstance(node, cg.Slice):
        return builder.add(cg.Slice(space, parts), (key,))
    outer = dict(zip(node.space.result_map, parts, strict=True))
    composed = tuple(_within(part, outer) for part in node.parts)
    return builder.add(cg.Slice(space, composed, node.origin), builder.operands(key))


def _within(part: cg.Part, outer: Mapping[str, cg.Along]) -> cg.Part:
    """The part of a part: where the outer slice begins, counted from where the inner one does."""
    if not isinstance(part, cg.Along):
        return part
    around = outer[part.index]
    return cg.Along(around.index, part.offset + around.offset)


def _moves(builder: NodeTable, key: int, map_: IndexMap, offsets: Offsets, extents: Extents) -> Iterator[str]:
    """The indices along which the value is more than the node."""
    for name, size in zip(map_, cg.result_shape(builder.node(key)), strict=True):
        if offsets[name] or size != extents[name]:
            yield name


def gathered(builder: NodeTable, key: int, mode: int, runs: Iterable[Run], extent: Extent) -> int:
    """The node with other positions in one of its modes, `extent` of them; those outside the runs are zero."""
    shape = cg.result_shape(builder.node(key))
    map_ = tuple(str(number) for number in range(len(shape)))
    whole = dict(zip(map_, shape, strict=True))
    space = IterationSpace(indices_of(map_, {**whole, map_[mode]: extent}))
    terms = []
    for run in runs:
        starts = [run.source if name == map_[mode] else 0 for name in map_]
        part, _ = sliced(builder, key, map_, starts, {**whole, map_[mode]: run.extent})
        offsets = {name: run.target if name == map_[mode] else 0 for name in map_}
        terms.append(embedded(builder, part, map_, offsets, space.extents))
    return builder.add(cg.Sum(space, (map_,) * len(terms)), tuple(terms))

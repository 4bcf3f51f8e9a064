"""A contraction while factors are taken out of it, and how its value becomes nodes of a graph again."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import prod

import numpy as np

from einsum_front.core.coefficient import Number
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import NodeTable
from einsum_front.ir.contraction.interpret import Array
from einsum_front.ir.index import Index, IndexMap, IterationSpace

# -- patterns of ones --------------------------------------------------------------------------------------------------
# Arrays that are one number where modes run in step, and zero elsewhere.
#
#     identity [[1,0,0],      rows 1 and 2   [[0,1,0],      ones in a range [0, 1, 1, 0]
#               [0,1,0],                      [0,0,1]]
#               [0,0,1]]
#
# A product with one of them is a part of the other factors: the indices of modes in step become one index.


@dataclass(frozen=True, slots=True)
class Link:
    """Modes that run in step from their starts on, through `extent` positions."""

    modes: tuple[int, ...]
    starts: tuple[int, ...]
    extent: int


@dataclass(frozen=True, slots=True)
class Selection:
    """`value` where the modes of every link run in step, zero elsewhere; each mode is in one link."""

    value: float
    links: tuple[Link, ...]


def selection_of(array: Array) -> Selection | None:
    """The array as a selection; None if it is none, or zero."""
    places = np.argwhere(array)
    value = _only_value(array)
    if value is None:
        return None
    starts = places.min(axis=0)
    steps = places - starts
    links: list[Link] = []
    for mode in range(array.ndim):
        leader = next((link for link in links if _in_step(steps, link.modes[0], mode)), None)
        if leader is None:
            links.append(Link((mode,), (int(starts[mode]),), int(steps[:, mode].max()) + 1))
        else:
            joined = Link((*leader.modes, mode), (*leader.starts, int(starts[mode])), leader.extent)
            links[links.index(leader)] = joined
    return Selection(value, tuple(links)) if len(places) == prod(link.extent for link in links) else None


def runs_of(array: Array) -> tuple[Selection, ...] | None:
    """A matrix as a sum of selections of two modes in step; None if a row or a column has two entries, or it is zero.

    A run is as long as it can be: `[[1,0,0,0], [0,1,0,0], [0,0,0,1]]` has two.
    """
    value = _only_value(array)
    if value is None or array.ndim != 2 or np.count_nonzero(array, axis=0).max() > 1:
        return None
    if np.count_nonzero(array, axis=1).max() > 1:
        return None
    return tuple(Selection(value, (link,)) for link in _runs(np.argwhere(array)))


def _runs(places: Array) -> Iterator[Link]:
    """The runs of ascending places."""
    breaks = np.flatnonzero((np.diff(places, axis=0) != 1).any(axis=1)) + 1
    for run in np.split(places, breaks):
        yield Link((0, 1), (int(run[0, 0]), int(run[0, 1])), len(run))


def _only_value(array: Array) -> float | None:
    """The one number that stands where the array is not zero."""
    values = np.unique(array[array != 0])
    return values[0].item() if len(values) == 1 else None


def _in_step(steps: Array, one: int, other: int) -> bool:
    return bool(steps[:, one].any()) and bool((steps[:, one] == steps[:, other]).all())


Factor = tuple[int, IndexMap]
"""The key of a node, and the indices that walk its modes."""


@dataclass(frozen=True, slots=True)
class Product:
    """`coefficient` times the product of the factors, summed over the indices that `result` lacks.

    `extents` are those of all indices. Position p of an index of the result is position p + offset of the value, whose
    shape is `shape`.
    """

    coefficient: float
    factors: tuple[Factor, ...]
    extents: Mapping[str, Extent]
    result: IndexMap
    offsets: tuple[int, ...]
    shape: tuple[Extent, ...]

    @staticmethod
    def of(node: cg.Contraction, operands: tuple[int, ...]) -> "Product":
        """The contraction as it is."""
        shape = node.space.result_shape
        factors = tuple(zip(operands, node.maps, strict=True))
        return Product(1, factors, node.space.extents, node.space.result_map, (0,) * len(shape), shape)

    def without(self, position: int) -> "Product":
        """The product without a factor; an index of it may walk nothing now."""
        return replace(self, factors=self.factors[:position] + self.factors[position + 1 :])

    def is_only_in_result(self, name: str) -> bool:
        """True if an index of the result walks no factor."""
        return name in self.result and not any(name in map_ for _, map_ in self.factors)

    def multiplied(self, positions: Collection[int]) -> tuple[cg.Contraction, IndexMap]:
        """The product of some of the factors, summed over the indices that nothing else has; and its indices."""
        factors = [self.factors[number] for number in positions]
        rest = (map_ for number, (_, map_) in enumerate(self.factors) if number not in positions)
        others = {name for map_ in rest for name in map_} | set(self.result)
        found = tuple(dict.fromkeys(name for _, map_ in factors for name in map_))
        kept = tuple(name for name in found if name in others)
        summed = tuple(name for name in found if name not in others)
        space = IterationSpace(indices_of(kept, self.extents), indices_of(summed, self.extents))
        return cg.Contraction(space, tuple(map_ for _, map_ in factors)), kept

    def groups(self, positions: Collection[int]) -> list[tuple[int, ...]]:
        """Of these factors two that have an index in common, and all of them if they are more than two."""
        pairs: list[tuple[int, ...]] = [pair for pair in combinations(positions, 2) if self._have_common_index(*pair)]
        return [*pairs, tuple(positions)] if len(positions) > 2 else pairs

    def _have_common_index(self, one: int, other: int) -> bool:
        return not set(self.factors[one][1]).isdisjoint(self.factors[other][1])

    def replaced(
        self, positions: Collection[int], factors: tuple[Factor, ...], extents: Mapping[str, Extent] | None = None
    ) -> "Product":
        """The product with these factors, the last ones, in the place of some; `extents` are those of new indices."""
        kept = (*(each for number, each in enumerate(self.factors) if number not in positions), *factors)
        used = {name for _, map_ in kept for name in map_}
        known = {name: extent for name, extent in self.extents.items() if name in used}
        return replace(self, factors=kept, extents={**known, **(extents or {})})

    def selected(self, builder: NodeTable, position: int, selection: Selection) -> "Product | None":
        """The product without a factor that is a selection: parts of the other factors say the same.

        None if they cannot: an index of the result would walk nothing, or two modes of it.
        """
        map_ = self.factors[position][1]
        product: Product | None = replace(self.without(position), coefficient=self.coefficient * selection.value)
        for link in selection.links:
            if product is not None:
                product = product.linked(builder, tuple(map_[mode] for mode in link.modes), link)
        return product

    def linked(self, builder: NodeTable, names: IndexMap, link: Link) -> "Product | None":
        """The product where the indices `names` run in step, as one index."""
        in_result = [name for name in names if name in self.result]
        is_walked = any(name in map_ for _, map_ in self.factors for name in names)
        if len(in_result) > 1 or (in_result and not is_walked):
            return None
        one = (*in_result, *names)[0]
        starts = dict(zip(names, link.starts, strict=True))
        extents = {n: extent for n, extent in self.extents.items() if n not in names or n == one} | {one: link.extent}
        factors = []
        for key, map_ in self.factors:
            renamed = tuple(one if name in names else name for name in map_)
            factors.append(sliced(builder, key, renamed, [starts.get(name, 0) for name in map_], extents))
        return replace(
            self,
            coefficient=self.coefficient if is_walked else self.coefficient * link.extent,
            factors=tuple(factors),
            extents=extents if is_walked else {name: extent for name, extent in extents.items() if name != one},
            offsets=tuple(start + starts.get(n, 0) for n, start in zip(self.result, self.offsets, strict=True)),
        )

    def finished(self, builder: NodeTable, shared: Collection[int], origin: Origin) -> int:
        """The node that is the product; `shared` are nodes that others read as well."""
        offsets = dict(zip(self.result, self.offsets, strict=True))
        outer = dict(zip(self.result, self.shape, strict=True))
        space = IterationSpace(indices_of(self.result, outer))
        reduction = tuple(name for name in self.extents if name not in self.result)
        if len(self.factors) == 1 and not reduction:
            ((key, map_),) = self.factors
            node = placed(builder, key, map_, space, offsets, shared)
        else:
            inner = IterationSpace(indices_of(self.result, self.extents), indices_of(reduction, self.extents))
            contraction = cg.Contraction(inner, tuple(map_ for _, map_ in self.factors), origin)
            key = builder.add(contraction, tuple(key for key, _ in self.factors))
            node = embedded(builder, key, self.result, offsets, outer)
        if self.coefficient == 1:
            return node
        return builder.add(cg.Scaling(space, Number(self.coefficient), origin), (node,))


# -- nodes as parts of values: slices, and values that are zero around a node ------------------------------------------

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

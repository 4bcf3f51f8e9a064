"""A contraction while factors are taken out of it, and how its value becomes nodes of a graph again."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations

from einsum_front.core.coefficient import Number
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.ir.algebra.parts import embedded, indices_of, placed, sliced
from einsum_front.ir.algebra.selection import Link, Selection
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import NodeTable
from einsum_front.ir.index import IndexMap, IterationSpace

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

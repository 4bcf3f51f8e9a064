"""Contractions made ready: their ranges, what is summed beforehand, and the order of their products."""

from dataclasses import dataclass

from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.nodes import Contraction
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.order import Operand, Pair, Ranking, Tree, subtrees
from einsum_front.ir.plan.pattern import Factor, Interval, bounding_box, projected
from einsum_front.ir.plan.problem import Problem, alone, cut, ranges_of
from einsum_front.ir.plan.remembered import remembered_orders
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.run_time import assumed


@dataclass(frozen=True, slots=True)
class Ready:
    """A contraction with its order.

    `indices` are those of the space; `ranges` are the positions of each that matter. Factor i is walked by `maps[i]`,
    is summed over `alone[i]` first, and then has `entries[i]` nonzero entries; `presums[i]` operations do that.
    `ranking` has the best orders.
    """

    ranges: dict[str, Interval]
    maps: tuple[IndexMap, ...]
    alone: tuple[IndexMap, ...]
    entries: tuple[int, ...]
    presums: tuple[int, ...]
    indices: IndexMap
    ranking: Ranking

    @property
    def tree(self) -> Tree:
        """The order that is taken."""
        return self.ranking.orders[0].tree

    def cheapest_scaling(self) -> Tree:
        """The product or sum with the fewest nonzero entries: where a coefficient costs least; the last if tied."""
        candidates = [
            (assumed(self.entries_of(tree)), position, tree)
            for position, tree in enumerate(subtrees(self.tree))
            if isinstance(tree, Pair) or self.alone[tree.factor]
        ]
        return min(candidates, key=lambda candidate: candidate[:2], default=(0, 0, self.tree))[2]

    def entries_of(self, tree: Tree) -> int:
        """Nonzero entries of what a tree computes."""
        match tree:
            case Operand(factor=factor):
                return self.entries[factor]
            case Pair(entries=entries):
                return entries


def make_ready(
    graph: Graph,
    sparsity: Sparsity,
    key: int,
    node: Contraction,
    largest: float,
    once: frozenset[int] = frozenset(),
) -> Ready:
    """Cut the contraction, which does not vanish, to what matters and order it; products keep to `largest` entries.

    Products of the factors with the numbers `once` are made once per launch.
    """
    masks = [sparsity.operands[key, position] for position in range(len(node.maps))]
    boxes = [bounding_box(mask) or () for mask in masks]
    factors = [Factor(map_, mask) for map_, mask in zip(node.maps, masks, strict=True)]
    ranges = ranges_of(factors, boxes)
    summed = alone(factors, node.space.result_map)
    full = [cut(factor, ranges) for factor in factors]
    left = [_without(factor, names) for factor, names in zip(full, summed, strict=True)]
    result = cut(Factor(node.space.result_map, sparsity.equivalent[key]), ranges)
    used = {name for factor in left for name in factor.indices}
    restored = sparsity.restored
    extents = {index.name: restored(ranges[index.name][1] - ranges[index.name][0]) for index in node.space.indices}
    left_over = {name: extent for name, extent in extents.items() if name in used}
    problem = Problem(tuple(left), result, left_over, restored, once)
    entries = tuple(restored.entries(factor.mask) for factor in left)
    presums = tuple(restored.entries(factor.mask) - rest for factor, rest in zip(full, entries, strict=True))
    indices = tuple(node.space.extents)
    return Ready(ranges, node.maps, summed, entries, presums, indices, remembered_orders(problem, largest))


def _without(factor: Factor, names: IndexMap) -> Factor:
    if not names:
        return factor
    left = tuple(name for name in factor.indices if name not in names)
    return Factor(left, projected(factor.mask, factor.indices, left))

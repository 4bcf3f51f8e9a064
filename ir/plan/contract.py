"""Contractions made ready: their ranges, what is summed beforehand, and the order of their products, remembered."""

from collections.abc import Mapping
from functools import lru_cache

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint
from einsum_front.core.machine import LaunchCosts
from einsum_front.core.machines import GENERIC
from einsum_front.core.pattern_network import Factor
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.order import Operand, Pair, Ranking, Tree, best_orders, subtrees
from einsum_front.ir.plan.pattern import Interval, bounding_box, entries, projected, told_apart
from einsum_front.ir.plan.pending import lengths
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.subsets import Problem, alone, cut, ranges_of


@dataclass(frozen=True, slots=True)
class Ready:
    """A contraction with its order.

    `indices` are those of the space; `ranges` are the positions of each that matter. Factor i is walked by `maps[i]`,
    is summed over `alone[i]` first, and then has `entries[i]` nonzero entries; `presums[i]` operations do that.
    `problem` is the question of the order, `ranking` has the best ones.
    """

    ranges: dict[str, Interval]
    maps: tuple[IndexMap, ...]
    alone: tuple[IndexMap, ...]
    entries: tuple[Extent, ...]
    presums: tuple[Extent, ...]
    indices: IndexMap
    problem: Problem
    ranking: Ranking

    @property
    def tree(self) -> Tree:
        """The order that is taken."""
        return self.ranking.orders[0].tree

    def cheapest_scaling(self) -> Tree:
        """The product or sum with the fewest nonzero entries: where a coefficient costs least; the last if tied."""
        candidates = [
            (hint(self.entries_of(tree)), position, tree)
            for position, tree in enumerate(subtrees(self.tree))
            if isinstance(tree, Pair) or self.alone[tree.factor]
        ]
        return min(candidates, key=lambda candidate: candidate[:2], default=(0, 0, self.tree))[2]

    def entries_of(self, tree: Tree) -> Extent:
        """Nonzero entries of what a tree computes."""
        match tree:
            case Operand(factor=factor):
                return self.entries[factor]
            case Pair(entries=entries):
                return entries


def make_ready(
    sparsity: Sparsity,
    key: int,
    node: cg.Contraction,
    largest: float,
    once: frozenset[int] = frozenset(),
    launch: LaunchCosts = GENERIC.launch,
) -> Ready:
    """Cut the contraction, which does not vanish, to what matters and order it; products keep to `largest` entries.

    Products of the factors with the numbers `once` are made once per launch, which costs what `launch` says.
    """
    space = node.space
    patterns = [sparsity.operands[key, position] for position in range(len(node.maps))]
    factors = [Factor(map_, pattern) for map_, pattern in zip(node.maps, patterns, strict=True)]
    *factors, needed = told_apart([*factors, Factor(space.result_map, sparsity.equivalent[key])], space.extents)
    boxes = [bounding_box(each.pattern, [space.extents[name] for name in each.indices]) or () for each in factors]
    ranges = ranges_of(factors, boxes)
    summed = alone(factors, space.result_map)
    full = [cut(factor, ranges) for factor in factors]
    left = [_without(factor, names) for factor, names in zip(full, summed, strict=True)]
    result = cut(needed, ranges)
    used = {name for factor in left for name in factor.indices}
    extents = lengths({index.name: ranges[index.name] for index in space.indices})
    left_over = {name: extent for name, extent in extents.items() if name in used}
    problem = Problem(tuple(left), result, left_over, once, launch)
    counts = tuple(_entries(factor, extents) for factor in left)
    presums = tuple(_entries(factor, extents) - rest for factor, rest in zip(full, counts, strict=True))
    indices = tuple(space.extents)
    return Ready(ranges, node.maps, summed, counts, presums, indices, problem, memoized_orders(problem, largest))


def _entries(factor: Factor, extents: Mapping[str, Extent]) -> Extent:
    return entries(factor.pattern, [extents[name] for name in factor.indices])


def _without(factor: Factor, names: IndexMap) -> Factor:
    if not names:
        return factor
    left = tuple(name for name in factor.indices if name not in names)
    return Factor(left, projected(factor.pattern, factor.indices, left))


# -- orders that were asked for before: passes compare plans that have most contractions in common ---------------------


MOST_CELLS = 2**16
"""Cells in the patterns of factors up to which a problem is kept with its orders."""


def memoized_orders(problem: Problem, largest: float) -> Ranking:
    """`best_orders`, searched once for problems with the same contents."""
    if sum(factor.pattern.cells.size for factor in problem.factors) > MOST_CELLS:
        return best_orders(problem, largest=largest)
    return _orders(_Question(problem), largest)


class _Question:
    """A problem; it equals those with the same contents."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        parts = (*problem.factors, problem.result)
        patterns = tuple((each.indices, each.pattern) for each in parts)
        self._contents = patterns, tuple(problem.extents.items()), problem.once, problem.launch

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self._contents == other._contents

    def __hash__(self) -> int:
        return hash(self._contents)


@lru_cache(maxsize=128)
def _orders(question: _Question, largest: float) -> Ranking:
    return best_orders(question.problem, largest=largest)

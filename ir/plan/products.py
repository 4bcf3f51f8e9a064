"""Contractions as products of two: all but the last go to temporaries, the last is left as a pending step.

A product that another contraction has made already, of the same values on the same ranges, is not made again.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

from einsum_front.core.coefficient import ONE, ZERO, Coefficient, is_sign
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, capacity, hint, product
from einsum_front.core.machine import LaunchCosts
from einsum_front.core.machines import GENERIC
from einsum_front.core.pattern_network import Factor
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.plan.order import Operand, Pair, Ranking, Tree, best_orders, members, subtrees
from einsum_front.ir.plan.pattern import Box, Interval, bounding_box, entries, projected, told_apart
from einsum_front.ir.plan.pending import PendingStep, Placement, Target, lengths, step_of
from einsum_front.ir.plan.plan import Cost, Decision, Gathering, Step
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.subsets import Problem, alone, cut, ranges_of
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir

# -- contractions made ready -------------------------------------------------------------------------------------------
# Their ranges, what is summed beforehand, and the order of their products, remembered.


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


# -- the steps of a kernel so far and the temporaries that they use ----------------------------------------------------


def temporary_of(name: str, element_type: ElementType, box: Box, origin: Origin = ()) -> Tensor:
    """The memory for a box; a dynamic extent has room for the most that it can be."""
    shape = tuple(stop - start for start, stop in box)
    strides = yir.packed_strides(tuple(map(capacity, shape)))
    return Tensor(name, element_type, Storage.TEMPORARY, shape, strides, origin=origin)


class Workspace:
    """Takes steps and hands out memory for one statement after the other; `fresh` makes names from a stem.

    `max_temporary` are the bytes that a temporary should not exceed.
    """

    def __init__(self, fresh: Callable[[str], str], max_temporary: float) -> None:
        self.steps: list[Step] = []
        self.temporaries: list[Tensor] = []
        self._fresh = fresh
        self._max_temporary = max_temporary
        self._element_type = ElementType.F64
        self._origin: Origin = ()

    def begin(self, element_type: ElementType, origin: Origin) -> None:
        """A statement begins: its temporaries have this element type, its fills this origin."""
        self._element_type = element_type
        self._origin = origin

    @property
    def largest(self) -> float:
        """The entries that a temporary should not exceed."""
        return self._max_temporary / self._element_type.size

    @contextmanager
    def set_aside(self) -> Iterator[list[Step]]:
        """Steps made inside go to the list that is given, not to the kernel."""
        outside, self.steps = self.steps, []
        yield self.steps
        self.steps = outside

    def emit(self, pending: PendingStep, target: Target, beta: Coefficient, added: Extent = 0) -> None:
        """A step for `target := pending + beta * target`; `added` operations on nonzero entries are for adding."""
        step = step_of(pending, target, beta, added, self._element_type.size)
        self.steps.append(replace(step, statement=self._origin))

    def fill(self, alpha: Coefficient, beta: Coefficient, target: Target, operations: Extent = 0) -> None:
        """Steps for `target := alpha + beta * target`."""
        pending = PendingStep((), {}, (), alpha, 0, self._origin)
        self.emit(pending if target.takes(pending) else self.through_temporary(pending), target, beta, operations)

    def through_temporary(self, pending: PendingStep) -> PendingStep:
        """Compute a pending step; what is left is a copy."""
        target = self.temporary(pending.result, tuple(pending.ranges[name] for name in pending.result))
        self.emit(pending, target, ZERO)
        return self.copy_of(target)

    def copy_of(self, source: Target) -> PendingStep:
        """A pending step that copies all of a target."""
        operand = (source.placement, source.indices)
        return PendingStep((operand,), source.ranges, source.indices, ONE, 0, self._origin)

    def gather(self, gathering: Gathering, space: IterationSpace, origin: Origin) -> Target:
        """Entries of arguments where integers say, staged in a new buffer."""
        target = self.temporary(space.result_map, tuple((0, size) for size in space.result_shape))
        moved = product(space.result_shape) * self._element_type.size
        cost = Cost(read=moved, written=moved)
        step = Step(space, (), target.view(), ONE, ZERO, cost, origin=origin, gathering=gathering)
        self.steps.append(replace(step, statement=self._origin))
        return target

    def temporary(self, indices: tuple[str, ...], box: Box) -> Target:
        """A new buffer for a box, walked by the indices."""
        name = self._fresh("tmp")
        self.temporaries.append(temporary_of(name, self._element_type, box))
        return Target(Placement.of_box(name, box), indices, dict(zip(indices, box, strict=True)))


class Products:
    """Makes the products of contractions in the best order; `straight` says where an operand lies.

    Of orders that are about equal, `preferred` says for contractions by their keys which one is taken.
    """

    def __init__(
        self,
        graph: Graph,
        sparsity: Sparsity,
        workspace: Workspace,
        straight: Callable[[int], Placement],
        preferred: Mapping[int, int],
    ) -> None:
        self.decisions: list[Decision] = []
        self._graph = graph
        self._sparsity = sparsity
        self._workspace = workspace
        self._straight = straight
        self._preferred = preferred
        self._ready: dict[int, Ready] = {}
        self._made: dict[Signature, Placement] = {}

    def ready(self, key: int, node: cg.Contraction) -> Ready:
        """The contraction with its order, which is decided once."""
        if key not in self._ready:
            ready = make_ready(self._sparsity, key, node, self._workspace.largest)
            self._ready[key] = replace(ready, ranking=ready.ranking.with_first(self._preferred.get(key, 0)))
        return self._ready[key]

    def cheapest_scaling(self, key: int, node: cg.Contraction) -> tuple[object, Extent]:
        """The product that takes a coefficient, one for all contractions that share it, and the operations of that."""
        ready = self.ready(key, node)
        tree, operands = ready.cheapest_scaling(), self._graph.operands(key)
        shared = tree is not ready.tree
        made = _Scaled(ready, operands, ONE, node.origin).signature(tree)[0] if shared else key
        return made, ready.entries_of(tree)

    @property
    def equals(self) -> dict[int, int]:
        """For each contraction the number of orders that are about as good as the best one."""
        return {key: len(ready.ranking.equals) for key, ready in self._ready.items() if ready.ranking.equals}

    def pending(self, key: int, node: cg.Contraction, coefficient: Coefficient) -> PendingStep:
        """The last product of `coefficient` times a contraction, walked by its own indices; the others are made."""
        ready = self.ready(key, node)
        operands = self._graph.operands(key)
        if len(operands) > 1:
            names = tuple(self._graph.describe(operand) for operand in operands)
            self.decisions.append(Decision(names, ready.ranking, key, ready.problem, node.origin))
        return self._product(_Scaled(ready, operands, coefficient, node.origin), ready.tree)

    def _product(self, contraction: "_Scaled", tree: Tree) -> PendingStep:
        """The product or sum at the root of a tree; those below are made."""
        ready = contraction.ready
        match tree:
            case Operand(factor=factor):
                operand = (self._straight(contraction.operands[factor]), ready.maps[factor])
                left = [name for name in ready.maps[factor] if name not in ready.alone[factor]]
                result = tuple(name for name in ready.indices if name in left)
                return contraction.pending((operand,), result, ready.presums[factor], tree)
            case Pair(left=left, right=right, indices=indices, operations=operations):
                factors = (self._factor(contraction, left), self._factor(contraction, right))
                return contraction.pending(factors, indices, operations, tree)

    def _factor(self, contraction: "_Scaled", tree: Tree) -> tuple[Placement, IndexMap]:
        """A tree as the operand of a product: a factor where it lies, anything else in a temporary."""
        ready = contraction.ready
        if isinstance(tree, Operand) and not ready.alone[tree.factor]:
            return self._straight(contraction.operands[tree.factor]), ready.maps[tree.factor]
        signature, result = contraction.signature(tree)
        if signature not in self._made:
            made = self._workspace.through_temporary(self._product(contraction, tree).reordered(result))
            self._made[signature] = made.operands[0][0]
        return self._made[signature], result


Signature = tuple[object, ...]
"""What tells products apart: their factors, how indices join them, the ranges of indices, the coefficient."""


@dataclass(frozen=True, slots=True)
class _Scaled:
    """A coefficient times a contraction while its products are made; the coefficient goes where it costs least."""

    ready: Ready
    operands: tuple[int, ...]
    coefficient: Coefficient
    origin: Origin

    def signature(self, tree: Tree) -> tuple[Signature, IndexMap]:
        """The signature of a tree, and its result's indices in the order that the signature gives them."""
        ready = self.ready
        leaves = sorted(members(tree), key=lambda factor: (self.operands[factor], factor))
        number: dict[str, int] = {}
        for factor in leaves:
            for name in ready.maps[factor]:
                number.setdefault(name, len(number))
        result = tuple(name for name in number if name in self._result(tree))
        parts = tuple((self.operands[factor], *(number[name] for name in ready.maps[factor])) for factor in leaves)
        kept = tuple(number[name] for name in result)
        ranges = tuple(ready.ranges[name] for name in number)
        scaled = self._scaled
        has_coefficient = self.coefficient != ONE and any(part is scaled for part in subtrees(tree))
        return (parts, kept, ranges, self.coefficient if has_coefficient else ONE), result

    def _result(self, tree: Tree) -> IndexMap:
        match tree:
            case Operand(factor=factor):
                return tuple(name for name in self.ready.maps[factor] if name not in self.ready.alone[factor])
            case Pair(indices=indices):
                return indices

    @property
    def _scaled(self) -> Tree:
        """The product that takes the coefficient."""
        return self.ready.tree if is_sign(self.coefficient) else self.ready.cheapest_scaling()

    def pending(
        self, factors: tuple[tuple[Placement, IndexMap], ...], result: IndexMap, operations: Extent, tree: Tree
    ) -> PendingStep:
        """The pending step of one product or sum of the tree."""
        ready = self.ready
        names = dict.fromkeys((*result, *(name for _, map_ in factors for name in map_)))
        ranges = {name: ready.ranges[name] for name in names}
        if tree is not self._scaled:
            return PendingStep(factors, ranges, result, ONE, operations, self.origin)
        scaling = 0 if is_sign(self.coefficient) else ready.entries_of(tree)
        return PendingStep(factors, ranges, result, self.coefficient, operations + scaling, self.origin)

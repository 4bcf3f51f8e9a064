"""Contractions as products of two: all but the last go to temporaries, the last is left as a pending step.

A product that another contraction has made already, of the same values on the same ranges, is not made again.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from einsum_front.core.coefficient import ONE, Coefficient, is_sign
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.contract import Ready, make_ready
from einsum_front.ir.plan.order import Operand, Pair, Tree, members, subtrees
from einsum_front.ir.plan.pending import PendingStep
from einsum_front.ir.plan.placement import Placement
from einsum_front.ir.plan.plan import Decision
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.workspace import Workspace


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

"""Contractions as products of two: all but the last go to temporaries, the last is left as a pending step.

A product that another contraction has made already, of the same values on the same ranges, is not made again.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from einsum_front.core.coefficient import ONE, ZERO, Coefficient, is_sign
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, capacity, product
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.plan.contract import Ready, make_ready
from einsum_front.ir.plan.order import Operand, Pair, Tree, members, subtrees
from einsum_front.ir.plan.pattern import Box
from einsum_front.ir.plan.pending import PendingStep, Placement, Target, step_of
from einsum_front.ir.plan.plan import Cost, Decision, Gathering, Step
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir

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

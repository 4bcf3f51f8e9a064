"""Steps that compute nodes of the contraction graph into targets.

The terms of a value are computed one after the other. The products of a term go to temporaries, its last one goes
straight to the target: the first in its region with the given beta, what meets it with beta = 1. What no first term
reaches of the target is multiplied by beta beforehand. A term that reads what the target
overwrites is computed before anything is written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heappop, heappush
from itertools import combinations_with_replacement

from einsum_front.core.coefficient import ONE, ZERO, Coefficient, is_sign, times
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.zero_pattern import Mask
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.nodes import (
    Assignment,
    Contraction,
    Elementwise,
    Embedding,
    Leaf,
    Node,
    Reduction,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
    result_shape,
)
from einsum_front.ir.contraction.views import part_of
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.buffer_assignment import Assigned
from einsum_front.ir.plan.operation_counter import OperationCounter
from einsum_front.ir.plan.pattern import Interval, both, bounding_box, broadcast, either, entries, has_entries
from einsum_front.ir.plan.pending import PendingStep, Target
from einsum_front.ir.plan.placement import Placement, overlap
from einsum_front.ir.plan.plan import Step
from einsum_front.ir.plan.products import Products
from einsum_front.ir.plan.regions import Region, lengths, meet, outside, volume
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.terms import Term, operands_of, terms_of, uses
from einsum_front.ir.plan.workspace import Workspace

Group = tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A term before its last step: the steps that come first, and the draft of the last one.

    `mask` is the pattern of what the draft computes, over the indices `draft.result`.
    """

    mask: Mask
    before: tuple[Step, ...]
    pending: PendingStep


class Evaluator:
    """Computes values of the graph in a workspace; of equal orders of contractions the `preferred` ones."""

    def __init__(
        self,
        graph: Graph,
        sparsity: Sparsity,
        buffers: dict[int, Assigned],
        workspace: Workspace,
        preferred: Mapping[int, int],
    ) -> None:
        self.products = Products(graph, sparsity, workspace, self._straight, preferred)
        self._graph = graph
        self._sparsity = sparsity
        self._buffers = buffers
        self._workspace = workspace
        self._placements: dict[int, Placement] = {}

    # -- terms into targets --------------------------------------------------------------------------------------------

    def dissolve(self, term: Term) -> list[Term]:
        """The terms that add up to a term; those that vanish are left out."""
        return terms_of(self._graph, self._sparsity, term, self._scaling_cost)

    def write(self, terms: Sequence[Term], beta: Coefficient, target: Target, counter: OperationCounter) -> None:
        """Steps for `target := sum of terms + beta * target`; `counter` has counted what beta keeps."""
        scaling = counter.scaling(beta)
        groups = grouped(terms, target.indices, counter.extents)
        prepared = self._without_hazards([self._prepare(group, target, counter) for group in groups], target)
        if beta != ONE:
            prepared = self._largest_first(prepared, target)
        written: list[Region] = []
        first = [_is_first(target.region(entry.pending), written) for entry in prepared]
        if beta != ONE:
            for region in _without(target.ranges, written):
                self._workspace.fill(ZERO, beta, target.on(region), 0 if prepared else scaling)
        for entry, is_first in zip(prepared, first, strict=True):
            self._workspace.steps += entry.before
            added = counter.add(entry.mask, entry.pending.result) + scaling
            self._workspace.emit(entry.pending, target, beta if is_first else ONE, added)
            scaling = 0

    def _prepare(self, group: Group, target: Target, counter: OperationCounter) -> _Prepared:
        """A group of terms up to the step that writes it to the target."""
        with self._workspace.set_aside() as before:
            if len(group) == 1:
                mask, pending = group[0].mask, self._pending(group[0])
            else:
                mask, pending = self._added(group, indices_of(group, target.indices), counter)
            if not target.takes(pending):
                pending = self._workspace.through_temporary(pending)
        return _Prepared(mask, tuple(before), pending)

    def _added(self, group: Group, indices: IndexMap, counter: OperationCounter) -> tuple[Mask, PendingStep]:
        """The sum of a group's terms in a temporary: its pattern, and a draft that copies it."""
        needed = counter.needed(indices)
        terms = (broadcast(term.mask, term.map, indices, counter.extents) for term in group)
        mask = both(reduce(either, terms), needed)
        extents = {name: counter.extents[name] for name in indices}
        target = self._workspace.temporary(indices, bounding_box(mask, tuple(extents.values())) or ())
        self.write(group, ZERO, target, OperationCounter(extents, needed))
        return mask, self._workspace.copy_of(target)

    def _without_hazards(self, prepared: list[_Prepared], target: Target) -> list[_Prepared]:
        """If a term reads what the target overwrites: all terms computed up to a last step that does not.

        A single term may end in a step that replaces each entry by what depends on it alone.
        """
        alone = len(prepared) == 1 and is_entrywise(prepared[0].pending, target)
        if alone or not any(steps_read(p.before, target) or pending_reads(p.pending, target) for p in prepared):
            return prepared
        safe = []
        for entry in prepared:
            self._workspace.steps += entry.before
            reads = pending_reads(entry.pending, target)
            pending = self._workspace.through_temporary(entry.pending) if reads else entry.pending
            safe.append(_Prepared(entry.mask, (), pending))
        return safe

    def _largest_first(self, prepared: list[_Prepared], target: Target) -> list[_Prepared]:
        """The term that reaches most of the target in front of the others.

        What comes before it is done here: it may read what is overwritten now, and rest on values that the terms in
        front of it compute.
        """
        if not prepared:
            return []
        sizes = [hint(volume(target.region(entry.pending))) for entry in prepared]
        largest = sizes.index(max(sizes))
        done = []
        for entry in prepared[: largest + 1]:
            self._workspace.steps += entry.before
            done.append(_Prepared(entry.mask, (), entry.pending))
        return [done[-1], *done[:-1], *prepared[largest + 1 :]]

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _pending(self, term: Term) -> PendingStep:
        """The last step of a term, walked by the target's indices; steps before it are added."""
        node = self._graph.node(term.key)
        if isinstance(node, ScalarTerm):
            return PendingStep((), {}, (), times(term.coefficient, node.value), 0, node.origin)
        if isinstance(node, Contraction) and uses(self._graph, term.key) == 1:
            return self.products.pending(term.key, node, term.coefficient).walked_by(term.map)
        if isinstance(node, Embedding) and uses(self._graph, term.key) == 1:
            inner = self._graph.operands(term.key)[0]
            pending = self._pending(Term(term.coefficient, inner, term.map, part_of(term.mask, node.parts, node.space)))
            return pending.moved(dict(zip(term.map, node.offsets, strict=True)))
        shape = result_shape(node)
        operations = 0 if is_sign(term.coefficient) else entries(term.mask, shape)
        ranges = dict(zip(term.map, bounding_box(term.mask, shape) or (), strict=True))
        placement = self._place(term.key)
        return PendingStep(((placement, term.map),), ranges, term.map, term.coefficient, operations, node.origin)

    def _place(self, key: int) -> Placement:
        """Where a node's value lies, computed if it is not yet; it may be a diagonal of a buffer."""
        node = self._graph.node(key)
        match node:
            case Leaf() | Assignment():
                assigned = self._buffers[key]
                return Placement.of_box(assigned.buffer, assigned.box)
            case Slice(space=space, parts=parts):
                if key in self._placements:
                    return self._placements[key]
                return self._place(self._graph.operands(key)[0]).sliced(parts, space.result_map)
            case Embedding(offsets=offsets):
                return self._place(self._graph.operands(key)[0]).moved(offsets)
            case Contraction() | Sum() | Elementwise() | Reduction() | Scaling() | ScalarTerm():
                if key not in self._placements:
                    self._placements[key] = self._computed(key)
                return self._placements[key]

    def _straight(self, key: int) -> Placement:
        """Where a node's value lies; a diagonal is copied."""
        placement = self._place(key)
        if placement.has_diagonal:
            placement = self._placements[key] = self._computed(key)
        return placement

    def _computed(self, key: int) -> Placement:
        """A new temporary with the node's value, as far as it matters."""
        mask = self._sparsity.equivalent[key]
        node = self._graph.node(key)
        if isinstance(node, Elementwise | Reduction):
            raise CompilerBug("functions are not planned yet")
        if isinstance(node, Contraction):
            return self._workspace.through_temporary(self.products.pending(key, node, ONE)).operands[0][0]
        indices, shape = _result_map(node), result_shape(node)
        target = self._workspace.temporary(indices, bounding_box(mask, shape) or ())
        terms = operands_of(self._graph, self._sparsity, Term(ONE, key, indices, mask), self._scaling_cost)
        self.write(
            terms, ZERO, target, OperationCounter(dict(zip(indices, shape, strict=True)), self._sparsity.needed[key])
        )
        return target.placement

    def _scaling_cost(self, key: int, mask: Mask) -> Extent:
        """The operations that a coefficient at this node takes where it takes least."""
        node = self._graph.node(key)
        if isinstance(node, ScalarTerm) or not has_entries(mask):
            return 0
        if isinstance(node, Embedding) and uses(self._graph, key) == 1:
            return self._scaling_cost(self._graph.operands(key)[0], part_of(mask, node.parts, node.space))
        if isinstance(node, Contraction) and uses(self._graph, key) == 1:
            ready = self.products.ready(key, node)
            return ready.entries_of(ready.cheapest_scaling())
        return entries(mask, result_shape(node))


def _is_first(region: Region, written: list[Region]) -> bool:
    """True if none of the regions that are written meets this one, which is one of them from now on."""
    if any(meet(region, other) for other in written):
        return False
    written.append(region)
    return True


def _without(region: dict[str, Interval], inner: Sequence[Region]) -> list[dict[str, Interval]]:
    """Rest of a region beside others."""
    left = [region]
    for each in inner:
        left = [part for outer in left for part in outside(outer, each)]
    return left


def _result_map(node: Node) -> IndexMap:
    """Names for the modes of a node's result: its own where it has some."""
    match node:
        case Slice(space=space) | Embedding(space=space) | Contraction(space=space) | Sum(space=space):
            return space.result_map
        case Scaling(space=space) | Elementwise(space=space) | Reduction(space=space):
            return space.result_map
        case Leaf() | Assignment() | ScalarTerm():
            return tuple(str(mode) for mode in range(len(result_shape(node))))


# -- readers of what a target overwrites -------------------------------------------------------------------------------


def steps_read(steps: Iterable[Step], target: Target) -> bool:
    """True if one of the steps reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    return any(overlap(view, step.space.extents, written, extents) for step in steps for view in step.operands)


def pending_reads(pending: PendingStep, target: Target) -> bool:
    """True if the step that a draft becomes reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    own = lengths(pending.ranges)
    return any(overlap(view, own, written, extents) for view in pending.views())


def is_entrywise(pending: PendingStep, target: Target) -> bool:
    """True if the draft reads an entry of the target for that entry alone."""
    if pending.reduction:
        return False
    replaced = target.placement.view(target.indices, target.region(pending))
    whole, extents = target.view(), lengths(target.ranges)
    own = lengths(pending.ranges)
    return all(view == replaced for view in pending.views() if overlap(view, own, whole, extents))


# -- terms that lack indices of their target ---------------------------------------------------------------------------


def grouped(terms: Sequence[Term], target: IndexMap, extents: Mapping[str, Extent]) -> list[Group]:
    """The terms in groups, each of which lacks an index of the target or is a single term.

        C[a,b,c] := A[a] + B[b] + D[b,c] + E[b]    t[b] := B[b] + E[b];  u[b,c] := D[b,c] + t[b];  C := A[a] + u[b,c]

    What lacks an index is added up before it is broadcast. Entries that meet in the target meet in the smaller sum
    already, so this never takes more operations.

    Two groups become one, those with the smallest sum first, as long as the sum is smaller than the target. What a sum
    has is said by the indices of both, of which there are few sets: so groups are compared set by set.
    """
    groups: dict[int, list[Term]] = {number: [term] for number, term in enumerate(terms)}
    alike: dict[IndexMap, list[int]] = {}
    for number, term in enumerate(terms):
        alike.setdefault(indices_of((term,), target), []).append(number)
    while (pair := _smallest_pair(alike, target, extents)) is not None:
        first, second, both = pair
        groups[first] += groups.pop(second)
        for numbers in alike.values():
            while numbers and numbers[0] in {first, second}:
                heappop(numbers)
        heappush(alike.setdefault(both, []), first)
    return [tuple(group) for group in groups.values()]


def indices_of(group: Group, target: IndexMap) -> IndexMap:
    """The indices of a group's sum, in the order of the target."""
    return tuple(name for name in target if any(name in term.map for term in group))


def _smallest_pair(
    alike: Mapping[IndexMap, Sequence[int]], target: IndexMap, extents: Mapping[str, Extent]
) -> tuple[int, int, IndexMap] | None:
    """The groups that become one, and the indices of their sum; `alike` are heaps of groups by their indices:
    the two smallest numbers of a heap are among its first three."""
    pairs = []
    for one, other in combinations_with_replacement(alike, 2):
        numbers = sorted(alike[one][:3] if one is other else (*alike[one][:1], *alike[other][:1]))
        both = tuple(name for name in target if name in one or name in other)
        if len(numbers) > 1 and len(both) < len(target):
            pairs.append((hint(product(extents[name] for name in both)), numbers[0], numbers[1], both))
    return min(pairs)[1:] if pairs else None

"""Steps that compute nodes of the contraction graph into targets.

The terms of a value are computed one after the other. The products of a term go to temporaries, its last one goes
straight to the target: the first in its region with the given beta, what meets it with beta = 1. What no first term
reaches of the target is multiplied by beta beforehand. A term that reads what the target
overwrites is computed before anything is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from einsum_front.ir.coefficient import ONE, ZERO, Coefficient, is_sign, times
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.nodes import (
    Assignment,
    Contraction,
    Embedding,
    Leaf,
    Node,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
    result_shape,
)
from einsum_front.ir.contraction.views import part_of
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.draft import Draft, Target
from einsum_front.ir.plan.grouping import Group, grouped, indices_of
from einsum_front.ir.plan.hazards import draft_reads, is_entrywise, steps_read
from einsum_front.ir.plan.homes import Home
from einsum_front.ir.plan.pattern import Interval, both, bounding_box, broadcast, either, has_entries
from einsum_front.ir.plan.placement import Placement
from einsum_front.ir.plan.plan import Step
from einsum_front.ir.plan.products import Products
from einsum_front.ir.plan.regions import Region, meet, outside, volume
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.tally import Tally
from einsum_front.ir.plan.terms import Term, operands_of, terms_of, uses
from einsum_front.ir.plan.workspace import Workspace
from einsum_front.ir.zero_pattern import Mask


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A term before its last step: the steps that come first, and the draft of the last one.

    `mask` is the pattern of what the draft computes, over the indices `draft.result`.
    """

    mask: Mask
    before: tuple[Step, ...]
    draft: Draft


class Evaluator:
    """Computes values of the graph in a workspace; of equal orders of contractions the `preferred` ones."""

    def __init__(
        self,
        graph: Graph,
        sparsity: Sparsity,
        homes: dict[int, Home],
        workspace: Workspace,
        preferred: Mapping[int, int],
    ) -> None:
        self.products = Products(graph, sparsity, workspace, self._straight, preferred)
        self._graph = graph
        self._sparsity = sparsity
        self._homes = homes
        self._workspace = workspace
        self._placements: dict[int, Placement] = {}

    # -- terms into targets --------------------------------------------------------------------------------------------

    def dissolve(self, term: Term) -> list[Term]:
        """The terms that add up to a term; those that vanish are left out."""
        return terms_of(self._graph, self._sparsity, term, self._scaling_cost)

    def write(self, terms: Sequence[Term], beta: Coefficient, target: Target, tally: Tally) -> None:
        """Steps for `target := sum of terms + beta * target`; `tally` has counted what beta keeps."""
        scaling = tally.scaling(beta)
        groups = grouped(terms, target.indices, tally.extents)
        prepared = self._without_hazards([self._prepare(group, target, tally) for group in groups], target)
        if beta != ONE:
            prepared = self._largest_first(prepared, target)
        written: list[Region] = []
        first = [_is_first(target.region(entry.draft), written) for entry in prepared]
        if beta != ONE:
            for region in _without(target.ranges, written):
                self._workspace.fill(ZERO, beta, target.on(region), 0 if prepared else scaling)
        for entry, is_first in zip(prepared, first, strict=True):
            self._workspace.steps += entry.before
            added = tally.add(entry.mask, entry.draft.result) + scaling
            self._workspace.emit(entry.draft, target, beta if is_first else ONE, added)
            scaling = 0

    def _prepare(self, group: Group, target: Target, tally: Tally) -> _Prepared:
        """A group of terms up to the step that writes it to the target."""
        with self._workspace.set_aside() as before:
            if len(group) == 1:
                mask, draft = group[0].mask, self._draft(group[0])
            else:
                mask, draft = self._added(group, indices_of(group, target.indices), tally)
            if not target.takes(draft):
                draft = self._workspace.through_temporary(draft)
        return _Prepared(mask, tuple(before), draft)

    def _added(self, group: Group, indices: IndexMap, tally: Tally) -> tuple[Mask, Draft]:
        """The sum of a group's terms in a temporary: its pattern, and a draft that copies it."""
        needed = tally.needed(indices)
        terms = (broadcast(term.mask, term.map, indices, tally.extents) for term in group)
        mask = both(reduce(either, terms), needed)
        target = self._workspace.temporary(indices, bounding_box(mask) or ())
        self.write(group, ZERO, target, Tally(indices, needed, self._sparsity.restored))
        return mask, self._workspace.copy_of(target)

    def _without_hazards(self, prepared: list[_Prepared], target: Target) -> list[_Prepared]:
        """If a term reads what the target overwrites: all terms computed up to a last step that does not.

        A single term may end in a step that replaces each entry by what depends on it alone.
        """
        alone = len(prepared) == 1 and is_entrywise(prepared[0].draft, target)
        if alone or not any(steps_read(p.before, target) or draft_reads(p.draft, target) for p in prepared):
            return prepared
        safe = []
        for entry in prepared:
            self._workspace.steps += entry.before
            reads = draft_reads(entry.draft, target)
            draft = self._workspace.through_temporary(entry.draft) if reads else entry.draft
            safe.append(_Prepared(entry.mask, (), draft))
        return safe

    def _largest_first(self, prepared: list[_Prepared], target: Target) -> list[_Prepared]:
        """The term that reaches most of the target in front of the others.

        What comes before it is done here: it may read what is overwritten now, and rest on values that the terms in
        front of it compute.
        """
        if not prepared:
            return []
        sizes = [volume(target.region(entry.draft)) for entry in prepared]
        largest = sizes.index(max(sizes))
        done = []
        for entry in prepared[: largest + 1]:
            self._workspace.steps += entry.before
            done.append(_Prepared(entry.mask, (), entry.draft))
        return [done[-1], *done[:-1], *prepared[largest + 1 :]]

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _draft(self, term: Term) -> Draft:
        """The last step of a term, walked by the target's indices; steps before it are added."""
        node = self._graph.node(term.key)
        if isinstance(node, ScalarTerm):
            return Draft((), {}, (), times(term.coefficient, node.value), 0, node.origin)
        if isinstance(node, Contraction) and uses(self._graph, term.key) == 1:
            return self.products.draft(term.key, node, term.coefficient).walked_by(term.map)
        if isinstance(node, Embedding) and uses(self._graph, term.key) == 1:
            inner = self._graph.operands(term.key)[0]
            draft = self._draft(Term(term.coefficient, inner, term.map, part_of(term.mask, node.parts, node.space)))
            return draft.moved(dict(zip(term.map, node.offsets, strict=True)))
        operations = 0 if is_sign(term.coefficient) else self._sparsity.restored.entries(term.mask)
        ranges = dict(zip(term.map, bounding_box(term.mask) or (), strict=True))
        placement = self._place(term.key)
        return Draft(((placement, term.map),), ranges, term.map, term.coefficient, operations, node.origin)

    def _place(self, key: int) -> Placement:
        """Where a node's value lies, computed if it is not yet; it may be a diagonal of a buffer."""
        node = self._graph.node(key)
        match node:
            case Leaf() | Assignment():
                home = self._homes[key]
                return Placement.of_box(home.buffer, home.box)
            case Slice(space=space, parts=parts):
                if key in self._placements:
                    return self._placements[key]
                return self._place(self._graph.operands(key)[0]).sliced(parts, space.result_map)
            case Embedding(offsets=offsets):
                return self._place(self._graph.operands(key)[0]).moved(offsets)
            case Contraction() | Sum() | Scaling() | ScalarTerm():
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
        if isinstance(node, Contraction):
            return self._workspace.through_temporary(self.products.draft(key, node, ONE)).operands[0][0]
        indices = _result_map(node)
        target = self._workspace.temporary(indices, bounding_box(mask) or ())
        terms = operands_of(self._graph, self._sparsity, Term(ONE, key, indices, mask), self._scaling_cost)
        self.write(terms, ZERO, target, Tally(indices, self._sparsity.needed[key], self._sparsity.restored))
        return target.placement

    def _scaling_cost(self, key: int, mask: Mask) -> int:
        """The operations that a coefficient at this node takes where it takes least."""
        node = self._graph.node(key)
        if isinstance(node, ScalarTerm) or not has_entries(mask):
            return 0
        if isinstance(node, Embedding) and uses(self._graph, key) == 1:
            return self._scaling_cost(self._graph.operands(key)[0], part_of(mask, node.parts, node.space))
        if isinstance(node, Contraction) and uses(self._graph, key) == 1:
            ready = self.products.ready(key, node)
            return ready.entries_of(ready.cheapest_scaling())
        return self._sparsity.restored.entries(mask)


def _is_first(region: Region, written: list[Region]) -> bool:
    """Whether none of the regions that are written meets this one, which is one of them from now on."""
    if any(meet(region, other) for other in written):
        return False
    written.append(region)
    return True


def _without(region: dict[str, Interval], inner: Sequence[Region]) -> list[dict[str, Interval]]:
    """What is left of a region beside others."""
    left = [region]
    for each in inner:
        left = [part for outer in left for part in outside(outer, each)]
    return left


def _result_map(node: Node) -> IndexMap:
    """Names for the modes of a node's result: its own where it has some."""
    match node:
        case Slice(space=space) | Embedding(space=space) | Contraction(space=space) | Sum(space=space):
            return space.result_map
        case Scaling(space=space):
            return space.result_map
        case Leaf() | Assignment() | ScalarTerm():
            return tuple(str(mode) for mode in range(len(result_shape(node))))

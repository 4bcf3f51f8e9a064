"""Steps that compute nodes of the contraction graph into targets.

The terms of a value are computed one after the other. The products of a term go to temporaries, its last one goes
straight to the target: the first of all terms with the given beta, the others with beta = 1. Where the target's region
is larger than the first term's, the rest is multiplied by beta beforehand. A term that reads what the target
overwrites is computed before anything is written.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from diagnostics import Origin
from ir.coefficient import ONE, ZERO, Coefficient, is_sign, times
from ir.contraction.graph import Graph
from ir.contraction.nodes import Assignment, Contraction, Leaf, Node, ScalarTerm, Scaling, Slice, Sum, result_shape
from ir.index import IndexMap
from ir.plan.contract import Ready, make_ready
from ir.plan.draft import Draft, Target, step_of
from ir.plan.grouping import Group, grouped, indices_of
from ir.plan.homes import Home
from ir.plan.order import Operand, Pair, Tree
from ir.plan.pattern import Interval, both, bounding_box, broadcast, either, has_entries, nonzeros
from ir.plan.placement import Placement, overlap
from ir.plan.plan import Decision, Step
from ir.plan.regions import beside, volume
from ir.plan.sparsity import Sparsity
from ir.plan.tally import Tally
from ir.plan.terms import Term, terms_of
from ir.tensor import ElementType, Storage, Tensor
from ir.yateto.nodes import packed_strides
from ir.zero_pattern import Mask


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A term before its last step: the steps that come first, and the draft of the last one.

    `mask` is the pattern of what the draft computes, over the indices `draft.result`.
    """

    mask: Mask
    before: tuple[Step, ...]
    draft: Draft


class Evaluator:
    """Collects steps, the temporaries that they use, and the orders that were chosen."""

    def __init__(self, graph: Graph, sparsity: Sparsity, homes: dict[int, Home], fresh: Callable[[str], str]) -> None:
        self.steps: list[Step] = []
        self.temporaries: list[Tensor] = []
        self.decisions: list[Decision] = []
        self.element_type = ElementType.F64
        self._graph = graph
        self._sparsity = sparsity
        self._homes = homes
        self._fresh = fresh
        self._placements: dict[int, Placement] = {}
        self._ready: dict[int, Ready] = {}

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
            prepared = _largest_first(prepared, target)
            rest = beside(target.ranges, target.region(prepared[0].draft)) if prepared else [target.ranges]
            for region in rest:
                self.fill(ZERO, beta, Target(target.placement, target.indices, region), 0 if prepared else scaling)
        for entry in prepared:
            self.steps += entry.before
            added = tally.add(entry.mask, entry.draft.result) + scaling
            self._emit(entry.draft, target, beta, added)
            beta, scaling = ONE, 0

    def fill(self, alpha: Coefficient, beta: Coefficient, target: Target, operations: int = 0) -> None:
        """Steps for `target := alpha + beta * target`."""
        draft = Draft((), {}, (), alpha, 0, ())
        self._emit(draft if target.takes(draft) else self._through_temporary(draft), target, beta, operations)

    def _prepare(self, group: Group, target: Target, tally: Tally) -> _Prepared:
        """A group of terms up to the step that writes it to the target."""
        start = len(self.steps)
        if len(group) == 1:
            mask, draft = group[0].mask, self._draft(group[0])
        else:
            mask, draft = self._added(group, indices_of(group, target.indices), tally)
        if not target.takes(draft):
            draft = self._through_temporary(draft)
        before = tuple(self.steps[start:])
        del self.steps[start:]
        return _Prepared(mask, before, draft)

    def _added(self, group: Group, indices: IndexMap, tally: Tally) -> tuple[Mask, Draft]:
        """The sum of a group's terms in a temporary: its pattern, and a draft that copies it."""
        needed = tally.needed(indices)
        terms = (broadcast(term.mask, term.map, indices, tally.extents) for term in group)
        mask = both(reduce(either, terms), needed)
        box = bounding_box(mask) or ()
        target = Target(self._temporary(box), indices, dict(zip(indices, box, strict=True)))
        self.write(group, ZERO, target, Tally(indices, needed))
        return mask, Draft(((target.placement, indices),), target.ranges, indices, ONE, 0, ())

    def _without_hazards(self, prepared: list[_Prepared], target: Target) -> list[_Prepared]:
        """If a term reads what the target overwrites: all terms computed up to a last step that does not.

        A single term may end in a step that replaces each entry by what depends on it alone.
        """
        alone = len(prepared) == 1 and _is_entrywise(prepared[0].draft, target)
        if alone or not any(self._reads(entry, target) for entry in prepared):
            return prepared
        safe = []
        for entry in prepared:
            self.steps += entry.before
            draft = self._through_temporary(entry.draft) if _draft_reads(entry.draft, target) else entry.draft
            safe.append(_Prepared(entry.mask, (), draft))
        return safe

    def _reads(self, entry: _Prepared, target: Target) -> bool:
        views = [(view, step.space.extents) for step in entry.before for view in step.operands]
        written = target.view()
        extents = _extents(target.ranges)
        return _draft_reads(entry.draft, target) or any(overlap(view, own, written, extents) for view, own in views)

    def _emit(self, draft: Draft, target: Target, beta: Coefficient, added: int) -> None:
        self.steps.append(step_of(draft, target, beta, added, self.element_type.size))

    def _through_temporary(self, draft: Draft) -> Draft:
        """Compute a draft; what is left is a copy."""
        box = tuple(draft.ranges[name] for name in draft.result)
        placement = self._temporary(box)
        ranges = dict(zip(draft.result, box, strict=True))
        self._emit(draft, Target(placement, draft.result, ranges), ZERO, 0)
        return Draft(((placement, draft.result),), ranges, draft.result, ONE, 0, draft.origin)

    def _temporary(self, box: tuple[Interval, ...]) -> Placement:
        """A new buffer for a box."""
        shape = tuple(stop - start for start, stop in box)
        name = self._fresh("tmp")
        self.temporaries.append(Tensor(name, self.element_type, Storage.TEMPORARY, shape, packed_strides(shape)))
        return Placement.of_box(name, box)

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _draft(self, term: Term) -> Draft:
        """The last step of a term, walked by the target's indices; steps before it are added."""
        node = self._graph.node(term.key)
        if isinstance(node, ScalarTerm):
            return Draft((), {}, (), times(term.coefficient, node.value), 0, node.origin)
        if isinstance(node, Contraction):
            return self._contraction(term.key, node, term.coefficient).walked_by(term.map)
        box = bounding_box(term.mask) or ()
        operations = 0 if is_sign(term.coefficient) else nonzeros(term.mask)
        ranges = dict(zip(term.map, box, strict=True))
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
        box = bounding_box(mask) or ()
        placement = self._temporary(box)
        indices = _result_map(self._graph.node(key))
        target = Target(placement, indices, dict(zip(indices, box, strict=True)))
        terms = self.dissolve(Term(ONE, key, indices, mask))
        self.write(terms, ZERO, target, Tally(indices, self._sparsity.needed[key]))
        return placement

    # -- contractions --------------------------------------------------------------------------------------------------

    def _contraction(self, key: int, node: Contraction, coefficient: Coefficient) -> Draft:
        """The last product of a contraction, walked by its own indices; the others are added."""
        ready = self._made_ready(key, node)
        operands = self._graph.operands(key)
        if len(operands) > 1:
            names = tuple(self._graph.describe(operand) for operand in operands)
            self.decisions.append(Decision(names, ready.orders[0], ready.orders[1:], node.origin))
        products = _Products(ready, operands, coefficient, node.origin)
        return self._product(products, ready.tree)

    def _product(self, products: "_Products", tree: Tree) -> Draft:
        """The product or sum at the root of a tree; those below are added."""
        ready = products.ready
        match tree:
            case Operand(factor=factor):
                placement = self._straight(products.operands[factor])
                summed = ready.alone[factor]
                result = tuple(name for name in ready.maps[factor] if name not in summed)
                return products.draft(((placement, ready.maps[factor]),), result, ready.presums[factor], tree)
            case Pair(left=left, right=right, indices=indices, operations=operations):
                factors = (self._factor(products, left), self._factor(products, right))
                return products.draft(factors, indices, operations, tree)

    def _factor(self, products: "_Products", tree: Tree) -> tuple[Placement, IndexMap]:
        """A tree as the operand of a product: a factor where it lies, anything else in a temporary."""
        if isinstance(tree, Operand) and not products.ready.alone[tree.factor]:
            return self._straight(products.operands[tree.factor]), products.ready.maps[tree.factor]
        return self._through_temporary(self._product(products, tree)).operands[0]

    def _made_ready(self, key: int, node: Contraction) -> Ready:
        if key not in self._ready:
            self._ready[key] = make_ready(self._graph, self._sparsity, key, node)
        return self._ready[key]

    def _scaling_cost(self, key: int, mask: Mask) -> int:
        """The operations that a coefficient at this node takes where it takes least."""
        node = self._graph.node(key)
        if isinstance(node, ScalarTerm) or not has_entries(mask):
            return 0
        if isinstance(node, Contraction):
            ready = self._made_ready(key, node)
            return ready.entries_of(ready.cheapest_scaling())
        return nonzeros(mask)


@dataclass(frozen=True, slots=True)
class _Products:
    """A contraction while its products are made; the coefficient goes where it costs least."""

    ready: Ready
    operands: tuple[int, ...]
    coefficient: Coefficient
    origin: Origin

    def draft(
        self, factors: tuple[tuple[Placement, IndexMap], ...], result: IndexMap, operations: int, tree: Tree
    ) -> Draft:
        """The draft of one product or sum of the tree."""
        ready = self.ready
        names = dict.fromkeys((*result, *(name for _, map_ in factors for name in map_)))
        ranges = {name: ready.ranges[name] for name in names}
        scaled = ready.tree if is_sign(self.coefficient) else ready.cheapest_scaling()
        if tree is not scaled:
            return Draft(factors, ranges, result, ONE, operations, self.origin)
        scaling = 0 if is_sign(self.coefficient) else ready.entries_of(tree)
        return Draft(factors, ranges, result, self.coefficient, operations + scaling, self.origin)


def _result_map(node: Node) -> IndexMap:
    """Names for the modes of a node's result: its own where it has some."""
    match node:
        case Slice(space=space) | Contraction(space=space) | Sum(space=space) | Scaling(space=space):
            return space.result_map
        case Leaf() | Assignment() | ScalarTerm():
            return tuple(str(mode) for mode in range(len(result_shape(node))))


def _largest_first(prepared: list[_Prepared], target: Target) -> list[_Prepared]:
    """The term that reaches most of the target in front of the others."""
    largest = max(prepared, key=lambda entry: volume(target.region(entry.draft)), default=None)
    return [entry for entry in prepared if entry is largest] + [entry for entry in prepared if entry is not largest]


def _draft_reads(draft: Draft, target: Target) -> bool:
    written, extents = target.view(), _extents(target.ranges)
    own = _extents(draft.ranges)
    return any(overlap(view, own, written, extents) for view in draft.views())


def _is_entrywise(draft: Draft, target: Target) -> bool:
    """Whether the draft reads an entry of the target for that entry alone."""
    if draft.reduction:
        return False
    replaced = target.placement.view(target.indices, target.region(draft))
    whole, extents = target.view(), _extents(target.ranges)
    own = _extents(draft.ranges)
    return all(view == replaced for view in draft.views() if overlap(view, own, whole, extents))


def _extents(region: Mapping[str, Interval]) -> dict[str, int]:
    return {name: stop - start for name, (start, stop) in region.items()}

"""Steps that compute nodes of the contraction graph into targets.

The terms of a value are computed one after the other. The products of a term go to temporaries, its last one goes
straight to the target: the first in its region with the given beta, what meets it with beta = 1. What no first term
reaches of the target is multiplied by beta beforehand. A term that reads what the target
overwrites is computed before anything is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from einsum_front.core.coefficient import ONE, ZERO, Coefficient, is_sign, times
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import Extent, hint, product, total
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.fuse import Fused, fused, is_pointwise, note
from einsum_front.ir.plan.gathering import gathering_of
from einsum_front.ir.plan.memory import Assigned
from einsum_front.ir.plan.pattern import (
    Box,
    Interval,
    bounding_box,
    broadcast,
    entries,
    part_of,
    within,
)
from einsum_front.ir.plan.pending import (
    PendingStep,
    Placement,
    Region,
    Target,
    in_one_loop,
    is_entrywise,
    is_first,
    is_worth_it,
    joins,
    lengths,
    pending_reads,
    steps_read,
    volume,
    without,
)
from einsum_front.ir.plan.plan import Step
from einsum_front.ir.plan.products import Products, Workspace
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.terms import Group, OperationCounter, Term, grouped, indices_of, operands_of, terms_of, uses
from einsum_front.ir.tensor import dense


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A term before its last step: the steps that come first, and the last one, which is pending.

    `pattern` is that of what the pending step computes, over the indices `pending.result`.
    """

    pattern: Pattern
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
        self._filled: dict[int, Placement] = {}
        self.fusions: dict[int, str] = {}
        self._has_functions = any(isinstance(node, cg.Elementwise | cg.Reduction) for node in graph.values)

    # -- terms into targets --------------------------------------------------------------------------------------------

    def dissolve(self, term: Term) -> list[Term]:
        """The terms that add up to a term; those that vanish are left out."""
        if self._is_one_payload(term.key) and not term.pattern.is_empty:
            return [term]
        return terms_of(self._graph, self._sparsity, term, self._dissolves)

    def write(self, terms: Sequence[Term], beta: Coefficient, target: Target, counter: OperationCounter) -> None:
        """Steps for `target := sum of terms + beta * target`; `counter` has counted what beta keeps.

        A scaled sum is added up in the target first, where nothing is kept: beta is its coefficient then.
        """
        if beta == ZERO and (sums := [term for term in terms if self._starts(term, terms, target)]):
            largest = max(sums, key=self._size)
            alone = Term(ONE, largest.key, largest.map, largest.pattern)
            self.write(operands_of(self._graph, self._sparsity, alone, self._dissolves), ZERO, target, counter)
            terms, beta = [term for term in terms if term is not largest], largest.coefficient
        scaling = counter.scaling(beta)
        groups = grouped(terms, target.indices, counter.extents)
        is_set = len(groups) == 1 and beta == ZERO
        prepared = [self._prepare(group, target, counter, is_set=is_set) for group in groups]
        prepared = self._without_hazards(prepared, target)
        if self._has_functions and not self._has_zeros(target):
            prepared = self._joined(prepared, target)
        if beta != ONE:
            prepared = self._largest_first(prepared, target)
        written: list[Region] = []
        first = [is_first(target.region(entry.pending), written) for entry in prepared]
        if beta != ONE:
            for region in without(target.ranges, written):
                self._workspace.fill(ZERO, beta, target.on(region), 0 if prepared else scaling)
        for entry, comes_first in zip(prepared, first, strict=True):
            self._workspace.steps += entry.before
            added = counter.add(entry.pattern, entry.pending.result) + scaling
            self._workspace.emit(entry.pending, target, beta if comes_first else ONE, added)
            scaling = 0

    def _prepare(self, group: Group, target: Target, counter: OperationCounter, *, is_set: bool) -> _Prepared:
        """A group of terms up to the step that writes it to the target, of which nothing is kept if it `is_set`."""
        with self._workspace.set_aside() as before:
            if len(group) == 1:
                pattern, pending = group[0].pattern, self._pending(group[0])
            else:
                pattern, pending = self._added(group, indices_of(group, target.indices), counter)
            if pending.combiner is not None and not (is_set and pending.alpha == ONE):
                made = self._workspace.through_temporary(replace(pending, alpha=ONE))
                pending = replace(made, alpha=pending.alpha)
            if not target.takes(pending) or (pending.payload is not None and self._has_zeros(target)):
                pending = self._workspace.through_temporary(pending)
        return _Prepared(pattern, tuple(before), pending)

    def _has_zeros(self, target: Target) -> bool:
        """True if a target is an argument with entries that must not be written: a payload writes all of its box."""
        tensors = (tensor for tensor in self._graph.arguments if tensor.name == target.placement.buffer)
        return any(tensor.nonzeros is not None for tensor in tensors)

    def _added(self, group: Group, indices: IndexMap, counter: OperationCounter) -> tuple[Pattern, PendingStep]:
        """The sum of a group's terms in a temporary: its pattern, and a pending step that copies it."""
        needed = counter.needed(indices)
        terms = (broadcast(term.pattern, term.map, indices, counter.extents) for term in group)
        pattern = reduce(or_, terms) & needed
        extents = {name: counter.extents[name] for name in indices}
        target = self._workspace.temporary(indices, bounding_box(pattern, tuple(extents.values())) or ())
        self.write(group, ZERO, target, OperationCounter(extents, needed))
        return pattern, self._workspace.copy_of(target)

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
            safe.append(_Prepared(entry.pattern, (), pending))
        return safe

    def _joined(self, prepared: list[_Prepared], target: Target) -> list[_Prepared]:
        """The terms without a reduction as one loop behind the others, where that saves a pass.

        What comes before a term stays where it is: later ones may rest on it.
        """
        shape = tuple(lengths(target.ranges).values())
        flags = [entry.pattern.is_full and joins(entry.pending, target) for entry in prepared]
        joining = [entry.pending for entry, is_joining in zip(prepared, flags, strict=True) if is_joining]
        others = [entry.pending for entry, is_joining in zip(prepared, flags, strict=True) if not is_joining]
        if not is_worth_it(joining, others, target):
            return prepared
        kept: list[_Prepared] = []
        before: tuple[Step, ...] = ()
        for entry, is_joining in zip(prepared, flags, strict=True):
            before += entry.before
            if not is_joining:
                kept.append(replace(entry, before=before))
                before = ()
        return [*kept, _Prepared(dense(shape), before, in_one_loop(joining, target))]

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
            done.append(_Prepared(entry.pattern, (), entry.pending))
        return [done[-1], *done[:-1], *prepared[largest + 1 :]]

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _pending(self, term: Term) -> PendingStep:
        """The last step of a term, walked by the target's indices; steps before it are added."""
        node = self._graph.node(term.key)
        if isinstance(node, cg.ScalarTerm):
            return PendingStep((), {}, (), times(term.coefficient, node.value), 0, node.origin)
        if self._is_function(term.key) and uses(self._graph, term.key) == 1:
            return replace(self._functions(term.key), alpha=term.coefficient).walked_by(term.map)
        if isinstance(node, cg.Contraction) and uses(self._graph, term.key) == 1:
            return self.products.pending(term.key, node, term.coefficient).walked_by(term.map)
        if isinstance(node, cg.Embedding) and uses(self._graph, term.key) == 1:
            inner = self._graph.operands(term.key)[0]
            pattern = part_of(term.pattern, node.parts, node.space)
            pending = self._pending(Term(term.coefficient, inner, term.map, pattern))
            return pending.moved(dict(zip(term.map, node.offsets, strict=True)))
        shape = cg.result_shape(node)
        operations = 0 if is_sign(term.coefficient) else entries(term.pattern, shape)
        ranges = dict(zip(term.map, bounding_box(term.pattern, shape) or (), strict=True))
        placement = self._place(term.key)
        return PendingStep(((placement, term.map),), ranges, term.map, term.coefficient, operations, node.origin)

    def _place(self, key: int) -> Placement:
        """Where a node's value lies, computed if it is not yet; it may be a diagonal of a buffer."""
        node = self._graph.node(key)
        match node:
            case cg.Leaf() | cg.Assignment():
                assigned = self._buffers[key]
                return Placement.of_box(assigned.buffer, assigned.box)
            case cg.Slice(space=space, parts=parts):
                if key in self._placements:
                    return self._placements[key]
                return self._place(self._graph.operands(key)[0]).sliced(parts, space.result_map)
            case cg.Embedding(offsets=offsets):
                return self._place(self._graph.operands(key)[0]).moved(offsets)
            case (
                cg.Contraction() | cg.Sum() | cg.Elementwise() | cg.Reduction() | cg.Scaling() | cg.ScalarTerm()
                | cg.Gather()
            ):  # fmt: skip
                if key not in self._placements:
                    self._placements[key] = self._computed(key)
                return self._placements[key]

    # -- functions of entries ------------------------------------------------------------------------------------------

    def _is_function(self, key: int) -> bool:
        """True if a value is computed by a payload."""
        return isinstance(self._graph.node(key), cg.Elementwise | cg.Reduction) or self._is_one_payload(key)

    def _is_one_payload(self, key: int) -> bool:
        """True if a sum or a product is done in one loop: with functions in it, or with other sums and products.

        A sum whose terms are products with a reduction is none: they are added to the target without a temporary.
        Kernels without functions keep their instructions, which all schedules know.
        """
        if not self._has_functions or not isinstance(self._graph.node(key), cg.Sum | cg.Scaling | cg.Contraction):
            return False
        if not is_pointwise(self._graph, self._sparsity, key):
            return False
        fusion = fused(self._graph, self._sparsity, key)
        if any(map(self._is_reduced_once, self._graph.operands(key))):
            return False
        return fusion.has_functions(self._graph) or self._is_chain(fusion)

    def _is_chain(self, fusion: Fused) -> bool:
        """True if a loop saves a pass over a temporary: it does several steps, of which none adds up products."""
        steps = [key for key in fusion.members if not isinstance(self._graph.node(key), cg.Scaling)]
        return len(steps) > 1 and not any(
            self._is_reduced_once(each) for key in steps for each in self._graph.operands(key)
        )

    def _is_reduced_once(self, key: int) -> bool:
        node = self._graph.node(key)
        return isinstance(node, cg.Contraction) and bool(node.space.reduction) and uses(self._graph, key) == 1

    def _functions(self, key: int) -> PendingStep:
        """The step of a value that a payload computes, walked by its own indices; its operands are made."""
        node, fusion = self._graph.node(key), fused(self._graph, self._sparsity, key)
        if not isinstance(node, cg.Elementwise | cg.Reduction | cg.Sum | cg.Scaling | cg.Contraction):
            raise CompilerBug("only pointwise values and reductions have payloads")
        box = bounding_box(self._sparsity.equivalent[key], node.space.result_shape) or ()
        ranges: dict[str, Interval] = dict(zip(node.space.result_map, box, strict=True))
        ranges |= {index.name: (0, index.extent) for index in node.space.reduction}
        operands = tuple(
            (self._full(operand, tuple(ranges[name] for name in map_)), map_) for operand, map_ in fusion.operands
        )
        self.fusions[key] = note(self._graph, fusion)
        entries_of_space = product(stop - start for start, stop in ranges.values())
        operations = len(fusion.payload.operations) * entries_of_space
        combiner = node.function if isinstance(node, cg.Reduction) else None
        return PendingStep(
            operands, ranges, node.space.result_map, ONE, operations, node.origin, fusion.payload, combiner
        )

    def _full(self, key: int, box: Box) -> Placement:
        """Where a value lies, all entries of a box of which can be read: known zeros too."""
        if within(box, self._sparsity.forward[key]).is_full:
            return self._straight(key)
        if key not in self._filled:
            node = self._graph.node(key)
            indices, shape = _result_map(node), cg.result_shape(node)
            target = self._workspace.temporary(indices, tuple((0, size) for size in shape))
            pattern = self._sparsity.equivalent[key]
            terms = [] if pattern.is_empty else [Term(ONE, key, indices, pattern)]
            counter = OperationCounter(dict(zip(indices, shape, strict=True)), self._sparsity.needed[key])
            self.write(terms, ZERO, target, counter)
            self._filled[key] = target.placement
        return self._filled[key]

    def _straight(self, key: int) -> Placement:
        """Where a node's value lies; a diagonal is copied."""
        placement = self._place(key)
        if placement.has_diagonal:
            placement = self._placements[key] = self._computed(key)
        return placement

    def _computed(self, key: int) -> Placement:
        """A new temporary with the node's value, as far as it matters."""
        pattern = self._sparsity.equivalent[key]
        node = self._graph.node(key)
        if isinstance(node, cg.Gather):
            return self._workspace.gather(gathering_of(self._graph, key, node), node.space, node.origin).placement
        if self._is_function(key):
            return self._workspace.through_temporary(self._functions(key)).operands[0][0]
        if isinstance(node, cg.Contraction):
            return self._workspace.through_temporary(self.products.pending(key, node, ONE)).operands[0][0]
        indices, shape = _result_map(node), cg.result_shape(node)
        target = self._workspace.temporary(indices, bounding_box(pattern, shape) or ())
        terms = operands_of(self._graph, self._sparsity, Term(ONE, key, indices, pattern), self._dissolves)
        self.write(
            terms, ZERO, target, OperationCounter(dict(zip(indices, shape, strict=True)), self._sparsity.needed[key])
        )
        return target.placement

    # -- coefficients of sums ------------------------------------------------------------------------------------------

    def _starts(self, term: Term, terms: Sequence[Term], target: Target) -> bool:
        """True if a term is a sum that reaches all of a target, which no term reads."""
        node = self._graph.node(term.key)
        if not isinstance(node, cg.Sum) or uses(self._graph, term.key) > 1 or self._has_functions:
            return False
        box = bounding_box(term.pattern, cg.result_shape(node)) or ()
        is_whole = dict(zip(term.map, box, strict=True)) == target.ranges if box else not target.ranges
        if not is_whole or target.placement.has_diagonal:
            return False
        return not any(self._reads(each.key, target.placement.buffer) for each in terms)

    def _reads(self, key: int, buffer: str) -> bool:
        """True if a value is made of what is in a buffer."""
        if isinstance(self._graph.node(key), cg.Leaf | cg.Assignment):
            return key in self._buffers and self._buffers[key].buffer == buffer
        return any(self._reads(operand, buffer) for operand in self._graph.operands(key))

    def _dissolves(self, term: Term, operands: Sequence[Term]) -> bool:
        """True if scaling the terms of a sum costs no more than scaling the sum, or it would be too large."""
        alone = self._size(term)
        scaled = dict(self._scaled(each.key, each.pattern) for each in operands)
        return alone > self._workspace.largest or hint(total(scaled.values())) <= alone

    def _size(self, term: Term) -> int:
        return hint(entries(term.pattern, cg.result_shape(self._graph.node(term.key))))

    def _scaled(self, key: int, pattern: Pattern) -> tuple[object, Extent]:
        """What a coefficient at this node is multiplied into where it takes least, and the operations of that."""
        if pattern.is_empty:
            return key, 0
        match self._graph.node(key):
            case cg.ScalarTerm():
                return key, 0
            case cg.Embedding(parts=parts, space=space) if uses(self._graph, key) == 1:
                return self._scaled(self._graph.operands(key)[0], part_of(pattern, parts, space))
            case cg.Contraction() as node if uses(self._graph, key) == 1:
                return self.products.cheapest_scaling(key, node)
            case (
                cg.Leaf() | cg.Slice() | cg.Embedding() | cg.Contraction() | cg.Sum() | cg.Scaling() | cg.Elementwise()
                | cg.Reduction() | cg.Assignment() | cg.Gather()
            ) as node:  # fmt: skip
                return key, entries(pattern, cg.result_shape(node))


def _result_map(node: cg.Node) -> IndexMap:
    """Names for the modes of a node's result: its own where it has some."""
    match node:
        case cg.Slice(space=space) | cg.Embedding(space=space) | cg.Contraction(space=space) | cg.Sum(space=space):
            return space.result_map
        case cg.Scaling(space=space) | cg.Elementwise(space=space) | cg.Reduction(space=space):
            return space.result_map
        case cg.Gather(space=space):
            return space.result_map
        case cg.Leaf() | cg.Assignment() | cg.ScalarTerm():
            return tuple(str(mode) for mode in range(len(cg.result_shape(node))))

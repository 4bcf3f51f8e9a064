"""From the contraction graph to steps: one statement after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from einsum_front.core.coefficient import ZERO, Coefficient, is_zero
from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.plan.evaluate import Evaluator
from einsum_front.ir.plan.memory import Assigned, assign_buffers
from einsum_front.ir.plan.pattern import bounding_box, of_box, part_of
from einsum_front.ir.plan.pending import Placement, Target
from einsum_front.ir.plan.plan import Decision, Step, StepKind, View
from einsum_front.ir.plan.products import Workspace, temporary_of
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.terms import OperationCounter, reads_itself, value_term
from einsum_front.ir.tensor import Tensor, pattern_of


@dataclass(frozen=True, slots=True)
class Schedule:
    """The steps of a kernel, the temporaries that they use (in the packed layout so far), and the orders chosen.

    `equals` are the numbers of other orders, by the keys of contractions, that are about as good as the best one.
    `fusions` say which functions are done together.
    """

    steps: tuple[Step, ...]
    temporaries: tuple[Tensor, ...]
    decisions: tuple[Decision, ...]
    equals: Mapping[int, int]
    fusions: tuple[str, ...] = ()


def schedule(
    graph: Graph, sparsity: Sparsity, max_temporary: float, preferred: Mapping[int, int] = MappingProxyType({})
) -> Schedule:
    """The steps that compute what the graph says; products keep to `max_temporary` bytes if an order does.

    `preferred` are numbers of orders to take instead of the best one, by the keys of contractions, counted from 1.
    """
    taken = {tensor.name for tensor in graph.arguments} | {scalar.name for scalar in graph.scalars}
    names = Names(taken)
    buffers = assign_buffers(graph, sparsity, names.fresh)
    workspace = Workspace(names.numbered, max_temporary)
    evaluator = Evaluator(graph, sparsity, buffers, workspace, preferred)
    declared = {assigned.buffer: _own_temporary(graph, key, assigned) for key, assigned in buffers.items()}
    for key, node in graph.assignments:
        if key in buffers:
            workspace.begin(node.tensor.element_type, node.origin)
            _define(buffers[key], key, workspace)
            _assign(graph, sparsity, buffers, evaluator, key)
    own = tuple(tensor for tensor in declared.values() if tensor is not None)
    decisions, equals = tuple(evaluator.products.decisions), evaluator.products.equals
    steps, temporaries = in_place(workspace.steps, own + tuple(workspace.temporaries), graph.arguments)
    return Schedule(steps, temporaries, decisions, equals, tuple(evaluator.fusions.values()))


def _assign(graph: Graph, sparsity: Sparsity, buffers: dict[int, Assigned], evaluator: Evaluator, key: int) -> None:
    """The steps of one statement; none if an argument is overwritten before anybody reads it.

    All of a temporary's box is written: what does not matter of it may be read, and multiplied by zero.
    """
    assigned, node = buffers[key], graph.assignment(key)
    region = bounding_box(part_of(_stored(node, assigned), node.parts, node.space), node.space.result_shape)
    needed = part_of(sparsity.needed[key] & pattern_of(node.tensor), node.parts, node.space)
    if region is None or not (node.tensor.storage is Storage.TEMPORARY or not needed.is_empty):
        return
    indices = node.space.result_map
    placement = Placement.of_box(assigned.buffer, assigned.box).sliced(node.parts, indices)
    target = Target(placement, indices, dict(zip(indices, region, strict=True)))
    counter = OperationCounter(node.space.extents, needed)
    previous = graph.version_before(key)
    in_place = previous in buffers and buffers[previous].buffer == assigned.buffer
    beta: Coefficient = ZERO
    terms = []
    for term in evaluator.dissolve(value_term(graph, sparsity, key, node)):
        is_own = in_place and reads_itself(graph, term, node.parts, previous)
        if is_own and beta == ZERO:
            beta = term.coefficient
            counter.add(term.pattern, term.map)
        else:
            terms.append(term)
    evaluator.write(terms, beta, target, counter)


def _stored(node: cg.Assignment, assigned: Assigned) -> Pattern:
    """The entries of the tensor that its memory has: those of the box of a temporary, those not declared to be zero."""
    if node.tensor.storage is not Storage.TEMPORARY:
        return pattern_of(node.tensor)
    return of_box(assigned.box, node.tensor.shape)


def _define(assigned: Assigned, key: int, workspace: Workspace) -> None:
    """Set to zero, before the first assignment, what may be read before it is written."""
    if assigned.first == key and assigned.undefined is not None:
        indices = tuple(str(mode) for mode in range(len(assigned.box)))
        ranges = dict(zip(indices, assigned.undefined, strict=True))
        workspace.fill(ZERO, ZERO, Target(Placement.of_box(assigned.buffer, assigned.box), indices, ranges))


def _own_temporary(graph: Graph, key: int, assigned: Assigned) -> Tensor | None:
    """The buffer of a declared temporary tensor."""
    tensor = graph.tensor_of(key)
    if tensor.storage is not Storage.TEMPORARY:
        return None
    return temporary_of(assigned.buffer, tensor.element_type, assigned.box, tensor.origin)


# -- values that a payload reads once are computed where its result goes -----------------------------------------------
#     tmp[i,j] := X[i,k] * W[k,j]                 Y[i,j] := X[i,k] * W[k,j]
#     Y[i,j]   := relu(tmp[i,j] + b[j])           Y[i,j] := relu(Y[i,j] + b[j])
#
# So a product with an activation takes no memory of its own. Left: temporaries that anything else reads, or of which
# the payload reads a part or a diagonal, results that are added to what is there, and targets that a step in between
# reads or writes.


def in_place(
    steps: Sequence[Step], temporaries: Sequence[Tensor], arguments: Sequence[Tensor]
) -> tuple[tuple[Step, ...], tuple[Tensor, ...]]:
    """The steps with fewer temporaries, and those that are left."""
    known = {tensor.name: tensor for tensor in (*arguments, *temporaries)}
    made = list(steps)
    for number, step in enumerate(made):
        if step.kind is StepKind.ELEMENTWISE and step.combiner is None and is_zero(step.beta):
            for view in step.operands:
                _replace(made, number, view, known)
    used = {buffer for step in made for buffer in step.buffers}
    return tuple(made), tuple(tensor for tensor in temporaries if tensor.name in used)


def _replace(steps: list[Step], number: int, view: View, known: Mapping[str, Tensor]) -> None:
    """Put the target of a step in the place of a temporary that it reads, if that changes nothing else."""
    step, source = steps[number], known[view.buffer]
    if source.storage is not Storage.TEMPORARY or not _is_whole(step, view, source) or not _is_free(step.target, known):
        return
    if set(view.indices) != set(step.target.indices):
        return
    touching = [n for n, each in enumerate(steps) if view.buffer in _buffers(each)]
    writing = touching[:-1]
    is_read_once = step.operands.count(view) == sum(each.buffer == view.buffer for each in step.operands)
    if not writing or touching[-1] != number or not is_read_once:
        return
    if any(view.buffer in (each.buffer for each in steps[n].operands) for n in writing):
        return
    if any(step.target.buffer in _buffers(steps[n]) for n in range(writing[0], number)):
        return
    if any(each.buffer == step.target.buffer for each in step.operands):
        return
    for n in writing:
        steps[n] = replace(steps[n], target=_moved(steps[n].target, view, step.target))
    operands = tuple(step.target if each == view else each for each in step.operands)
    steps[number] = replace(step, operands=operands)


def _buffers(step: Step) -> set[str]:
    return set(step.buffers)


def _is_whole(step: Step, view: View, tensor: Tensor) -> bool:
    """True if a view has all entries of a tensor, each once."""
    extents = step.space.extents
    whole = (
        isinstance(part, cg.Along) and part.offset == 0 and extents[part.index] == size
        for part, size in zip(view.parts, tensor.shape, strict=True)
    )
    return all(whole) and not view.has_diagonal


def _is_free(target: View, known: Mapping[str, Tensor]) -> bool:
    """True if all entries of a target may be written, and more than once."""
    return known[target.buffer].nonzeros is None and not target.has_diagonal


def _moved(written: View, read: View, target: View) -> View:
    """The part of the target that has the place of a part of the temporary; `read` is all of that."""
    mode_of = {part.index: mode for mode, part in enumerate(read.parts) if isinstance(part, cg.Along)}
    parts: list[cg.Part] = []
    for part in target.parts:
        match part:
            case cg.At():
                parts.append(part)
            case cg.Along(index=index, offset=offset):
                parts.append(_shifted(written.parts[mode_of[index]], offset))
    return View(target.buffer, tuple(parts))


def _shifted(part: cg.Part, offset: int) -> cg.Part:
    match part:
        case cg.At(position=position):
            return cg.At(position + offset)
        case cg.Along(index=index, offset=start):
            return cg.Along(index, start + offset)

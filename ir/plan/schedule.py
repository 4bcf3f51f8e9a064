"""From the contraction graph to steps: one statement after the other."""

from collections.abc import Mapping
from types import MappingProxyType

from einsum_front.core.coefficient import ZERO, Coefficient
from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.patterns import part_of
from einsum_front.ir.plan.buffer_assignment import Assigned, assign_buffers
from einsum_front.ir.plan.evaluate import Evaluator
from einsum_front.ir.plan.in_place import in_place
from einsum_front.ir.plan.operation_counter import OperationCounter
from einsum_front.ir.plan.pattern import bounding_box, of_box
from einsum_front.ir.plan.pending import Target
from einsum_front.ir.plan.placement import Placement
from einsum_front.ir.plan.plan import Decision, Step
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.terms import reads_itself, value_term
from einsum_front.ir.plan.workspace import Workspace, temporary_of
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.zero_pattern import pattern_of


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

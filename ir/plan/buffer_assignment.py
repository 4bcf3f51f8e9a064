"""Where each version of each tensor lives: arguments in their memory, temporaries in as few buffers as are safe.

A version of a temporary tensor that keeps entries of the one before, or adds to it, shares its buffer; a version that
overwrites everything gets a new one. A buffer of a temporary is as large as the box of the entries that matter.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from einsum_front.core.dataclass import dataclass
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.patterns import with_part
from einsum_front.ir.plan.pattern import Box, bounding_box, of_box
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.terms import Term, reads_itself, terms_of, value_term
from einsum_front.ir.tensor import Tensor, empty


@dataclass(frozen=True, slots=True)
class Assigned:
    """The buffer of some versions of a tensor, and the box of the tensor that it holds.

    `undefined` is a box of entries that may be read and that no statement writes before: they have to be set to zero
    before `first`, the key of the first assignment.
    """

    buffer: str
    box: Box
    first: int | None = None
    undefined: Box | None = None


def assign_buffers(graph: Graph, sparsity: Sparsity, fresh: Callable[[str], str]) -> dict[int, Assigned]:
    """The home of every version that has one, by key; versions of temporaries that do not matter have none."""
    buffers: dict[int, Assigned] = {}
    for tensor in graph.tensors:
        versions = graph.versions.get(tensor.name, ())
        if tensor.storage is Storage.TEMPORARY:
            buffers |= _temporary(graph, sparsity, tensor, versions, fresh)
        else:
            assigned = Assigned(tensor.name, tuple((0, size) for size in tensor.shape))
            buffers |= dict.fromkeys([graph.leaves[tensor.name], *versions], assigned)
    return buffers


def _temporary(
    graph: Graph, sparsity: Sparsity, tensor: Tensor, versions: Sequence[int], fresh: Callable[[str], str]
) -> dict[int, Assigned]:
    groups: list[list[int]] = [[graph.leaves[tensor.name]]]
    for key in versions:
        if _is_in_place(graph, sparsity, key):
            groups[-1].append(key)
        else:
            groups.append([key])
    buffers: dict[int, Assigned] = {}
    for group in groups:
        box = bounding_box(reduce(or_, (sparsity.equivalent[key] for key in group)), tensor.shape)
        if box is not None:
            first = next(key for key in group if isinstance(graph.node(key), cg.Assignment))
            assigned = Assigned(fresh(tensor.name), box, first, _undefined(graph, tensor, group, box))
            buffers |= dict.fromkeys(group, assigned)
    return buffers


def _is_in_place(graph: Graph, sparsity: Sparsity, key: int) -> bool:
    node = graph.node(key)
    if not isinstance(node, cg.Assignment):
        return False
    if len(graph.operands(key)) > cg.PREVIOUS:
        return True
    previous = graph.version_before(key)
    terms = terms_of(graph, sparsity, value_term(graph, sparsity, key, node), _always)
    return any(reads_itself(graph, term, node.parts, previous) for term in terms)


def _always(_term: Term, _operands: Sequence[Term]) -> bool:
    return True


def _undefined(graph: Graph, tensor: Tensor, group: Sequence[int], box: Box) -> Box | None:
    """The box around the entries that no assignment writes before anything reads the buffer."""
    uncovered = of_box(box, tensor.shape)
    for key in group:
        node = graph.node(key)
        if isinstance(node, cg.Assignment):
            uncovered = with_part(uncovered, node.parts, node.space, empty(node.space.result_shape))
        if any(position != cg.PREVIOUS or not _is_assignment(graph, user) for user, position in graph.users(key)):
            break
    return bounding_box(uncovered, tensor.shape)


def _is_assignment(graph: Graph, key: int) -> bool:
    return isinstance(graph.node(key), cg.Assignment)

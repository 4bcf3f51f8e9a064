"""Memory: when each buffer is used first and last, and how much temporaries take."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import accumulate
from operator import add, or_

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label
from einsum_front.core.extent import Extent, hint, total
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.unparse import unparse_tensor
from einsum_front.ir.plan.pattern import Box, bounding_box, of_box, with_part
from einsum_front.ir.plan.plan import Buffer, Plan, Step
from einsum_front.ir.plan.sparsity import Sparsity
from einsum_front.ir.plan.terms import Term, reads_itself, terms_of, value_term
from einsum_front.ir.tensor import Tensor, empty


def with_lifetimes(tensors: Sequence[Tensor], steps: Sequence[Step]) -> tuple[Buffer, ...]:
    """The tensors as buffers, with the numbers of the first and the last step that use them."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, step in enumerate(steps):
        for buffer in step.buffers:
            first.setdefault(buffer, number)
            last[buffer] = number
    return tuple(Buffer(tensor, first.get(tensor.name), last.get(tensor.name)) for tensor in tensors)


def bytes_alive(temporaries: Sequence[Tensor], steps: Sequence[Step]) -> list[Extent]:
    """The bytes of temporaries that are alive at each step."""
    changes: list[Extent] = [0] * (len(steps) + 1)
    for each in with_lifetimes(temporaries, steps):
        if each.first is not None and each.last is not None:
            changes[each.first] = changes[each.first] + each.bytes
            changes[each.last + 1] = changes[each.last + 1] - each.bytes
    return list(accumulate(changes[:-1], add))


def peak_bytes(buffers: Sequence[Buffer]) -> Extent:
    """The most memory that temporaries take at one time, in bytes."""
    return max((needed for _, needed in _needed(buffers)), default=0, key=hint)


def first_beyond(buffers: Sequence[Buffer], max_temp: float) -> Buffer | None:
    """The first temporary for which there are not enough bytes left; None if there are for all."""
    return next((buffer for buffer, needed in _needed(buffers) if hint(needed) > max_temp), None)


def too_much_memory(plan: Plan, max_temp: float) -> Diagnostic:
    """Error for a plan whose temporaries take more than `max_temp` bytes."""
    buffer = first_beyond(plan.buffers, max_temp)
    if buffer is None or buffer.first is None:
        raise CompilerBug(f"the temporaries of `{plan.name}` fit")
    alive = _alive(plan.buffers, buffer)
    step = plan.steps[buffer.first]
    label = f"`{buffer.tensor.name}` is needed here"
    notes = [f"{_described(each)} is alive as well" for each in alive]
    if hint(peak_bytes(plan.buffers)) > hint(buffer.bytes + _bytes(alive)):
        notes.append(f"steps behind it need {peak_bytes(plan.buffers)} bytes at a time")
    return Diagnostic(
        "E0302",
        f"kernel `{plan.name}` does not fit {max_temp} bytes of temporaries: {_described(buffer)} is too much",
        tuple(Label(span, label) for span in step.statement[:1]),
        (*notes, "of the orders that were tried this one needs the fewest bytes"),
    )


def _described(buffer: Buffer) -> str:
    return f"`{buffer.tensor.name}` ({unparse_tensor(buffer.tensor)}, {buffer.bytes} bytes)"


def _temporaries(buffers: Sequence[Buffer]) -> list[Buffer]:
    """The temporaries that are used, the first ones first."""
    used = [(buffer.first, buffer) for buffer in buffers if buffer.is_temporary and buffer.first is not None]
    return [buffer for _, buffer in sorted(used, key=lambda entry: entry[0])]


def _needed(buffers: Sequence[Buffer]) -> Iterator[tuple[Buffer, Extent]]:
    """The temporaries, each with the bytes of all that are alive when it begins, itself included."""
    alive: Extent = 0
    ends: list[tuple[int, int]] = []
    temporaries = _temporaries(buffers)
    for number, buffer in enumerate(temporaries):
        while ends and ends[0][0] < (buffer.first or 0):
            alive = alive - temporaries[heappop(ends)[1]].bytes
        alive = alive + buffer.bytes
        heappush(ends, (buffer.last or 0, number))
        yield buffer, alive


def _alive(buffers: Sequence[Buffer], newcomer: Buffer) -> list[Buffer]:
    """The temporaries in front of another one that are still alive when it begins."""
    temporaries = _temporaries(buffers)
    earlier = temporaries[: temporaries.index(newcomer)]
    return [buffer for buffer in earlier if (buffer.last or 0) >= (newcomer.first or 0)]


def _bytes(buffers: Sequence[Buffer]) -> Extent:
    return total(buffer.bytes for buffer in buffers)


# -- where each version of each tensor lives ---------------------------------------------------------------------------
# Arguments in their memory, temporaries in as few buffers as are safe. A version of a temporary tensor that keeps
# entries of the one before, or adds to it, shares its buffer; a version that overwrites everything gets a new one. A
# buffer of a temporary is as large as the box of the entries that matter.


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

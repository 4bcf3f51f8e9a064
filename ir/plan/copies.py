"""Copies of operands with their modes in another order, where a product gains more by them than they cost.

    axpby A_copy[b, x, a, y] := A[b, x, a, y]                                     modes 2 1 3 0
    log   C[a, p, b, q] := sum over x, y of A_copy[b, x, a, y] * B[q, x, y, p]

Where rows of the result are no neighbours in the operand that has them, each matrix product of a loop copies them
again, or does without vectors; a copy beforehand is made once. Copies take only memory that temporaries leave: a kernel
needs no more at one time with them than without. Products with dynamic extents have no copies.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from einsum_front.core.coefficient import ONE, ZERO
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import hint, product, sizes_in, static
from einsum_front.core.machine import Machine
from einsum_front.core.names import fresh_numbered
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import Index, IndexMap, IterationSpace
from einsum_front.ir.plan.cost import Cost
from einsum_front.ir.plan.cycles import Tensors, cycles, least_cycles
from einsum_front.ir.plan.memory import bytes_alive
from einsum_front.ir.plan.plan import Step, StepKind, View
from einsum_front.ir.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Copy:
    """The step that copies an operand, and the temporary that it makes."""

    step: Step
    tensor: Tensor

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        return static(self.tensor.footprint) * self.tensor.element_type.size


@dataclass(frozen=True, slots=True)
class Prepared:
    """A step, the copies that are made for it beforehand, and the cycles that all of them take."""

    step: Step
    copies: tuple[Copy, ...]
    cycles: float


def rooms(temporaries: Sequence[Tensor], steps: Sequence[Step]) -> list[int]:
    """For each step, how many bytes of temporaries less are alive than when most are."""
    alive = bytes_alive(temporaries, steps)
    most = max(map(hint, alive), default=0)
    return [most - hint(each) for each in alive]


def with_copies(
    steps: Sequence[Step], tensors: Tensors, room: Sequence[int], machine: Machine, taken: Collection[str]
) -> tuple[tuple[Tensor, ...], tuple[Step, ...]]:
    """The copies that pay, each step having so many bytes for them, and the steps with those that make the copies.

    The names of copies are none of those of tensors, and none of those that are `taken`.
    """
    names = {*taken, *tensors}
    made: list[Prepared] = []
    for step, left in zip(steps, room, strict=True):
        made.append(prepared(step, tensors, left, machine, names))
        names |= {copy.tensor.name for copy in made[-1].copies}
    copies = chain.from_iterable(each.copies for each in made)
    with_them = chain.from_iterable((*(copy.step for copy in each.copies), each.step) for each in made)
    return tuple(copy.tensor for copy in copies), tuple(with_them)


def prepared(step: Step, tensors: Tensors, room: int, machine: Machine, taken: Collection[str] = ()) -> Prepared:
    """The step with the copies of at most `room` bytes that make it cheapest, if any do."""
    best = Prepared(step, (), cycles(step, tensors, machine))
    if step.kind is not StepKind.LOG or sizes_in(step.space.extents.values()):
        return best
    if all(_entries(step, view) * _size(view, tensors) < machine.memory.lines.bytes for view in step.operands):
        return best  # near in any order
    own = {view.buffer: tensors[view.buffer] for view in (*step.operands, step.target)}
    for _ in step.operands:
        before = best
        for option in _with_another(before, own, room, machine, taken):
            best = option if option.cycles < best.cycles else best
        if best is before:
            break
    return best


def room_used(step: Step, tensors: Tensors, room: int) -> int:
    """As much of the room for copies as some of them can take: more of it changes nothing about a step."""
    if step.kind is not StepKind.LOG or sizes_in(step.space.extents.values()):
        return 0
    sizes = [_entries(step, view) * _size(view, tensors) for view in step.operands]
    return max(size for size in (0, *sizes, sum(sizes)) if size <= max(room, 0))


def _with_another(
    base: Prepared, tensors: Tensors, room: int, machine: Machine, taken: Collection[str]
) -> Iterator[Prepared]:
    """The step with one copy more, in all ways that may be cheaper: what the first cache holds is near in any order.

    Each is cheaper than those before it.
    """
    known = {**tensors, **{copy.tensor.name: copy.tensor for copy in base.copies}}
    copying = sum(cycles(copy.step, known, machine) for copy in base.copies)
    least, fewest = least_cycles(base.step, known, machine), base.cycles
    gain = fewest - copying - least
    left = room - sum(copy.bytes for copy in base.copies)
    copied = {copy.tensor.name for copy in base.copies}
    for number, view in enumerate(base.step.operands):
        entries = _entries(base.step, view)
        is_worth_it = entries <= gain and machine.memory.lines.bytes <= entries * _size(view, known) <= left
        if view.buffer in copied or view.has_diagonal or not is_worth_it:
            continue
        for indices in _suggested(base.step, number, known):
            copy = _copy(base.step, view, indices, known, taken)
            operands = list(base.step.operands)
            operands[number] = copy.step.target
            step, seen = replace(base.step, operands=tuple(operands)), {**known, copy.tensor.name: copy.tensor}
            copies = (*base.copies, copy)
            copying_all = sum(cycles(each.step, seen, machine) for each in copies)
            if least + copying_all < fewest and (total := cycles(step, seen, machine) + copying_all) < fewest:
                fewest = total
                yield Prepared(step, copies, total)


def _suggested(step: Step, number: int, tensors: Tensors) -> list[IndexMap]:
    """Orders of the indices of an operand, the fastest first: those that matrix products like.

    Its modes are rows or columns, in the order of the result; depths, in the order of the other operand; and loops.
    """
    own = _in_memory(step.operands[number], tensors)
    result, other = (_in_memory(view, tensors) for view in (step.target, step.operands[1 - number]))
    edge = [index for index in result if index in own and index not in other]
    depths = [index for index in other if index in own and index not in result]
    loops = [index for index in own if index not in edge and index not in depths]
    orders = (*edge, *depths, *loops), (*edge[:1], *depths, *edge[1:], *loops), (*depths, *edge, *loops)
    return [order for order in dict.fromkeys(orders) if order != own]


def _in_memory(view: View, tensors: Tensors) -> IndexMap:
    """The indices of a view from the fastest to the slowest."""
    parts = (view.parts[mode] for mode in tensors[view.buffer].modes_by_stride)
    return tuple(part.index for part in parts if isinstance(part, cg.Along))


def _copy(step: Step, view: View, order: IndexMap, tensors: Tensors, taken: Collection[str]) -> Copy:
    """The copy of a view with its indices in this order, the fastest first."""
    source, extents = tensors[view.buffer], step.space.extents
    shape = tuple(extents[index] for index in view.indices)
    name = fresh_numbered(f"{view.buffer}_copy", tensors, taken)
    packed = Tensor(name, source.element_type, Storage.TEMPORARY, shape, shape, origin=source.origin)
    tensor = packed.packed(tuple(view.indices.index(index) for index in order))
    target = View(name, tuple(cg.Along(index) for index in view.indices))
    space = IterationSpace(tuple(Index(index, extents[index]) for index in view.indices))
    moved = _entries(step, view) * source.element_type.size
    cost = Cost(read=moved, written=moved)
    return Copy(Step(space, (view,), target, ONE, ZERO, cost, origin=step.origin, statement=step.statement), tensor)


def _entries(step: Step, view: View) -> int:
    return static(product(step.space.extents[index] for index in view.indices))


def _size(view: View, tensors: Tensors) -> int:
    return tensors[view.buffer].element_type.size

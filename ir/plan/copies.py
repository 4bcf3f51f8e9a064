"""Copies of operands with their modes in another order, where a product gains more by them than they cost.

    axpby A_copy[b, x, a, y] := A[b, x, a, y]                                     modes 2 1 3 0
    log   C[a, p, b, q] := sum over x, y of A_copy[b, x, a, y] * B[q, x, y, p]

Where rows of the result are no neighbours in the operand that has them, each matrix product of a loop copies them
again, or does without vectors; a copy beforehand is made once. Copies take only memory that temporaries leave: a kernel
needs no more at one time with them than without. Products with dynamic extents have no copies.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import NamedTuple

from einsum_front.core.coefficient import ONE, ZERO
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product, sizes_in, static
from einsum_front.core.machine import Machine
from einsum_front.core.names import fresh_numbered
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import Index, IndexMap, IterationSpace
from einsum_front.ir.plan.gemm import (
    Mode,
    Tensors,
    Walks,
    cheapest_loops,
    cycles_of_moves,
    hints,
    least_cycles,
    modes_in_memory,
)
from einsum_front.ir.plan.memory import bytes_alive
from einsum_front.ir.plan.plan import Cost, Step, StepKind, View
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
    views = (*step.operands, step.target)
    own = [tensors[view.buffer] for view in views]
    way = StepCycles(step, own, room, machine).cheapest(own)
    operands, known = list(step.operands), {view.buffer: tensors[view.buffer] for view in views}
    copies = []
    for number, order in way.orders:
        copies.append(_copy(step, operands[number], order, known, taken))
        operands[number] = copies[-1].step.target
        known[copies[-1].tensor.name] = copies[-1].tensor
    return Prepared(replace(step, operands=tuple(operands)) if copies else step, tuple(copies), way.cycles)


class _Way(NamedTuple):
    """How a step is done: the modes of its operands and its target, and which operands were copied in which order.

    `copying` are the cycles of the copies, which are among its `cycles`.
    """

    modes: tuple[tuple[Mode, ...], ...]
    orders: tuple[tuple[int, IndexMap], ...]
    copying: float
    cycles: float


class StepCycles:
    """The cycles of a step with the copies that make it cheapest, for any layouts of its tensors, the target last.

    They are at `least` so many.
    """

    def __init__(self, step: Step, tensors: Sequence[Tensor], room: int, machine: Machine) -> None:
        self._views, self._extents = (*step.operands, step.target), step.space.extents
        self._hints, self._machine = hints(self._extents), machine
        self._reduction = None if step.kind is StepKind.LOG else [index.name for index in step.space.reduction]
        self._sizes = [tensor.element_type.size for tensor in tensors]
        self._shapes = [tensor.shape for tensor in tensors]
        self._known: dict[tuple[tuple[Extent, ...], ...], float] = {}
        self.least = least_cycles(step, self._sizes[-1], machine)
        self._entries: dict[int, int] = {}
        if step.kind is StepKind.LOG and not sizes_in(self._extents.values()):
            entries = [static(product(self._extents[index] for index in view.indices)) for view in step.operands]
            line_bytes = machine.memory.lines.bytes  # what the first cache holds is near in any order
            self._entries = {
                number: count
                for number, (count, view) in enumerate(zip(entries, step.operands, strict=True))
                if not view.has_diagonal and line_bytes <= count * self._sizes[number] <= room
            }
        bytes_ = [count * self._sizes[number] for number, count in self._entries.items()]
        self._room = max(size for size in (0, *bytes_, sum(bytes_)) if size <= max(room, 0))

    @property
    def key(self) -> object:
        """Steps of equal keys take the same cycles with the same strides."""
        reduction = None if self._reduction is None else tuple(self._reduction)
        parts = tuple(view.parts for view in self._views)
        about = tuple(self._extents.items()), parts, tuple(self._sizes), tuple(self._shapes)
        return reduction, *about, tuple(self._entries), self._room

    def of(self, tensors: Sequence[Tensor]) -> float:
        """The cycles with these layouts, remembered."""
        strides = tuple([tensor.strides for tensor in tensors])
        found = self._known.get(strides)
        if found is None:
            found = self._known[strides] = self.cheapest(tensors).cycles
        return found

    def cheapest(self, tensors: Sequence[Tensor]) -> _Way:
        """The way of fewest cycles with these layouts."""
        modes = tuple(map(modes_in_memory, self._views, repeat(self._extents), tensors))
        best = _Way(modes, (), 0.0, self._cycles(modes))
        for _ in range(len(self._entries)):
            before = best
            for option in self._with_another(before):
                best = option
            if best is before:
                break
        return best

    def _cycles(self, modes: tuple[tuple[Mode, ...], ...]) -> float:
        walks = Walks(self._hints, self._sizes[-1], modes)
        if self._reduction is None:
            return cheapest_loops(walks, self._machine)[1]
        return cycles_of_moves(self._reduction, walks, self._machine)

    def _with_another(self, base: _Way) -> Iterator[_Way]:
        """The step with one copy more, in all ways that may be cheaper. Each is cheaper than those before it."""
        copied, fewest = dict(base.orders), base.cycles
        gain = fewest - base.copying - self.least
        left = self._room - sum(self._entries[number] * self._sizes[number] for number in copied)
        for number, entries in self._entries.items():
            if number in copied or entries > gain or entries * self._sizes[number] > left:
                continue
            for order in _suggested(base.modes, number):
                moved = self._packed(number, order)
                copying = base.copying + self._cycles_of_copy(number, base.modes[number], moved)
                modes = tuple([moved if place == number else each for place, each in enumerate(base.modes)])
                if self.least + copying < fewest and (total := self._cycles(modes) + copying) < fewest:
                    fewest = total
                    yield _Way(modes, (*base.orders, (number, order)), copying, total)

    def _packed(self, number: int, order: IndexMap) -> tuple[Mode, ...]:
        """The modes of a copy with its indices in this order, as `modes_in_memory` sorts them."""
        strides, stride = dict[str, int](), 1
        for name in order:
            strides[name] = stride
            stride *= static(self._extents[name])
        modes = [Mode(name, strides[name], self._extents[name]) for name in self._views[number].indices]
        return tuple(sorted(modes, key=lambda mode: (mode.stride, mode.extent != 1)))

    def _cycles_of_copy(self, number: int, source: tuple[Mode, ...], moved: tuple[Mode, ...]) -> float:
        extents = tuple([(mode.name, static(mode.extent)) for mode in moved])
        return cycles_of_moves((), Walks(extents, self._sizes[number], (source, moved)), self._machine)


def _suggested(modes: Sequence[Sequence[Mode]], number: int) -> list[IndexMap]:
    """Orders of the indices of an operand, the fastest first: those that matrix products like.

    Its modes are rows or columns, in the order of the result; depths, in the order of the other operand; and loops.
    """
    own, result, other = (tuple([mode.name for mode in modes[each]]) for each in (number, -1, 1 - number))
    edge = [index for index in result if index in own and index not in other]
    depths = [index for index in other if index in own and index not in result]
    loops = [index for index in own if index not in edge and index not in depths]
    orders = (*edge, *depths, *loops), (*edge[:1], *depths, *edge[1:], *loops), (*depths, *edge, *loops)
    return [order for order in dict.fromkeys(orders) if order != own]


def _copy(step: Step, view: View, order: IndexMap, tensors: Tensors, taken: Collection[str]) -> Copy:
    """The copy of a view with its indices in this order, the fastest first."""
    source, extents = tensors[view.buffer], step.space.extents
    shape = tuple(extents[index] for index in view.indices)
    name = fresh_numbered(f"{view.buffer}_copy", tensors, taken)
    packed = Tensor(name, source.element_type, Storage.TEMPORARY, shape, shape, origin=source.origin)
    tensor = packed.packed(tuple(view.indices.index(index) for index in order))
    target = View(name, tuple(cg.Along(index) for index in view.indices))
    space = IterationSpace(tuple(Index(index, extents[index]) for index in view.indices))
    moved = static(product(shape)) * source.element_type.size
    cost = Cost(read=moved, written=moved)
    return Copy(Step(space, (view,), target, ONE, ZERO, cost, origin=step.origin, statement=step.statement), tensor)

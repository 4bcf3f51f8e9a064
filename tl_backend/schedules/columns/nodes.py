"""The parts of the steps of a unit, in the order in which they run.

A part is one depth of a step that adds to all entries of a line, or one entry of a step that completes it. Parts with
the same number run after each other: the n-th entries of what a work-item reads serve all steps that read them. What is
complete at once, and read by work-items that have it, waits until it is wanted, so that it needs a register for a
moment.

    part 0 of u0 = I S0, part 0 of C += K0 u0, part 0 of u1 = I S1, part 0 of C += K1 u1, then part 1, …
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.schedules.columns.homes import Home, Homes
from einsum_front.tl_backend.schedules.columns.steps import Form, Group, Key, read_keys, written_keys
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions

# -- stretches of steps between which work-items wait, or at least local memory is read again --------------------------
# In a unit each entry of a line is first written by all steps that add to it, in a register, and then read. A unit
# begins where that would not hold, and, behind a barrier, where a work-item reads what another one has written, or
# writes what another one has read.

NOBODY, SEVERAL = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Steps that run without waiting; `epoch` counts the barriers before them."""

    groups: tuple[Group, ...]
    has_barrier: bool
    epoch: int


class _Hazards:
    """Who has touched which entry of local memory since the last barrier."""

    def __init__(self, homes: Homes, facts: Facts) -> None:
        self._homes = homes
        self._sizes = {base: facts.storages[base].span for base in homes}
        self.reset()
        for base, memory in homes.items():
            self._written[base][memory.read_first & (memory.home is Home.LOCAL)] = SEVERAL

    def reset(self) -> None:
        """Behind a barrier everything is seen."""
        self._written = {base: np.full(size, NOBODY, np.int64) for base, size in self._sizes.items()}
        self._read = {base: np.full(size, NOBODY, np.int64) for base, size in self._sizes.items()}

    def meets(self, reads: Sequence[Key], writes: Sequence[Key]) -> bool:
        """True if a work-item would touch what another one has touched."""
        return any(self._is_foreign(self._written, key) for key in (*reads, *writes)) or any(
            self._is_foreign(self._read, key) for key in writes
        )

    def note(self, reads: Sequence[Key], writes: Sequence[Key]) -> None:
        """Remember who has touched what."""
        for table, keys in ((self._read, reads), (self._written, writes)):
            for key in keys:
                if self._homes[key.base].home is Home.LOCAL:
                    _claim(table[key.base], key.positions)

    def _is_foreign(self, table: dict[str, Positions], key: Key) -> bool:
        if self._homes[key.base].home is not Home.LOCAL:
            return False
        found = table[key.base][key.positions]
        return bool(((found != NOBODY) & (found != np.arange(found.size))).any())


def _claim(table: Positions, positions: Positions) -> None:
    lanes = np.arange(positions.size)
    found = table[positions]
    table[positions] = np.where((found == NOBODY) | (found == lanes), lanes, SEVERAL)
    order = np.sort(positions)
    table[order[1:][np.diff(order) == 0]] = SEVERAL


def find_units(groups: Sequence[Group], homes: Homes, facts: Facts) -> tuple[Unit, ...]:
    """The units in order."""
    return tuple(_units(groups, homes, facts))


def _units(groups: Sequence[Group], homes: Homes, facts: Facts) -> Iterator[Unit]:
    hazards = _Hazards(homes, facts)
    present: list[Group] = []
    state = _State()
    epoch, has_barrier = 0, False
    for group in groups:
        reads, writes = _memory_accesses(group, homes, state)
        waits = hazards.meets(reads, writes)
        if waits or state.is_broken_by(group):
            if present:
                yield Unit(tuple(present), has_barrier, epoch)
            present, state, has_barrier = [], _State(), waits
            reads, writes = _memory_accesses(group, homes, state)
            if not waits and hazards.meets(reads, writes):
                has_barrier = waits = True
            if waits:
                hazards.reset()
                epoch += 1
        hazards.note(reads, writes)
        state.note(group)
        present.append(group)
    if present:
        yield Unit(tuple(present), has_barrier, epoch)


class _State:
    """Entries in registers: those written in the present unit, and those of them that were read."""

    def __init__(self) -> None:
        self.written: dict[Key, int] = {}
        self._positions: dict[str, set[int]] = {}
        self._read: set[Key] = set()
        self._lanes: dict[str, int] = {}

    def is_broken_by(self, group: Group) -> bool:
        """True if a step needs what the unit has written in another shape, or writes again what was read."""
        for number, factor in enumerate(group.step.factors):
            if factor.base in self._positions:
                for key in read_keys(group, number):
                    if key not in self.written and self._touches(key):
                        return True
        for key in written_keys(group):
            if key in self.written:
                if key in self._read or group.step.beta.is_number(0) or not group.step.beta.is_number(1):
                    return True
            elif self._touches(key) or key in self._read:
                return True
        return False

    def _touches(self, key: Key) -> bool:
        return not self._positions.get(key.base, set()).isdisjoint(key.positions.tolist())

    def note(self, group: Group) -> None:
        """The step runs in the unit."""
        for number in range(len(group.step.factors)):
            self._read |= read_keys(group, number)
        for key in written_keys(group):
            self.written[key] = self.written.get(key, 0) + 1
            self._positions.setdefault(key.base, set()).update(key.positions.tolist())


def _memory_accesses(group: Group, homes: Homes, state: _State) -> tuple[list[Key], list[Key]]:
    """The entries of local memory that a step reads and writes: those in registers it does not read."""
    reads = [
        key
        for number, factor in enumerate(group.step.factors)
        if homes[factor.base].home is Home.LOCAL
        for key in read_keys(group, number)
        if key not in state.written
    ]
    step = group.step
    writes = written_keys(group) if homes[step.base].home is Home.LOCAL else []
    return reads, writes


@dataclass(frozen=True, slots=True)
class Node:
    """The part with this number of the group with this number in the unit; `turn` is the same for neighbours."""

    group: int
    part: int
    turn: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Order:
    """The nodes of a unit, how many of them write each entry, and the most entries in registers at a time."""

    nodes: tuple[Node, ...]
    writers: Mapping[Key, int]
    registers: int


def find_order(unit: Unit, homes: Homes, budget: int) -> Order:
    """The order of the nodes of a unit, with as many sums at a time as the budget of registers allows."""
    waiting = {number for number, group in enumerate(unit.groups) if _can_wait(group, homes)}
    coefficients = _coefficients(unit.groups)
    batches = _batches(unit.groups, waiting, budget - coefficients)
    writers = _writers(unit.groups)
    nodes = tuple(_Walk(unit.groups, writers).nodes(batches))
    sums = max((_sums(unit.groups, batch) for batch in batches), default=0)
    return Order(nodes, {key: len(found) for key, found in writers.items()}, sums + coefficients)


def _coefficients(groups: Sequence[Group]) -> int:
    """Numbers that entries of lines are multiplied by, which stay in registers."""
    inner = (each for each in groups if each.form is Form.INNER and each.step.lines > 1 and len(each.step.factors) > 1)
    return sum(len(each.summands) for each in inner)


def _can_wait(group: Group, homes: Homes) -> bool:
    return group.form is Form.INNER and homes[group.step.base].home is Home.REGISTERS


def _sums(groups: Sequence[Group], batch: Sequence[int]) -> int:
    """Entries that are summed at the same time."""
    return len({key for each in batch if groups[each].form is not Form.INNER for key in written_keys(groups[each])})


def _batches(groups: Sequence[Group], waiting: set[int], budget: int) -> list[list[int]]:
    """Steps whose parts run in turns: they read the same memory, and their sums fit into registers together."""
    batches: list[list[int]] = []
    sources = [_sources(number, groups, waiting) for number in range(len(groups))]
    for number in range(len(groups)):
        if number in waiting:
            continue
        last = batches[-1] if batches else None
        if last is not None and _joins(number, last, groups, sources, budget):
            last.append(number)
        else:
            batches.append([number])
    return batches


def _joins(
    number: int, batch: Sequence[int], groups: Sequence[Group], sources: Sequence[set[str]], budget: int
) -> bool:
    group = groups[number]
    if group.step.lanes != groups[batch[0]].step.lanes or group.members or groups[batch[0]].members:
        return False
    sums = {groups[each].step.base for each in batch if groups[each].form is Form.OUTER}
    if sums & sources[number]:
        return False
    others = set().union(*(sources[each] | {groups[each].step.base} for each in batch))
    return bool(others & (sources[number] | {group.step.base})) and _sums(groups, [*batch, number]) <= budget


def _sources(number: int, groups: Sequence[Group], waiting: set[int]) -> set[str]:
    """The memories that a step reads, and those that what waits for it reads."""
    found = {each.base for each in groups[number].step.factors}
    for before in range(number - 1, -1, -1):
        if before in waiting and groups[before].step.base in found:
            found |= {each.base for each in groups[before].step.factors}
    return found


Writers = Mapping[Key, list[tuple[int, int]]]


def _writers(groups: Sequence[Group]) -> Writers:
    """The nodes that write each entry; an entry of zeros alone has none."""
    writers: dict[Key, list[tuple[int, int]]] = {}
    for number, group in enumerate(groups):
        for line in range(group.step.lines):
            if not group.written(line):
                continue
            found = writers.setdefault(Key(group.step.base, group.step.target[line]), [])
            if group.members:
                found.append((number, 0))
            elif group.form is Form.INNER:
                found += [(number, line)] if any(each.lines[line] for each in group.summands) else []
            else:
                found += [(number, part) for part, each in enumerate(group.summands) if each.lines[line]]
    return writers


class _Walk:
    """Nodes in turns, each behind those that it needs."""

    def __init__(self, groups: Sequence[Group], writers: Writers) -> None:
        self._groups, self._writers = groups, writers
        self._done: set[tuple[int, int]] = set()

    def nodes(self, batches: Sequence[Sequence[int]]) -> Iterator[Node]:
        """The nodes of all batches, then what nobody in the unit has asked for."""
        for turn, batch in enumerate(batches):
            most = max(self._groups[each].parts for each in batch)
            for part in range(most):
                for number in batch:
                    if part < self._groups[number].parts:
                        yield from self._visit(number, part, (turn, part))
        for number, group in enumerate(self._groups):
            for part in range(group.parts):
                yield from self._visit(number, part, (len(batches), part))

    def _visit(self, number: int, part: int, turn: tuple[int, int]) -> Iterator[Node]:
        if (number, part) in self._done:
            return
        self._done.add((number, part))
        for key in reads_of(self._groups[number], part):
            for before in self._writers.get(key, ()):
                if before[0] < number:
                    yield from self._visit(*before, turn)
        yield Node(number, part, turn)


def reads_of(group: Group, part: int) -> Iterator[Key]:
    """The entries that a node reads."""
    if group.form is not Form.INNER:
        for summand in group.summands if group.members else group.summands[part : part + 1]:
            line = int(np.argmax(summand.lines))
            for factor in group.step.factors:
                if not factor.has_lines:
                    yield Key(factor.base, group.entry(factor, line, summand))
        return
    for summand in group.summands:
        if summand.lines[part]:
            for factor in group.step.factors:
                yield Key(factor.base, group.entry(factor, part, summand))


def reads(groups: Sequence[Group]) -> set[Key]:
    """All entries that some steps read."""
    return {key for group in groups for number in range(len(group.step.factors)) for key in read_keys(group, number)}

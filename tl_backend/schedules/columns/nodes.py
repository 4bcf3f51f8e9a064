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
from einsum_front.tl_backend.schedules.columns.groups import Form, Group, Key, read_keys, written_keys
from einsum_front.tl_backend.schedules.columns.homes import Home, Homes
from einsum_front.tl_backend.schedules.columns.units import Unit


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
    return len({key for each in batch if groups[each].form is Form.OUTER for key in written_keys(groups[each])})


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
    if group.step.lanes != groups[batch[0]].step.lanes:
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
            if group.form is Form.INNER:
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
    if group.form is Form.OUTER:
        summand = group.summands[part]
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

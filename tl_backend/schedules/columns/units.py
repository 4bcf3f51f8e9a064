"""Stretches of steps between which work-items wait, or at least local memory is read again.

In a unit each entry of a line is first written by all steps that add to it, in a register, and then read. A unit begins
where that would not hold, and, behind a barrier, where a work-item reads what another one has written, or writes what
another one has read.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.schedules.columns.groups import Group, Key, read_keys, written_keys
from einsum_front.tl_backend.schedules.columns.homes import Home, Homes
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions

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

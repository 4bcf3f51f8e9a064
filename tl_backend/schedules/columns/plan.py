"""Everything that is decided for a function before it is code: who computes what, and where it stands."""

from collections.abc import Mapping, Sequence

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.kernel.types import AddressSpace, size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.columns.commute import commuted
from einsum_front.tl_backend.schedules.columns.homes import (
    Home,
    Homes,
    Memory,
    constants_in_memory,
    find_homes,
    is_stored_directly,
)
from einsum_front.tl_backend.schedules.columns.memory import Layout, layout_of, placed
from einsum_front.tl_backend.schedules.columns.nodes import Order, Unit, find_order, find_units
from einsum_front.tl_backend.schedules.columns.orientation import in_slices, oriented
from einsum_front.tl_backend.schedules.columns.steps import (
    Form,
    Group,
    Key,
    Step,
    group_of,
    is_constant,
    steps_of,
    written_keys,
)
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.tuning import Tuning

BYTES = 192 * 4
"""Bytes of registers of a work-item for sums and coefficients: 255 of 4 bytes are what NVIDIA has, the others hold
addresses and what was read."""

MOST_BYTES = 1024
"""Beyond this, compilers keep sums in memory and nothing is left of the schedule."""

KEPT = 128 * 4
"""Bytes of registers for sums that outlive a unit: other units need registers, too."""

ITEMS = 128
"""Work-items of a group with several elements: four sub-groups, so that several groups run at a time."""

FEW_ITEMS = 64
"""The same where each has several lines, and more registers."""

LONG = 40
"""Entries of a line from which on a group is one sub-group: it waits for nobody.

At order 4 of ADER-DG, whose lines have 20 entries, groups of 126 work-items take 0.8 to 1.0 of the time of 63 on an
NVIDIA H200, and at order 6, with 56, groups of 27 take 0.85 to 1.0.
"""

SEVERAL_LINES = 32
"""Lanes of an element from which on a work-item has several lines, if matrices come from memory."""

FEW_LANES = 48
"""Lanes up to which it has twice as many: spectral elements with 4 to 10 nodes on an NVIDIA H200."""

FULL = 0.8
"""Share of the entries of an argument from which on all are read and written where some are added to."""

MOST_NODES = 40_000
"""Multiplications that are written out; compilers take a tenth of a millisecond for each."""


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A function with all decisions.

    `layouts` are the places of what has one in local memory, of `entries` entries for each of `together` elements with
    `lanes` work-items each. `last` is the epoch behind all units, and `direct` are the memories that the last unit that
    writes them stores to global memory itself. Constants that are read from memory are in `constants`; those that are
    true come through the cache for constants. All others are literals.
    """

    function: Function
    facts: Facts
    groups: tuple[Group, ...]
    homes: Homes
    units: tuple[Unit, ...]
    orders: tuple[Order, ...]
    layouts: Mapping[str, Layout]
    lives: Mapping[str, range]
    entries: int
    lanes: int
    together: int
    direct: Mapping[str, int]
    constants: Mapping[str, bool]

    @property
    def last(self) -> int:
        """The epoch behind all units."""
        return self.units[-1].epoch + 1 if self.units else 0

    def gathered_in(self, epoch: int) -> list[str]:
        """What elements read where integers say, and copy to local memory in this epoch: the one before it is used."""
        return [base for base in self.facts.gathers if base in self.lives and self.lives[base].start == epoch]

    def outputs(self) -> list[Memory]:
        """The arguments that are written."""
        return [memory for memory in self.homes.values() if memory.is_argument and memory.written.any()]

    def stored(self, base: str) -> Mask:
        """The entries of an argument that get a new value, or have nothing added to them between others."""
        return np.asarray(self.homes[base].written & self.facts.patterns[base] | self.filled(base))

    def filled(self, base: str) -> Mask:
        """Entries between others that nothing is added to: what lies in one piece is copied faster."""
        mask = np.zeros_like(self.homes[base].written)
        for key in self.fillings(base):
            mask[key.positions] = True
        return mask

    def fillings(self, base: str) -> list[Key]:
        """The same as lines of which work-items have an entry each; none if lines do not cover them."""
        memory = self.homes[base]
        if not _is_filled(memory) or base in self.direct:
            return []
        left = self.facts.patterns[base] & ~memory.written
        target = next(group.step.target for group in self.groups if group.step.base == base)
        moved, found = target[0] - target[0, 0], []
        while left.any():
            positions = int(np.flatnonzero(left)[0]) + moved
            if positions.min() < 0 or positions.max() >= left.size or not left[positions].all():
                return []
            left[positions] = False
            found.append(Key(base, positions))
        return found

    @property
    def fences(self) -> tuple[AddressSpace, ...]:
        """What barriers are for: global memory too where entries are copied in that other work-items write."""
        is_both = any(each.is_argument and bool((each.read_first & each.written).any()) for each in self.homes.values())
        return (AddressSpace.LOCAL, AddressSpace.GLOBAL) if is_both else (AddressSpace.LOCAL,)

    @property
    def local_bytes(self) -> int:
        """Bytes of local memory of a work-group."""
        return self.entries * self.together * size_of(REGISTER[self.facts.element])


@dataclass(frozen=True, slots=True)
class Shape:
    """What all stages of a kernel have in common: work-items of an element, the longest line, lines of a work-item."""

    lanes: int
    longest: int
    several: int


def groups_of(function: Function, facts: Facts, wanted: Tuning) -> tuple[tuple[Group, ...], Facts, Shape]:
    """The steps of a function with their summands, what is known of them, and the shape; raises `UnsuitableError`."""
    steps, facts = commuted(oriented(steps_of(function, facts), facts), facts)
    groups = tuple(group_of(step, facts) for step in steps)
    several = wanted.lines or _slices(steps, facts)
    if several > 1:
        groups = tuple(group_of(step, facts) for step in in_slices(steps, several))
    if not groups:
        raise UnsuitableError("it computes nothing")
    _check_size(groups)
    lanes = max(group.step.lanes for group in groups)
    return groups, facts, Shape(lanes, max(group.step.lines for group in groups), several)


def make_plan(
    function: Function, facts: Facts, groups: tuple[Group, ...], shape: Shape, target: Target, wanted: Tuning
) -> Planned:
    """The plan of these steps with what is wanted; raises `UnsuitableError`."""
    size = size_of(REGISTER[facts.element])
    homes, units = _settled(groups, facts, size)
    budget = BYTES // size
    orders = tuple(find_order(unit, homes, budget) for unit in units)
    most = max(order.registers for order in orders)
    if most * size > MOST_BYTES:
        raise UnsuitableError(f"a work-item needs {most * size} bytes of registers, more than {MOST_BYTES}")
    direct = _direct(homes, units)
    lives = _lives(homes, units, direct, facts)
    layouts = {base: layout_of(facts.storages[base], _covered(homes[base], facts)) for base in lives}
    starts, entries = placed(layouts, lives)
    layouts = {base: _started(layout, starts[base]) for base, layout in layouts.items()}
    items = target.subgroup if shape.longest >= LONG else FEW_ITEMS if shape.several > 1 else ITEMS
    together = _together(shape.lanes, items, entries * size, target, wanted.elements)
    constants = constants_in_memory(groups, homes, facts, has_literals=wanted.literals is not False)
    return Planned(
        function, facts, groups, homes, units, orders, layouts, lives, entries, shape.lanes, together, direct, constants
    )


def _slices(steps: Sequence[Step], facts: Facts) -> int:
    """Lines of a work-item: constants that come from memory had better serve several."""
    constants = {each.base for step in steps for each in step.factors if is_constant(each.base, facts)}
    lanes = {step.lanes for step in steps}
    if constants <= facts.known.keys() or max(lanes) < SEVERAL_LINES:
        return 1
    if len(lanes) == 1:
        return 2
    return 6 if max(lanes) <= FEW_LANES else 3


def _check_size(groups: Sequence[Group]) -> None:
    nodes = sum(group.written_out for group in groups)
    if nodes > MOST_NODES:
        raise UnsuitableError(f"a work-item would have {nodes} multiplications written out, more than {MOST_NODES}")


def _covered(memory: Memory, facts: Facts) -> Mask:
    """The entries that have a place in local memory: all, where those that nothing is added to may be filled in."""
    return np.ones_like(memory.used) if _is_filled(memory) or memory.base in facts.gathers else memory.used


def _is_filled(memory: Memory) -> bool:
    return memory.is_added and memory.home is Home.REGISTERS and bool(memory.written.mean() >= FULL)


# -- homes -------------------------------------------------------------------------------------------------------------


def _settled(groups: Sequence[Group], facts: Facts, size: int) -> tuple[Homes, tuple[Unit, ...]]:
    """Homes with what is promoted to registers and what has to leave them, and the units that follow."""
    homes = dict(find_homes(groups, facts))
    units = find_units(groups, homes, facts)
    for base in _crossing(units, homes):
        if _entries(base, groups) * size > KEPT:
            homes[base] = homes[base].at(Home.LOCAL)
    units = find_units(groups, homes, facts)
    for base, memory in homes.items():
        if _is_kept(memory, groups, units, size):
            homes[base] = memory.at(Home.REGISTERS)
    return homes, find_units(groups, homes, facts)


def _crossing(units: Sequence[Unit], homes: Homes) -> list[str]:
    """Temporaries in registers that are written in one unit and used in another."""
    found = []
    for base, memory in homes.items():
        if memory.home is Home.REGISTERS:
            uses = [number for number, unit in enumerate(units) if _uses(unit, base)]
            if len(uses) > 1:
                found.append(base)
    return found


def _uses(unit: Unit, base: str) -> bool:
    return any(
        group.step.base == base or any(each.base == base for each in group.step.factors) for group in unit.groups
    )


def _entries(base: str, groups: Sequence[Group]) -> int:
    return len({key for group in groups if group.step.base == base for key in written_keys(group)})


def _is_kept(memory: Memory, groups: Sequence[Group], units: Sequence[Unit], size: int) -> bool:
    """True for results that nobody reads, if registers suffice: those of the last unit, and small sums of several."""
    if memory.home is not Home.LOCAL or not memory.is_argument or not memory.written.any() or not memory.in_lines:
        return False
    if memory.read_first.any() or any(each.base == memory.base for group in groups for each in group.step.factors):
        return False
    mine = [number for number, unit in enumerate(units) if _uses(unit, memory.base)]
    if mine == [len(units) - 1]:
        return True
    is_summed = any(group.form is Form.OUTER for group in groups if group.step.base == memory.base)
    return is_summed and _entries(memory.base, groups) * size <= KEPT


def _direct(homes: Homes, units: Sequence[Unit]) -> dict[str, int]:
    """The memories whose last unit writes all that is stored, neighbours beside neighbours; and its number."""
    found = {}
    for base, memory in homes.items():
        if not memory.is_argument or not memory.written.any():
            continue
        last = max(number for number, unit in enumerate(units) if any(each.step.base == base for each in unit.groups))
        keys = {key for group in units[last].groups if group.step.base == base for key in written_keys(group)}
        covered = np.zeros_like(memory.written)
        for key in keys:
            covered[key.positions] = True
        is_last = not any(
            each.base == base for unit in units[last:] for group in unit.groups for each in group.step.factors
        )
        if is_last and is_stored_directly(memory, list(keys)) and not (memory.written & ~covered).any():
            found[base] = last
    return found


# -- local memory ------------------------------------------------------------------------------------------------------


def _lives(homes: Homes, units: Sequence[Unit], direct: Mapping[str, int], facts: Facts) -> dict[str, range]:
    """The epochs during which each memory has a place in local memory.

    What is gathered is copied in one epoch before it is used: nobody waits for it alone.
    """
    last = units[-1].epoch + 1
    lives = {}
    for base, memory in homes.items():
        epochs = [unit.epoch for unit in units if _uses(unit, base)]
        is_output = memory.is_argument and bool(memory.written.any())
        if memory.home is Home.LOCAL:
            first = 0 if memory.read_first.any() else min(epochs)
            if base in facts.gathers:
                first = max(0, min(epochs) - 1)
            if base in direct and len([1 for unit in units if _uses(unit, base)]) == 1 and not memory.read_first.any():
                continue
            lives[base] = range(first, (last if is_output and base not in direct else max(epochs)) + 1)
        elif memory.home is Home.REGISTERS and is_output and base not in direct:
            lives[base] = range(last, last + 1)
    return lives


def _started(layout: Layout, start: int) -> Layout:
    return Layout(layout.pitch, layout.first, layout.height, layout.rows, layout.distance, start)


def _together(lanes: int, items: int, size: int, target: Target, wanted: int | None) -> int:
    """Elements of a work-group: so many that its sub-groups are full, and that local memory holds them."""
    room = target.local_memory // size if size else target.max_work_group_size
    most = min(room, target.max_work_group_size // lanes)
    if most < 1:
        raise UnsuitableError("an element needs more local memory or work-items than a work-group has")
    if wanted is not None:
        if wanted > most:
            raise UnsuitableError(f"a work-group has room for {most} elements")
        return wanted
    few = [each for each in range(1, most + 1) if each * lanes <= items] or [1]
    return max(few, key=lambda each: (_full(each * lanes, target.subgroup), each))


def _full(items: int, subgroup: int) -> float:
    """The share of work-items in sub-groups that have something to do."""
    return round(items / (-(-items // subgroup) * subgroup), 1)

"""Kernels whose code would outgrow the cache for instructions run in stages, one after the other.

    for every 4 turns of a work-group               a turn is the elements that it runs side by side
        dQ_n, I                  of these elements
        Q += K_d I S_d           of these elements
        Q += R_f I A_f           of these elements

The code of a stage serves several turns before that of the next one comes. What a temporary hands on from one stage to
the next lies in global memory, in the part of the work-group (`scratch`), and is still in a cache when it is read.

Stages that hand on no temporary, only what is in arguments anyway, are launches of their own: functions of one source,
one after the other for the whole batch. Then each has the registers and the local memory that it needs itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, inf

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.columns.plan import Planned, Shape, groups_of, make_plan
from einsum_front.tl_backend.schedules.columns.steps import Group
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.tuning import Tuning

MOST = 4_000
"""Multiplications of a kernel that is not cut: the derivative of order 6 has 3,620 and takes 1.7 times as long in two
stages, a kernel of 8,471 less than half as long in four. It is also what a stage has that is a launch of its own."""

STAGE = {4: 4_000, 8: 2_800}
"""Multiplications of a stage by the bytes of a number: with all around them they are 27 and 40 bytes of instructions
each on an NVIDIA H200, whose cache for them has 128 KiB. It is also the limit of a kernel in which elements choose
matrices: work-items that run other parts of the code do not share what was fetched."""

TURNS = 16
"""Turns of a stage before the next one; 4 and 64 take as long."""

UNEVEN = 1.3
"""How much larger than the average the largest of some stages may be, so that cuts are where little is handed on."""

SMALLEST = 128
"""Bytes of a work-group, also where nothing is handed on: what has a part of memory for each runs all its turns."""


@dataclass(frozen=True, slots=True, eq=False)
class Staged:
    """The plans of all stages, one for most functions, and the temporaries that are handed on.

    `handed` has the place of each in the part of a work-group, in bytes. Stages `in_launches` are not in turns.
    """

    stages: tuple[Planned, ...]
    handed: Mapping[str, range]
    in_launches: bool = False

    @property
    def launches(self) -> int:
        """How many there are for a batch."""
        return len(self.stages) if self.in_launches else 1

    @property
    def groups(self) -> tuple[Group, ...]:
        """The steps of all stages."""
        return tuple(group for stage in self.stages for group in stage.groups)

    @property
    def first(self) -> Planned:
        """One of the stages: all have the same function, work-items and elements side by side."""
        return self.stages[0]

    @property
    def local_bytes(self) -> int:
        """Bytes of local memory of a work-group."""
        return max(stage.local_bytes for stage in self.stages)

    @property
    def scratch(self) -> int:
        """Bytes of global memory of a work-group."""
        if len(self.stages) == 1 or self.in_launches:
            return 0
        return max([SMALLEST, *(-(-each.stop // SMALLEST) * SMALLEST for each in self.handed.values())])

    @property
    def constants(self) -> Mapping[str, bool]:
        """Constants that are read from memory; true where all stages take them from the cache for constants."""
        found: dict[str, bool] = {}
        for stage in self.stages:
            for base, is_cached in stage.constants.items():
                found[base] = found.get(base, True) and is_cached
        return found


def make_stages(function: Function, facts: Facts, target: Target, wanted: Tuning) -> Staged:
    """The plan of a function with what is wanted; raises `UnsuitableError`."""
    groups, facts, shape = groups_of(facts.function, facts, wanted)
    why = UnsuitableError(f"its {len(groups)} instructions do not make {wanted.stages} stages")
    for in_launches in (True, False):
        bounds = _bounds(groups, facts, wanted.stages, in_launches=in_launches)
        if bounds is not None:
            parts = [groups[start:stop] for start, stop in pairwise(bounds)]
            try:
                return _in_stages(function, facts, parts, shape, target, wanted, in_launches=in_launches)
            except UnsuitableError as error:
                why = error
    if wanted.stages not in (None, 1):
        raise why
    return Staged((make_plan(function, facts, groups, shape, target, wanted),), {})


def _in_stages(
    function: Function,
    facts: Facts,
    parts: Sequence[tuple[Group, ...]],
    shape: Shape,
    target: Target,
    wanted: Tuning,
    *,
    in_launches: bool,
) -> Staged:
    handed = _handed(parts, facts)
    outside = {base: replace(facts.storages[base], is_argument=True) for base in handed}
    facts = replace(facts, storages={**facts.storages, **outside})
    plans = [make_plan(function, facts, part, shape, target, wanted) for part in parts]
    together = min(plan.together for plan in plans)
    _check_handed(plans, handed)
    _check_rounded_once(plans, facts)
    places, start = {}, 0
    for base in handed:
        storage = facts.storages[base]
        size = TURNS * together * storage.span * size_of(REGISTER[facts.element])
        places[base] = range(start, start + size)
        start += -(-size // SMALLEST) * SMALLEST
    return Staged(tuple(replace(plan, together=together) for plan in plans), places, in_launches)


def _check_rounded_once(plans: Sequence[Planned], facts: Facts) -> None:
    """Refuses arguments of another type in memory that one stage writes and another one uses."""
    for base in facts.stored:
        users = [plan.homes[base] for plan in plans if base in plan.homes]
        if len(users) > 1 and any(memory.written.any() for memory in users):
            raise UnsuitableError(f"`%{base}` would be rounded between stages")


def _check_handed(plans: Sequence[Planned], handed: Sequence[str]) -> None:
    """Refuses entries of temporaries that are read, as zeros, though no stage before has written them."""
    stored: dict[str, Mask] = {}
    for plan in plans:
        for base in handed:
            memory = plan.homes.get(base)
            if memory is None:
                continue
            before = stored.get(base, np.zeros_like(memory.written))
            if (memory.read_first & ~before).any():
                raise UnsuitableError(f"a stage reads entries of `%{base}` that none before it has written")
            stored[base] = before | plan.stored(base)


# -- cuts --------------------------------------------------------------------------------------------------------------


def _uses(group: Group) -> set[str]:
    return {group.step.base, *(each.base for each in group.step.factors)}


def _handed(parts: Sequence[Sequence[Group]], facts: Facts) -> list[str]:
    """The temporaries that more than one stage uses."""
    used = [{base for group in part for base in _uses(group)} for part in parts]
    return [
        base
        for base, storage in facts.storages.items()
        if not storage.is_argument and not storage.is_uniform and sum(base in each for each in used) > 1
    ]


def _bounds(groups: Sequence[Group], facts: Facts, wanted: int | None, *, in_launches: bool) -> list[int] | None:
    """Where stages begin, and the end: as few as the cache for instructions allows, or as many as are wanted.

    None if there are no such stages, or if the function is not to be cut.
    """
    sizes = [group.written_out for group in groups]
    total = sum(sizes)
    stage = STAGE[size_of(REGISTER[facts.element])]
    whole = stage if any(group.members for group in groups) else MOST
    if (wanted is None and total <= whole) or wanted == 1 or len(groups) > MOST_CUT:
        return None
    crossing = _crossing(groups, facts, hands_on=not in_launches)
    most = whole if in_launches else stage
    counts = [wanted] if wanted is not None else range(ceil(total / most), len(groups) + 1)
    for count in counts:
        for limit in (min(UNEVEN * total / count, MOST), MOST, *(() if wanted is None else (inf,))):
            found = best_bounds(sizes, crossing, count, limit)
            if found is not None:
                return found
    return None


MOST_CUT = 256
"""Instructions for which cuts are looked for."""


def _crossing(groups: Sequence[Group], facts: Facts, *, hands_on: bool) -> list[float]:
    """Entries that go from one stage to the next if there is a cut in front of each step.

    Infinitely many where a temporary does, unless stages hand on such.
    """
    lives: dict[str, tuple[int, int]] = {}
    for number, group in enumerate(groups):
        for base in _uses(group):
            lives[base] = lives.get(base, (number, number))[0], number
    found = [0.0] * (len(groups) + 1)
    for base, (first, last) in lives.items():
        storage = facts.storages[base]
        entries = 0 if storage.is_uniform else storage.span
        for number in range(first + 1, last + 1):
            found[number] += entries if storage.is_argument or hands_on else inf
    return found


def best_bounds(sizes: Sequence[int], crossing: Sequence[float], count: int, limit: float) -> list[int] | None:
    """The bounds of so many stages, none above the limit, with the fewest entries that cross them."""
    best: list[tuple[float, list[int]] | None] = [(0.0, [0]), *([None] * len(sizes))]
    for _ in range(count):
        following: list[tuple[float, list[int]] | None] = [None] * (len(sizes) + 1)
        for start, found in enumerate(best):
            if found is None:
                continue
            taken = 0
            for stop in range(start + 1, len(sizes) + 1):
                taken += sizes[stop - 1]
                if taken > limit:
                    break
                cost = found[0] + (crossing[stop] if stop < len(sizes) else 0)
                known = following[stop]
                if cost < (inf if known is None else known[0]):
                    following[stop] = cost, [*found[1], stop]
        best = following
    return None if best[-1] is None else best[-1][1]

"""Where the entries of each base are in C: parameters, or private arrays of scalars or vectors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.names import Names
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.analysis.placement import meet
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop
from einsum_front.tl_backend.schedules.batch_simd.context import Array, LaneContext
from einsum_front.tl_backend.schedules.batch_simd.planned import LoopPlan, PlannedStep, fusions_of
from einsum_front.tl_backend.schedules.batch_simd.steps import Users, users_of
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.zeros import Storage


def plan_arrays(
    facts: Facts, plan: LoopPlan, parameters: Mapping[str, str], width: int, names: Names
) -> dict[str, Array]:
    """An array for every base; `parameters` are the C names of the arguments.

    Arrays hold the positions from the first to the last that may differ from zero, and room for one vector. Those that
    are not needed at the same time have the same place in memory. What a loop loads or stores itself has an array
    there, for one iteration.
    """
    arrays: dict[str, Array] = {}
    fusions = fusions_of(plan.steps)
    for name, storage in facts.storages.items():
        if _is_global(storage):
            arrays[name] = Array(parameters[name], 0, storage.span, parameters[name])
        else:
            low, size = _extent(storage, facts.patterns[name], width)
            own = names.fresh(f"{local_name(name)}_lanes" if storage.is_argument else local_name(name))
            fusion = fusions.get(name)
            low, size = (low, size) if fusion is None else (fusion.first, fusion.size)
            arrays[name] = Array(own, low, size, own)
    for bases in _rooms(facts, plan, arrays):
        home = names.fresh("lanes")
        for base, place in bases.items():
            arrays[base] = replace(arrays[base], home=home, place=place)
    return arrays


def _rooms(facts: Facts, plan: LoopPlan, arrays: Mapping[str, Array]) -> list[dict[str, int]]:
    """The C arrays: the bases in each of them and where they begin.

    Bases that must stand together do so one behind the other; then the largest come first, each into the first array
    that is free while they are needed.
    """
    fused = fusions_of(plan.steps)
    lanes = [name for name, storage in facts.storages.items() if not storage.is_uniform and name not in fused]
    together = shared(plan.steps, facts)
    alone = [[name] for name in lanes if not any(name in group for group in together)]
    users = users_of(each.step for each in plan.steps)
    rooms: list[tuple[dict[str, int], list[range]]] = []
    for group in sorted(together + alone, key=lambda group: -sum(arrays[name].size for name in group)):
        life = _life(group, plan, users, facts)
        room, lives = next((room for room in rooms if not any(meet(life, other) for other in room[1])), ({}, []))
        if not lives:
            rooms.append((room, lives))
        lives.append(life)
        for number, name in enumerate(group):
            room[name] = sum(arrays[before].size for before in group[:number])
    return [room for room, _ in rooms]


def _life(group: Sequence[str], plan: LoopPlan, users: Users, facts: Facts) -> range:
    """The steps during which some base of the group is needed; loads come before step 0, but for what is gathered."""
    numbers = [number for base in group for number in users.get(base, ())]
    mine = [flow for flow in plan.flows if flow.base in group]
    if any(flow.idle.any() for flow in mine):
        return range(-1, len(plan.steps))
    is_loaded = any(flow.needed.any() for flow in mine if flow.base not in facts.gathers)
    return range(-1 if is_loaded else min(numbers, default=0), max(numbers, default=0) + 1)


def shared(steps: Sequence[PlannedStep], facts: Facts) -> list[list[str]]:
    """The bases that must stand in one array, because one table of rows has entries or values in several of them."""
    groups: list[list[str]] = []
    for together in _together(steps, facts):
        met = [group for group in groups if set(group) & together]
        joined = {base for group in met for base in group} | together
        groups = [group for group in groups if group not in met] + [sorted(joined)]
    return groups


def _together(steps: Sequence[PlannedStep], facts: Facts) -> Iterator[set[str]]:
    for each in steps:
        for loop in each.all_loops:
            yield from _of_loop(loop, facts)


def _of_loop(loop: Loop, facts: Facts) -> Iterator[set[str]]:
    if isinstance(loop.body, RowTable):
        table = loop.body
        groups = (table.bases(operand) for operand in (table.entries, table.values) if operand is not None)
        yield from (bases for bases in groups if len(bases) > 1 and not _are_uniform(bases, facts))


def _are_uniform(bases: set[str], facts: Facts) -> bool:
    return all(facts.storages[base].is_uniform for base in bases)


def lane_entries(facts: Facts) -> int:
    """Vectors in the arrays of what differs from lane to lane."""
    lanes = [name for name, storage in facts.storages.items() if not storage.is_uniform]
    return sum(_extent(facts.storages[name], facts.patterns[name], 1)[1] for name in lanes)


def _extent(storage: Storage, pattern: Mask, width: int) -> tuple[int, int]:
    """The first position of the array and the number of positions."""
    positions = np.flatnonzero(pattern)
    if positions.size == 0:
        return 0, 1
    low, high = int(positions[0]), int(positions[-1]) + 1
    high = min(max(high, low + width), storage.span)
    low = max(0, min(low, high - width))
    return low, high - low


def declare_arrays(steps: Sequence[PlannedStep], context: LaneContext) -> tree.Statements:
    """The arrays, and a pointer for every base that has a part of one."""
    elsewhere = {name for name, storage in context.facts.storages.items() if _is_global(storage)}
    elsewhere.update(fusions_of(steps))
    own = {name: each for name, each in context.arrays.items() if name not in elsewhere}
    scalars = [each for name, each in own.items() if context.facts.is_uniform(name)]
    vectors = [each for name, each in own.items() if not context.facts.is_uniform(name)]
    sizes: dict[str, int] = {}
    for each in vectors:
        sizes[each.home] = max(sizes.get(each.home, 0), each.place + each.size)
    pointer = Pointer(context.vector_type, AddressSpace.PRIVATE)
    return (
        *(tree.DeclareArray(context.scalar_type, each.name, each.size, AddressSpace.PRIVATE) for each in scalars),
        *(tree.DeclareArray(context.vector_type, home, size, AddressSpace.PRIVATE) for home, size in sizes.items()),
        *(
            tree.Declare(pointer, each.name, index.add(tree.Name(each.home), index.constant(each.place)))
            for each in vectors
        ),
    )


def _is_global(storage: Storage) -> bool:
    return storage.is_argument and storage.is_uniform

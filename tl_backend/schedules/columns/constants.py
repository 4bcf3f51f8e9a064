"""Which constants are literals of the code, and which are read from memory.

Literals are operands of multiplications at no cost as long as the compiler finds room for them: NVIDIA's compiler keeps
numbers of 8 bytes in a memory of 64 KiB for the whole kernel, and needs instructions for each beyond that. Others, and
those whose values only the launch knows, come through the cache for constants, where all work-items of a sub-group read
one entry at a time. Where they read different ones, global memory is faster.
"""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.schedules.columns.groups import Group, Key, read_keys
from einsum_front.tl_backend.schedules.columns.homes import Home, Homes
from einsum_front.tl_backend.schedules.positions.facts import Facts

LITERALS = 56 * 1024
"""Bytes of different literals of 8 bytes."""

MOST_ARGUMENTS, MOST_BYTES = 8, 60 * 1024
"""Arguments that come through the cache for constants, and their bytes: OpenCL asks for 8 and 64 KiB."""


def constants_in_memory(groups: Sequence[Group], homes: Homes, facts: Facts, *, has_literals: bool) -> dict[str, bool]:
    """The constants that are read from memory, and whether that is through the cache for constants."""
    bases = [base for base, memory in homes.items() if memory.home is Home.CONSTANT]
    size = size_of(REGISTER[facts.element])
    keys = {base: list(_keys(base, groups)) for base in bases}
    numbers = {base: _numbers(base, keys[base], facts) for base in bases}
    literals = [base for base in bases if base in facts.known and has_literals]
    if size == 8:
        literals = _that_fit(literals, numbers, size)
    moving = {base for base in bases if any(np.ptp(key.positions) for key in keys[base])}
    found = {base: False for base in bases if base not in literals or base in moving}
    room = MOST_BYTES
    for base in list(found)[:]:
        shape = facts.storages[base].memref.shape
        needed = prod(extent or 1 for extent in shape) * size
        if base not in moving and needed <= room and sum(found.values()) < MOST_ARGUMENTS:
            found[base], room = True, room - needed
    return found


def _keys(base: str, groups: Sequence[Group]) -> Iterator[Key]:
    for group in groups:
        for number, factor in enumerate(group.step.factors):
            if factor.base == base:
                yield from read_keys(group, number)


def _numbers(base: str, keys: Sequence[Key], facts: Facts) -> set[float]:
    known = facts.known.get(base)
    return set() if known is None else {abs(float(known[key.positions[0]])) for key in keys}


def _that_fit(bases: Sequence[str], numbers: dict[str, set[float]], size: int) -> list[str]:
    """The constants with the fewest different numbers, as long as there is room."""
    kept, taken = list[str](), set[float]()
    for base in sorted(bases, key=lambda each: (len(numbers[each]), each)):
        if len(taken | numbers[base]) * size > LITERALS:
            break
        kept.append(base)
        taken |= numbers[base]
    return kept

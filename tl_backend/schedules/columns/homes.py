"""Where each memory of an element is while the element is computed.

    CONSTANT   an argument that all elements have together: literals, or read where it is; large ones that several
               instructions read are LOCAL
    DIRECT     an argument that is read from global memory when it is needed: each entry once by each who needs it
    LOCAL      local memory: what the work-items of an element exchange, and what is copied from and to global memory
    REGISTERS  the registers of the work-items, from the first write to the end: nobody else reads it
    CHOSEN     nowhere: known matrices, of which an integer of the element chooses one, are literals of the code

An argument that is only added to is not copied in: what is added to it comes together first, and then goes there once
(`is_added`).

Which constants are literals of the code, and which are read from memory.

Literals are operands of multiplications at no cost as long as the compiler finds room for them: NVIDIA's compiler keeps
numbers of 8 bytes in a memory of 64 KiB for the whole kernel, and needs instructions for each beyond that. Others, and
those whose values only the launch knows, come through the cache for constants, where all work-items of a sub-group read
one entry at a time. Where they read different ones, global memory is faster.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from math import prod

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.schedules.columns.steps import (
    Factor,
    Form,
    Group,
    Key,
    is_constant,
    read_keys,
    written_keys,
)
from einsum_front.tl_backend.schedules.positions.facts import Facts


class Home(Enum):
    """A kind of memory."""

    CONSTANT = auto()
    DIRECT = auto()
    LOCAL = auto()
    REGISTERS = auto()
    CHOSEN = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """A memory of an element: `read_first` are the entries whose value before the kernel matters, `written` those that
    it writes; `in_lines` says that lines of different steps that meet are the same."""

    base: str
    home: Home
    is_argument: bool
    is_added: bool
    read_first: Mask
    written: Mask
    used: Mask
    in_lines: bool

    def at(self, home: Home) -> "Memory":
        """The memory in another place."""
        return replace(self, home=home)


MOST_KEPT = 64
"""Entries of a matrix that is not known, beyond which it is copied to local memory if several instructions use it.

Compilers keep what comes through the cache for constants in registers, to the end of the kernel, and run out of them.
"""

MOST_COEFFICIENTS = 16
"""Numbers that a work-item reads from global memory for a line, far from those of its neighbours."""

Homes = Mapping[str, Memory]


def find_homes(groups: Sequence[Group], facts: Facts) -> Homes:
    """The places of all memories that the steps use; temporaries in registers where that is possible."""
    bases = dict.fromkeys(
        base for group in groups for base in (group.step.base, *(each.base for each in group.step.factors))
    )
    homes = {base: _memory(base, groups, facts) for base in bases}
    return homes | {base: homes[base].at(Home.LOCAL) for base in shared_in_local(groups, facts)}


def shared_in_local(groups: Sequence[Group], facts: Facts) -> frozenset[str]:
    """The constants that all work-items read from local memory: large ones that several instructions use."""
    instructions: dict[str, set[int]] = {}
    for group in groups:
        for factor in group.step.factors:
            if is_constant(factor.base, facts) and factor.base not in facts.known:
                instructions.setdefault(factor.base, set()).add(id(group.step.instruction))
    shared = (base for base, found in instructions.items() if len(found) > 1)
    return frozenset(base for base in shared if _entries_read(base, groups) > MOST_KEPT)


def _entries_read(base: str, groups: Sequence[Group]) -> int:
    found: set[int] = set()
    for group in groups:
        for number, factor in enumerate(group.step.factors):
            if factor.base == base:
                found.update(place for key in read_keys(group, number) for place in key.positions.tolist())
    return len(found)


def _memory(base: str, groups: Sequence[Group], facts: Facts) -> Memory:
    storage = facts.storages[base]
    read_first, written, used = (np.zeros(storage.span, np.bool_) for _ in range(3))
    is_read, betas = False, []
    for group in groups:
        step = group.step
        for number, factor in enumerate(step.factors):
            if factor.base == base:
                is_read = True
                for key in read_keys(group, number):
                    read_first[key.positions] |= ~written[key.positions]
                    used[key.positions] = True
        if step.base == base:
            betas.append(step.beta)
            now = np.zeros_like(written)
            now[step.target[step.kept.any(axis=1)]] = True
            if not step.beta.is_number(0):
                read_first |= now & ~written
            written |= now
    used |= written
    is_added = storage.is_argument and bool(betas) and not is_read and all(beta.is_number(1) for beta in betas)
    if is_added:
        read_first[:] = False
    in_lines = _is_in_lines(base, groups)
    home = _home(base, groups, facts, is_written=bool(betas), in_lines=in_lines, is_local=bool(read_first.any()))
    return Memory(base, home, storage.is_argument, is_added, read_first, written, used, in_lines)


def _home(
    base: str, groups: Sequence[Group], facts: Facts, *, is_written: bool, in_lines: bool, is_local: bool
) -> Home:
    if is_constant(base, facts):
        return Home.CONSTANT
    if not is_written:
        if base in facts.gathers:
            return Home.CHOSEN if _is_chosen(base, groups) else Home.LOCAL
        return Home.DIRECT if _is_direct(base, groups) else Home.LOCAL
    if facts.storages[base].is_argument or is_local:
        return Home.LOCAL
    return Home.REGISTERS if in_lines else Home.LOCAL


def _is_chosen(base: str, groups: Sequence[Group]) -> bool:
    """True if it is read as a matrix alone that is one of several known ones."""
    mine = ((group, each) for group in groups for each in group.step.factors if each.base == base)
    return all(group.members and factor.has_lines for group, factor in mine)


def _is_in_lines(base: str, groups: Sequence[Group]) -> bool:
    """True if whatever is read or added to is what one work-item wrote: entries of lanes are the same, or apart."""
    owner: dict[int, Key] = {}
    for group in groups:
        step = group.step
        for number, factor in enumerate(step.factors):
            if factor.base == base and any(owner.get(int(key.positions[0])) != key for key in read_keys(group, number)):
                return False
        if step.base == base:
            for key in written_keys(group):
                if any(owner.setdefault(position, key) != key for position in key.positions.tolist()):
                    return False
    return True


def _is_direct(base: str, groups: Sequence[Group]) -> bool:
    """True for coefficients of lines, which few work-items read, and where neighbours read neighbours once."""
    reads = 0
    for group in groups:
        for number, factor in enumerate(group.step.factors):
            if factor.base != base:
                continue
            keys = read_keys(group, number)
            if not _are_coefficients(group, factor, keys):
                reads += 1
                if not all(map(_is_contiguous, keys)):
                    return False
    return reads <= 1


def _are_coefficients(group: Group, factor: Factor, keys: set[Key]) -> bool:
    """True if each work-item reads a few numbers for all of its line, which the others do not read."""
    if group.form is Form.OUTER or factor.has_lines or len(keys) > MOST_COEFFICIENTS or len(group.step.factors) < 2:
        return False
    found = [np.unique(key.positions) for key in keys]
    return len(np.unique(np.concatenate(found))) * 2 > sum(each.size for each in found) if found else True


def _is_contiguous(key: Key) -> bool:
    return key.positions.size >= 16 and bool((np.diff(key.positions) == 1).mean() > 0.85)


def is_stored_directly(memory: Memory, keys: Sequence[Key]) -> bool:
    """True if neighbours write neighbours, so that nothing is gained by local memory."""
    return memory.is_argument and bool(keys) and all(map(_is_contiguous, keys))


# -- constants ---------------------------------------------------------------------------------------------------------


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
    read = {address.argument for each in facts.gathers.values() for piece in each for address, _ in piece.sources}
    room = MOST_BYTES
    for base in list(found)[:]:
        shape = facts.storages[base].memref.shape
        needed = prod(extent or 1 for extent in shape) * size
        if base not in moving | read and needed <= room and sum(found.values()) < MOST_ARGUMENTS:
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

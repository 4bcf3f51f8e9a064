"""The memory of an interpreted launch: allocations in one array of bytes, which know what was written, and by whom.

An address is the number of an allocation and a distance from its start in bytes. Every access is checked:

    E0711    it lies inside of the allocation, on a multiple of the size of an element
    E0712    what is read was written before; what the caller placed is written
    E0713    no other work-item of the group touches the element before the next barrier, unless both only read
    E0714    no other work-group touches an element of global memory, unless both only read

Atomic updates of one element do not race with each other.
"""

from bisect import bisect_right
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.tl_backend.kernel.types import AddressSpace

Array = NDArray[Any]
Integers = NDArray[np.int64]

LINE = 64
"""Allocations begin at multiples of so many bytes, as vectors may want it."""

NOBODY, SEVERAL = -1, -2
"""Who touched an element last, if it was not one work-item or group."""

UNKNOWN = -1
"""The allocation of an address that came as a number."""


class Address(NamedTuple):
    """For each work-item (or one for all) the number of an allocation and a distance from its start, in bytes."""

    allocation: Integers
    offset: Integers

    def moved(self, distance: Integers) -> "Address":
        """So many bytes further."""
        return Address(self.allocation, self.offset + distance)


@dataclass(frozen=True, slots=True)
class Who:
    """The work-items that access memory, as numbers in their group, and the group.

    One that `is_alone` is the only one of its group, and `groups` are those of the launch.
    """

    items: Integers
    group: int
    is_alone: bool
    groups: int


class _Touched:
    """Who has last read and written each element since a barrier, or since the start of the launch."""

    def __init__(self, size: int) -> None:
        self.reader = np.full(size, NOBODY, np.int32)
        self.writer = np.full(size, NOBODY, np.int32)
        self.read_at = np.zeros(size, np.int32)
        self.written_at = np.zeros(size, np.int32)
        self.is_atomic = np.zeros(size, bool)

    def grow(self, size: int) -> None:
        """Room for more bytes."""
        new = _Touched(size)
        for old, grown in zip(self._arrays(), new._arrays(), strict=True):
            grown[: old.size] = old
        self.reader, self.writer, self.read_at, self.written_at, self.is_atomic = new._arrays()

    def _arrays(self) -> tuple[Array, ...]:
        return self.reader, self.writer, self.read_at, self.written_at, self.is_atomic

    def forget(self, part: slice) -> None:
        """Nobody has touched these bytes."""
        self.reader[part] = self.writer[part] = NOBODY

    def one_reads(self, part: slice, who: int, now: int) -> bool:
        """`read` of the elements that begin there, by one; false, and nothing noted, if it disturbs somebody else."""
        if _has_others(self.writer[part], self.written_at[part], who, now):
            return False
        reader, read_at = self.reader[part], self.read_at[part]
        reader[...] = np.where(_is_other(reader, who) & (read_at == now), SEVERAL, who)
        read_at[...] = now
        return True

    def one_writes(self, part: slice, who: int, now: int) -> bool:
        """`write` of the elements that begin there, by one; false, and nothing noted, if it disturbs somebody else."""
        if any(_has_others(*log, who, now) for log in self._logs(part)):
            return False
        self.writer[part], self.written_at[part], self.is_atomic[part] = who, now, False
        return True

    def _logs(self, part: slice) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        return (self.writer[part], self.written_at[part]), (self.reader[part], self.read_at[part])

    def read(self, at: Integers, who: Array, now: int) -> Array:
        """Notes that these elements are read; gives where somebody else has written them."""
        last = np.where(self.written_at[at] == now, self.writer[at], NOBODY)
        before = np.where(self.read_at[at] == now, self.reader[at], NOBODY)
        self.reader[at] = who
        is_shared = _is_other(before, who) | (self.reader[at] != who)
        self.reader[at[is_shared]] = SEVERAL
        self.read_at[at] = now
        return _is_other(last, who)

    def write(self, at: Integers, who: Array, now: int) -> Array:
        """Notes that these elements are written; gives where somebody else has read or written them."""
        last = np.where(self.written_at[at] == now, self.writer[at], NOBODY)
        before = np.where(self.read_at[at] == now, self.reader[at], NOBODY)
        self.writer[at] = who
        conflicts = _is_other(before, who) | _is_other(last, who) | (self.writer[at] != who)
        self.written_at[at], self.is_atomic[at] = now, False
        return np.asarray(conflicts)

    def update(self, at: Integers, who: Array, now: int) -> Array:
        """Notes atomic updates, which do not disturb each other."""
        last = np.where(self.written_at[at] == now, self.writer[at], NOBODY)
        before = np.where(self.read_at[at] == now, self.reader[at], NOBODY)
        is_atomic = self.is_atomic[at] | (last == NOBODY)
        conflicts = _is_other(before, who) | (_is_other(last, who) & ~is_atomic)
        self.writer[at] = who
        is_shared = _is_other(last, who) | (self.writer[at] != who)
        self.writer[at[is_shared]] = SEVERAL
        self.written_at[at], self.is_atomic[at] = now, is_atomic
        return np.asarray(conflicts)


def _is_other(one: Array, who: Array | int) -> Array:
    return np.asarray((one != NOBODY) & (one != who))


def _has_others(last: Array, at: Array, who: int, now: int) -> bool:
    """True if an element was touched by another since a barrier; most were touched by nobody."""
    is_other = _is_other(last, who)
    return bool(np.count_nonzero(is_other)) and bool(np.count_nonzero(is_other & (at == now)))


class Memory:
    """All allocations of a launch; what the caller places stays, what a work-group allocates is given back."""

    def __init__(self) -> None:
        self._bytes = np.zeros(1 << 16, np.uint8)
        self._written = np.zeros(1 << 16, np.uint8)
        self._by_items, self._by_groups = _Touched(1 << 16), _Touched(1 << 16)
        self._free = LINE
        self._starts: Integers = np.zeros(64, np.int64)
        self._sizes: Integers = np.zeros(64, np.int64)
        self._found: list[int] = []
        self._names: list[str] = []
        self._spaces: list[AddressSpace] = []
        self._epochs = {AddressSpace.LOCAL: 1, AddressSpace.GLOBAL: 1}
        self._launch = 1

    # -- allocations ---------------------------------------------------------------------------------------------------

    def place(self, name: str, array: Array) -> int:
        """A copy of the array in global memory; gives its address as a number."""
        raw = np.frombuffer(array.tobytes(), np.uint8)
        number = self.allocate(name, max(1, raw.size), 1, AddressSpace.GLOBAL)
        start = int(self._starts[number])
        self._bytes[start : start + raw.size] = raw
        self._written[start : start + raw.size] = 1
        return start

    def reserve(self, name: str, size: int) -> int:
        """So many bytes of global memory that nobody has written; gives their address as a number."""
        return int(self._starts[self.allocate(name, size, 1, AddressSpace.GLOBAL)])

    def fetch(self, address: int, array: Array) -> None:
        """Copies what is at the address to the array."""
        raw = self._bytes[address : address + array.nbytes]
        array[...] = np.frombuffer(raw.tobytes(), array.dtype).reshape(array.shape)

    def allocate(self, name: str, size: int, count: int, space: AddressSpace, *, is_zero: bool = False) -> int:
        """So many allocations of so many bytes, with numbers from the result on."""
        first, distance = len(self._names), (-(-size // LINE) + 1) * LINE
        end = self._free + count * distance
        self._reserve(end, first + count)
        self._starts[first : first + count] = self._free + distance * np.arange(count)
        self._sizes[first : first + count] = size
        self._found += range(self._free, self._free + count * distance, distance)
        self._names += [name] * count
        self._spaces += [space] * count
        part = slice(self._free, end)
        self._written[part] = is_zero
        self._bytes[part] = 0
        self._by_items.forget(part)
        self._by_groups.forget(part)
        self._free = end
        return first

    def _reserve(self, size: int, count: int) -> None:
        if size > self._bytes.size:
            more = max(size, 2 * self._bytes.size)
            self._bytes = np.concatenate((self._bytes, np.zeros(more - self._bytes.size, np.uint8)))
            self._written = np.concatenate((self._written, np.zeros(more - self._written.size, np.uint8)))
            self._by_items.grow(more)
            self._by_groups.grow(more)
        if count > self._starts.size:
            self._starts = np.concatenate((self._starts, np.zeros(max(count, self._starts.size), np.int64)))
            self._sizes = np.concatenate((self._sizes, np.zeros(max(count, self._sizes.size), np.int64)))

    def mark(self) -> tuple[int, int]:
        """State that `release` goes back to."""
        return self._free, len(self._names)

    def release(self, mark: tuple[int, int]) -> None:
        """Gives back what was allocated since the mark."""
        self._free, count = mark
        del self._names[count:], self._spaces[count:], self._found[count:]

    def address(self, number: int, items: int) -> Address:
        """The start of the first of some allocations for each work-item, or of one for all."""
        return Address(number + np.arange(items, dtype=np.int64), np.zeros(1, np.int64))

    def address_of(self, numbers: Array) -> Address:
        """Addresses as numbers; what they point to shows when they are used, after they were moved."""
        return Address(np.full(numbers.shape, UNKNOWN), numbers.astype(np.int64))

    def _resolved(self, address: Address) -> Address:
        """The address in the allocation that it points to, or points behind."""
        if (address.allocation != UNKNOWN).all():
            return address
        allocation, offset = np.broadcast_arrays(address.allocation, address.offset)
        starts = self._starts[: len(self._names)]
        found = np.clip(np.searchsorted(starts, offset, "right") - 1, 0, len(starts) - 1)
        is_unknown = allocation == UNKNOWN
        offset = np.where(is_unknown, offset - starts[found], offset)
        return Address(np.where(is_unknown, found, allocation), offset)

    def name(self, address: Address) -> str:
        """Memory that an address points to, in words."""
        return self._names[int(self._resolved(address).allocation[0])]

    # -- time ----------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """A launch begins: all that was written is to be seen by everybody."""
        self._launch += 1
        self.wait(tuple(self._epochs))

    def wait(self, spaces: tuple[AddressSpace, ...]) -> None:
        """The work-items of a group see what the others have written to these spaces."""
        for space in spaces:
            self._epochs[space] += 1

    # -- accesses ------------------------------------------------------------------------------------------------------

    def load(self, address: Address, type_: np.dtype[Any], width: int, who: Who) -> Array:
        """`width` neighbouring elements for each work-item: an array of shape (work-items, width)."""
        if who.is_alone and (place := self._place_of_one(address, type_, width)) is not None:
            part = slice(place[1], place[1] + width * type_.itemsize)
            is_written = np.count_nonzero(self._written[part]) == width * type_.itemsize
            if is_written and self._is_alone_there(place[0], part, type_, who, is_read=True):
                return self._bytes[part].view(type_).copy()[None, :]
        address = self._resolved(address)
        at = self._places(address, type_, width, who)
        written = self._written.view(f"u{type_.itemsize}") if type_.itemsize > 1 else self._written
        full = int.from_bytes(b"\x01" * type_.itemsize, "little")
        if not (is_written := written[at // type_.itemsize] == full).all():
            raise self._error("E0712", "reads", "which nothing has written", address, type_, who, ~is_written)
        self._check_races(at, address, type_, who, None)
        values: Array = self._bytes.view(type_)[at // type_.itemsize]
        return values

    def store(self, address: Address, values: Array, who: Who) -> None:
        """The values, of shape (work-items, width), go to neighbouring elements."""
        type_, width = values.dtype, values.shape[1]
        if who.is_alone and (place := self._place_of_one(address, type_, width)) is not None:
            part = slice(place[1], place[1] + width * type_.itemsize)
            if self._is_alone_there(place[0], part, type_, who, is_read=False):
                self._bytes[part].view(type_)[...] = values[0]
                self._written[part] = 1
                return
        address = self._resolved(address)
        at = self._places(address, values.dtype, values.shape[1], who)
        self._check_races(at, address, values.dtype, who, False)
        self._put(at, values)

    def update(self, address: Address, values: Array, who: Who) -> tuple[Integers, Array]:
        """Prepares an atomic update: the places of elements in memory, and all elements."""
        address = self._resolved(address)
        at = self._places(address, values.dtype, 1, who)
        self._check_races(at, address, values.dtype, who, True)
        return at[:, 0] // values.dtype.itemsize, self._bytes.view(values.dtype)

    def is_written(self, places: Integers, type_: np.dtype[Any]) -> bool:
        """True if elements at places of `update` were written; from now on they are."""
        bytes_ = places[:, None] * type_.itemsize + np.arange(type_.itemsize)
        was = bool(self._written[bytes_].all())
        self._written[bytes_] = 1
        return was

    def _place_of_one(self, address: Address, type_: np.dtype[Any], width: int) -> tuple[int, int] | None:
        """The allocation of the elements of one work-item, and where they begin in the bytes; None if it is wrong.

        The only work-item of a group touches most of what is touched at all: `_places` takes twenty times as long.
        """
        number, offset = int(address.allocation[0]), int(address.offset[0])
        if number == UNKNOWN:
            number = max(bisect_right(self._found, offset) - 1, 0)
            offset -= self._found[number]
        if offset < 0 or offset % type_.itemsize or offset + width * type_.itemsize > self._sizes[number]:
            return None
        return number, self._found[number] + offset

    def _is_alone_there(self, number: int, part: slice, type_: np.dtype[Any], who: Who, *, is_read: bool) -> bool:
        """Notes what the only work-item of a group does, unless it disturbs another group."""
        if who.groups == 1 or self._spaces[number] is not AddressSpace.GLOBAL:
            return True
        note = self._by_groups.one_reads if is_read else self._by_groups.one_writes
        return note(slice(part.start, part.stop, type_.itemsize), who.group, self._launch)

    def _put(self, at: Integers, values: Array) -> None:
        size = values.dtype.itemsize
        self._bytes.view(values.dtype)[at // size] = values
        written = self._written.view(f"u{size}") if size > 1 else self._written
        written[at // size] = int.from_bytes(b"\x01" * size, "little")

    def _places(self, address: Address, type_: np.dtype[Any], width: int, who: Who) -> Integers:
        """Where the elements are in the bytes: an array of shape (work-items, width)."""
        offsets, sizes = np.broadcast_arrays(address.offset, self._sizes[address.allocation])
        count = who.items.size
        is_inside = (offsets >= 0) & (offsets + width * type_.itemsize <= sizes) & (offsets % type_.itemsize == 0)
        if not is_inside.all():
            wrong = np.broadcast_to(~is_inside, count)[:, None]
            raise self._error("E0711", "touches", "which is outside", address, type_, who, wrong)
        starts = np.broadcast_to(self._starts[address.allocation] + address.offset, count)
        places: Integers = starts[:, None] + type_.itemsize * np.arange(width)
        return places

    def _check_races(
        self, at: Integers, address: Address, type_: np.dtype[Any], who: Who, is_atomic: bool | None
    ) -> None:
        """`is_atomic` is None for a read."""
        space = self._spaces[int(np.ravel(address.allocation)[0])]
        if space is AddressSpace.PRIVATE:
            return
        flat, items = at.ravel(), np.repeat(who.items, at.shape[1])
        touched = [(self._by_items, items, self._epochs[space], "E0713", "work-item of the group")]
        if space is AddressSpace.GLOBAL:
            groups = np.full(flat.size, who.group)
            touched.append((self._by_groups, groups, self._launch, "E0714", "work-group"))
        for log, each, now, code, what in touched:
            note = log.read if is_atomic is None else log.update if is_atomic else log.write
            conflicts = note(flat, each, now)
            if conflicts.any():
                verb = "reads" if is_atomic is None else "updates" if is_atomic else "writes"
                why = f"which another {what} touches at the same time"
                raise self._error(code, verb, why, address, type_, who, conflicts.reshape(at.shape))

    def _error(
        self, code: str, verb: str, why: str, address: Address, type_: np.dtype[Any], who: Who, wrong: Array
    ) -> CompileError:
        """An access of which these elements are wrong."""
        item, lane = (int(index) for index in np.argwhere(wrong)[0])
        allocation = int(np.broadcast_to(address.allocation, who.items.size)[item])
        offset = int(np.broadcast_to(address.offset, who.items.size)[item]) + lane * type_.itemsize
        place = f"element {offset // type_.itemsize} of `{self._names[allocation]}`"
        room = f"({int(self._sizes[allocation]) // type_.itemsize} elements of {type_.name})"
        reader = f"work-item {int(who.items[item])} of work-group {who.group}"
        return CompileError([Diagnostic(code, f"{reader} {verb} {place} {room}, {why}")])

"""Arguments that share memory.

A kernel reads its inputs while it writes its outputs, work-groups run in any order, and the compiler assumes that
different arguments are different memory. So what is written must share memory with nothing, however the arrays are
laid out; what is only read may be shared.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES
from einsum_front.runtime.arrays.storage import ArrayValue, DeviceArray, HostArray, HostGroup
from einsum_front.runtime.artifact import ArrayParameter
from einsum_front.runtime.devices.opencl import cl

if TYPE_CHECKING:
    from pyopencl.array import Array as PyopenclArray

HOST = 0
"""The address space of the process; buffers of a device have one each."""

FEW = 16
"""Arrays that are compared in pairs; more are sorted first."""

MAX_WORK = 100_000
"""Candidate solutions to try before two interleaved arrays count as overlapping (see `numpy.shares_memory`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The memory of one argument, or of one member of a group: from the first byte of an entry to the last."""

    argument: str
    member: int | None
    is_written: bool
    space: int
    array: NDArray[Any] | DeviceArray
    start: int
    end: int

    @property
    def entries(self) -> NDArray[Any]:
        """Where the entries are; a device's as an array that nobody dereferences."""
        if isinstance(self.array, DeviceArray):
            return np.asarray(_Placed(self.start, self.array))
        return self.array


def overlap_mistakes(kernel: str, values: Iterable[ArrayValue]) -> list[Diagnostic]:
    """One mistake for every pair of arguments that share memory of which one is written."""
    values = tuple(values)
    if _are_apart(values):
        return []
    regions = _once(region for value in values for region in _regions(value))
    mistakes: dict[tuple[str, str], Diagnostic] = {}
    for first, second in _neighbours(regions):
        pair = (first.argument, second.argument)
        if (first.is_written or second.is_written) and pair not in mistakes and _share(first, second):
            mistakes[pair] = _mistake(kernel, first, second)
    return list(mistakes.values())


def _once(regions: Iterable[Region]) -> list[Region]:
    """Members that are only read stand there once: a thousand elements may share them."""
    found: dict[tuple[str, int, int], Region] = {}
    for number, region in enumerate(regions):
        key = (region.argument, number if region.is_written else -1, id(region.array))
        found.setdefault(key, region)
    return list(found.values())


def _are_apart(values: tuple[ArrayValue, ...]) -> bool:
    """True if what is written is clearly apart from all else: so it is in most calls, and that is soon found out."""
    if len(values) > FEW or any(isinstance(value, HostGroup) for value in values):
        return False  # members of a group may meet each other
    written = [value for value in values if value.parameter.is_written]
    return not any(_may_meet(one, other) for one in written for other in values if other is not one)


def _may_meet(one: ArrayValue, other: ArrayValue) -> bool:
    """False for NumPy arrays whose extents do not overlap, and for device arrays of two buffers."""
    if isinstance(one, HostArray) and isinstance(other, HostArray):
        return np.may_share_memory(one.array, other.array)
    if isinstance(one, DeviceArray) and isinstance(other, DeviceArray):
        if one.memory is None or other.memory is None:
            return False
        return device_place(one.memory, 0)[0] == device_place(other.memory, 0)[0]
    return True


def overlaps_itself(array: "NDArray[Any] | PyopenclArray") -> bool:
    """True if two entries of an array share memory, as in the result of `numpy.broadcast_to`."""
    shape, itemsize = array.shape, array.dtype.itemsize
    axes = sorted((abs(stride), size) for stride, size in zip(array.strides, shape, strict=True) if size > 1)
    if 0 in shape:
        return False
    reach = itemsize
    for stride, size in axes:
        if stride < reach:
            break
        reach += stride * (size - 1)
    else:
        return False
    places = np.zeros(1, dtype=np.int64)
    for stride, size in axes:
        places = np.add.outer(places, stride * np.arange(size)).ravel()
    return bool(np.any(np.diff(np.sort(places)) < itemsize))


def _neighbours(regions: list[Region]) -> Iterator[tuple[Region, Region]]:
    """All pairs whose extents in memory overlap, each in the order of the arguments."""
    order = {id(region): position for position, region in enumerate(regions)}
    open_regions: list[Region] = []
    for region in sorted(regions, key=lambda region: (region.space, region.start)):
        open_regions = [other for other in open_regions if other.space == region.space and other.end > region.start]
        for other in open_regions:
            first, second = sorted((other, region), key=lambda each: order[id(each)])
            yield first, second
        open_regions.append(region)


def _share(first: Region, second: Region) -> bool:
    try:
        return np.shares_memory(
            first.entries,
            second.entries,
            max_work=MAX_WORK,  # type: ignore[arg-type]  # any count will do, the stub knows the two special ones only
        )
    except np.exceptions.TooHardError:
        return True


def _mistake(kernel: str, first: Region, second: Region) -> Diagnostic:
    written = " and ".join(f"`{name}`" for name in dict.fromkeys(r.argument for r in (first, second) if r.is_written))
    return Diagnostic(
        "E0510",
        f"{_name(first)} and {_name(second)} share memory, and `{kernel}` writes to {written}",
        notes=("a kernel reads its inputs while it writes its outputs: one of the two must be a copy",),
    )


def _name(region: Region) -> str:
    return f"`{region.argument}`" if region.member is None else f"member {region.member} of `{region.argument}`"


def _regions(value: ArrayValue) -> list[Region]:
    match value:
        case HostArray(parameter, array):
            return [_on_host(parameter, None, array)] if array.size else []
        case HostGroup(parameter, members):
            return [_on_host(parameter, number, member) for number, member in enumerate(members) if member.size]
        case DeviceArray():
            return _on_device(value)


def _on_host(parameter: ArrayParameter, member: int | None, array: NDArray[Any]) -> Region:
    first = int(array.__array_interface__["data"][0])
    start, end = byte_range(first, array.shape, array.strides, array.itemsize)
    return Region(parameter.name, member, parameter.is_written, HOST, array, start, end)


def byte_range(first: int, shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """The bytes from the first entry of an array to behind its last; `first` is where entry 0 starts."""
    reaches = [stride * (size - 1) for stride, size in zip(strides, shape, strict=True)]
    return first + sum(min(0, reach) for reach in reaches), first + sum(max(0, reach) for reach in reaches) + itemsize


class _Placed:
    """Entries at an address, for NumPy's arithmetic on extents only."""

    def __init__(self, address: int, value: DeviceArray) -> None:
        dtype = ELEMENT_TYPES[value.parameter.type]
        self.__array_interface__ = {
            "version": 3,
            "typestr": dtype.str,
            "shape": value.layout.array_shape,
            "strides": tuple(stride * dtype.itemsize for stride in value.layout.array_strides),
            "data": (address, True),
        }


def _on_device(value: DeviceArray) -> list[Region]:
    """The region of device memory, if it has entries."""
    memory, parameter = value.memory, value.parameter
    if memory is None or 0 in value.layout.shape:
        return []
    space, start = device_place(memory, value.offset)
    return [Region(parameter.name, None, parameter.is_written, space, value, start, start + value.nbytes)]


def device_place(memory: cl.MemoryObjectHolder | cl.SVMPointer, offset: int) -> tuple[int, int]:
    """The address space of memory of a device, and the address of the byte at this offset; a part lies in the whole."""
    if isinstance(memory, cl.SVMPointer):
        return HOST, memory.svm_ptr + offset
    whole = memory.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
    if isinstance(whole, cl.MemoryObjectHolder):
        return whole.int_ptr, _BASE + memory.offset + offset
    return memory.int_ptr, _BASE + offset


_BASE = 4096  # the address of a buffer's first byte; not 0, which NumPy takes for a request to allocate

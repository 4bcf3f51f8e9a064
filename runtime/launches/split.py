"""Batches that are larger than what a device takes at once.

A device limits the size of one allocation, the memory of all of them and the number of work-groups. A larger batch runs
in several launches, each over a part of it, and so does one whose copies would be large. That is allowed only if
work-groups share nothing but constants: a tensor that is one for the whole launch must be read only, and its run-time
sizes must have names (one without may count the work-groups, so that the tensor is a table with an entry for each).
"""

from collections.abc import Iterator
from dataclasses import replace
from math import gcd

from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.groups import POINTER
from einsum_front.runtime.arrays.host_arrays import is_buffer
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout, apart, declared_layout, entries_of_element
from einsum_front.runtime.arrays.storage import (
    ALIGNMENT,
    ArrayValue,
    DeviceArray,
    HostArray,
    HostGroup,
    ScalarValue,
    Value,
    host_array,
)
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import DeviceFacts, SharedMemory


def split(
    arguments: Arguments, facts: DeviceFacts, elements_per_group: int = 1, most_copied: int | None = None
) -> tuple[Arguments, ...]:
    """The launches, in the order of the batch; none for an empty batch.

    A work-group runs so many elements: the device takes so many times as many of them as work-groups. Copies of NumPy
    arrays for one launch take no more than `most_copied` bytes, if the batch can be split.
    """
    if arguments.groups == 0:
        return ()
    arrays = [value for value in arguments.values if not isinstance(value, ScalarValue)]
    most = min([arguments.groups, *_limits(arrays, facts, elements_per_group)])
    granule = _granule(arrays, facts)
    if most < arguments.groups:
        _check_splittable(arrays, arguments.groups, most, facts)
    size = _copied_bytes_per_group(arrays)
    if most_copied is not None and most * size > most_copied and are_splittable(arrays):
        blocks = granule * elements_per_group  # vectors are full in all parts but the last
        most = min(most, max(1, most_copied // size // blocks) * blocks)
    if most == arguments.groups:
        return (arguments,)
    step = most // granule * granule
    if step == 0:
        raise failure("E0607", f"`{facts.name}` has no memory for one element of the batch")
    starts = range(0, arguments.groups, step)
    return tuple(_part(arguments, start, min(start + step, arguments.groups), facts) for start in starts)


def _limits(arrays: list[ArrayValue], facts: DeviceFacts, elements_per_group: int) -> Iterator[int]:
    """How many elements each limit of the device allows."""
    if facts.driver.max_groups is not None:
        yield facts.driver.max_groups * elements_per_group
    sizes = [_bytes_per_group(value, facts) for value in arrays]
    total = sum(sizes)
    yield from (facts.max_allocation // size for size in sizes if size)
    if not facts.shares_host_memory and total:
        constants = (value.array.nbytes for value in arrays if isinstance(value, HostArray) and value.batch is None)
        yield max(0, facts.global_memory - sum(constants)) // total


def _copied_bytes_per_group(arrays: list[ArrayValue]) -> int:
    """New memory of the host for each element of the batch."""
    copied = (value for value in arrays if isinstance(value, HostArray) and not value.fit.is_in_place)
    return sum(entries_of_element(value.parameter, value.fit.layout) * value.array.itemsize for value in copied)


def _bytes_per_group(value: ArrayValue, facts: DeviceFacts) -> int:
    """New memory on the device for each element of the batch."""
    match value:
        case HostArray(parameter, array, how) if parameter.batched:
            return entries_of_element(parameter, how.layout) * array.itemsize
        case HostGroup(parameter, members) if facts.shared_memory is SharedMemory.ALLOCATED:
            itemsize = ELEMENT_TYPES[parameter.type].itemsize
            spans = [declared_layout(parameter, member.shape).span * itemsize for member in members]
            return POINTER.itemsize + -(-max(spans) // ALIGNMENT) * ALIGNMENT
        case HostArray() | HostGroup() | DeviceArray():
            return 0


def _check_splittable(arrays: list[ArrayValue], groups: int, most: int, facts: DeviceFacts) -> None:
    if are_splittable(arrays):
        return
    whole = [value.parameter.name for value in arrays if not _can_be_split(value)]
    reason = f"{quoted(whole)} cannot be split" if whole else "no argument is batched"
    raise failure("E0609", f"`{facts.name}` takes {most} work-groups in a launch, not {groups}, and {reason}")


def are_splittable(arrays: list[ArrayValue]) -> bool:
    """True if the batch may run in several launches: they share constants only."""
    return all(map(_can_be_split, arrays)) and any(value.batch is not None for value in arrays)


def _can_be_split(value: ArrayValue) -> bool:
    if None in value.parameter.indices:
        return False  # its integers are numbers of elements, which may be in another part
    match value:
        case HostGroup():
            return True
        case DeviceArray(parameter, memory) if parameter.batched:
            return is_buffer(memory)
        case HostArray(parameter) if parameter.batched:
            return True
        case HostArray(parameter) | DeviceArray(parameter):
            names = parameter.sizes or (None,) * len(parameter.shape)
            sizes = zip(parameter.shape, names, strict=True)
            return not parameter.is_written and all(size is not None or name is not None for size, name in sizes)


def _granule(arrays: list[ArrayValue], facts: DeviceFacts) -> int:
    """The smallest part such that each part of a device array starts where a buffer may start, in elements."""
    granule = 1
    for value in arrays:
        if isinstance(value, DeviceArray) and value.batch is not None:
            distance = apart(value.parameter, value.layout) * ELEMENT_TYPES[value.parameter.type].itemsize
            needed = facts.base_alignment // gcd(facts.base_alignment, distance)
            granule = granule * needed // gcd(granule, needed)
    return granule


def _part(arguments: Arguments, start: int, stop: int, facts: DeviceFacts) -> Arguments:
    return Arguments(tuple(_part_of(value, start, stop, facts) for value in arguments.values), stop - start)


def _part_of(value: Value, start: int, stop: int, facts: DeviceFacts) -> Value:
    match value:
        case ScalarValue():
            return value
        case HostGroup(_, members):
            return replace(value, members=members[start:stop])
        case HostArray(parameter, array):
            if not parameter.batched:
                return value
            return host_array(parameter, array[start:stop], allow_gaps=facts.shares_host_memory)
        case DeviceArray(parameter, _, offset, layout):
            if not parameter.batched:
                return value
            distance = apart(parameter, layout) * ELEMENT_TYPES[parameter.type].itemsize
            shape = list(layout.shape)
            shape[parameter.batch_mode or 0] = stop - start
            shorter = Layout(tuple(shape), layout.strides, layout.axes)
            return replace(value, offset=offset + start * distance, layout=shorter)

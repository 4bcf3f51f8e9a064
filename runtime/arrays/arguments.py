"""Check what the caller passes against the parameters of a kernel: all mistakes at once, one for each cause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from numbers import Integral
from re import escape, fullmatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.extent import Polynomial, evaluated
from einsum_front.core.extent_text import word
from einsum_front.core.numbers import in_parts
from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.host_arrays import (
    can_start_at,
    check_buffer,
    check_device_array,
    check_group,
    check_host_array,
    memory_from,
    start_alignment,
)
from einsum_front.runtime.arrays.layout import (
    ELEMENT_TYPES,
    declared_layout,
    expected_shape,
    named_axes,
    parameter_text,
)
from einsum_front.runtime.arrays.overlap import overlap_mistakes
from einsum_front.runtime.arrays.scalars import check_scalar
from einsum_front.runtime.arrays.storage import (
    ArrayValue,
    DeviceArray,
    HostArray,
    HostGroup,
    ScalarValue,
    Value,
    array_in,
    host_array,
    new_array,
)
from einsum_front.runtime.artifact import (
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    SizeLimit,
    TensorParameter,
)
from einsum_front.runtime.devices.context import queue_of
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import Array, cl, driver_errors, use_drivers


@dataclass(frozen=True, slots=True)
class Arguments:
    """The checked arguments in the order of the parameters, and the number of work-groups."""

    values: tuple[Value, ...]
    groups: int

    @property
    def sizes(self) -> dict[str, int]:
        """The values of sizes, as far as arrays show them."""
        arrays = [value for value in self.values if not isinstance(value, ScalarValue)]
        return sizes_shown((value.parameter, shape) for value in arrays for shape in _shapes(value))

    def in_shared_memory(self) -> frozenset[str]:
        """The names of the caller's device arrays that are shared virtual memory, not buffers."""
        arrays = (value for value in self.values if isinstance(value, DeviceArray))
        return frozenset(array.parameter.name for array in arrays if isinstance(array.memory, cl.SVMPointer))


def check(
    artifact: Artifact,
    device: Device,
    groups: int | None,
    arguments: Mapping[str, object],
    known: Mapping[str, HostArray],
) -> Arguments:
    """Raise CompileError unless the kernel can be launched with these arguments.

    The number of work-groups is the size of the batch; without batched arguments it is `groups`, or 1. `known` are the
    arguments whose values are known when compiling: they may be missing, and cannot be others.
    """
    mistakes = list(_name_mistakes(artifact, device.facts, arguments, known))
    values: list[Value] = []
    for parameter in artifact.arguments:
        if parameter.name in arguments:
            match _check_one(artifact.name, parameter, arguments[parameter.name], device.facts):
                case list(found):
                    mistakes += found
                case (ScalarValue() | HostArray() | DeviceArray() | HostGroup()) as value:
                    values.append(value)
        elif parameter.name in known:
            values.append(known[parameter.name])
    arrays = [value for value in values if not isinstance(value, ScalarValue)]
    mistakes += _batch_mistakes(artifact, arrays, groups)
    shown = ((extent, size, value.parameter.name) for value in arrays for extent, size in _named_sizes(value))
    mistakes += size_mistakes(shown, artifact.limits)
    mistakes += _place_mistakes(device, [value for value in arrays if isinstance(value, DeviceArray)])
    mistakes += overlap_mistakes(artifact.name, arrays)
    mistakes = mistakes or list(known_value_mistakes(device, known, arrays))
    raise_any(mistakes)
    batches = _batches(arrays)
    checked = Arguments(tuple(values), next(iter(batches)) if batches else 1 if groups is None else groups)
    if artifact.checks_indices and (outside := list(index_mistakes(device, arrays, checked.groups, checked.sizes))):
        raise CompileError(outside)
    return checked


def _check_one(kernel: str, parameter: Parameter, argument: object, facts: DeviceFacts) -> Value | list[Diagnostic]:
    match parameter:
        case ScalarParameter():
            scalar = check_scalar(parameter, argument)
            return [scalar] if isinstance(scalar, Diagnostic) else scalar
        case GroupParameter():
            return check_group(kernel, parameter, argument)
        case TensorParameter():
            if facts.instruction_set is not None and isinstance(argument, Array | cl.MemoryObjectHolder):
                return [_elsewhere(parameter.name, facts)]
            if isinstance(argument, Array):
                return check_device_array(kernel, parameter, argument)
            if isinstance(argument, cl.MemoryObjectHolder):
                buffer = check_buffer(kernel, parameter, argument)
                return [buffer] if isinstance(buffer, Diagnostic) else buffer
            return check_host_array(kernel, parameter, argument, allow_gaps=facts.shares_host_memory)


def _elsewhere(name: str, facts: DeviceFacts) -> Diagnostic:
    notes = ("`ef.to_host` copies an array of a device to the memory of the host",)
    message = f"argument `{name}` is memory of OpenCL, and device `{facts.selector}` takes arrays of NumPy"
    return Diagnostic("E0614", message, notes=notes)


def _name_mistakes(
    artifact: Artifact, facts: DeviceFacts, arguments: Mapping[str, object], known: Mapping[str, HostArray]
) -> Iterator[Diagnostic]:
    """Unknown arguments, then missing ones; one that is only misspelt is said once."""
    names = [parameter.name for parameter in artifact.arguments]
    given = arguments.keys() | known.keys()
    missing = {parameter.name: parameter for parameter in artifact.arguments if parameter.name not in given}
    for name in arguments:
        members = [each for each in missing if fullmatch(rf"{escape(name)}(_\d+)+", each)]
        if name not in names and members:
            for each in members:
                del missing[each]
            message = f"`{artifact.name}` has no argument `{name}`, but the members of this family that it uses"
            pairs = ", ".join(f"{each}=…" for each in members)
            yield Diagnostic("E0502", message, notes=(f"each member is an argument: `{pairs}`",))
        elif name not in names:
            meant = _meant(artifact.name, facts, (name, arguments[name]), missing)
            missing.pop(meant or "", None)
            notes = () if meant else (f"it has {quoted(names)}" if names else "it has none",)
            helps = (f"`{meant}` is missing: pass the argument as `{meant}`",) if meant else ()
            yield Diagnostic("E0502", f"`{artifact.name}` has no argument `{name}`", notes=notes, helps=helps)
    for parameter in missing.values():
        yield Diagnostic("E0501", f"argument `{parameter.name}` is missing: {parameter_text(parameter)}")


def _meant(kernel: str, facts: DeviceFacts, given: tuple[str, object], missing: Mapping[str, Parameter]) -> str | None:
    """The missing parameter with almost the name that is given, if the argument would do for it."""
    name, argument = given
    folded = {candidate.casefold(): candidate for candidate in missing}
    for near in get_close_matches(name.casefold(), folded, cutoff=0.5):
        if not isinstance(_check_one(kernel, missing[folded[near]], argument, facts), list):
            return folded[near]
    return None


def _batches(arrays: list[ArrayValue]) -> dict[int, list[str]]:
    """The arguments that have each size of the batch."""
    batches: dict[int, list[str]] = {}
    for value in arrays:
        if value.batch is not None:
            batches.setdefault(value.batch, []).append(value.parameter.name)
    return batches


def _batch_mistakes(artifact: Artifact, arrays: list[ArrayValue], groups: int | None) -> Iterator[Diagnostic]:
    batches = _batches(arrays)
    if len(batches) > 1:
        sizes = ", ".join(f"{size} in {quoted(names)}" for size, names in batches.items())
        yield Diagnostic("E0508", f"arguments differ in the size of the batch: {sizes}")
    elif groups is not None and not isinstance(groups, Integral):
        found = f"the number of work-groups is of type {type(groups).__name__}, expected an integer"
        yield Diagnostic("E0511", found)
    elif groups is not None and groups < 0:
        yield Diagnostic("E0511", f"`{artifact.name}` cannot run {groups} work-groups")
    elif groups is not None and batches and groups not in batches:
        size, names = next(iter(batches.items()))
        message = f"`{artifact.name}` runs one work-group for each element of the batch, {size} in {quoted(names)}"
        yield Diagnostic("E0511", f"{message}, but {groups} were asked for")


def _named_sizes(value: ArrayValue) -> Iterator[tuple[Polynomial, int]]:
    for extent, axis in named_axes(value.parameter):
        yield from ((extent, shape[axis]) for shape in _shapes(value))


def _shapes(value: ArrayValue) -> list[tuple[int, ...]]:
    match value:
        case HostArray(array=array):
            return [array.shape]
        case HostGroup(members=members):
            return [member.shape for member in members]
        case DeviceArray():
            return [value.layout.array_shape]


def sizes_shown(shapes: Iterable[tuple[TensorParameter | GroupParameter, tuple[int, ...]]]) -> dict[str, int]:
    """The values of sizes that the shapes of arguments show, by name."""
    shown = ((extent, shape[axis]) for parameter, shape in shapes for extent, axis in named_axes(parameter))
    return {extent.size.name: number for extent, number in shown if extent.size is not None}


def _place_mistakes(device: Device, arrays: list[DeviceArray]) -> Iterator[Diagnostic]:
    """Memory must belong to the device, all of it to one context, and start where the device lets a buffer start."""
    contexts = [(value.parameter.name, value.context) for value in arrays if value.context is not None]
    for name, context in contexts:
        if device.handle not in context.devices:
            others = quoted(other.name.strip() for other in context.devices)
            yield Diagnostic("E0512", f"argument `{name}` lives on {others}, the kernel is for `{device.facts.name}`")
    ours = [(name, context) for name, context in contexts if device.handle in context.devices]
    elsewhere = [name for name, context in ours if context != ours[0][1]]
    if elsewhere:
        yield Diagnostic("E0512", f"arguments {quoted([ours[0][0], *elsewhere])} live in different OpenCL contexts")
    for value in arrays:
        alignment = start_alignment(ELEMENT_TYPES[value.parameter.type].itemsize, device.facts)
        if not can_start_at(value.memory, value.offset, alignment):
            place = f"{value.offset} bytes into its memory, where `{device.facts.name}` cannot start a buffer"
            note = f"there a part of a buffer starts at a multiple of {alignment} bytes"
            yield Diagnostic("E0512", f"argument `{value.parameter.name}` starts {place}", notes=(note,))


def size_mistakes(shown: Iterable[tuple[Polynomial, int, str]], limits: tuple[SizeLimit, ...]) -> Iterator[Diagnostic]:
    """What is wrong with the sizes that arguments show, each with the dynamic extent and the argument's name.

    Modes of one extent have one size: the kernel takes each from one argument and trusts the others.
    """
    found: dict[Polynomial, dict[int, str]] = {}
    for extent, size, argument in shown:
        found.setdefault(extent, {}).setdefault(size, argument)
    bounds = {limit.name: limit for limit in limits}
    known: dict[str, int] = {}
    for extent, values in found.items():
        if len(values) > 1:
            words = ", ".join(f"{size} in `{argument}`" for size, argument in values.items())
            yield Diagnostic("E0513", f"size `{word(extent)}` has several values: {words}")
        elif extent.size is not None:
            ((size, argument),) = values.items()
            known[extent.size.name] = size
            if extent.size.name in bounds:
                yield from _limit_mistakes(bounds[extent.size.name], size, argument)
    whole = {extent.size.name: values for extent, values in found.items() if extent.size is not None}
    for extent, values in found.items():
        expected = evaluated(extent, known)
        if extent.size is None and len(values) == 1 and isinstance(expected, int) and expected not in values:
            ((size, argument),) = values.items()
            names = [each.name for each in extent.sizes]
            parts = ", ".join(f"`{name}` is {known[name]} in `{whole[name][known[name]]}`" for name in names)
            yield Diagnostic("E0513", f"size `{word(extent)}` is {size} in `{argument}`, but {parts}")


def _limit_mistakes(limit: SizeLimit, size: int, argument: str) -> Iterator[Diagnostic]:
    if size < limit.least:
        yield Diagnostic("E0517", f"size `{limit.name}` is {size} in `{argument}`, but at least {limit.least}")
    elif limit.most is not None and size > limit.most:
        note = "the kernel has memory for no more: compile it with a larger bound"
        message = f"size `{limit.name}` is {size} in `{argument}`, but at most {limit.most}"
        yield Diagnostic("E0517", message, notes=(note,))


# -- integers that a kernel takes for places ---------------------------------------------------------------------------
# All of them are looked at before it runs, for it looks at none.


def index_mistakes(
    device: Device, arrays: Iterable[ArrayValue], groups: int, sizes: Mapping[str, int]
) -> Iterator[Diagnostic]:
    """Integers that are no places of what they are places of; negative ones are fine."""
    for value in arrays:
        if value.parameter.indices and groups:
            for given in entries_of(value, device):
                yield from no_places(value.parameter, given, groups, sizes)


def entries_of(value: ArrayValue, device: Device) -> Iterator[NDArray[Any]]:
    """The entries of an argument, of a group those of each element."""
    match value:
        case HostArray():
            yield value.array
        case HostGroup():
            yield from value.members
        case DeviceArray():
            yield read_back(value, device)


def no_places(
    parameter: TensorParameter | GroupParameter,
    given: NDArray[Any],
    groups: int,
    sizes: Mapping[str, int],
    first: int = 0,
) -> Iterator[Diagnostic]:
    """The first integer that is no place, if there is one; `given` begins with the element `first` of the batch."""
    largest = given.max(initial=-1)
    for bound in parameter.indices:
        number = groups if bound is None else evaluated(bound, sizes)
        if isinstance(number, int) and largest >= number:
            entry = tuple(map(int, np.argwhere(given >= number)[0]))
            where = f" at {(entry[0] + first, *entry[1:])}" if entry else ""
            of = "elements in the batch" if bound is None else "places"
            message = f"argument `{parameter.name}` is {given[entry]!s}{where}, and there are {number} {of}"
            notes = ("they are counted from 0; a negative number leaves the term out",)
            yield Diagnostic("E0531", message, notes=notes)
            return


# -- arguments whose values are known when compiling -------------------------------------------------------------------
# The caller may leave them out, and cannot give others.


def known_arrays(artifact: Artifact, facts: DeviceFacts) -> dict[str, HostArray]:
    """The arguments that need not be given, by name; their zeros are where they belong, so nothing has to mask them."""
    parameters = (each for each in artifact.arguments if isinstance(each, TensorParameter) and each.values is not None)
    gaps = facts.shares_host_memory
    return {
        each.name: host_array(replace(each, nonzeros=None), known_array(each), allow_gaps=gaps) for each in parameters
    }


def known_array(parameter: TensorParameter) -> NDArray[Any]:
    """The known values in the element type and the declared layout, with the caller's axes; it cannot be written."""
    layout = declared_layout(parameter, tuple(size or 0 for size in expected_shape(parameter)))
    array = new_array(parameter.type, layout)
    values = np.array(parameter.values, in_parts(array).dtype)
    values = values.view(array.dtype) if array.dtype.kind == "c" else values
    array.transpose(layout.axes)[...] = np.reshape(values, layout.shape, order="F")
    array.flags.writeable = False
    return array


def known_value_mistakes(
    device: Device, known: Mapping[str, HostArray], arrays: Iterable[ArrayValue]
) -> Iterator[Diagnostic]:
    """Arguments that were given and differ from the values that the kernel was compiled for."""
    for value in arrays:
        expected = known.get(value.parameter.name)
        if isinstance(value, HostGroup) or expected is None or value is expected:
            continue
        given = value.array if isinstance(value, HostArray) else read_back(value, device)
        yield from _difference(value.parameter.name, given, expected.array)


def read_back(value: DeviceArray, device: Device) -> NDArray[Any]:
    """The entries of an array that is on the device, after what its queue still does to them."""
    use_drivers()
    memory = memory_from(value.memory, value.offset, value.nbytes)
    host = np.empty(value.nbytes, dtype=np.uint8)
    if isinstance(memory, cl.Buffer | cl.SVMPointer) and value.context is not None:
        with driver_errors("E0608", f"argument `{value.parameter.name}` cannot be read from `{device.facts.name}`"):
            if value.queue is not None:
                value.queue.finish()
            cl.enqueue_copy(queue_of(value.context, device.handle), host, memory)
    return array_in(host, value.parameter.type, value.layout)


def _difference(name: str, given: NDArray[Any], expected: NDArray[Any]) -> Iterator[Diagnostic]:
    differs = np.argwhere(given != expected)
    if len(differs):
        entry = tuple(map(int, differs[0]))
        found = f"{given[entry]!s} at {entry}" if entry else str(given[entry])
        message = f"argument `{name}` is {found}, but was {expected[entry]!s} when the kernel was compiled"
        note = f"{len(differs)} of {given.size} entries differ"
        yield Diagnostic("E0515", message, notes=(note,), helps=(f"leave `{name}` out: its values are known",))

"""The calls of one kernel: checked, laid out and cut into parts; what they have in common is found out once.

Shapes, strides and element types decide whether arguments fit, how they come to the device and into how many launches
the batch is cut. That is remembered, without the arrays. What is new in each call is looked at in each: numbers, where
arrays lie, and what they hold if that is known when compiling. If anything is wrong there, the call is checked as the
first one was, so that all mistakes are told at once and in the same words.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arrays.allocation import was_released
from einsum_front.runtime.arrays.arguments import Arguments, check
from einsum_front.runtime.arrays.device_arrays import (
    can_start_at,
    device_array,
    is_read_only,
    outside_mistake,
    start_alignment,
)
from einsum_front.runtime.arrays.indices import index_mistakes
from einsum_front.runtime.arrays.known_values import known_arrays, known_value_mistakes
from einsum_front.runtime.arrays.layout import Layout
from einsum_front.runtime.arrays.overlap import overlap_mistakes
from einsum_front.runtime.arrays.scalars import check_scalar
from einsum_front.runtime.arrays.storage import Fit
from einsum_front.runtime.arrays.values import DeviceArray, HostArray, HostGroup, ScalarValue, Value
from einsum_front.runtime.artifact import Artifact, Parameter, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.opencl import Array
from einsum_front.runtime.launches.split import split

MOST_SIGNATURES = 256
"""As many kinds of calls are remembered for a kernel; one more, and all are forgotten."""

Signature = tuple[object, ...]
"""What of the arguments is the same in calls that need the same preparation."""

Preparation = Fit | Layout | None
"""What is remembered of an argument: how a NumPy array or one of a device comes to the kernel; nothing of others."""


class Calls:
    """Checks the arguments of a kernel for a device."""

    def __init__(self, artifact: Artifact, device: Device) -> None:
        self._artifact = artifact
        self._device = device
        self._parameters = artifact.arguments
        self._known = known_arrays(artifact, device.facts)
        arrays = (each for each in artifact.arguments if not isinstance(each, ScalarParameter))
        self._has_indices = artifact.checks_indices and any(each.indices for each in arrays)
        self._seen: dict[Signature, tuple[int, tuple[Preparation, ...]]] = {}

    @property
    def looks_inside(self) -> bool:
        """True if entries of arguments are looked at in each call: known when compiling, or taken for places."""
        return bool(self._known) or self._has_indices

    def parts(
        self, groups: int | None, arguments: Mapping[str, object], most_copied: int | None = None
    ) -> tuple[Arguments, tuple[Arguments, ...]]:
        """The checked arguments, and the parts of the batch that the device takes at once; none if it is empty.

        `most_copied` is that of `split`. Raises CompileError with all mistakes.
        """
        signature = self.signature(groups, most_copied, arguments)
        seen = None if signature is None else self._seen.get(signature)
        if seen is not None and (again := self._again(*seen, arguments)) is not None:
            return again, (again,)
        checked = check(self._artifact, self._device, groups, arguments, self._known)
        parts = split(checked, self._device.facts, self._artifact.elements_per_group, most_copied)
        if signature is not None and len(parts) == 1:
            if len(self._seen) >= MOST_SIGNATURES:
                self._seen.clear()
            self._seen[signature] = checked.groups, tuple(map(_preparation, checked.values))
        return checked, parts

    def signature(
        self, groups: int | None, most_copied: int | None, arguments: Mapping[str, object]
    ) -> Signature | None:
        """What calls like one before have in common; None for one that is not remembered.

        Those have groups, buffers, released memory or unknown arguments.
        """
        if groups is not None and type(groups) is not int:
            return None
        signature: list[object] = [groups, most_copied]
        count = 0
        for parameter in self._parameters:
            if parameter.name not in arguments:
                signature.append(None)
                continue
            count += 1
            argument = arguments[parameter.name]
            if isinstance(parameter, ScalarParameter):
                continue
            if not isinstance(parameter, TensorParameter) or not isinstance(argument, np.ndarray | Array):
                return None
            if isinstance(argument, Array) and was_released(argument.base_data):
                return None
            signature.append(_looks(argument))
        return tuple(signature) if count == len(arguments) else None

    def _again(
        self, groups: int, preparations: tuple[Preparation, ...], arguments: Mapping[str, object]
    ) -> Arguments | None:
        """The arguments of a call like one that was right; None if something else is wrong with it."""
        values: list[Value] = []
        for parameter, preparation in zip(self._parameters, preparations, strict=True):
            value = self._value(parameter, preparation, arguments)
            if value is None:
                return None
            values.append(value)
        arrays = [value for value in values if not isinstance(value, ScalarValue)]
        if overlap_mistakes(self._artifact.name, arrays):
            return None
        if self._known and any(known_value_mistakes(self._device, self._known, arrays)):
            return None
        found = Arguments(tuple(values), groups)
        if self._has_indices and any(index_mistakes(self._device, arrays, groups, found.sizes)):
            return None
        return found

    def _value(self, parameter: Parameter, preparation: Preparation, arguments: Mapping[str, object]) -> Value | None:
        """An argument that looks as it did before; None if its number or its place will not do."""
        argument = arguments.get(parameter.name)
        if isinstance(parameter, ScalarParameter):
            scalar = check_scalar(parameter, argument)
            return None if isinstance(scalar, Diagnostic) else scalar
        if isinstance(parameter, TensorParameter) and isinstance(preparation, Fit) and isinstance(argument, np.ndarray):
            return HostArray(parameter, argument, preparation)
        if isinstance(parameter, TensorParameter) and isinstance(preparation, Layout) and isinstance(argument, Array):
            array = device_array(parameter, argument, preparation)
            alignment = start_alignment(argument.dtype.itemsize, self._device.facts)
            is_right = can_start_at(array.memory, array.offset, alignment) and outside_mistake(array) is None
            return array if is_right else None
        return self._known.get(parameter.name)


def _looks(array: NDArray[Any] | Array) -> Signature:
    """Properties of an array that its checks depend on, but for its place and its entries."""
    if isinstance(array, Array):
        memory = array.base_data
        return array.shape, array.strides, array.dtype, array.offset, array.context, is_read_only(memory)
    flags = array.flags
    return type(array), array.shape, array.strides, array.dtype, flags.writeable, flags.aligned


def _preparation(value: Value) -> Preparation:
    match value:
        case HostArray():
            return value.fit
        case DeviceArray():
            return value.layout
        case ScalarValue() | HostGroup():
            return None

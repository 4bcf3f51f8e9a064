"""Run a kernel over a batch: one work-group for each element."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.allocation import was_released
from einsum_front.runtime.arrays.arguments import Arguments, check, index_mistakes, known_arrays, known_value_mistakes
from einsum_front.runtime.arrays.batch import Place, empty
from einsum_front.runtime.arrays.host_arrays import (
    can_start_at,
    device_array,
    is_read_only,
    outside_mistake,
    start_alignment,
)
from einsum_front.runtime.arrays.layout import Layout
from einsum_front.runtime.arrays.overlap import overlap_mistakes
from einsum_front.runtime.arrays.scalars import check_scalar
from einsum_front.runtime.arrays.storage import DeviceArray, Fit, HostArray, HostGroup, ScalarValue, Value
from einsum_front.runtime.arrays.transfers import to_device
from einsum_front.runtime.artifact import ArrayParameter, Artifact, Parameter, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.device import Device, device_like, find_device
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import Array, cl
from einsum_front.runtime.launches.build import check_device
from einsum_front.runtime.launches.c_engine import CEngine
from einsum_front.runtime.launches.engine import Bound, Direct, Engine, Launch
from einsum_front.runtime.launches.opencl_engine import OpenCLEngine
from einsum_front.runtime.launches.split import split
from einsum_front.runtime.launches.sums import SumsAfter

# -- the calls of one kernel -------------------------------------------------------------------------------------------
# Checked, laid out and cut into parts; what they have in common is found out once. Shapes, strides and element types
# decide whether arguments fit, how they come to the device and into how many launches the batch is cut. That is
# remembered, without the arrays. What is new in each call is looked at in each: numbers, where arrays lie, and what
# they hold if that is known when compiling. If anything is wrong there, the call is checked as the first one was, so
# that all mistakes are told at once and in the same words.

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


# -- kernels -----------------------------------------------------------------------------------------------------------

COPIED_BYTES = 2**26
"""Copies of NumPy arrays that a call has at one time: arrays that are mapped files may be larger than the memory."""


class Kernel:
    """A compiled kernel on a device; its arguments are given by name.

    A batched argument has shape `(batch, *shape)`. It is a NumPy array in any layout, or a pyopencl array or buffer in
    the declared one; a group may also be a list of arrays. One whose values are known when compiling may be left out.
    Results are written into the arguments. A kernel that has no batched argument takes its number of work-groups as
    the positional argument (1 if it is not given).

    Mistakes raise CompileError, all of them at once, before anything runs. If the device fails, the error says which
    outputs are lost; the others are as they were.
    """

    def __init__(
        self,
        artifact: Artifact,
        device: Device,
        queue: cl.CommandQueue | None = None,
        overwritten: frozenset[str] = frozenset(),
    ) -> None:
        """Raises CompileError if the device lacks what the kernel needs. The program is built at the first launch.

        `queue` is where all launches go; without it, that of their arrays or of the device. `overwritten` are arguments
        all of whose entries are written, whatever they were: a call does not send them to a device.
        """
        for each in (artifact, artifact.prologue, *(sums.artifact for sums in artifact.sums)):
            if each is not None:
                check_device(each, device.facts)
        self.artifact = artifact
        self.device = device
        self.overwritten = overwritten
        self._engine: Engine = (
            CEngine(artifact, device.facts) if device.opencl is None else OpenCLEngine(artifact, device, queue)
        )
        self._calls = Calls(artifact, device)
        self._sums: SumsAfter | None = None
        if artifact.sums:
            own = Kernel(replace(artifact, sums=(), checks_indices=False), device, queue)
            adding = [Kernel(each.artifact, device, queue).prepare for each in artifact.sums]
            self._sums = SumsAfter(artifact, device, own.prepare, adding)
        self._direct: dict[Signature, Direct] = {}
        self._arrays = {each.name: each for each in artifact.arguments if not isinstance(each, ScalarParameter)}

    def __call__(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> None:
        """Run once and wait: the results are in the arguments when this returns."""
        count = self._count(groups, unnamed)
        if self._sums is not None:
            checked, _ = self._calls.parts(count, arguments)
            added, leave = self._sums.launch(checked, arguments)
            added.run()
            added.finish()
            leave()
            return
        signature = self._calls.signature(count, COPIED_BYTES, arguments)
        seen = None if signature is None else self._direct.get(signature)
        if seen is not None and seen.call(arguments):
            return
        checked, parts = self._calls.parts(count, arguments, COPIED_BYTES)
        bound = self._engine.bind(checked)
        stream = bound.stream(checked, self.overwritten)
        if stream is not None:
            stream.run()
            return
        changed: frozenset[str] = frozenset()
        for part in parts:
            self._run(bound, part, changed)
            changed = frozenset(name for name, parameter in self._arrays.items() if parameter.is_written)
        if signature is not None and len(parts) == 1 and not self._calls.looks_inside:
            self._remember(signature, bound.direct(parts[0]))

    def _remember(self, signature: Signature, found: Direct | None) -> None:
        """Calls like this one are short."""
        if len(self._direct) >= MOST_SIGNATURES:
            self._direct.clear()
        if found is not None:
            self._direct[signature] = found

    def count(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> tuple[int, dict[str, int]]:
        """The number of work-groups of a call, whose arguments are checked, and the sizes that these show."""
        checked, _ = self._calls.parts(self._count(groups, unnamed), arguments)
        return checked.groups, checked.sizes

    def direct(self, **arguments: object) -> Direct | None:
        """Launches for arrays like these, which are checked, but not used; None if such a call has more to do."""
        checked, parts = self._calls.parts(None, arguments, COPIED_BYTES)
        if self._sums is not None:
            return None
        return self._engine.bind(checked).direct(parts[0]) if len(parts) == 1 else None

    def _run(self, bound: Bound, part: Arguments, changed: frozenset[str]) -> None:
        """One part of the batch; its copies are gone before the next one begins."""
        launch = bound.launch([part], changed, starts_at_once=True)
        launch.run()
        launch.finish()

    def prepare(self, groups: int | None = None, /, *unnamed: object, **arguments: object) -> Launch:
        """Bind the arguments once, to run the kernel on them as often as wanted."""
        count = self._count(groups, unnamed)
        checked, parts = self._calls.parts(count, arguments)
        launch: Launch
        if self._sums is None:
            launch = self._engine.bind(checked).launch(parts, frozenset(), starts_at_once=False)
        else:
            launch, _ = self._sums.launch(checked, arguments)
        launch.prepared_by(self.prepare, count, arguments)
        return launch

    def __reduce__(self) -> tuple[Any, ...]:
        """The kernel and the kind of device that it was made for, where `queue` was not given."""
        return _restored, (self.artifact, self.device.facts, self.overwritten)

    def empty(self, name: str, batch: int = 1, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
        """An array for an argument, in the layout that needs no copy; see `runtime.arrays.batch.empty`."""
        return empty(self._array(name), batch, shape)

    def to_device(self, name: str, array: object) -> Array:
        """A copy of an array on the device, in the layout of the argument; see `runtime.arrays.transfers.to_device`."""
        place = Place(self.device.context, self.device.queue, self.device.facts)
        return to_device(self.artifact.name, self._array(name), array, place)

    def _count(self, groups: int | None, unnamed: tuple[object, ...]) -> int | None:
        """The number of work-groups; raises CompileError if what stands without a name is meant for an argument."""
        if not unnamed and (groups is None or isinstance(groups, Number)):
            return groups
        verb = "are" if unnamed else "is"
        call = ", ".join(f"{parameter.name}=…" for parameter in self.artifact.arguments)
        message = f"`{self.artifact.name}` takes its arguments by name, and {1 + len(unnamed)} {verb} given without"
        raise failure("E0502", message, (f"they are given as in `{self.artifact.name}({call})`",))

    def _array(self, name: str) -> ArrayParameter:
        if name not in self._arrays:
            known = (f"it has {quoted(self._arrays)}" if self._arrays else "it has none",)
            raise failure("E0502", f"`{self.artifact.name}` has no array argument `{name}`", known)
        return self._arrays[name]


def _restored(artifact: Artifact, facts: DeviceFacts, overwritten: frozenset[str]) -> Kernel:
    """The kernel on a device of the same kind, else on `auto`, which raises CompileError if it cannot run there."""
    return Kernel(artifact, device_like(facts) or find_device(), overwritten=overwritten)

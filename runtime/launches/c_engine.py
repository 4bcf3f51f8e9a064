"""Kernels on device `c`: functions of this process, on the memory of NumPy's arrays."""

import ctypes
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.batch import HostStorage
from einsum_front.runtime.arrays.groups import HostGroupStorage
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, declared_layout, expected_shape
from einsum_front.runtime.arrays.scalars import check_scalars
from einsum_front.runtime.arrays.signature import counts_elements, kernel_arguments
from einsum_front.runtime.arrays.storage import (
    ArrayValue,
    DeviceArray,
    HostArray,
    HostGroup,
    ScalarValue,
    aligned_bytes,
)
from einsum_front.runtime.artifact import Artifact, TensorParameter
from einsum_front.runtime.devices.errors import allocating
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.launches.c_calls import CFunctions, packed
from einsum_front.runtime.launches.engine import (
    Direct,
    DirectArguments,
    DirectArray,
    Portable,
    direct_arguments,
    on_host,
)

Number = int | np.generic


@dataclass(frozen=True, slots=True)
class Ran:
    """An event: a run of a kernel, which has ended; nanoseconds of a clock."""

    start: int
    end: int

    @property
    def profile(self) -> "Ran":
        """As events of pyopencl have it."""
        return self

    def wait(self) -> None:
        """Nothing is waited for."""


class _Part:
    """A part of the batch: its arguments, in the order of the calling convention, and the memory behind them."""

    def __init__(self, functions: CFunctions, artifact: Artifact, arguments: Arguments) -> None:
        self.storages: dict[str, HostStorage | HostGroupStorage] = {}
        self.groups = functions.groups(arguments.groups)
        self._artifact = artifact
        self._elements = arguments.groups
        self._given: dict[str, tuple[Number, ...]] = {}
        for value in arguments.values:
            name = value.parameter.name
            match value:
                case ScalarValue():
                    self._given |= {part.parameter.name: (part.value,) for part in value.parts()}
                case HostArray():
                    self.storages[name] = storage = HostStorage(value)
                    self._given[name] = (storage.address, *storage.numbers)
                case HostGroup():
                    self.storages[name] = group = HostGroupStorage(value)
                    offset = (0,) if value.parameter.offset is None else ()
                    self._given[name] = (*(table.ctypes.data for table in group.tables), *offset)
                case DeviceArray():
                    raise CompilerBug(f"`{name}` is memory of OpenCL")
        self._scratch = _scratch(artifact, arguments.sizes, self.groups)
        self._pack = functions.packed.pack
        self.packed = b""

    def set(self, given: Mapping[str, tuple[Number, ...]]) -> None:
        """Other arguments than before, or more."""
        self._given |= given
        self.packed = self._pack(*_values(self._artifact, self._given, self._elements, self._scratch))

    @property
    def given(self) -> Mapping[str, tuple[Number, ...]]:
        """The arguments of the kernel, by the name of their parameter."""
        return self._given


class _Prologue:
    """The prologue of a launch: what it computes is memory of the launch."""

    def __init__(self, artifact: Artifact, given: Mapping[str, tuple[Number, ...]]) -> None:
        self._artifact = artifact
        self._given = dict(given)
        self._memory = {
            each.name: _zeros(each)
            for each in artifact.parameters
            if isinstance(each, TensorParameter) and each.is_written
        }
        self.memory = {name: (array.ctypes.data,) for name, array in self._memory.items()}
        self.groups = artifact.groups_per_element
        self._scratch = _scratch(artifact, {}, self.groups)
        self.packed = b""

    def set(self, given: Mapping[str, tuple[Number, ...]]) -> None:
        """Other numbers for scalars."""
        self._given |= given
        values = _values(self._artifact, {**self._given, **self.memory}, 1, self._scratch)
        self.packed = packed(kernel_arguments(self._artifact)).pack(*values)


def _values(
    artifact: Artifact, given: Mapping[str, tuple[Number, ...]], elements: int, scratch: NDArray[np.uint8] | None
) -> list[Number]:
    values = [value for parameter in artifact.parameters for value in given[parameter.name]]
    if counts_elements(artifact):
        values.append(elements)
    if scratch is not None:
        values.append(scratch.ctypes.data)
    return values


def _scratch(artifact: Artifact, sizes: Mapping[str, int], groups: int) -> NDArray[np.uint8] | None:
    """Memory for the temporaries of all groups, its contents arbitrary."""
    if not artifact.scratch:
        return None
    each = artifact.scratch_of(sizes)
    with allocating(f"the temporaries of `{artifact.name}`, {each} bytes for a work-group"):
        return aligned_bytes(each * groups)


def _zeros(parameter: TensorParameter) -> NDArray[np.uint8]:
    """Memory for a tensor. It is zero where the prologue leaves it: vectors are loaded across declared zeros."""
    layout = declared_layout(parameter, tuple(size or 0 for size in expected_shape(parameter)))
    with allocating(f"`{parameter.name}`"):
        memory = aligned_bytes(layout.span * ELEMENT_TYPES[parameter.type].itemsize)
    memory[...] = 0
    return memory


class CLaunch(Portable):
    """A kernel with its arguments bound; see `engine.Launch`."""

    def __init__(
        self, artifact: Artifact, functions: CFunctions, parts: Sequence[Arguments], *, starts_at_once: bool
    ) -> None:
        self._artifact = artifact
        self._functions = functions
        self._count = sum(part.groups for part in parts)
        self._parts = [_Part(functions, artifact, part) for part in parts]
        self._prologue: _Prologue | None = None
        if artifact.prologue is not None and self._parts:
            self._prologue = _Prologue(artifact.prologue, self._parts[0].given)
            self._prologue.set({})
        for part in self._parts:
            part.set({} if self._prologue is None else self._prologue.memory)
        self._is_taken = starts_at_once

    def __repr__(self) -> str:
        """`<launch of volume, 10000 elements>`; where nothing is batched, the number of work-groups."""
        unit = "element" if self._artifact.is_batched else "work-group"
        return f"<launch of {self._artifact.name}, {self._count} {unit}{'' if self._count == 1 else 's'}>"

    def set(self, **numbers: object) -> None:
        """Other numbers for scalars, from the next run on; raises CompileError as a call does."""
        checked = check_scalars(self._artifact, numbers)
        given = {part.parameter.name: (part.value,) for value in checked for part in value.parts()}
        self.renumbered(numbers)
        for part in self._parts:
            part.set(given)
        if self._prologue is not None:
            self._prologue.set(given)

    def load(self) -> None:
        """Bring what NumPy arrays hold now to where the kernel reads it; the next `run` need not."""
        if not self._is_taken:
            for part in self._parts:
                for storage in part.storages.values():
                    storage.take()
            self._is_taken = True

    def wait(self) -> None:
        """Nothing is waited for: a run has ended when `run` returns."""

    def run(self) -> tuple[Ran, ...]:
        """Run the kernel over the whole batch."""
        self.load()
        functions = self._functions
        events = []
        if self._prologue is not None:
            start = perf_counter_ns()
            functions.prologue(self._prologue.packed, self._prologue.groups, 1)
            events.append(Ran(start, perf_counter_ns()))
        for part in self._parts:
            start = perf_counter_ns()
            functions.run(part.packed, part.groups, functions.threads)
            events.append(Ran(start, perf_counter_ns()))
        return tuple(events)

    def timed(self) -> AbstractContextManager[None]:
        """Every event has a clock."""
        return nullcontext()

    def finish(self) -> None:
        """Bring the results into the caller's arrays."""
        for part in self._parts:
            for storage in part.storages.values():
                if storage.is_written:
                    storage.fetch()
        self._is_taken = False


class CDirect(Direct):
    """Calls on the memory of arrays as they lie."""

    __slots__ = ("_functions", "_groups", "_pack", "_places", "_run", "_values")

    def __init__(self, arguments: DirectArguments, functions: CFunctions, groups: int) -> None:
        super().__init__(arguments)
        self._functions = functions
        self._groups = groups
        self._run = functions.run
        self._pack = functions.packed.pack
        self._values: list[Number] = [0] * len(functions.arguments)
        for position, number in arguments.numbers:
            self._values[position] = int(number)
        self._places = tuple(each.position for each in arguments.arrays)

    def run(self, arrays: Sequence[NDArray[Any]], scalars: Sequence[np.generic] = ()) -> bool:
        """One call."""
        values = self._values.copy()
        for position, array in zip(self._places, arrays, strict=True):
            values[position] = _address(array)
        if scalars:
            for (position, _), number in zip(self.arguments.scalars, scalars, strict=True):
                values[position] = number
        self._run(self._pack(*values), self._groups, self._functions.threads)
        return True


def _address(array: NDArray[Any]) -> int:
    """Where an array begins: `array.ctypes.data`, in a seventh of the time.

    It is the first member of an array behind the head that all objects have, as programs in C are compiled to find it.
    """
    return _pointer_at(id(array) + _HEAD).value or 0


_HEAD, _pointer_at = object.__basicsize__, ctypes.c_void_p.from_address

if sys.implementation.name != "cpython":  # an `id` is no address elsewhere

    def _address(array: NDArray[Any]) -> int:
        return array.ctypes.data


class CEngine:
    """A kernel for device `c`; it is built once for the process."""

    def __init__(self, artifact: Artifact, facts: DeviceFacts) -> None:
        self._artifact = artifact
        self._functions = CFunctions(artifact, facts)

    def bind(self, _arguments: Arguments) -> "CEngine":
        """Builds the functions."""
        _ = self._functions.run
        return self

    def launch(self, parts: Sequence[Arguments], _lost: frozenset[str], *, starts_at_once: bool) -> CLaunch:
        """A launch; nothing of it can fail when it runs."""
        return CLaunch(self._artifact, self._functions, parts, starts_at_once=starts_at_once)

    def stream(self, _arguments: Arguments, _overwritten: frozenset[str]) -> None:
        """Functions work in the memory of the host."""

    def direct(self, part: Arguments) -> CDirect | None:
        """Calls that need no copy and no prologue."""
        found = direct_arguments(self._artifact, part, _array_of)
        return None if found is None else CDirect(found, self._functions, self._functions.groups(part.groups))


def _array_of(value: ArrayValue, position: int) -> tuple[DirectArray, Sequence[int]] | None:
    """An array as it lies."""
    if isinstance(value, HostArray) and value.fit.is_in_place:
        return on_host(value, position), value.fit.numbers
    return None

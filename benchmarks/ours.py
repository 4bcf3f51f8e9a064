"""Our kernels: translated, built, run; and what translating and building cost."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from numpy.lib.stride_tricks import as_strided

import einsum_front as ef
from benchmarks.arguments import Arguments
from benchmarks.case import Arrays, FileSource, StringSource
from benchmarks.chain import Array
from benchmarks.measure import Stopwatch, sweeps
from einsum_front.compiled import CompiledKernel
from einsum_front.index_string.make import graph_of
from einsum_front.index_string.program import KERNEL, read_einsum
from einsum_front.runtime.devices.device import Device

TRANSLATIONS = 3


@dataclass(frozen=True, slots=True)
class Translated:
    """A kernel, and the seconds from its text to OpenCL C.

    The sizes of an index string say how many elements there are, `batch`; None: as many as one likes. If `is_single`,
    the string has no index for the batch, and its arrays are those of one element.
    """

    kernel: CompiledKernel
    seconds: float
    batch: int | None
    is_single: bool


def translate(source: FileSource | StringSource, real: str, device: str) -> Translated:
    """Translates a few times and keeps the median of the seconds, reading the file included."""
    seconds = []
    for _ in range(TRANSLATIONS):
        watch = Stopwatch()
        translated = _translate(source, real, device)
        seconds.append(watch.seconds)
    return replace(translated, seconds=median(seconds))


def _translate(source: FileSource | StringSource, real: str, device: str) -> Translated:
    match source:
        case FileSource(path, name, defines):
            compiled = ef.compile(ef.parse(path), device, defines=defines, real=real, kernel=name)
            return Translated(compiled[name], 0.0, None, is_single=False)
        case StringSource(text, shapes):
            string = read_einsum(text, shapes)
            kernel = ef.compile(graph_of(string.kernel, real), device)[KERNEL]
            batch = string.shape[0] if string.kernel.has_batch_index else 1
            return Translated(kernel, 0.0, batch, is_single=not string.kernel.has_batch_index)


class BuildTimes:
    """Seconds to build kernels for the device; what was built once in a process is not built again, so it is kept."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def seconds(self, kernel: CompiledKernel, arguments: Arguments) -> float:
        """The first launch, which builds, less the second. The arguments should be few.

        CPU drivers generate machine code when a kernel is first launched, so building alone says little.
        """
        source = kernel.artifact.source
        if source not in self._seconds:
            first, second = (_launch_seconds(kernel, arguments) for _ in range(2))
            self._seconds[source] = max(0.0, first - second)
        return self._seconds[source]


def _launch_seconds(kernel: CompiledKernel, arguments: Arguments) -> float:
    watch = Stopwatch()
    launch = kernel.prepare(**arguments.values)
    launch.run()
    launch.finish()
    return watch.seconds


class Ours:
    """Kernels on the same arguments, one after the other, by the clock of the device.

    Several kernels read what those before have written, so a device with memory of its own has each array once.
    The first run leaves the result of one sweep over the batch; later ones are as many sweeps as keep threads awake.
    """

    def __init__(self, kernels: Sequence[CompiledKernel], arguments: Arguments) -> None:
        self._arguments = arguments
        self._sweeps = 1
        device = kernels[0].device
        is_copied = len(kernels) > 1 and not device.facts.shares_host_memory
        self._placed = {name: Placed(array, device) for name, array in arguments.arrays.items()} if is_copied else {}
        values = {**arguments.values, **{name: placed.on_device for name, placed in self._placed.items()}}
        self._launches = [kernel.prepare(**_of(kernel, values)) for kernel in kernels]

    def run(self) -> float:
        with ExitStack() as clocks:
            for launch in self._launches:
                clocks.enter_context(launch.timed())
            events = [event for _ in range(self._sweeps) for launch in self._launches for event in launch.run()]
            self._launches[-1].wait()
        seconds = float(sum(event.profile.end - event.profile.start for event in events)) * 1e-9 / self._sweeps
        self._sweeps = sweeps(seconds)
        return seconds

    def outputs(self) -> Arrays:
        for launch in self._launches:
            launch.finish()
        for name in self._arguments.outputs:
            if name in self._placed:
                self._placed[name].fetch()
        return {name: self._arguments.natural(name) for name in self._arguments.outputs}


def _of(kernel: CompiledKernel, values: dict[str, Any]) -> dict[str, Any]:
    return {parameter.name: values[parameter.name] for parameter in kernel.artifact.arguments}


class Placed:
    """An array and its copy on a device, with the same strides."""

    def __init__(self, array: Array, device: Device) -> None:
        span = sum((size - 1) * stride for size, stride in zip(array.shape, array.strides, strict=True))
        self._memory = as_strided(array, (span // array.itemsize + 1,), (array.itemsize,))
        self._queue = device.queue
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        self._buffer = cl.Buffer(device.context, flags, hostbuf=self._memory)
        self.on_device = cl_array.Array(
            self._queue, array.shape, np.dtype(array.dtype), data=self._buffer, strides=array.strides
        )

    def fetch(self) -> None:
        """Bring the copy back into the array."""
        cl.enqueue_copy(self._queue, self._memory, self._buffer)

"""The limits of the device as kernels that run in turn with the others: multiply-adds in registers, and copying."""

from pathlib import Path

from benchmarks.case import Arrays
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES
from einsum_front.runtime.artifact import Artifact, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.launches.engine import Launch
from einsum_front.runtime.launches.launch import Kernel
from einsum_front.runtime.launches.timing import measure

SOURCES = Path(__file__).parent / "opencl"
REALS = {"f32": "float", "f64": "double"}
CHAINS = 12
"""Independent sums in `peak.cl`."""
GPU_GROUP = 128
GPU_COPY_LANES = 4
"""16 bytes for a work-item: with fewer on their way at a time, memory waits."""
CPU_GROUPS_PER_UNIT, GPU_GROUPS_PER_UNIT = 4, 64
GPU_GROUPS_AT_ONCE = 16
"""Work-groups of a unit that run at a time. What they copy next is behind what they all copy now: if each copied its
own block again and again, all of 200 MB would be read from caches."""
LEAST_BYTES = 1 << 16
GPU_MOST_BYTES = 1 << 28
"""An H200 copies these at 4.55 TB/s, and a GiB by the same kernel at 2.7, which others surpass."""
LEAST_SECONDS = 2e-3


class Limit:
    """A kernel that does nothing but work of one kind: so many operations, or bytes, in a run."""

    def __init__(self, launch: Launch, work: float) -> None:
        self._launch = launch
        self.work = work

    def run(self) -> float:
        return measure(self._launch, runs=1, warm_up=0).median

    def outputs(self) -> Arrays:
        return {}


class Peaks:
    """The limits of a device; each is prepared once."""

    def __init__(self, device: Device) -> None:
        self._device = device
        facts = device.facts
        self._size = 1 if facts.is_cpu else GPU_GROUP
        self._groups = facts.compute_units * (CPU_GROUPS_PER_UNIT if facts.is_cpu else GPU_GROUPS_PER_UNIT)
        self._limits: dict[tuple[str, int], Limit] = {}

    def operations(self, real: str) -> Limit:
        """Floating-point operations in `f32` or `f64`; a multiply-add is two."""
        return self._prepared("peak", real, 0)

    def copying(self, size: int) -> Limit:
        """Bytes read and bytes written when so much memory is copied again and again, from one half to the other."""
        most = size if self._device.facts.is_cpu else min(size, GPU_MOST_BYTES)
        return self._prepared("copy", "f32", max(LEAST_BYTES, 1 << (most - 1).bit_length()))

    def _prepared(self, name: str, real: str, size: int) -> Limit:
        key = f"{name} {real}", size
        if key not in self._limits:
            self._limits[key] = self._peak(real) if name == "peak" else self._copy(size)
        return self._limits[key]

    def _peak(self, real: str) -> Limit:
        lanes = self._lanes(real)
        vectors = _blocks("out", real, lanes * self._size, is_written=True)
        scalars = ScalarParameter("steps", "index"), ScalarParameter("x", real), ScalarParameter("y", real)
        kernel = self._kernel("peak", real, lanes, (vectors, *scalars))
        work = 2.0 * CHAINS * lanes * self._size * self._groups
        return _calibrated(kernel, "steps", work, {"out": kernel.empty("out", self._groups), "x": 0.5, "y": 0.5})

    def _copy(self, size: int) -> Limit:
        lanes = self._lanes("f32") if self._device.facts.is_cpu else GPU_COPY_LANES
        vectors = max(1, size // (2 * self._groups * lanes * 4))
        units, is_cpu = self._device.facts.compute_units, self._device.facts.is_cpu
        distance = 0 if is_cpu else units * GPU_GROUPS_AT_ONCE + 1
        blocks = tuple(_blocks(name, "f32", vectors * lanes, is_written=name == "to") for name in ("from", "to"))
        scalars = tuple(ScalarParameter(name, "index") for name in ("vectors", "times", "distance"))
        kernel = self._kernel("copy", "f32", lanes, (*blocks, *scalars))
        arrays = {block.name: kernel.empty(block.name, self._groups) for block in blocks}
        for array in arrays.values():
            array[...] = 1
        work = 2.0 * vectors * lanes * 4 * self._groups
        return _calibrated(kernel, "times", work, {**arrays, "vectors": vectors, "distance": distance})

    def _lanes(self, real: str) -> int:
        return max(1, self._device.facts.vector_bytes // ELEMENT_TYPES[real].itemsize)

    def _kernel(
        self, name: str, real: str, lanes: int, parameters: tuple[TensorParameter | ScalarParameter, ...]
    ) -> Kernel:
        vector = REALS[real] + (str(lanes) if lanes > 1 else "")
        defines = f"#define REAL {REALS[real]}\n#define VECTOR {vector}\n#define SIZE {self._size}\n"
        source = defines + (SOURCES / f"{name}.cl").read_text(encoding="utf-8")
        return Kernel(Artifact(name, source, parameters, (self._size, 1), 0, real == "f64"), self._device)


def _blocks(name: str, real: str, length: int, *, is_written: bool) -> TensorParameter:
    """A parameter with a row of numbers for each group."""
    return TensorParameter(name, real, (length, None), (1, length), (0,), True, not is_written, is_written)


def _calibrated(kernel: Kernel, repetitions: str, work: float, arguments: dict[str, object]) -> Limit:
    """Repeats the work inside the kernel until a run takes long enough for the clock."""
    times = 1
    while True:
        launch = kernel.prepare(**arguments, **{repetitions: times})
        if measure(launch, runs=2, warm_up=1).minimum >= LEAST_SECONDS:
            return Limit(launch, work * times)
        times *= 4


def floor_seconds(operations: float, moved: float, peak: float, bandwidth: float) -> float:
    """No kernel can be faster: the operations at the peak or the bytes at the bandwidth, whichever takes longer."""
    return max(operations / peak, moved / bandwidth)

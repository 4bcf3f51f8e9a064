"""Properties of a device, as plain data: what has these needs no OpenCL."""

from enum import Enum

from einsum_front.core.dataclass import dataclass
from einsum_front.core.instruction_sets import InstructionSet
from einsum_front.runtime.devices.drivers import Driver


class DeviceKind(Enum):
    """Kind that a device says it has; a simulator says to be everything at once."""

    CPU = "CPU"
    GPU = "GPU"
    OTHER = "other"


class SharedMemory(Enum):
    """Which pointers a kernel can follow that it did not get as an argument (shared virtual memory of OpenCL 2)."""

    NONE = "none"
    ALLOCATED = "allocated"
    """Those into memory that was allocated for this and is passed to the kernel: coarse-grain buffers."""
    ALL = "all"
    """All of the process: fine-grain system memory."""


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """One device; sizes of memory are in bytes.

    `vector_bytes` is the widest vector of its instructions, `native_vector_bytes` the widest that takes one step.
    `instructions` are those of the processor that the driver's compiler must be told of. `instruction_set` is what the
    system's compiler of C makes kernels for (`c_device`); None: this is a device of OpenCL. `architecture` is what
    NVIDIA's compilers call a GPU (`sm_90`), empty elsewhere.
    """

    number: int
    name: str
    platform: str
    version: str
    driver_version: str
    driver: Driver
    opencl_c: str
    kind: DeviceKind
    compute_units: int
    vector_bytes: int
    native_vector_bytes: int
    instructions: tuple[str, ...]
    max_work_group_size: int
    max_work_item_sizes: tuple[int, ...]
    max_parameter_bytes: int
    local_memory: int
    global_memory: int
    max_allocation: int
    base_alignment: int
    cache: int
    cache_line: int
    has_fp64: bool
    has_int64_atomics: bool
    has_subgroups: bool
    subgroup_sizes: tuple[int, ...]
    shares_host_memory: bool
    shared_memory: SharedMemory
    instruction_set: InstructionSet | None = None
    architecture: str = ""

    @property
    def selector(self) -> str:
        """What `find_device` finds it by: its number, or `c:` and its instructions."""
        return str(self.number) if self.instruction_set is None else f"c:{self.instruction_set.name}"

    @property
    def is_cpu(self) -> bool:
        """True if it is a CPU and nothing else."""
        return self.kind is DeviceKind.CPU

    @property
    def vector_registers(self) -> int:
        """Vector registers of functions whose compiler was not told of `instructions`."""
        if self.instruction_set is not None:
            return self.instruction_set.vector_registers
        return 32 if self.vector_bytes >= 64 else 16

    @property
    def description(self) -> str:
        """One line for lists."""
        return f"{self.name} · {self.driver.name} · {self.version} · {self.kind.value}"

    @property
    def abilities(self) -> tuple[str, ...]:
        """Abilities that decide how kernels are made for it, in words."""
        sizes = ", ".join(map(str, self.subgroup_sizes))
        halves = " in two steps" if self.native_vector_bytes < self.vector_bytes else ""
        more = ", with AVX-512VL where lanes are elements" if self.instructions else ""
        return (
            f"vectors of {8 * self.vector_bytes} bits{halves}{more}",
            f"{self.compute_units} compute {'unit' if self.compute_units == 1 else 'units'}",
            f"{_kibibytes(self.local_memory)} of local memory",
            f"{_kibibytes(self.cache)} of cache in lines of {self.cache_line} bytes",
            f"sub-groups of {sizes}" if sizes else f"{'with' if self.has_subgroups else 'without'} sub-groups",
            f"{'with' if self.has_fp64 else 'without'} f64",
        )


def _kibibytes(size: int) -> str:
    return f"{size // 1024:,} KiB"

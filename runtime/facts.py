"""Properties of a device, as plain data."""

from dataclasses import dataclass
from enum import Enum

from einsum_front.core.instruction_sets import InstructionSet
from einsum_front.runtime import processor
from einsum_front.runtime.drivers import Driver, driver_of, native_vector_bytes, vector_bytes
from einsum_front.runtime.opencl import cl


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


def read_facts(number: int, device: cl.Device) -> DeviceFacts:
    """Ask a device; `number` is its place in the list of all devices."""
    platform = device.platform
    driver = driver_of(platform.name.strip(), platform.version)
    extensions = device.extensions.split()
    reported = max(device.native_vector_width_float * 4, device.native_vector_width_double * 8)
    widest = vector_bytes(driver, device.name, reported)
    kind = _KINDS.get(device.type & (cl.device_type.CPU | cl.device_type.GPU), DeviceKind.OTHER)
    return DeviceFacts(
        number=number,
        name=device.name.strip(),
        platform=platform.name.strip(),
        version=_short_version(platform.version),
        driver_version=device.driver_version.strip(),
        driver=driver,
        opencl_c=device.opencl_c_version.strip(),
        kind=kind,
        compute_units=device.max_compute_units,
        vector_bytes=widest,
        native_vector_bytes=native_vector_bytes(device.name, widest),
        instructions=told_of(kind, driver),
        max_work_group_size=device.max_work_group_size,
        max_work_item_sizes=tuple(device.max_work_item_sizes),
        max_parameter_bytes=_room_for_arguments(kind, driver, device),
        local_memory=device.local_mem_size,
        global_memory=device.global_mem_size,
        max_allocation=device.max_mem_alloc_size,
        base_alignment=driver.buffer_alignment or device.mem_base_addr_align // 8,
        cache=device.global_mem_cache_size,
        cache_line=device.global_mem_cacheline_size,
        has_fp64="cl_khr_fp64" in extensions,
        has_int64_atomics="cl_khr_int64_base_atomics" in extensions,
        has_subgroups="cl_khr_subgroups" in extensions or _number(device, "max_num_sub_groups") > 0,
        subgroup_sizes=_subgroup_sizes(device, driver),
        shares_host_memory=kind is DeviceKind.CPU and bool(device.host_unified_memory),
        shared_memory=_shared_memory(device, driver),
        architecture=_architecture(device),
    )


def _room_for_arguments(kind: DeviceKind, driver: Driver, device: cl.Device) -> int:
    """Bytes; what is known of drivers is known on processors."""
    known = driver.max_parameter_bytes if kind is DeviceKind.CPU else None
    return known or device.max_parameter_size


def told_of(kind: DeviceKind, driver: Driver) -> tuple[str, ...]:
    """The instructions that the driver's compiler must be told of, if the processor has all of them.

    The width of vectors that the device reports is no proof: there are processors with a part of AVX-512.
    """
    has_all = kind is DeviceKind.CPU and processor.processor_instructions().issuperset(driver.instructions)
    return driver.instructions if has_all else ()


_KINDS: dict[int, DeviceKind] = {cl.device_type.CPU: DeviceKind.CPU, cl.device_type.GPU: DeviceKind.GPU}


def _kibibytes(size: int) -> str:
    return f"{size // 1024:,} KiB"


def _short_version(version: str) -> str:
    """`OpenCL 3.0 PoCL 3.1+debian  Linux, …, LLVM 15.0.6, …` is cut before the list of build options."""
    return version.partition("  ")[0].partition(",")[0].strip()


def _subgroup_sizes(device: cl.Device, driver: Driver) -> tuple[int, ...]:
    warp = _number(device, "warp_size_nv")
    return (warp,) if warp else driver.subgroup_sizes


def _architecture(device: cl.Device) -> str:
    major, minor = (_number(device, f"compute_capability_{word}_nv") for word in ("major", "minor"))
    return f"sm_{major}{minor}" if major else ""


def _shared_memory(device: cl.Device, driver: Driver) -> SharedMemory:
    offered = _number(device, "svm_capabilities")
    if offered & cl.device_svm_capabilities.FINE_GRAIN_SYSTEM or driver.reads_host_pointers:
        return SharedMemory.ALL
    return SharedMemory.ALLOCATED if offered & cl.device_svm_capabilities.COARSE_GRAIN_BUFFER else SharedMemory.NONE


def _number(device: cl.Device, query: str) -> int:
    """A fact that older drivers do not know: 0 there."""
    try:
        return int(getattr(device, query))
    except (AttributeError, cl.Error):
        return 0

"""Properties that OpenCL drivers do not report, or report wrongly: one line for each driver that was met.

Drivers are recognised by the name and version of their platform. Measured facts, not guesses; a driver that is not in
the table gets the plain reading of the standard.
"""

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.devices import processor


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver and its traps.

    `max_vector_bytes`: wider vectors can crash its compiler on a processor that takes two steps for them, whatever
    width it reports; None: believe the report.
    `keeps_kernels`: what it compiles is kept on disk and believed later, whatever became of it.
    `is_alone`: its compiler and another one of this kind crash in one process (each brings its own LLVM).
    `reads_host_pointers`: kernels can follow any pointer of the process, even if the driver does not say so.
    `works_in_host_memory`: a buffer made of memory of the host is that memory, wherever it starts, and never a copy.
    `max_groups`: the most work-groups in the third dimension; None: no limit of its own.
    `buffer_alignment`: parts of buffers may start at multiples of so many bytes; None: as it says of itself.
    `has_conditional_barriers`: barriers work in branches and in loops that may not run at all.
    `prefetch`: the function that really prefetches, None if none does.
    `instructions`: if the CPU has them, its compiler uses them only in functions with an attribute that says so.
    `has_shuffles`: `shuffle2` is one instruction, a vector put together from entries several; elsewhere it is a call.
    `subgroup_sizes`: what the OpenCL interface of pyopencl has no name for.
    `max_parameter_bytes`: the room for arguments of a kernel; None: as it says of itself.
    `header`: the macro that says that the header of all functions has been read (`launches.declarations`).
    """

    name: str
    platform: str
    version: str = ""
    max_vector_bytes: int | None = None
    keeps_kernels: bool = False
    is_alone: bool = False
    reads_host_pointers: bool = False
    works_in_host_memory: bool = False
    max_groups: int | None = None
    buffer_alignment: int | None = None
    has_conditional_barriers: bool = True
    prefetch: str | None = None
    instructions: tuple[str, ...] = ()
    has_shuffles: bool = False
    subgroup_sizes: tuple[int, ...] = ()
    max_parameter_bytes: int | None = None
    header: str | None = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """The traps in words."""
        remarks = (
            ("crashes beside the compiler of another such driver", self.is_alone),
            (f"on AMD, wider vectors than {self.max_vector_bytes} bytes crash its compiler", self.max_vector_bytes),
            ("no barriers under conditions", not self.has_conditional_barriers),
            ("kernels follow any pointer of the process", self.reads_host_pointers),
            ("works in the memory of the host, wherever that starts", self.works_in_host_memory),
            (f"prefetches by {self.prefetch}", self.prefetch),
            (f"must be told of {', '.join(self.instructions)}", self.instructions),
            (f"at most {self.max_groups} work-groups", self.max_groups),
            ("parts of buffers start at any entry", self.buffer_alignment == 1),
        )
        return tuple(words for words, applies in remarks if applies)


AVX512VL = ("avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512cd", "avx2", "fma")
"""Vectors of 32 bytes in 32 registers, operands in memory that are spread over the lanes, and what comes with that.

The words are those of Linux and of compilers.
"""

POCLS_PARAMETERS = 2**20
"""Bytes. On processors it reports the 1,024 that OpenCL asks for at least, and hands an array of pointers to a kernel:
2,001 tensors are no trouble."""

DRIVERS: tuple[Driver, ...] = (
    # It reports the vectors of the CPU (AVX-512). Its code generator (LLVM 14) knows the processors of Intel that have
    # them, but none of AMD, where it targets AVX2.
    Driver(
        "PoCL 3.0 (Python wheel)",
        "Portable Computing Language",
        "PoCL 3.0",
        max_vector_bytes=32,
        keeps_kernels=True,
        is_alone=True,
        reads_host_pointers=True,
        works_in_host_memory=True,
        has_conditional_barriers=False,
        prefetch="__builtin_prefetch",
        instructions=AVX512VL,
        max_parameter_bytes=POCLS_PARAMETERS,
        header="_OPENCL_H_",
    ),
    Driver(
        "PoCL",
        "Portable Computing Language",
        "PoCL",
        keeps_kernels=True,
        is_alone=True,
        reads_host_pointers=True,
        works_in_host_memory=True,
        has_conditional_barriers=False,
        prefetch="__builtin_prefetch",
        max_parameter_bytes=POCLS_PARAMETERS,
    ),
    # Its vectoriser of loops crashes on divisions of 32 bits: see `registration`.
    Driver(
        "Intel CPU runtime",
        "Intel(R) OpenCL",
        is_alone=True,
        prefetch="__builtin_prefetch",
        has_shuffles=True,
        subgroup_sizes=(4, 8, 16, 32, 64),
    ),
    Driver("Oclgrind", "Oclgrind"),
    # It reports 512 bytes for parts of buffers, takes any, and its kernels compute the same with them. It runs any
    # number of work-groups: 2**28 + 1 had their right numbers.
    Driver("NVIDIA", "NVIDIA CUDA", "CUDA 13", buffer_alignment=1),
    # Not measured: the third dimension of a CUDA grid has 16 bits.
    Driver("NVIDIA", "NVIDIA CUDA", max_groups=65_535),
)


HALVING = ("AMD",)
"""What is in the names of processors that compute vectors of 64 bytes in two steps; measured on Zen 4.

Those of `processor.WIDE` do not, nor does the compiler crash that is told of one of Intel's (`unknown_processor`).
"""

HALF = 32
"""Bytes of a step then."""


def vector_bytes(driver: Driver, device: str, reported: int) -> int:
    """The widest vector that a driver's compiler can use on a device of this name, which reports so many bytes."""
    return min(reported, driver.max_vector_bytes or reported) if _is_halving(device) else reported


def native_vector_bytes(device: str, vector_bytes: int) -> int:
    """The widest vector that a device of this name computes with in one step, if it has vectors of so many bytes."""
    return min(vector_bytes, HALF) if _is_halving(device) else vector_bytes


def _is_halving(device: str) -> bool:
    return any(word in device for word in HALVING) and not processor.has_wide_steps()


def driver_of(platform: str, version: str) -> Driver:
    """The first driver of the table that fits a platform's name and version, or one without traps."""
    for driver in DRIVERS:
        if platform.startswith(driver.platform) and driver.version in version:
            return driver
    return Driver(platform, platform)

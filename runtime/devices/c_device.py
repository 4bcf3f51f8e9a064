"""Device `c`: the processor of this machine, through the system's compiler of C.

`c` has the best instructions that the processor has, `c:avx2` those of a set. Threads are those of OpenMP, as many as
the process may run on, or as `OMP_NUM_THREADS` says.
"""

import os
import platform
from functools import cache
from pathlib import Path

from einsum_front.core.instruction_sets import INSTRUCTION_SETS, NEON, InstructionSet
from einsum_front.runtime.devices import processor
from einsum_front.runtime.devices.c_compiler import c_compiler
from einsum_front.runtime.devices.drivers import Driver, native_vector_bytes
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import DeviceFacts, DeviceKind, SharedMemory

NAME = "c"
NUMBER = -1
"""It is in no list that OpenCL numbers."""

C_DRIVER = Driver(
    "C compiler",
    "C",
    reads_host_pointers=True,
    works_in_host_memory=True,
    has_conditional_barriers=True,
    prefetch="__builtin_prefetch",
    has_shuffles=True,
)

STACK = 1024 * 1024
"""Bytes that a function may take of the stack of its thread; OpenMP's threads have 2 MiB or more."""

ANY = 2**20
"""Where C has no limit that a kernel comes near."""

LINE, CACHE = 64, 32 * 1024
"""Where the system does not tell."""


def is_device_c(name: str) -> bool:
    """True for `c`, `C` and `c:avx2`."""
    return name.casefold().partition(":")[0] == NAME


def sets_here() -> tuple[InstructionSet, ...]:
    """The sets of instructions that code for this processor can have, the best first."""
    if platform.machine() in ("aarch64", "arm64"):
        return (NEON,)
    known = processor.processor_instructions()
    return tuple(each for each in INSTRUCTION_SETS if each is not NEON and known.issuperset(each.features))


def c_facts(name: str = NAME) -> DeviceFacts:
    """What is known of the device; raises CompileError without a compiler (E0613) or such instructions (E0602)."""
    wanted = name.casefold().partition(":")[2]
    sets = sets_here()
    found = next((each for each in sets if wanted in ("", each.name)), None)
    if found is None:
        known = tuple(f"device {NAME}:{each.name}" for each in sets)
        raise failure("E0602", f"there is no device `{name}`: this processor has no instructions of that name", known)
    return _facts(found, c_compiler().version, threads())


@cache
def _facts(instructions: InstructionSet, version: str, units: int) -> DeviceFacts:
    model = _model()
    return DeviceFacts(
        number=NUMBER,
        name=model,
        platform=C_DRIVER.platform,
        version=version,
        driver_version=version,
        driver=C_DRIVER,
        opencl_c="",
        kind=DeviceKind.CPU,
        compute_units=units,
        vector_bytes=instructions.vector_bytes,
        native_vector_bytes=native_vector_bytes(model, instructions.vector_bytes),
        instructions=(),
        max_work_group_size=1,
        max_work_item_sizes=(1, 1, 1),
        max_parameter_bytes=ANY,
        local_memory=STACK,
        global_memory=_memory(),
        max_allocation=_memory(),
        base_alignment=1,
        cache=_system("SC_LEVEL1_DCACHE_SIZE", CACHE),
        cache_line=_system("SC_LEVEL1_DCACHE_LINESIZE", LINE),
        has_fp64=True,
        has_int64_atomics=True,
        has_subgroups=False,
        subgroup_sizes=(),
        shares_host_memory=True,
        shared_memory=SharedMemory.ALL,
        instruction_set=instructions,
    )


def threads() -> int:
    """Threads of a large call."""
    given = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if given.isdecimal() and int(given) > 0:
        return int(given)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _model() -> str:
    """The name of the processor, as Linux writes it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine() or "processor"


def _memory() -> int:
    return _system("SC_PHYS_PAGES", 2**20) * _system("SC_PAGE_SIZE", 4096)


def _system(name: str, otherwise: int) -> int:
    try:
        return os.sysconf(name) or otherwise
    except (AttributeError, OSError, ValueError):
        return otherwise

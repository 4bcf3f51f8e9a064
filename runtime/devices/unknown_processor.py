"""Processors that the compiler of PoCL's wheel does not know: it is told of one that has the same instructions.

PoCL asks LLVM what the processor is called when it describes its device, and hands that to the compiler with each
program. The wheel's LLVM 14 calls processors of AMD that are newer than itself `generic`, and its front end takes that
for no name at all: nothing compiles (https://github.com/pocl/pocl/issues/1049). Neither an option nor a variable of
PoCL changes the name. So it is replaced where it stands, in PoCL's description of the device in our memory.
"""

import ctypes
import os

from einsum_front.runtime.devices import processor
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.opencl import cl

PLATFORM = "Portable Computing Language"

ENDING = "-generic"
"""Of the version of a device of PoCL's that has such a processor: `OpenCL 3.0 PoCL HSTR: pthread-x86_64-…-generic`."""

UNKNOWN = b"generic\0"

MEMORY = "/proc/self/mem"
"""The memory of this process. Who reads an address there that is none gets an error; following it would be a crash."""

DESCRIPTION = range(0, 1024, 8)
"""Where the pointer is looked for in the description; the wheel has it at 640."""

V3 = frozenset({"avx2", "fma", "bmi1", "bmi2", "f16c", "abm", "movbe"})

V4 = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}

KNOWN = (
    ("skylake-avx512", V4),
    ("znver3", V3 | {"adx", "clzero", "sha_ni", "sse4a", "vaes", "vpclmulqdq"}),
    ("x86-64-v3", V3),
    ("x86-64", frozenset[str]()),
)
"""Names that LLVM 14 knows with the instructions of them that its code can have; the first that fits is taken."""

_names: dict[str, ctypes.Array[ctypes.c_char]] = {}
"""What devices point to, for the life of the process."""

_told: dict[int, str] = {}
"""The names by the addresses of the descriptions."""


def known_name(instructions: frozenset[str]) -> str:
    """The name of a processor that has no more instructions than these, which are those of this machine."""
    return next(name for name, needed in KNOWN if instructions >= needed)


def told_name(device: cl.Device) -> str | None:
    """What the compiler of the device is told that the processor is; None for those that need no help.

    Raises CompileError (E0637) if it does not know the processor and cannot be told.
    """
    if not (device.version.strip().endswith(ENDING) and device.platform.name.startswith(PLATFORM)):
        return None
    start = device.int_ptr
    if start not in _told:
        place = _pointer(start, UNKNOWN)
        if place is None:
            raise failure(
                "E0637",
                f"the compiler of `{device.name.strip()}` does not know the processor of this machine",
                (
                    "it is older than the processor; PoCL 5 and newer ones have another",
                    "`pip install 'einsum-front[intel]'` brings another driver, and device `c` needs a C compiler only",
                ),
            )
        name = known_name(processor.processor_instructions())
        text = _names.setdefault(name, ctypes.create_string_buffer(name.encode()))
        ctypes.c_uint64.from_address(place).value = ctypes.addressof(text)
        _told[start] = name
    return _told[start]


def _pointer(start: int, text: bytes) -> int | None:
    """The address of the only pointer to this text in the description that starts there."""
    try:
        memory = os.open(MEMORY, os.O_RDONLY)
    except OSError:
        return None
    try:
        found = [start + step for step in DESCRIPTION if _points_to(memory, start + step, text)]
    finally:
        os.close(memory)
    return found[0] if len(found) == 1 else None


def _points_to(memory: int, place: int, text: bytes) -> bool:
    try:
        address = int.from_bytes(os.pread(memory, 8, place), "little")
        return os.pread(memory, len(text), address) == text
    except (OSError, OverflowError):
        return False

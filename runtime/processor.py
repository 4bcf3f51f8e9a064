"""Which instructions the processor of this machine has: its drivers may know an older one than it is."""

from functools import cache
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")


@cache
def processor_instructions() -> frozenset[str]:
    """The names of its sets of instructions, as Linux writes them (`avx512f`); nothing where that cannot be read."""
    try:
        return flags(CPUINFO.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return frozenset()


def flags(text: str) -> frozenset[str]:
    """What all processors of a `/proc/cpuinfo` have; other architectures than x86 have no such line."""
    lines = (line.partition(":") for line in text.splitlines())
    found = [frozenset(value.split()) for key, _, value in lines if key.strip() == "flags"]
    return frozenset.intersection(*found) if found else frozenset()

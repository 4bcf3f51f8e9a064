"""Which instructions the processor of this machine has, and which of AMD's cores: drivers may know an older one."""

from functools import cache
from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")

WIDE = {26: (range(0x20), range(0x40, 0x50))}
"""Families and models of AMD whose cores compute vectors of 64 bytes in one step: Zen 5 of servers and of desktops."""


@cache
def processor_instructions() -> frozenset[str]:
    """The names of its sets of instructions, as Linux writes them (`avx512f`); nothing where that cannot be read."""
    return flags(_cpuinfo())


@cache
def has_wide_steps() -> bool:
    """True if it is one of AMD's of which all cores compute vectors of 64 bytes in one step."""
    return are_wide(_cpuinfo())


def _cpuinfo() -> str:
    try:
        return CPUINFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def flags(text: str) -> frozenset[str]:
    """What all processors of a `/proc/cpuinfo` have; other architectures than x86 have no such line."""
    found = [frozenset(value.split()) for value in _values(text, "flags")]
    return frozenset.intersection(*found) if found else frozenset()


def are_wide(text: str) -> bool:
    """Whether all processors of a `/proc/cpuinfo` are of `WIDE`."""
    names = ("vendor_id", "cpu family", "model")
    found = set(zip(*(_values(text, name) for name in names), strict=False))
    return bool(found) and all(
        vendor == "AuthenticAMD" and any(int(model) in models for models in WIDE.get(int(family), ()))
        for vendor, family, model in found
    )


def _values(text: str, name: str) -> list[str]:
    """What each processor has in the line of this name."""
    lines = (line.partition(":") for line in text.splitlines())
    return [value.strip() for key, _, value in lines if key.strip() == name]

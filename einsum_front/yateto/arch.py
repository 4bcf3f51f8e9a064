"""Architectures: what a script knows of the machine, of which precision and alignment matter here."""

import re
from typing import NamedTuple

from einsum_front.core.dataclass import dataclass
from einsum_front.yateto.memory import DenseMemoryLayout
from einsum_front.yateto.mistakes import rejected

ALIGNMENTS = {
    16: "noarch wsm neon thunderx2t99 power9 power10 power11 lsx apple-m1 apple-m2 apple-m3 apple-m4",
    32: "snb hsw naples rome milan lasx",
    64: "skx knc knl bergamo turin a64fx",
}
"""Bytes of a vector by the names of processors; other names end in the bits of their vectors."""

DEVICE_ALIGNMENTS = {"nvidia": 64, "amd": 128, "intel": 32}
"""Bytes by the vendor of a device."""

_OTHER_DEVICE = 32
_PRECISIONS = {"D": "D", "F64": "D", "S": "S", "F32": "S"}
_VECTORS = re.compile(r"(?:sve|rvv|avx2-|avx10-)(128|256|512|1024|2048)")
_WITHOUT_PREFETCH = frozenset({"noarch", "wsm", "snb", "knc", "power9", "power10", "power11"})


@dataclass(frozen=True, slots=True)
class Architecture:
    """A processor, or a device and its host; `alignment` and `cacheline` are bytes.

    `enablePrefetch` says which tools of YATeTo prefetch there. Code here does so everywhere, unless the host is defined
    with `prefetch=False`: then it never `prefetches`.
    """

    name: str
    precision: str
    alignment: int
    enablePrefetch: bool = False
    backend: str = "cpp"
    host_name: str = ""
    cacheline: int = 0
    prefetches: bool = True

    @property
    def bytesPerReal(self) -> int:
        """8 or 4."""
        return 8 if self.precision == "D" else 4

    @property
    def typename(self) -> str:
        """Of an entry in C."""
        return "double" if self.precision == "D" else "float"

    @property
    def epsilon(self) -> float:
        """The rounding of an entry."""
        return 2.22e-16 if self.precision == "D" else 1.19e-7

    @property
    def alignedReals(self) -> int:
        """The alignment in entries."""
        return self.alignment // self.bytesPerReal

    @property
    def is_accelerator(self) -> bool:
        """True if there is a device beside the host."""
        return self.backend != "cpp"

    def alignedLower(self, index: int) -> int:
        """The last multiple of the alignment that is not above the index."""
        return index - index % self.alignedReals

    def alignedUpper(self, index: int) -> int:
        """The first multiple of the alignment that is not below the index."""
        return index + -index % self.alignedReals

    def checkAlignment(self, offset: int) -> bool:
        """True if an offset in entries is a multiple of the alignment."""
        return offset % self.alignedReals == 0


class HostArchDefinition(NamedTuple):
    """A processor; `alignment` (bytes) and `prefetch` follow from its name if they are None."""

    archname: str
    precision: str
    alignment: int | None
    prefetch: bool | None


class DeviceArchDefinition(NamedTuple):
    """A device; `alignment` (bytes) follows from its vendor if it is None."""

    archname: str
    vendor: str
    backend: str
    precision: str
    alignment: int | None


def deriveArchitecture(host_def: HostArchDefinition, device_def: DeviceArchDefinition | None) -> Architecture:
    """The architecture of a processor, with a device or without; raises NotImplementedError for unknown names."""
    alignment = host_def.alignment or _alignment_of(host_def.archname)
    if alignment is None:
        note = "`HostArchDefinition` takes the bytes of its vectors: `alignment=32`"
        if host_def.archname in DEVICE_ALIGNMENTS:
            note = "the host comes first since November 2021: `useArchitectureIdentifiedBy('dhsw', 'dsm_60', 'cuda')`"
        raise rejected("E0179", f"the architecture `{host_def.archname}` is unknown, and no alignment is given", note)
    precision = _precision(host_def.precision)
    is_on = host_def.prefetch is not False
    if device_def is None:
        prefetch = host_def.archname not in _WITHOUT_PREFETCH if host_def.prefetch is None else host_def.prefetch
        return Architecture(
            host_def.archname, precision, alignment, prefetch, "cpp", host_def.archname, alignment, is_on
        )
    if _precision(device_def.precision) != precision:
        raise rejected("E0174", f"host and device differ in precision: {precision} and {device_def.precision}")
    of_device = device_def.alignment or DEVICE_ALIGNMENTS.get(device_def.vendor, _OTHER_DEVICE)
    names = device_def.backend, host_def.archname
    return Architecture(device_def.archname, precision, of_device, False, *names, max(of_device, alignment), is_on)


def useArchitectureIdentifiedBy(
    host_arch: str, device_arch: str | None = None, device_backend: str | None = None
) -> Architecture:
    """The architecture of a letter for the precision and a name, `dhsw`; alignment is that of it from now on."""
    if (device_arch is None) != (device_backend is None):
        given = f"{host_arch}, {device_arch}, {device_backend}"
        raise rejected("E0174", f"a device has an architecture and a backend, and both are given or none: {given}")
    host = HostArchDefinition(host_arch[1:], host_arch[:1], None, None)
    device = None
    if device_arch is not None and device_backend is not None:
        name = device_arch[1:]
        vendor = "nvidia" if name.startswith("sm_") else "amd" if name.startswith("gfx") else "intel"
        device = DeviceArchDefinition(name, vendor, device_backend, device_arch[:1], None)
    arch = deriveArchitecture(host, device)
    fixArchitectureGlobal(arch)
    return arch


def fixArchitectureGlobal(arch: Architecture) -> None:
    """Layouts that align their first mode do so for this architecture from now on."""
    DenseMemoryLayout.setAlignmentArch(arch)


def _alignment_of(name: str) -> int | None:
    if found := _VECTORS.fullmatch(name):
        return int(found.group(1)) // 8
    return next((alignment for alignment, names in ALIGNMENTS.items() if name in names.split()), None)


def _precision(spelled: str) -> str:
    if spelled.upper() not in _PRECISIONS:
        raise rejected("E0174", f"`{spelled}` is no precision", "`d` and `f64` are double, `s` and `f32` are single")
    return _PRECISIONS[spelled.upper()]

"""A processor that is newer than the compiler of its driver: the name in the description of the device is replaced."""

import ctypes
from types import SimpleNamespace
from typing import cast

import pyopencl as cl
import pytest

from einsum_front.core.diagnostics import CompileError, render_all
from einsum_front.runtime.devices import processor, unknown_processor
from einsum_front.runtime.devices.unknown_processor import DESCRIPTION, KNOWN, V3, V4, known_name, told_name

ZEN_5 = dict(KNOWN)["znver3"] | V4

UNKNOWN = "OpenCL 3.0 PoCL HSTR: pthread-x86_64-unknown-linux-gnu-generic"


class Description:
    """The memory of a device in which entry 5 points to a name, and others to nothing or nowhere."""

    def __init__(self, *names: bytes) -> None:
        self.names = [ctypes.create_string_buffer(name) for name in names]
        self.entries = (ctypes.c_uint64 * len(DESCRIPTION))()
        self.entries[1] = 8
        for place, name in enumerate(self.names, 5):
            self.entries[place] = ctypes.addressof(name)

    def device(self, version: str = UNKNOWN) -> cl.Device:
        """All that is asked of a device."""
        platform = SimpleNamespace(name="Portable Computing Language")
        start = ctypes.addressof(self.entries)
        return cast("cl.Device", SimpleNamespace(name=" EPYC ", version=version, platform=platform, int_ptr=start))

    @property
    def name(self) -> bytes | None:
        """What the driver reads now."""
        return ctypes.cast(self.entries[5], ctypes.c_char_p).value


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown_processor, "_told", {})
    monkeypatch.setattr(processor, "processor_instructions", lambda: ZEN_5)


def test_the_newest_known_processor_that_has_no_other_instructions() -> None:
    assert known_name(ZEN_5) == "skylake-avx512"
    assert known_name(ZEN_5 - {"avx512vl"}) == "znver3"
    assert known_name(V3 | {"sse4a"}) == "x86-64-v3"
    assert known_name(frozenset({"sse2"})) == "x86-64"


def test_the_driver_reads_the_name_of_a_processor_that_it_knows() -> None:
    description = Description(b"generic")
    assert told_name(description.device()) == "skylake-avx512"
    assert description.name == b"skylake-avx512"
    assert told_name(description.device()) == "skylake-avx512"


@pytest.mark.parametrize("version", ["OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-znver3", "OpenCL 3.1 LINUX"])
def test_what_the_driver_knows_stays(version: str) -> None:
    description = Description(b"generic")
    assert told_name(description.device(version)) is None
    assert description.name == b"generic"


@pytest.mark.parametrize("names", [(), (b"znver3",), (b"generic", b"generic"), (b"generic-rv64",)])
def test_a_description_that_is_not_understood_stays(names: tuple[bytes, ...]) -> None:
    description = Description(*names)
    before = bytes(description.entries)
    with pytest.raises(CompileError) as caught:
        told_name(description.device())
    assert bytes(description.entries) == before
    assert (
        render_all(caught.value.diagnostics)
        == """\
error[E0637]: the compiler of `EPYC` does not know the processor of this machine
  = note: it is older than the processor; PoCL 5 and newer ones have another
  = note: `pip install 'einsum-front[intel]'` brings another driver, and device `c` needs a C compiler only"""
    )


def test_without_a_view_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unknown_processor, "MEMORY", "/proc/self/none")
    with pytest.raises(CompileError, match="E0637"):
        told_name(Description(b"generic").device())

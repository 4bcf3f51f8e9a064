"""Which device is meant."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyopencl as cl
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices import device, processor
from einsum_front.runtime.devices.device import Device, available_devices, find_device, told_of
from einsum_front.runtime.devices.drivers import AVX512VL, driver_of, native_vector_bytes, vector_bytes
from einsum_front.runtime.devices.facts import DeviceKind
from tests.runtime.kernels import DEVICE


def devices(*descriptions: tuple[str, str, str, DeviceKind]) -> list[Device]:
    """Devices that are not there: name, platform, version and kind."""
    return [
        Device(
            replace(
                DEVICE.facts,
                number=number,
                name=name,
                platform=platform,
                version=version,
                kind=kind,
                driver=driver_of(platform, version),
            ),
            DEVICE.handle,
        )
        for number, (name, platform, version, kind) in enumerate(descriptions)
    ]


WHEEL = ("pthread-Zen", "Portable Computing Language", "OpenCL 3.0 PoCL 3.0-rc2", DeviceKind.CPU)
DEBIAN = ("pthread-Zen", "Portable Computing Language", "OpenCL 3.0 PoCL 3.1+debian", DeviceKind.CPU)
INTEL = ("Zen", "Intel(R) OpenCL", "OpenCL 3.1 LINUX", DeviceKind.CPU)
SIMULATOR = ("Oclgrind Simulator", "Oclgrind", "OpenCL 1.2 (Oclgrind 21.10)", DeviceKind.OTHER)
GPU = ("H200", "NVIDIA CUDA", "OpenCL 3.0 CUDA 13.0", DeviceKind.GPU)


@pytest.fixture(autouse=True)
def nothing_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests use the device at hand."""
    monkeypatch.setattr(device, "excluded_by", lambda _driver: None)


def test_facts_of_the_device_at_hand() -> None:
    facts = DEVICE.facts
    assert facts in available_devices()
    assert facts.vector_bytes % 8 == 0
    assert facts.compute_units > 0
    assert facts.max_work_group_size > 0
    assert facts.local_memory > 0
    assert facts.base_alignment > 0
    assert facts.has_fp64


def test_the_best_device_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EINSUM_FRONT_DEVICE", raising=False)
    order = [SIMULATOR, WHEEL, DEBIAN, INTEL, GPU]
    for best in (4, 3, 2, 1, 0):
        present = devices(*order[: best + 1])
        monkeypatch.setattr(device, "_devices", lambda present=present: present)
        assert find_device().facts.number == best


def test_the_default_can_be_used_beside_what_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU's driver goes with all; of the CPU drivers the first in use stays the only one."""
    monkeypatch.delenv("EINSUM_FRONT_DEVICE", raising=False)
    monkeypatch.setattr(device, "_devices", lambda: devices(WHEEL, INTEL))
    used = device.find_device("wheel").facts.driver
    monkeypatch.setattr(device, "excluded_by", lambda driver: used if driver.name == "Intel CPU runtime" else None)
    assert find_device().facts.number == 0
    assert find_device("intel").facts.number == 1
    monkeypatch.setattr(device, "_devices", lambda: devices(WHEEL, INTEL, GPU))
    assert find_device().facts.number == 2


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("0", 0),
        (1, 1),
        ("wheel", 0),
        ("pocl 3.1", 1),
        ("intel", 2),
        ("GPU", 3),
        ("cuda", 3),
        ("portable computing", None),
    ],
)
def test_by_number_or_part_of_the_description(
    name: str | int, number: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = devices(WHEEL, DEBIAN, INTEL, GPU)
    if number is None:
        present = present[1:]
    monkeypatch.setattr(device, "_devices", lambda: present)
    assert find_device(name).facts.number == (1 if number is None else number)


def test_a_driver_is_meant_before_a_processor_of_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pocl = ("pthread-Intel(R) Xeon(R) Platinum 8488C", *WHEEL[1:])
    monkeypatch.setattr(device, "_devices", lambda: devices(pocl, INTEL))
    assert find_device("intel").facts.number == 1
    assert find_device("xeon").facts.number == 0
    with pytest.raises(CompileError, match="E0603"):
        find_device("cpu")
    monkeypatch.setattr(device, "_devices", lambda: devices(pocl))
    assert find_device("intel").facts.number == 0


def test_the_environment_chooses_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_devices", lambda: devices(WHEEL, INTEL))
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "wheel")
    assert find_device().facts.number == 0
    assert find_device("intel").facts.number == 1
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "auto")
    assert find_device().facts.number == 1


@pytest.mark.parametrize(
    ("platform", "version", "name", "widest"),
    [
        ("Portable Computing Language", "OpenCL 3.0 PoCL 3.0-rc2  Linux, Release", "PoCL 3.0 (Python wheel)", 32),
        ("Portable Computing Language", "OpenCL 3.0 PoCL 3.1+debian  Linux", "PoCL", None),
        ("Intel(R) OpenCL", "OpenCL 3.1 LINUX", "Intel CPU runtime", None),
        ("Something new", "OpenCL 4.0", "Something new", None),
    ],
)
def test_drivers_are_known_by_platform_and_version(platform: str, version: str, name: str, widest: int | None) -> None:
    driver = driver_of(platform, version)
    assert driver.name == name
    assert driver.max_vector_bytes == widest


def test_what_decides_how_kernels_are_made_is_said() -> None:
    facts = replace(
        DEVICE.facts,
        vector_bytes=64,
        native_vector_bytes=64,
        instructions=(),
        compute_units=1,
        local_memory=256 * 1024,
        cache=1024 * 1024,
        cache_line=64,
        has_subgroups=True,
        subgroup_sizes=(4, 8),
        has_fp64=False,
    )
    assert facts.abilities == (
        "vectors of 512 bits",
        "1 compute unit",
        "256 KiB of local memory",
        "1,024 KiB of cache in lines of 64 bytes",
        "sub-groups of 4, 8",
        "without f64",
    )
    assert replace(facts, native_vector_bytes=32).abilities[0] == "vectors of 512 bits in two steps"
    told = replace(facts, vector_bytes=32, native_vector_bytes=32, instructions=AVX512VL).abilities[0]
    assert told == "vectors of 256 bits, with AVX-512VL where lanes are elements"
    assert replace(facts, subgroup_sizes=(), compute_units=2).abilities[4] == "with sub-groups"
    assert replace(facts, subgroup_sizes=(), has_subgroups=False).abilities[4] == "without sub-groups"


@pytest.fixture
def no_wide_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever processor the tests run on."""
    monkeypatch.setattr(processor, "has_wide_steps", lambda: False)


@pytest.mark.usefixtures("no_wide_steps")
def test_vectors_that_take_two_steps() -> None:
    assert native_vector_bytes("AMD EPYC 9654", 64) == native_vector_bytes("pthread-skylake-avx512-AMD EPYC", 64) == 32
    assert native_vector_bytes("AMD EPYC 7763", 32) == 32
    assert native_vector_bytes("Intel(R) Xeon(R) Platinum 8480", 64) == 64


def test_vectors_that_take_one_step_on_the_same_makers_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "has_wide_steps", lambda: True)
    wheel = driver_of("Portable Computing Language", "OpenCL 3.0 PoCL 3.0-rc2")
    assert native_vector_bytes("AMD EPYC 9575F", 64) == vector_bytes(wheel, "pthread-AMD EPYC 9575F", 64) == 64


@pytest.mark.parametrize(
    ("vendor", "family", "model", "is_wide"),
    [
        ("AuthenticAMD", 26, 2, True),
        ("AuthenticAMD", 26, 0x11, True),
        ("AuthenticAMD", 26, 0x44, True),
        ("AuthenticAMD", 26, 0x24, False),
        ("AuthenticAMD", 25, 0x11, False),
        ("GenuineIntel", 26, 2, False),
    ],
)
def test_processors_that_compute_64_bytes_in_a_step(vendor: str, family: int, model: int, is_wide: bool) -> None:
    """Zen 5 of servers and desktops does; that of notebooks and Zen 4 do not, nor does a machine that has both."""
    text = "processor\t: {}\nvendor_id\t: {}\ncpu family\t: {}\nmodel\t\t: {}\nmodel name\t: AMD EPYC\nflags\t: fpu\n\n"
    assert processor.are_wide(text.format(0, vendor, family, model) * 2) is is_wide
    assert not processor.are_wide(text.format(0, vendor, family, model) + text.format(1, "AuthenticAMD", 25, 1))
    assert not processor.are_wide("")


@pytest.mark.usefixtures("no_wide_steps")
def test_vectors_that_a_compiler_knows() -> None:
    wheel = driver_of("Portable Computing Language", "OpenCL 3.0 PoCL 3.0-rc2")
    debian = driver_of("Portable Computing Language", "OpenCL 3.0 PoCL 3.1+debian")
    assert vector_bytes(wheel, "pthread-AMD EPYC 9654", 64) == 32
    assert vector_bytes(debian, "pthread-skylake-avx512-AMD EPYC", 64) == 64
    assert vector_bytes(wheel, "pthread-Intel(R) Xeon(R) Processor", 64) == 64
    assert vector_bytes(wheel, "pthread-Intel(R) Core(TM) i7-8700", 32) == 32


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("fpu avx avx2 fma avx512f avx512dq avx512cd avx512bw avx512vl", AVX512VL),
        ("fpu avx avx2 fma avx512f avx512cd avx512er", ()),
        ("fpu avx avx2 fma", ()),
        (None, ()),
    ],
)
def test_compilers_are_told_of_what_the_processor_has(
    flags: str | None, told: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it, not only what the width of its vectors needs; nothing where Linux does not say what that is."""
    cpuinfo = tmp_path / "cpuinfo"
    if flags is not None:
        cpuinfo.write_text(f"processor\t: 0\nflags\t\t: {flags}\n\nprocessor\t: 1\nflags\t\t: {flags} gfni\n\n")
    monkeypatch.setattr(processor, "CPUINFO", cpuinfo)
    processor.processor_instructions.cache_clear()
    try:
        assert told_of(DeviceKind.CPU, driver_of(*WHEEL[1:3])) == told
        assert told_of(DeviceKind.CPU, driver_of(*DEBIAN[1:3])) == ()
        assert told_of(DeviceKind.CPU, driver_of(*INTEL[1:3])) == ()
        assert told_of(DeviceKind.GPU, driver_of(*WHEEL[1:3])) == ()
    finally:
        processor.processor_instructions.cache_clear()


def test_what_all_processors_have() -> None:
    assert processor.flags("flags\t: avx avx2 avx512f\nmodel\t: 1\nflags\t: avx avx2\n") == {"avx", "avx2"}
    assert processor.flags("processor\t: 0\nFeatures\t: fp asimd\nCPU part\t: 0xd0c\n") == frozenset()


def test_traps_are_said() -> None:
    assert driver_of("Portable Computing Language", "OpenCL 3.0 PoCL 3.0-rc2").remarks == (
        "crashes beside the compiler of another such driver",
        "on AMD, wider vectors than 32 bytes crash its compiler",
        "no barriers under conditions",
        "kernels follow any pointer of the process",
        "works in the memory of the host, wherever that starts",
        "prefetches by __builtin_prefetch",
        "must be told of avx512f, avx512vl, avx512dq, avx512bw, avx512cd, avx2, fma",
    )
    assert driver_of("NVIDIA CUDA", "OpenCL 3.0 CUDA 12.4.131").remarks == ("at most 65535 work-groups",)
    assert driver_of("NVIDIA CUDA", "OpenCL 3.0 CUDA 13.0.98").remarks == ("parts of buffers start at any entry",)
    assert driver_of("Something new", "OpenCL 4.0").remarks == ()


@pytest.mark.skipif(not DEVICE.facts.driver.works_in_host_memory, reason="the driver may have copies")
def test_memory_of_the_host_is_used_wherever_it_starts() -> None:
    """What a kernel writes is there without mapping, and what the host writes is seen without a copy."""
    source = "kernel void twice(global double* x) { x[get_global_id(0)] *= 2.0; }"
    kernel = cl.Kernel(cl.Program(DEVICE.context, source).build(), "twice")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
    for start in range(0, 17, 8):
        memory = np.zeros(1000, dtype=np.uint8)[start : start + 800].view(np.float64)
        buffer = cl.Buffer(DEVICE.context, flags, hostbuf=memory)
        for number in (1.0, 2.0):
            memory[:] = number
            kernel(DEVICE.queue, (100,), None, buffer)
            DEVICE.queue.finish()
            np.testing.assert_array_equal(memory, 2 * number)

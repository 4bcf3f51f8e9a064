"""Which device is meant."""

from dataclasses import replace

import pytest

from runtime import device
from runtime.device import Device, available, find
from runtime.drivers import driver_of
from runtime.facts import DeviceKind
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


def test_facts_of_the_device_at_hand() -> None:
    facts = DEVICE.facts
    assert facts in available()
    assert facts.vector_bytes % 8 == 0
    assert facts.compute_units > 0
    assert facts.max_work_group_size > 0
    assert facts.local_memory > 0
    assert facts.base_alignment % 8 == 0
    assert facts.has_fp64


def test_the_best_device_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EINSUM_FRONT_DEVICE", raising=False)
    order = [SIMULATOR, WHEEL, DEBIAN, INTEL, GPU]
    for best in (4, 3, 2, 1, 0):
        present = devices(*order[: best + 1])
        monkeypatch.setattr(device, "_devices", lambda present=present: present)
        assert find().facts.number == best


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
    assert find(name).facts.number == (1 if number is None else number)


def test_the_environment_chooses_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_devices", lambda: devices(WHEEL, INTEL))
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "wheel")
    assert find().facts.number == 0
    assert find("intel").facts.number == 1
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "auto")
    assert find().facts.number == 1


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

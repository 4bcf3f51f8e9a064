"""Drivers that pip installed are found, and nothing that was visible disappears."""

import os
from pathlib import Path

import pytest

from einsum_front.runtime.devices import registration
from einsum_front.runtime.devices.registration import AFFINITY, FEWER_THREADS, VECTORISER, prepare, register_installed


class Machine:
    """A cache, a system's folder of drivers and an installed library, all below one folder."""

    def __init__(self, root: Path) -> None:
        self.cache, self.system, self.library = root / "einsum-front", root / "vendors", root / "lib" / "libintelocl.so"
        self.system.mkdir()
        self.library.parent.mkdir()
        self.library.touch()

    def add_driver(self, name: str, library: str) -> None:
        (self.system / name).write_text(f"{library}\n")

    def registered(self) -> dict[str, str] | None:
        """What the `.icd` files in the loader's folder name, None if it reads the system's."""
        folder = os.environ.get("OCL_ICD_VENDORS")
        return None if folder is None else {file.name: file.read_text().strip() for file in Path(folder).iterdir()}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(made.cache.parent))
    monkeypatch.setattr(registration, "SYSTEM", made.system)
    monkeypatch.setattr(registration, "installed_library", lambda: made.library)
    monkeypatch.setattr(registration, "has_library_of_gpu", lambda: False)
    for variable in registration.VARIABLES:
        monkeypatch.setenv(variable, "")  # so that it is restored, whatever the test does
        monkeypatch.delenv(variable)
    return made


def test_the_installed_library_is_registered_beside_the_drivers_of_the_system(machine: Machine) -> None:
    machine.add_driver("nvidia.icd", "libnvidia-opencl.so.1")
    machine.add_driver("broken.icd", "/opt/gone/libintelocl.so")
    register_installed()
    assert machine.registered() == {
        "nvidia.icd": "libnvidia-opencl.so.1",
        "broken.icd": "/opt/gone/libintelocl.so",
        "einsum-front-intel.icd": str(machine.library),
    }
    register_installed()
    assert len(list((machine.cache / "vendors").iterdir())) == 1


def test_a_new_driver_of_the_system_is_seen(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    register_installed()
    assert machine.registered() == {"einsum-front-intel.icd": str(machine.library)}
    monkeypatch.delenv("OCL_ICD_VENDORS")
    machine.add_driver("nvidia.icd", "libnvidia-opencl.so.1")
    register_installed()
    assert machine.registered() == {
        "nvidia.icd": "libnvidia-opencl.so.1",
        "einsum-front-intel.icd": str(machine.library),
    }


def test_a_machine_without_a_folder_of_drivers(machine: Machine) -> None:
    machine.system.rmdir()
    register_installed()
    assert machine.registered() == {"einsum-front-intel.icd": str(machine.library)}


@pytest.mark.parametrize("variable", registration.VARIABLES)
def test_what_the_user_says_is_kept(variable: str, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, str(machine.system))
    register_installed()
    assert [each for each in registration.VARIABLES if each in os.environ] == [variable]
    assert os.environ[variable] == str(machine.system)


def test_a_runtime_that_the_system_registers_is_not_registered_twice(machine: Machine) -> None:
    machine.add_driver("intel.icd", str(machine.library))
    register_installed()
    assert machine.registered() is None


def test_nothing_is_installed(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "installed_library", lambda: None)
    register_installed()
    assert machine.registered() is None
    assert not machine.cache.exists()


@pytest.mark.parametrize("file", [None, "/opt/gone/libnvidia-opencl.so.1"])
def test_the_library_of_a_gpu_that_no_file_names_is_registered(
    file: str | None, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "installed_library", lambda: None)
    monkeypatch.setattr(registration, "has_library_of_gpu", lambda: True)
    of_system = {"pocl.icd": "libpocl.so.2.10.0"} | ({} if file is None else {"broken.icd": file})
    for name, library in of_system.items():
        machine.add_driver(name, library)
    register_installed()
    assert machine.registered() == of_system | {"einsum-front-nvidia.icd": "libnvidia-opencl.so.1"}


@pytest.mark.parametrize("library", ["libnvidia-opencl.so.1", "libnvidia-opencl.so.580.159.04"])
def test_a_gpu_that_the_system_registers_is_not_registered_twice(
    library: str, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registration, "installed_library", lambda: None)
    monkeypatch.setattr(registration, "has_library_of_gpu", lambda: True)
    machine.add_driver("nvidia.icd", library)
    register_installed()
    assert machine.registered() is None


def test_no_library_is_loaded_where_no_driver_of_a_gpu_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    has_library = registration.has_library_of_gpu.__wrapped__
    monkeypatch.setattr(registration, "CDLL", lambda _name: pytest.fail("loaded"))
    monkeypatch.setattr(registration, "GPU", tmp_path / "nvidiactl")
    assert not has_library()
    monkeypatch.undo()
    monkeypatch.setattr(registration, "GPU", tmp_path)
    monkeypatch.setattr(registration, "GPU_LIBRARY", "libof-no-gpu.so.1")
    assert not has_library()


def test_a_cache_that_cannot_be_written_changes_nothing(machine: Machine) -> None:
    machine.cache.touch()
    register_installed()
    assert machine.registered() is None


@pytest.mark.parametrize(("given", "kept"), [(None, "False"), ("True", "True")])
def test_the_vectoriser_of_the_runtime_is_off(
    given: str | None, kept: str, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VECTORISER, given or "")
    if given is None:
        monkeypatch.delenv(VECTORISER)
    prepare()
    assert os.environ[VECTORISER] == kept
    assert machine.registered() == {"einsum-front-intel.icd": str(machine.library)}


def test_where_pip_has_put_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / "lib" / "python3" / "site-packages"
    information = packages / "intel_opencl_rt-2026.2.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: intel-opencl-rt\nVersion: 2026.2.0\n")
    (information / "RECORD").write_text("../../cl.cfg,,\n../../libintelocl.so,,\n")
    monkeypatch.syspath_prepend(packages)
    find = registration.installed_library.__wrapped__
    assert find() is None
    (tmp_path / "lib" / "libintelocl.so").touch()
    assert find() == (tmp_path / "lib" / "libintelocl.so").resolve()


@pytest.mark.parametrize(
    ("given", "fewer", "cores", "kept"),
    [(None, None, 4, "1"), ("0", None, 4, "0"), (None, "1", 4, None), (None, None, 3, None)],
)
def test_threads_of_pocl_have_cores_of_their_own_where_it_has_all(
    given: str | None, fewer: str | None, cores: int, kept: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in ((VECTORISER, ""), (AFFINITY, given), *((each, fewer) for each in FEWER_THREADS)):
        monkeypatch.setenv(variable, value or "")
        if value is None:
            monkeypatch.delenv(variable)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(cores)))
    monkeypatch.setattr(registration, "register_installed", lambda: None)
    prepare()
    assert os.environ.get(AFFINITY) == kept

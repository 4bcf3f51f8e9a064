"""A process that finds its kernels on disk: what it loads, and when it does not believe them."""

import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.index_string.program import StringKernel, read_einsum
from einsum_front.index_string.ways import Choice, find_way, key_of
from einsum_front.options import ScheduleOptions
from einsum_front.runtime.devices.device import find_device

CALLS = """
import sys
import numpy as np
import einsum_front as ef
A, B = np.ones((6, 4, 4)), np.ones((4, 4))
assert (ef.einsum("bik,kj->bij", A, B) == 4).all()
assert (ef.einsum("ij,jk,kl->il", *[np.ones((300, 300))] * 3) == 90000).all()
print([name for name in sys.modules if name.startswith(("einsum_front.ir", "einsum_front.tl_backend", "lark"))])
"""


def test_a_second_process_loads_no_compiler(tmp_path: Path) -> None:
    environment = {**os.environ, NO_CACHE_VARIABLE: "0", "XDG_CACHE_HOME": str(tmp_path)}

    def loaded() -> list[str]:
        run = subprocess.run([sys.executable, "-c", CALLS], env=environment, capture_output=True, text=True, check=True)
        return list(eval(run.stdout))

    assert "einsum_front.tl_backend.emit" in loaded()
    assert loaded() == []


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(NO_CACHE_VARIABLE, "0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget()
    return tmp_path / "einsum-front" / "kernels"


def forget() -> None:
    """As a process that has just begun."""
    find_way.cache_clear()
    import_module("einsum_front.index_string.contract").known_string.cache_clear()
    import_module("einsum_front.index_string.builds").REMEMBERED.entries.clear()


def test_what_was_stored_is_not_made_again(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = np.ones((2, 5)), np.ones((5, 3))
    ef.einsum("ik,kj->ij", left, right)
    assert len(list(store.glob("*.json"))) == 1
    forget()
    monkeypatch.setattr("einsum_front.index_string.make.make_way", None)
    np.testing.assert_array_equal(ef.einsum("ik,kj->ij", left, right), left @ right)
    with pytest.raises(TypeError, match="not callable"):
        ef.einsum("ik,kj->ij", left[:, :4], right[:4])


@pytest.mark.parametrize("text", ["", "{}", '{"key": 1}'])
def test_a_damaged_entry_is_made_again(store: Path, text: str) -> None:
    left, right = np.ones((2, 5)), np.ones((5, 3))
    ef.einsum("ik,kj->ij", left, right)
    (path,) = store.glob("*.json")
    whole = path.read_text()
    path.write_text(text)
    forget()
    np.testing.assert_array_equal(ef.einsum("ik,kj->ij", left, right), left @ right)
    assert path.read_text() == whole
    forget()


def kernel_of(text: str, *shapes: tuple[int, ...]) -> StringKernel:
    return read_einsum(text, shapes).kernel


def test_the_key_has_all_that_a_kernel_depends_on() -> None:
    device, plain = find_device(), Choice("auto", ScheduleOptions(), None)
    kernel = kernel_of("bik,kj->bij", (3, 4, 5), (5, 6))
    renamed = replace(device, facts=replace(device.facts, driver_version="another"))
    numbered = replace(device, facts=replace(device.facts, number=7))
    first = key_of(kernel, "f64", device, plain)
    assert first == key_of(kernel_of("bik,kj->bij", (9, 4, 5), (5, 6)), "f64", numbered, plain)
    others = [
        key_of(kernel_of("bik,kj->bij", (3, 4, 7), (7, 6)), "f64", device, plain),
        key_of(kernel_of("bik,kj->bji", (3, 4, 5), (5, 6)), "f64", device, plain),
        key_of(kernel_of("bik,kj->bij", (3, 4, 1), (5, 6)), "f64", device, plain),
        key_of(kernel, "f32", device, plain),
        key_of(kernel, "f64", renamed, plain),
        key_of(kernel, "f64", device, replace(plain, schedules=ScheduleOptions("work_group"))),
        key_of(kernel, "f64", device, replace(plain, path=((0, 1),))),
    ]
    assert len({first, *others}) == len(others) + 1

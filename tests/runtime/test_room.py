"""Arrays of which the user gave only sizes: an error with both numbers, before the system gives what it has not."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime import HostMemory
from einsum_front.runtime.devices import room
from einsum_front.runtime.devices.room import check_room, free_memory, told

F64 = np.dtype(np.float64)
COMPLETE = "ab,ac,ad,ae,bc,bd,be,cd,ce,de->"
"""Every pair of five indices: whatever the order, an array between two products has four of them."""


def test_sizes_are_told_as_people_say_them() -> None:
    assert [told(size) for size in (0, 1023, 1024, 2**28, 36_558_080_000, 2**75)] == [
        "0 bytes", "1023 bytes", "1.0 KiB", "256.0 MiB", "34.0 GiB", "32768.0 EiB",
    ]  # fmt: skip


def test_what_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The least of the machine and the group of processes; nothing where neither says anything."""
    monkeypatch.setattr(room, "MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(room, "GROUP", tmp_path)
    assert free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal: 99 kB\nMemAvailable:   30 kB\nSwapFree: 2 kB\nHugePages_Total: 0\n")
    assert free_memory() == 32 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory() == 32 * 1024
    (tmp_path / "memory.max").write_text("5000\n")
    (tmp_path / "memory.current").write_text("1000\n")
    assert free_memory() == 4000


def test_only_large_arrays_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "free_memory", lambda: 100)
    check_room((1000, 1000), F64, "an array")
    with pytest.raises(CompileError, match=r"no memory for an array: 1\.0 GiB of 100 bytes that are free"):
        check_room((2**27,), F64, "an array")


@pytest.mark.parametrize("shape", [(2**45,), (2**62, 2**62)])
def test_what_numpy_refuses(shape: tuple[int, ...]) -> None:
    with pytest.raises(CompileError, match=r"E0516.*no memory for an array of shape"):
        HostMemory().empty(shape, F64)


def test_an_array_between_two_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operands have half a MB each."""
    monkeypatch.setattr(room, "free_memory", lambda: 2**34)
    M = np.ones((260, 260))
    with pytest.raises(CompileError) as caught:
        ef.einsum(COMPLETE, *[M] * 10)
    (mistake,) = caught.value.diagnostics
    assert mistake.code == "E0516"
    assert "of shape (260, 260, 260, 260): 34.0 GiB of 16.0 GiB that are free" in mistake.message
    assert "needs 134.1 MiB at a time" in mistake.notes[1]


def test_the_loop_that_is_named_gives_the_same() -> None:
    M = np.arange(36.0).reshape(6, 6) / 36
    whole = ef.einsum(COMPLETE, *[M] * 10)
    loop = sum(ef.einsum("b,c,d,e,bc,bd,be,cd,ce,de->", *[M[a]] * 4, *[M] * 6) for a in range(6))
    assert np.allclose(whole, loop, rtol=1e-12)
    assert np.allclose(whole, np.einsum(COMPLETE, *[M] * 10, optimize=True), rtol=1e-12)


def test_a_result_that_no_machine_has() -> None:
    x = np.ones(2**16)
    with pytest.raises(CompileError, match="E0516"):
        ef.einsum("a,b,c->abc", x, x, x, device="c")

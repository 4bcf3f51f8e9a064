"""Devices and files that fail in the middle of a batch, and calls that cannot be right."""

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.chunked import pipeline
from einsum_front.core.diagnostics import CompileError, Diagnostic
from tests.chunked.kernels import BATCH, DataSet, arguments, on_disk, program, words

SETS = pipeline._Set


def failure(code: str, message: str) -> CompileError:
    return CompileError([Diagnostic(code, message)])


@pytest.mark.parametrize(
    "error",
    [failure("E0607", "no memory"), failure("E0608", "it failed: MEM_OBJECT_ALLOCATION_FAILURE"), MemoryError()],
    ids=["E0607", "E0608", "MemoryError"],
)
def test_a_chunk_that_does_not_fit_is_halved(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    counts: list[int] = []
    compute = SETS.compute

    def limited(self: Any, views: Mapping[str, Any], count: int) -> float:
        if count > 70:
            raise error
        counts.append(count)
        return compute(self, views, count)

    monkeypatch.setattr(SETS, "compute", limited)
    given = arguments()
    want = given["Q"] + given["K"] @ given["I"]
    program()["update"].chunked(chunk=500)(dt=1, **given)
    np.testing.assert_array_equal(given["Q"], want)
    assert sum(counts) == BATCH
    assert max(counts) <= 70


def failing(monkeypatch: pytest.MonkeyPatch, places: set[int]) -> None:
    """The devices at these places of the list fail when they have done two chunks."""
    compute, seen, lock = SETS.compute, dict.fromkeys(places, 0), Lock()
    numbers: dict[int, int] = {}
    init = SETS.__init__

    def numbered(self: Any, *given: Any) -> None:
        init(self, *given)
        numbers[id(self)] = numbers.setdefault(id(given[4]), len(set(numbers.values())))

    def limited(self: Any, views: Mapping[str, Any], count: int) -> float:
        place = numbers[id(self)]
        if place in places:
            with lock:
                seen[place] += 1
                is_lost = seen[place] > 2
            if is_lost:
                raise failure("E0608", "it failed: DEVICE_LOST")
        return compute(self, views, count)

    monkeypatch.setattr(SETS, "__init__", numbered)
    monkeypatch.setattr(SETS, "compute", limited)


def test_another_device_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, {0})
    given = arguments()
    want = given["Q"] + given["K"] @ given["I"]
    with pytest.warns(ef.DeviceWarning, match="which another device computes: it failed: DEVICE_LOST"):
        program()["update"].chunked(chunk=32, devices=["auto", "auto"])(dt=1, **given)
    np.testing.assert_array_equal(given["Q"], want)


@pytest.mark.filterwarnings("ignore::einsum_front.chunked.pipeline.DeviceWarning")
def test_no_device_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, {0})
    given = arguments()
    before = given["Q"].copy()
    text = words(lambda: program()["update"].chunked(chunk=100)(dt=1, **given))
    assert text.startswith("error[E0628]: ")
    assert "failed, and 800 elements are left: " in text
    assert "DEVICE_LOST" in text
    after = before + given["K"] @ given["I"]
    done = [
        start for start in range(0, BATCH, 100) if (given["Q"][start : start + 100] == after[start : start + 100]).all()
    ]
    assert len(done) == 2
    for start in set(range(0, BATCH, 100)) - set(done):
        np.testing.assert_array_equal(given["Q"][start : start + 100], before[start : start + 100])


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room is asked for before anything is written: what does not fit leaves the output as it was."""
    given = arguments()
    target = on_disk(tmp_path / "Q", given["Q"])

    def full(_descriptor: int, place: int, _count: int) -> None:
        if place >= 500 * 120:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    call = program()["update"].chunked(chunk=100, journal=tmp_path / "journal")
    text = words(lambda: call(dt=1, K=given["K"], I=given["I"], Q=target))
    assert text.startswith("error[E0629]: elements ")
    assert "of argument `Q` cannot be written: no space left on device\n" in text
    assert "finished chunks are in the journal" in text
    np.testing.assert_array_equal(target[500:], given["Q"][500:])
    monkeypatch.undo()
    call(dt=1, K=given["K"], I=given["I"], Q=target)
    np.testing.assert_array_equal(target, given["Q"] + given["K"] @ given["I"])


class Broken(DataSet):
    def __getitem__(self, key: slice) -> Any:
        if key.start >= 200:
            raise RuntimeError("block 3 has a wrong checksum")
        return super().__getitem__(key)


def test_a_source_that_cannot_be_read() -> None:
    given = arguments()
    text = words(lambda: program()["update"].chunked(chunk=100)(dt=1, **given | {"I": Broken(given["I"])}))
    assert "of argument `I` cannot be read: block 3 has a wrong checksum\n" in text
    assert text.startswith("error[E0630]: elements ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"memory": 300}, "error[E0522]: one element of `update` needs "),
        ({"memory": "much"}, "error[E0523]: `memory` is 'much', expected a number of bytes"),
        ({"chunk": 0.5}, "error[E0521]: `chunk` is 0.5, expected whole elements"),
        ({"chunk": (10, 2, 3)}, "error[E0521]: `chunk` has shape (10, 2, 3), which cuts elements of shape"),
        ({"devices": "gpu"}, "error[E0523]: `devices` is 'gpu', expected a list of devices"),
        ({"devices": ["cpu:77"]}, "error[E0602]: there is no OpenCL device `cpu:77`"),
        ({"journal": 3}, "error[E0523]: `journal` is 3, expected the path of a file"),
        ({"progress": "yes"}, "error[E0523]: `progress` is 'yes', expected True, False or a function"),
        ({"out": {"I": np.zeros((BATCH, 4, 3))}}, "error[E0525]: `out` has `I`, which `update` does not write to"),
    ],
)
def test_options(options: dict[str, Any], message: str) -> None:
    given = arguments()
    before = given["Q"].copy()
    assert words(lambda: program()["update"].chunked(**options)(dt=1, **given)).startswith(message)
    np.testing.assert_array_equal(given["Q"], before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"Q": arguments()["Q"][1:]},
            "error[E0508]: arguments differ in the size of the batch: 1000 in `I`, 999 in `Q`",
        ),
        ({"Q": arguments()["Q"].astype("f4")}, "error[E0504]: argument `Q` has element type float32"),
        ({"I": DataSet(arguments()["I"].astype("i8"))}, "error[E0504]: argument `I` has element type int64"),
        ({"I": DataSet(arguments()["I"][:, 1:])}, "error[E0505]: argument `I` has shape (1000, 3, 3)"),
        ({"I": [1, 2]}, "error[E0503]: argument `I` is of type list, expected a batch of shape (batch, 4, 3)"),
        ({"K": np.zeros((4, 4))}, "error[E0505]: argument `K` has shape (4, 4), expected (5, 4)"),
        ({"Z": 1}, "error[E0502]: `update` has no argument `Z`"),
        ({"dt": "x"}, "error[E0509]: "),
        ({"Q": np.broadcast_to(np.zeros((1, 5, 3)), (1000, 5, 3))}, "error[E0507]: argument `Q` is read-only"),
    ],
)
def test_arguments(change: dict[str, Any], message: str) -> None:
    given = arguments()
    assert words(lambda: program()["update"].chunked()(**{"dt": 1, **given, **change})).startswith(message)


def test_a_read_only_file(tmp_path: Path) -> None:
    given = arguments()
    on_disk(tmp_path / "Q", given["Q"]).flush()
    target = np.memmap(tmp_path / "Q", np.float64, "r", shape=given["Q"].shape)
    text = words(lambda: program()["update"].chunked()(dt=1, **given | {"Q": target}))
    assert text == "error[E0507]: argument `Q` is read-only, and `update` writes to it"


def test_chunks_that_would_be_read_when_they_are_written() -> None:
    memory = np.zeros((BATCH + 1, 5, 3))
    given = arguments()
    text = words(lambda: program()["update"].chunked(out={"Q": memory[1:]})(dt=1, **given | {"Q": memory[:-1]}))
    assert text.startswith("error[E0510]: `Q` and `out[Q]` share memory")


def test_groups_are_not_cut() -> None:
    text = "real f64\ntensor A[4] grouped\ntensor S[4]\nkernel sums { S[i] = A[i] }"
    kernel = ef.compile(ef.parse(text))["sums"]
    assert "error[E0526]: `sums` cannot run in chunks" in words(
        lambda: kernel.chunked()(A=[np.ones(4)], S=np.ones((1, 4)))
    )

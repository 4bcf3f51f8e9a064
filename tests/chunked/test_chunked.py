"""A batch in chunks gives what the kernel gives, whatever the arrays are, and keeps to its memory."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.chunked import ChunkedKernel
from einsum_front.chunked.stores import mapped_file
from einsum_front.runtime import copiers, find_device
from tests.chunked.kernels import BATCH, DataSet, arguments, on_disk, program

CHUNK = 64


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("devices", [None, ["auto", "auto"]], ids=["one", "two"])
def test_mapped_files(tmp_path: Path, order: str, devices: list[str] | None) -> None:
    given = arguments()
    want = given["Q"] + 0.5 * (given["K"] @ given["I"])
    inputs, target = on_disk(tmp_path / "I", given["I"], order), on_disk(tmp_path / "Q", given["Q"], order)
    report = program()["update"].chunked(chunk=CHUNK, devices=devices)(dt=0.5, K=given["K"], I=inputs, Q=target)
    np.testing.assert_array_equal(target, want)
    assert report.elements == sum(share.elements for share in report.shares) == BATCH


@pytest.mark.parametrize("step", [1, 2, -1])
def test_arrays_in_any_layout(step: int) -> None:
    given = arguments()
    want = given["Q"] + given["K"] @ given["I"]
    wide = np.repeat(given["Q"], abs(step), axis=0)[::step] if step > 0 else given["Q"][::-1].copy()[::-1]
    program()["update"].chunked(chunk=100)(dt=1, K=given["K"], I=np.asfortranarray(given["I"]), Q=wide)
    np.testing.assert_array_equal(wide, want)


def test_results_elsewhere(tmp_path: Path) -> None:
    given = arguments()
    before = given["Q"].copy()
    target = on_disk(tmp_path / "out", np.zeros_like(before))
    program()["update"].chunked(chunk=CHUNK, out={"Q": target})(dt=1, **given)
    np.testing.assert_array_equal(given["Q"], before)
    np.testing.assert_array_equal(target, before + given["K"] @ given["I"])


def test_data_sets_are_read_in_slices_and_never_whole() -> None:
    given = arguments()
    inputs, target = DataSet(given["I"]), DataSet(np.full((BATCH, 5, 3), np.nan))
    program()["assign"].chunked(chunk=128)(K=given["K"], I=inputs, D=target)
    np.testing.assert_array_equal(target.array, given["K"] @ given["I"])
    assert max(key.stop - key.start for key in inputs.slices) == 128
    assert len(target.slices) == len(inputs.slices) == -(-BATCH // 128), "what is overwritten is not read"


def test_blocks_of_data_sets_are_not_cut() -> None:
    given = arguments()
    inputs = DataSet(given["I"], block=50)
    program()["assign"].chunked(memory="64 kB")(K=given["K"], I=inputs, D=DataSet(given["Q"], block=50))
    assert all(key.start % 50 == 0 for key in inputs.slices)


def test_two_outputs() -> None:
    given = arguments()
    sums = given["Q"] + given["K"] @ given["I"]
    twice = np.zeros_like(given["Q"])
    program()["both"].chunked(chunk=CHUNK)(**given, D=twice)
    np.testing.assert_array_equal(given["Q"], sums)
    np.testing.assert_array_equal(twice, 2 * sums)


def test_an_iterator_of_chunks() -> None:
    given = arguments()
    before, want = given["Q"].copy(), given["Q"] + given["K"] @ given["I"]
    seen = []
    for chunk in program()["update"].chunked(chunk=CHUNK).chunks(dt=1, **given):
        np.testing.assert_array_equal(chunk["Q"], want[chunk.start : chunk.stop])
        seen.append((chunk.start, chunk.stop))
    assert sorted(seen) == [(start, min(start + CHUNK, BATCH)) for start in range(0, BATCH, CHUNK)]
    np.testing.assert_array_equal(given["Q"], before)


def test_an_iterator_that_nobody_ends() -> None:
    chunks = program()["update"].chunked(chunk=CHUNK).chunks(dt=1, **arguments())
    assert next(chunks).stop > 0
    del chunks


def test_an_empty_batch() -> None:
    given = arguments(batch=0)
    report = program()["update"].chunked()(dt=1, **given)
    assert report.elements == 0


def test_the_plan_before_it_runs(tmp_path: Path) -> None:
    given = arguments()
    before = given["Q"].copy()
    plan = (
        program()["update"]
        .chunked(chunk=300)
        .plan(dt=1, K=given["K"], I=on_disk(tmp_path / "I.bin", given["I"]), Q=given["Q"])
    )
    text = str(plan)
    assert "update: 1,000 elements" in text
    assert "chunks of 300 elements" in text
    assert "as asked for" in text
    assert "file I.bin" in text
    assert list(plan.chunks) == [(0, 300), (300, 600), (600, 900), (900, 1000)]
    np.testing.assert_array_equal(given["Q"], before)


def test_memory_bounds_the_buffers() -> None:
    given = arguments()
    plan = program()["update"].chunked(memory=20_000).plan(dt=1, **given)
    assert 0 < plan.buffers <= 20_000


@pytest.mark.parametrize("place", ["", "batch_fastest", "batch_after<1>"])
def test_buffers_count_all_entries_of_an_element_wherever_the_batch_lies(place: str) -> None:
    kernel = ef.compile(ef.parse(f"tensor Q[5, 4] {place}\nkernel k {{ Q[i,j] += 1[i,j] }}"))["k"]
    plan = kernel.chunked(memory=20_000).plan(Q=np.zeros((BATCH, 5, 4)))
    assert plan.element_bytes == 160
    assert plan.buffers <= 20_000


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    program()["update"].chunked(chunk=250, progress=lambda done, batch: told.append((done, batch)))(dt=1, **arguments())
    assert told == [(250, BATCH), (500, BATCH), (750, BATCH), (1000, BATCH)]


def test_a_bar_is_for_terminals(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard output belongs to the program, and a log wants no bar."""
    program()["update"].chunked(progress=True)(dt=1, **arguments())
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    program()["update"].chunked(progress=True)(dt=1, **arguments())
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "1000/1000" in shown.err


def test_files_are_known_by_what_is_mapped(tmp_path: Path) -> None:
    """A file that was replaced since it was mapped is not the one to write to."""
    mapped = np.memmap(tmp_path / "a", np.float64, "w+", shape=(10, 2))
    (tmp_path / "b").write_bytes(b"0" * mapped.nbytes)
    (tmp_path / "b").replace(tmp_path / "a")
    assert mapped_file(mapped, is_written=True) is None
    assert mapped_file(np.zeros((10, 2)), is_written=True) is None


def test_written_whole_or_in_part() -> None:
    assert program()["assign"].overwritten == {"D"}
    assert program()["update"].overwritten == frozenset()
    text = "real f64\ntensor A[4]\ntensor B[4]\nkernel part { B[i=0:2] = A[i=0:2] }"
    assert ef.compile(ef.parse(text))["part"].overwritten == frozenset()


@pytest.fixture
def own_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    here = find_device()
    there = replace(here, facts=replace(here.facts, shares_host_memory=False))
    monkeypatch.setattr(ChunkedKernel, "_devices", lambda _kernel: (there,))


@pytest.mark.usefixtures("own_memory")
def test_arrays_in_memory_need_no_buffers_beside_a_device_with_its_own() -> None:
    given = arguments()
    want, target = given["K"] @ given["I"], np.full((BATCH, 5, 3), np.nan)
    kernel = program()["assign"].chunked()
    plan = kernel.plan(K=given["K"], I=given["I"], D=target)
    assert "2 at a time, chunks of" in str(plan)
    assert plan.buffers == 0
    for each in (kernel, program()["assign"].chunked(chunk=300)):
        target[...] = np.nan
        assert each(K=given["K"], I=given["I"], D=target).elements == BATCH
        np.testing.assert_array_equal(target, want)
    target[...] = np.nan
    for chunk in kernel.chunks(K=given["K"], I=given["I"], D=target):
        np.testing.assert_array_equal(chunk["D"], want[chunk.start : chunk.stop])
    assert np.isnan(target).all(), "nothing is written"
    bounded = program()["assign"].chunked(memory="100 kB")
    assert "sets of buffers" in str(bounded.plan(K=given["K"], I=given["I"], D=target))
    bounded(K=given["K"], I=given["I"], D=target)
    np.testing.assert_array_equal(target, want)


@pytest.mark.usefixtures("own_memory")
def test_what_a_kernel_reads_and_replaces_has_buffers() -> None:
    given = arguments()
    assert "sets of buffers" in str(program()["update"].chunked().plan(dt=1, **given))
    out = {"Q": np.zeros_like(given["Q"])}
    assert "sets of buffers" in str(program()["update"].chunked(out=out).plan(dt=1, **given))


@pytest.mark.usefixtures("own_memory")
def test_a_device_with_memory_of_its_own() -> None:
    """Its chunks go through page-locked memory; constants are there once."""
    given = arguments()
    want = given["Q"] + 2 * given["K"] @ given["I"]
    kernel = program()["update"].chunked(chunk=64)
    assert f"{max(3, copiers())} sets of buffers" in str(kernel.plan(dt=2, **given))
    report = kernel(dt=2, **given)
    np.testing.assert_array_equal(given["Q"], want)
    assert report.elements == BATCH

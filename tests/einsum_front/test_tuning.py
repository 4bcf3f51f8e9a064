"""Forms of kernels that are given, measured, and remembered."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import einsum_front as ef
from einsum_front import driver, tl_backend
from einsum_front.compiling import compile_program
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Source
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.data import element_bytes, has_unnamed_size, likely_sizes
from einsum_front.driver import choice, tune
from einsum_front.driver.measurements import Measurement, Row, as_entry, from_entry
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import arrays
from einsum_front.options import Level, Options, ScheduleOptions
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.device import find_device
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.schedules.tuning import read_tuning
from einsum_front.tl_backend.unparse import unparse_function
from tests.tl_backend.opencl.harness import function_of

PRODUCT = ef.parse("""tensor A[9, 5]
tensor B[5, 7] constant
tensor C[9, 7]
kernel product { C[i,j] = A[i,k] * B[k,j] }""")

SCHEDULES = ("work_group", "work_group:block=1x2", "batch_simd")


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a test needs, in batches of which a run takes no time."""
    monkeypatch.setattr(tune, "candidates", lambda _function, _target: tuple(map(read_tuning, SCHEDULES)))
    monkeypatch.setattr(tune, "MOST_RECIPES", 0)
    monkeypatch.setattr(tune, "FAR_BYTES", 2**18)
    monkeypatch.setattr(tune, "UNIT_BYTES", 2**19)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of its own; the folder that entries will be in."""
    monkeypatch.setenv(NO_CACHE_VARIABLE, "0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "einsum-front" / "tuned"


def forced(monkeypatch: pytest.MonkeyPatch, fastest: str) -> None:
    """Clocks that always like the same candidate best."""

    def seconds(chosen: tuple[tune.Candidate, ...], _batch: int, _device: object) -> list[float]:
        return [1e-6 if str(one.tuning) == fastest else 2e-6 for one in chosen]

    monkeypatch.setattr(tune, "_seconds_per_element", seconds)


def first_line(**options: Any) -> str:
    """What the source of the kernel says of its schedule."""
    return ef.compile(PRODUCT, **options)["product"].opencl.split("\n")[0]


def untouched(*_arguments: object) -> Measurement:
    raise AssertionError("it is measured again")


@pytest.mark.parametrize("schedule", [*SCHEDULES, "batch_simd:prefetch=off", "packed:block=1x3"])
def test_a_schedule_that_is_given(schedule: str) -> None:
    if schedule.startswith("packed") and not find_device().facts.is_cpu:
        pytest.skip("panels are for CPUs")
    assert first_line(schedule=schedule) == f"// schedule `{schedule}`: as asked for"
    random = np.random.default_rng(1)
    A, B = random.random((37, 9, 5)), random.random((5, 7))
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", A, B, schedule=schedule), A @ B, rtol=1e-14)


def test_the_fastest_is_taken_and_remembered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = first_line()
    forced(monkeypatch, "work_group:block=1x2")
    assert first_line(tune=True) == "// schedule `work_group:block=1x2`: chosen from 3 by measurement"
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(driver, "measure_candidates", untouched)
    remembered = "// schedule `work_group:block=1x2`: chosen from 3 by measurement, says the cache"
    assert first_line() == first_line(tune=True) == remembered
    assert first_line(schedule="batch_simd") == "// schedule `batch_simd`: as asked for"
    assert first_line(cache=False) == model
    assert first_line(real="f32") != remembered
    monkeypatch.setenv(NO_CACHE_VARIABLE, "1")
    assert first_line() == model


def test_an_index_string_is_tuned_as_well(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forced(monkeypatch, "batch_simd")
    random = np.random.default_rng(1)
    A, B = random.random((37, 3, 5)), random.random((5, 7))
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", A, B, tune=True), A @ B, rtol=1e-14)
    assert len(list(folder.iterdir())) == 1


def test_tuning_without_a_cache_leaves_nothing_behind(folder: Path) -> None:
    assert first_line(tune=True, cache=False).endswith("chosen from 3 by measurement")
    assert not folder.exists()


def test_times_are_those_of_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Measurement] = []
    report = choice.Report(measured=found.append)
    compile_program(PRODUCT, find_device(), Options(), ScheduleOptions(tune=True, cache=False), report=report)
    (measurement,) = found
    assert (measurement.kernel, measurement.device) == ("product", find_device().facts.description)
    assert sorted(str(row.tuning) for row in measurement.rows) == sorted(SCHEDULES)
    assert all(0 < seconds < 1 for row in measurement.rows for seconds in row.seconds)
    assert [len(row.seconds) for row in measurement.rows] == [2, 2, 2]
    assert measurement.batches[0] < measurement.batches[1]


def test_a_kernel_that_computes_something_else_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(function: Any, target: Any, wanted: Any) -> Artifact:
        if str(wanted) != "work_group:block=1x2":
            return emit(function, target, wanted)
        text = unparse_function(function)
        assert "gemm.n.n 1.0" in text
        return emit(function_of(text.replace("gemm.n.n 1.0", "gemm.n.n 1.001")), target, wanted)

    monkeypatch.setattr(tune, "emit", wrong)
    with pytest.raises(
        CompilerBug, match=r"^`product` in the schedule `work_group:block=1x2` differs from its meaning by \d"
    ):
        first_line(tune=True)


def spoil_text(path: Path) -> None:
    path.write_text("{")


def spoil_schedule(path: Path) -> None:
    path.write_text(path.read_text().replace("work_group:block=1x2", "work_group:block=100x2"))


def spoil_times(path: Path) -> None:
    path.write_text(path.read_text().replace("1e-06", '"soon"'))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [(spoil_text, "it is not JSON"), (spoil_schedule, "it is no measurement"), (spoil_times, "it is no measurement")],
)
def test_a_broken_file_is_ignored_and_written_again(
    spoil: Callable[[Path], None], reason: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = first_line()
    forced(monkeypatch, "work_group:block=1x2")
    tuned = first_line(tune=True)
    (path,) = folder.iterdir()
    spoil(path)
    with pytest.warns(UserWarning, match=f"^{path} of the tuning cache is ignored: {reason}$"):
        assert first_line() == model
    with pytest.warns(UserWarning, match=reason):
        assert first_line(tune=True) == tuned
    assert first_line() == f"{tuned}, says the cache"


def test_a_cache_that_cannot_be_written_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.parent.mkdir()
    folder.write_text("a file in the place of the folder")
    with pytest.warns(UserWarning, match=f"^the tuning cache {folder} cannot be written: file exists$"):
        assert first_line(tune=True).endswith("by measurement")


def test_the_key_says_everything_that_matters() -> None:
    function = function_of(
        "func @f(%x: memref<f64x4>) { axpby.n 1.0, %x, 1.0, %x : f64, memref<f64x4>, f64, memref<f64x4> }"
    )
    device = find_device()
    target = target_of(device.facts)
    key = choice.key_of(function, target, device)
    other_driver = replace(device, facts=replace(device.facts, driver_version="another"))
    assert choice.key_of(function, target, device) == key
    assert choice.key_of(function, target, replace(device, facts=replace(device.facts, number=7))) == key
    assert choice.key_of(function, target, other_driver) != key
    assert choice.key_of(function, replace(target, has_prefetch=not target.has_prefetch), device) != key
    assert choice.key_of(function, replace(target, instructions="sse9"), device) != key
    told = replace(device, facts=replace(device.facts, instructions=("sse9",)))
    assert choice.key_of(function, target, told) != key
    assert choice.key_of(replace(function, work_group_size=(4, 4)), target, device) != key
    assert device.facts.name in key
    assert "work_group:block=2x2" in key


def test_another_code_generator_has_another_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    function = function_of("func @f(%x: memref<f64x4>) { }")
    device = find_device()
    keys = set()
    for text in ("a = 1\n", "a = 2\n"):
        (tmp_path / "emit.py").write_text(text)
        monkeypatch.setattr(tl_backend, "__path__", [str(tmp_path)])
        monkeypatch.setattr(choice, "_generator", choice._generator.__wrapped__)
        keys.add(choice.key_of(function, target_of(device.facts), device))
        monkeypatch.undo()
    keys.add(choice.key_of(function, target_of(device.facts), device))
    assert len(keys) == 3


def test_a_function_with_open_sizes_has_nothing_to_measure(folder: Path) -> None:
    types = "f64, memref<f64x?>, f64, memref<f64x?>"
    text = f"func @f(%x: memref<f64x?>, %y: memref<f64x?>) {{ axpby.n 1.0, %x, 1.0, %y : {types} }}"
    compiled = ef.compile(ef.Program(Source("open.tl", text), Level.TL, Path(), None), tune=True)
    assert compiled["f"].opencl.startswith("// schedule `work_group`: there is nothing to compare it with\n")
    assert not folder.exists()


def test_sizes_with_names_are_measured_as_they_are_thought_to_be() -> None:
    text = "size n ~ 30\ntensor X[n, 2]\ntensor Y[2, n]\nkernel f { Y[ji] = X[ij] }"
    artifact = ef.compile(ef.parse(text), cache=False)["f"].artifact
    assert likely_sizes(artifact) == {"n": 30}
    assert element_bytes(artifact) == 2 * 2 * 30 * 8
    assert not any(has_unnamed_size(array) for array in arrays(artifact))


def row(schedule: str, *seconds: float) -> Row:
    return Row(read_tuning(schedule), seconds)


def test_the_winner_is_the_fastest_in_the_mean_unless_it_gains_little() -> None:
    rows = row("batch_simd", 2.0, 8.0), row("work_group", 1.0, 9.0), row("packed", 1.5, 8.0)
    measurement = Measurement("f", "device", (10, 100), rows)
    assert [round(measurement.relative(each), 3) for each in rows] == [1.0, 0.75, 0.866]
    assert str(measurement.taken) == "work_group"
    close = Measurement("f", "device", (10,), (row("batch_simd", 1.0), row("work_group", 0.98)))
    assert str(close.taken) == "batch_simd"


def test_what_the_cache_keeps_is_the_measurement() -> None:
    rows = row("batch_simd", 2e-9, 8e-9), row("work_group:block=2x3", 1e-9, 1e-8)
    measurement = Measurement("f", "device", (10, 100), rows)
    entry = {name: list(value) if isinstance(value, tuple) else value for name, value in as_entry(measurement).items()}
    entry["seconds"] = {schedule: list(seconds) for schedule, seconds in as_entry(measurement)["seconds"].items()}  # type: ignore[attr-defined] # it is a dict
    assert from_entry(entry) == replace(measurement, is_known=True)
    for name, value in (("batches", [1]), ("batches", []), ("batches", ["1", 2]), ("seconds", {}), ("kernel", None)):
        assert from_entry(entry | {name: value}) is None


def no_compiler() -> NoReturn:
    """As on a machine that has none."""
    raise CompileError([Diagnostic("E0613", "device `c` needs a C compiler, and this machine has none")])


def test_the_device_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("einsum_front.runtime.devices.device._devices", list)
    monkeypatch.setattr("einsum_front.runtime.devices.device.c_facts", no_compiler)
    with pytest.raises(CompileError) as caught:
        first_line(tune=True)
    assert str(caught.value).startswith("error[E0601]: this machine has no OpenCL device\n")


def test_a_schedule_leaves_nothing_to_tune() -> None:
    with pytest.raises(CompileError) as caught:
        first_line(schedule="batch_simd", tune=True)
    assert str(caught.value) == "error[E0304]: the schedule is to be `batch_simd`, which leaves nothing to tune"


def test_nothing_is_said_of_a_cache_in_order(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert first_line(tune=True) != first_line()

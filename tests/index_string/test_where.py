"""Calls on arrays of the host, beside a GPU, run on the processor unless the GPU is faster with all copies."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.index_string import contract
from einsum_front.index_string.contract import choice_on_host, is_faster_on_gpu, is_in_c, known_string, work_of
from einsum_front.index_string.ways import Choice, short_choice
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import BusSpeed, Device, find_device, find_processor

HERE = find_device(needs_opencl=True)
PROCESSOR = replace(HERE.facts, compute_units=16, native_vector_bytes=64)
GPU = Device(
    replace(HERE.facts, shares_host_memory=False, compute_units=132, architecture="sm_90"),
    HERE.opencl,
)
"""With numbers of an NVIDIA H100."""

AUTO = Choice("auto", ScheduleOptions(), None)
F64 = np.dtype(np.float64)


@pytest.fixture
def beside_gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(contract, "find_device", lambda: GPU)
    monkeypatch.setattr(contract, "find_processor", lambda: Device(PROCESSOR, HERE.opencl))
    monkeypatch.setattr(contract, "bus_speed", lambda _: BusSpeed(34e9, 25e9))
    monkeypatch.delenv("EINSUM_FRONT_DEVICE", raising=False)
    contract._beside_gpu.cache_clear()
    yield
    contract._beside_gpu.cache_clear()


@pytest.mark.parametrize(
    ("subscripts", "shapes", "is_on_gpu"),
    [
        ("bik,kj->bij", ((10_000, 4, 4), (4, 4)), False),
        ("i->", ((10**7,),), False),
        ("i,i->", ((10**8,), (10**8,)), False),
        ("bi->b", ((1000, 10_000),), False),
        ("blp,kl->bkp", ((200_000, 56, 9), (56, 56)), False),
        ("ik,kj->ij", ((4000, 4000), (4000, 4000)), True),
        ("ik,kj->ij", ((300, 300), (300, 300)), False),
        ("ik,kj,jl->il", ((4000, 4000), (4000, 4000), (4000, 4000)), True),
        ("i,j,k->", ((10_000,),) * 3, False),
    ],
)
def test_where_a_call_runs(
    beside_gpu: None, subscripts: str, shapes: tuple[tuple[int, ...], ...], *, is_on_gpu: bool
) -> None:
    known = known_string(subscripts, shapes)
    assert is_faster_on_gpu(work_of(known, F64), GPU, PROCESSOR) is is_on_gpu
    chosen = choice_on_host(known, AUTO, F64)
    assert (chosen is AUTO) is is_on_gpu
    assert is_on_gpu or chosen.device in ("c", PROCESSOR.selector)


def test_short_calls_need_no_model(beside_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    known = known_string("ik,kj->ij", ((8, 8), (8, 8)))
    if short_choice(known.string, AUTO) is AUTO:
        pytest.skip("no C compiler beside a driver of the processor")
    monkeypatch.setattr(contract, "work_of", None)
    assert choice_on_host(known, AUTO, F64).device == "c"


def test_who_names_a_device_has_it(beside_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    known = known_string("i->", ((10**7,),))
    named = Choice("1", ScheduleOptions(), None)
    assert choice_on_host(known, named, F64) is named
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "1")
    assert choice_on_host(known, AUTO, F64) is AUTO


def test_a_gpu_without_another_device(beside_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> Device:
        raise ef.CompileError([])

    monkeypatch.setattr(contract, "find_processor", nothing)
    monkeypatch.setattr(contract, "short_choice", lambda _string, choice: choice)
    assert choice_on_host(known_string("i->", ((10**7,),)), AUTO, F64) is AUTO


def test_the_processor_is_no_gpu() -> None:
    facts = find_processor().facts
    assert facts.is_cpu or facts.instruction_set is not None
    assert not HERE.facts.is_cpu or facts == HERE.facts


def test_a_call_beside_a_gpu(beside_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "find_processor", find_processor)
    a, b = np.random.default_rng(0).random((2, 3000, 20, 20))
    np.testing.assert_allclose(ef.einsum("bik,bkj->bij", a, b, build="now"), a @ b, rtol=1e-13)


def test_explain_says_it(beside_gpu: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    real = find_device
    monkeypatch.setattr(contract, "find_device", lambda name=None: GPU if name is None else real(name))
    monkeypatch.setattr(contract, "find_processor", lambda: HERE)
    string = ["explain", "--einsum", "ik,kj->ij", "--device", "auto"]
    assert main([*string, "--shape", "4000,4000", "--shape", "4000,4000"]) == 0
    said = capsys.readouterr().out
    assert f"arrays of the host are computed by `{GPU.facts.name}` (" in said
    assert "on the GPU, 12.6 of them copies, by the model), arrays of a GPU there" in said
    monkeypatch.setattr(contract, "short_choice", lambda _string, choice: choice)
    assert main([*string, "--shape", "4,4", "--shape", "4,4"]) == 0
    assert "ms there, 0.5 ms on the GPU" in capsys.readouterr().out
    assert main([*string[:3], "--shape", "4,4", "--shape", "4,4"]) == 0
    assert "arrays of the host" not in capsys.readouterr().out


@pytest.mark.parametrize(("device", "is_c"), [("c", True), ("c:avx2", True), ("cuda:sm_90", False), ("cpu", False)])
def test_device_c_is_known_by_its_name(device: str, is_c: bool) -> None:
    """Names that begin with the same letter are those of other devices."""
    assert is_in_c(Choice(device, ScheduleOptions(), None)) is is_c

"""OpenCL C can be edited and run: it is checked against the launch, compiled, and compared with the levels above."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.driver import tune
from einsum_front.runtime.devices import processor

VOLUME = ["run", "wave.ein", "--kernel", "volume", "--no-cache"]


@pytest.fixture
def opencl(capsys: pytest.CaptureFixture[str]) -> str:
    """What `volume.cl` of `wave.ein` is."""
    assert main([*VOLUME, "--dump-to", "levels"]) == 0
    capsys.readouterr()
    return Path("levels/volume.cl").read_text(encoding="utf-8")


def said(code: int, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main([*VOLUME, "--opencl", "edited.cl", *options]) == code
    out, err = capsys.readouterr()
    return err.rstrip("\n") if code == 1 else out


def test_what_was_edited_runs(opencl: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("edited.cl").write_text(opencl.replace("\nkernel ", "\n/* mine */ kernel ", 1), encoding="utf-8")
    assert "graph, yir, tl, kernel, device: agree" in said(0, capsys, "--verify")
    assert main(["run", "levels/volume.tl", "--opencl", "edited.cl", "--no-cache"]) == 0


def test_what_computes_something_else_differs(opencl: str, capsys: pytest.CaptureFixture[str]) -> None:
    body = opencl.index("{", opencl.index("void volume("))
    Path("edited.cl").write_text(opencl[:body] + "{ Q[get_global_id(0)] = 7; }\n", encoding="utf-8")
    assert "the first level that differs is device" in said(3, capsys, "--verify")


def test_what_was_made_for_another_processor(
    opencl: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "processor_instructions", lambda: frozenset({"avx2", "fma"}))
    other = '__attribute__((noinline, target("avx2,avx512f")))\nvoid more(int n)\n{\n}\n'
    Path("edited.cl").write_text(f"{other}{opencl.replace('avx512', 'avx')}", encoding="utf-8")
    assert main([*VOLUME, "--opencl", "edited.cl"]) == 3
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("error[E0605]: `volume` does not run on `")
    assert "`: `edited.cl` has functions with avx" in first
    assert first.endswith(", which the processor lacks")


def test_what_does_not_compile(opencl: str, capsys: pytest.CaptureFixture[str]) -> None:
    body = opencl.index("{", opencl.index("void volume("))
    Path("edited.cl").write_text(opencl[:body] + "{ Q[0] = nothing; }\n", encoding="utf-8")
    first, *notes = said(1, capsys).splitlines()
    assert first.startswith("error[E0499]: the OpenCL C of `volume` does not compile for `")
    assert any("edited.cl:" in note and "undeclared identifier 'nothing'" in note for note in notes)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("const double *restrict I,", "const float *restrict I,", "`global const double *restrict I` is passed"),
        ("*restrict K", "*restrict K, long more", "is passed"),
        ("reqd_work_group_size(", "reqd_work_group_size(3", "`__attribute__((reqd_work_group_size("),
        ("void volume(", "void volum(", "error[E0498]: `edited.cl` has no kernel `volume`"),
    ],
)
def test_what_the_launch_does_not_fit(
    old: str, new: str, words: str, opencl: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in opencl
    Path("edited.cl").write_text(opencl.replace(old, new), encoding="utf-8")
    error = said(1, capsys)
    assert error.startswith("error[E0498]: ")
    assert words in error
    assert error.endswith("= note: `run --dump-to DIR` writes `volume.cl`, whose body can be edited")


def test_a_missing_parameter_is_named(opencl: str) -> None:
    head, tail = opencl.split("void volume(")
    parameters, body = tail.split(")", 1)
    *kept, last = parameters.split(",")
    compiled = ef.compile(ef.parse("wave.ein"), kernel="volume", cache=False)["volume"]
    with pytest.raises(ef.CompileError, match=rf"`{last.strip()}` is passed".replace("*", r"\*")):
        compiled.with_opencl(f"{head}void volume({','.join(kept)}){body}")


def test_from_python(opencl: str) -> None:
    compiled = ef.compile(ef.parse("wave.ein"), kernel="volume", cache=False)["volume"]
    body = opencl.index("{", opencl.index("void volume("))
    edited = compiled.with_opencl(opencl[:body] + "{ if (get_global_id(2) == 0) Q[0] = 7; }\n")
    arrays = {"Q": np.zeros((1, 4, 3)), "I": np.ones((1, 4, 3)), "A": np.ones((1, 3, 3)), "K": np.ones((4, 4))}
    edited(**arrays)
    assert arrays["Q"].sum() == 7
    assert compiled.opencl == opencl.partition("\n")[2]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--opencl", "x.cl"], "--opencl is one kernel: choose it with --kernel among volume, scale_2, scale_3"),
        (["--opencl", "x.cl", "--kernel", "volume", "--tune"], "--tune chooses among what is generated"),
    ],
)
def test_usage(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "measure_candidates", None)  # mistakes of usage are told first
    with pytest.raises(SystemExit):
        main(["run", "wave.ein", *options])
    assert words in capsys.readouterr().err


def test_a_kernel_that_is_called_as_a_function_of_opencl_has_a_file_of_its_name() -> None:
    step = ef.compile(ef.parse("tensor A[3]\nkernel step { A[i] = 2 * A[i] }"), cache=False)["step"]
    with pytest.raises(ef.CompileError, match=r"`run --dump-to DIR` writes `step\.cl`, whose body can be edited"):
        step.with_opencl("kernel void other() { }")

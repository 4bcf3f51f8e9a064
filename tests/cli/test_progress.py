"""Signs of life: which kernel is translated, and nothing of it in a pipe."""

from pathlib import Path

import pytest

import einsum_front as ef
from einsum_front.cli import main
from einsum_front.commands import progress
from einsum_front.commands.progress import showing
from einsum_front.driver import ignore
from einsum_front.driver.choice import Report
from einsum_front.options import Level


def test_kernels_are_counted_and_named() -> None:
    said: list[str] = []
    observe = showing(Report(trying=said.append), ignore)
    for kernel, step in (("one", Level.GRAPH), ("one", Level.PLAN), ("other", "select_entries")):
        observe(kernel, step, None)  # type: ignore[arg-type]  # nobody looks at the value
    assert said == ["kernel 1, `one`: graph", "kernel 1, `one`: plan", "kernel 2, `other`: select_entries"]


@pytest.mark.parametrize("command", [["explain", "wave.ein"], ["compile", "wave.ein", "--emit", "tl"]])
def test_a_pipe_gets_no_sign_of_life(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert main(command) == 0
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["compile", "wave.ein", "-o", "out.cl"]) == 0
    assert Path("out.cl").exists()
    assert "kernel 3, `scale_3`: " in capsys.readouterr().err


def test_each_level_is_told_before_it_is_verified() -> None:
    kernel = ef.compile(ef.parse("tensor A[3]\nkernel twice { A[i] = 2*A[i] }\n"))["twice"]
    told: list[str] = []
    compared = kernel.verify(tell=told.append)
    assert told[:6] == ["ein", "graph", "yir", "tl", "kernel", "device"]
    assert told[6:] == [f"device, {each.layout}" for each in compared if each.layout]

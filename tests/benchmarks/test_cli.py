"""The command line, from a set to a table and JSON."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import cli
from benchmarks.case import Case, Statement, Term
from benchmarks.cli import main
from benchmarks.compile_cost import examples
from benchmarks.peers import libxsmm, matmul
from benchmarks.peers.einsum_libraries import NUMPY
from benchmarks.peers.peer import Peer
from benchmarks.sets import SETS, batched
from benchmarks.summary import MARKER, rewritten, summary

ABSENT = Peer("absent", lambda: "`pip install absent`", lambda _case, _arguments, _threads: None)


@pytest.fixture(autouse=True)
def _few_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    for devices in ("ON_CPU", "ON_GPU"):
        monkeypatch.setattr(cli, devices, (NUMPY, matmul.NUMPY, libxsmm.LIBXSMM, ABSENT))


def tiny(_quick: bool) -> tuple[Case, ...]:
    return tuple(case for case in batched.cases(quick=True) if "4x4" in case.name and case.real == "f64")


def wrong(_quick: bool) -> tuple[Case, ...]:
    """The first case with its operands exchanged in what it says to compute."""
    first, second, *_ = tiny(True)
    statement = Statement("C", (Term("eik,ekj->eij", ("B", "A")),))
    return replace(first, statements=(statement,)), second


def test_the_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert capsys.readouterr().out.split() == ["compile", *SETS, "calls", "complex", "reductions", "transfers"]


def test_a_set_becomes_rows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(SETS, "batched", tiny)
    file = tmp_path / "new" / "rows.json"
    assert main(["--set", "batched", "--quick", "--kernel", "C = K B", "--json", str(file)]) == 0
    output = capsys.readouterr().out
    assert "without absent: `pip install absent`" in output
    assert "C = K B, 4x4, in cache" in output
    (row,) = json.loads(file.read_text())
    assert (row["set"], row["kernel"], row["dtype"]) == ("batched", "C = K B, 4x4, in cache", "f64")
    assert row["operations"] == 2 * 4**3 - 4**2
    assert row["bytes"] == 2 * 16 * 8
    assert {"numpy.einsum", "numpy.matmul"} <= row["peers"].keys()
    assert "absent" not in row["peers"]
    assert row["ours_ns"] > 0
    floor = max(row["operations"] / row["peak"], row["bytes"] / row["bandwidth"]) * 1e9
    assert row["floor_share"] == pytest.approx(floor / row["ours_ns"])
    assert row["command"] == "python -m benchmarks --set batched --quick"


def test_a_wrong_result_is_an_error_and_no_row(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(SETS, "batched", wrong)
    file = tmp_path / "rows.json"
    assert main(["--set", "batched", "--json", str(file)]) == 1
    assert "batched: C = A B, 4x4, in cache: ours in f64: `C` differs from NumPy's by" in capsys.readouterr().err
    assert [row["kernel"] for row in json.loads(file.read_text())] == ["C = K B, 4x4, in cache"]


def test_compile_costs_become_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.json"
    assert main(["--set", "compile", "--quick", "--kernel", "minimal.ein", "--json", str(file)]) == 0
    assert "slowest of 1: minimal.ein: minimal in " in capsys.readouterr().out
    (row,) = json.loads(file.read_text())
    assert row["compile_ms"] > 0
    assert row["source_bytes"] > 100


def test_a_quick_run_compiles_a_kernel_of_every_family() -> None:
    every, quick = ([example.title for example in examples(quick=quick)] for quick in (False, True))
    assert set(quick) < set(every)
    assert "ader_dg/dynamic_rupture.ein: projectToDR_3_3" in every
    families = [title.rstrip("_0123456789") for title in quick]
    assert sorted(families) == sorted({title.rstrip("_0123456789") for title in every})


def test_a_device_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--device", "no such device"]) == 1
    assert "there is no OpenCL device `no such device`" in capsys.readouterr().err


def test_a_plot_needs_matplotlib(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda _name: None)
    with pytest.raises(SystemExit):
        main(["--plot", "plot.svg"])
    assert "--plot needs matplotlib: `pip install einsum-front[bench]`" in capsys.readouterr().err


def test_rows_are_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setitem(SETS, "batched", tiny)
    file = tmp_path / "plot.svg"
    assert main(["--set", "batched", "--quick", "--plot", str(file)]) == 0
    assert "<svg" in file.read_text()


def test_the_page_says_the_medians_and_the_command() -> None:
    shared = {
        "set": "batched",
        "kernel": "a kernel",
        "dtype": "f64",
        "device": "a device",
        "command": "python -m benchmarks --set batched",
        "working_set": "in cache",
        "peak": 1e11,
        "bandwidth": 2e10,
        "compile_ms": 20.0,
        "build_s": 0.5,
        "source_bytes": 3000,
    }
    rows = [
        {**shared, "ours_ns": 10.0, "floor_share": 0.5, "peers": {"numpy.matmul": 30.0, "JAX": 40.0}},
        {**shared, "ours_ns": 20.0, "floor_share": 0.9, "peers": {"numpy.matmul": 20.0}},
    ]
    compiled = {"set": "compile", "device": "a device", "command": "C", "compile_ms": 50.0, "build_s": 1.0}
    assert summary([compiled, *rows]) == PAGE
    old, other = "\n## a device\n\nold\n", "\n## another device\n\nkept\n"
    assert rewritten(f"head\n{MARKER}{old}{other}", [compiled, *rows]) == f"head\n{MARKER}{PAGE}{other}"


PAGE = """
## a device

| kernels of the examples | text to OpenCL C, ms: median, most | build, s: median, most | command |
|--:|--:|--:|---|
| 1 | 50, 50 | 1.00, 1.00 | `C` |

| limits, medians of all runs below | |
|---|--:|
| multiply-adds in f64 | 100 GFLOP/s |
| copying, in cache | 20 GB/s |

| set | kernels | floor over ours | numpy.matmul over ours | JAX over ours | command |
|---|--:|--:|--:|--:|---|
| batched, in cache, f64 | 2 | 0.70, 0.50 | 2.00, 1.00 | 4.00, 4.00 | `python -m benchmarks --set batched` |

| set | text to OpenCL C, ms: median, most | build, s: median, most | OpenCL C, kB: most | command |
|---|--:|--:|--:|---|
| batched | 20, 20 | 0.50, 0.50 | 3 | `python -m benchmarks --set batched` |
"""

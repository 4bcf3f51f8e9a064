"""Calls from call to result: rows of the sets `calls`, `complex` and `reductions`."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import call_cost
from benchmarks.cli import main
from benchmarks.peers.callers import torch_call


def test_small_calls_and_the_kernel_of_the_readme_become_rows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(call_cost, "RUN_SECONDS", 0.0)
    monkeypatch.setitem(call_cost.STRINGS, "calls", call_cost.STRINGS["calls"][:1])
    file = tmp_path / "rows.json"
    assert main(["--set", "calls", "--quick", "--peer", "num", "--json", str(file)]) == 0
    output = capsys.readouterr().out
    assert "µs from call to result" in output
    product, volume = json.loads(file.read_text())
    assert product["kernel"] == "bik,kj->bij, 1x4x4 4x4"
    assert {"a kernel", "a prepared launch"} < product["ways"].keys()
    assert product["peers"].keys() == {"numpy.einsum"}
    assert product["bytes"] == 3 * 16 * 8
    assert volume["ways"].keys() == {"row_major", "column_major"}
    assert volume["peers"].keys() == {"numpy, K @ I @ A"}


def test_a_sum_becomes_a_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(call_cost, "RUN_SECONDS", 0.0)
    monkeypatch.setitem(call_cost.STRINGS, "reductions", (("i,i->", ((10_000,),) * 2),))
    file = tmp_path / "rows.json"
    assert main(["--set", "reductions", "--quick", "--peer", "num", "--json", str(file)]) == 0
    (row,) = json.loads(file.read_text())
    assert row["bytes"] == (2 * 10_000 + 1) * 8
    assert row["floor_share"] == pytest.approx(row["bytes"] / row["bandwidth"] / row["ours_ns"] * 1e9)


def test_copies_become_a_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(call_cost, "RUN_SECONDS", 0.0)
    file = tmp_path / "rows.json"
    assert main(["--set", "transfers", "--quick", "--json", str(file)]) == 0
    (row,) = json.loads(file.read_text())
    assert {"page-locked arrays", "chunks", "ef.einsum, to an array"} < row["ways"].keys()
    assert "numpy.matmul" in row["peers"]


def test_a_wrong_result_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(call_cost.STRINGS, "reductions", (("i,i->", ((100,),) * 2),))
    monkeypatch.setattr(call_cost, "callers", lambda *_given, **_options: {"numpy.einsum": lambda: np.float64(0.5)})
    assert main(["--set", "reductions", "--quick"]) == 1
    assert "reductions: i,i->, 100 100: ours in f64: differs from NumPy's by" in capsys.readouterr().err


def test_torch_computes_the_string() -> None:
    pytest.importorskip("torch")
    a, b = np.random.default_rng(0).random((2, 5, 3, 3))
    call = torch_call("bik,bkj->bij", (a, b), 1, "cpu")
    assert call is not None
    np.testing.assert_allclose(np.asarray(call()), a @ b)


def test_complex_products(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(call_cost.STRINGS, "complex", ((call_cost.MATRICES, ((1, 4, 4),) * 2),))
    file = tmp_path / "rows.json"
    assert main(["--set", "complex", "--quick", "--peer", "num", "--json", str(file)]) == 0
    (row,) = json.loads(file.read_text())
    assert (row["kernel"], row["dtype"]) == ("bij,bjk->bik, 256x4x4 256x4x4", "c128")
    assert {"numpy.einsum", "numpy.matmul"} == {*row["peers"]}

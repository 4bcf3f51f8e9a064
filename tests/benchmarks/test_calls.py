"""Ways to compute the same small product."""

import pytest

from benchmarks import calls


def test_a_table_of_all_ways(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(calls, "CALLS", 2)
    assert calls.main() == 0
    output = capsys.readouterr().out
    assert all(way in output for way in ("microseconds a call", "ef.einsum", "a kernel", "milliseconds a call"))

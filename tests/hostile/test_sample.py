"""A sample of `make hostile`, some of each kind, and what the mistakes of the past were."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.dsl_expressions import Expression
from tests.hostile.cases import KINDS, LONG, Case, case
from tests.hostile.judge import Outcome, failures, run
from tests.hostile.worker import outcome

SAMPLE = 60


def test_no_file_of_the_sample_ends_in_a_traceback_or_takes_too_much(tmp_path: Path) -> None:
    assert failures(run(str(tmp_path), range(100_000, 100_000 + SAMPLE))) == []


def test_a_case_is_always_the_same() -> None:
    for number in range(len(KINDS)):
        assert case(number) == case(number)


def test_the_judge_sees_tracebacks_defects_memory_and_time() -> None:
    assert failures([Outcome(0, 1, 9.0, 2**30)]) == []
    assert len(failures([Outcome(0, "Traceback", 0, 0), Outcome(0, 0, 11, 0), Outcome(0, 0, 0, 2**31)])) == 3


@pytest.mark.parametrize("number", range(len(LONG)))
def test_texts_of_three_thousand_levels_or_links(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suffix, make = LONG[number]
    monkeypatch.chdir(tmp_path)
    file = f"long{suffix}"
    found = outcome(Case("long", {file: make(3000).encode()}, ("check", file)), tmp_path)
    assert found["said"] in (0, 1), found["said"]


# -- the notation in Python --------------------------------------------------------------------------------------------


def _compiled(value: Any) -> None:
    ef.program(ef.kernel("k", ef.Tensor("B", (4,))["i"] <= value))


def _grown(expression: Any, grow: Callable[[Any], Any]) -> Any:
    for _ in range(2 * sys.getrecursionlimit()):
        expression = grow(expression)
    return expression


def test_deep_expressions_in_python() -> None:
    a = ef.Tensor("A", (4,))["i"]
    for grow in (lambda e: -e, lambda e: (e + 1) * 2, lambda e: 2 / (1 + e), lambda e: (e + 1) ** 2):
        with pytest.raises(CompileError, match="error\\[E0110\\]"):
            _compiled(_grown(a, grow))


def test_long_sums_in_python() -> None:
    a = ef.Tensor("A", (4,))["i"]
    expression: Expression = ef.Tensor("A2", (4,))["i"]
    for _ in range(10_000):
        expression = expression + a
    _compiled(expression)


def test_deep_extents_in_python() -> None:
    with pytest.raises(CompileError, match="error\\[E0110\\]"):
        _compiled(ef.Tensor("A", (_grown(ef.Size("n"), lambda extent: 2 * (extent + 1)),))["i"])

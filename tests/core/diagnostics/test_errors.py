"""Errors in arguments are what Python programs expect, and all are `CompileError`."""

import copy
import pickle

import pytest

from einsum_front.core.diagnostics import ArgumentTypeError, ArgumentValueError, CompileError, Diagnostic
from einsum_front.core.diagnostics.codes import TITLES, TYPES, VALUES

PLAIN = {"E0514", "E0516"}
"""What is wrong with a file or the machine, though it is found at a launch."""


@pytest.mark.parametrize(
    ("code", "kind", "builtin"),
    [
        ("E0502", ArgumentTypeError, TypeError),
        ("E0505", ArgumentValueError, ValueError),
        ("E0101", CompileError, Exception),
    ],
)
def test_the_first_mistake_chooses_the_class(code: str, kind: type[CompileError], builtin: type[BaseException]) -> None:
    mistakes = [Diagnostic(code, "first"), Diagnostic("E0505", "second"), Diagnostic("E0502", "third")]
    error = CompileError(iter(mistakes))
    assert type(error) is kind
    assert isinstance(error, builtin)
    assert isinstance(error, TypeError) + isinstance(error, ValueError) == (kind is not CompileError)
    for same in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error), CompileError(error.diagnostics)):
        assert type(same) is kind
        assert same.diagnostics == tuple(mistakes)
        assert str(same) == str(error)


def test_no_mistakes_are_no_argument() -> None:
    assert type(CompileError(())) is CompileError


def test_every_mistake_at_a_launch_has_its_class() -> None:
    at_launch = {code for code in TITLES if code.startswith("E05")}
    assert not TYPES & VALUES
    assert (TYPES | VALUES).union(PLAIN) >= at_launch
    assert TITLES.keys() >= (TYPES | VALUES)

"""Whether a function means what the function of a generated case means."""

from copy import deepcopy
from typing import Any

import numpy as np

from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.program import Function, Program
from einsum_front.tl_backend.verify import verify
from tests.tl_backend.strategies import Case


def results(function: Function, case: Case) -> list[Any]:
    """All arguments after a run."""
    arguments = deepcopy(case.arguments)
    interpret(function, arguments, case.groups)
    return [array for value in arguments.values() for array in (value if isinstance(value, list) else [value])]


def assert_same_results(after: Function, case: Case, expected: list[Any], name: str = "") -> None:
    """The function keeps all rules and has the results, bit by bit; `name` says what made it."""
    assert verify(Program((after,))) == (), name
    for one, other in zip(expected, results(after, case), strict=True):
        np.testing.assert_array_equal(one, other, err_msg=name)

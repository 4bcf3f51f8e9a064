"""The generated programs are what the other tests take them for: legal, defined, exact, and the same after printing."""

import copy

import numpy as np
from hypothesis import given

from diagnostics import Source
from tests.tl_backend.scribe import LARGEST
from tests.tl_backend.strategies import Case, cases
from tl_backend.interpret import interpret
from tl_backend.parse import parse
from tl_backend.program import Program
from tl_backend.unparse import unparse_function
from tl_backend.verify import verify


@given(cases())
def test_a_generated_program_keeps_all_rules_and_is_defined(case: Case) -> None:
    assert verify(Program((case.function,))) == ()
    arguments = copy.deepcopy(case.arguments)
    interpret(case.function, arguments, case.groups)
    for value in arguments.values():
        for array in value if isinstance(value, list) else [value]:
            assert np.all(np.abs(array) <= LARGEST)
            assert np.all(array == np.rint(array))


@given(cases())
def test_a_generated_program_is_printed_and_read_again(case: Case) -> None:
    assert parse(Source("t.tl", unparse_function(case.function))).functions == (case.function,)

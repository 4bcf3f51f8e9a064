"""Generated programs are what other tests take them for: legal, defined, exact, and the same after printing."""

import copy
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition, Function, Program
from einsum_front.tl_backend.rewrite import with_regions
from einsum_front.tl_backend.unparse import unparse_function
from einsum_front.tl_backend.unparse.unsupported import unsupported
from einsum_front.tl_backend.verify import verify
from tests.tl_backend.scribe import LARGEST
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

RELEASED = (Edition.TINYTC_0_2, Edition.TINYTC_0_3)


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
    assert read(unparse_function(case.function)) == case.function
    for edition in (each for each in Edition if not each.is_dialect):
        if unsupported((case.function,), edition):
            with pytest.raises(CompileError, match="E0408"):
                unparse_function(case.function, edition)
        else:
            expected = without_waiting(case.function) if edition in RELEASED else case.function
            assert read(unparse_function(case.function, edition)) == expected


def read(text: str) -> Function:
    (function,) = parse(Source("generated.tl", text)).functions
    return function


def without_waiting(function: Function) -> Function:
    """The function without what the released compilers find out themselves."""

    def change(region: tl.Region) -> tl.Region:
        rest = (instruction for instruction in region if not isinstance(instruction, tl.Barrier | tl.LifetimeStop))
        return tuple(with_regions(instruction, change) for instruction in rest)

    return replace(function, body=change(function.body))

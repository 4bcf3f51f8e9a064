"""Tiny Tensor Compiler 0.4 takes what is printed for it: it translates to SPIR-V, which no device here runs."""

import subprocess
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from einsum_front.core.diagnostics import CompileError
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.program import Edition, Function
from einsum_front.tl_backend.unparse import unparse_function
from tests.tinytc.released import Compiler, variable
from tests.tinytc.test_numbers import examples
from tests.tl_backend.strategies import Case, cases
from tests.tl_backend.test_tinytc import MISSING

EDITION = Edition.TINYTC_0_4
FOUND = Compiler.find(EDITION)

pytestmark = pytest.mark.skipif(FOUND is None, reason=f"{variable(EDITION)} names no compiler, PATH has none")


def is_accepted(function: Function) -> bool:
    """True if the compiler translates the text; False if the edition has no words for it."""
    assert FOUND is not None
    # which sizes of work-groups there are is a matter of the GPU that it translates for
    plain = replace(make_names_unique(function), work_group_size=None, subgroup_size=None)
    try:
        text = unparse_function(plain, EDITION)
    except CompileError as error:
        if any(thing in error.diagnostics[0].message for thing in MISSING):
            return False
        raise
    done = subprocess.run([FOUND.program, "-S"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{text}\n{done.stderr}"
    assert f'"{function.name}"' in done.stdout
    return True


def test_examples() -> None:
    assert all(list(map(is_accepted, examples())))


@settings(max_examples=200, suppress_health_check=list(HealthCheck), deadline=None)
@given(cases())
def test_generated(case: Case) -> None:
    is_accepted(case.function)

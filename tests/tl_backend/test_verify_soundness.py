"""Whatever a program says, the verifier has words for it, and what it accepts can be run."""

import re
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source, render_all
from einsum_front.core.diagnostics.codes import TITLES
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Edition, Function, Program
from einsum_front.tl_backend.unparse import unparse_function
from einsum_front.tl_backend.verify import verify
from tests.profiles import share
from tests.tl_backend.node_strategies import programs
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

RUN_CODES = {"E0450", "E0451"}
"""What only a run can find out."""


@share(0.25)
@given(programs(Edition.E2024))
def test_nonsense_is_described(program: Program) -> None:
    found = verify(program)
    assert {diagnostic.code for diagnostic in found} <= TITLES.keys()
    assert render_all(found).count("error[") == len(found)


@given(cases(), st.data())
def test_what_is_accepted_runs_or_is_undefined(case: Case, data: st.DataObject) -> None:
    """One number or name of a program without mistakes is replaced by another."""
    text = unparse_function(case.function)
    words = list(re.finditer(r"%\w+|\b[if]\d+\b|\b\d+\b(?!\.)", text))
    word = data.draw(st.sampled_from(words))
    other = data.draw(st.sampled_from(sorted({found.group() for found in words})))
    try:
        program = parse(Source("changed.tl", text[: word.start()] + other + text[word.end() :]))
    except CompileError:
        return
    if verify(program) or len(program.functions) != 1:
        return
    assert mistakes_of_run(program.functions[0], case) <= RUN_CODES


def mistakes_of_run(function: Function, case: Case) -> set[str]:
    try:
        interpret(function, deepcopy(case.arguments), case.groups)
    except CompileError as error:
        return {diagnostic.code for diagnostic in error.diagnostics}
    return set()

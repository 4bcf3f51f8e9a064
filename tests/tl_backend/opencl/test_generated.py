"""Programs that nobody thought of mean on the device what the interpreter says, bit by bit."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Function
from tests.profiles import share
from tests.tl_backend.opencl.harness import compare
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

STEPS = passes(WorkGroupLimits(is_cpu=False, max_work_group_size=64))
WORK_GROUPS = [(1, 1), (1, 1), (4, 2), (8, 1), (1, 3)]


@share(0.25, of_long=1)  # a kernel is built for each
@given(cases(), st.sampled_from(WORK_GROUPS))
def test_a_generated_program_means_the_same_on_the_device(case: Case, work_group: tuple[int, int]) -> None:
    function = run(replace(case.function, work_group_size=work_group), STEPS)
    refused = codes_of_refusal(function)
    assert refused <= {"E0627"}  # barriers under conditions, which this target cannot have
    if refused:
        function = run(replace(case.function, work_group_size=(1, 1)), STEPS)
    compare(function, case.arguments, case.groups)


def codes_of_refusal(function: Function) -> set[str]:
    """What the target has against the function."""
    try:
        check_target(function, DEFAULT)
    except CompileError as error:
        return {diagnostic.code for diagnostic in error.diagnostics}
    return set()

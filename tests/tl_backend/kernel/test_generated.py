"""Programs that nobody thought of mean as kernel trees what the interpreter of the tensor language says, bit by bit."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated

STEPS = passes(WorkGroupLimits(is_cpu=False, max_work_group_size=64))
WORK_GROUPS = [(1, 1), (1, 1), (4, 2), (8, 1), (1, 3)]
TARGETS = [DEFAULT, replace(DEFAULT, has_shuffles=True), replace(DEFAULT, is_cpu=False, has_prefetch=False)]


@share(0.5, of_long=1)
@given(cases(), st.sampled_from(WORK_GROUPS), st.sampled_from(TARGETS))
def test_a_generated_program_means_the_same_as_a_tree(case: Case, work_group: tuple[int, int], target: Target) -> None:
    function = run(replace(case.function, work_group_size=work_group), STEPS)
    compare(function, case.arguments, case.groups, target=replace(target, has_conditional_barriers=True))

"""Any program means on the device what the interpreter says, for every work-group."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.tl_backend.opencl.harness import compare
from tests.tl_backend.strategies import Case, cases
from tl_backend.passes.insert_barriers import insert_barriers


@pytest.mark.parametrize("work_group", [(1, 1), (4, 1), (8, 2)])
@given(case=cases())
@settings(max_examples=20)
def test_generated_programs(work_group: tuple[int, int], case: Case) -> None:
    function = insert_barriers(replace(case.function, work_group_size=work_group))
    compare(function, case.arguments, case.groups, gap=0)

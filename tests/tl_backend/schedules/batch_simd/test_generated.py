"""Generated functions mean the same with an element in each lane, for any number of elements and any zeros."""

from dataclasses import replace

import pytest
from hypothesis import assume, given

from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Program
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.verify import verify
from tests.profiles import share
from tests.tl_backend.machines import with_tables
from tests.tl_backend.opencl.harness import TARGET, compare
from tests.tl_backend.schedules.batch_simd.strategies import lane_cases
from tests.tl_backend.strategies import Case

pytestmark = pytest.mark.usefixtures("optimized_builds")

EXAMPLES = share(0.35)
NO_CPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False)


@EXAMPLES
@given(lane_cases())
def test_with_the_usual_choice_of_loops(case: Case) -> None:
    assert verify(Program((case.function,))) == ()
    assume(is_possible(case.function, DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)))
    compare(case.function, case.arguments, case.groups, tuning=Tuning(ScheduleKind.BATCH_SIMD))


@EXAMPLES
@given(lane_cases(elements=130))
def test_with_an_element_in_each_work_item(case: Case) -> None:
    assume(is_possible(case.function, NO_CPU, Tuning(ScheduleKind.BATCH_SIMD)))
    compare(case.function, case.arguments, case.groups, tuning=Tuning(ScheduleKind.BATCH_SIMD), target=NO_CPU)


@pytest.mark.parametrize("most_tables", [8, 0], ids=["rows", "entries"])
@EXAMPLES
@given(case=lane_cases())
def test_with_tables_everywhere(case: Case, most_tables: int) -> None:
    assume(is_possible(case.function, DEFAULT, Tuning(ScheduleKind.BATCH_SIMD)))
    target = with_tables(TARGET, most_tables)
    compare(case.function, case.arguments, case.groups, tuning=Tuning(ScheduleKind.BATCH_SIMD), target=target)

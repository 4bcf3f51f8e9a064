"""Generated functions mean the same with an element in each lane, for any number of elements and any zeros."""

from hypothesis import assume, given

from tests.tl_backend.opencl.harness import compare
from tests.tl_backend.opencl.lanes.strategies import lane_cases
from tests.tl_backend.strategies import Case
from tl_backend.opencl.forms import Form, choose
from tl_backend.opencl.target import DEFAULT
from tl_backend.program import Program
from tl_backend.verify import verify


@given(lane_cases())
def test_generated(case: Case) -> None:
    assert verify(Program((case.function,))) == ()
    assume(choose(case.function, DEFAULT, Form.LANES).form is Form.LANES)
    compare(case.function, case.arguments, case.groups, form=Form.LANES)

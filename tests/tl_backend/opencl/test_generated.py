"""Programs that nobody thought of mean on the device what the interpreter says, bit by bit."""

from hypothesis import given, settings

from tests.tl_backend.opencl.harness import compare
from tests.tl_backend.strategies import Case, cases


@settings(max_examples=25)  # a kernel is built for each
@given(cases())
def test_a_generated_program_means_the_same_on_the_device(case: Case) -> None:
    compare(case.function, case.arguments, case.groups)

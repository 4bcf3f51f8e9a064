"""The examples that end in functions: one launch and a launch for each step give what NumPy does."""

import numpy as np
import pytest

from examples.functions.steps import EXAMPLES, Example, arguments, copied, of

BATCH = 5


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_one_launch_and_steps_are_numpy(example: Example) -> None:
    whole, *steps = example.kernels()
    given = arguments([whole, *steps], example.numbers, BATCH)
    wanted = example.expected(given)
    for kernels in ([whole], steps):
        values = copied(given)
        for kernel in kernels:
            kernel(**of(kernel, values))
        for name, array in wanted.items():
            tolerance = 2e-5 if array.dtype == np.float32 else 1e-12
            np.testing.assert_allclose(values[name], array, rtol=0, atol=tolerance * np.abs(array).max(), err_msg=name)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_functions_are_joined_to_one_loop(example: Example) -> None:
    assert "in one loop" in str(example.kernels()[0].plan)

"""The checked program against numpy.einsum on the multiplied-out text."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.notation.check import check
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse
from tests.einsum_front.oracle import results_by_oracle
from tests.einsum_front.strategies import arguments_for, programs

ROUNDINGS = 1000
"""More roundings than lie on the way of any single entry: sums here have some hundred terms."""


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(text=programs(), batch=st.integers(0, 3), seed=st.integers(0, 2**16))
def test_interpreter_agrees_with_einsum(text: str, batch: int, seed: int) -> None:
    program = parse(Source("random.ein", text))
    checked = check(program)
    arguments = arguments_for(checked, batch, seed)
    expected = results_by_oracle(program, checked, arguments, batch)
    magnitude = results_by_oracle(program, checked, arguments, batch, magnitudes=True)
    before = {name: np.array(value) for name, value in arguments.items()}
    interpret(checked.kernels[0], checked, arguments)
    for name, array in arguments.items():
        if isinstance(array, np.ndarray):
            known_zero = np.isnan(before[name])
            assert np.array_equal(np.isnan(array), known_zero)
            error = np.abs(np.where(known_zero, 0, array) - expected[name])
            assert (error <= ROUNDINGS * np.finfo(array.dtype).eps * magnitude[name]).all()

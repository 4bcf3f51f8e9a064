"""A multiple of a tensor that several terms have: each takes the entries that it needs itself."""

import numpy as np

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.planner import plan
from tests.ir.plan.test_steps import formulas
from tests.ir.programs import graph_of, run_plan, simplified

TEXT = """
tensor y[5]
tensor K[5] constant
tensor M[5, 5] constant
temp U[5, 5]
kernel f { U[i,j] = 2 * M[j,i] + 2 * M[i,j]
 y[i] = U[3,1] * K[i] }
"""


def test_an_entry_of_a_symmetric_part() -> None:
    """Both terms are 2 M; one needs M[1,3] of it and the other M[3,1], and neither what lies between."""
    made = plan(simplified(graph_of(TEXT)), ZEN4)
    random = np.random.default_rng(3)
    y, k, m = np.zeros((2, 5)), random.random(5), random.random((5, 5))
    run_plan(made, {"y": y, "K": k, "M": m}, 2)
    np.testing.assert_allclose(y, np.stack(2 * [2 * (m[1, 3] + m[3, 1]) * k]))
    assert not any("-" in step for step in formulas(made))

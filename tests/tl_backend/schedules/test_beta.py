"""Where beta turns out to be 0 at the launch, what was in the target is gone, NaN too: in every schedule."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import is_possible, with_work_group
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.kernel.harness import run
from tests.tl_backend.opencl.harness import function_of, integers

GPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True)
TARGETS = {"cpu": DEFAULT, "gpu": GPU}
ELEMENTS, F64 = 3, ScalarType.F64
TEXT = """func @f(%beta: f64, %K: memref<f64x6x6>, %A: memref<f64x6x4x?>, %C: memref<f64x6x4x?>) {
  %id = group_id
  %a = subview %A[:, :, %id] : memref<f64x6x4x?>
  %c = subview %C[:, :, %id] : memref<f64x6x4x?>
  gemm.n.n 2.0, %K, %a, %beta, %c : f64, memref<f64x6x6>, memref<f64x6x4>, f64, memref<f64x6x4>
}"""


@pytest.mark.parametrize("beta", [0.0, 3.0])
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("kind", ScheduleKind)
def test_a_beta_of_the_launch(kind: ScheduleKind, name: str, beta: float) -> None:
    target, tuning = TARGETS[name], Tuning(kind)
    function = with_work_group(function_of(TEXT), tuning, target)
    if not is_possible(function, target, tuning):
        pytest.skip(f"`{kind.value}` is not for this kind of device")
    K, A, C = (integers(F64, *shape) for shape in ((6, 6), (6, 4, ELEMENTS), (6, 4, ELEMENTS)))
    expected = 2 * np.einsum("mk,kne->mne", K, A) + beta * C
    if beta == 0:
        C[...] = np.nan
    found = run(function, {"beta": beta, "K": K, "A": A, "C": C}, ELEMENTS, tuning=tuning, target=target)
    np.testing.assert_array_equal(found["C"][0], expected)

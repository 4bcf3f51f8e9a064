"""Generated functions through everything that a user's `.tl` file goes through, the choice of a schedule included."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from einsum_front.core.diagnostics import Source
from einsum_front.driver import Session, translate_text
from einsum_front.driver.targets import target_of
from einsum_front.driver.verification import compare_levels
from einsum_front.options import Level
from einsum_front.runtime.devices.device import find_device
from einsum_front.tl_backend.program import Batched
from einsum_front.tl_backend.unparse import unparse_function
from tests.profiles import share
from tests.tl_backend.strategies import Case, cases

pytestmark = pytest.mark.generated


@share(0.15, of_long=0.5)  # a kernel is built for each
@given(cases())
def test_a_generated_text_means_on_the_device_what_the_interpreter_says(case: Case) -> None:
    device = find_device()
    source = Source("generated.tl", unparse_function(case.function))
    (translation,) = translate_text(Session(target_of(device.facts)), source, Level.TL)
    batched = {fact.argument for fact in case.function.facts if isinstance(fact, Batched)}
    arguments = {name: _as_given(value, is_batched=name in batched) for name, value in case.arguments.items()}
    comparisons = compare_levels(translation, device, arguments, case.groups)
    assert {each.level for each in comparisons} == {"kernel", "device"}
    assert all(each.error == 0 for each in comparisons)  # all numbers are whole and small


def test_a_batch_of_which_the_text_says_the_size_is_verified_whole() -> None:
    device = find_device()
    text = """
;! batched %a
func @two(%a: memref<f32x1x2>) {
  %group = group_id
  %view = subview %a[0:1,%group] : memref<f32x1x2>
  %t = arith.neg %group : index
}
"""
    (translation,) = translate_text(Session(target_of(device.facts)), Source("two.tl", text), Level.TL)
    comparisons = compare_levels(translation, device, {"a": np.ones((2, 1), np.float32)}, 2)
    assert [(each.level, each.error) for each in comparisons if not each.layout] == [("kernel", 0.0), ("device", 0.0)]


def _as_given(value: Any, *, is_batched: bool) -> object:
    """The argument as a caller passes it: the batch is the first axis, members of a group are stacked."""
    if isinstance(value, list):
        return np.stack(value)
    return np.ascontiguousarray(np.moveaxis(value, -1, 0)) if is_batched else value

"""Atomic sums in loops: work-items share the entries, and mean what the interpreter says."""

import numpy as np
import pytest

from einsum_front.driver.gpus import gpu_target
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.targets.text import TreeText
from tests.tl_backend.kernel.harness import compare, lower
from tests.tl_backend.opencl.harness import function_of

GPU = gpu_target("sm_90", "opencl")
GROUP = Tuning(ScheduleKind.WORK_GROUP)

NODES = """
func @f(%y: memref<f64x30>, %u: memref<f64x4x3x?>, %node: memref<i32x4x3x?>) work_group_size(4,2) {
  %group = group_id
  %n = subview %node[:, :, %group] : memref<i32x4x3x?>
  %own = subview %u[:, :, %group] : memref<f64x4x3x?>
  %parts = alloca -> memref<f64x4x3>
  axpby.n 1.0, %own, 0.0, %parts : f64, memref<f64x4x3>, f64, memref<f64x4x3>
  for %i = 0, 4 {
    for %j = 0, 3 {
      %m = load %n[%i, %j] : memref<i32x4x3>
      %place = cast %m : i32 -> index
      %is_there = cmp.ge %place, 0 : index
      if %is_there {
        %a = subview %parts[%i, %j] : memref<f64x4x3>
        %b = subview %y[%place] : memref<f64x30>
        axpby.n.atomic 2.0, %a, 1.0, %b : f64, memref<f64>, f64, memref<f64>
      }
    }
  }
}
"""

ROWS = """
func @f(%y: memref<f64x5x30>, %u: memref<f64x5x3x?>, %node: memref<i32x3x?>) work_group_size(8,1) {
  %group = group_id
  %n = subview %node[:, %group] : memref<i32x3x?>
  %own = subview %u[:, :, %group] : memref<f64x5x3x?>
  %parts = alloca -> memref<f64x5x3>
  axpby.n 1.0, %own, 0.0, %parts : f64, memref<f64x5x3>, f64, memref<f64x5x3>
  for %i = 0, 3 {
    %m = load %n[%i] : memref<i32x3>
    %place = cast %m : i32 -> index
    %is_there = cmp.ge %place, 0 : index
    if %is_there {
      %a = subview %parts[:, %i] : memref<f64x5x3>
      %b = subview %y[:, %place] : memref<f64x5x30>
      axpby.n.atomic 2.0, %a, 1.0, %b : f64, memref<f64x5>, f64, memref<f64x5>
    }
  }
}
"""

SEES_ITSELF = """
func @f(%y: memref<f64x30>, %u: memref<f64x5x3x?>, %node: memref<i32x3x?>) work_group_size(8,1) {
  for %i = 0, 20 {
    %next = arith.add %i, 1 : index
    %a = subview %y[%i] : memref<f64x30>
    %b = subview %y[%next] : memref<f64x30>
    axpby.n.atomic 1.0, %a, 1.0, %b : f64, memref<f64>, f64, memref<f64>
  }
}
"""


def is_shared(text: str) -> bool:
    """True if no loop of the text is left: its counter had 64 bits."""
    kernel = lower(function_of(text), GPU, GROUP)
    return "for (i64 " not in TreeText().unparse(kernel.file)


@pytest.mark.parametrize(("text", "shared"), [(NODES, True), (ROWS, True), (SEES_ITSELF, False)])
def test_work_items_share_entries_unless_they_see_each_other(text: str, shared: bool) -> None:
    random = np.random.default_rng(1)
    shape = (4, 3) if text is NODES else (3,)
    arguments = {
        "y": random.integers(0, 9, (5, 30) if text is ROWS else (30,)).astype(float),
        "u": random.integers(0, 9, (4 if text is NODES else 5, 3, 6)).astype(float),
        "node": random.integers(-2, 30, (*shape, 6)).astype(np.int32),
    }
    compare(function_of(text), arguments, 1 if text is SEES_ITSELF else 6, target=GPU)
    assert is_shared(text) == shared

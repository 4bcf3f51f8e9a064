"""Matrices that all elements share and that are not known: large ones are read from local memory."""

import re

import pytest

from einsum_front.tl_backend.schedules.columns import homes
from einsum_front.tl_backend.schedules.columns.homes import Home
from einsum_front.tl_backend.schedules.tuning import read_tuning
from einsum_front.tl_backend.targets.text import TreeText
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.kernel.harness import compare, lower
from tests.tl_backend.opencl.harness import function_of, integers
from tests.tl_backend.schedules.columns.test_stages import CHAIN, GPU, plan_of

LARGE = CHAIN.replace("5x5", "11x11").replace("5x3", "11x3")


@pytest.mark.parametrize("tuning", ["columns", "columns:elements=1", "columns:elements=4", "columns:lines=2"])
@pytest.mark.parametrize("groups", [1, 9])
def test_they_are_copied_once_for_an_element(tuning: str, groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "MOST_KEPT", 20)
    first = plan_of(CHAIN, tuning).first
    assert (first.homes["K"].home, first.homes["L"].home) == (Home.LOCAL, Home.CONSTANT)
    assert "K" not in first.constants
    shapes = {"K": (5, 5), "L": (5, 5), "I": (5, 3, groups), "Q": (5, 3, groups)}
    arguments = {name: integers(ScalarType.F64, *shape) for name, shape in shapes.items()}
    compare(function_of(CHAIN, (1, 1)), arguments, groups, tuning=read_tuning(tuning), target=GPU)


def test_lines_of_a_work_item_share_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a matrix in local memory, each instruction reads each of 25 entries once, for three lines as for one."""
    monkeypatch.setattr(homes, "MOST_KEPT", 20)
    reads = {}
    for lines in (1, 3):
        kernel = lower(function_of(CHAIN, (1, 1)), GPU, read_tuning(f"columns:lines={lines}"))
        reads[lines] = len(set(re.findall(r"K_value\w*", TreeText().unparse(kernel.file))))
    assert reads == {1: 2 * 25, 3: 2 * 25}


TWO = """;! batched %I
;! batched %J
;! batched %Q
;! batched %R
func @two(%K: memref<f64x5x5>, %I: memref<f64x5x9x?>, %J: memref<f64x5x6x?>,
          %Q: memref<f64x5x9x?>, %R: memref<f64x5x6x?>) {
  %id = group_id
  %i = subview %I[:, :, %id] : memref<f64x5x9x?>
  %j = subview %J[:, :, %id] : memref<f64x5x6x?>
  %q = subview %Q[:, :, %id] : memref<f64x5x9x?>
  %r = subview %R[:, :, %id] : memref<f64x5x6x?>
  gemm.n.n 1.0, %K, %i, 1.0, %q : f64, memref<f64x5x5>, memref<f64x5x9>, f64, memref<f64x5x9>
  gemm.n.n 1.0, %K, %j, 1.0, %r : f64, memref<f64x5x5>, memref<f64x5x6>, f64, memref<f64x5x6>
}"""


def test_the_parts_of_an_instruction_are_even() -> None:
    """Nine and six lines of five work-items: parts of the same size run together, and read what they share once."""
    assert [group.step.lanes for group in plan_of(TWO, "columns:lines=2").first.groups] == [5, 4, 3, 3]


def test_small_ones_and_those_of_one_instruction_are_not() -> None:
    large, small = plan_of(LARGE).first.homes, plan_of(CHAIN).first.homes
    assert (large["K"].home, large["L"].home) == (Home.LOCAL, Home.CONSTANT)
    assert small["K"].home is Home.CONSTANT
    assert plan_of(LARGE.replace("f64", "f32")).first.homes["K"].home is Home.LOCAL

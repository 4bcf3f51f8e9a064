"""Matrices that all elements share and that are not known: large ones are read from local memory."""

import pytest

from einsum_front.tl_backend.schedules.columns import homes
from einsum_front.tl_backend.schedules.columns.homes import Home
from einsum_front.tl_backend.schedules.tuning import read_tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.kernel.harness import compare
from tests.tl_backend.opencl.harness import function_of, integers
from tests.tl_backend.schedules.columns.test_stages import CHAIN, GPU, plan_of

LARGE = CHAIN.replace("5x5", "11x11").replace("5x3", "11x3")


@pytest.mark.parametrize("tuning", ["columns", "columns:elements=1", "columns:elements=4", "columns:lines=2"])
@pytest.mark.parametrize("groups", [1, 9])
def test_they_are_copied_once_for_an_element(tuning: str, groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "MOST_KEPT", 100)
    first = plan_of(CHAIN, tuning).first
    assert (first.homes["K"].home, first.homes["L"].home) == (Home.LOCAL, Home.CONSTANT)
    assert "K" not in first.constants
    shapes = {"K": (5, 5), "L": (5, 5), "I": (5, 3, groups), "Q": (5, 3, groups)}
    arguments = {name: integers(ScalarType.F64, *shape) for name, shape in shapes.items()}
    compare(function_of(CHAIN, (1, 1)), arguments, groups, tuning=read_tuning(tuning), target=GPU)


def test_small_ones_and_those_of_one_instruction_are_not() -> None:
    large, small = plan_of(LARGE).first.homes, plan_of(CHAIN).first.homes
    assert (large["K"].home, large["L"].home) == (Home.LOCAL, Home.CONSTANT)
    assert small["K"].home is Home.CONSTANT
    assert plan_of(LARGE.replace("f64", "f32")).first.homes["K"].home is Home.CONSTANT

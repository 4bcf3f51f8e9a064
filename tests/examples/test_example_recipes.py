"""The recipes of the examples: legal, and right on the device."""

from pathlib import Path

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.transforms import STEPS
from einsum_front.tl_backend.transforms.recipe import read_recipes
from examples.ader_dg import matrices

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_product_with_its_sums_in_registers() -> None:
    program = ef.compile(ef.parse(EXAMPLES / "matmul.ein"), schedule=str(EXAMPLES / "matmul.sched"))
    assert all(each.agrees for each in program["AB"].verify())
    assert "stage C fill nothing write set" in str(program["AB"].schedule)
    assert "loops" not in str(program["ATB"].schedule).splitlines()[0]


def test_a_schedule_in_python_is_the_same_recipe() -> None:
    columns = (
        ef.Schedule("AB").reorder("j2", "k", "i2").reorder("j", "i").vectorize("i", "i2", by=8)
        .unroll("i_o", "i2_o").fuse("j", "j2").stage("C", at="j")
    )  # fmt: skip
    program = ef.compile(ef.parse(EXAMPLES / "matmul.ein"), schedule=columns)
    written = ef.compile(ef.parse(EXAMPLES / "matmul.ein"), schedule=str(EXAMPLES / "matmul.sched"))
    assert str(program["AB"].schedule) == str(written["AB"].schedule)


def test_arrays_in_another_layout_are_copied() -> None:
    """Steps name the loops of the layout in the text."""
    program = ef.compile(ef.parse(EXAMPLES / "matmul.ein"), schedule=str(EXAMPLES / "matmul.sched"))
    random = np.random.default_rng(0)
    a, b = random.standard_normal((2, 20, 32, 32))
    c = np.zeros((20, 32, 32))
    with pytest.warns(ef.CopyWarning):
        program["AB"](A=a, B=b, C=c)
    np.testing.assert_allclose(c, a @ b)


def test_each_step_has_a_method() -> None:
    methods = {name for name in vars(ef.Schedule) if not name.startswith("_")} - {"kernel", "steps"}
    assert methods == STEPS.keys()
    every = (
        ef.Schedule("k").interleave("e", 4).split("i", 2).cut("i", 3).reorder("i", "j").fuse("i", "j")
        .vectorize("i", by=4).unroll("i*").stage("A").stage("A", "B", at="i").compress("i", of="A").literals("A")
        .prefetch("A", "B", distance=2)
    )  # fmt: skip
    (recipe,) = read_recipes(Source("k", str(every))).recipes
    assert [line.text for line in recipe.lines] == list(every.steps)


def test_the_volume_integral() -> None:
    matrices.write(4)
    recipe = str(EXAMPLES / "ader_dg" / "volume.sched")
    program = ef.compile(ef.parse(EXAMPLES / "ader_dg" / "volume.ein"), defines={"O": 4}, schedule=recipe)
    comparisons = program["volume"].verify()
    assert all(each.agrees for each in comparisons)
    assert [each.left_out for each in comparisons if each.level == "loops"] == [""]
    assert "where kDivM_2_left" in str(program["volume"].schedule)

"""The recipes of the examples: legal, and right on the device."""

from pathlib import Path

import einsum_front as ef
from examples.ader_dg import matrices

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_product_with_its_sums_in_registers() -> None:
    program = ef.compile(ef.parse(EXAMPLES / "matmul.ein"), schedule=str(EXAMPLES / "matmul.sched"))
    assert all(each.agrees for each in program["AB"].verify())
    assert "stage C fill nothing write set" in str(program["AB"].schedule)
    assert "loops" not in str(program["ATB"].schedule).splitlines()[0]


def test_the_volume_integral() -> None:
    matrices.write(4)
    recipe = str(EXAMPLES / "ader_dg" / "volume.sched")
    program = ef.compile(ef.parse(EXAMPLES / "ader_dg" / "volume.ein"), defines={"O": 4}, schedule=recipe)
    assert all(each.agrees for each in program["volume"].verify())
    assert "where kDivM_2_left" in str(program["volume"].schedule)

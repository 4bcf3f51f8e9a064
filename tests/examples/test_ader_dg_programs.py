"""The ADER-DG kernels: every file means something at every order, and those of the solver mean what NumPy computes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse_file
from examples.ader_dg import matrices, reference
from examples.ader_dg.reference import Array, Arrays
from examples.ader_dg.rupture import DUNAVANT

FILES = sorted(matrices.HERE.glob("*.ein"))
BATCH = 3


def program(path: Path, order: int, **parameters: int) -> CheckedProgram:
    matrices.write(order)
    has_order = path.name != "flux_solver.ein"
    return check(parse_file(path), {"O": order, **parameters} if has_order else {}, path.parent)


@pytest.mark.parametrize("order", matrices.ORDERS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_is_right_at_every_order(path: Path, order: int) -> None:
    assert program(path, order).kernels


@pytest.mark.parametrize("order", matrices.ORDERS)
def test_points_nodes_and_cells_can_be_chosen(order: int) -> None:
    assert program(matrices.HERE / "dynamic_rupture.ein", order, P=DUNAVANT[order]).kernels
    assert program(matrices.HERE / "plasticity.ein", order, N=(order + 1) ** 3).kernels
    assert program(matrices.HERE / "projection.ein", order, r=8).kernels
    assert program(matrices.HERE / "boundary.ein", order, r=3).kernels


def after(file: str, kernel: str, order: int, arguments: Arrays, **scalars: float) -> Arrays:
    """The arrays after a kernel, by the interpreter of the notation."""
    checked = program(matrices.HERE / file, order)
    (found,) = (candidate for candidate in checked.kernels if candidate.name == kernel)
    arrays = {name: array.copy() for name, array in arguments.items()}
    interpret(found, checked, {**arrays, **scalars})
    return arrays


@pytest.mark.parametrize(
    ("file", "kernel", "expected"),
    [
        ("volume.ein", "volume", reference.volume),
        ("local_flux.ein", "localFlux_2", lambda arrays: reference.local_flux(arrays, 2)),
        ("local_flux.ein", "localFluxAll", reference.local_flux_all),
        ("neighboring_flux.ein", "neighboringFlux_1_2_3", lambda arrays: reference.neighboring_flux(arrays, 1, 2, 3)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_solver_computes_what_its_formulas_say(file: str, kernel: str, expected: Callable[[Arrays], Array]) -> None:
    arrays = reference.constants(3) | reference.elements(3, BATCH)
    actual = after(file, kernel, 3, arrays)["Q"]
    np.testing.assert_allclose(actual, expected(arrays), rtol=1e-12, atol=1e-12)


def test_the_predictor_computes_the_taylor_series() -> None:
    power = reference.powers(4, dt=0.05)
    arrays = reference.constants(4) | reference.elements(4, BATCH)
    actual = after("derivative.ein", "derivative", 4, arrays, **{f"power_{n}": value for n, value in enumerate(power)})
    for name, expected in reference.derivative(arrays, power).items():
        np.testing.assert_allclose(actual[name], expected, rtol=1e-11, atol=1e-11)

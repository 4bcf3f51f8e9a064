"""The ADER-DG kernels: every file means something at every order, and those of the solver mean what NumPy computes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from einsum_front.core.extent import static_shape
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


@pytest.mark.parametrize("order", [2, 4])
def test_a_step_finds_its_neighbours(order: int) -> None:
    """The corrector does what the kernels of volume, of faces and of each relation of two faces do one by one."""
    generator = np.random.default_rng(order)
    arrays = {
        tensor.name: generator.uniform(-1, 1, (6, *static_shape(tensor.shape)))
        for tensor in program(matrices.HERE / "step.ein", order).tensors
        if tensor.name in {"Q", "I"} or tensor.name.startswith(("star", "AplusT", "AminusT"))
    }
    arrays = {name: np.where(_zeros_of(name, order), 0, array) for name, array in arrays.items()}
    integers: dict[str, Any] = {"next": generator.integers(-1, 6, (6, 4)), "side": generator.integers(0, 4, (6, 4))}
    integers["turn"] = generator.integers(0, 3, (6, 4))
    found = after("step.ein", "corrector", order, {**arrays, **integers})["Q"]
    Q = after("volume.ein", "volume", order, {n: arrays[n] for n in ("Q", "I", "star_0", "star_1", "star_2")})["Q"]
    for face in range(4):
        given = {"Q": Q, "I": arrays["I"], "AplusT": arrays[f"AplusT_{face}"]}
        Q = after("local_flux.ein", f"localFlux_{face}", order, given)["Q"]
    for element, face in np.ndindex(6, 4):
        beside, side, turn = (integers[name][element, face] for name in ("next", "side", "turn"))
        if beside >= 0:
            given = {"Q": Q[[element]], "I": arrays["I"][[beside]], "AminusT": arrays[f"AminusT_{face}"][[element]]}
            kernel = f"neighboringFlux_{turn}_{side}_{face}"
            Q[element] = after("neighboring_flux.ein", kernel, order, given)["Q"][0]
    np.testing.assert_allclose(found, Q, rtol=1e-11, atol=1e-11)


def _zeros_of(name: str, order: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The entries that the tensor declares to be zero."""
    tensors = {tensor.name: tensor for tensor in program(matrices.HERE / "step.ein", order).tensors}
    nonzeros = tensors[name].nonzeros
    return np.zeros((), bool) if nonzeros is None else ~nonzeros.array()


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

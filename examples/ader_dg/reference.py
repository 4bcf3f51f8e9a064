"""The kernels of the solver in NumPy, written from their formulas, and elements to try them on.

Arrays are named as in the `.ein` files; member 2 of the family `star` is `star_2`. What differs from element to element
has a leading mode for the batch.
"""

from __future__ import annotations

from math import factorial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from examples.ader_dg.matrices import DIRECTORY, write

Array = npt.NDArray[np.float64]
Arrays = dict[str, Array]

SHEAR_STRESSES = ((3, 0, 1), (4, 1, 2), (5, 0, 2))
"""The quantity and the two directions that it couples."""


def jacobians() -> Array:
    """A_x, A_y, A_z of Q_t + A_x Q_x + A_y Q_y + A_z Q_z = 0 for density and both Lame parameters 1, 3 x 9 x 9."""
    a = np.zeros((3, 9, 9))
    for x in range(3):
        a[x, :3, 6 + x] = -1.0
        a[x, x, 6 + x] = -3.0
        a[x, 6 + x, x] = -1.0
    for stress, x, y in SHEAR_STRESSES:
        for direction, velocity in ((x, 6 + y), (y, 6 + x)):
            a[direction, stress, velocity] = a[direction, velocity, stress] = -1.0
    return a


def constants(order: int, directory: Path = DIRECTORY) -> Arrays:
    """The matrices of one order that all elements share; their files are made if they are not there."""
    write(order, directory)
    with np.load(directory / f"order{order}.npz") as file:
        return {name: file[name] for name in file.files if not name.startswith("dQ_")}


def elements(order: int, batch: int, seed: int = 0) -> Arrays:
    """Elements of random shape and size about 1, with a random solution and random flux solvers.

    `dQ_0` is the solution; the other derivatives are zero and to be computed.
    """
    random = np.random.default_rng(seed)
    basis_size = order * (order + 1) * (order + 2) // 6
    gradients = np.eye(3) + random.uniform(-0.3, 0.3, (batch, 3, 3))
    star = np.einsum("bdx,xpq->dbqp", gradients, jacobians())
    solvers = random.uniform(-0.1, 0.1, (5, batch, 9, 9))
    arrays = {name: random.uniform(-1, 1, (batch, basis_size, 9)) for name in ("Q", "I", "dQ_0")}
    arrays |= {f"star_{d}": np.ascontiguousarray(star[d]) for d in range(3)}
    arrays |= {f"AplusTAll_{i}": solvers[i] for i in range(4)}
    arrays |= {"AplusT": solvers[0], "AminusT": solvers[4]}
    return arrays | {f"dQ_{n}": np.zeros((batch, basis_size, 9)) for n in range(1, order)}


def powers(order: int, dt: float) -> list[float]:
    """The weights of the Taylor series: `power{n}` = (-1)^n dt^(n+1) / (n+1)!."""
    return [(-1) ** n * dt ** (n + 1) / factorial(n + 1) for n in range(order)]


def volume(a: Arrays) -> Array:
    """`Q` after the kernel `volume`."""
    return a["Q"] + sum(a[f"kDivM_{d}"] @ a["I"] @ a[f"star_{d}"] for d in range(3))


def local_flux(a: Arrays, i: int) -> Array:
    """`Q` after the kernel `localFlux_i`."""
    return a["Q"] + (a[f"rDivM_{i}"] @ a[f"fMrT_{i}"]) @ a["I"] @ a["AplusT"]


def local_flux_all(a: Arrays) -> Array:
    """`Q` after the kernel `localFluxAll`."""
    return a["Q"] + sum((a[f"rDivM_{i}"] @ a[f"fMrT_{i}"]) @ a["I"] @ a[f"AplusTAll_{i}"] for i in range(4))


def neighboring_flux(a: Arrays, h: int, j: int, i: int) -> Array:
    """`Q` after the kernel `neighboringFlux_h_j_i`."""
    return a["Q"] + (a[f"rDivM_{i}"] @ a[f"fP_{h}"] @ a[f"rT_{j}"]) @ a["I"] @ a["AminusT"]


def derivative(a: Arrays, power: list[float]) -> Arrays:
    """`I` and all `dQ_n` after the kernel `derivative`."""
    result = {"I": power[0] * a["dQ_0"], "dQ_0": a["dQ_0"]}
    for n in range(1, len(power)):
        previous = result[f"dQ_{n - 1}"]
        result[f"dQ_{n}"] = sum((a[f"kDivMT_{d}"] @ previous @ a[f"star_{d}"] for d in range(3)), start=np.zeros(()))
        result["I"] = result["I"] + power[n] * result[f"dQ_{n}"]
    return result

"""The constant operators of PyFR as text files, for `benchmarks.operators`.

    python benchmarks/pyfr_operators.py FOLDER

Runs where PyFR is installed (`pip install pyfr`), which need not be where einsum-front is. Quadrilaterals, triangles,
hexahedra, tetrahedra, prisms and pyramids of orders 1 to 6, with the operators of a step: what is interpolated to faces
(`M0`), its corrections (`M3`), the gradient at faces (`M6`), and the two that PyFR joins. Entries below 1e-13 of the
largest are zero, and numbers that differ by a rounding are one.
"""

import sys
from pathlib import Path

import numpy as np
from pyfr.inifile import Inifile
from pyfr.shapes import BaseShape
from pyfr.util import subclasses

SHAPES = ("quad", "tri", "hex", "tet", "pri", "pyr")
ORDERS = range(1, 7)
OPERATORS = {"M0": "M0", "M3": "M3", "M6": "M6", "M132": "M1 - M3*M2", "M460": "M4 - M6*M0"}
CONFIGURATION = """
[solver]
order = {order}
[solver-interfaces-line]
flux-pts = gauss-legendre
[solver-interfaces-tri]
flux-pts = williams-shunn
[solver-interfaces-quad]
flux-pts = gauss-legendre
[solver-elements-quad]
soln-pts = gauss-legendre
[solver-elements-hex]
soln-pts = gauss-legendre
[solver-elements-tri]
soln-pts = williams-shunn
[solver-elements-tet]
soln-pts = shunn-ham
[solver-elements-pri]
soln-pts = williams-shunn~gauss-legendre
[solver-elements-pyr]
soln-pts = gauss-legendre
"""
DIGITS = 14


def main(folder: Path) -> None:
    """Writes a file for each operator; says what PyFR has no points for."""
    folder.mkdir(parents=True, exist_ok=True)
    classes = {each.name: each for each in subclasses(BaseShape, just_leaf=True)}
    for shape in SHAPES:
        for order in ORDERS:
            try:
                basis = classes[shape](None, Inifile(CONFIGURATION.format(order=order)))
                matrices = {name: np.array(basis.opmat(text)) for name, text in OPERATORS.items()}
            except (ValueError, KeyError) as error:
                print(f"{shape} of order {order}: {error}")
                continue
            for name, matrix in matrices.items():
                matrix[abs(matrix) < 1e-13 * abs(matrix).max()] = 0
                np.savetxt(folder / f"{shape}_{order}_{name}.txt", np.round(matrix, DIGITS), fmt="%.17g")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

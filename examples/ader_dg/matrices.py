"""Write the matrices that the `.ein` files beside this one name.

    python -m examples.ader_dg.matrices --orders 2 3 4 5 6

makes, in `matrices/`: `elastic.npz`, and for every order O `orderO.npz`, `orderO_ruptureP.npz`,
`orderO_plasticityN.npz` and `orderO_refinedR.npz` for every number of points P, nodes N and refinement R. A file newer
than these modules stays.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from decimal import localcontext
from functools import partial
from pathlib import Path

import numpy as np

from examples.ader_dg.elastic import elastic
from examples.ader_dg.modal import Matrices, modal
from examples.ader_dg.nodal import nodal, plasticity
from examples.ader_dg.output import DEGREES, refined
from examples.ader_dg.precise import CONTEXT, floats
from examples.ader_dg.rupture import point_counts, rupture

HERE = Path(__file__).parent
DIRECTORY = HERE / "matrices"
ORDERS = range(2, 7)


def solver(order: int) -> Matrices:
    """All matrices that depend on the order only."""
    return modal(order) | nodal(order)


def files(order: int) -> Iterator[tuple[str, Callable[[], Matrices]]]:
    """The files of one order by name, each with the function that computes what is in it."""
    yield "elastic.npz", elastic
    yield f"order{order}.npz", partial(solver, order)
    for points in point_counts(order):
        yield f"order{order}_rupture{points}.npz", partial(rupture, order, points)
    for nodes in (order * (order + 1) * (order + 2) // 6, (order + 1) ** 3):
        yield f"order{order}_plasticity{nodes}.npz", partial(plasticity, order, nodes)
    for degree in DEGREES:
        yield f"order{order}_refined{degree}.npz", partial(refined, order, degree)


def write(order: int, directory: Path = DIRECTORY, *, force: bool = False) -> list[Path]:
    """Write the files of one order that are missing or older than these modules, or all of them; return those written.

    Entries are doubles, each the one nearest to the exact number. A file appears complete or not at all, so several
    processes may write at once.
    """
    directory.mkdir(parents=True, exist_ok=True)
    newest = max(module.stat().st_mtime for module in HERE.glob("*.py"))
    written = []
    for name, compute in files(order):
        path = directory / name
        if force or not path.exists() or path.stat().st_mtime < newest:
            _save(path, compute)
            written.append(path)
    return written


def _save(path: Path, compute: Callable[[], Matrices]) -> None:
    with localcontext(CONTEXT):
        arrays = {name: floats(matrix) for name, matrix in compute().items()}
    unfinished = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(unfinished, allow_pickle=False, **arrays)
    unfinished.replace(path)


def main() -> None:
    """Run from the command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--orders", type=int, nargs="+", default=list(ORDERS), choices=range(2, 9), metavar="O")
    arguments.add_argument("--directory", type=Path, default=DIRECTORY)
    arguments.add_argument("--force", action="store_true", help="write files that are current, too")
    given = arguments.parse_args()
    for order in given.orders:
        for path in write(order, given.directory, force=given.force):
            print(path)


if __name__ == "__main__":
    main()

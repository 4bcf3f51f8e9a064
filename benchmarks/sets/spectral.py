"""Spectral elements on hexahedra: a matrix along each direction, for polynomials of degree 3 to 9."""

from pathlib import Path

import numpy as np

from benchmarks.case import Arrays, Case, FileSource, Statement, Term, WorkingSet
from benchmarks.chain import Array, Chain, Matrix, Product, slices

FILE = Path(__file__).parents[1] / "kernels" / "spectral.ein"
SIZES = ((4, 6), (6, 9), (8, 12), (10, 15))
"""Nodes and quadrature points in each direction."""
QUICK_SIZES = ((4, 6), (8, 12))

DERIVE = Statement("v", tuple(Term(text, ("D", "u")) for text in ("il,eljk->eijk", "jl,eilk->eijk", "kl,eijl->eijk")))
INTERPOLATE = Statement("w", (Term("ai,bj,ck,eijk->eabc", ("J", "J", "J", "u")),))
TEST = Statement("v", (Term("ai,bj,ck,eabc->eijk", ("J", "J", "J", "w")),))


def cases(quick: bool) -> tuple[Case, ...]:
    """Every kernel of the file in every size, in both element types."""
    sizes = QUICK_SIZES if quick else SIZES
    return tuple(case for real in ("f64", "f32") for n, q in sizes for case in _cases(n, q, real))


def _cases(n: int, q: int, real: str) -> tuple[Case, ...]:
    def case(kernel: str, statement: Statement) -> Case:
        return Case(
            name=f"{kernel}, {n} nodes" if kernel == "derive" else f"{kernel}, {n} nodes, {q} points",
            source=FileSource(FILE, kernel, {"n": n, "q": q}),
            real=real,
            working_set=WorkingSet.CACHE,
            statements=(statement,),
            chain=lambda arrays: _CHAINS[kernel](n, q, arrays),
        )

    return case("derive", DERIVE), case("interpolate", INTERPOLATE), case("test", TEST)


def _derive(n: int, q: int, arrays: Arrays) -> Chain:
    """A product on each side, and between them one for each position in the last direction."""
    matrix, transposed = Matrix("D", n), Matrix("DT", n)
    steps = (
        Product(matrix, Matrix("u", n), Matrix("v", n), n, n * n, n),
        Product(slices("u", n, n), transposed, slices("v", n, n), n, n, n, beta=1, times=n),
        Product(Matrix("u", n * n), transposed, Matrix("v", n * n), n * n, n, n, beta=1),
    )
    return Chain(steps, constants={"DT": _transposed(arrays["D"])})


def _interpolate(n: int, q: int, arrays: Arrays) -> Chain:
    """Along the first direction first: each step has the fewest entries that are left."""
    constants = {"JT": _transposed(arrays["J"])}
    return Chain(_along("u", "w", n, q, Matrix("J", q), Matrix("JT", n)), _entries(n, q), constants)


def _test(n: int, q: int, arrays: Arrays) -> Chain:
    """The same the other way round."""
    constants = {"JT": _transposed(arrays["J"])}
    return Chain(_along("w", "v", q, n, Matrix("JT", n), Matrix("J", q)), _entries(q, n), constants)


def _along(source: str, target: str, n: int, q: int, left: Matrix, right: Matrix) -> tuple[Product, ...]:
    """From n to q entries in each direction: `left` is q x n, `right` is n x q."""
    return (
        Product(left, Matrix(source, n), Matrix("T1", q), q, n * n, n),
        Product(slices("T1", q, n), right, slices("T2", q, q), q, q, n, times=n),
        Product(Matrix("T2", q * q), right, Matrix(target, q * q), q * q, q, n),
    )


def _entries(n: int, q: int) -> dict[str, int]:
    return {"T1": q * n * n, "T2": q * q * n}


def _transposed(matrix: Array) -> Array:
    return np.asfortranarray(matrix.T)


_CHAINS = {"derive": _derive, "interpolate": _interpolate, "test": _test}

"""Interpolation by a tensor product of low rank: six matrices on a tensor of rank three."""

from pathlib import Path

import numpy as np

from benchmarks.case import Arrays, Case, FileSource, Statement, Term, WorkingSet
from benchmarks.chain import Chain, Matrix, Product, slices

FILE = Path(__file__).parents[2] / "examples" / "interpolation.ein"
SIZES = ((8, 4), (16, 4), (16, 8), (32, 8))
"""Points in each direction, and rank."""
QUICK_SIZES = ((8, 4), (16, 8))


def cases(quick: bool) -> tuple[Case, ...]:
    """Every size in both element types."""
    return tuple(_case(p, q, real) for real in ("f64", "f32") for p, q in (QUICK_SIZES if quick else SIZES))


def _case(p: int, q: int, real: str) -> Case:
    operands = ("S", "XL", "XR", "YL", "YR", "ZL", "ZR")
    return Case(
        name=f"interpolate, {p} points, rank {q}",
        source=FileSource(FILE, "interpolate", {"p": p, "q": q}),
        real=real,
        working_set=WorkingSet.CACHE,
        statements=(Statement("R", (Term("exyz,xl,li,ym,mj,zn,nk->eijk", operands),)),),
        chain=lambda arrays: _chain(p, q, arrays),
    )


def _chain(p: int, q: int, arrays: Arrays) -> Chain:
    """All directions down to the rank, then all up to the points; XL and XR stand on the left, so transposed."""
    xl, xr = Matrix("XLT", q), Matrix("XRT", p)
    steps = (
        Product(xl, Matrix("S", p), Matrix("T1", q), q, p * p, p),
        Product(slices("T1", q, p), Matrix("YL", p), slices("T2", q, q), q, q, p, times=p),
        Product(Matrix("T2", q * q), Matrix("ZL", p), Matrix("T3", q * q), q * q, q, p),
        Product(Matrix("T3", q * q), Matrix("ZR", q), Matrix("T4", q * q), q * q, p, q),
        Product(slices("T4", q, q), Matrix("YR", q), slices("T5", q, p), q, p, q, times=p),
        Product(xr, Matrix("T5", q), Matrix("R", p), p, p * p, q),
    )
    entries = {"T1": q * p * p, "T2": q * q * p, "T3": q**3, "T4": q * q * p, "T5": q * p * p}
    return Chain(steps, entries, {name + "T": np.asfortranarray(arrays[name].T) for name in ("XL", "XR")})

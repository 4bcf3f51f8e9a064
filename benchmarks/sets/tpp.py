"""Tensor processing primitives: batch-reduce products, and products with a bias and an activation, one launch each.

LIBXSMM multiplies, and loops in C of the same threads do the rest behind each product.
"""

from pathlib import Path

from benchmarks.case import Arrays, Case, Entrywise, FileSource, Statement, Term, WorkingSet
from benchmarks.chain import Chain, Matrix, Product

FILE = Path(__file__).parents[1] / "kernels" / "tpp.ein"
SIZES = (8, 16, 24, 32, 48, 64)
REALS = ("f32", "f64")
QUICK_SIZES = (8, 32)
REDUCED = 4
"""Products that are added."""
FUNCTIONS = ("relu", "gelu")


def cases(quick: bool) -> tuple[Case, ...]:
    """Element types times primitives times sizes."""
    sizes = QUICK_SIZES if quick else SIZES
    sums = (_sum(size, real) for real in REALS for size in sizes)
    layers = (_layer(function, size, real) for real in REALS for function in FUNCTIONS for size in sizes)
    return (*sums, *layers)


def _sum(size: int, real: str) -> Case:
    def chain(_arrays: Arrays) -> Chain:
        a, b = (Matrix(name, size, distance=size * size) for name in ("A", "B"))
        return Chain((Product(a, b, Matrix("Y", size), size, size, size, reduced=REDUCED),))

    return Case(
        name=f"brgemm of {REDUCED}, {size}x{size}",
        source=FileSource(FILE, "brgemm", {"N": size}),
        real=real,
        working_set=WorkingSet.CACHE,
        statements=(Statement("Y", (Term("eikr,ekjr->eij", ("A", "B")),)),),
        chain=chain,
        has_primitives=True,
    )


def _layer(function: str, size: int, real: str) -> Case:
    def chain(_arrays: Arrays) -> Chain:
        return Chain((Product(Matrix("W", size), Matrix("X", size), Matrix("Y", size), size, size, size),))

    return Case(
        name=f"{function}(W X + b), {size}x{size}",
        source=FileSource(FILE, f"bias_{function}", {"N": size}),
        real=real,
        working_set=WorkingSet.CACHE,
        statements=(Statement("Y", (Term("ik,ekj->eij", ("W", "X")),)),),
        chain=chain,
        has_primitives=True,
        parts=tuple(FileSource(FILE, kernel, {"N": size}) for kernel in ("product", function)),
        last=Entrywise("Y", "b", function),
    )

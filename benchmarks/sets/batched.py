"""Batched products of square matrices, with operands of each element's own and the same for all."""

from pathlib import Path

from benchmarks.case import Arrays, Case, FileSource, Statement, Term, WorkingSet
from benchmarks.chain import Chain, Matrix, Product

FILE = Path(__file__).parents[1] / "kernels" / "batched.ein"
SIZES = (2, 3, 4, 6, 8, 9, 12, 16, 20, 24, 32, 35, 48, 56, 64, 96, 128)
QUICK_SIZES = (4, 16, 56)

KINDS = {"both": ("A", "B"), "left": ("K", "B"), "right": ("A", "K")}
"""The operands of each kernel; `K` is batch-invariant."""
FORMULAS = {"both": "C = A B", "left": "C = K B", "right": "C = A K"}


def cases(quick: bool) -> tuple[Case, ...]:
    """Sizes times element types times kinds."""
    sizes = QUICK_SIZES if quick else SIZES
    return tuple(_case(kind, size, real) for real in ("f64", "f32") for kind in KINDS for size in sizes)


def _case(kind: str, size: int, real: str) -> Case:
    left, right = KINDS[kind]

    def chain(_arrays: Arrays) -> Chain:
        return Chain((Product(Matrix(left, size), Matrix(right, size), Matrix("C", size), size, size, size),))

    term = Term(f"{_modes(left, 'ik')},{_modes(right, 'kj')}->eij", (left, right))
    return Case(
        name=f"{FORMULAS[kind]}, {size}x{size}",
        source=FileSource(FILE, kind, {"N": size}),
        real=real,
        working_set=WorkingSet.CACHE,
        statements=(Statement("C", (term,)),),
        chain=chain,
    )


def _modes(tensor: str, modes: str) -> str:
    return modes if tensor == "K" else f"e{modes}"

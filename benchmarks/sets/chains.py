"""Products of several matrices for each element."""

from pathlib import Path

from benchmarks.case import Case, FileSource, Statement, Term, WorkingSet
from benchmarks.chain import Chain, Matrix, Product

FILE = Path(__file__).parents[1] / "kernels" / "chains.ein"
SIZES = ((16, 2), (32, 4), (56, 8))
"""Rows, and the rank of the narrow matrices."""
QUICK_SIZES = ((16, 2),)


def cases(quick: bool) -> tuple[Case, ...]:
    """Every kernel of the file in every size, in f64."""
    return tuple(case for n, r in (QUICK_SIZES if quick else SIZES) for case in _cases(n, r))


def _cases(n: int, r: int) -> tuple[Case, ...]:
    return (
        _case("three", n, r, (_set("Y", "ij,ejk,kl->eil", "KXL"),), _three(n)),
        _case("congruent", n, r, (_set("Y", "eji,ejk,ekl->eil", "AXA"),)),
        _case("low_rank", n, r, (_set("Y", "eij,ejk,ekl,elm,emn->ein", "AUWVX"),), _low_rank(n, r)),
        _case("matvec", n, r, (_set("y", "eij,ejk,ekl,el->ei", "AXYx"),), _matvec(n)),
        _case("sylvester", n, r, (_sylvester_statement(),), _sylvester(n)),
    )


def _case(kernel: str, n: int, r: int, statements: tuple[Statement, ...], chain: Chain | None = None) -> Case:
    return Case(
        name=f"{kernel}, {n} rows, rank {r}" if kernel == "low_rank" else f"{kernel}, {n} rows",
        source=FileSource(FILE, kernel, {"N": n, "R": r}),
        real="f64",
        working_set=WorkingSet.CACHE,
        statements=statements,
        chain=None if chain is None else lambda _arrays: chain,
    )


def _set(target: str, subscripts: str, operands: str) -> Statement:
    return Statement(target, (Term(subscripts, tuple(operands)),))


def _three(n: int) -> Chain:
    t = Matrix("T", n)
    steps = (
        Product(Matrix("K", n), Matrix("X", n), t, n, n, n),
        Product(t, Matrix("L", n), Matrix("Y", n), n, n, n),
    )
    return Chain(steps, {"T": n * n})


def _low_rank(n: int, r: int) -> Chain:
    """Both ends to the narrow matrix in the middle first."""
    au, auw, vx = Matrix("AU", n), Matrix("AUW", n), Matrix("VX", r)
    steps = (
        Product(Matrix("A", n), Matrix("U", n), au, n, r, n),
        Product(au, Matrix("W", r), auw, n, r, r),
        Product(Matrix("V", r), Matrix("X", n), vx, r, n, n),
        Product(auw, vx, Matrix("Y", n), n, n, r),
    )
    return Chain(steps, {"AU": n * r, "AUW": n * r, "VX": r * n})


def _matvec(n: int) -> Chain:
    """From the right."""
    yx, xyx = Matrix("Yx", n), Matrix("XYx", n)
    steps = (
        Product(Matrix("Y", n), Matrix("x", n), yx, n, 1, n),
        Product(Matrix("X", n), yx, xyx, n, 1, n),
        Product(Matrix("A", n), xyx, Matrix("y", n), n, 1, n),
    )
    return Chain(steps, {"Yx": n, "XYx": n})


def _sylvester_statement() -> Statement:
    return Statement("Y", (Term("ik,ekj->eij", ("K", "X")), Term("eik,kj->eij", ("X", "L"))), adds=True)


def _sylvester(n: int) -> Chain:
    steps = (
        Product(Matrix("K", n), Matrix("X", n), Matrix("Y", n), n, n, n, beta=1),
        Product(Matrix("X", n), Matrix("L", n), Matrix("Y", n), n, n, n, beta=1),
    )
    return Chain(steps)

"""One large matrix product, as an index string."""

from benchmarks.case import Arrays, Case, Statement, StringSource, Term, WorkingSet
from benchmarks.chain import Chain, Matrix, Product

SIZE = 2000
QUICK_SIZE = 500


def cases(quick: bool) -> tuple[Case, ...]:
    """The product in both element types."""
    size = QUICK_SIZE if quick else SIZE
    return tuple(case_of(size, real) for real in ("f64", "f32"))


def case_of(size: int, real: str) -> Case:
    """The product of two square matrices."""

    def chain(_arrays: Arrays) -> Chain:
        # arrays have the last axis fastest, so column-major these are the transposed matrices: C' = B' A'
        return Chain((Product(Matrix("B", size), Matrix("A", size), Matrix("C", size), size, size, size),))

    return Case(
        name=f"ik,kj->ij, {size}x{size}",
        source=StringSource("ik,kj->ij", ((size, size), (size, size))),
        real=real,
        working_set=WorkingSet.SINGLE,
        statements=(Statement("C", (Term("ik,kj->ij", ("A", "B")),)),),
        chain=chain,
    )

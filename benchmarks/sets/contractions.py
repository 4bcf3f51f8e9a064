"""Contractions of two tensors of three to six modes, as index strings: chemistry and machine learning have many.

The strings have the structure of those in the tensor contraction benchmark of P. Springer and P. Bientinesi (Design of
a high-performance GEMM-like tensor-tensor multiplication, ACM TOMS 44, 2018): indices that would be one dimension of a
matrix are not neighbours, and the result has them in another order.
"""

from string import ascii_uppercase

from benchmarks.case import Case, Statement, StringSource, Term, WorkingSet

STRINGS = {
    "acd,db->abc": (96, 64, 64, 96),
    "cad,dcb->ab": (192, 192, 48, 48),
    "bda,dc->abc": (96, 96, 96, 96),
    "dbea,ec->abcd": (32, 32, 32, 32, 32),
    "ebad,ce->abcd": (32, 32, 32, 32, 32),
    "aebf,dfce->abcd": (32, 32, 32, 32, 20, 20),
    "dega,gfbc->abcdef": (14, 14, 14, 14, 14, 14, 14),
    "gdab,efgc->abcdef": (14, 14, 14, 14, 14, 14, 14),
}
"""The extents of the indices a, b, c, … of each string."""
QUICK = ("acd,db->abc", "aebf,dfce->abcd")


def cases(quick: bool) -> tuple[Case, ...]:
    """Every string in f64, and in a long run in f32."""
    reals = ("f64",) if quick else ("f64", "f32")
    return tuple(_case(text, real) for real in reals for text in STRINGS if text in QUICK or not quick)


def _case(text: str, real: str) -> Case:
    operands, _, _ = text.partition("->")
    terms = operands.split(",")
    extents = dict(zip("abcdefg", STRINGS[text], strict=False))
    shapes = tuple(tuple(extents[index] for index in term) for term in terms)
    names = tuple(ascii_uppercase[: len(terms)])
    return Case(
        name=f"{text}, {'x'.join(map(str, STRINGS[text]))}",
        source=StringSource(text, shapes),
        real=real,
        working_set=WorkingSet.SINGLE,
        statements=(Statement(ascii_uppercase[len(terms)], (Term(text, names),)),),
    )

"""Long sums without a batch, in parts that work-groups compute side by side.

    ij,ij->        partial = xp,xp->x        x->         p counts 1/128 of all pairs of i and j

Without a batch one work-group computes all of a sum. If all operands have the same indices in the same order, and those
that the result has come last, all of them lie as matrices in memory: a row for each term, a column for each entry of
the result. Groups of rows are a batch; what is left of them is a batch of one, and a number of parts that leaves
nothing is preferred. It depends on the extents alone, and each sum in it has partial sums of its own: results are the
same bits in each run, on each number of cores.
"""

from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.index_string.program import IndexString

MANY_TERMS = 2**19
"""Terms of a sum that take a core longer than the launches of two more kernels."""

MOST_PARTS = 128
"""Their sum is one sum of so many terms."""

SHORTEST_PART = 16
"""Rows of a part: the partial sums are a sixteenth of what is read, at most."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The operands as matrices of `count * length + rest` rows and `columns` columns."""

    operands: int
    count: int
    length: int
    rest: int
    columns: int

    @property
    def subscripts(self) -> str:
        """The partial sums, for a batch of parts."""
        term = "xps" if self.columns > 1 else "xp"
        return f"{','.join([term] * self.operands)}->{term.replace('p', '')}"

    @property
    def total(self) -> str:
        """The sum of the partial sums."""
        return "xs->s" if self.columns > 1 else "x->"

    @property
    def row(self) -> tuple[int, ...]:
        """The shape of a row."""
        return (self.columns,) if self.columns > 1 else ()


MANY_IN_A_ROW = 1024
"""Terms of a row from which on a work-group of a GPU adds it up."""


def rows_of(string: IndexString) -> tuple[int, int] | None:
    """Rows and their length, if the string adds up rows of one operand, or of the product of two; else None."""
    kernel = string.kernel
    first, *others = (term.names for term in kernel.subscripts.operands)
    output = kernel.subscripts.output.names
    is_stretched = any(mode.is_stretched for operand in kernel.operands for mode in operand.modes)
    is_matrix = len(set(first)) == len(first) and len(others) < 2 and all(term == first for term in others)
    if is_stretched or not is_matrix or len(output) == len(first) or first[: len(output)] != output:
        return None
    rows, length = (prod(string.extents[name] for name in names) for names in (output, first[len(output) :]))
    return (rows, length) if rows and length >= MANY_IN_A_ROW else None


def parts_of(string: IndexString) -> Parts | None:
    """The parts of a sum that is worth it, and whose operands are matrices of its terms."""
    kernel = string.kernel
    first, *others = (term.names for term in kernel.subscripts.operands)
    output = kernel.subscripts.output.names
    is_matrix = all(term == first for term in others) and len(set(first)) == len(first)
    is_stretched = any(mode.is_stretched for operand in kernel.operands for mode in operand.modes)
    summed = len(first) - len(output)
    if kernel.has_batch_index or not is_matrix or is_stretched or not summed or first[summed:] != output:
        return None
    rows = prod(string.extents[name] for name in first[:summed])
    columns = prod(string.extents[name] for name in output)
    most = min(MOST_PARTS, rows // SHORTEST_PART)
    count = next((each for each in range(most, most // 2, -1) if rows % each == 0), most)
    if rows * columns < MANY_TERMS or count < 2:
        return None
    return Parts(1 + len(others), count, rows // count, rows % count, columns)

"""What one depth adds to the sums of a block of a matrix product: a column of vectors times a row of numbers.

double4 a0 = …, a1 = …;
double b0 = …;
sum[0] += a0 * b0;
sum[1] += a1 * b0;
double b1 = …;
…
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tl_backend.opencl import index
from tl_backend.opencl.names import Names
from tl_backend.opencl.tree import (
    Assign,
    Binary,
    BinaryOperator,
    Declare,
    Expression,
    Name,
    Statement,
    Subscript,
    Vector,
)


@dataclass(frozen=True, slots=True)
class Sums:
    """The array with the sums of so many vectors of rows for each column."""

    array: Name
    vector: Vector
    rows: int

    def at(self, row: int, column: int) -> Expression:
        """The sum of a vector of rows and a column."""
        return Subscript(self.array, index.constant(row + self.rows * column))


def add_outer_product(
    lefts: Mapping[int, Expression], rights: Sequence[Expression], sums: Sums, names: Names
) -> Iterator[Statement]:
    """Adds each product of a vector, which stands with its number, and a number to the sum of the two.

    Each of them is read once.
    """
    left_names = {row: Name(names.fresh(f"a{row}")) for row in lefts}
    for row, left in lefts.items():
        yield Declare(sums.vector, left_names[row].text, left)
    for column, right in enumerate(rights):
        name = Name(names.fresh(f"b{column}"))
        yield Declare(sums.vector.element, name.text, right)
        for row, left_name in left_names.items():
            term = Binary(BinaryOperator.MULTIPLY, left_name, name)
            yield Assign(sums.at(row, column), term, BinaryOperator.ADD)

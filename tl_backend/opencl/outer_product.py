"""What one depth adds to the sums of a block of a matrix product: a column of vectors times a row of numbers.

double4 a0 = …, a1 = …;
double b0 = …;
sum[0] += a0 * b0;
sum[1] += a1 * b0;
double b1 = …;
…
"""

from collections.abc import Iterator, Sequence

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


def add_outer_product(
    lefts: Sequence[Expression], rights: Sequence[Expression], sums: Name, vector: Vector, names: Names
) -> Iterator[Statement]:
    """Adds each product of a vector and a number to the sum of the two; each is read once."""
    left_names = [Name(names.fresh(f"a{number}")) for number in range(len(lefts))]
    for name, left in zip(left_names, lefts, strict=True):
        yield Declare(vector, name.text, left)
    for column, right in enumerate(rights):
        name = Name(names.fresh(f"b{column}"))
        yield Declare(vector.element, name.text, right)
        for row, left in enumerate(left_names):
            term = Binary(BinaryOperator.MULTIPLY, left, name)
            yield Assign(sum_of(sums, row, column, len(lefts)), term, BinaryOperator.ADD)


def sum_of(sums: Name, row: int, column: int, rows: int) -> Expression:
    """The sum of a vector of rows and a column, in an array for so many vectors."""
    return Subscript(sums, index.constant(row + rows * column))

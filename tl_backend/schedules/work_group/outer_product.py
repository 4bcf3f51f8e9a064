"""Terms of one reduction index in a block of a matrix product: a column of vectors times a row of numbers.

double4 a0 = …, a1 = …;
double b0 = …;
sum[0] += a0 * b0;
sum[1] += a1 * b0;
double b1 = …;
…

Two columns may share a vector for rows that fill half of one, which stand in it twice:

float8 a2 = (…).s01230123;
float b0 = …;
float b1 = …;
sum[4] += a2 * (float8)(b0, b0, b0, b0, b1, b1, b1, b1);
sum[0] += a0 * b0;
…

What they share comes first: LLVM 14 would keep the numbers in twice as many registers otherwise, and run out of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.work_group.register_blocks import Rows


@dataclass(frozen=True, slots=True)
class Sums:
    """The array with the sums of so many vectors of rows and columns.

    Pairs of columns share the last vector if it `is_paired`; these sums stand behind the others.
    """

    array: tree.Name
    vector: Vector
    rows: int
    columns: int
    is_paired: bool = False

    @property
    def count(self) -> int:
        """How many there are."""
        return Rows(self.rows, self.is_paired).sums(self.columns)

    def at(self, row: int, column: int) -> tree.Place:
        """The sum of a vector of rows and a column."""
        whole = self.rows - 1 if self.is_paired else self.rows
        position = row + whole * column if row < whole else whole * self.columns + column // 2
        return tree.Subscript(self.array, index.constant(position))


def add_outer_product(
    lefts: Mapping[int, tree.Expression], rights: Mapping[int, tree.Expression], sums: Sums, names: Names
) -> Iterator[tree.Statement]:
    """Adds each product of a vector, which stands with its number, and that of a column to the sum of the two.

    Each of them is read once.
    """
    left_names = {row: tree.Name(names.fresh(f"a{row}")) for row in lefts}
    for row, left in lefts.items():
        yield tree.Declare(sums.vector, left_names[row].text, left)
    shared = left_names.pop(sums.rows - 1) if sums.is_paired else None
    step = 1 if shared is None else 2
    numbers = tuple(rights)
    for place in range(0, len(numbers), step):
        columns = numbers[place : place + step]
        right_names = {column: tree.Name(names.fresh(f"b{column}")) for column in columns}
        for column, name in right_names.items():
            yield tree.Declare(sums.vector.element, name.text, rights[column])
        if shared is not None:
            yield _add(
                shared, _side_by_side(tuple(right_names.values()), sums.vector), sums.at(sums.rows - 1, columns[0])
            )
        for column, name in right_names.items():
            for row, left_name in left_names.items():
                yield _add(left_name, name, sums.at(row, column))


def _side_by_side(numbers: tuple[tree.Name, ...], vector: Vector) -> tree.Expression:
    """A vector with one number in its first half and the other in its second, if there is another."""
    if len(numbers) == 1:
        return numbers[0]
    return tree.Pack(vector, tuple(number for number in numbers for _ in range(vector.width // 2)))


def _add(left: tree.Expression, right: tree.Expression, sum_: tree.Place) -> tree.Statement:
    return tree.Assign(sum_, tree.Binary(tree.BinaryOperator.MULTIPLY, left, right), tree.BinaryOperator.ADD)

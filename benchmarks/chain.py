"""A kernel as the dense matrix products of one element, which is what libraries for small matrices ask for.

    chain   = { step }
    step    = product | update
    product = matrix ":=" matrix matrix + beta matrix       `times` copies
    update  = matrix ":=" scalar * matrix + beta matrix

Matrices are column-major parts of a tensor; all sizes and offsets count entries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Matrix:
    """Entry (i, j) of copy t is entry `offset + i + j ld + t distance` of the memory of the tensor, of one element."""

    tensor: str
    ld: int
    offset: int = 0
    distance: int = 0


def slices(tensor: str, rows: int, columns: int) -> Matrix:
    """A matrix of a tensor with three modes for each position in the last one, one copy after the other."""
    return Matrix(tensor, rows, distance=rows * columns)


@dataclass(frozen=True, slots=True)
class Product:
    """`c := a b + beta c` with a of m x k, b of k x n, c of m x n; beta is 0 or 1.

    Of `reduced` copies the products are added, instead of one c for each copy.
    """

    a: Matrix
    b: Matrix
    c: Matrix
    m: int
    n: int
    k: int
    beta: int = 0
    times: int = 1
    reduced: int = 1


@dataclass(frozen=True, slots=True)
class Update:
    """`c := scalar * a + beta c`, all m x n; `scalar` is the name of an argument, beta is 0 or 1."""

    scalar: str
    a: Matrix
    c: Matrix
    m: int
    n: int
    beta: int = 0


Step = Product | Update


@dataclass(frozen=True, slots=True)
class Chain:
    """The steps in order.

    `temporaries` are tensors that every element needs for itself, with their entries; `constants` are made of constant
    arguments, as transposed ones, before anything is timed.
    """

    steps: tuple[Step, ...]
    temporaries: Mapping[str, int] = field(default_factory=dict)
    constants: Mapping[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Box:
    """The smallest part of a matrix that holds its non-zeros: rows and columns from the first to behind the last."""

    first_row: int
    end_row: int
    first_column: int
    end_column: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.end_row - self.first_row

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.end_column - self.first_column


def box_of(matrix: Array) -> Box:
    """The box of the non-zeros of a matrix that has some."""
    rows, columns = np.nonzero(matrix)
    return Box(int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1)

"""A case: a kernel of ours, on how much data it runs, and how others compute the same.

Peers that read index strings get `statements`, which have the index `e` for the element of the batch. Peers that
multiply matrices get `chain`, the dense products of one element, see `benchmarks.chain`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from benchmarks.chain import Array, Chain

Arrays = Mapping[str, Array]


class WorkingSet(Enum):
    """How much data a case runs over; the value is what the row says."""

    CACHE = "in cache"
    """4 MiB of batched data for each core of a CPU, 32 MiB on a GPU: a cache holds it, and starting does not count."""
    MEMORY = "from memory"
    """200 MB of batched data, 800 MB on a GPU."""
    SINGLE = "once"
    """One element: a contraction that is large enough by itself."""


@dataclass(frozen=True, slots=True)
class FileSource:
    """A kernel of an `.ein` file."""

    path: Path
    kernel: str
    defines: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class StringSource:
    """An index string with the shapes of its operands; the arrays are called A, B, … and the result is the last."""

    text: str
    shapes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A product: `subscripts` as for `numpy.einsum`, names of the operands, and of a scalar factor if there is one."""

    subscripts: str
    operands: tuple[str, ...]
    scalar: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """`target = sum of terms`, or `target += sum of terms`."""

    target: str
    terms: tuple[Term, ...]
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Entrywise:
    """`target = function(target + bias)` behind all statements, with an entry of the bias for each row.

    The function is "relu" or "gelu".
    """

    target: str
    bias: str
    function: str


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel on one amount of data, in one element type ("f32" or "f64").

    `chain` makes the dense products from the arguments of the kernel, because it may cut matrices to the boxes of their
    non-zeros; None: there is no such chain. `parts` are kernels that have the same effect one after the other.
    `last` is done to the result. With `has_primitives`, plain products are not all that there is.
    """

    name: str
    source: FileSource | StringSource
    real: str
    working_set: WorkingSet
    statements: tuple[Statement, ...]
    chain: Callable[[Arrays], Chain] | None = None
    parts: tuple[FileSource, ...] = field(default=())
    last: Entrywise | None = None
    has_primitives: bool = False

    @property
    def title(self) -> str:
        """The name in a table."""
        return self.name if self.working_set is WorkingSet.SINGLE else f"{self.name}, {self.working_set.value}"

"""W vectors of W entries each, transposed: what was vector i becomes lane i."""

from collections.abc import Iterator

from einsum_front.tl_backend.kernel.tree import (
    Assign,
    Declare,
    Expression,
    Function,
    Integer,
    Lanes,
    Name,
    Pack,
    Parameter,
    Shuffle,
    Statement,
    Subscript,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl.target import Target


def transpose_name(vector: Vector) -> str:
    """Name of the function for such vectors where a file may need several."""
    return f"transpose_{vector.element.value}x{vector.width}"


TRANSPOSE_NAMES = frozenset(
    transpose_name(Vector(element, width)) for element in (Scalar.F32, Scalar.F64) for width in (2, 4, 8, 16)
)
"""All names of functions that transpose, so that nothing else gets them."""


def transpose_function(name: str, vector: Vector, target: Target) -> Function:
    """A function that transposes the array that its argument points to.

    Stage by stage, blocks of 1, 2, 4, … entries are swapped between two vectors that are as many vectors apart.
    """
    rows = Name("rows")
    body: list[Statement] = []
    block = 1
    while block < vector.width:
        for upper in (row for row in range(vector.width) if not row & block):
            body += _swap(rows, upper, block, vector, target)
        block *= 2
    return Function(name, (Parameter(Pointer(vector, AddressSpace.PRIVATE), rows.text),), tuple(body))


def _swap(rows: Name, upper: int, block: int, vector: Vector, target: Target) -> Iterator[Statement]:
    above, below = Subscript(rows, Integer(upper)), Subscript(rows, Integer(upper + block))
    interleaved = _shuffled if target.has_shuffles else _joined
    kept = Name(f"row{upper}_{block}")
    yield Declare(vector, kept.text, interleaved(above, below, 0, block, vector))
    yield Assign(below, interleaved(above, below, block, block, vector))
    yield Assign(above, kept)


def _joined(above: Expression, below: Expression, first: int, block: int, vector: Vector) -> Expression:
    """Blocks of the one and the other in turn, from every second place on."""
    blocks = (range(start, start + block) for start in range(first, vector.width, 2 * block))
    return Pack(vector, tuple(Lanes(row, tuple(lanes)) for lanes in blocks for row in (above, below)))


def _shuffled(above: Expression, below: Expression, first: int, block: int, vector: Vector) -> Expression:
    """The same in one step."""
    starts = range(first, vector.width, 2 * block)
    lanes = (row + start + lane for start in starts for row in (0, vector.width) for lane in range(block))
    return Shuffle(vector, above, below, tuple(lanes))

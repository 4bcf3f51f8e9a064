"""W vectors of W entries each, transposed: what was vector i becomes lane i."""

from collections.abc import Iterator

from tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    Declare,
    Expression,
    Function,
    Integer,
    Lanes,
    Name,
    Parameter,
    Pointer,
    Statement,
    Subscript,
    Tuple,
    Vector,
)


def transpose_function(name: str, vector: Vector) -> Function:
    """A function that transposes the array that its argument points to.

    Stage by stage, blocks of 1, 2, 4, … entries are swapped between two vectors that are as many vectors apart.
    """
    rows = Name("rows")
    body: list[Statement] = []
    block = 1
    while block < vector.width:
        for upper in (row for row in range(vector.width) if not row & block):
            body += _swap(rows, upper, upper + block, block, vector)
        block *= 2
    return Function(name, (Parameter(Pointer(vector, AddressSpace.PRIVATE), rows.text),), tuple(body))


def _swap(rows: Name, upper: int, lower: int, block: int, vector: Vector) -> Iterator[Statement]:
    above, below = Subscript(rows, Integer(upper)), Subscript(rows, Integer(lower))
    kept = Name(f"row{upper}_{block}")
    yield Declare(vector, kept.text, Tuple(vector, tuple(_interleaved(above, below, 0, block, vector.width))))
    yield Assign(below, Tuple(vector, tuple(_interleaved(above, below, block, block, vector.width))))
    yield Assign(above, kept)


def _interleaved(above: Expression, below: Expression, first: int, block: int, width: int) -> Iterator[Expression]:
    """Blocks of the one and the other in turn, from every second place on."""
    for start in range(first, width, 2 * block):
        lanes = tuple(range(start, start + block))
        yield Lanes(above, lanes)
        yield Lanes(below, lanes)

"""W vectors of W entries each, transposed: what was vector i becomes lane i."""

from collections.abc import Iterator

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl.target import Target


def transpose_name(vector: Vector) -> str:
    """Name of the function for such vectors where a file may need several."""
    return f"transpose_{vector.element.value}x{vector.width}"


TRANSPOSE_NAMES = frozenset(
    transpose_name(Vector(element, width)) for element in (Scalar.F32, Scalar.F64) for width in (2, 4, 8, 16)
)
"""All names of functions that transpose, so that nothing else gets them."""


def transpose_function(name: str, vector: Vector, target: Target) -> tree.Function:
    """A function that transposes the array that its argument points to.

    Stage by stage, blocks of 1, 2, 4, … entries are swapped between two vectors that are as many vectors apart.
    """
    rows = tree.Name("rows")
    body: list[tree.Statement] = []
    block = 1
    while block < vector.width:
        for upper in (row for row in range(vector.width) if not row & block):
            body += _swap(rows, upper, block, vector, target)
        block *= 2
    return tree.Function(name, (tree.Parameter(Pointer(vector, AddressSpace.PRIVATE), rows.text),), tuple(body))


def _swap(rows: tree.Name, upper: int, block: int, vector: Vector, target: Target) -> Iterator[tree.Statement]:
    above, below = tree.Subscript(rows, tree.Integer(upper)), tree.Subscript(rows, tree.Integer(upper + block))
    interleaved = _shuffled if target.has_shuffles else _joined
    kept = tree.Name(f"row{upper}_{block}")
    yield tree.Declare(vector, kept.text, interleaved(above, below, 0, block, vector))
    yield tree.Assign(below, interleaved(above, below, block, block, vector))
    yield tree.Assign(above, kept)


def _joined(above: tree.Expression, below: tree.Expression, first: int, block: int, vector: Vector) -> tree.Expression:
    """Blocks of the one and the other in turn, from every second place on."""
    blocks = (range(start, start + block) for start in range(first, vector.width, 2 * block))
    return tree.Pack(vector, tuple(tree.Lanes(row, tuple(lanes)) for lanes in blocks for row in (above, below)))


def _shuffled(
    above: tree.Expression, below: tree.Expression, first: int, block: int, vector: Vector
) -> tree.Expression:
    """The same in one step."""
    starts = range(first, vector.width, 2 * block)
    lanes = (row + start + lane for start in starts for row in (0, vector.width) for lane in range(block))
    return tree.Shuffle(vector, above, below, tuple(lanes))

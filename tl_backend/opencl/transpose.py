"""W vectors of W entries each, transposed: what was vector i becomes lane i."""

from collections.abc import Iterator

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector, size_of
from einsum_front.tl_backend.opencl.target import Target

Lanes = tuple[int, ...]
"""What a vector takes from two others; the lanes of the second are counted on from the first."""


def transpose_name(vector: Vector) -> str:
    """Name of the function for such vectors where a file may need several."""
    return f"transpose_{vector.element.value}x{vector.width}"


TRANSPOSE_NAMES = frozenset(
    transpose_name(Vector(element, width)) for element in (Scalar.F32, Scalar.F64) for width in (2, 4, 8, 16)
)
"""All names of functions that transpose, so that nothing else gets them."""


def transpose_function(name: str, vector: Vector, target: Target) -> tree.Function:
    """A function that transposes the array that its argument points to.

    Each stage makes two vectors of two, by shuffles for which processors have an instruction: entries in turn within
    blocks of 16 bytes, whole blocks elsewhere. What compilers make of others may take three times as long.
    """
    rows = tree.Name("rows")
    body: list[tree.Statement] = []
    for distance, lanes in _stages(vector):
        for upper in (row for row in range(vector.width) if not row & distance):
            body += _swap(rows, upper, distance, lanes, vector, target)
    return tree.Function(name, (tree.Parameter(Pointer(vector, AddressSpace.PRIVATE), rows.text),), tuple(body))


BLOCK = 16
"""Bytes of the parts of vectors within which x86 shuffles entries."""


def _stages(vector: Vector) -> Iterator[tuple[int, tuple[Lanes, Lanes]]]:
    """How far apart the two vectors of a stage are, and where those that replace them come from."""
    size = min(vector.width, BLOCK // size_of(vector.element))
    distance = size // 2
    while distance:
        yield distance, _in_turn(size, vector)
        distance //= 2
    distance = size
    while distance < vector.width:
        yield distance, _every_second(size, vector)
        distance *= 2


def _in_turn(size: int, vector: Vector) -> tuple[Lanes, Lanes]:
    """Entries of the first halves of blocks of both vectors in turn, and of the second halves."""

    def half(first: int) -> Lanes:
        starts = range(first, vector.width, size)
        return tuple(row + start + entry for start in starts for entry in range(size // 2) for row in (0, vector.width))

    return half(0), half(size // 2)


def _every_second(size: int, vector: Vector) -> tuple[Lanes, Lanes]:
    """The blocks of both vectors with even numbers, and those with odd ones."""

    def blocks(first: int) -> Lanes:
        starts = range(first, 2 * vector.width, 2 * size)
        return tuple(start + entry for start in starts for entry in range(size))

    return blocks(0), blocks(size)


def _swap(
    rows: tree.Name, upper: int, distance: int, lanes: tuple[Lanes, Lanes], vector: Vector, target: Target
) -> Iterator[tree.Statement]:
    above, below = tree.Subscript(rows, tree.Integer(upper)), tree.Subscript(rows, tree.Integer(upper + distance))
    shuffled = tree.Shuffle if target.has_shuffles else _joined
    kept = tree.Name(f"row{upper}_{distance}")
    yield tree.Declare(vector, kept.text, shuffled(vector, above, below, lanes[0]))
    yield tree.Assign(below, shuffled(vector, above, below, lanes[1]))
    yield tree.Assign(above, kept)


def _joined(vector: Vector, above: tree.Expression, below: tree.Expression, lanes: Lanes) -> tree.Expression:
    """The same without a shuffle: halves of the vectors as they are, all else entry by entry.

    Of other pieces, compilers make detours.
    """
    half = vector.width // 2
    pieces = [lanes[:half], lanes[half:]]
    if any(piece != tuple(range(piece[0], piece[0] + half)) for piece in pieces):
        pieces = [(lane,) for lane in lanes]
    rows = above, below
    parts = (tree.Lanes(rows[each[0] // vector.width], tuple(lane % vector.width for lane in each)) for each in pieces)
    return tree.Pack(vector, tuple(parts))

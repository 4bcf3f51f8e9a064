"""W vectors of W entries each, transposed: what was vector i becomes lane i."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector, size_of
from einsum_front.tl_backend.opencl.target import Target

Halves = tuple[tuple[int, ...], tuple[int, ...]]
"""The lanes that each of two new vectors takes from two old ones, those of the second counted on from the first."""


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


def _stages(vector: Vector) -> Iterator[tuple[int, Halves]]:
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


def _in_turn(size: int, vector: Vector) -> Halves:
    """Entries of the first halves of blocks of both vectors in turn, and of the second halves."""
    first, second = (
        tuple(
            row + start + entry
            for start in range(half, vector.width, size)
            for entry in range(size // 2)
            for row in (0, vector.width)
        )
        for half in (0, size // 2)
    )
    return first, second


def _every_second(size: int, vector: Vector) -> Halves:
    """The blocks of both vectors with even numbers, and those with odd ones."""
    first, second = (
        tuple(start + entry for start in range(odd, 2 * vector.width, 2 * size) for entry in range(size))
        for odd in (0, size)
    )
    return first, second


def _swap(
    rows: tree.Name, upper: int, distance: int, lanes: Halves, vector: Vector, target: Target
) -> Iterator[tree.Statement]:
    above, below = tree.Subscript(rows, tree.Integer(upper)), tree.Subscript(rows, tree.Integer(upper + distance))
    shuffled = _shuffled if target.has_shuffles else _joined
    first, second = lanes
    kept = tree.Name(f"row{upper}_{distance}")
    yield tree.Declare(vector, kept.text, shuffled(above, below, first, vector))
    yield tree.Assign(below, shuffled(above, below, second, vector))
    yield tree.Assign(above, kept)


def _joined(above: tree.Expression, below: tree.Expression, lanes: Sequence[int], vector: Vector) -> tree.Expression:
    """Runs of entries where they are halves of vectors; else one by one: of other pieces, compilers make detours."""
    runs = [tuple(run) for _, run in groupby(lanes, lambda lane: lane // vector.width)]
    are_runs = all(run == tuple(range(run[0], run[-1] + 1)) for run in runs)
    pieces = runs if are_runs else [(lane,) for lane in lanes]
    rows = above, below
    parts = (tree.Lanes(rows[each[0] // vector.width], tuple(lane % vector.width for lane in each)) for each in pieces)
    return tree.Pack(vector, tuple(parts))


def _shuffled(above: tree.Expression, below: tree.Expression, lanes: Sequence[int], vector: Vector) -> tree.Expression:
    """The same in one step."""
    return tree.Shuffle(vector, above, below, tuple(lanes))

"""File that every schedule makes of a function: its last functions are the kernel; and the geometry of its launches."""

from collections.abc import Iterator
from hashlib import sha256
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Span
from einsum_front.core.extent import Extent
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import features_of_file, features_of_function
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.unparse import instruction_line


@dataclass(frozen=True, slots=True)
class Kernel:
    """The code of a kernel and the geometry of its launch: fields as those of the artifact.

    `local_memory` and `scratch` are bytes of a work-group. A kernel of several `stages` is as many functions with the
    same parameters, launched one after the other. `close` are pairs of modes of arguments that follow each other:
    the launch sees to that.
    `spared` are arguments whose declared zeros it neither reads nor writes.
    """

    file: tree.File
    work_group_size: tuple[int, int] = (1, 1)
    local_memory: int = 0
    elements_per_group: int = 1
    groups_per_element: int = 1
    scratch: Extent = 0
    stages: int = 1
    close: tuple[tuple[str, tuple[int, int]], ...] = ()
    spared: frozenset[str] = frozenset()

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the functions that are launched, in their order."""
        return tuple(function.name for function in self.file.functions[-self.stages :])

    @property
    def private_bytes(self) -> int:
        """Of all arrays of the work-items of a group, in the function that has most; none calls another with many."""
        found = (each.get(features_of_function).bytes_in(AddressSpace.PRIVATE) for each in self.file.functions)
        return max(found, default=0) * prod(self.work_group_size)


DIGITS = 12
"""Hexadecimal digits of a name: two of a million functions are the same by chance once in 500 programs."""


def routine_name(parameters: tuple[tree.Parameter, ...], body: tree.Statements) -> str:
    """The name of a function that several kernels may share: functions of one name do the same."""
    return f"product_{sha256(repr((parameters, body)).encode()).hexdigest()[:DIGITS]}"


def free_names(target: Target, taken: frozenset[str]) -> Names:
    """Names for a file that is merged with one that defines those taken; helpers are called the same in both."""
    ending = target.language.ending
    called = {name + ending for name in (*TRANSPOSE_NAMES, "transpose") if ending}
    return Names(target.language.reserved | TRANSPOSE_NAMES | called | taken)


def defined(file: tree.File) -> frozenset[str]:
    """The names that a file defines."""
    return frozenset({*(each.name for each in file.functions), *(each.name for each in file.tables)})


def named(file: tree.File) -> frozenset[str]:
    """All names of a file, those inside of its functions too."""
    parameters = (each.name for function in file.functions for each in function.parameters)
    return frozenset({*defined(file), *parameters, *features_of_file(file).declared})


def merged(first: tree.File, second: tree.File) -> tree.File:
    """The functions of both, those of the second last: a kernel and what runs before it.

    They may call the same helpers; what both have stands there once. The first line says what the second is, the next
    what the first is.
    """
    entry = first.functions[-1].name
    return tree.File(
        tuple(dict.fromkeys((*first.functions, *second.functions))),
        (*second.comment, *(f"before each launch, `{entry}`: {text}" for text in first.comment)),
        tuple(dict.fromkeys((*first.tables, *second.tables))),
    )


# -- the shape of a launch ---------------------------------------------------------------------------------------------
# A group of the language is a work-group, and work-groups are counted in the third dimension. The first two
# dimensions hold the work-items of one group: the global size is (m, n, groups), the local size (m, n, 1). Columns
# without rows, (1, n), are launched as (n, 1): PoCL 3.0 runs work-items twice in front of a barrier in a branch if
# the first dimension has one work-item and the second has more.


def local_size(function: Function) -> tuple[int, int]:
    """The first two dimensions of the work-group in the launch."""
    rows, columns = function.work_items
    return (columns, 1) if rows == 1 else (rows, columns)


def work_group() -> tree.Expression:
    """The number of the work-group among all of the launch."""
    return tree.GroupId()


def work_groups() -> tree.Expression:
    """How many work-groups the launch has."""
    return tree.GroupCount()


def group_id(groups_per_element: int = 1) -> tree.Expression:
    """The number of the group of the language, which several work-groups may be."""
    return index.divide(work_group(), index.constant(groups_per_element))


def group_size(groups_per_element: int = 1) -> tree.Expression:
    """The number of groups of the language in the launch."""
    return index.divide(work_groups(), index.constant(groups_per_element))


# -- the comment above the code of an instruction ----------------------------------------------------------------------
# The instruction, and the characters that it came from.


def statement(instruction: tl.Instruction) -> str:
    """The instruction without its regions, and without the types of its operands."""
    return instruction_line(instruction).removesuffix("{").partition(" : ")[0].strip()


def comment(instruction: tl.Instruction) -> tuple[str, ...]:
    """The instruction without its regions, then the place of each span of its origin."""
    text = instruction_line(instruction)
    return text, *(_place(span, text) for span in instruction.origin)


def _place(span: Span, instruction: str) -> str:
    """The place, and the first line of what stands there unless it is the instruction itself."""
    line, column = span.source.position(span.start)
    place = f"{span.source.name}:{line}:{column}"
    first = span.text.partition("\n")[0].partition(";!")[0].strip()
    return place if _squeezed(instruction).startswith(_squeezed(first)) else f"{place}: {first}"


def _squeezed(text: str) -> str:
    return "".join(text.split())


# -- W vectors of W entries each, transposed: what was vector i becomes lane i -----------------------------------------

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

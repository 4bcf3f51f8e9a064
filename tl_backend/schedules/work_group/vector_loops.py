"""Loops over entries that a work-item alone runs in vectors.

    foreach %k = 0, 49 {                           for (long k = 0; k < 48; k += 4) {
      %x = load %a[%k]                                 double4 x = *(double4_u *)(a + k);
      %y = math.sqrt %x                                double4 y = sqrt(x);
      store %y, %b[%k]                                 *(double4_u *)(b + k) = y;
    }                                              }
                                                   the same for the last vector, which starts at 45

Iterations of a `foreach` are independent of each other. If they write nothing that they read, the last vector starts
early enough to end with the last entry, and computes some entries again; else what is left is done in smaller vectors.
"""

from collections.abc import Iterator

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Memory, memory_of
from einsum_front.tl_backend.analysis.extremum import find_extremum
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.entries import Entries, has_vectors
from einsum_front.tl_backend.schedules.work_group.extremum import lower_extremum
from einsum_front.tl_backend.schedules.work_group.neighbours import powers
from einsum_front.tl_backend.schedules.work_group.strategy import VectorExtremum, VectorLoop, VectorLoops
from einsum_front.tl_backend.schedules.work_group.vectors import vector_width
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.types import ScalarType

BESIDE = 4
"""Vectors that are compared side by side: each comparison waits for the one before it."""


def find_vector_loops(function: Function, target: Target) -> VectorLoops:
    """The loops that run in vectors; none where a work-item is not alone."""
    if not target.is_cpu or function.work_items != (1, 1):
        return {}
    memory = memory_of(function)
    loops = (each for each in walk(function.body) if isinstance(each, tl.Foreach))
    return {loop: found for loop in loops if (found := _found(loop, memory, target) or _extremum(loop, memory, target))}


def _found(loop: tl.Foreach, memory: Memory, target: Target) -> VectorLoop | None:
    start, stop, stores = loop.start, loop.stop, [each for each in loop.body if isinstance(each, tl.Store)]
    if not isinstance(start, tl.IntegerConstant) or not isinstance(stop, tl.IntegerConstant) or not stores:
        return None
    element, extent = stores[0].type.element, stop.value - start.value
    if element not in (ScalarType.F32, ScalarType.F64) or extent < 1:
        return None
    if not all(has_vectors(each, loop.variable.name, element, may_be_long=True) for each in loop.body):
        return None
    width = vector_width(extent, REGISTER[element], target)
    reads_own = _reads_own(loop, memory)
    if width == 1 or reads_own is None:
        return None
    return VectorLoop(REGISTER[element], start.value, stop.value, width, overlaps=not reads_own)


def _reads_own(loop: tl.Foreach, memory: Memory) -> bool | None:
    """True if an iteration reads entries that it writes; None if it may read others of the memory that is written."""
    loads = [each for each in loop.body if isinstance(each, tl.Load)]
    stores = [each for each in loop.body if isinstance(each, tl.Store)]
    names = [*(each.operand.name for each in loads), *(each.target.name for each in stores)]
    if not all(name in memory for name in names):
        return None
    written, own = {memory[each.target.name] for each in stores}, {(each.target, each.indices) for each in stores}
    read = [each for each in loads if memory[each.operand.name] in written]
    return bool(read) if all((each.operand, each.indices) in own for each in read) else None


def _extremum(loop: tl.Foreach, memory: Memory, target: Target) -> VectorExtremum | None:
    """How the numbers of an extremum become vectors: of each whole one there are two at least."""
    found = find_extremum(loop.body, memory)
    element = None if found is None else found.store.type.element
    if found is None or element is None or element not in (ScalarType.F32, ScalarType.F64):
        return None
    if not all(has_vectors(each, found.variable.name, element) for each in found.steps):
        return None
    width = vector_width(found.extent, REGISTER[element], target)
    if width == 1 or found.extent < 2 * width:
        return None
    return VectorExtremum(REGISTER[element], found, width, min(BESIDE, found.extent // width))


def lower_vector_loop(loop: tl.Foreach, vectors: VectorLoop | VectorExtremum, context: Context) -> tree.Statements:
    """The loop in vectors."""
    match vectors:
        case VectorLoop():
            return _lower_entries(loop, vectors, context)
        case VectorExtremum():
            inner = context.inner()
            variable = tree.Name(inner.names.fresh(local_name(loop.variable.name)))
            inner.values[loop.variable.name] = variable
            start, stop = map(context.index, (loop.start, loop.stop))
            body = lower_extremum(vectors, inner)
            return (tree.For(Scalar.I64, variable.text, start, stop, index.ONE, body),)


def _lower_entries(loop: tl.Foreach, vectors: VectorLoop, context: Context) -> tree.Statements:
    """The loop over whole vectors, and what is left."""
    inner = context.inner()
    variable = tree.Name(inner.names.fresh(local_name(loop.variable.name)))
    whole = (vectors.stop - vectors.start) // vectors.width * vectors.width
    body = tuple(_sections(loop, variable, vectors.width, vectors, inner))
    start, stop, step = map(index.constant, (vectors.start, vectors.start + whole, vectors.width))
    return tree.For(Scalar.I64, variable.text, start, stop, step, body), *_rest(loop, whole, vectors, inner)


def _rest(loop: tl.Foreach, whole: int, vectors: VectorLoop, context: Context) -> Iterator[tree.Statement]:
    """The entries that fill no vector."""
    rest = vectors.stop - vectors.start - whole
    pieces = (
        [(vectors.stop - vectors.width, vectors.width)]
        if rest and vectors.overlaps
        else [(vectors.start + whole + first, size) for first, size in powers(rest)]
    )
    for first, size in pieces:
        yield tree.Block(tuple(_sections(loop, index.constant(first), size, vectors, context)))


def _sections(
    loop: tl.Foreach, first: tree.Expression, count: int, vectors: VectorLoop, context: Context
) -> Iterator[tree.Statement]:
    entries = Entries(loop.variable.name, {loop.variable.name: first}, count, vectors.real, context)
    return (tree.Section(comment(each), entries.step(each), each.origin) for each in loop.body)

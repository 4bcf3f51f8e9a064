"""Loops over entries that a work-item alone runs in vectors.

    foreach %k = 0, 49 {                           for (long k = 0; k < 48; k += 4) {
      %x = load %a[%k]                                 double4 x = *(double4_u *)(a + k);
      %y = math.sqrt %x                                double4 y = sqrt(x);
      store %y, %b[%k]                                 *(double4_u *)(b + k) = y;
    }                                              }
                                                   the same for the last vector, which starts at 45

Functions of many lines (`exp`, `log`, `tanh`, `erf`) are computed for several vectors in turn, line by line.

Iterations of a `foreach` are independent of each other. If they write nothing that they read, the last vector starts
early enough to end with the last entry, and computes some entries again; else what is left is done in smaller vectors.

The largest or smallest of numbers that are neighbours in memory, in vectors.

double4 max_1 = *(double4_u *)(x + 56 * q), max_2 = *(double4_u *)(x + (4 + 56 * q));
for (long k = 8; k < 56; k += 8) {
    double4 x_1 = *(double4_u *)(x + (k + 56 * q));
    max_1 = x_1 != x_1 ? x_1 : max_1 < x_1 ? x_1 : max_1;
    …
}
…                                               what is left: the last vector ends with the last number
double4 max_3 = max_2 != max_2 ? max_2 : max_1 < max_2 ? max_2 : max_1;
double2 max_4 = the halves of max_3 compared with each other, and so on
"""

from collections.abc import Iterator, Sequence

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.epilogue import Memory, memory_of
from einsum_front.tl_backend.analysis.extremum import find_extremum
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Type, Vector
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.kernel import comment
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.outer_product import powers
from einsum_front.tl_backend.schedules.work_group.context import GroupContext, VectorExtremum, VectorLoop, VectorLoops
from einsum_front.tl_backend.schedules.work_group.epilogue import LONG, Entries, has_vectors
from einsum_front.tl_backend.schedules.work_group.vectors import vector_width
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import ScalarType

BESIDE = 4
"""Vectors that are compared side by side, or whose functions of many lines are computed so: each step of one waits for
the step before it. With 16 registers there is room for half as many functions."""


FEW_REGISTERS = 16


def find_vector_loops(function: Function, target: Target) -> VectorLoops:
    """The loops that run in vectors; none where a work-item is not alone."""
    if not target.is_cpu or function.work_items != (1, 1):
        return {}
    memory = memory_of(function)
    loops = (each for each in function.get(walked) if isinstance(each, tl.Foreach))
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
    is_long = any(isinstance(each, tl.MathCall) and each.function in LONG for each in loop.body)
    if width == 1 or reads_own is None:
        return None
    most = 1 if not is_long else BESIDE if target.vector_registers > FEW_REGISTERS else BESIDE // 2
    beside = min(most, extent // width)
    return VectorLoop(REGISTER[element], start.value, stop.value, width, beside, overlaps=not reads_own)


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


def lower_vector_loop(loop: tl.Foreach, vectors: VectorLoop | VectorExtremum, context: GroupContext) -> tree.Statements:
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


def _lower_entries(loop: tl.Foreach, vectors: VectorLoop, context: GroupContext) -> tree.Statements:
    """The loop over whole vectors, some side by side, and what is left."""
    inner = context.inner()
    variable = tree.Name(inner.names.fresh(local_name(loop.variable.name)))
    step = vectors.width * vectors.beside
    looped = (vectors.stop - vectors.start) // step * step
    firsts = [index.add(variable, index.constant(place)) for place in range(0, step, vectors.width)]
    body = tuple(_sections(loop, firsts, vectors.width, vectors, inner))
    start, stop, by = map(index.constant, (vectors.start, vectors.start + looped, step))
    return tree.For(Scalar.I64, variable.text, start, stop, by, body), *_rest(loop, looped, vectors, inner)


def _rest(loop: tl.Foreach, looped: int, vectors: VectorLoop, context: GroupContext) -> Iterator[tree.Statement]:
    """The vectors that are not as many as stand side by side, then the entries that fill none."""
    width, left = vectors.width, vectors.stop - vectors.start - looped
    rest = left % width
    pieces: list[tuple[list[int], int]] = []
    if left >= width:
        pieces.append((list(range(vectors.start + looped, vectors.stop - width + 1, width)), width))
    if rest and vectors.overlaps:
        pieces.append(([vectors.stop - width], width))
    elif rest:
        pieces += [([vectors.stop - rest + first], size) for first, size in powers(rest)]
    for firsts, size in pieces:
        yield tree.Block(tuple(_sections(loop, list(map(index.constant, firsts)), size, vectors, context)))


def _sections(
    loop: tl.Foreach, firsts: Sequence[tree.Expression], count: int, vectors: VectorLoop, context: GroupContext
) -> Iterator[tree.Statement]:
    """The instructions, each for the vectors that start there in turn."""
    row = loop.variable.name
    entries = Entries(row, {row: firsts[0]}, count, vectors.real, context)
    others = [entries.beside({row: first}) for first in firsts[1:]]
    return (tree.Section(comment(each), entries.step(each, others), each.origin) for each in loop.body)


# -- extremum ----------------------------------------------------------------------------------------------------------


def lower_extremum(vectors: VectorExtremum, context: Context) -> tree.Statements:
    """The statements of an iteration, which end with the store."""
    return tuple(_Lowering(vectors, context).statements())


class _Lowering:
    """The largest or smallest numbers so far, in the lanes of some vectors."""

    def __init__(self, vectors: VectorExtremum, context: Context) -> None:
        self._vectors, self._of, self._context = vectors, vectors.extremum, context
        self._type = Vector(vectors.real, vectors.width)
        name = self._of.function.value
        self._found = [tree.Name(context.names.fresh(f"{name}_{n + 1}")) for n in range(vectors.beside)]

    def statements(self) -> Iterator[tree.Statement]:
        """The first vectors, the loop over the others, what is left, and the store."""
        width, extent, beside = self._vectors.width, self._of.extent, self._vectors.beside
        together = width * beside
        for n, each in enumerate(self._found):
            yield tree.Declare(self._type, each.text)
            yield tree.Block(self._numbers(index.constant(width * n), each, is_first=True))
        whole = extent // together * together
        if whole > together:
            variable = tree.Name(self._context.names.fresh(local_name(self._of.variable.name)))
            blocks = (
                tree.Block(self._numbers(index.add(variable, index.constant(width * n)), each))
                for n, each in enumerate(self._found)
            )
            start, stop, step = map(index.constant, (together, whole, together))
            yield tree.For(Scalar.I64, variable.text, start, stop, step, tuple(blocks))
        for place, each in zip(range(whole, extent, width), self._found, strict=False):
            yield tree.Block(self._numbers(index.constant(min(place, extent - width)), each))
        yield from self._joined()

    def _numbers(self, first: tree.Expression, so_far: tree.Name, *, is_first: bool = False) -> tree.Statements:
        """A vector of numbers, compared with those so far."""
        of, context = self._of, self._context.inner()
        entries = Entries(of.variable.name, {of.variable.name: first}, self._vectors.width, self._vectors.real, context)
        steps = tuple(tree.Section(comment(each), entries.step(each), each.origin) for each in of.steps)
        value = entries.operand(of.value, of.store.type.element)
        return *steps, tree.Assign(so_far, value if is_first else scalar.call(of.function, (so_far, value)))

    def _joined(self) -> Iterator[tree.Statement]:
        """The vectors compared with each other, then the halves of what is found."""
        names, function = self._context.names, self._of.function
        found: list[tree.Expression] = list(self._found)
        while len(found) > 1:
            one, other, *rest = found
            name = tree.Name(names.fresh(function.value))
            yield tree.Declare(self._type, name.text, scalar.call(function, (one, other)))
            found = [*rest, name]
        (value,), width = found, self._vectors.width
        while width > 1:
            width //= 2
            type_: Type = Vector(self._vectors.real, width) if width > 1 else self._vectors.real
            halves = [tree.Name(names.fresh(function.value)) for _ in range(2)]
            for half, start in zip(halves, (0, width), strict=True):
                yield tree.Declare(type_, half.text, tree.Lanes(value, tuple(range(start, start + width))))
            name = tree.Name(names.fresh(function.value))
            yield tree.Declare(type_, name.text, scalar.call(function, halves))
            value = name
        store = self._of.store
        place = self._context.view(store.target).entry(tuple(map(self._context.index, store.indices)))
        yield tree.Section(comment(store), (tree.Assign(place, value),), store.origin)

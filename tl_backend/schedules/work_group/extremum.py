"""The largest or smallest of numbers that are neighbours in memory, in vectors.

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

from collections.abc import Iterator

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Type, Vector
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.work_group.entries import Entries
from einsum_front.tl_backend.schedules.work_group.strategy import VectorExtremum


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

"""Terms of one reduction index in a block of a matrix product: a column of vectors times a row of numbers.

double4 a0 = …, a1 = …;
double b0 = …;
sum[0] += a0 * b0;
sum[1] += a1 * b0;
double b1 = …;
…

Columns may share a vector for the last rows, which stand in it once for each of them:

float8 a2 = (…).s01230123;
float b0 = …;
float b1 = …;
sum[4] += a2 * (float8)(b0, b0, b0, b0, b1, b1, b1, b1);
sum[0] += a0 * b0;
…

What they share comes first: LLVM 14 would keep the numbers in twice as many registers otherwise, and run out of them.

Where the target `holds_numbers`, they are spread over vectors, and these are blended. A compiler that knows what they
are makes several shuffles of it (GCC 12), which is why it must not look through the vectors:

double8 b0 = …, b1 = …;                     held
sum[4] += a2 * shuffle(b0, b1, 0, 1, 2, 3, 12, 13, 14, 15);
sum[0] += a0 * b0;
…
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.schedules.lowering.product import ViewFactor
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True)
class LastVector:
    """The last vector of rows, where it has fewer of them than others; so many `columns` share one."""

    rows: int
    columns: int


def sums_of(vectors: int, columns: int, sharing: int = 1) -> int:
    """The vectors of sums of a block of so many vectors of rows, of which so many columns are `sharing` the last."""
    return (vectors - 1) * columns + -(-columns // sharing)


@dataclass(frozen=True, slots=True)
class Sums:
    """The array with the sums of so many vectors of rows and columns.

    If the `last` vector has fewer rows than others, its sums stand behind the others where columns share it and fill
    it, else in `last_array`.
    """

    array: tree.Name
    vector: Vector
    rows: int
    columns: int
    last: LastVector | None = None
    last_array: tree.Name | None = None

    @property
    def sharing(self) -> int:
        """How many columns share the last vector."""
        return 1 if self.last is None else self.last.columns

    @property
    def declared(self) -> tree.Statements:
        """The arrays."""
        return tuple(tree.DeclareArray(*each, AddressSpace.PRIVATE) for each in self._arrays)

    @property
    def all(self) -> Iterator[tree.Place]:
        """Each sum, as they lie in the arrays."""
        for _, array, count in self._arrays:
            yield from (tree.Subscript(tree.Name(array), index.constant(number)) for number in range(count))

    @property
    def _arrays(self) -> list[tuple[Vector, str, int]]:
        """The type, the name and the length of each array."""
        count, own = sums_of(self.rows, self.columns, self.sharing), self._own
        whole = count if own is None else count - self.columns
        arrays = [(self.vector, self.array.text, whole)] if whole else []
        return arrays if own is None else [*arrays, (own[0], own[1].text, self.columns)]

    @property
    def _own(self) -> tuple[Vector, tree.Name] | None:
        """The type and the array of the last vector, if no columns fill it."""
        if self.last is None or self.last.columns > 1 or self.last_array is None:
            return None
        return Vector(self.vector.element, self.last.rows), self.last_array

    def type(self, row: int) -> Vector:
        """The type of the sums of a vector of rows."""
        return self.vector if self._own is None or row < self.rows - 1 else self._own[0]

    def at(self, row: int, column: int) -> tree.Place:
        """The sum of a vector of rows and a column."""
        whole = self.rows if self.last is None else self.rows - 1
        if row < whole:
            return tree.Subscript(self.array, index.constant(row + whole * column))
        if self._own is not None:
            return tree.Subscript(self._own[1], index.constant(column))
        return tree.Subscript(self.array, index.constant(whole * self.columns + column // self.sharing))


def add_outer_product(
    lefts: Mapping[int, tree.Expression],
    rights: Mapping[int, tree.Expression],
    sums: Sums,
    names: Names,
    *,
    holds: bool = False,
) -> Iterator[tree.Statement]:
    """Adds each product of a vector, which stands with its number, and that of a column to the sum of the two.

    Each of them is read once. If the target `holds` numbers, those that columns share a vector for are vectors.
    """
    left_names: dict[int, tree.Name] = {}
    for row, left in lefts.items():
        is_shared = sums.sharing > 1 and row == sums.rows - 1
        repeated = sums.sharing if is_shared else 1
        left_names[row] = yield from _declared(f"a{row}", left, sums.type(row), repeated, names)
    shared = left_names.pop(sums.rows - 1, None) if sums.sharing > 1 else None
    holds = holds and shared is not None
    for columns in _parts(tuple(rights), 1 if shared is None else sums.sharing):
        right_names = {column: tree.Name(names.fresh(f"b{column}")) for column in columns}
        for column, name in right_names.items():
            if holds:
                value = tree.Pack(sums.vector, (rights[column],))
                yield tree.Declare(sums.vector, name.text, value, is_held=True)
            else:
                yield tree.Declare(sums.vector.element, name.text, rights[column])
        if shared is not None:
            numbers = tuple(right_names.values())
            together = _blended(numbers, sums) if holds else _side_by_side(numbers, sums.vector, sums.sharing)
            yield _add(shared, together, sums.at(sums.rows - 1, columns[0]))
        for column, name in right_names.items():
            for row, left_name in left_names.items():
                yield _add(left_name, name, sums.at(row, column))


def _declared(
    word: str, left: tree.Expression, vector: Vector, repeated: int, names: Names
) -> Generator[tree.Statement, None, tree.Name]:
    """Declares a vector of rows, which stand in it so many times; GCC goes through memory if steps do not double it."""
    width = vector.width // repeated
    while repeated > 2:
        half = tree.Name(names.fresh(f"{word}_{width}"))
        yield tree.Declare(Vector(vector.element, width), half.text, left)
        left, width, repeated = tree.Lanes(half, 2 * tuple(range(width))), 2 * width, repeated // 2
    if repeated == 2:
        left = tree.Lanes(left, 2 * tuple(range(width)))
    name = tree.Name(names.fresh(word))
    yield tree.Declare(vector, name.text, left)
    return name


def _side_by_side(numbers: Sequence[tree.Name], vector: Vector, parts: int) -> tree.Expression:
    """A vector of equal parts, each with one of the numbers in all entries; missing ones are the last one again."""
    if len(numbers) == 1:
        return numbers[0]
    all_numbers = (*numbers, *(numbers[-1] for _ in range(parts - len(numbers))))
    return tree.Pack(vector, tuple(number for number in all_numbers for _ in range(vector.width // parts)))


def _blended(numbers: Sequence[tree.Expression], sums: Sums) -> tree.Expression:
    """The same, of vectors that have one of the numbers in all entries: halves, quarters and eighths of two blended."""
    width = sums.vector.width
    step = width // sums.sharing
    while len(numbers) > 1:
        lanes = tuple(lane + (width if lane // step % 2 else 0) for lane in range(width))
        numbers = [
            pair[0] if len(pair) == 1 else tree.Shuffle(sums.vector, pair[0], pair[1], lanes)
            for pair in _parts(numbers, 2)
        ]
        step *= 2
    return numbers[0]


T = TypeVar("T")


def _parts(sequence: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Parts of so many members, the last one of what is left."""
    return (sequence[place : place + size] for place in range(0, len(sequence), size))


def _add(left: tree.Expression, right: tree.Expression, sum_: tree.Place) -> tree.Statement:
    return tree.Assign(sum_, tree.Binary(tree.BinaryOperator.MULTIPLY, left, right), tree.BinaryOperator.ADD)


# -- entries of a view that are neighbours in memory, as one vector ----------------------------------------------------


def neighbours(factor: ViewFactor, places: Mapping[Axis, tree.Expression], count: int) -> tree.Place:
    """So many entries, of which the first is where the loops are at these `places`; a single one is a scalar.

    Vectors may start at any entry: on CPUs, loads that know no alignment are as fast as those that do.
    """
    return entries_from(factor.view, tuple(places[loop] for loop in factor.axes), count)


def entries_from(view: View, position: tuple[tree.Expression, ...], count: int) -> tree.Place:
    """So many neighbours in memory, from this position on."""
    if count == 1:
        return view.entry(position)
    vector = Vector(memory_type(view.element), count, is_unaligned=True)
    pointer = Pointer(vector, view.pointer.space, view.pointer.is_const)
    return tree.Access(pointer, index.add(view.base, view.offset(position)))


def powers(count: int) -> Iterator[tuple[int, int]]:
    """The first lane and the number of lanes of parts that are powers of two, the largest first: 6 is 4 and 2."""
    first = 0
    while first < count:
        size = 1 << (count - first).bit_length() - 1
        yield first, size
        first += size


# -- blocks of entries that are transposed in registers ----------------------------------------------------------------
# As many vectors as one has entries, side by side in an array.
#
# double4 lines[4];
# lines[0] = …; …                 each from memory of its own
# transpose(lines);
# … = lines[0]; …                 the first entries of all of them, then the second ones


@dataclass(frozen=True, slots=True)
class TransposeBlock:
    """The vectors of an array from the number `first` on, and the function that transposes them in place."""

    array: tree.Name
    vector: Vector
    transpose: str
    first: int = 0

    @property
    def declared(self) -> tree.DeclareArray:
        """The array, for one block."""
        return tree.DeclareArray(self.vector, self.array.text, self.vector.width, AddressSpace.PRIVATE)

    @property
    def transposed(self) -> tree.Call:
        """The call."""
        return tree.Call(self.transpose, (index.add(self.array, index.constant(self.first)),))

    def at(self, number: int) -> tree.Subscript:
        """A vector, or what it becomes: the entries with this number of all of them."""
        return tree.Subscript(self.array, index.constant(self.first + number))

    @property
    def rows(self) -> list[tree.Subscript]:
        """All vectors."""
        numbers = map(index.constant, range(self.first, self.first + self.vector.width))
        return [tree.Subscript(self.array, number) for number in numbers]

    def loaded(self, sources: Sequence[tree.Expression]) -> Iterator[tree.Statement]:
        """The block, filled and transposed; where there are fewer sources than lanes, the last one is repeated."""
        rows = self.rows
        yield from map(tree.Assign, rows, sources)
        for row in rows[len(sources) :]:
            yield tree.Assign(row, rows[len(sources) - 1])
        yield self.transposed

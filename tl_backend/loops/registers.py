"""Stages as arrays of registers: which entries they hold, how these come from memory and go there.

global const double *I_0 = …, *I_3 = …;       the four elements of a block
double4 I_regs[180];
for (int b = 0; b < 45; ++b) {                rows of four entries of each element, turned around
    I_regs[4 * b] = *(const double4 *)(I_0 + 4 * b);
    …
    transpose(I_regs + 4 * b);
}
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import LINE, AddressSpace, Pointer, Scalar, Vector, size_of
from einsum_front.tl_backend.loops.extents import accesses_of, around, outer_terms, used, vector_axis
from einsum_front.tl_backend.loops.nodes import Fill, Loops, Stage, Tensor, Write
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import converted

MOST_WRITTEN_OUT = 8
"""Vectors that are loaded or stored one after the other; more are a loop over a table of places."""

MOST_ROWS_WRITTEN_OUT = 32
"""Rows of elements likewise. In a loop, compilers keep the array in memory: so many fit into registers."""


@dataclass(frozen=True, slots=True)
class Registers:
    """The array of a stage: entry `offset` of the tensor, behind `outer`, is `array[(offset - low) / unit]`.

    `places` are all offsets that are used, `written` those that are written. With a `unit` above 1 an entry of the
    array is a vector of neighbours.
    """

    array: tree.Name
    outer: Affine
    low: int
    size: int
    unit: int
    places: tuple[int, ...]
    written: tuple[int, ...]


def find_registers(stage: Stage, loops: Loops, array: tree.Name, width: int, lanes: frozenset[str]) -> Registers:
    """What a stage has to hold; `lanes` are axes whose points are elements, `width` how many of them there are.

    Raises `CompileError` (E0913) where accesses do not agree.
    """
    tensor = loops.by_name[stage.tensor]
    offsets: set[int] = set()
    written: set[int] = set()
    outer: set[tuple[tuple[str, int], ...]] = set()
    units: set[int] = set()
    for product, access in accesses_of(stage.body, stage.tensor):
        offset, extents = tensor.offset(access.index), around(product, stage.body)
        axis = vector_axis(product, stage.body)
        unit = 1 if axis is None or axis in lanes or axis not in offset.names else extents[axis]
        if unit > 1 and axis is not None:
            extents[axis] = 1
        elif axis is not None and axis in lanes:
            extents.pop(axis, None)
        found = used(access, tensor, product, stage.body, extents)
        outer.add(outer_terms(offset, extents))
        units.add(unit)
        offsets |= found
        if access == product.target:
            written |= found
    if len(units) > 1 or len(outer) > 1:
        why = "as numbers and as vectors" if len(units) > 1 else "at places of different outer loops"
        raise cannot_lower(f"`{stage.tensor}` is used {why} inside of one stage")
    (unit,), (terms,) = units, outer
    low = min(offsets)
    if any((each - low) % unit for each in offsets):
        raise cannot_lower(f"vectors of `{stage.tensor}` overlap inside of one stage")
    room = max(offsets) - low + 1
    if width > 1 and tensor.batch is not None and not tensor.is_fastest:
        low, room = _with_whole_vectors(offsets, tensor, width)
    size = -(-room // unit)
    return Registers(array, Affine(0, terms), low, size, unit, tuple(sorted(offsets)), tuple(sorted(written)))


def _with_whole_vectors(offsets: Iterable[int], tensor: Tensor, width: int) -> tuple[int, int]:
    """Where the registers begin, and how many they are, if they are loaded `width` neighbours at a time."""
    starts = list(blocks(sorted(offsets), width, tensor.span))
    places = [*starts, *(each + width - 1 for each in starts)] if tensor.span >= width else list(offsets)
    low = min(*places, *offsets)
    return low, max(*places, *offsets) - low + 1


def blocks(offsets: Sequence[int], width: int, span: int) -> Iterator[int]:
    """Where vectors of `width` neighbours begin that hold all offsets; the last ones end with the memory."""
    if span < width:
        return
    end = -1
    for offset in offsets:
        if offset >= end:
            start = min(offset, span - width)
            yield start
            end = start + width


def whole_blocks(offsets: Sequence[int], width: int, *, may_overlap: bool) -> tuple[list[int], list[int]]:
    """Where vectors begin that hold nothing but these offsets, and the offsets that are in none."""
    starts: list[int] = []
    rest: list[int] = []
    run: list[int] = []
    for offset in (*offsets, None):
        if run and offset != run[-1] + 1:
            whole = len(run) // width * width
            starts += run[:whole:width]
            if whole < len(run) and may_overlap and len(run) >= width:
                starts.append(run[-width])
            else:
                rest += run[whole:]
            run = []
        if offset is not None:
            run.append(offset)
    return starts, rest


def cannot_lower(why: str) -> CompileError:
    """The error for loops that keep all rules, and have no code."""
    return CompileError([Diagnostic("E0913", why)])


def stored(
    place: tree.Place, value: tree.Expression, operator: tree.BinaryOperator | None = None, *, is_streamed: bool
) -> tree.Assign:
    """The store, past the caches if that is wanted and the place is whole cache lines."""
    is_whole = isinstance(place, tree.Access) and size_of(place.pointer.target) % LINE == 0
    return tree.Assign(place, value, operator, is_streamed=is_streamed and is_whole and operator is None)


@dataclass(frozen=True, slots=True)
class Transfer:
    """The registers of a stage on their way from and to memory.

    `pointers` are where the entries are, for each lane, or the one from which on rows of `row` elements have them;
    `table` makes a table of numbers, `fresh` a name, `transpose` is the function that turns a square of registers
    around, and if it `is_streamed`, stores go past the caches. Rows are in `memory` in a type that may be another.
    """

    registers: Registers
    stage: Stage
    pointers: tuple[tree.Expression, ...]
    row: tree.Expression | None
    width: int
    scalar: Scalar
    space: AddressSpace
    transpose: str
    table: Callable[[str, tuple[int, ...]], tree.Name]
    fresh: Callable[[str], str]
    is_streamed: bool
    memory: Scalar

    def _entry(self, offset: tree.Expression | int) -> tree.Subscript:
        """The register of an entry."""
        place = index.constant(offset) if isinstance(offset, int) else offset
        low, unit = index.constant(self.registers.low), index.constant(self.registers.unit)
        return tree.Subscript(self.registers.array, index.divide(index.subtract(place, low), unit))

    def _memory(self, lane: int, offset: tree.Expression | int, width: int, *, is_const: bool) -> tree.Place:
        place = index.constant(offset) if isinstance(offset, int) else offset
        if self.row is not None:
            place, width = index.multiply(place, self.row), self.width
        if width == 1:
            return tree.Subscript(self.pointers[lane], place)
        pointer = Pointer(Vector(self.memory, width, is_unaligned=True), self.space, is_const)
        return tree.Access(pointer, index.add(self.pointers[lane], place))

    # -- from memory ---------------------------------------------------------------------------------------------------

    def fill(self, span: int) -> Iterator[tree.Statement]:
        """The statements that fill the registers; `span` is the memory of an element."""
        if self.stage.fill is not Fill.LOAD:
            return
        registers, width = self.registers, self.width
        if self.row is not None:
            yield from self._each(registers.places, self._load_row, MOST_ROWS_WRITTEN_OUT)
            return
        if width == 1 or span < width:
            for offset in registers.places:
                parts = tuple(self._memory(lane, offset, registers.unit, is_const=True) for lane in range(width))
                value = parts[0] if width == 1 else tree.Pack(Vector(self.scalar, width), parts)
                yield tree.Assign(self._entry(offset), value)
            return
        starts = tuple(blocks(registers.places, width, span))
        yield from self._each(starts, self._load)

    def _load_row(self, place: tree.Expression | int) -> Iterator[tree.Statement]:
        ends = self._row_types()
        yield tree.Assign(self._entry(place), converted(self._memory(0, place, 1, is_const=True), *ends))

    def _row_types(self) -> tuple[Scalar | Vector, Scalar | Vector]:
        """The types of a row in memory and in registers."""
        if self.width == 1:
            return self.memory, self.scalar
        return Vector(self.memory, self.width), Vector(self.scalar, self.width)

    def _store_row(self, place: tree.Expression | int) -> Iterator[tree.Statement]:
        old, new = self._memory(0, place, 1, is_const=False), self._entry(place)
        memory, scalar = self._row_types()
        adds = self.stage.write is Write.ADD
        made = tree.Binary(tree.BinaryOperator.ADD, converted(old, memory, scalar), new) if adds else new
        yield stored(old, converted(made, scalar, memory), is_streamed=self.is_streamed)

    def _load(self, start: tree.Expression | int) -> Iterator[tree.Statement]:
        place = index.constant(start) if isinstance(start, int) else start
        for lane in range(self.width):
            row = self._entry(index.add(place, index.constant(lane)))
            yield tree.Assign(row, self._memory(lane, start, self.width, is_const=True))
        first = index.subtract(place, index.constant(self.registers.low))
        yield tree.Call(self.transpose, (index.add(self.registers.array, first),))

    def _each(
        self,
        starts: tuple[int, ...],
        body: Callable[[tree.Expression | int], Iterator[tree.Statement]],
        most: int = MOST_WRITTEN_OUT,
    ) -> Iterator[tree.Statement]:
        if len(starts) <= most:
            for start in starts:
                yield from body(start)
            return
        variable, over = tree.Name(self.fresh("b")), f"entries of {self.stage.tensor}"
        steps = {after - before for before, after in pairwise(starts)}
        if len(steps) == 1:
            first, stop, step = (index.constant(each) for each in (starts[0], starts[-1] + 1, *steps))
            yield tree.For(Scalar.I32, variable.text, first, stop, step, tuple(body(variable)), over=over)
            return
        place, table = tree.Name(self.fresh("start")), self.table(f"{self.stage.tensor}_starts", starts)
        declared = tree.Declare(Scalar.I32, place.text, tree.Subscript(table, variable))
        bound = index.constant(len(starts))
        yield tree.For(Scalar.I32, variable.text, index.ZERO, bound, index.ONE, (declared, *body(place)), over=over)

    # -- to memory -----------------------------------------------------------------------------------------------------

    def write(self) -> Iterator[tree.Statement]:
        """The statements at the end of the stage."""
        if self.stage.write is Write.NOTHING:
            return
        registers, width, adds = self.registers, self.width, self.stage.write is Write.ADD
        operator = tree.BinaryOperator.ADD if adds else None
        if self.row is not None:
            yield from self._each(registers.written, self._store_row, MOST_ROWS_WRITTEN_OUT)
            return
        if width == 1:
            for offset in registers.written:
                memory = self._memory(0, offset, registers.unit, is_const=False)
                yield stored(memory, self._entry(offset), operator, is_streamed=self.is_streamed)
            return
        known = registers.places if self.stage.fill is Fill.LOAD else registers.written
        starts, rest = whole_blocks(
            registers.written if adds else known, width, may_overlap=not adds and not self.is_streamed
        )
        yield from self._each(tuple(starts), self._store)
        for offset in rest:
            if offset in registers.written:
                for lane in range(width):
                    value = tree.Lanes(self._entry(offset), (lane,))
                    yield tree.Assign(self._memory(lane, offset, 1, is_const=False), value, operator)

    def _store(self, start: tree.Expression | int) -> Iterator[tree.Statement]:
        width = self.width
        vector = Vector(self.scalar, width)
        rows = tree.Name(self.fresh("rows"))
        place = index.constant(start) if isinstance(start, int) else start
        body: list[tree.Statement] = [tree.DeclareArray(vector, rows.text, width, AddressSpace.PRIVATE)]
        every = [tree.Subscript(rows, index.constant(lane)) for lane in range(width)]
        for lane, row in enumerate(every):
            body.append(tree.Assign(row, self._entry(index.add(place, index.constant(lane)))))
        body.append(tree.Call(self.transpose, (rows,)))
        for lane, row in enumerate(every):
            old = self._memory(lane, start, width, is_const=False)
            adds = self.stage.write is Write.ADD
            body.append(
                stored(
                    old, tree.Binary(tree.BinaryOperator.ADD, old, row) if adds else row, is_streamed=self.is_streamed
                )
            )
        yield tree.Block(tuple(body))

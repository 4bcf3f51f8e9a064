"""Tables of rows in C: loops over groups of rows and their summands, with the sums of a block of columns in registers.

for (int r = 0; r < 10; ++r) {
    int target0 = r * 2;
    int target1 = r * 2 + 1;
    double4 sum0_0 = (double4)(0.0); …
    for (int i = starts[r]; i < starts[r + 1]; ++i) {
        double value0 = values[i * 2];
        double value1 = values[i * 2 + 1];
        double4 *entry = lanes + places[i];
        sum0_0 += value0 * entry[0]; …
        sum1_0 += value1 * entry[0]; …
    }
    Q[target0] = sum0_0; …
}

Values that are batch-invariant, side by side in the order of their use.

Alpha is in them, unless it differs from lane to lane. Where all are known when compiling, they are a table of the file:

constant double values[202] = {0.5, 0.0, …};

Otherwise an array, which each work-item fills:

double values[202];            // = {0} if rows of a group lack summands
for (int i = 0; i < 33; ++i)
    values[slots[i]] = K0[sources[i]];

Those of a group of rows stand together, and are 0 for rows that lack the summand.
"""

from collections.abc import Iterator

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, LoopPrefetch, is_progression, number_at
from einsum_front.tl_backend.schedules.batch_simd.table import Operand, RowTable
from einsum_front.tl_backend.schedules.positions.product import Positions, ProductSum
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True)
class _Frame:
    """A table, its product, and the C names of what its loops share; `packed` is the array of its values, if any.

    Targets and values have a name for each row of a group, sums for each row and each column of a block.
    """

    table: RowTable
    product: ProductSum
    context: LaneContext
    packed: tree.Name | None
    group: tree.Name
    item: tree.Name
    block: tree.Name
    targets: tuple[tree.Name, ...]
    values: tuple[tree.Name, ...]
    entry: tree.Name
    sums: tuple[tuple[tree.Name, ...], ...]
    prefetch: LoopPrefetch

    @property
    def hint(self) -> str:
        """Prefix of the names of tables."""
        return self.context.arrays[self.product.target.base].name

    @property
    def is_uniform(self) -> bool:
        """True if the target is batch-invariant."""
        return self.context.facts.is_uniform(self.product.target.base)

    @property
    def alpha(self) -> tl.TypedScalar | None:
        """The coefficient of all terms, if it is neither 1 nor in the values."""
        alpha = self.product.terms[0].alpha
        is_packed = self.packed is not None and not self.context.differs(alpha.value)
        return None if is_packed or alpha.is_number(1) else alpha

    def at(self, row: int, column: int, block: "_Block") -> tree.Place:
        """The entry of the target in a row of the group, at a column of the block."""
        step = index.constant(self.table.target_step)
        columns = index.multiply(index.add(block.start, index.constant(column)), step)
        return tree.Subscript(tree.Name(self.hint), index.add(self.targets[row], columns))


@dataclass(frozen=True, slots=True)
class _Block:
    """Neighbouring columns of a table: the number of the block, its first column, and how many they are."""

    number: tree.Expression
    start: tree.Expression
    columns: int


def lower_rows(
    table: RowTable,
    product: ProductSum,
    packed: tree.Name | None,
    context: LaneContext,
    prefetch: LoopPrefetch,
) -> tree.Statements:
    """The loops of a table: over blocks of columns, groups of rows and summands.

    `packed` are its values, or None; `prefetch` is what else is done for a group and a block of columns.
    """
    context = context.inner()
    group, item, block, entry = (tree.Name(context.names.fresh(hint)) for hint in ("rows", "item", "block", "entry"))
    rows, columns = range(table.height), table.blocks[0]
    targets = tuple(tree.Name(context.names.fresh(f"target{row}")) for row in rows)
    values = tuple(tree.Name(context.names.fresh(f"value{row}")) for row in rows)
    sums = tuple(tuple(tree.Name(context.names.fresh(f"sum{row}_{column}")) for column in columns) for row in rows)
    frame = _Frame(table, product, context, packed, group, item, block, targets, values, entry, sums, prefetch)
    return tuple(_blocks(frame))


def _blocks(frame: _Frame) -> Iterator[tree.Statement]:
    """A loop over the blocks of columns that are full, then the rest."""
    blocks = frame.table.blocks
    width = len(blocks[0])
    full = sum(len(block) == width for block in blocks)
    if full > 1:
        start = index.multiply(frame.block, index.constant(width))
        body = (_groups(_Block(frame.block, start, width), frame),)
        over = frame.product.letter(Axis.N)
        yield tree.For(Scalar.I32, frame.block.text, index.ZERO, index.constant(full), index.ONE, body, over=over)
    for number, block in enumerate(blocks):
        if full == 1 or number >= full:
            yield _groups(_Block(index.constant(number), index.constant(block.start), len(block)), frame)


def _groups(block: _Block, frame: _Frame) -> tree.Statement:
    """The loop over all groups of rows for a block of columns."""
    cells = [(row, column) for row in range(frame.table.height) for column in range(block.columns)]
    groups = index.constant(frame.table.groups)
    body = (
        *_targets(frame),
        *frame.prefetch(index.add(index.multiply(block.number, groups), frame.group)),
        *(_first(row, column, block, frame) for row, column in cells),
        *_summed(block, frame),
        *(_last(row, column, block, frame) for row, column in cells),
    )
    over = frame.product.letter(Axis.M)
    return tree.For(Scalar.I32, frame.group.text, index.ZERO, groups, index.ONE, body, over=over)


def _targets(frame: _Frame) -> Iterator[tree.Statement]:
    """Where the rows of a group have their first columns."""
    array, context = frame.context.arrays[frame.product.target.base], frame.context
    moving = context.affine(Affine(0, frame.product.target.offset.terms))
    rows = frame.table.targets - array.low
    for name, row in zip(frame.targets, _numbers(frame.group, rows, f"{frame.hint}_targets", context), strict=True):
        yield tree.Declare(Scalar.I32, name.text, index.add(row, moving))


def _numbers(
    counter: tree.Expression, numbers: Positions, hint: str, context: LaneContext
) -> Iterator[tree.Expression]:
    """The numbers of each row of a group; rows that are always as far behind the first one need no table."""
    first = number_at(counter, numbers[:, 0], hint, context)
    for row in range(numbers.shape[1]):
        distances = numbers[:, row] - numbers[:, 0]
        if (distances == distances[0]).all():
            yield index.add(first, index.constant(int(distances[0])))
        else:
            yield number_at(counter, numbers[:, row], hint, context)


def _starts_with_target(frame: _Frame) -> bool:
    return frame.product.beta.is_number(1) and frame.alpha is None


def _first(row: int, column: int, block: _Block, frame: _Frame) -> tree.Statement:
    """A sum starts with what is in the target if that is kept as it is, otherwise with 0."""
    zero = frame.context.zero(frame.is_uniform)
    value = frame.at(row, column, block) if _starts_with_target(frame) else zero
    return tree.Declare(frame.context.number_type(frame.is_uniform), frame.sums[row][column].text, value)


def _last(row: int, column: int, block: _Block, frame: _Frame) -> tree.Statement:
    """The sum goes to the target."""
    sum_: tree.Expression = frame.sums[row][column]
    entry = frame.at(row, column, block)
    if not _starts_with_target(frame):
        value = sum_ if frame.alpha is None else frame.context.scaled(frame.alpha, sum_)
        sum_ = frame.context.updated(value, frame.product.beta, entry, frame.is_uniform)
    return tree.Assign(entry, sum_)


def _summed(block: _Block, frame: _Frame) -> Iterator[tree.Statement]:
    """The loop over the summands of a group."""
    if frame.table.count == 0:
        return
    starts = frame.table.starts
    if is_progression(starts):
        start, stop = (number_at(group, starts, "", frame.context) for group in (frame.group, _next(frame.group)))
    else:
        table = frame.context.table(f"{frame.hint}_starts", tuple(starts.tolist()))
        start, stop = tree.Subscript(table, frame.group), tree.Subscript(table, _next(frame.group))
    over = frame.product.letter(Axis.K)
    yield tree.For(Scalar.I64, frame.item.text, start, stop, index.ONE, tuple(_body(block, frame)), over=over)


def _next(counter: tree.Expression) -> tree.Expression:
    return index.add(counter, index.ONE)


def _body(block: _Block, frame: _Frame) -> Iterator[tree.Statement]:
    """Values and an entry, then a multiplication and an addition for every row and every column."""
    values, entries = frame.table.values, frame.table.entries
    if values is not None:
        yield from _load_values(values, frame)
    if entries is not None:
        yield _find_entry(entries, block, frame)
    for row, value in enumerate(frame.values):
        for column in range(block.columns):
            entry = tree.Subscript(frame.entry, index.constant(column * frame.table.entry_step))
            if values is None:
                term: tree.Expression = entry
            elif entries is None:
                term = value
            else:
                term = tree.Binary(tree.BinaryOperator.MULTIPLY, value, entry)
            yield tree.Assign(frame.sums[row][column], term, tree.BinaryOperator.ADD)


def _load_values(values: Operand, frame: _Frame) -> Iterator[tree.Statement]:
    """Packed values, or values that differ from lane to lane."""
    context, height = frame.context, frame.table.height
    if frame.packed is not None:
        first = index.multiply(frame.item, index.constant(height))
        for row, name in enumerate(frame.values):
            value = tree.Subscript(frame.packed, index.add(first, index.constant(row)))
            yield tree.Declare(context.scalar_type, name.text, value)
        return
    moving = _moving(values, frame)
    places = _numbers(frame.item, _places(values, frame), f"{frame.hint}_values", context)
    for name, place in zip(frame.values, places, strict=True):
        yield tree.Declare(
            context.vector_type, name.text, tree.Subscript(_home(values, frame), index.add(place, moving))
        )


def _find_entry(entries: Operand, block: _Block, frame: _Frame) -> tree.Statement:
    """A pointer to the entry for the first column of the block."""
    columns = index.multiply(block.start, index.constant(frame.table.entry_step))
    place = number_at(frame.item, _places(entries, frame)[:, 0], f"{frame.hint}_entries", frame.context)
    pointer = frame.context.pointer(_first_base(entries, frame))
    parts = (_home(entries, frame), place, _moving(entries, frame), columns)
    return tree.Declare(pointer, frame.entry.text, index.total(parts))


def _first_base(operand: Operand, frame: _Frame) -> str:
    """The base in the first summand: what it says about where it is holds for all of them."""
    return operand.bases[int(frame.table.terms[0])]


def _home(operand: Operand, frame: _Frame) -> tree.Name:
    """The array in which all of them are."""
    return tree.Name(frame.context.arrays[_first_base(operand, frame)].home)


def _places(operand: Operand, frame: _Frame) -> Positions:
    """Where they are in their array in every summand, without the loops' share."""
    starts: Positions = np.array([frame.context.slot(base, 0) for base in operand.bases])[frame.table.terms]
    return operand.positions.reshape(starts.size, -1) + starts[:, None]


def _moving(operand: Operand, frame: _Frame) -> tree.Expression:
    """The loops' share of the place, the same in all terms."""
    return frame.context.affine(Affine(0, operand.moving[int(frame.table.terms[0])]))


# -- packing -----------------------------------------------------------------------------------------------------------


def pack_values(table: RowTable, product: ProductSum, context: LaneContext) -> tuple[tree.Name | None, tree.Statements]:
    """The array of a table's values, if they are one for all lanes, and what fills it unless that is done early."""
    values, terms = table.values, sorted(set(table.terms.ravel().tolist()))
    if values is None or not all(context.facts.is_uniform(values.bases[number]) for number in terms) or not terms:
        return None, ()
    hint = f"{context.arrays[product.target.base].name}_values"
    known = _known_values(table, values, product, context)
    constants = None if known is None else context.table_of_values(hint, known)
    if constants is not None:
        return constants, ()
    array = tree.Name(context.top.fresh(hint))
    declaration = tree.DeclareArray(
        context.scalar_type, array.text, table.holds.size, AddressSpace.PRIVATE, is_zero=not table.holds.all()
    )
    packing = _Packing(array, table, values, product, context)
    statements = declaration, *map(packing.fill, terms)
    if all(map(packing.is_early, terms)):
        context.hoisted.extend(statements)
        return array, ()
    return array, statements


def _known_values(
    table: RowTable, values: Operand, product: ProductSum, context: LaneContext
) -> tuple[float, ...] | None:
    """The values with alpha, rounded as the device would; None if some are not known when compiling, or not finite."""
    numbers = np.zeros(table.holds.shape, DTYPES[context.element])
    for number in sorted(set(table.terms.ravel().tolist())):
        alpha, known = product.terms[number].alpha.value, context.facts.known.get(values.bases[number])
        if known is None or values.moving[number] or isinstance(alpha, tl.Local):
            return None
        mine = table.holds & (table.terms == number)[:, None]
        with np.errstate(all="ignore"):
            numbers[mine] = numbers.dtype.type(alpha.value) * known[values.positions[mine]]
    return tuple(numbers.ravel().tolist()) if np.isfinite(numbers).all() else None


@dataclass(frozen=True, slots=True)
class _Packing:
    """A table whose values go to an array; its methods take the number of a term of the product."""

    array: tree.Name
    table: RowTable
    values: Operand
    product: ProductSum
    context: LaneContext

    def is_early(self, number: int) -> bool:
        """True if everything is known before the first elements."""
        base, alpha, context = self.values.bases[number], self.product.terms[number].alpha.value, self.context
        is_alpha_early = not isinstance(alpha, tl.Local) or alpha.name in context.early or context.differs(alpha)
        return not self.values.moving[number] and base in context.early and is_alpha_early

    def fill(self, number: int) -> tree.Statement:
        """A loop over the values of the term."""
        context, alpha = self.context, self.product.terms[number].alpha
        counter, hint = tree.Name(context.top.fresh("value")), context.arrays[self.product.target.base].name
        slots = np.flatnonzero(self.table.holds & (self.table.terms == number)[:, None])
        source = context.arrays[self.values.bases[number]]
        from_ = number_at(counter, self.values.positions.ravel()[slots] - source.low, f"{hint}_sources", context)
        value = tree.Subscript(
            tree.Name(source.name), index.add(from_, context.affine(Affine(0, self.values.moving[number])))
        )
        to = tree.Subscript(self.array, number_at(counter, slots, f"{hint}_slots", context))
        packed = value if context.differs(alpha.value) else context.scaled(alpha, value)
        body, count = (tree.Assign(to, packed),), index.constant(slots.size)
        is_scatter = context.has_scatters and not is_progression(slots)
        over = f"values of {source.name}"
        return tree.For(Scalar.I32, counter.text, index.ZERO, count, index.ONE, body, is_scalar=is_scatter, over=over)

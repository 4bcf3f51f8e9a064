"""Matrix products of a work-item that is alone, with vectors along the rows.

for (int i = 0; i < 24; i += 12) {             blocks of rows, which stay in the first cache
    a copy of these rows (see `panel`)         if they are no neighbours in memory
    for (int j = 0; j < 24; j += 4) {
        the block of the result (see `vector_block`)
    }
}

A copy of the rows of a block, for left factors whose rows are no neighbours in memory: there they are.

double panel[768];
for (int k = 0; k < 64; k += 4) {
    double4 lines[4];
    lines[0] = *(global const double4_u *)(A + (k + 64 * i));        four depths of a row
    …
    transpose(lines);
    *(double4_u *)(panel + 12 * k) = lines[0];                        four rows at a depth
    …
}

Where fewer depths are left than a vector has, it starts so much earlier, and copies some again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.analysis.products import Factor
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector, TransposeBlock, neighbours
from einsum_front.tl_backend.schedules.lowering.product import ViewFactor, ViewProduct
from einsum_front.tl_backend.schedules.work_group.blocks import NOT_SHARED, MakeBlock, Stretch, loop_over, stretches
from einsum_front.tl_backend.schedules.work_group.context import GroupContext, Setting, Vectors
from einsum_front.tl_backend.schedules.work_group.epilogue import epilogue_views
from einsum_front.tl_backend.schedules.work_group.register_blocks import (
    Part,
    RowPart,
    active_vectors,
    choose_blocks,
    choose_last,
    sparse_terms,
    split,
)
from einsum_front.tl_backend.schedules.work_group.tile import Frame, Prefetches, make_frame, make_prefetches
from einsum_front.tl_backend.schedules.work_group.vector_block import VectorBlock, VectorProduct, lower_vector_block
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True)
class Panel:
    """The copy, as a factor whose first row is 0, and the statements that make it."""

    factor: ViewFactor
    statements: tree.Statements


def make_panel(left: ViewFactor, rows: Sequence[tree.Expression], depth: int, vector: Vector, frame: Frame) -> Panel:
    """The copy of one vector of rows after the other, which start at these `rows`, at all depths."""
    context = frame.context
    names = context.inner().names
    name, lines = names.fresh("panel"), tree.Name(names.fresh("lines"))
    block = TransposeBlock(lines, vector, context.transpose(vector))
    size = len(rows) * vector.width
    pointer = Pointer(vector.element, AddressSpace.PRIVATE)
    shape, strides = (index.constant(size), index.constant(depth)), (index.ONE, index.constant(size))
    factor = Factor(View(left.view.element, tree.Name(name), pointer, shape, strides), (Axis.M, Axis.K))
    array = tree.DeclareArray(vector.element, name, size * depth, AddressSpace.PRIVATE, context.target.vector_bytes)
    copy = _Copy(left, factor, rows, depth, block, frame)
    return Panel(factor, (array, *copy.statements()))


@dataclass(frozen=True, slots=True)
class _Copy:
    """Copy into a panel by way of a block in registers."""

    left: ViewFactor
    panel: ViewFactor
    rows: Sequence[tree.Expression]
    depth: int
    block: TransposeBlock
    frame: Frame

    def statements(self) -> Iterator[tree.Statement]:
        """By squares where depths are neighbours, otherwise by entries."""
        width = self.block.vector.width
        stride = self.left.view.strides[self.left.axes.index(Axis.K)]
        if stride != index.ONE or self.depth < width:
            yield self._over(0, self.depth, 1, self._entries)
            return
        rest = self.depth % width
        yield self._over(0, self.depth - rest, width, self._squares)
        if rest:
            yield self._over(self.depth - width, self.depth, width, self._squares)

    def _over(self, start: int, stop: int, size: int, block: MakeBlock) -> tree.Statement:
        part = Stretch(index.constant(start), index.constant(stop), size)
        return loop_over(Axis.K, part, NOT_SHARED, self.frame, block)

    def _entries(self, depth: tree.Expression, _: int) -> tree.Statements:
        """All rows at a depth, one by one."""
        width = self.block.vector.width
        return tuple(
            tree.Assign(
                self._at(self.panel, index.constant(width * number + lane), depth, 1),
                self._at(self.left, index.add(row, index.constant(lane)), depth, 1),
            )
            for number, row in enumerate(self.rows)
            for lane in range(width)
        )

    def _squares(self, depth: tree.Expression, _: int) -> tree.Statements:
        """All rows at as many depths as a vector has entries: vectors along depths become vectors along rows."""
        squares = (self._square(number, row, depth) for number, row in enumerate(self.rows))
        return self.block.declared, *(statement for square in squares for statement in square)

    def _square(self, number: int, row: tree.Expression, depth: tree.Expression) -> Iterator[tree.Statement]:
        lines = range(width := self.block.vector.width)
        rows = (index.add(row, index.constant(line)) for line in lines)
        yield from self.block.loaded([self._at(self.left, each, depth, width) for each in rows])
        for line in lines:
            place = index.constant(width * number), index.add(depth, index.constant(line))
            yield tree.Assign(self._at(self.panel, *place, width), self.block.at(line))

    def _at(self, factor: ViewFactor, row: tree.Expression, depth: tree.Expression, count: int) -> tree.Place:
        return neighbours(factor, {Axis.M: row, Axis.K: depth}, count)


# -- the loops ---------------------------------------------------------------------------------------------------------


def find_vectors(product: ViewProduct, summands: Mask | None, context: Setting) -> Vectors | None:
    """How its rows become vectors; None if the work-item is not alone, or rows are not known neighbours.

    `summands` (rows x depths x columns) may differ from zero, where that is known.
    """
    if context.items.count > 1 or not _is_plain(product):
        return None
    rows = product.extent(Axis.M)
    left, right = _factors(product)
    if Axis.M in right.axes or set(left.axes) != {Axis.M, Axis.K} or not _are_rows_near(product.target):
        return None
    if not isinstance(rows, tree.Integer) or not (_are_rows_near(left) or fits_panel(_depth(product), context.target)):
        return None
    width = vector_width(rows.value, product.type, context.target)
    if width == 1:
        return None
    blocks = context.target.machine.work_group.blocks
    terms = None if summands is None else sparse_terms(summands, -(-rows.value // width), blocks)
    form = VectorProduct(product, left, right, rows.value, width, None)
    last, active = _last_and_active(form, summands, terms, context.target)
    form = replace(form, last=last, active=active)
    is_copied = not _are_rows_near(left)
    parts = _row_parts(form, is_copied=is_copied, context=context)
    return Vectors(product.type, rows.value, width, parts, active, terms, last, is_copied)


def _last_and_active(
    form: VectorProduct, summands: Mask | None, terms: Mask | None, target: Target
) -> tuple[LastVector | None, Mask | None]:
    """The last vector, and which vectors take part at which depths if others can be left out.

    Columns do not share it where depths are unrolled. Nor do they where vectors are left out, unless numbers are held:
    that takes several loops, and compilers that put the numbers together in their own way do so in each.
    """
    blocks = target.machine.work_group.blocks
    is_alone = terms is not None or form.columns == index.ONE
    last = choose_last(form.rows, form.width, blocks, is_alone=is_alone)
    if summands is None:
        return last, None
    holds = np.asarray(summands.any(axis=2))
    if last is None or last.columns == 1 or target.holds_numbers:
        return last, active_vectors(holds, form.width, last, blocks)
    alone = choose_last(form.rows, form.width, blocks, is_alone=True)
    active = active_vectors(holds, form.width, alone, blocks)
    return (last if active is None else alone), active


def in_vectors(product: ViewProduct, strategy: Vectors) -> VectorProduct:
    """The product as the strategy says."""
    return VectorProduct(
        product, *_factors(product), strategy.rows, strategy.width, strategy.last, strategy.active,
        strategy.parts, strategy.terms, strategy.epilogue,
    )  # fmt: skip


def _factors(product: ViewProduct) -> tuple[ViewFactor, ViewFactor]:
    """The one that runs with the rows, then the other."""
    left, right = sorted(product.factors, key=lambda factor: Axis.M not in factor.axes)
    return left, right


def vector_width(rows: int, element: Scalar, target: Target) -> int:
    """Rows of a vector: as many as fit, so that no vector is longer than there are rows.

    Half as many where vectors of all take two steps, and the last one would be filled badly.
    """
    most = min(target.vector_width(element), 1 << rows.bit_length() - 1)
    widths = (most, most // 2) if most > target.step_width(element) else (most,)
    return min(widths, key=lambda width: -(-rows // width) * width)


def _is_plain(product: ViewProduct) -> bool:
    """True if it sums products of numbers of one floating type, and nobody else adds to the result."""
    if len(product.factors) != 2 or not product.is_sum or Axis.M not in product.target.axes:
        return False
    is_shared = product.is_atomic and product.target.view.pointer.space is not AddressSpace.PRIVATE
    elements = {view.element for view in product.views}
    return product.type.is_floating and len(elements) == 1 and not is_shared


def _are_rows_near(factor: ViewFactor) -> bool:
    return factor.view.strides[factor.axes.index(Axis.M)] == index.ONE


def _depth(product: ViewProduct) -> int | None:
    depth = product.extent(Axis.K)
    return depth.value if isinstance(depth, tree.Integer) else None


def fits_panel(depth: int | None, target: Target) -> bool:
    """Whether the left factor can be copied for a block of rows, however many vectors that has."""
    core = target.machine.work_group.blocks
    return depth is not None and core.most_rows * target.vector_bytes * depth <= core.panel


def lower_vectors(form: VectorProduct, context: GroupContext) -> tree.Statements:
    """The loops over blocks of rows and, inside, of columns."""
    frame = make_frame(form.product, context)
    parts = form.parts
    views = *form.product.views, *epilogue_views(form.epilogue, context)
    depth = _depth(form.product) if form.active is None and form.terms is None else None
    blocks = _blocks(parts, form.columns)
    prefetches = None if form.columns == index.ONE else make_prefetches(views, blocks, depth, frame)
    loops = tuple(
        loop_over(Axis.M, _rows(part, form.width), NOT_SHARED, frame, body)
        for row_part in parts
        for part in _loops(row_part.vectors, form)
        for body in (_row_block(form, row_part.columns, prefetches, frame),)
    )
    return loops if prefetches is None else (tree.Block((prefetches.declaration, *loops)),)


def _blocks(parts: Sequence[RowPart], columns: tree.Expression) -> int:
    """How many blocks the loops run over; as if there were a single column if that is known only at run time."""
    number = columns.value if isinstance(columns, tree.Integer) else 1
    return sum(row_part.vectors.pieces * part.pieces for row_part in parts for part in split(number, row_part.columns))


def _row_block(form: VectorProduct, most: int, prefetches: Prefetches | None, frame: Frame) -> MakeBlock:
    """A block of rows: the loops over blocks of columns."""

    def row_block(row: tree.Expression, rows: int) -> tree.Statements:
        vectors = rows // form.width
        copy = _copy(form, row, vectors, frame)
        panel = None if copy is None else copy.factor

        def block(column: tree.Expression, count: int) -> tree.Statements:
            at_depth = () if prefetches is None else prefetches.at_depth
            found = lower_vector_block(VectorBlock(form, row, column, vectors, count, panel, at_depth), frame)
            return found if prefetches is None else (*prefetches.in_block, *found)

        loops = tuple(loop_over(Axis.N, part, NOT_SHARED, frame, block) for part in _columns(form.columns, most))
        return loops if copy is None else (*copy.statements, *loops)

    return row_block


def _copy(form: VectorProduct, row: tree.Expression, vectors: int, frame: Frame) -> Panel | None:
    """The rows of a block of the left factor where they are neighbours, None if they are already."""
    depth = _depth(form.product)
    if _are_rows_near(form.left) or depth is None:
        return None
    rows = [form.first_row(row, vector, form.width) for vector in range(vectors)]
    return make_panel(form.left, rows, depth, form.vector, frame)


def _row_parts(form: VectorProduct, *, is_copied: bool, context: Setting) -> tuple[RowPart, ...]:
    """The blocks that are given, or else those of the model."""
    if context.block is not None:
        return tuple(RowPart(part, context.block.columns) for part in split(form.vectors, context.block.rows))
    number = form.columns.value if isinstance(form.columns, tree.Integer) else form.rows
    depth, target = _depth(form.product), context.target
    return choose_blocks(form.vectors, number, depth, target, is_copied=is_copied, sharing=form.sharing)


def _loops(part: Part, form: VectorProduct) -> tuple[Part, ...]:
    """The part, cut where blocks differ.

    Every block has its own depths if vectors are left out; the last one stands apart if rows do not fill the last
    vector, which is not where a loop would have it.
    """
    if form.active is not None:
        starts = range(part.start, part.stop, part.size)
        return tuple(Part(start, start + part.size, part.size) for start in starts)
    is_filled = part.stop < form.vectors or form.rows % form.width == 0
    return (part,) if is_filled else part.last_apart()


def _rows(part: Part, width: int) -> Stretch:
    return Stretch(index.constant(part.start * width), index.constant(part.stop * width), part.size * width)


def _columns(columns: tree.Expression, most: int) -> tuple[Stretch, ...]:
    if not isinstance(columns, tree.Integer):
        return stretches(columns, most)
    return tuple(_rows(part, 1) for part in split(columns.value, most))

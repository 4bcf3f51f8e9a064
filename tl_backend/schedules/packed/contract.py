"""The tile that a work-group computes: where it is, what it is computed from, and the loop over its panels."""

from collections.abc import Callable
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend import semantics
from einsum_front.tl_backend.analysis.contraction import Contraction, Operand, size
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Type
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.geometry import work_group
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.packed import axis
from einsum_front.tl_backend.schedules.packed.axis import Axis, Order, Tensor
from einsum_front.tl_backend.schedules.packed.panels import copy_left, copy_right
from einsum_front.tl_backend.schedules.packed.registers import multiply_panels
from einsum_front.tl_backend.schedules.packed.sizes import Sizes, groups_per_element
from einsum_front.tl_backend.schedules.packed.tile import Matrix, Tile
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.product import MATRIX, Factor, Product
from einsum_front.tl_backend.schedules.work_group.region import lower_region, unrolling

ROW, COLUMN = (f".{axis_.letter}" for axis_ in MATRIX)
"""The indices of the target of a product of matrices."""

FACTORS = (semantics.Axis.M, semantics.Axis.K), (semantics.Axis.K, semantics.Axis.N)
"""The axes of the modes of the factors of a product of matrices."""


def lower_contraction(
    contraction: Contraction, sizes: Sizes, transpose: str, context: Context, epilogue: Epilogue | None = None
) -> tree.Statements:
    """The tile of this work-group, under comments that say what it was written as, and what its entries go through."""
    first = contraction.products[0].instruction
    body = _Lowering(contraction, sizes, context, transpose, counter_of(contraction), epilogue).statements()
    kinds = ("rows", contraction.rows), ("columns", contraction.columns), ("depths", contraction.depths)
    sizes_ = ", ".join(f"{size(indices)} {word}" for word, indices in kinds)
    return (tree.Section((*comment(first), f"with the loops around it: {sizes_}"), body, first.origin),)


@dataclass(frozen=True, slots=True)
class _Range:
    """Rows, columns or depths: `count` of them from `first` on, at most `most`; `word` names variables for them."""

    word: str
    order: Order
    first: tree.Expression
    count: tree.Expression
    most: int


@dataclass(slots=True)
class _Lowering:
    """A contraction while it becomes statements, which stand before its loops, or at the start of one of them."""

    contraction: Contraction
    sizes: Sizes
    context: Context
    transpose: str
    counter: Scalar
    epilogue: Epilogue | None
    before: list[tree.Statement] = field(default_factory=list)
    in_depths: list[tree.Statement] = field(default_factory=list)
    in_columns: list[tree.Statement] = field(default_factory=list)

    def statements(self) -> tree.Statements:
        """The tile and the loops over its panels."""
        rows, across, shared = self._place()
        down = _whole("depth", self.sizes.orders.depths)
        depths, depth_loop = self._cut(down, self.sizes.depth, "depth", self.in_depths)
        columns, column_loop = self._cut(across, self.sizes.panel_columns, "panel", self.in_columns)
        tile = self._tile(rows, columns, depths, shared)
        inner = column_loop((*self.in_columns, *copy_right(tile), *multiply_panels(tile)))
        product = depth_loop((*self.in_depths, *copy_left(tile), *inner))
        return *self.before, *product, *self._behind(rows, across)

    def _behind(self, rows: _Range, columns: _Range) -> tree.Statements:
        """The loops behind the contraction, over the entries of the tile, which are complete and still in a cache."""
        if (epilogue := self.epilogue) is None or epilogue.column is None:
            return ()
        inner = self.context.inner()
        variables = {ROW: epilogue.row, COLUMN: epilogue.column}
        parts = [
            (each, inner.names.fresh(local_name(variables[each.order.indices[0].name]))) for each in (rows, columns)
        ]
        for part, name in parts:
            inner.values[variables[part.order.indices[0].name]] = tree.Name(name)
        body, unroll = lower_region(epilogue.body, inner), unrolling(epilogue.body, inner)
        for part, name in parts:
            stop = index.add(part.first, part.count)
            over = self.contraction.letters(part.order.indices)
            body = (tree.For(Scalar.I64, name, part.first, stop, index.ONE, body, unroll, over=over),)
            unroll = tree.Unroll.AS_THE_COMPILER_LIKES
        return (tree.Section(comment(epilogue.loop), body, epilogue.loop.origin),)

    def _place(self) -> tuple[_Range, _Range, tree.Expression]:
        """The rows and the columns of the tile of this work-group, and the number of its position in shared indices."""
        of, sizes = self.contraction, self.sizes
        down, across = index.constant(sizes.tiles_down), index.constant(sizes.tiles_across)
        tile: tree.Expression = index.ZERO
        groups = groups_per_element(sizes, of)
        if groups > 1:
            number = index.remainder(work_group(), index.constant(groups))
            tile = self._declare(self.counter, "tile", number, self.before)
        rest = index.divide(tile, down)
        column = rest if not of.shared else index.remainder(rest, across)
        rows = self._part("row", sizes.orders.rows, index.remainder(tile, down), sizes.tile_rows)
        columns = self._part("column", sizes.orders.columns, column, sizes.tile_columns)
        return rows, columns, index.divide(rest, across)

    def _part(self, word: str, order: Order, number: tree.Expression, most: int) -> _Range:
        """The rows or the columns of the tile with this number."""
        whole = _whole(word, order)
        if whole.most <= most:
            return whole
        first = self._declare(self.counter, word, index.multiply(index.constant(most), number), self.before)
        count = _least(most, whole.count, first)
        return replace(whole, first=first, count=self._declare(self.counter, f"{word}s", count, self.before), most=most)

    def _cut(
        self, whole: _Range, most: int, word: str, inside: list[tree.Statement]
    ) -> tuple[_Range, Callable[[tree.Statements], tree.Statements]]:
        """A part of a range, and the loop over all parts."""
        if whole.most <= most:
            return whole, lambda body: body
        start, step = tree.Name(self.context.names.fresh(word)), index.constant(most)
        count = _least(most, whole.count, start)
        part = replace(
            whole,
            first=index.add(whole.first, start),
            count=self._declare(self.counter, f"{word}_{whole.word}s", count, inside),
            most=most,
        )
        over = self.contraction.letters(whole.order.indices)
        return part, lambda body: (tree.For(self.counter, start.text, index.ZERO, whole.count, step, body, over=over),)

    def _tile(self, rows: _Range, columns: _Range, depths: _Range, shared: tree.Expression) -> Tile:
        of = self.contraction
        left, right, target = (
            self._pointer(operand, tensor, shared)
            for operand, tensor in ((of.left, axis.left), (of.right, axis.right), (of.target, axis.target))
        )
        left_depths, right_depths = (self._axis(depths, tensor, self.in_depths) for tensor in (axis.left, axis.right))
        right_columns, target_columns = (
            self._axis(columns, tensor, self.in_columns) for tensor in (axis.right, axis.target)
        )
        left_rows, target_rows = (self._axis(rows, tensor, self.before) for tensor in (axis.left, axis.target))
        return Tile(
            product=product_of(self.contraction, self.context),
            sizes=self.sizes,
            context=self.context,
            counter=self.counter,
            left=Matrix(left, left_rows, left_depths),
            right=Matrix(right, right_columns, right_depths),
            target=Matrix(target, target_rows, target_columns),
            rows=rows.count,
            columns=columns.count,
            depths=depths.count,
            first_row=rows.first,
            start=depths.first,
            left_panel=self._panel("left_panel", self.sizes.left_rows),
            right_panel=self._panel("right_panel", self.sizes.panel_columns),
            transpose=self.transpose,
        )

    def _declare(self, type_: Type, word: str, value: tree.Expression, where: list[tree.Statement]) -> tree.Expression:
        """The value in a variable, unless it is a constant."""
        if isinstance(value, tree.Integer):
            return value
        name = self.context.names.fresh(word)
        where.append(tree.Declare(type_, name, value))
        return tree.Name(name)

    def _axis(self, block: _Range, tensor: Tensor, where: list[tree.Statement]) -> Axis:
        """The offsets of a range in a tensor, in a table if they are not equidistant."""
        if len(block.order.indices) < 2:
            return Axis(block.order, tensor, block.first, block.most, None)
        table = self.context.names.fresh(f"{tensor.__name__}_{block.word}s")
        result = Axis(block.order, tensor, block.first, block.most, table)
        where.append(tree.DeclareArray(self.counter, table, block.most, AddressSpace.PRIVATE))
        name, over = self.context.inner().names.fresh(block.word), self.contraction.letters(block.order.indices)
        where.append(result.fill(block.count, name, self.counter, over))
        return result

    def _pointer(self, operand: Operand, tensor: Tensor, shared: tree.Expression) -> tree.Name:
        """A pointer to the first entry of the contraction in a tensor, for this position of the shared indices."""
        view = self.context.view(operand.root)
        moved = start_of(self.contraction, operand, tensor, shared, self.context)
        name = self.context.names.fresh(tensor.__name__)
        self.before.append(tree.Declare(view.pointer, name, index.add(view.base, moved)))
        return tree.Name(name)

    def _panel(self, word: str, edge: int) -> tree.Name:
        name, alignment = self.context.names.fresh(word), self.context.target.vector_bytes
        count = edge * self.sizes.room
        self.before.append(
            tree.DeclareArray(
                product_of(self.contraction, self.context).type, name, count, AddressSpace.PRIVATE, alignment
            )
        )
        return tree.Name(name)


def product_of(of: Contraction, context: Context) -> Product:
    """The contraction as a product of matrices, for the update of the target."""
    left, right, target = (context.view(operand.root) for operand in (of.left, of.right, of.target))
    factors = Factor(left, FACTORS[0]), Factor(right, FACTORS[1])
    kinds = zip(semantics.Axis, (of.rows, of.columns, of.depths), strict=True)
    letters = {axis: of.letters(indices) for axis, indices in kinds if indices}
    return Product(Factor(target, MATRIX), factors, of.alpha, of.beta, is_atomic=False, letters=letters)


def start_of(
    contraction: Contraction, operand: Operand, tensor: Tensor, shared: tree.Expression, context: Context
) -> tree.Expression:
    """Where the first entry of the contraction is in a tensor, for this position of the shared indices."""

    def term(name: str, factor: int) -> tree.Expression:
        return index.multiply(context.index(tl.Local(name)), index.constant(factor))

    starts = (
        index.multiply(
            stride,
            index.total((index.constant(start.constant), *(term(*each) for each in sorted(start.terms)))),
        )
        for start, stride in zip(operand.starts, context.view(operand.root).strides, strict=True)
    )
    order = Order(axis.ordered(contraction.shared, axis.target, axis.left, axis.target))
    return index.total((*starts, order.offset(tensor, shared)))


def _whole(word: str, order: Order) -> _Range:
    """All positions."""
    return _Range(word, order, index.ZERO, index.constant(order.count), order.count)


def _least(most: int, count: tree.Expression, first: tree.Expression) -> tree.Expression:
    """How many of `count` are in the part from `first` on: only the last one may have fewer than `most`."""
    if isinstance(count, tree.Integer) and count.value % most == 0:
        return index.constant(most)
    return index.minimum(index.constant(most), index.subtract(count, first))


def counter_of(contraction: Contraction) -> Scalar:
    """`int` where all offsets are known to fit."""
    indices = (*contraction.rows, *contraction.columns, *contraction.depths, *contraction.shared)
    spans = (sum(each.extent * tensor(each) for each in indices) for tensor in (axis.left, axis.right, axis.target))
    return Scalar.I32 if max(spans) <= index.INT_MAX else Scalar.I64

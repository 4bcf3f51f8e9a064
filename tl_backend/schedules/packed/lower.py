"""A contraction as an OpenCL C file: every element of the batch is computed by several work-groups, one for each tile.

kernel void einsum(…)
{
    int tile = get_group_id(2) % 121;
    … the tile's first row and column
    for (int depth = 0; depth < 2000; depth += 250) {
        copy the rows into a panel
        copy the columns into a panel
        multiply the panels
    }
}

The tile that a work-group computes: where it is, what it is computed from, and the loop over its panels.
"""

from collections.abc import Callable
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.contraction import Contraction, size
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Type, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, comment, transpose_function, work_group
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.lowering.product import MATRIX, ViewProduct
from einsum_front.tl_backend.schedules.lowering.region import lower_values, unrolling
from einsum_front.tl_backend.schedules.packed.panels import copy_left, copy_right
from einsum_front.tl_backend.schedules.packed.registers import multiply_panels
from einsum_front.tl_backend.schedules.packed.sizes import Sizes, groups_per_element
from einsum_front.tl_backend.schedules.packed.tile import Matrix, Tile
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Axis, Order, Tensor
from einsum_front.tl_backend.schedules.tiles.contraction import TiledContraction, begin


def lower(
    function: Source,
    contraction: Contraction,
    sizes: Sizes,
    target: Target,
    taken: frozenset[str] = frozenset(),
    epilogue: Epilogue | None = None,
) -> Kernel:
    """The kernel of a function that is this contraction and what its entries go through, cut into tiles of these sizes.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    tiled = begin(function, contraction, target, groups_per_element(sizes, contraction), taken, epilogue)
    transpose = tiled.context.names.fresh("transpose")
    kernel = tiled.kernel(lower_contraction(tiled, sizes, transpose, epilogue))
    functions = transpose_function(transpose, Vector(REGISTER[contraction.element], sizes.width), target), kernel
    return Kernel(tree.File(functions), groups_per_element=groups_per_element(sizes, contraction))


# -- contract ----------------------------------------------------------------------------------------------------------


ROW, COLUMN = (f".{axis_.letter}" for axis_ in MATRIX)
"""The indices of the target of a product of matrices."""


def lower_contraction(
    tiled: TiledContraction, sizes: Sizes, transpose: str, epilogue: Epilogue | None = None
) -> tree.Statements:
    """The tile of this work-group, under comments that say what it was written as, and what its entries go through."""
    contraction = tiled.contraction
    first = contraction.products[0].instruction
    body = _Lowering(tiled, sizes, tiled.product, tiled.counter, transpose, epilogue).statements()
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

    tiled: TiledContraction
    sizes: Sizes
    product: ViewProduct
    counter: Scalar
    transpose: str
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
        inner = self.tiled.context.inner()
        variables = {ROW: epilogue.row, COLUMN: epilogue.column}
        parts = [
            (each, inner.names.fresh(local_name(variables[each.order.indices[0].name]))) for each in (rows, columns)
        ]
        for part, name in parts:
            inner.values[variables[part.order.indices[0].name]] = tree.Name(name)
        steps = [each for each in epilogue.body if isinstance(each, tl.ValueInstruction | tl.Store)]
        body, unroll = lower_values(steps, inner.inner()), unrolling(epilogue.body, inner)
        for part, name in parts:
            stop = index.add(part.first, part.count)
            over = self.tiled.contraction.letters(part.order.indices)
            body = (tree.For(Scalar.I64, name, part.first, stop, index.ONE, body, unroll, over=over),)
            unroll = tree.Unroll.AS_THE_COMPILER_LIKES
        return (tree.Section(comment(epilogue.loop), body, epilogue.loop.origin),)

    def _place(self) -> tuple[_Range, _Range, tree.Expression]:
        """The rows and the columns of the tile of this work-group, and the number of its position in shared indices."""
        of, sizes = self.tiled.contraction, self.sizes
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
        start, step = tree.Name(self.tiled.context.names.fresh(word)), index.constant(most)
        count = _least(most, whole.count, start)
        part = replace(
            whole,
            first=index.add(whole.first, start),
            count=self._declare(self.counter, f"{word}_{whole.word}s", count, inside),
            most=most,
        )
        over = self.tiled.contraction.letters(whole.order.indices)
        return part, lambda body: (tree.For(self.counter, start.text, index.ZERO, whole.count, step, body, over=over),)

    def _tile(self, rows: _Range, columns: _Range, depths: _Range, shared: tree.Expression) -> Tile:
        pointers = self.tiled.pointers(shared)
        self.before.extend(pointers)
        left, right, target = (tree.Name(each.name) for each in pointers)
        left_depths, right_depths = (self._axis(depths, tensor, self.in_depths) for tensor in (axis.left, axis.right))
        right_columns, target_columns = (
            self._axis(columns, tensor, self.in_columns) for tensor in (axis.right, axis.target)
        )
        left_rows, target_rows = (self._axis(rows, tensor, self.before) for tensor in (axis.left, axis.target))
        return Tile(
            product=self.product,
            sizes=self.sizes,
            context=self.tiled.context,
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
        name = self.tiled.context.names.fresh(word)
        where.append(tree.Declare(type_, name, value))
        return tree.Name(name)

    def _axis(self, block: _Range, tensor: Tensor, where: list[tree.Statement]) -> Axis:
        """The offsets of a range in a tensor, in a table if they are not equidistant."""
        if len(block.order.indices) < 2:
            return Axis(block.order, tensor, block.first, block.most, None)
        table = self.tiled.context.names.fresh(f"{tensor.__name__}_{block.word}s")
        result = Axis(block.order, tensor, block.first, block.most, table)
        where.append(tree.DeclareArray(self.counter, table, block.most, AddressSpace.PRIVATE))
        name, over = (
            self.tiled.context.inner().names.fresh(block.word),
            self.tiled.contraction.letters(block.order.indices),
        )
        where.append(result.fill(block.count, name, self.counter, over))
        return result

    def _panel(self, word: str, edge: int) -> tree.Name:
        name, alignment = self.tiled.context.names.fresh(word), self.tiled.context.target.vector_bytes
        count = edge * self.sizes.room
        self.before.append(tree.DeclareArray(self.product.type, name, count, AddressSpace.PRIVATE, alignment))
        return tree.Name(name)


def _whole(word: str, order: Order) -> _Range:
    """All positions."""
    return _Range(word, order, index.ZERO, index.constant(order.count), order.count)


def _least(most: int, count: tree.Expression, first: tree.Expression) -> tree.Expression:
    """How many of `count` are in the part from `first` on: only the last one may have fewer than `most`."""
    if isinstance(count, tree.Integer) and count.value % most == 0:
        return index.constant(most)
    return index.minimum(index.constant(most), index.subtract(count, first))

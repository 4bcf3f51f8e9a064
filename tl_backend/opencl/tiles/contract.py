"""The tile that a work-group computes: where it is, what it is computed from, and the loop over its panels."""

from dataclasses import dataclass, field

from tl_backend.analysis.contraction import Contraction, Index, Operand, size
from tl_backend.instructions import Local
from tl_backend.opencl import index
from tl_backend.opencl.comment import comment
from tl_backend.opencl.context import Context
from tl_backend.opencl.geometry import work_group
from tl_backend.opencl.product import MATRIX, Factor, Loop, Product
from tl_backend.opencl.tiles import axis
from tl_backend.opencl.tiles.axis import Axis, Tensor
from tl_backend.opencl.tiles.panels import copy_left, copy_right
from tl_backend.opencl.tiles.registers import multiply_panels
from tl_backend.opencl.tiles.sizes import Sizes
from tl_backend.opencl.tiles.tile import Matrix, Tile
from tl_backend.opencl.tree import (
    AddressSpace,
    Call,
    Declare,
    DeclareArray,
    Expression,
    For,
    Integer,
    Name,
    Scalar,
    Section,
    Statement,
    Statements,
    Type,
)


def lower_contraction(contraction: Contraction, sizes: Sizes, context: Context) -> Statements:
    """The tile of this work-group, under comments that say what it was written as."""
    first = contraction.products[0].instruction
    body = _Lowering(contraction, sizes, context).statements()
    kinds = ("rows", contraction.rows), ("columns", contraction.columns), ("depths", contraction.depths)
    sizes_ = ", ".join(f"{size(indices)} {word}" for word, indices in kinds)
    return (Section((*comment(first), f"with the loops around it: {sizes_}"), body, first.origin),)


@dataclass(frozen=True, slots=True)
class _Block:
    """A range of rows, columns or depths: the first one, how many, how many at most, and the word for its variables."""

    word: str
    indices: tuple[Index, ...]
    first: Expression
    count: Expression
    most: int


@dataclass(slots=True)
class _Lowering:
    """A contraction while it becomes statements; `head` stands before all panels, `inner` before each pair of them."""

    contraction: Contraction
    sizes: Sizes
    context: Context
    counter: Scalar = Scalar.INT
    head: list[Statement] = field(default_factory=list)
    inner: list[Statement] = field(default_factory=list)

    def statements(self) -> Statements:
        """The tile, its panels, and the loop over them."""
        self.counter = _counter(self.contraction)
        rows, columns, shared = self._place()
        depths = self._depths()
        tile = self._tile(rows, columns, depths, shared)
        body = *self.inner, *copy_left(tile), *copy_right(tile), *multiply_panels(tile)
        if not isinstance(depths.first, Name):
            return *self.head, *body
        stop, step = index.constant(size(depths.indices)), index.constant(depths.most)
        return *self.head, For(self.counter, depths.first.text, index.ZERO, stop, step, body)

    def _tile(self, rows: _Block, columns: _Block, depths: _Block, shared: Expression) -> Tile:
        of, head, inner = self.contraction, self.head, self.inner
        left, right, target = (
            self._pointer(of.left, axis.left, shared),
            self._pointer(of.right, axis.right, shared),
            self._pointer(of.target, axis.target, shared),
        )
        return Tile(
            product=self._product(),
            sizes=self.sizes,
            context=self.context,
            counter=self.counter,
            left=Matrix(left, self._axis(rows, axis.left, head), self._axis(depths, axis.left, inner)),
            right=Matrix(right, self._axis(columns, axis.right, head), self._axis(depths, axis.right, inner)),
            target=Matrix(target, self._axis(rows, axis.target, head), self._axis(columns, axis.target, head)),
            rows=rows.count,
            columns=columns.count,
            depths=depths.count,
            start=depths.first,
            left_panel=self._panel("left_panel", rows),
            right_panel=self._panel("right_panel", columns),
        )

    def _place(self) -> tuple[_Block, _Block, Expression]:
        """The rows and the columns of the tile of this work-group, and the number of its position in shared indices."""
        of, sizes = self.contraction, self.sizes
        down, across = index.constant(sizes.tiles_down), index.constant(sizes.tiles_across)
        tile: Expression = index.ZERO
        if self.context.groups_per_element > 1:
            number = index.remainder(work_group(), index.constant(self.context.groups_per_element))
            tile = self._declare(self.counter, "tile", number, self.head)
        row, column = index.remainder(tile, down), index.remainder(index.divide(tile, down), across)
        rows = self._block("row", axis.ordered(of.rows, axis.target), row, sizes.tile_rows)
        columns = self._block("column", axis.ordered(of.columns, axis.target), column, sizes.tile_columns)
        return rows, columns, index.divide(tile, index.multiply(down, across))

    def _block(self, word: str, indices: tuple[Index, ...], tile: Expression, most: int) -> _Block:
        number = size(indices)
        if number <= most:
            return _Block(word, indices, index.ZERO, index.constant(number), most)
        first = self._declare(self.counter, word, index.multiply(index.constant(most), tile), self.head)
        return _Block(word, indices, first, self._count(f"{word}s", number, first, most, self.head), most)

    def _depths(self) -> _Block:
        """The depths of a pair of panels."""
        indices, most = axis.ordered(self.contraction.depths, _fastest_depth(self.contraction)), self.sizes.depth
        number = size(indices)
        if number <= most:
            return _Block("depth", indices, index.ZERO, index.constant(number), most)
        first = Name(self.context.names.fresh("depth"))
        return _Block("depth", indices, first, self._count("depths", number, first, most, self.inner), most)

    def _count(self, word: str, number: int, first: Expression, most: int, where: list[Statement]) -> Expression:
        if number % most == 0:
            return index.constant(most)
        rest = index.subtract(index.constant(number), first)
        return self._declare(self.counter, word, Call("min", (index.constant(most), rest)), where)

    def _declare(self, type_: Type, word: str, value: Expression, where: list[Statement]) -> Expression:
        """The value in a variable, unless it is a constant."""
        if isinstance(value, Integer):
            return value
        name = self.context.names.fresh(word)
        where.append(Declare(type_, name, value))
        return Name(name)

    def _axis(self, block: _Block, tensor: Tensor, where: list[Statement]) -> Axis:
        """The offsets of a block in a tensor, in a table if they are not equidistant."""
        if len(block.indices) < 2:
            return Axis(block.indices, tensor, block.first, None)
        table = self.context.names.fresh(f"{block.word}s_of_{tensor.__name__}")
        result = Axis(block.indices, tensor, block.first, table)
        where.append(DeclareArray(self.counter, table, block.most, AddressSpace.PRIVATE))
        where.append(result.fill(block.count, self.context.inner().names.fresh(block.word[0]), self.counter))
        return result

    def _pointer(self, operand: Operand, tensor: Tensor, shared: Expression) -> Name:
        """A pointer to the first entry of the contraction in a tensor, for this position of the shared indices."""
        view = self.context.view(operand.root)
        starts = (
            index.multiply(
                stride,
                index.total(
                    (index.constant(start.constant), *(self.context.index(Local(name)) for name in start.names))
                ),
            )
            for start, stride in zip(operand.starts, view.strides, strict=True)
        )
        moved = index.total((*starts, axis.offset(axis.ordered(self.contraction.shared, axis.target), tensor, shared)))
        name = self.context.names.fresh(tensor.__name__)
        self.head.append(Declare(view.pointer, name, index.add(view.base, moved)))
        return Name(name)

    def _panel(self, word: str, block: _Block) -> Name:
        name, alignment = self.context.names.fresh(word), self.context.target.vector_bytes
        count = block.most * self.sizes.depth
        self.head.append(DeclareArray(self._product().type, name, count, AddressSpace.PRIVATE, alignment))
        return Name(name)

    def _product(self) -> Product:
        """The contraction as a product of matrices, for the update of the target."""
        of = self.contraction
        left, right, target = (self.context.view(operand.root) for operand in (of.left, of.right, of.target))
        factors = Factor(left, (Loop.ROW, Loop.DEPTH)), Factor(right, (Loop.DEPTH, Loop.COLUMN))
        return Product(Factor(target, MATRIX), factors, of.alpha, of.beta, is_atomic=False)


def _fastest_depth(contraction: Contraction) -> Tensor:
    """The factor whose memory runs along its depths: the copy of the other one jumps anyway."""
    return axis.left if any(each.left == 1 for each in contraction.depths) else axis.right


def _counter(contraction: Contraction) -> Scalar:
    """`int` where all offsets are known to fit."""
    indices = (*contraction.rows, *contraction.columns, *contraction.depths, *contraction.shared)
    spans = (sum(each.extent * tensor(each) for each in indices) for tensor in (axis.left, axis.right, axis.target))
    return Scalar.INT if max(spans) <= index.INT_MAX else Scalar.LONG

"""Each work-item of a group computes one block of a matrix, and all of them together the whole.

double sum[28];                                            rows as far apart as there are items beside each other
for (int k0 = 0; k0 < 56; k0 += 14) {                      only where the factors have to pass through local memory
    barrier(…);
    a slice of both factors to local memory                by all work-items (`spread`)
    barrier(…);
    for k below 14: sum[…] += left_panel[…] * right_panel[…];
}
C[…] = sum[…];

Rows and columns behind the last one repeat it, and what is computed from them is not stored: the innermost loop has no
conditions and no rest.
"""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.analysis.product_form import Factor
from einsum_front.tl_backend.analysis.slices import is_read_often, odd, slice_depth
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View, is_small
from einsum_front.tl_backend.schedules.lowering.product import MATRIX, ViewFactor, ViewProduct
from einsum_front.tl_backend.schedules.work_group.blocks import spread
from einsum_front.tl_backend.schedules.work_group.context import GroupContext, Setting
from einsum_front.tl_backend.schedules.work_group.elements import wait_for_all
from einsum_front.tl_backend.schedules.work_group.strategy import RegisterTile
from einsum_front.tl_backend.schedules.work_group.tile import (
    Frame,
    Tile,
    declare_sums,
    depth_loop,
    make_frame,
    update_entries,
)
from einsum_front.tl_backend.semantics import Axis


def find_register_tile(form: ViewProduct, context: Setting) -> RegisterTile | None:
    """The block of each work-item, if the target is a GPU, all sizes are known and it fits into registers."""
    sizes = [form.extent(loop) for loop in Axis] if form.is_sum and form.target.axes == MATRIX else []
    known = tuple(size.value for size in sizes if isinstance(size, tree.Integer))
    if context.target.is_cpu or context.items.count == 1 or len(known) < len(Axis):
        return None
    if not all(map(is_small, form.views)) or any(len(factor.axes) != 2 for factor in form.factors):
        return None
    rows, columns, depth = known
    block = -(-rows // context.items.rows), -(-columns // context.items.columns)
    wanted = context.block
    if wanted is not None and (wanted.rows < block[0] or wanted.columns < block[1]):
        return None
    most = context.target.machine.shared.block
    return RegisterTile(rows, columns, depth, block) if block[0] * block[1] <= most else None


def lower_register_tile(form: ViewProduct, own: RegisterTile, context: GroupContext) -> tree.Statements:
    """The statements of the product, shared by the work-items of the context."""
    frame, items = make_frame(form, context), context.items
    (rows, columns), first = own.block, index.multiply(index.constant(own.block[1]), items.column)
    last_row = None if rows * items.rows == own.rows else own.rows
    last_column = None if columns * items.columns == own.columns else own.columns
    within = None if last_row is None and last_column is None else (last_row, last_column)
    tile = Tile(items.row, first, rows, columns, items.rows, within)
    sums: tree.Statements = (depth_loop(tile, frame, index.constant(own.depth)),)
    if _has_slices(form, own, context):
        sums = tuple(_Slices(tile, own, frame, slice_depth(own.depth, context.target.machine.shared)).statements())
    return (tree.Block((*declare_sums(tile, frame), *sums, *update_entries(tile, frame))),)


def _has_slices(form: ViewProduct, own: RegisterTile, context: GroupContext) -> bool:
    """True if both factors are far, are read by several work-items, and there is room for slices of them."""
    is_far = all(factor.view.pointer.space is AddressSpace.GLOBAL for factor in form.factors)
    is_uniform = len({view.element for view in form.views}) == 1 and form.views[0].element.is_floating
    shared = context.target.machine.shared
    is_shared = is_read_often(own.rows, own.columns, (context.items.rows, context.items.columns), shared)
    needed = slice_depth(own.depth, shared) * (odd(own.rows) + odd(own.columns)) * form.views[0].element.size
    return is_far and is_uniform and is_shared and needed <= context.panel.size


@dataclass(frozen=True, slots=True)
class _Slices:
    """A block while slices of both factors pass through local memory, as many depths of each as `size`."""

    tile: Tile
    own: RegisterTile
    frame: Frame
    size: int

    def statements(self) -> Iterator[tree.Statement]:
        """The panels, and the loop over all whole slices; the rest of the depths behind it."""
        frame, size = self.frame, self.size
        start = tree.Name(frame.context.names.fresh(f"{frame.variables[Axis.K]}0"))
        left, right = (tree.Name(frame.context.names.fresh(word)) for word in ("left_panel", "right_panel"))
        pointer = Pointer(memory_type(frame.product.views[0].element), AddressSpace.LOCAL)
        pool = index.add(tree.Name(frame.context.pool), index.constant(frame.context.panel.start))
        yield tree.Declare(pointer, left.text, tree.Cast(pointer, pool))
        yield tree.Declare(pointer, right.text, index.add(left, index.constant(size * odd(self.own.rows))))
        whole = self.own.depth // size * size
        body = self._slice((left, right), start, size)
        bounds = index.ZERO, index.constant(whole), index.constant(size)
        yield frame.product.loop(Axis.K, frame.counter, start.text, bounds, body)
        if whole < self.own.depth:
            yield tree.Block(self._slice((left, right), index.constant(whole), self.own.depth - whole))

    def _slice(self, panels: tuple[tree.Name, tree.Name], start: tree.Expression, size: int) -> tree.Statements:
        """Copy `size` depths from `start` on, and multiply."""
        product = self.frame.product
        factors, copies = [], []
        for factor, panel, others in zip(product.factors, panels, (self.own.rows, self.own.columns), strict=True):
            near = _panel(factor, panel, others, size)
            copies += list(self._copy(factor, near, start, (others, size)))
            factors.append(near)
        inner = replace(self.frame, product=replace(product, factors=tuple(factors)))
        wait = wait_for_all(is_local=True)
        return wait, *copies, wait, depth_loop(self.tile, inner, index.constant(size))

    def _copy(
        self, factor: ViewFactor, near: ViewFactor, start: tree.Expression, shape: tuple[int, int]
    ) -> Iterator[tree.Statement]:
        """`shape` are rows (or columns) and depths. Work-items beside each other read entries beside each other."""
        fast = next((mode for mode, stride in enumerate(factor.view.strides) if stride == index.ONE), 0)
        others, depths = shape
        length = index.constant(depths if factor.axes[fast] is Axis.K else others)

        def copied(x: tree.Name) -> tree.Statements:
            places: list[tree.Expression] = [index.divide(x, length), index.divide(x, length)]
            places[fast] = index.remainder(x, length)
            far = [
                index.add(start, place) if loop is Axis.K else place
                for loop, place in zip(factor.axes, places, strict=True)
            ]
            return (tree.Assign(near.view.entry(tuple(places)), factor.view.entry(tuple(far))),)

        yield from spread(depths * others, self.frame.context.items, self.frame.context.names, copied)


def _panel(factor: ViewFactor, panel: tree.Name, others: int, size: int) -> ViewFactor:
    """A slice of the factor in local memory: what one step of the innermost loop reads lies side by side."""
    along = {Axis.K: (size, odd(others))}
    shape, strides = zip(*(along.get(loop, (others, 1)) for loop in factor.axes), strict=True)
    pointer = Pointer(memory_type(factor.view.element), AddressSpace.LOCAL)
    constants = tuple(map(index.constant, shape)), tuple(map(index.constant, strides))
    return Factor(View(factor.view.element, panel, pointer, *constants), factor.axes)

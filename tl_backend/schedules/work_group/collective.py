"""How a collective instruction is run: the choice among the strategies.

Products as functions of their own, where the target asks for that: kernels that have the same one can share it.

static void product_0f3a91c2b7de(double *C, const double *A, const double *B) { … }     the block loops of `vectors`

product_0f3a91c2b7de(tmp0, fMrT_0, I_1);

The name follows from what the function does, with all sizes, strides and known zeros: equal names are equal functions,
in whatever kernel. Its memory has parameters instead of places, so it knows nothing of the kernel. And a compiler
that does not see where a factor came from reads it from memory again: GCC would take scalars out of vectors that it
has just stored, and spill others for that.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.placement import is_read_often, odd, slice_depth
from einsum_front.tl_backend.analysis.products import Factor, product_form
from einsum_front.tl_backend.interpret.patterns import Summands
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import free_names, routine_name
from einsum_front.tl_backend.opencl.parameters import View, extents, is_small
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.product import MATRIX, ViewFactor, ViewProduct, product_of, view_product
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.blocks import lower_blocks, spread
from einsum_front.tl_backend.schedules.work_group.context import (
    Blocking,
    GroupContext,
    LocalPanel,
    RegisterTile,
    Setting,
    Strategies,
    Strategy,
    Vectors,
)
from einsum_front.tl_backend.schedules.work_group.elements import ALONE, Items, wait_for_all
from einsum_front.tl_backend.schedules.work_group.epilogue import with_epilogues
from einsum_front.tl_backend.schedules.work_group.tile import (
    Frame,
    Tile,
    declare_sums,
    depth_loop,
    make_frame,
    update_entries,
)
from einsum_front.tl_backend.schedules.work_group.vectors import find_vectors, in_vectors, lower_vectors
from einsum_front.tl_backend.semantics import Axis
from einsum_front.tl_backend.traverse import walked
from einsum_front.tl_backend.types import MemrefType

PARAMETERS = "CAB"
"""The names that the function of a product has for its matrices."""

MOST_REMEMBERED = 2048
"""Strategies, and functions of products, that are remembered: kernels of one program have many products in common."""


@dataclass(frozen=True, slots=True)
class _Static:
    """The setting of instructions before anything is lowered."""

    target: Target
    items: Items
    block: RegisterBlock | None


def choose_strategies(
    function: Function, target: Target, block: RegisterBlock | None, summands: Summands
) -> Strategies:
    """The strategy of each collective instruction; those in `foreach` have work-items of their own."""
    setting = _Static(target, Items(*function.work_items), block)
    chosen: dict[tl.Collective, Strategy] = {}
    for instruction in function.get(walked):
        if isinstance(instruction, tl.Collective):
            mask = summands.get(instruction)
            known = None if mask is None else (mask.shape, mask.tobytes())
            form = view_product(product_form(instruction), lambda memref: _static_view(memref.type))
            chosen[instruction] = _choose(replace(form, letters={}), setting, known)
    return with_epilogues(chosen, function)


def _static_view(memref: MemrefType) -> View:
    """An operand as its type knows it: sizes and strides that only the launch knows are variables."""
    shape, strides = (extents(each, lambda mode: tree.Name(f"mode{mode}")) for each in (memref.shape, memref.strides))
    return View(memref.element, tree.Name("memref"), Pointer(Scalar.U8, AddressSpace.GLOBAL), shape, strides)


@lru_cache(MOST_REMEMBERED)
def _choose(form: ViewProduct, setting: Setting, summands: tuple[tuple[int, ...], bytes] | None) -> Strategy:
    mask = None if summands is None else np.frombuffer(summands[1], bool).reshape(summands[0])
    return find_vectors(form, mask, setting) or find_register_tile(form, setting) or choose_blocking(form, setting)


def lower_collective(instruction: tl.Collective, context: GroupContext) -> tree.Statements:
    """The statements of the instruction, shared by the work-items of the context."""
    form = product_of(instruction, context.view)
    match context.strategies[instruction]:
        case Vectors() as strategy:
            call = lower_in_routine(form, strategy, context)
            return lower_vectors(in_vectors(form, strategy), context) if call is None else call
        case RegisterTile() as strategy:
            return lower_register_tile(form, strategy, context)
        case Blocking() as strategy:
            return lower_blocks(form, strategy, context)


def choose_blocking(form: ViewProduct, context: Setting) -> Blocking:
    """Blocks that keep what they read in registers while it is needed again."""
    if not form.is_sum:
        return Blocking(1, 1)
    if context.block is not None:
        return _given(context.block, form, context)
    columns = _columns(form)
    if context.items.count > 1:
        return Blocking(_shared_rows(form, context), _shared_columns(columns, context))
    return _vector_blocks(columns, context.target.vector_width(form.type))


def _given(block: RegisterBlock, form: ViewProduct, context: Setting) -> Blocking:
    """The block that the user or a measurement chose."""
    width = context.target.vector_width(form.type) if context.items.count == 1 else 1
    return Blocking(block.rows * width, block.columns)


def _columns(form: ViewProduct) -> int | None:
    """Columns of the result; None if that is known only at run time."""
    if Axis.N not in form.target.axes:
        return 1
    extent = form.extent(Axis.N)
    return extent.value if isinstance(extent, tree.Integer) else None


def _vector_blocks(columns: int | None, width: int) -> Blocking:
    """One work-item, where the compiler finds vectors: enough sums to fill the pipelines, few enough for registers.

    Measured on AVX2: 2 x 3 vectors are fast, 4 x 3 spill.
    """
    return Blocking(4 * width, 1) if columns == 1 else Blocking(2 * width, 3)


def _shared_rows(form: ViewProduct, context: Setting) -> int:
    """As many rows for a work-item as leave all of them the same work."""
    if Axis.N not in form.target.axes:
        return 1
    rows = form.extent(Axis.M)
    if not isinstance(rows, tree.Integer):
        return 1
    sizes = (*context.target.machine.shared.rows_each, 1)
    return next(each for each in sizes if each == 1 or rows.value % (each * context.items.rows) == 0)


def _shared_columns(columns: int | None, context: Setting) -> int:
    """So many columns for a work-item that all have the same work."""
    most = context.target.machine.shared.columns_each
    if columns is None:
        return most
    each = -(-columns // context.items.columns)
    return -(-each // -(-each // most))


# -- routine -----------------------------------------------------------------------------------------------------------


def lower_in_routine(form: ViewProduct, strategy: Vectors, context: GroupContext) -> tree.Statements | None:
    """A call of the function of a product, which is added to the file; None if the product needs the kernel."""
    if not context.target.outlines_products or not _is_alone(form, strategy):
        return None
    factors = (form.target, *form.factors)
    target, *others = (
        Factor(replace(factor.view, base=tree.Name(word), next_element=None), factor.axes)
        for word, factor in zip(PARAMETERS, factors, strict=True)
    )
    routine = _routine(replace(form, target=target, factors=tuple(others), letters={}), strategy, context.target)
    context.routines[routine.name] = routine
    return (tree.Call(routine.name, tuple(factor.view.base for factor in factors)),)


@lru_cache(MOST_REMEMBERED)
def _routine(form: ViewProduct, strategy: Vectors, target: Target) -> tree.Function:
    """The function of a product, whose operands have the names of its parameters."""
    names = free_names(target, frozenset(PARAMETERS))
    parameters = tuple(tree.Parameter(view.pointer, word) for word, view in zip(PARAMETERS, form.views, strict=True))
    context = GroupContext(
        target, names, {}, index.ZERO, index.ONE, [], ALONE, {}, {}, "", {}, LocalPanel(0, 0), None,
        scratch=None, is_element=None, has_global_fences=False,
    )  # fmt: skip
    body = lower_vectors(in_vectors(form, strategy), context)
    return tree.Function(routine_name(parameters, body), parameters, body, outlined=tree.Outlined.ROUTINE)


def _is_alone(form: ViewProduct, strategy: Vectors) -> bool:
    """True if it has loops, reads its matrices only, all of whose sizes are known, and calls nothing.

    Factors of 0 are left to the kernel: 0.0 and -0.0 are equal, and the functions would not be.
    """
    has_numbers = not any(isinstance(each.value, tl.Local) for each in (form.alpha, form.beta))
    has_numbers = has_numbers and not form.alpha.is_number(0)
    is_plain = strategy.epilogue is None and not strategy.is_copied and not form.is_atomic
    is_loop = strategy.terms is None
    return has_numbers and is_plain and is_loop and all(isinstance(each, tree.Integer) for each in _extents(form))


def _extents(form: ViewProduct) -> Iterator[tree.Expression]:
    """Sizes and strides of all matrices."""
    for view in form.views:
        yield from (*view.shape, *view.strides)


# -- each work-item of a group computes one block of a matrix, and all of them together the whole ----------------------
# double sum[28];                                            rows as far apart as there are items beside each other
# for (int k0 = 0; k0 < 56; k0 += 14) {                      only where the factors have to pass through local memory
#     barrier(…);
#     a slice of both factors to local memory                by all work-items (`spread`)
#     barrier(…);
#     for k below 14: sum[…] += left_panel[…] * right_panel[…];
# }
# C[…] = sum[…];
#
# Rows and columns behind the last one repeat it, and what is computed from them is not stored: the innermost loop has
# no conditions and no rest.


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

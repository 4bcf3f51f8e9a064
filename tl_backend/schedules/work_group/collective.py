"""How a collective instruction is run: the choice among the strategies."""

from einsum_front.tl_backend.instructions import Collective
from einsum_front.tl_backend.kernel.tree import Integer, Statements
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.blocks import Blocking, lower_blocks
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.own_block import find_own_block, lower_own_block
from einsum_front.tl_backend.schedules.work_group.product import Product, product
from einsum_front.tl_backend.schedules.work_group.vectors import find_vectors, lower_vectors
from einsum_front.tl_backend.semantics import Axis

COLUMNS_PER_ITEM = 4
"""Columns of a block of a work-item that computes several blocks: it uses an entry of the left factor again."""

ROWS_PER_ITEM = 4, 2
"""Rows of such a block, if all work-items then have the same work."""


def lower_collective(instruction: Collective, context: Context) -> Statements:
    """The statements of the instruction, shared by the work-items of the context."""
    form = product(instruction, context)
    in_vectors = find_vectors(form, context.summands.get(instruction), context)
    if in_vectors is not None:
        return lower_vectors(in_vectors, context)
    own_block = find_own_block(form, context)
    if own_block is not None:
        return lower_own_block(form, own_block, context)
    return lower_blocks(form, choose_blocking(form, context), context)


def choose_blocking(form: Product, context: Context) -> Blocking:
    """Blocks that keep what they read in registers while it is needed again."""
    if not form.is_sum:
        return Blocking(1, 1)
    if context.block is not None:
        return _given(context.block, form, context)
    columns = _columns(form)
    if context.items.count > 1:
        return Blocking(_shared_rows(form, context), _shared_columns(columns, context))
    return _vector_blocks(columns, context.target.vector_width(form.type))


def _given(block: RegisterBlock, form: Product, context: Context) -> Blocking:
    """The block that the user or a measurement chose."""
    width = context.target.vector_width(form.type) if context.items.count == 1 else 1
    return Blocking(block.rows * width, block.columns)


def _columns(form: Product) -> int | None:
    """Columns of the result; None if that is known only at run time."""
    if Axis.N not in form.result.axes:
        return 1
    extent = form.extent(Axis.N)
    return extent.value if isinstance(extent, Integer) else None


def _vector_blocks(columns: int | None, width: int) -> Blocking:
    """One work-item, where the compiler finds vectors: enough sums to fill the pipelines, few enough for registers.

    Measured on AVX2: 2 x 3 vectors are fast, 4 x 3 spill.
    """
    return Blocking(4 * width, 1) if columns == 1 else Blocking(2 * width, 3)


def _shared_rows(form: Product, context: Context) -> int:
    """As many rows for a work-item as leave all of them the same work."""
    if Axis.N not in form.result.axes:
        return 1
    rows = form.extent(Axis.M)
    if not isinstance(rows, Integer):
        return 1
    return next(each for each in (*ROWS_PER_ITEM, 1) if each == 1 or rows.value % (each * context.items.rows) == 0)


def _shared_columns(columns: int | None, context: Context) -> int:
    """So many columns for a work-item that all have the same work."""
    if columns is None:
        return COLUMNS_PER_ITEM
    each = -(-columns // context.items.columns)
    return -(-each // -(-each // COLUMNS_PER_ITEM))

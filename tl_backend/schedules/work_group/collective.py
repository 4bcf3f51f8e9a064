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
from einsum_front.tl_backend.analysis.product_form import Factor, product_form
from einsum_front.tl_backend.interpret.patterns import Summands
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import free_names, routine_name
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.view import View, extents
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.product import ViewProduct, product_of, view_product
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.blocks import lower_blocks
from einsum_front.tl_backend.schedules.work_group.context import GroupContext, LocalPanel, Setting
from einsum_front.tl_backend.schedules.work_group.elements import ALONE, Items
from einsum_front.tl_backend.schedules.work_group.epilogue import with_epilogues
from einsum_front.tl_backend.schedules.work_group.register_tile import find_register_tile, lower_register_tile
from einsum_front.tl_backend.schedules.work_group.strategy import Blocking, RegisterTile, Strategies, Strategy, Vectors
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
    for instruction in walked(function):
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

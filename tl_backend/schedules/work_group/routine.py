"""Products as functions of their own, where the target asks for that: kernels that have the same one can share it.

static void product_0f3a91c2b7de(double *C, const double *A, const double *B) { … }     the block loops of `vectors`

product_0f3a91c2b7de(tmp0, fMrT_0, I_1);

The name follows from what the function does, with all sizes, strides and known zeros: equal names are equal functions,
in whatever kernel. Its memory has parameters instead of places, so it knows nothing of the kernel. And a compiler
that does not see where a factor came from reads it from memory again: GCC would take scalars out of vectors that it
has just stored, and spill others for that.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl.kernel import free_names
from einsum_front.tl_backend.schedules.lowering.product import ViewFactor, ViewProduct
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.schedules.work_group.strategy import Vectors
from einsum_front.tl_backend.schedules.work_group.vectors import in_vectors, lower_vectors

DIGITS = 12
"""Hexadecimal digits of a name: two of a million functions are the same by chance once in 500 programs."""


def lower_in_routine(form: ViewProduct, strategy: Vectors, context: GroupContext) -> tree.Statements | None:
    """A call of the function of a product, which is added to the file; None if the product needs the kernel."""
    if not context.target.outlines_products or not _is_alone(form, strategy):
        return None
    names = free_names(context.target, frozenset())
    factors = (form.target, *form.factors)
    parameters = tuple(_parameter(word, factor, names) for word, factor in zip("CAB", factors, strict=True))
    own = replace(context, names=names, values={}, transposes={}, group_ids=[])
    result, *others = (
        replace(factor, view=replace(factor.view, base=tree.Name(parameter.name), next_element=None))
        for factor, parameter in zip(factors, parameters, strict=True)
    )
    moved = replace(form, target=result, factors=tuple(others), letters={})
    body = lower_vectors(in_vectors(moved, strategy), own)
    name = f"product_{sha256(repr((parameters, body)).encode()).hexdigest()[:DIGITS]}"
    context.routines[name] = tree.Function(name, parameters, body, outlined=tree.Outlined.ROUTINE)
    return (tree.Call(name, tuple(factor.view.base for factor in factors)),)


def _parameter(word: str, factor: ViewFactor, names: Names) -> tree.Parameter:
    return tree.Parameter(factor.view.pointer, names.fresh(word))


def _is_alone(form: ViewProduct, strategy: Vectors) -> bool:
    """True if it has loops, reads its matrices only, all of whose sizes are known, and calls nothing."""
    has_numbers = not any(isinstance(each.value, tl.Local) for each in (form.alpha, form.beta))
    is_plain = strategy.epilogue is None and not strategy.is_copied and not form.is_atomic
    is_loop = strategy.terms is None
    return has_numbers and is_plain and is_loop and all(isinstance(each, tree.Integer) for each in _extents(form))


def _extents(form: ViewProduct) -> Iterator[tree.Expression]:
    """Sizes and strides of all matrices."""
    for view in form.views:
        yield from (*view.shape, *view.strides)

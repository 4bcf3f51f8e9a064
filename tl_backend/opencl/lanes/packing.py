"""Values that are one for the whole batch, side by side in the order of their use.

Alpha is in them, unless it differs from lane to lane.

double values[202];            // = {0} if rows of a group lack summands
for (int i = 0; i < 33; ++i)
    values[slots[i]] = K0[sources[i]];

Those of a group of rows stand together, and are 0 for rows that lack the summand.
"""

import numpy as np

from tl_backend.instructions import Local
from tl_backend.opencl import index
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.lanes.numbers import is_progression, number_at
from tl_backend.opencl.lanes.places import Affine
from tl_backend.opencl.lanes.product import Product, Term
from tl_backend.opencl.lanes.table import Operand, RowTable
from tl_backend.opencl.lanes.update import scaled
from tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    DeclareArray,
    For,
    Name,
    Scalar,
    Statement,
    Statements,
    Subscript,
)


def pack_values(table: RowTable, product: Product, context: Context) -> tuple[Name | None, Statements]:
    """The array of a table's values, if they are one for all lanes, and what fills it unless that is done early."""
    values, terms = table.values, np.unique(table.terms).tolist()
    if values is None or not all(context.is_uniform(values.bases[number]) for number in terms) or not terms:
        return None, ()
    wish = context.arrays[product.target.base].name
    array = Name(context.top.fresh(f"{wish}_values"))
    declaration = DeclareArray(
        context.scalar_type, array.text, table.holds.size, AddressSpace.PRIVATE, is_zero=not table.holds.all()
    )
    fills = [_fill(array, wish, product.terms[number], number, table, values, context) for number in terms]
    if all(_is_early(product.terms[number], values.bases[number], context) for number in terms):
        context.hoisted.extend((declaration, *fills))
        return array, ()
    return array, (declaration, *fills)


def _is_early(term: Term, base: str, context: Context) -> bool:
    """Whether everything is known before the first elements."""
    is_moving = any(factor.base == base and factor.offset.terms for factor in term.factors)
    alpha = term.alpha.value
    is_alpha_early = not isinstance(alpha, Local) or alpha.name in context.early or context.differs(alpha)
    return not is_moving and base in context.early and is_alpha_early


def _fill(
    array: Name, wish: str, term: Term, number: int, table: RowTable, values: Operand, context: Context
) -> Statement:
    """A loop over the values of one term."""
    counter = Name(context.top.fresh("i"))
    slots = np.flatnonzero(table.holds & (table.terms == number)[:, None])
    base = values.bases[number]
    source = context.arrays[base]
    moving = next(factor.offset.terms for factor in term.factors if factor.base == base)
    from_ = number_at(counter, values.positions.ravel()[slots] - source.low, f"{wish}_sources", context)
    value = Subscript(Name(source.name), index.add(from_, context.index(Affine(0, moving))))
    to = Subscript(array, number_at(counter, slots, f"{wish}_slots", context))
    packed = value if context.differs(term.alpha.value) else scaled(term.alpha, value, context)
    body, count = (Assign(to, packed),), index.constant(slots.size)
    is_scatter = context.has_scatters and not is_progression(slots)
    return For(Scalar.INT, counter.text, index.ZERO, count, index.ONE, body, is_scalar=is_scatter)

"""Values that are batch-invariant, side by side in the order of their use.

Alpha is in them, unless it differs from lane to lane. Where all are known when compiling, they are a table of the file:

constant double values[202] = {0.5, 0.0, …};

Otherwise an array, which each work-item fills:

double values[202];            // = {0} if rows of a group lack summands
for (int i = 0; i < 33; ++i)
    values[slots[i]] = K0[sources[i]];

Those of a group of rows stand together, and are 0 for rows that lack the summand.
"""

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext
from einsum_front.tl_backend.schedules.batch_simd.numbers import is_progression, number_at
from einsum_front.tl_backend.schedules.batch_simd.table import Operand, RowTable
from einsum_front.tl_backend.schedules.positions.product import ProductSum


def pack_values(table: RowTable, product: ProductSum, context: LaneContext) -> tuple[tree.Name | None, tree.Statements]:
    """The array of a table's values, if they are one for all lanes, and what fills it unless that is done early."""
    values, terms = table.values, sorted(set(table.terms.ravel().tolist()))
    if values is None or not all(context.is_uniform(values.bases[number]) for number in terms) or not terms:
        return None, ()
    hint = f"{context.arrays[product.target.base].name}_values"
    known = _known_values(table, values, product, context)
    constants = None if known is None else context.table_of_values(hint, known)
    if constants is not None:
        return constants, ()
    array = tree.Name(context.top.fresh(hint))
    declaration = tree.DeclareArray(
        context.scalar_type, array.text, table.holds.size, AddressSpace.PRIVATE, is_zero=not table.holds.all()
    )
    packing = _Packing(array, table, values, product, context)
    statements = declaration, *map(packing.fill, terms)
    if all(map(packing.is_early, terms)):
        context.hoisted.extend(statements)
        return array, ()
    return array, statements


def _known_values(
    table: RowTable, values: Operand, product: ProductSum, context: LaneContext
) -> tuple[float, ...] | None:
    """The values with alpha, rounded as the device would; None if some are not known when compiling, or not finite."""
    numbers = np.zeros(table.holds.shape, DTYPES[context.element])
    for number in sorted(set(table.terms.ravel().tolist())):
        alpha, known = product.terms[number].alpha.value, context.facts.known.get(values.bases[number])
        if known is None or values.moving[number] or isinstance(alpha, tl.Local):
            return None
        mine = table.holds & (table.terms == number)[:, None]
        with np.errstate(all="ignore"):
            numbers[mine] = numbers.dtype.type(alpha.value) * known[values.positions[mine]]
    return tuple(numbers.ravel().tolist()) if np.isfinite(numbers).all() else None


@dataclass(frozen=True, slots=True)
class _Packing:
    """A table whose values go to an array; its methods take the number of a term of the product."""

    array: tree.Name
    table: RowTable
    values: Operand
    product: ProductSum
    context: LaneContext

    def is_early(self, number: int) -> bool:
        """True if everything is known before the first elements."""
        base, alpha, context = self.values.bases[number], self.product.terms[number].alpha.value, self.context
        is_alpha_early = not isinstance(alpha, tl.Local) or alpha.name in context.early or context.differs(alpha)
        return not self.values.moving[number] and base in context.early and is_alpha_early

    def fill(self, number: int) -> tree.Statement:
        """A loop over the values of the term."""
        context, alpha = self.context, self.product.terms[number].alpha
        counter, hint = tree.Name(context.top.fresh("value")), context.arrays[self.product.target.base].name
        slots = np.flatnonzero(self.table.holds & (self.table.terms == number)[:, None])
        source = context.arrays[self.values.bases[number]]
        from_ = number_at(counter, self.values.positions.ravel()[slots] - source.low, f"{hint}_sources", context)
        value = tree.Subscript(
            tree.Name(source.name), index.add(from_, context.affine(Affine(0, self.values.moving[number])))
        )
        to = tree.Subscript(self.array, number_at(counter, slots, f"{hint}_slots", context))
        packed = value if context.differs(alpha.value) else context.scaled(alpha, value)
        body, count = (tree.Assign(to, packed),), index.constant(slots.size)
        is_scatter = context.has_scatters and not is_progression(slots)
        over = f"values of {source.name}"
        return tree.For(Scalar.I32, counter.text, index.ZERO, count, index.ONE, body, is_scalar=is_scatter, over=over)

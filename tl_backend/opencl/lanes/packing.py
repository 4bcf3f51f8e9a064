"""Values that are one for the whole batch, side by side in the order of their use.

Alpha is in them, unless it differs from lane to lane.

double values[202];
for (int i = 0; i < 33; ++i)
    values[slots[i]] = K0[sources[i]];
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tl_backend.instructions import Local
from tl_backend.opencl import index
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.lanes.numbers import number_at
from tl_backend.opencl.lanes.places import Affine
from tl_backend.opencl.lanes.product import Term
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


@dataclass(frozen=True, slots=True)
class Value:
    """The position of a value in its base, and the number of the term that it belongs to."""

    term: int
    position: int


def pack(
    wish: str, terms: Sequence[Term], bases: Sequence[str], values: Sequence[Value], context: Context
) -> tuple[Name, Statements]:
    """The array of the values, and what fills it, unless that is done once for all elements.

    `bases` are those of the terms' values, all of them one for the whole batch.
    """
    array = Name(context.top.fresh(f"{wish}_values"))
    declaration = DeclareArray(context.scalar_type, array.text, len(values), AddressSpace.PRIVATE)
    used = sorted({value.term for value in values})
    fills = [_fill(array, wish, terms[number], bases[number], number, values, context) for number in used]
    if all(_is_early(terms[number], bases[number], context) for number in used):
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
    array: Name, wish: str, term: Term, base: str, number: int, values: Sequence[Value], context: Context
) -> Statement:
    """A loop over the values of one term."""
    counter = Name(context.top.fresh("i"))
    slots = [slot for slot, value in enumerate(values) if value.term == number]
    source = context.arrays[base]
    positions = [value.position - source.low for value in values if value.term == number]
    moving = next(factor.offset.terms for factor in term.factors if factor.base == base)
    from_ = number_at(counter, positions, f"{wish}_sources", context)
    value = Subscript(Name(source.name), index.add(from_, context.index(Affine(0, moving))))
    to = Subscript(array, number_at(counter, slots, f"{wish}_slots", context))
    packed = value if context.differs(term.alpha.value) else scaled(term.alpha, value, context)
    body = (Assign(to, packed),)
    return For(Scalar.INT, counter.text, index.ZERO, index.constant(len(slots)), index.ONE, body)

"""Single entries: a `foreach` of loads, arithmetic and a store, so that no entry is stored by several work-items."""

from collections.abc import Sequence

from ir.emit_tensor_language.access import Access
from ir.emit_tensor_language.writer import Writer
from tl_backend.instructions import BinaryOperator, FloatConstant, Local, Operand

NOTHING = FloatConstant(0.0)


def multiply_entries(
    writer: Writer, alpha: Operand, factors: Sequence[Access], beta: Operand, target: Access, along: str | None = None
) -> None:
    """`target := alpha * product of factors + beta * target`, entry by entry.

    All accesses walk the index `along` alone, some not at all, one perhaps a diagonal; without it they have order 0.
    """
    extent = 1 if along is None else target.extent(along)
    element = target.memref.type.element
    with writer.foreach(writer.fresh(along or "once"), extent) as variable:
        positions = {} if along is None else {along: variable}
        value = alpha
        for factor in factors:
            value = writer.times(value, factor.at(positions).entry(writer), element)
        updated = _updated(writer, value, beta, target.at(positions))
        stored = updated if isinstance(updated, Local) else writer.cast(updated, element, element, "value")
        writer.store(stored, target.memref, target.at(positions).entry_position)


def _updated(writer: Writer, value: Operand, beta: Operand, target: Access) -> Operand:
    """`value + beta * target`, where the target is not read if β is 0, which may show at run time only."""
    if beta == NOTHING:
        return value
    element = target.memref.type.element

    def sum_() -> Local:
        kept = writer.times(beta, target.entry(writer), element)
        return writer.arith(BinaryOperator.ADD, value, kept, element, "updated")

    return sum_() if isinstance(beta, FloatConstant) else writer.unless_zero(beta, sum_, value, element)

"""Single entries: a `foreach` of loads, arithmetic and a store, so that no entry is stored by several work-items."""

from collections.abc import Sequence

from ir.emit_tensor_language.access import Access, Positions
from ir.emit_tensor_language.writer import Writer
from tl_backend.instructions import BinaryOperator, FloatConstant, IndexOperand, Local, Operand


def multiply_entries(
    writer: Writer, alpha: Operand, factors: Sequence[Access], beta: Operand, target: Access, along: str | None = None
) -> None:
    """`target := alpha * product of factors + beta * target`, entry by entry.

    All accesses walk the index `along` alone, some not at all, one perhaps a diagonal; without it they have order 0.
    """
    extent = 1 if along is None else target.extent(along)
    with writer.foreach(writer.fresh(along or "once"), extent) as variable:
        positions = {} if along is None else {along: variable}
        element = target.memref.type.element
        value = alpha
        for factor in factors:
            value = writer.times(value, writer.entry(factor.memref, _at(factor, positions)), element)
        if beta != FloatConstant(0.0):
            kept = writer.times(beta, writer.entry(target.memref, _at(target, positions)), element)
            value = writer.arith(BinaryOperator.ADD, value, kept, element, "updated")
        stored = value if isinstance(value, Local) else writer.cast(value, element, element, "value")
        writer.store(stored, target.memref, _at(target, positions))


def _at(access: Access, positions: Positions) -> tuple[IndexOperand, ...]:
    return tuple(positions[index] for index in access.indices)

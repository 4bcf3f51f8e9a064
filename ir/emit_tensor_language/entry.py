"""Single entries: a `foreach` of loads, arithmetic and a store, so that no entry is stored by several work-items."""

from collections.abc import Sequence

from ir.emit_tensor_language.access import Access, Positions
from ir.emit_tensor_language.writer import Memref, Writer
from tl_backend.instructions import BinaryOperator, FloatConstant, IndexOperand, Local, Operand

NOTHING = FloatConstant(0.0)


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
        value = _updated(writer, value, beta, target.memref, _at(target, positions))
        stored = value if isinstance(value, Local) else writer.cast(value, element, element, "value")
        writer.store(stored, target.memref, _at(target, positions))


def _updated(
    writer: Writer, value: Operand, beta: Operand, target: Memref, indices: tuple[IndexOperand, ...]
) -> Operand:
    """`value + beta * target[indices]`, where the target is not read if β is 0, which may show at run time only."""
    if beta == NOTHING:
        return value
    element = target.type.element

    def sum_() -> Local:
        kept = writer.times(beta, writer.entry(target, indices), element)
        return writer.arith(BinaryOperator.ADD, value, kept, element, "updated")

    return sum_() if isinstance(beta, FloatConstant) else writer.unless_zero(beta, sum_, value, element)


def _at(access: Access, positions: Positions) -> tuple[IndexOperand, ...]:
    return tuple(positions[index] for index in access.indices)

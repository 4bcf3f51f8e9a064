"""Single entries: a `foreach` of loads, arithmetic and a store, so that no entry is stored by several work-items."""

from collections.abc import Sequence

from einsum_front.ir.emit_tensor_language.access import Access, extents_of
from einsum_front.ir.emit_tensor_language.nest import loop_name
from einsum_front.tl_backend import Builder, Number, Value
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType


def multiply_entries(
    builder: Builder, alpha: Number, factors: Sequence[Access], beta: Number, target: Access, along: str | None = None
) -> None:
    """`target := alpha * product of factors + beta * target`, entry by entry.

    All accesses walk the index `along` alone, some not at all, one perhaps a diagonal; without it they have rank 0.
    """
    extent = 1 if along is None else extents_of((target,))[along].index(builder)
    with builder.foreach_loop(0, extent, name=loop_name(along or "once")) as variable:
        positions = {} if along is None else {along: variable}
        value = alpha
        for factor in factors:
            value = times(builder, value, factor.at(positions).entry(builder))
        entry = target.at(positions)
        total = updated(builder, value, beta, entry)
        builder.store(stored(builder, total, entry.memref.memref.element), entry.memref, *entry.position)


def times(builder: Builder, factor: Number, value: Value) -> Value:
    """The product; a factor of 1 is left out."""
    return value if factor == 1.0 else builder.arith(tl.BinaryOperator.MUL, factor, value, name="product")


def updated(builder: Builder, value: Number, beta: Number, target: Access) -> Number:
    """`value + beta * target`, where the target is not read if β is 0, which may show at run time only."""

    def update() -> Value:
        kept = times(builder, beta, target.entry(builder))
        return builder.arith(tl.BinaryOperator.ADD, value, kept, name="updated")

    if not isinstance(beta, Value):
        return value if beta == 0 else update()
    is_zero = builder.compare(tl.Condition.EQ, beta, 0 if beta.scalar.is_integer else 0.0, name="is_zero")
    (chosen,) = builder.if_else(is_zero, (beta.scalar,), lambda: (value,), lambda: (update(),))
    return chosen


def stored(builder: Builder, number: Number, type_: ScalarType) -> Value:
    """The number as a value of the type, which `store` needs; narrow numbers become others by way of f32."""
    if not isinstance(number, Value):
        return builder.constant(number, type_)
    if number.scalar is type_:
        return number
    if ScalarType.F32 not in (number.scalar, type_) and not (number.scalar.is_computed and type_.is_computed):
        number = builder.cast(number, ScalarType.F32, name="single")
    return builder.cast(number, type_, name="stored")

"""The last step of a product: alpha times what was computed, and beta times what was there."""

from einsum_front.tl_backend.instructions import Local, TypedScalar
from einsum_front.tl_backend.kernel.tree import Binary, BinaryOperator, Conditional, Expression
from einsum_front.tl_backend.schedules.batch_simd.context import Context


def scaled(alpha: TypedScalar, value: Expression, context: Context) -> Expression:
    """`alpha value`; a factor of 1 is not written."""
    if alpha.is_number(1):
        return value
    return Binary(BinaryOperator.MULTIPLY, context.scalar(alpha.value, alpha.type), value)


def kept(beta: TypedScalar, old: Expression, is_uniform: bool, context: Context) -> Expression | None:
    """`beta old`, None if beta is 0; where that shows only at run time the old value does not count: it may be NaN."""
    if beta.is_number(0):
        return None
    if not isinstance(beta.value, Local):
        return scaled(beta, old, context)
    coefficient = context.scalar(beta.value, beta.type)
    zero = context.zero_of(is_uniform and not context.differs(beta.value))
    is_zero = Binary(BinaryOperator.EQUAL, coefficient, context.zero_of(not context.differs(beta.value)))
    return Conditional(is_zero, zero, scaled(beta, old, context))


def updated(value: Expression, beta: TypedScalar, old: Expression, is_uniform: bool, context: Context) -> Expression:
    """`value + beta old`."""
    rest = kept(beta, old, is_uniform, context)
    return value if rest is None else Binary(BinaryOperator.ADD, rest, value)

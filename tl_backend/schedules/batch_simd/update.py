"""The last step of a product: alpha times what was computed, and beta times what was there."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.schedules.batch_simd.context import Context


def scaled(alpha: tl.TypedScalar, value: tree.Expression, context: Context) -> tree.Expression:
    """`alpha value`; a factor of 1 is not written."""
    if alpha.is_number(1):
        return value
    return tree.Binary(tree.BinaryOperator.MULTIPLY, context.scalar(alpha.value, alpha.type), value)


def kept(beta: tl.TypedScalar, old: tree.Expression, is_uniform: bool, context: Context) -> tree.Expression | None:
    """`beta old`, None if beta is 0; where that shows only at run time the old value does not count: it may be NaN."""
    if beta.is_number(0):
        return None
    if not isinstance(beta.value, tl.Local):
        return scaled(beta, old, context)
    coefficient = context.scalar(beta.value, beta.type)
    zero = context.zero_of(is_uniform and not context.differs(beta.value))
    is_zero = tree.Binary(tree.BinaryOperator.EQUAL, coefficient, context.zero_of(not context.differs(beta.value)))
    return tree.Conditional(is_zero, zero, scaled(beta, old, context))


def updated(
    value: tree.Expression, beta: tl.TypedScalar, old: tree.Expression, is_uniform: bool, context: Context
) -> tree.Expression:
    """`value + beta old`."""
    rest = kept(beta, old, is_uniform, context)
    return value if rest is None else tree.Binary(tree.BinaryOperator.ADD, rest, value)

"""The last step of a product: alpha times what was computed, and beta times what was there."""

from typing import Protocol

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Vector
from einsum_front.tl_backend.opencl.scalar import REGISTER, convert, memory_type, number, wrapping_type
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.product import ViewProduct
from einsum_front.tl_backend.types import ScalarType


class Scalars(Protocol):
    """Coefficients in C: a `Context`, or what a schedule has in its place."""

    def scalar(self, operand: tl.Operand, type_: ScalarType, /) -> tree.Expression:
        """The operand as a value of the type."""
        ...

    def zero_of(self, operand: tl.Operand, type_: Scalar, /) -> tree.Expression:
        """Zero in its C type, to compare it with."""
        ...


def scaled(factor: tl.TypedScalar, value: tree.Expression, compute: Scalar, context: Scalars) -> tree.Expression:
    """`factor value` in the type that is computed in; a factor of 1 is not written."""
    if factor.is_number(1):
        return value
    return tree.Binary(tree.BinaryOperator.MULTIPLY, _coefficient(factor, compute, context), value)


def added(
    beta: tl.TypedScalar,
    old: tree.Expression,
    value: tree.Expression,
    zero: tree.Expression,
    compute: Scalar,
    context: Scalars,
) -> tree.Expression:
    """`beta old + value`; with a beta of 0 what is old is not read.

    Where that shows only at run time, what is old does not count, but a `zero` of its type: it may be NaN.
    """
    if beta.is_number(0):
        return value
    rest = scaled(beta, old, compute, context)
    if isinstance(beta.value, tl.Local) and compute.is_floating:
        coefficient = _coefficient(beta, compute, context)
        is_zero = tree.Binary(tree.BinaryOperator.EQUAL, coefficient, context.zero_of(beta.value, compute))
        rest = tree.Conditional(is_zero, zero, rest)
    return tree.Binary(tree.BinaryOperator.ADD, rest, value)


def _coefficient(coefficient: tl.TypedScalar, compute: Scalar, context: Scalars) -> tree.Expression:
    if isinstance(coefficient.value, tl.Local):
        value = context.scalar(coefficient.value, coefficient.type)
        return convert(value, REGISTER[coefficient.type], compute)
    in_its_type = number(coefficient.value.value.real, wrapping_type(coefficient.type))
    return number(in_its_type.value, compute)


# -- of products whose operands are views ------------------------------------------------------------------------------


def update(
    product: ViewProduct, entry: tree.Place, value: tree.Expression, context: Context, width: int = 1
) -> tree.Statement:
    """`entry := alpha value + beta entry`.

    `value` is of the type that the product computes in; both are vectors if `width` is more than 1.
    """
    compute, view = product.type, product.target.view
    memory = memory_type(view.element)
    if product.is_atomic and view.pointer.space is not AddressSpace.PRIVATE:
        value, kind = scaled(product.alpha, value, compute, context), _kind(product)
        beta = _coefficient(product.beta, compute, context) if kind is tree.Update.SCALE_ADD else None
        return tree.AtomicUpdate(kind, entry, value, beta, memory, compute, view.pointer.space)
    new = updated(product, entry, value, context, width)
    if view.element is ScalarType.BOOL:
        new, compute = convert(new, compute, Scalar.BOOL), Scalar.BOOL
    return tree.Assign(entry, convert(new, compute, memory))


def updated(
    product: ViewProduct, entry: tree.Place, value: tree.Expression, context: Context, width: int = 1
) -> tree.Expression:
    """The new value of an entry, in the type that the product computes in."""
    compute = product.type
    zero: tree.Expression = number(0, compute)
    zero = zero if width == 1 else tree.Pack(Vector(compute, width), (zero,))
    old = convert(entry, memory_type(product.target.view.element), compute)
    return added(product.beta, old, scaled(product.alpha, value, compute, context), zero, compute, context)


def _kind(product: ViewProduct) -> tree.Update:
    if product.beta.is_number(0):
        return tree.Update.STORE
    return tree.Update.ADD if product.beta.is_number(1) else tree.Update.SCALE_ADD

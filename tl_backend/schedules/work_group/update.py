"""The last step of a collective instruction: alpha times what was computed, and beta times what was there."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Vector
from einsum_front.tl_backend.opencl.scalar import REGISTER, convert, memory_type, number, wrapping_type
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.product import Product


def update(
    product: Product, entry: tree.Place, value: tree.Expression, context: Context, width: int = 1
) -> tree.Statement:
    """`entry := alpha value + beta entry`; a factor of 1 is not written, and with a beta of 0 the entry is not read.

    `value` is of the type that the product computes in; both are vectors if `width` is more than 1.
    """
    compute = product.type
    view = product.result.view
    memory = memory_type(view.element)
    if product.is_atomic and view.pointer.space is not AddressSpace.PRIVATE:
        value = _times_alpha(product, value, context)
        kind = _kind(product)
        beta = _coefficient(product.beta, compute, context) if kind is tree.Update.SCALE_ADD else None
        return tree.AtomicUpdate(kind, entry, value, beta, memory, compute, view.pointer.space)
    return tree.Assign(entry, convert(updated(product, entry, value, context, width), compute, memory))


def updated(
    product: Product, entry: tree.Place, value: tree.Expression, context: Context, width: int = 1
) -> tree.Expression:
    """The new value of an entry, in the type that the product computes in."""
    compute = product.type
    value = _times_alpha(product, value, context)
    if product.beta.is_number(0):
        return value
    memory = memory_type(product.result.view.element)
    old = _scaled(product.beta, convert(entry, memory, compute), compute, width, context)
    return tree.Binary(tree.BinaryOperator.ADD, old, value)


def _times_alpha(product: Product, value: tree.Expression, context: Context) -> tree.Expression:
    if product.alpha.is_number(1):
        return value
    return tree.Binary(tree.BinaryOperator.MULTIPLY, _coefficient(product.alpha, product.type, context), value)


def _scaled(
    beta: tl.TypedScalar, old: tree.Expression, compute: Scalar, width: int, context: Context
) -> tree.Expression:
    """`beta old`, without reading what is old if beta turns out to be 0 at run time: it may be NaN."""
    if beta.is_number(1):
        return old
    coefficient = _coefficient(beta, compute, context)
    scaled = tree.Binary(tree.BinaryOperator.MULTIPLY, coefficient, old)
    if not isinstance(beta.value, tl.Local) or not compute.is_floating:
        return scaled
    zero = number(0, compute)
    is_zero = tree.Binary(tree.BinaryOperator.EQUAL, coefficient, zero)
    return tree.Conditional(is_zero, zero if width == 1 else tree.Pack(Vector(compute, width), (zero,)), scaled)


def _coefficient(coefficient: tl.TypedScalar, compute: Scalar, context: Context) -> tree.Expression:
    if isinstance(coefficient.value, tl.Local):
        value = context.scalar(coefficient.value, coefficient.type)
        return convert(value, REGISTER[coefficient.type], compute)
    in_its_type = number(coefficient.value.value, wrapping_type(coefficient.type))
    return number(in_its_type.value, compute)


def _kind(product: Product) -> tree.Update:
    if product.beta.is_number(0):
        return tree.Update.STORE
    return tree.Update.ADD if product.beta.is_number(1) else tree.Update.SCALE_ADD

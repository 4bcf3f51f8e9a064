"""Products whose operands are views in C, with sizes and strides that the launch may supply."""

from collections.abc import Callable, Mapping
from typing import Protocol

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis import products as form
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, Vector
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import View
from einsum_front.tl_backend.opencl.scalar import REGISTER, convert, memory_type, number, wrapping_type
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.semantics import Axis, widest
from einsum_front.tl_backend.types import ScalarType

MATRIX = (Axis.M, Axis.N)
LETTERS: Mapping[Axis, str] = {Axis.M: "i", Axis.N: "j", Axis.K: "k"}
"""The indices of an instruction whose notation is not known."""

Bounds = tuple[tree.Expression, tree.Expression, tree.Expression]
"""Start, stop and step of a loop."""

ViewFactor = form.Factor[View]


@dataclass(frozen=True, slots=True)
class ViewProduct(form.Product[View]):
    """A product as loops over entries of views."""

    def extent(self, axis: Axis) -> tree.Expression:
        """The size of the modes that run along the axis; a constant if one of them has one."""
        sizes = [
            size
            for factor in (self.target, *self.factors)
            for each, size in zip(factor.axes, factor.view.shape, strict=True)
            if each is axis
        ]
        return next((size for size in sizes if isinstance(size, tree.Integer)), sizes[0])

    @property
    def views(self) -> tuple[View, ...]:
        """The views of the target and of the factors."""
        return self.target.view, *(factor.view for factor in self.factors)

    @property
    def type(self) -> Scalar:
        """The C type to compute in: of f32 and f64 the wider one; integers are not mixed."""
        return wrapping_type(widest([view.element for view in self.views]))

    def letter(self, axis: Axis) -> str:
        """A name for a variable along the axis: the index of the notation if it is known."""
        return local_name(self.letters.get(axis) or LETTERS[axis])

    def loop(
        self,
        axis: Axis,
        counter: Scalar,
        name: str,
        bounds: Bounds,
        body: tree.Statements,
        unroll: tree.Unroll = tree.Unroll.AS_THE_COMPILER_LIKES,
    ) -> tree.For:
        """A loop along the axis, which says its index of the notation."""
        return tree.For(counter, name, *bounds, body, unroll, over=self.letters.get(axis, ""))


def view_product(product: form.Product[form.Other], view: Callable[[form.Other], View]) -> ViewProduct:
    """A product with its operands in C."""
    seen = product.seen(lambda factor: view(factor.view))
    return ViewProduct(seen.target, seen.factors, seen.alpha, seen.beta, seen.is_atomic, seen.letters)


def product_of(instruction: tl.Collective, view: Callable[[tl.Local], View]) -> ViewProduct:
    """The product of an instruction, with `view` for each memref."""
    return view_product(form.product_form(instruction), lambda memref: view(memref.value))


# -- the last step of a product ----------------------------------------------------------------------------------------
# Alpha times what was computed, and beta times what was there.


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

"""Products whose operands are views in C, with sizes and strides that the launch may supply."""

from collections.abc import Callable, Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis import products as form
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import wrapping_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.semantics import Axis, widest

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
        return wrapping_type(widest(view.element for view in self.views))

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

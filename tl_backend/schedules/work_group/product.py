"""The one form of all collective instructions, each by itself, with views whose sizes the launch may supply:

    result[row, column] := alpha * sum over depth of the factors + beta * result[row, column]

where a loop may be missing, and each factor is a view whose modes run along some of the axes.
"""

from collections.abc import Mapping
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.scalar import wrapping_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.work_group.context import Setting
from einsum_front.tl_backend.semantics import Axis, AxisMap, index_maps, letters_of, widest

MATRIX = (Axis.M, Axis.N)


@dataclass(frozen=True, slots=True)
class Factor:
    """A view, and the axis that each of its modes runs along."""

    view: View
    axes: AxisMap


@dataclass(frozen=True, slots=True)
class Product:
    """A collective instruction as loops over a product of factors; `letters` are the indices of the notation."""

    result: Factor
    factors: tuple[Factor, ...]
    alpha: tl.TypedScalar
    beta: tl.TypedScalar
    is_atomic: bool
    letters: Mapping[Axis, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_sum(self) -> bool:
        """True if there is something to sum over."""
        return any(Axis.K in factor.axes for factor in self.factors)

    def extent(self, axis: Axis) -> tree.Expression:
        """The size of the modes that run along the axis; a constant if one of them has one."""
        sizes = [
            size
            for factor in (self.result, *self.factors)
            for each, size in zip(factor.axes, factor.view.shape, strict=True)
            if each is axis
        ]
        return next((size for size in sizes if isinstance(size, tree.Integer)), sizes[0])

    @property
    def views(self) -> tuple[View, ...]:
        """The views of the result and of the factors."""
        return self.result.view, *(factor.view for factor in self.factors)

    @property
    def type(self) -> Scalar:
        """The C type to compute in: of f32 and f64 the wider one; integers are not mixed."""
        return wrapping_type(widest(view.element for view in self.views))


def product(instruction: tl.Collective, context: Setting) -> Product:
    """The instruction in the one form."""
    maps = index_maps(instruction)
    result = Factor(context.view(instruction.target.value), maps.target)
    views = (context.view(memref.value) for memref in instruction.inputs)
    factors = tuple(map(Factor, views, maps.inputs))
    letters = letters_of(instruction)
    return Product(result, factors, instruction.alpha, instruction.beta, instruction.atomic, letters)

"""The one form of a product, whatever is known of its operands:

    target := alpha * sum over the reduction axes of the product of the factors + beta * target

`product_form` makes it of an instruction, with the operands as they are written. What else is asked of a product is
derived from that by `Product.seen`: where its operands are in C (`schedules.lowering.product`), which positions of
their memory they have (`schedules.positions.product`), and which indices of loops walk them (`analysis.products`).
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Generic, TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.semantics import Axis, AxisMap, index_maps, letters_of

View = TypeVar("View")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True)
class Factor(Generic[View]):
    """A view, and the axis that each of its modes runs along."""

    view: View
    axes: AxisMap


@dataclass(frozen=True, slots=True)
class Product(Generic[View]):
    """A product of factors, added up over the axes that the target does not have.

    `letters` are the indices of the notation.
    """

    target: Factor[View]
    factors: tuple[Factor[View], ...]
    alpha: tl.TypedScalar
    beta: tl.TypedScalar
    is_atomic: bool = False
    letters: Mapping[Axis, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def operands(self) -> tuple[Factor[View], ...]:
        """The factors, then the target."""
        return *self.factors, self.target

    @property
    def is_sum(self) -> bool:
        """True if there is something to sum over."""
        return any(Axis.K in factor.axes for factor in self.factors)

    def seen(self, view: Callable[[Factor[View]], Other]) -> "Product[Other]":
        """The same with other views of its operands."""
        *factors, target = (Factor(view(each), each.axes) for each in self.operands)
        return Product(target, tuple(factors), self.alpha, self.beta, self.is_atomic, self.letters)


def product_form(instruction: tl.Collective) -> Product[tl.TypedMemref]:
    """The form of an instruction, with its operands as they are written."""
    maps = index_maps(instruction)
    return Product(
        Factor(instruction.target, maps.target),
        tuple(map(Factor, instruction.inputs, maps.inputs)),
        instruction.alpha,
        instruction.beta,
        instruction.atomic,
        letters_of(instruction),
    )

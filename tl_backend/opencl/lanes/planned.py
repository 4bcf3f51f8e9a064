"""The steps of a block of elements, with the loops that their products become."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tl_backend.instructions import FloatConstant, TypedScalar
from tl_backend.opencl.lanes.collective import Loop, loops_of
from tl_backend.opencl.lanes.facts import Facts
from tl_backend.opencl.lanes.flow import added_once
from tl_backend.opencl.lanes.merge import Step
from tl_backend.opencl.lanes.product import Product
from tl_backend.opencl.update import is_constant


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step, and the loops that it is if it is a product."""

    step: Step
    loops: tuple[Loop, ...]


def plan_steps(steps: Sequence[Step], facts: Facts) -> tuple[PlannedStep, ...]:
    """The steps in their order."""
    prepared = [_without_old(step, steps, facts) for step in steps]
    return tuple(
        PlannedStep(step, loops_of(step.action, facts) if isinstance(step.action, Product) else ()) for step in prepared
    )


def _without_old(step: Step, steps: Sequence[Step], facts: Facts) -> Step:
    """A product that adds to an argument: what is in memory is added when the sums are stored."""
    product = step.action
    if not isinstance(product, Product) or added_once(product.target.base, steps) is None:
        return step
    if not facts.storages[product.target.base].is_argument:
        return step
    nothing = TypedScalar(FloatConstant(0.0), product.beta.type)
    return replace(step, action=replace(product, beta=nothing, is_partial=is_constant(product.beta, 1)))

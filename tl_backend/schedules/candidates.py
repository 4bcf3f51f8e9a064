"""The schedules and parameters that are worth a measurement, for a function on a target."""

from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import choose, schedule_of
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning


def first_choice(function: Function, target: Target) -> Tuning:
    """Tuning that the model chooses for a function that is ready for lowering."""
    return Tuning(choose(function, target).kind)


def candidates(function: Function, target: Target) -> tuple[Tuning, ...]:
    """Everything that is worth trying, the function being able to have it or not.

    The passes may still be ahead of the function: where it asks for no work-group, it can have any.
    """
    return tuple(each for kind in ScheduleKind for each in schedule_of(kind).candidates(function, target))

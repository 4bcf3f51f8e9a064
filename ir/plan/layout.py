"""The order of the modes of temporaries in memory."""

from collections.abc import Sequence

from ir.plan.plan import Step
from ir.tensor import Tensor


def choose_layouts(
    arguments: Sequence[Tensor], temporaries: Sequence[Tensor], steps: Sequence[Step]
) -> tuple[Tensor, ...]:
    """The temporaries with the strides that suit the steps best."""
    return tuple(temporaries)

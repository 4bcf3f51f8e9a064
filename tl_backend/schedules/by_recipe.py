"""The schedule `loops`: a function runs as its recipe says; the model never takes it by itself."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning

if TYPE_CHECKING:
    from einsum_front.tl_backend.loops.nodes import Loops
    from einsum_front.tl_backend.transforms.recipe import Recipe


@dataclass(frozen=True)
class LoopsPlan:
    """A function as loops, after the steps of a recipe."""

    function: Function
    target: Target
    recipe: "Recipe"
    loops: "Loops"
    kind: ScheduleKind = ScheduleKind.LOOPS
    least: float = inf

    @property
    def cost(self) -> Cost:
        """No cost: nobody chooses it by a model."""
        return Cost(inf, "only where a recipe says so")

    @property
    def issued(self) -> int:
        """Products at all points of the loops; zeros that unrolled code leaves out count."""
        from einsum_front.tl_backend.loops.nodes import points  # noqa: PLC0415 - few kernels have a recipe

        return sum(times for product, times in points(self.loops.body) if len(product.factors) > 1)

    def why(self, rivals: Rivals) -> str:
        """Nobody chooses it among others."""
        return f"a recipe of {len(self.recipe.lines)} steps, in the place of {len(rivals) - 1} schedules"

    def explained(self) -> Iterator[str]:
        """The recipe, then the loops that it makes."""
        from einsum_front.tl_backend.loops.unparse import unparse  # noqa: PLC0415 - few kernels have a recipe

        yield from str(self.recipe).splitlines()
        yield from unparse(self.loops).splitlines()

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel; raises `CompileError` (E0913) for loops that have no code."""
        from einsum_front.tl_backend.loops.lower import lower  # noqa: PLC0415 - few kernels have a recipe

        return lower(self.loops, self.function, self.target, taken)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """A function that a recipe is given for; raises `CompileError` if a step of it is not legal (E0915)."""
    if tuning.recipe is None:
        return Reason("no recipe says how", is_of_device=True)
    if not subject.target.is_cpu:
        return Reason("recipes are for processors so far", is_of_device=True)
    from einsum_front.tl_backend.loops.of_function import NoLoopsError, loops_of  # noqa: PLC0415 - few kernels have a recipe
    from einsum_front.tl_backend.transforms.recipe import follow  # noqa: PLC0415 - few kernels have a recipe

    try:
        loops = loops_of(subject.function)
    except NoLoopsError as error:
        return Reason(str(error))
    recipe = replace(tuning.recipe, name=subject.function.name)
    return LoopsPlan(subject.function, subject.target, recipe, follow(recipe, loops))


def _candidates(_function: Function, _target: Target) -> Iterable[Tuning]:
    return ()


LOOPS = Schedule(ScheduleKind.LOOPS, analyse, _candidates)

"""The schedule `loops`: a function runs as its recipe says; the model never takes it by itself."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import MemrefType

if TYPE_CHECKING:
    from einsum_front.tl_backend.loops.nodes import Loops
    from einsum_front.tl_backend.transforms.heuristic import Writer
    from einsum_front.tl_backend.transforms.recipe import Recipe


@dataclass(frozen=True)
class LoopsPlan:
    """A function as loops, after the steps of a recipe."""

    function: Function
    target: Target
    recipe: "Recipe"
    loops: "Loops"
    is_own: bool = False
    of: str = "elements"
    columns: int | None = None
    kind: ScheduleKind = ScheduleKind.LOOPS
    least: float = 0

    @property
    def cost(self) -> Cost:
        """The products; where a recipe was given there is nothing to choose."""
        if not self.is_own:
            return Cost(inf, "only where a recipe says so")
        time = self.issued / (self.loops_width if self.columns else 1)
        return Cost(time, f"{self.issued} multiplications in lanes of {self.of}")

    @property
    def loops_width(self) -> int:
        """Lanes of a vector."""
        return self.target.vector_width(REGISTER[self.loops.tensors[0].element])

    @property
    def issued(self) -> int:
        """Multiplications; what tables and unrolled code leave out is not counted."""
        from einsum_front.tl_backend.loops.extents import issued  # noqa: PLC0415 - few kernels have a recipe

        return issued(self.loops) * (self.columns or 1)

    def why(self, rivals: Rivals) -> str:
        """Elements that are neighbours, or a recipe that was given."""
        if self.is_own:
            return f"{self.of} are neighbours in memory: they are the lanes of vectors"
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


def has_neighbours(function: Function) -> bool:
    """True if elements of the batch are neighbours in the memory of an argument, and entries are not."""
    modes = function.batch_modes
    memrefs = {each.name.name: each.type for each in function.arguments if isinstance(each.type, MemrefType)}
    return any(mode < memrefs[name].order - 1 for name, mode in modes.items())


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """A function that a recipe is given for; raises `CompileError` if a step of it is not legal (E0915)."""
    function, target = subject.function, subject.target
    if not target.is_cpu:
        return Reason("recipes are for processors so far", is_of_device=True)
    from einsum_front.tl_backend.loops.lanes import lanes_of  # noqa: PLC0415 - few kernels have a recipe

    lanes = lanes_of(function)
    if tuning.recipe is None and not has_neighbours(function) and not lanes.are_columns:
        return Reason("no recipe says how, and elements are no neighbours", is_of_device=True)
    from einsum_front.tl_backend.loops.expressions import NoLoopsError  # noqa: PLC0415 - few kernels have a recipe
    from einsum_front.tl_backend.loops.of_function import loops_of  # noqa: PLC0415 - few kernels have a recipe
    from einsum_front.tl_backend.transforms.recipe import follow  # noqa: PLC0415 - few kernels have a recipe

    try:
        loops = loops_of(function)
    except NoLoopsError as error:
        return Reason(str(error))
    if tuning.recipe is not None:
        from einsum_front.tl_backend.transforms.portable import local  # noqa: PLC0415 - as above

        given = tuning.recipe
        recipe = local(given, function.name, loops) if given.form else replace(given, name=function.name)
        return LoopsPlan(function, target, recipe, follow(recipe, loops))
    of = "columns" if lanes.are_columns else "elements"
    written = _write_recipe(function, loops, target)
    if isinstance(written, Reason):
        return written
    return LoopsPlan(function, target, written.recipe, written.loops, is_own=True, of=of, columns=lanes.count)


def first_recipe(function: Function, target: Target) -> "tuple[Recipe, Loops] | None":
    """The recipe of the heuristic with the loops that it begins with; None for what has none, and on GPUs."""
    if not target.is_cpu:
        return None
    from einsum_front.tl_backend.loops.expressions import NoLoopsError  # noqa: PLC0415 - few kernels have a recipe
    from einsum_front.tl_backend.loops.of_function import loops_of  # noqa: PLC0415 - few kernels have a recipe

    try:
        loops = loops_of(function)
    except NoLoopsError:
        return None
    written = _write_recipe(function, loops, target)
    return None if isinstance(written, Reason) else (written.recipe, loops)


def _write_recipe(function: Function, loops: "Loops", target: Target) -> "Writer | Reason":
    """The recipe of the heuristic for the loops of a function."""
    from einsum_front.tl_backend.loops.lanes import lanes_of  # noqa: PLC0415 - few kernels have a recipe
    from einsum_front.tl_backend.loops.verify import verify  # noqa: PLC0415 - few kernels have a recipe
    from einsum_front.tl_backend.transforms.heuristic import Writer, unstaged_targets  # noqa: PLC0415 - few kernels have a recipe

    for mistake in verify(loops):
        return Reason(f"its loops have no steps: {mistake.message}")
    writer = Writer(function.name, loops, target.vector_registers, target.machine.memory.last)
    writer.write(target.vector_width(REGISTER[loops.tensors[0].element]), lanes_of(function).count)
    unstaged = unstaged_targets(writer.loops)
    if unstaged:
        return Reason(f"elements of `%{unstaged[0]}` lie apart, and it does not fit into registers")
    return writer


def _candidates(_function: Function, _target: Target) -> Iterable[Tuning]:
    return ()


LOOPS = Schedule(ScheduleKind.LOOPS, analyse, _candidates)

"""Which schedule a function gets on a target: the one that is wanted, or else the cheapest."""

from dataclasses import replace
from math import inf

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic
from einsum_front.tl_backend.kernel.split import split_long
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names, named
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.prefetched import with_prefetches
from einsum_front.tl_backend.schedules.schedule import Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning

_OF_TILES = ScheduleKind.PACKED, ScheduleKind.TILED


@dataclass(frozen=True, slots=True)
class Choice:
    """The plan that was taken, and those of all schedules, or why there is none."""

    plan: Plan
    rivals: Rivals

    @property
    def kind(self) -> ScheduleKind:
        """The schedule that was taken."""
        return self.plan.kind

    @property
    def reason(self) -> str:
        """Why it was taken."""
        return self.plan.why(self.rivals)


def analyse(function: Function, target: Target, wanted: Tuning) -> Plan | Reason:
    """The plan of a function in the schedule that is wanted."""
    return schedule_of(wanted.kind).analyse(Subject(function, target), wanted)


def choose(function: Function, target: Target) -> Choice:
    """The plan that the model takes: the cheapest; of several a recipe of its own, or else the first.

    Plans are worked out from the lowest bound on, as long as there is one that may be cheaper than the best so far.
    """
    subject = Subject(function, target)
    rivals = {kind: schedule_of(kind).analyse(subject, Tuning(kind)) for kind in ScheduleKind}
    plans = [plan for plan in rivals.values() if not isinstance(plan, Reason)]
    best, lowest = plans[0], inf
    for plan in sorted(plans, key=lambda plan: (plan.least, plan.kind is not ScheduleKind.LOOPS)):
        if plan.least < lowest and plan.cost.time < lowest:
            best, lowest = plan, plan.cost.time
    return Choice(best, rivals)


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A function and how it runs, and `why`, if somebody asks; what runs once before it has a plan of its own."""

    function: Function
    target: Target
    tuning: Tuning
    plan: Plan
    why: str | None
    prologue: "Scheduled | None"

    def lower(self, taken: frozenset[str] = frozenset()) -> Kernel:
        """The kernel, which defines none of the names in `taken` and prefetches what the function says.

        On a CPU long functions are in parts. Raises `CompileError` with all that the target cannot do (E06xx), and if a
        work-item would have more arrays than the stack of a thread has room for (E0305).
        """
        kernel, target = with_prefetches(self.plan.lower(taken), self.function, self.target), self.target
        if not target.is_cpu:
            return kernel
        if kernel.private_bytes > target.stack:
            message = f"`{self.function.name}` cannot have the schedule `{self.tuning.kind.value}`"
            room, need = target.stack // 1024, kernel.private_bytes // 1024
            note = f"arrays of {need} KiB are more than the stack of a thread has, {room}"
            raise CompileError([Diagnostic("E0305", message, notes=(note,))])
        return replace(kernel, file=split_long(kernel.file, free_names(target, taken | named(kernel.file))))


def schedule(function: Function, target: Target, wanted: Tuning | None = None, why: str | None = None) -> Scheduled:
    """The function in the schedule that is wanted, or else the cheapest; its prologue in the cheapest.

    `why` it is wanted; else the model says that. Raises `CompileError` if the function cannot have it (E0305).
    """
    first = None if function.prologue is None else schedule(function.prologue, target)
    if wanted is None:
        choice = choose(function, target)
        return Scheduled(function, target, Tuning(choice.kind), choice.plan, choice.reason, first)
    plan = analyse(function, target, wanted)
    if isinstance(plan, Reason):
        message = f"`{function.name}` cannot have the schedule `{wanted.kind.value}`"
        raise CompileError([Diagnostic("E0305", message, notes=(plan.text,))])
    if wanted.work_group not in (None, function.work_group_size):
        raise CompilerBug(f"`{function.name}` was not made ready for work-groups of `{wanted}`")
    return Scheduled(function, target, wanted, plan, why, first)


def is_possible(function: Function, target: Target, wanted: Tuning) -> bool:
    """True if a function can have the schedule that is wanted."""
    return not isinstance(analyse(function, target, wanted), Reason)


def is_tiled(function: Function, target: Target, wanted: Tuning | None = None) -> bool:
    """True if long sums of the function have parts by themselves: those of the schedules `packed` and `tiled`."""
    if wanted is None:
        return choose(function, target).kind in _OF_TILES
    return wanted.kind in _OF_TILES and is_possible(function, target, wanted)


def schedule_of(kind: ScheduleKind) -> Schedule:
    """The schedule of a kind, which is imported when it is asked for: who wants one has no rivals."""
    match kind:
        case ScheduleKind.WORK_GROUP:
            from einsum_front.tl_backend.schedules.work_group.schedule import WORK_GROUP  # noqa: PLC0415 - see above

            return WORK_GROUP
        case ScheduleKind.BATCH_SIMD:
            from einsum_front.tl_backend.schedules.batch_simd.schedule import BATCH_SIMD  # noqa: PLC0415 - see above

            return BATCH_SIMD
        case ScheduleKind.PACKED:
            from einsum_front.tl_backend.schedules.packed.schedule import PACKED  # noqa: PLC0415 - see above

            return PACKED
        case ScheduleKind.TILED:
            from einsum_front.tl_backend.schedules.tiled.schedule import TILED  # noqa: PLC0415 - see above

            return TILED
        case ScheduleKind.COLUMNS:
            from einsum_front.tl_backend.schedules.columns.schedule import COLUMNS  # noqa: PLC0415 - see above

            return COLUMNS
        case ScheduleKind.LOOPS:
            from einsum_front.tl_backend.schedules.by_recipe import LOOPS  # noqa: PLC0415 - see above

            return LOOPS


# -- the schedules and parameters that are worth a measurement, for a function on a target -----------------------------


def first_choice(function: Function, target: Target) -> Tuning:
    """Tuning that the model chooses for a function that is ready for lowering."""
    return Tuning(choose(function, target).kind)


def candidates(function: Function, target: Target) -> tuple[Tuning, ...]:
    """Everything that is worth trying, the function being able to have it or not.

    The passes may still be ahead of the function: where it asks for no work-group, it can have any.
    """
    return tuple(each for kind in ScheduleKind for each in schedule_of(kind).candidates(function, target))


# -- the work-group that a schedule needs ------------------------------------------------------------------------------
# The function has it before the passes put barriers between work-items.

ALONE = ScheduleKind.BATCH_SIMD, ScheduleKind.TILED, ScheduleKind.COLUMNS
"""Schedules that decide about the work-items themselves."""


def with_work_group(function: Function, wanted: Tuning | None, target: Target) -> Function:
    """The function with the work-group of the wanted schedule; where that leaves it open, a pass will choose.

    Where none is wanted, passes on a GPU see a group of one work-item if that can keep a whole element in
    registers, or if the schedule copies to local memory itself.
    Raises `CompileError` (E0305) if the function itself asks for something else.
    """
    if wanted is None:
        is_open = not target.is_cpu and function.work_group_size is None
        is_alone = is_open and choose(make_names_unique(function), target).kind in ALONE
        return replace(function, work_group_size=(1, 1)) if is_alone else function
    size = wanted.work_group if wanted.kind is ScheduleKind.WORK_GROUP else (1, 1)
    own = function.work_group_size
    if size is None or own == size or (own is not None and wanted.work_group is None):
        return function  # what a schedule cannot do with a work-group of its own, `choose` says
    if own is not None:
        raise _mistake(function, wanted, f"the function asks for work-groups of {_text(own)}")
    if wanted.work_group is not None and function.subgroup_size and size[0] % function.subgroup_size:
        raise _mistake(function, wanted, f"the function asks for sub-groups of {function.subgroup_size}")
    return replace(function, work_group_size=size)


def _mistake(function: Function, wanted: Tuning, reason: str) -> CompileError:
    return CompileError(
        [Diagnostic("E0305", f"`{function.name}` cannot have the schedule `{wanted}`", notes=(reason,))]
    )


def _text(size: tuple[int, int]) -> str:
    return "{}x{}".format(*size)

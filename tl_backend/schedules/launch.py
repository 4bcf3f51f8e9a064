"""The work-group that a schedule needs: the function has it before the passes put barriers between work-items."""

from dataclasses import replace

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.passes.make_names_unique import make_names_unique
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import choose
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning

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

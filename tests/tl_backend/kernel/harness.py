"""Runs a function as a kernel tree in the interpreter and compares all arguments with the tensor language's."""

from typing import Any

from numpy.typing import NDArray

from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType
from tests.tl_backend.opencl.harness import check_results, expect, place

Array = NDArray[Any]
GROUP = Tuning(ScheduleKind.WORK_GROUP)


def lower(function: Function, target: Target, tuning: Tuning) -> Kernel:
    """The kernel of a function, which can have the schedule."""
    return schedule(function, target, tuning).lower()


def run(
    function: Function,
    arguments: dict[str, Any],
    groups: int,
    gap: int = 2,
    tuning: Tuning = GROUP,
    target: Target = DEFAULT,
) -> dict[str, list[Array]]:
    """What the kernel tree makes of its tensors; fails if it breaks a restriction, or writes anything else."""
    lying = dict(arguments)
    placed: dict[str, list[Array]] = {}
    for argument in function.arguments:
        name = argument.name.name
        match argument.type:
            case ScalarType():
                pass
            case MemrefType() as memref:
                lying[name] = place(arguments[name], memref, gap).entries
                placed[name] = [lying[name]]
            case GroupType(memref=memref):
                placed[name] = lying[name] = [place(member, memref, gap).entries for member in arguments[name]]
    interpret_kernel(schedule(function, target, tuning), lying, groups)
    return placed


def compare(
    function: Function,
    arguments: dict[str, Any],
    groups: int = 1,
    *,
    exact: bool = True,
    gap: int = 2,
    tuning: Tuning = GROUP,
    target: Target = DEFAULT,
) -> None:
    """The tree and the tensor language agree; `exact` for arguments whose arithmetic has no rounding."""
    check_results(
        run(function, arguments, groups, gap, tuning, target), expect(function, arguments, groups), exact=exact
    )

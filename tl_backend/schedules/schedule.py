"""Protocol of all schedules: a function is analysed, the plan says what it costs, and becomes a kernel.

    analyse(subject, tuning) -> Plan | Reason        whether a function can have the schedule, and how it would run
    plan.cost                                        what an element takes, as the model thinks
    plan.lower(taken) -> Kernel                      the same plan as code

A schedule is a value (`Schedule`) that its package's `schedule` module defines and `choice.schedule_of` finds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.analysis.complex_contraction import find_complex_contraction
from einsum_front.tl_backend.analysis.contraction import Contraction, find_contraction
from einsum_front.tl_backend.analysis.products import NoContractionError
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning


@dataclass(frozen=True, slots=True)
class Subject:
    """A function and the target that it is for; schedules have analyses of the function in common (`function.get`)."""

    function: Function
    target: Target


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a function cannot have a schedule: half a sentence for users.

    Where no function can have it on this kind of device, it `is_of_device`: no news about a function.
    """

    text: str
    is_of_device: bool = False


def contraction_of(function: Function) -> Contraction | Reason:
    """The contraction that the function is, for the schedules of tiles."""
    try:
        return find_contraction(function)
    except NoContractionError as error:
        return Reason(str(error))


def complex_contraction_of(function: Function) -> tuple[Function, Contraction] | Reason:
    """The contraction that the function is, of real or complex numbers, and the function without temporaries."""
    if isinstance(found := function.get(contraction_of), Contraction):
        return function, found
    try:
        return find_complex_contraction(function)
    except NoContractionError:
        return found


@dataclass(frozen=True, slots=True)
class Cost:
    """The time of an element as a multiple of that of one multiplication in a lane, and what was counted, in words.

    `inf`: the model never takes this schedule for the function, and `counted` says why.
    """

    time: float
    counted: str


class Plan(Protocol):
    """How a function runs in a schedule: everything is decided, nothing is code yet."""

    @property
    def kind(self) -> ScheduleKind:
        """The schedule."""
        ...

    @property
    def least(self) -> float:
        """A lower bound of `cost.time` that is found without working out the plan."""
        ...

    @property
    def cost(self) -> Cost:
        """Cost by the model."""
        ...

    @property
    def issued(self) -> int:
        """Multiplications that run for an element, in lanes that only fill a vector too; open sizes count as 1."""
        ...

    def why(self, rivals: "Rivals") -> str:
        """Why it was taken, for the first line of the source."""
        ...

    def explained(self) -> Iterator[str]:
        """The loops and what they are bound to, vectors, what is unrolled, tabulated, packed, hoisted, prefetched."""
        ...

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel, which defines none of the names in `taken`.

        Raises `CompileError` with all that the target cannot do (E06xx).
        """
        ...


Rivals = Mapping[ScheduleKind, Plan | Reason]
"""The plan of every schedule that a function can have, and the reason for every other one."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """A schedule: whether a function can have it, and what is worth a measurement for a function on a target."""

    kind: ScheduleKind
    analyse: Callable[[Subject, Tuning], Plan | Reason]
    candidates: Callable[[Function, Target], Iterable[Tuning]]

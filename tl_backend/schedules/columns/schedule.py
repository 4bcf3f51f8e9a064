"""The schedule `columns`: what it costs, and what is worth a measurement."""

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.positions.facts import gathering_suitability
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.positions.zeros import MOST_POSITIONS
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning

if TYPE_CHECKING:
    from einsum_front.tl_backend.schedules.columns.stages import Staged

LINES = (2, 3, 6)
"""Lines of a work-item that are worth a measurement."""

TOGETHER = (3, 7, 14)
"""Elements of a work-group that are worth a measurement: nine columns fill two sub-groups with seven."""


@dataclass(frozen=True)
class ColumnsPlan:
    """A function in this schedule."""

    function: Function
    target: Target
    planned: "Staged"
    kind: ScheduleKind = ScheduleKind.COLUMNS

    @property
    def least(self) -> float:
        """The cost is quickly found."""
        return self.cost.time

    @property
    def cost(self) -> Cost:
        """There is no model of times: lines pay where a matrix is the same for all elements."""
        is_outer = any(group.is_outer for group in self.planned.groups)
        instructions = {group.step.instruction for group in self.planned.groups}
        if len(instructions) == 1 and self.planned.constants:
            return Cost(inf, f"{self.issued} multiplications, a single product with a matrix that is not known")
        words = f"{self.issued} multiplications"
        return Cost(0.0, words) if is_outer else Cost(inf, f"{words}, none by a matrix that all elements have")

    @property
    def issued(self) -> int:
        """Known zeros are left out where all lanes have them."""
        return sum(group.written_out * group.step.lanes for group in self.planned.groups)

    def why(self, rivals: Rivals) -> str:
        """What a work-item has."""
        longest = max(group.step.lines for group in self.planned.groups)
        return f"lines of {longest} entries in registers, {self.planned.first.lanes} of them side by side"

    def explained(self) -> Iterator[str]:
        """Copies, and the steps of each unit."""
        from einsum_front.tl_backend.schedules.columns.explain import explain  # noqa: PLC0415 - most plans are rivals, and print nothing

        return explain(self.planned)

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel."""
        from einsum_front.tl_backend.schedules.columns.lower import lower  # noqa: PLC0415 - most plans are rivals, and make no code

        return lower(self.planned, self.target, taken)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """Batches of elements of known sizes, whose products have few enough entries for registers."""
    if subject.target.is_cpu:
        return Reason(f"{subject.target.name} is a CPU", is_of_device=True)
    facts = subject.function.get(gathering_suitability)
    if isinstance(facts, Reason):
        return facts
    for name, storage in facts.storages.items():
        if storage.span > MOST_POSITIONS:
            return Reason(f"`%{name}` has {storage.span} entries, more than {MOST_POSITIONS}")
    from einsum_front.tl_backend.schedules.columns.stages import make_stages  # noqa: PLC0415 - not on CPUs

    try:
        staged = make_stages(subject.function, facts, subject.target, tuning)
    except UnsuitableError as error:
        return Reason(str(error))
    return ColumnsPlan(subject.function, subject.target, staged)


def candidates(function: Function, target: Target) -> Iterator[Tuning]:
    """As the model has it, and other numbers of elements in a work-group."""
    if target.is_cpu:
        return
    yield Tuning(ScheduleKind.COLUMNS)
    yield Tuning(ScheduleKind.COLUMNS, literals=False)
    for count in LINES:
        yield Tuning(ScheduleKind.COLUMNS, lines=count)
    for together in TOGETHER:
        yield Tuning(ScheduleKind.COLUMNS, elements=together)


COLUMNS = Schedule(ScheduleKind.COLUMNS, analyse, candidates)

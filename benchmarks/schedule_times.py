"""Kernels in each schedule that they can have, and how often they do what the times of a machine say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite

import einsum_front as ef
from benchmarks.arguments import batch_of, random
from benchmarks.case import Case, FileSource, WorkingSet
from benchmarks.fit import Sample
from benchmarks.sets import ader_dg, batched, spectral
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.machine import Machine
from einsum_front.runtime import find_device
from einsum_front.runtime.launches.timing import measure_in_turns
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.schedules.choice import Scheduled, analyse
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import ScheduleKind
from examples.ader_dg import matrices

TURNS = 5
ORDERS, QUICK_ORDERS = (3, 4, 5), (4,)
SIZES, QUICK_SIZES = (3, 4, 6, 8, 9, 12, 16, 20, 24, 56, 64, 96), (4, 9, 16, 24, 56)
MOST_TEXT = 400_000
"""Characters of a kernel that takes too long to build."""


@dataclass(frozen=True, slots=True)
class Time:
    """A time of a schedule that its cost is linear in, by the names of their fields in a machine."""

    schedule: str
    name: str

    def of(self, machine: Machine) -> float:
        """What the machine says."""
        return float(getattr(getattr(machine, self.schedule), self.name))


TIMES = (
    Time("work_group", "in_vectors"),
    Time("work_group", "cycle"),
    Time("work_group", "waiting"),
    Time("work_group", "in_loops"),
    Time("work_group", "starting"),
    Time("batch_simd", "transposed"),
    Time("batch_simd", "fused"),
    Time("batch_simd", "broadcast"),
    Time("packed", "in_panels"),
)


def with_times(machine: Machine, values: Sequence[float]) -> Machine:
    """The machine with other values of `TIMES`."""
    for time, value in zip(TIMES, values, strict=True):
        changed = replace(getattr(machine, time.schedule), **{time.name: value})
        machine = replace(machine, **{time.schedule: changed})
    return machine


def work_of(scheduled: Scheduled, machine: Machine) -> list[float] | None:
    """What costs the same whatever the times, and how often each of them is taken; None if that has no end."""
    zeros = [0.0] * len(TIMES)
    units = [[float(number == place) for place in range(len(TIMES))] for number in range(len(TIMES))]
    base, *ones = (_cost(scheduled, with_times(machine, values)) for values in (zeros, *units))
    found = [base, *(one - base for one in ones)]
    return found if all(map(isfinite, found)) else None


def _cost(scheduled: Scheduled, machine: Machine) -> float:
    """The cost of a schedule on a machine; the plan stays, since no time of `TIMES` decides anything in it."""
    found = analyse(scheduled.function, replace(scheduled.target, machine=machine), scheduled.tuning)
    assert not isinstance(found, Reason)
    return found.cost.time


def schedule_samples(machine: Machine, where: WorkingSet, quick: bool) -> Iterator[Callable[[], Sample]]:
    """Kernels in all schedules, built; a call measures one: seconds for a vector of elements."""
    orders, sizes = (QUICK_ORDERS, QUICK_SIZES) if quick else (ORDERS, SIZES)
    squares = (case for case in batched.cases(quick=False) if int(case.name.rpartition("x")[2]) in sizes)
    fluxes = (ader_dg.cases_of(order, where) for order in _written(orders))
    for case in chain(chain.from_iterable(fluxes), squares, spectral.cases(quick)):
        for kind in ScheduleKind:
            yield from _sample(case, kind, machine)


def _written(orders: Sequence[int]) -> Iterator[int]:
    for order in orders:
        matrices.write(order)
        yield order


def _sample(case: Case, kind: ScheduleKind, machine: Machine) -> Iterator[Callable[[], Sample]]:
    kernel = _compiled(case, kind)
    if kernel is None or len(kernel.opencl) > MOST_TEXT:
        return
    scheduled = kernel.translation.scheduled
    work, width = work_of(scheduled, machine), scheduled.target.step_width(Scalar(case.real))
    if work is None:
        return
    kernel.prepare(**random(kernel, 1, is_single=False).values).run()  # drivers build in the first launch

    def measured() -> Sample:
        batch = batch_of(kernel.artifact, case.working_set, find_device().facts)
        launch = kernel.prepare(**random(kernel, batch, is_single=False).values)
        (timing,) = measure_in_turns([launch], TURNS)
        return Sample(work, timing.minimum / batch * width)

    yield measured


def _compiled(case: Case, kind: ScheduleKind) -> CompiledKernel | None:
    """The kernel of a case in a schedule; None if it cannot have that."""
    assert isinstance(case.source, FileSource)
    path, name, defines = case.source.path, case.source.kernel, case.source.defines
    try:
        return ef.compile(
            ef.parse(path), defines=defines, real=case.real, kernel=name, schedule=kind.value, cache=False
        )[name]
    except CompileError:
        return None

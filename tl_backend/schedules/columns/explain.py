"""The text of a plan of this schedule."""

from collections.abc import Iterator

import numpy as np

from einsum_front.tl_backend.opencl.kernel import statement
from einsum_front.tl_backend.schedules.columns.homes import Home
from einsum_front.tl_backend.schedules.columns.nodes import Unit
from einsum_front.tl_backend.schedules.columns.plan import Planned
from einsum_front.tl_backend.schedules.columns.stages import TURNS, Staged
from einsum_front.tl_backend.schedules.columns.steps import Form, Group


def explain(plan: Staged) -> Iterator[str]:
    """What is copied in, what runs between barriers, and what is copied out; in each stage."""
    first = plan.first
    yield f"for {first.together} elements side by side, each with {first.lanes} work-items"
    if len(plan.stages) == 1:
        yield from _stage(first)
        return
    handed = f", which hand on {', '.join(f'%{base}' for base in plan.handed)}" if plan.handed else ""
    way = "in a launch of its own" if plan.in_launches else f"for {TURNS} turns before the next one"
    yield f"  {len(plan.stages)} stages, each {way}{handed}"
    for number, stage in enumerate(plan.stages, 1):
        yield f"  stage {number}"
        yield from (f"  {line}" for line in _stage(stage))


def _stage(plan: Planned) -> Iterator[str]:
    for base, memory in plan.homes.items():
        if memory.home is Home.LOCAL and memory.read_first.any() and base not in plan.facts.gathers:
            yield f"  copy {int(np.count_nonzero(memory.read_first))} entries of %{base} to local memory"
    yield from _gathers(plan, 0)
    epoch = 0
    for number, unit in enumerate(plan.units):
        if unit.has_barrier:
            yield "  barrier"
        if unit.epoch > epoch:
            epoch = unit.epoch
            yield from _gathers(plan, epoch)
        yield f"  with {plan.orders[number].registers} numbers in registers"
        yield from _unit(unit, plan)
    for memory in plan.outputs():
        count = int(np.count_nonzero(plan.stored(memory.base)))
        way = "from registers" if memory.base in plan.direct else "from local memory"
        yield f"  {'add' if memory.is_added else 'copy'} {count} entries {way} to %{memory.base}"


def _gathers(plan: Planned, epoch: int) -> Iterator[str]:
    for base in plan.gathered_in(epoch):
        yield f"  gather {plan.facts.storages[base].span} entries of %{base} to local memory"


def _unit(unit: Unit, plan: Planned) -> Iterator[str]:
    for group in unit.groups:
        step = group.step
        yield f"    {statement(step.instruction)}"
        home = plan.homes[step.base].home
        place = "registers" if home is Home.REGISTERS else "local memory"
        yield f"      {step.lanes} lines of {step.lines} entries in {place}, {_terms(group)}"


def _terms(group: Group) -> str:
    if group.members:
        each = ", ".join(str(int(np.count_nonzero(numbers))) for numbers in group.members)
        return f"{each} multiplications for a line, of which an integer chooses"
    way = "one depth for all entries" if group.form is Form.OUTER else "one entry after the other"
    return f"{group.written_out} multiplications for a line, {way}"

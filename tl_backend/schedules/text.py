"""A schedule as text: which one was taken and why, what the model thinks of its rivals, the launch, and the loops.

schedule volume: batch_simd
  why: 1236 multiplications and 550 entries to transpose, otherwise 13770 multiplications
  machine: AMD Zen 4
  cost, in multiplications of an element
    batch_simd: 2035.0, 1236 multiplications and 550 entries to transpose
    work_group: 11754.5, 13770 multiplications
    packed: impossible, it is several products
  launch: work-groups of 1 x 1 work-items, 64 elements in each
  issued: 1236 multiplications for an element
  plan: …
"""

from collections.abc import Iterator
from math import isfinite

from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.choice import Scheduled, choose
from einsum_front.tl_backend.schedules.prefetched import prefetch_lines
from einsum_front.tl_backend.schedules.schedule import Plan, Reason


def schedule_text(scheduled: Scheduled) -> str:
    """The text of a schedule, and behind it that of what runs once per launch; equal schedules have equal texts."""
    text = "\n".join(_lines(scheduled)) + "\n"
    return text if scheduled.prologue is None else f"{text}once per launch\n{schedule_text(scheduled.prologue)}"


def _lines(scheduled: Scheduled) -> Iterator[str]:
    plan = scheduled.plan
    yield f"schedule {scheduled.function.name}: {scheduled.tuning}"
    if scheduled.why is not None:
        yield f"  why: {scheduled.why}"
    yield f"  machine: {scheduled.target.machine.name}"
    yield "  cost, in multiplications of an element"
    rivals = choose(scheduled.function, scheduled.target).rivals
    for kind, rival in {plan.kind: plan, **{kind: rivals[kind] for kind in rivals if kind is not plan.kind}}.items():
        if not (isinstance(rival, Reason) and rival.is_of_device):
            yield f"    {kind.value}: {_cost(rival, scheduled.target)}"
    yield f"  launch: {_launch(scheduled.lower())}"
    yield f"  issued: {plan.issued} multiplications for an element"
    yield "  plan"
    prefetched = prefetch_lines(scheduled.function, scheduled.target)
    yield from (f"    {line}" for line in (*plan.explained(), *prefetched))


def _cost(rival: Plan | Reason, target: Target) -> str:
    """GPUs have no model of times, only limits."""
    if isinstance(rival, Reason):
        return f"impossible, {rival.text}"
    if not target.is_cpu:
        return rival.cost.counted
    if isfinite(rival.cost.time):
        return f"{rival.cost.time:.1f}, {rival.cost.counted}"
    return f"never, {rival.cost.counted}"


def _launch(kernel: Kernel) -> str:
    """The geometry, and the memory of a work-group."""
    rows, columns = kernel.work_group_size
    parts = [f"work-groups of {rows} x {columns} work-items"]
    if kernel.groups_per_element > 1:
        parts.append(f"{kernel.groups_per_element} of them for an element")
    else:
        parts.append(
            f"{kernel.elements_per_group} {'element' if kernel.elements_per_group == 1 else 'elements'} in each"
        )
    if kernel.local_memory:
        parts.append(f"{kernel.local_memory} bytes of local memory")
    if kernel.scratch:
        parts.append(f"{kernel.scratch} bytes of global memory")
    if kernel.stages > 1:
        parts.append(f"{kernel.stages} launches for a batch")
    return ", ".join(parts)

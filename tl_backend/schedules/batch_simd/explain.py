"""The plan of batch vectorization as lines of text: what is hoisted, loaded, run in which loops, and stored."""

from collections.abc import Iterator, Mapping, Sequence

from einsum_front.tl_backend.opencl.kernel import statement
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow
from einsum_front.tl_backend.schedules.batch_simd.planned import LoopPlan, PlannedStep, fusions_of
from einsum_front.tl_backend.schedules.batch_simd.table import RowTable
from einsum_front.tl_backend.schedules.batch_simd.transfer import Fusion
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import ProductSum


def explain(plan: LoopPlan, facts: Facts, *, has_prefetches: bool) -> Iterator[str]:
    """Everything in the order in which it runs."""
    if plan.once:
        yield "hoisted out of the batch loop"
        for step in plan.once:
            yield from _indented(_step(step, facts))
    yield f"for each block of {plan.width} elements, one in each SIMD lane" if plan.width > 1 else "for each element"
    yield from _indented(_block(plan, facts))
    if has_prefetches:
        blocks = facts.machine.batch_simd.prefetch.blocks
        yield f"prefetched {blocks} blocks ahead in the long loops: arguments with a known batch stride"


def _block(plan: LoopPlan, facts: Facts) -> Iterator[str]:
    fused = fusions_of(plan.steps)
    whole = [flow for flow in plan.flows if flow.base not in fused]
    for flow in whole:
        if flow.base in facts.gathers:
            name = flow.base.removesuffix("_gathered")
            yield f"gather %{name}: {_entries(flow)}, transposed in registers before the first step that uses them"
        elif flow.needed.any():
            yield f"load %{flow.base}: {_entries(flow)}, transposed in registers"
    for number, step in enumerate(plan.steps):
        yield from _step(step, facts)
        for flow in whole:
            if flow.last == number and flow.written.any():
                added = "" if flow.beta.is_number(0) else ", added to memory"
                yield f"store %{flow.base}: {int(flow.written.sum())} entries, transposed in registers{added}"


def _entries(flow: Flow) -> str:
    return f"{int(flow.needed.sum())} of {flow.needed.size} entries"


def _step(step: PlannedStep, facts: Facts) -> Iterator[str]:
    action = step.step.action
    if not isinstance(action, ProductSum):
        yield statement(action)
        for region in step.inner:
            for each in region:
                yield from _indented(_step(each, facts))
        return
    yield from map(statement, action.instructions)
    fusions = {fusion.base: fusion for fusion in step.fusions}
    for loop in step.loops:
        yield from _indented(_loop(loop, fusions, facts))


def _loop(loop: Loop, fusions: Mapping[str, Fusion], facts: Facts) -> Iterator[str]:
    body = loop.body
    if isinstance(body, RowTable):
        yield _table(body, facts)
        return
    runs = f"loop of {body.count} iterations, " if body.count > 1 else ""
    yield f"{runs}{body.size} {'term' if body.size == 1 else 'terms'} unrolled"
    for base in sorted(loop.bases & fusions.keys()):
        yield f"  fused transposing {'store' if fusions[base].is_stored else 'load'} of %{base}"


def _table(table: RowTable, facts: Facts) -> str:
    """Compressed rows."""
    rows = f"{table.groups} rows" if table.height == 1 else f"{table.groups} groups of {table.height} rows"
    blocks: Sequence[int] = sorted({len(block) for block in table.blocks}, reverse=True)
    columns = f"{table.columns} columns, {' or '.join(map(str, blocks))} at a time"
    terms = f"{int(table.holds.sum())} nonzero terms"
    values = table.values
    is_packed = values is not None and all(map(facts.is_uniform, table.bases(values)))
    return f"loop over a table: {rows} x {columns}, {terms}{', values packed' if is_packed else ''}"


def _indented(some: Iterator[str]) -> Iterator[str]:
    return (f"  {line}" for line in some)

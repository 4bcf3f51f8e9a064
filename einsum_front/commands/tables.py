"""Tables that `explain` prints: the steps of a plan, its temporaries, and the orders that it rejected."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from einsum_front import ir
from einsum_front.commands.orders import ranked
from einsum_front.core.extent_text import text_of_shape
from einsum_front.core.terminal import Table, bold, italic, say
from einsum_front.driver import GraphStages, LoopStages, Stages
from einsum_front.driver.targets import DEFAULT, Target
from einsum_front.driver.texts import operation_count, schedule_if_it_fits
from einsum_front.ir import (
    Buffer,
    Decision,
    Order,
    Plan,
    extent_of_search,
    formula,
    map_text,
    peak_bytes,
    reason,
    size_text,
    statement_text,
    sums,
    tree_text,
)


def print_tables(kernels: Sequence[ir.Planned | Stages], orders: int | None = None, target: Target = DEFAULT) -> None:
    """Prints the tables of every kernel to the standard output; one that starts below the plan has a line only.

    With a number of `orders`, so many of each contraction instead of those that the search remembers. Plans are
    scheduled for the target.
    """
    for number, kernel in enumerate(kernels):
        if number:
            say()
        for part in _parts(kernel, orders, target):
            say(part)


def _parts(kernel: ir.Planned | Stages, orders: int | None, target: Target) -> Iterator[str | Table]:
    match kernel:
        case ir.Planned(plan=plan) | GraphStages(planned=ir.Planned(plan=plan)):
            yield from _tables(plan, "", orders)
            if plan.prologue is not None:
                yield ""
                yield from _tables(plan.prologue, "once per launch, ", orders)
        case Stages():
            count = f"{operation_count(kernel)} operations an element, zeros and copies included"
            yield f"{bold(kernel.name)}: {count}; the text has no plan"
            if isinstance(kernel, LoopStages):
                yield f"  loops over entries: no contraction graph says what the function does ({kernel.why.message})"
    if (schedule := schedule_if_it_fits(kernel, target)) is not None:
        yield ""
        yield schedule.rstrip()


def _tables(plan: Plan, when: str, orders: int | None) -> Iterator[str | Table]:
    cost = plan.cost
    yield f"{bold(plan.name)}: {when}{cost.operations} operations on nonzeros, {cost.executed} on boxes"
    peak = peak_bytes(plan.buffers)
    yield f"{cost.read} bytes read, {cost.written} bytes written, {peak} bytes of temporaries at a time"
    yield from (size_text(size) for size in plan.sizes)
    yield ""
    yield _steps(plan)
    temporaries = [buffer for buffer in plan.buffers if buffer.is_temporary]
    if temporaries:
        yield ""
        yield _temporaries(temporaries)
    if plan.fusions:
        yield ""
        yield "functions:"
        yield from (f"  {each}" for each in plan.fusions)
    if plan.rewritings:
        yield ""
        yield f"rewritten, {plan.saved} operations less:"
        yield from (f"  {each.text}" for each in plan.rewritings)
    if added := [text for text, _ in sums(plan)]:
        yield ""
        yield "sums where integers say:"
        yield from (f"  {each}" for each in added)
    if orders is not None:
        for decision in plan.decisions:
            yield ""
            yield from ranked(decision, orders)
    elif plan.decisions:
        yield ""
        yield _orders(plan.decisions)


def _steps(plan: Plan) -> Table:
    """The steps under the statements that they are for."""
    rows: list[list[str]] = []
    for statement, steps in groupby(enumerate(plan.steps), lambda entry: statement_text(entry[1])):
        if statement is not None:
            rows.append(["", italic(statement)])
        for number, step in steps:
            cost = step.cost
            texts = (formula(step), map_text(step, plan))
            rows.append([str(number), *texts, *map(str, (cost.operations, cost.executed, cost.bytes))])
    return Table(["step", "", "map"], ["operations", "on boxes", "bytes"], rows)


def _temporaries(buffers: Sequence[Buffer]) -> Table:
    rows: list[list[str]] = []
    for buffer in buffers:
        tensor = buffer.tensor
        shape = text_of_shape(tensor.shape) or "scalar"
        order = tensor.modes_by_stride
        there = text_of_shape(tensor.shape[mode] for mode in order) or "scalar"
        texts = (tensor.name, shape, there, " ".join(map(str, order)), f"{buffer.first} to {buffer.last}")
        rows.append([*texts, str(buffer.bytes)])
    return Table(["temporary", "shape", "in memory", "modes there", "alive in steps"], ["bytes"], rows)


def _orders(decisions: Sequence[Decision]) -> Table:
    """For each contraction the order that was taken, and under it the best ones that were not."""
    rows: list[list[str]] = []
    for decision in decisions:
        rows.append([_order(decision.taken, decision), "taken", *_costs(decision.taken)])
        for order in decision.rejected:
            rows.append([f"  {_order(order, decision)}", reason(order, decision.taken), *_costs(order)])
        if not decision.is_exact:
            rows.append([f"  {extent_of_search(decision)}"])
    return Table(["order", ""], ["operations", "on boxes", "matrix products", "temporary entries"], rows)


def _order(order: Order, decision: Decision) -> str:
    return tree_text(order.tree, decision.factors)


def _costs(order: Order) -> Iterable[str]:
    return map(str, (order.operations, order.executed, order.calls, order.temporaries))

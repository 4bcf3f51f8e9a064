"""Tables that `explain` prints: the steps of a plan, its temporaries, and the orders that it rejected."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from einsum_front import ir
from einsum_front.commands.orders import ranked
from einsum_front.commands.output import Output
from einsum_front.commands.progress import FILE_WIDTH
from einsum_front.core.extent import Extent
from einsum_front.core.extent_text import text_of_shape
from einsum_front.driver import GraphStages, Stages
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
    tree_text,
)


def print_tables(kernels: Sequence[ir.Planned | Stages], orders: int | None = None, target: Target = DEFAULT) -> None:
    """Prints the tables of every kernel to the standard output; one that starts below the plan has a line only.

    With a number of `orders`, so many of each contraction instead of those that the search remembers. Plans are
    scheduled for the target.
    """
    output = Output()
    if not output.is_terminal:
        output.width = FILE_WIDTH
    for number, kernel in enumerate(kernels):
        if number:
            output.print()
        for part in _parts(kernel, orders, target):
            output.print(part, soft_wrap=False)


def _parts(kernel: ir.Planned | Stages, orders: int | None, target: Target) -> Iterator[RenderableType]:
    match kernel:
        case ir.Planned(plan=plan) | GraphStages(planned=ir.Planned(plan=plan)):
            yield from _tables(plan, "", orders)
            if plan.prologue is not None:
                yield ""
                yield from _tables(plan.prologue, "once per launch, ", orders)
        case Stages():
            name = Text(kernel.name, "bold")
            yield (
                name
                + f": {operation_count(kernel)} operations an element, zeros and copies included; the text has no plan"
            )
    if (schedule := schedule_if_it_fits(kernel, target)) is not None:
        yield ""
        yield Text(schedule.rstrip())


def _tables(plan: Plan, when: str, orders: int | None) -> Iterator[RenderableType]:
    name = Text(plan.name, "bold")
    cost = plan.cost
    yield name + f": {when}{cost.operations} operations on nonzeros, {cost.executed} on boxes"
    peak = peak_bytes(plan.buffers)
    yield f"{cost.read} bytes read, {cost.written} bytes written, {peak} bytes of temporaries at a time"
    yield from (Text(size_text(size)) for size in plan.sizes)
    yield ""
    yield _steps(plan)
    temporaries = [buffer for buffer in plan.buffers if buffer.is_temporary]
    if temporaries:
        yield ""
        yield _temporaries(temporaries)
    if plan.fusions:
        yield ""
        yield "functions:"
        yield from (Text(f"  {each}") for each in plan.fusions)
    if plan.rewritings:
        yield ""
        yield f"rewritten, {plan.saved} operations less:"
        yield from (Text(f"  {each.text}") for each in plan.rewritings)
    if orders is not None:
        for decision in plan.decisions:
            yield ""
            yield from ranked(decision, orders)
    elif plan.decisions:
        yield ""
        yield _orders(plan.decisions)


def _steps(plan: Plan) -> Table:
    """The steps under the statements that they are for."""
    table = _table("step", "", "map", numbers=("operations", "on boxes", "bytes"))
    for statement, steps in groupby(enumerate(plan.steps), lambda entry: statement_text(entry[1])):
        if statement is not None:
            table.add_row("", Text(statement, "italic"))
        for number, step in steps:
            cost = step.cost
            texts = (formula(step), map_text(step, plan))
            _add(table, (str(number), *texts), (cost.operations, cost.executed, cost.bytes))
    return table


def _temporaries(buffers: Sequence[Buffer]) -> Table:
    table = _table("temporary", "shape", "in memory", "modes there", "alive in steps", numbers=("bytes",))
    for buffer in buffers:
        tensor = buffer.tensor
        shape = text_of_shape(tensor.shape) or "scalar"
        order = tensor.modes_by_stride
        there = text_of_shape(tensor.shape[mode] for mode in order) or "scalar"
        texts = (tensor.name, shape, there, " ".join(map(str, order)), f"{buffer.first} to {buffer.last}")
        _add(table, texts, (buffer.bytes,))
    return table


def _orders(decisions: Sequence[Decision]) -> Table:
    """For each contraction the order that was taken, and under it the best ones that were not."""
    counts = ("operations", "on boxes", "matrix products", "temporary entries")
    table = _table("order", "", numbers=counts)
    for decision in decisions:
        _add(table, (_order(decision.taken, decision), "taken"), _costs(decision.taken))
        for order in decision.rejected:
            _add(table, (f"  {_order(order, decision)}", reason(order, decision.taken)), _costs(order))
        if not decision.is_exact:
            _add(table, (f"  {extent_of_search(decision)}",), ())
    return table


def _order(order: Order, decision: Decision) -> str:
    return tree_text(order.tree, decision.factors)


def _costs(order: Order) -> tuple[Extent, ...]:
    return order.operations, order.executed, order.calls, order.temporaries


def _table(*texts: str, numbers: Iterable[str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for head in texts:
        table.add_column(head, overflow="fold")
    for head in numbers:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _add(table: Table, texts: Iterable[str], numbers: Iterable[Extent]) -> None:
    table.add_row(*(Text(text) for text in texts), *(Text(str(number)) for number in numbers))

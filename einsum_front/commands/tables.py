"""Tables that `explain` prints: the steps of a plan, its temporaries, and the orders that it rejected."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby

from einsum_front import ir
from einsum_front.commands.usage import UsageError
from einsum_front.core.extent_text import text_of_shape
from einsum_front.core.terminal import Table, bold, italic, say
from einsum_front.core.words import counted
from einsum_front.driver import GraphStages, LoopStages, Stages
from einsum_front.driver.targets import DEFAULT, Target
from einsum_front.driver.texts import operation_count, schedule_if_it_fits
from einsum_front.ir import (
    Buffer,
    Decision,
    Order,
    OrderTextError,
    Plan,
    best_of_all,
    costs,
    extent_of_search,
    formula,
    groups,
    has_same_products,
    map_text,
    order_of_text,
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


# -- what `explain` says of orders that were not taken -----------------------------------------------------------------
# `--orders` and `--why-not`.

MOST_SHOWN = 4
"""So many orders of a tie are printed; there may be thousands."""


def plans_of(plan: Plan) -> Iterator[Plan]:
    """A plan, and what is computed once per launch."""
    yield plan
    if plan.prologue is not None:
        yield plan.prologue


def ranked(decision: Decision, count: int) -> Iterator[str | Table]:
    """The best orders of a contraction, those that cost the same in one line."""
    orders = best_of_all(decision.problem, count)
    yield f"orders of {' * '.join(decision.factors)}, the best {len(orders)}"
    together = list(groups(orders))
    ranks = accumulate((len(each) for each in together), initial=1)
    rows = [
        [str(rank), _together(several, decision), *map(str, _counts(several[0])), _taken(several, decision)]
        for rank, several in zip(ranks, together, strict=False)
    ]
    numbers = "operations on nonzeros", "operations on boxes", "matrix products", "temporary entries"
    yield Table(["rank", "order"], numbers, rows)


def _together(several: Sequence[Order], decision: Decision) -> str:
    shown = [tree_text(order.tree, decision.factors) for order in several[:MOST_SHOWN]]
    more = [f"… {len(several) - MOST_SHOWN} more that cost the same"] if len(several) > MOST_SHOWN else []
    return "\n".join([*shown, *more])


def _taken(several: Sequence[Order], decision: Decision) -> str:
    if any(has_same_products(order.tree, decision.taken.tree) for order in several):
        return "taken" if len(several) == 1 else f"taken: {tree_text(decision.taken.tree, decision.factors)}"
    return reason(several[0], decision.taken)


def _counts(order: Order) -> tuple[object, ...]:
    return order.operations, order.executed, order.calls, order.temporaries


def why_not(plans: Sequence[Plan], text: str) -> Iterator[str]:
    """Why an order was not taken, for each contraction that has its factors.

    Raises `UsageError` if none has.
    """
    decisions = [(plan, decision) for each in plans for plan in plans_of(each) for decision in plan.decisions]
    found, wrong = [], None
    for plan, decision in decisions:
        try:
            order = order_of_text(text, decision.factors, decision.problem)
        except OrderTextError as error:
            wrong = wrong or error
            continue
        found.append((plan, decision, order))
    if not found:
        raise UsageError(_no_order(text, [decision for _, decision in decisions], wrong))
    for plan, decision, order in found:
        yield from _answer(plan, decision, order)


def _no_order(text: str, decisions: Sequence[Decision], wrong: OrderTextError | None) -> str:
    if not decisions:
        return f"--why-not `{text}`: no contraction here has an order to choose"
    known = " or ".join(dict.fromkeys(" ".join(decision.factors) for decision in decisions))
    return f"--why-not `{text}` is no order of {known}: {wrong}"


def _answer(plan: Plan, decision: Decision, order: Order) -> Iterator[str]:
    """The order against the one that was taken, cost by cost."""
    taken = decision.taken
    asked, best = tree_text(order.tree, decision.factors), tree_text(taken.tree, decision.factors)
    if has_same_products(order.tree, taken.tree):
        yield f"{plan.name}: {asked} is the order that was taken"
        return
    yield f"{plan.name}: why {best} and not {asked}"
    names = ("operations on nonzeros", "operations on boxes", "matrix products", "entries of temporaries")
    for name, own, other in zip(names, _counts(order), _counts(taken), strict=True):
        yield f"  {name}: {own} instead of {other}"
    yield f"  reason: {_reason(order, decision)}"


def _reason(order: Order, decision: Decision) -> str:
    """Why an order lost; one that is better by these counts lost by what they do not say."""
    own, best = costs(order), costs(decision.taken)
    if own < best:
        return "it costs less by these counts, but its temporaries are too large, or their layouts cost more"
    if own == best:
        equal = decision.ranking.equals
        also = f"; layouts were compared for {counted(len(equal) + 1, 'order')}" if equal else ""
        return f"none by these costs: both are as good, and the other one was found first{also}"
    return reason(order, decision.taken)

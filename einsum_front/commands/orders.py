"""What `explain` says of orders that were not taken: `--orders` and `--why-not`."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from einsum_front.commands.usage import UsageError
from einsum_front.core.terminal import Table
from einsum_front.core.words import counted
from einsum_front.ir import (
    Decision,
    Order,
    OrderTextError,
    Plan,
    best_of_all,
    costs,
    groups,
    has_same_products,
    order_of_text,
    reason,
    tree_text,
)

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

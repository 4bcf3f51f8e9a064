"""The steps from a contraction graph to the YATeTo language, in order."""

from collections.abc import Callable
from dataclasses import replace

from ir.algebra.factor import factor_sums
from ir.algebra.fold import fold_known_values
from ir.algebra.price import price_of
from ir.algebra.select import select_entries
from ir.contraction.graph import Graph
from ir.plan.emit_yateto import emit_function
from ir.plan.plan import Plan
from ir.plan.planner import fits
from ir.plan.planner import plan as make_plan
from ir.yateto.nodes import Function

SIMPLIFICATIONS = (
    ("select_entries", select_entries),
    ("fold_known_values", fold_known_values),
    ("factor_sums", factor_sums),
)
"""Passes over the contraction graph by name, in order."""


def simplify(graph: Graph, observe: Callable[[str, Graph], None], max_temp: int | None = None) -> Graph:
    """The graph behind all simplifications; the observer sees each of them.

    The graph itself, if they do not make it cheaper, or need more than `max_temp` bytes of temporaries.
    """
    simplified = graph
    for name, simplification in SIMPLIFICATIONS:
        simplified = simplification(simplified)
        observe(name, simplified)
    if not simplified.rewritings:
        return graph
    before, after = price_of(graph), price_of(simplified)
    if not after.is_below(before) or (max_temp is not None and not fits(simplified, max_temp)):
        return graph
    return replace(simplified, saved=before.operations - after.operations)


def plan(graph: Graph, max_temp: int | None = None) -> Plan:
    """What a kernel does, step by step, with at most `max_temp` bytes of temporaries; raises `CompileError`."""
    return make_plan(graph, max_temp)


def emit_yateto(plan: Plan) -> Function:
    """The plan in the YATeTo language."""
    return emit_function(plan)

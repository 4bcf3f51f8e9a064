"""The planner: from the contraction graph to the plan."""

from collections.abc import Iterator
from math import inf

from diagnostics import CompileError
from ir.contraction.graph import Graph
from ir.plan.layout import choose_layouts
from ir.plan.memory import first_beyond, peak_bytes, too_much_memory, with_lifetimes
from ir.plan.plan import Plan
from ir.plan.schedule import schedule
from ir.plan.sparsity import Sparsity, analyse
from ir.run_time import assumed


def plan(graph: Graph, max_temp: int | None = None) -> Plan:
    """What to compute in which order, and where.

    Temporaries take at most `max_temp` bytes at one time; raises `CompileError` (E0302) if no plan is found that does.
    """
    sparsity = analyse(graph)
    allowed = inf if max_temp is None else max_temp
    tried = []
    for limit in _limits(max_temp):
        made = _plan(graph, sparsity, limit)
        if first_beyond(made.buffers, allowed) is None:
            return made
        tried.append(made)
    smallest = min(tried, key=lambda made: assumed(peak_bytes(made.buffers)))
    raise CompileError([too_much_memory(smallest, allowed)])


def fits(graph: Graph, max_temp: int) -> bool:
    """Whether there is a plan with at most `max_temp` bytes of temporaries."""
    try:
        plan(graph, max_temp)
    except CompileError:
        return False
    return True


def _limits(max_temp: int | None) -> Iterator[float]:
    """The bytes that a product may have: any number, then ever fewer."""
    yield inf
    if max_temp is not None:
        for halvings in range(max_temp.bit_length() + 1):
            yield max_temp >> halvings


def _plan(graph: Graph, sparsity: Sparsity, max_temporary: float) -> Plan:
    scheduled = schedule(graph, sparsity, max_temporary)
    temporaries = choose_layouts(graph.arguments, scheduled.temporaries, scheduled.steps)
    used = {view.buffer for step in scheduled.steps for view in (*step.operands, step.target)}
    tensors = (*graph.arguments, *(tensor for tensor in temporaries if tensor.name in used))
    buffers = with_lifetimes(tensors, scheduled.steps)
    decisions, rewritings = scheduled.decisions, graph.rewritings
    return Plan(graph.name, graph.scalars, buffers, scheduled.steps, decisions, rewritings, graph.saved, graph.origin)

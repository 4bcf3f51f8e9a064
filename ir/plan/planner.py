"""The planner: from the contraction graph to the plan."""

from ir.contraction.graph import Graph
from ir.plan.layout import choose_layouts
from ir.plan.memory import with_lifetimes
from ir.plan.plan import Plan
from ir.plan.schedule import schedule
from ir.plan.sparsity import analyse


def plan(graph: Graph) -> Plan:
    """What to compute in which order, and where."""
    scheduled = schedule(graph, analyse(graph))
    temporaries = choose_layouts(graph.arguments, scheduled.temporaries, scheduled.steps)
    used = {view.buffer for step in scheduled.steps for view in (*step.operands, step.target)}
    tensors = (*graph.arguments, *(tensor for tensor in temporaries if tensor.name in used))
    buffers = with_lifetimes(tensors, scheduled.steps)
    return Plan(graph.name, graph.scalars, buffers, scheduled.steps, scheduled.decisions, graph.origin)

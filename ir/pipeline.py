"""The steps from a contraction graph to the YATeTo language, in order."""

from ir.contraction.graph import Graph
from ir.plan.emit_yateto import emit_function
from ir.plan.plan import Plan
from ir.plan.planner import plan as make_plan
from ir.yateto.nodes import Function


def plan(graph: Graph, max_temp: int | None = None) -> Plan:
    """What a kernel does, step by step, with at most `max_temp` bytes of temporaries; raises `CompileError`."""
    return make_plan(graph, max_temp)


def emit_yateto(plan: Plan) -> Function:
    """The plan in the YATeTo language."""
    return emit_function(plan)

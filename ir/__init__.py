"""Contraction graph, plan, YATeTo language, and the way from one to the next.

The front for front ends (`docs/frontends.md`): `GraphBuilder` makes a contraction graph, `compile_graph` a
function of the tensor language from it.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.core.storage import ElementType as ElementType
    from einsum_front.core.storage import Storage as Storage
    from einsum_front.ir.coefficient import MINUS_ONE as MINUS_ONE
    from einsum_front.ir.coefficient import ONE as ONE
    from einsum_front.ir.coefficient import Coefficient as Coefficient
    from einsum_front.ir.coefficient import Number as Number
    from einsum_front.ir.coefficient import Operation as Operation
    from einsum_front.ir.coefficient import Operator as Operator
    from einsum_front.ir.coefficient import Power as Power
    from einsum_front.ir.coefficient import ScalarUse as ScalarUse
    from einsum_front.ir.coefficient import is_zero as is_zero
    from einsum_front.ir.coefficient import times as times
    from einsum_front.ir.contraction.builder import GraphBuilder as GraphBuilder
    from einsum_front.ir.contraction.builder import Position as Position
    from einsum_front.ir.contraction.builder import Value as Value
    from einsum_front.ir.contraction.builder import Window as Window
    from einsum_front.ir.contraction.graph import Graph as Graph
    from einsum_front.ir.contraction.nodes import At as At
    from einsum_front.ir.contraction.nodes import Part as Part
    from einsum_front.ir.pipeline import Planned as Planned
    from einsum_front.ir.pipeline import compile_graph as compile_graph
    from einsum_front.ir.pipeline import emit_yateto as emit_yateto
    from einsum_front.ir.pipeline import lower_yateto as lower_yateto
    from einsum_front.ir.pipeline import plan_graph as plan_graph
    from einsum_front.ir.plan.plan import Plan as Plan
    from einsum_front.ir.plan.plan import Step as Step
    from einsum_front.ir.run_time import RunTimeNumber as RunTimeNumber
    from einsum_front.ir.run_time import Size as Size
    from einsum_front.ir.run_time import with_named_sample as with_named_sample

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        "coefficient": (
            "Coefficient",
            "MINUS_ONE",
            "Number",
            "ONE",
            "Operation",
            "Operator",
            "Power",
            "ScalarUse",
            "is_zero",
            "times",
        ),
        "contraction.builder": ("GraphBuilder", "Position", "Value", "Window"),
        "contraction.graph": ("Graph",),
        "contraction.nodes": ("At", "Part"),
        "pipeline": ("Planned", "compile_graph", "emit_yateto", "lower_yateto", "plan_graph"),
        "plan.plan": ("Plan", "Step"),
        "run_time": ("RunTimeNumber", "Size", "with_named_sample"),
        "tensor": ("ElementType", "Storage"),
    },
)

"""Contraction graph, plan, YATeTo language, and the way from one to the next.

The front for front ends (`docs/frontends.md`): `GraphBuilder` makes a contraction graph, `compile_graph` a
function of the tensor language from it.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.core.coefficient import MINUS_ONE as MINUS_ONE
    from einsum_front.core.coefficient import ONE as ONE
    from einsum_front.core.coefficient import Coefficient as Coefficient
    from einsum_front.core.coefficient import Number as Number
    from einsum_front.core.coefficient import ScalarOperation as ScalarOperation
    from einsum_front.core.coefficient import ScalarOperator as ScalarOperator
    from einsum_front.core.coefficient import ScalarPower as ScalarPower
    from einsum_front.core.coefficient import ScalarUse as ScalarUse
    from einsum_front.core.coefficient import is_zero as is_zero
    from einsum_front.core.coefficient import times as times
    from einsum_front.core.functions import Function as Function
    from einsum_front.core.storage import ElementType as ElementType
    from einsum_front.core.storage import Storage as Storage
    from einsum_front.ir.contraction.builder import GraphBuilder as GraphBuilder
    from einsum_front.ir.contraction.graph import Graph as Graph
    from einsum_front.ir.contraction.nodes import At as At
    from einsum_front.ir.contraction.nodes import Part as Part
    from einsum_front.ir.contraction.positions import Entry as Entry
    from einsum_front.ir.contraction.positions import Position as Position
    from einsum_front.ir.contraction.positions import Window as Window
    from einsum_front.ir.contraction.values import Value as Value
    from einsum_front.ir.pipeline import Planned as Planned
    from einsum_front.ir.pipeline import compile_graph as compile_graph
    from einsum_front.ir.pipeline import emit_yateto as emit_yateto
    from einsum_front.ir.pipeline import lower_yateto as lower_yateto
    from einsum_front.ir.pipeline import order_graph as order_graph
    from einsum_front.ir.pipeline import plan_graph as plan_graph
    from einsum_front.ir.plan.alternatives import OrderTextError as OrderTextError
    from einsum_front.ir.plan.alternatives import best_of_all as best_of_all
    from einsum_front.ir.plan.alternatives import costs as costs
    from einsum_front.ir.plan.alternatives import groups as groups
    from einsum_front.ir.plan.alternatives import has_same_products as has_same_products
    from einsum_front.ir.plan.alternatives import order_of_text as order_of_text
    from einsum_front.ir.plan.boxes import Box as Box
    from einsum_front.ir.plan.boxes import in_boxes as in_boxes
    from einsum_front.ir.plan.boxes import of_one_element as of_one_element
    from einsum_front.ir.plan.boxes import stays_inside as stays_inside
    from einsum_front.ir.plan.boxes import without_unused as without_unused
    from einsum_front.ir.plan.diagram import Block as Block
    from einsum_front.ir.plan.diagram import Diagram as Diagram
    from einsum_front.ir.plan.diagram import DrawnKind as DrawnKind
    from einsum_front.ir.plan.diagram import DrawnNode as DrawnNode
    from einsum_front.ir.plan.diagram import Sheet as Sheet
    from einsum_front.ir.plan.diagram import folded_sheets as folded_sheets
    from einsum_front.ir.plan.explain import explain as explain
    from einsum_front.ir.plan.explain import explain_as_data as explain_as_data
    from einsum_front.ir.plan.explain import explain_with_origins as explain_with_origins
    from einsum_front.ir.plan.explain import extent_of_search as extent_of_search
    from einsum_front.ir.plan.explain import formula as formula
    from einsum_front.ir.plan.explain import map_text as map_text
    from einsum_front.ir.plan.explain import reason as reason
    from einsum_front.ir.plan.explain import size_text as size_text
    from einsum_front.ir.plan.explain import statement_text as statement_text
    from einsum_front.ir.plan.explain import sums as sums
    from einsum_front.ir.plan.explain import tree_text as tree_text
    from einsum_front.ir.plan.memory import peak_bytes as peak_bytes
    from einsum_front.ir.plan.order import Order as Order
    from einsum_front.ir.plan.picture import legend as legend
    from einsum_front.ir.plan.picture import sheets as sheets
    from einsum_front.ir.plan.plan import Buffer as Buffer
    from einsum_front.ir.plan.plan import Decision as Decision
    from einsum_front.ir.plan.plan import Plan as Plan
    from einsum_front.ir.plan.plan import Step as Step
    from einsum_front.ir.plan.planner import products_of as products_of
    from einsum_front.ir.plan.sparsity import Sparsity as Sparsity
    from einsum_front.ir.plan.sparsity import analyse as analyse

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".contraction.builder": ("GraphBuilder",),
        ".contraction.positions": ("Entry", "Position", "Window"),
        ".contraction.graph": ("Graph",),
        ".contraction.nodes": ("At", "Part"),
        ".contraction.values": ("Value",),
        ".pipeline": ("Planned", "compile_graph", "emit_yateto", "lower_yateto", "order_graph", "plan_graph"),
        ".plan.alternatives": (
            "OrderTextError",
            "best_of_all",
            "costs",
            "groups",
            "has_same_products",
            "order_of_text",
        ),
        ".plan.boxes": ("Box", "in_boxes", "of_one_element", "stays_inside", "without_unused"),
        ".plan.diagram": ("Block", "Diagram", "DrawnKind", "DrawnNode", "Sheet", "folded_sheets"),
        ".plan.explain": (
            "explain",
            "explain_as_data",
            "explain_with_origins",
            "extent_of_search",
            "formula",
            "map_text",
            "reason",
            "size_text",
            "sums",
            "statement_text",
            "tree_text",
        ),
        ".plan.memory": ("peak_bytes",),
        ".plan.order": ("Order",),
        ".plan.picture": ("legend", "sheets"),
        ".plan.plan": ("Buffer", "Decision", "Plan", "Step"),
        ".plan.planner": ("products_of",),
        ".plan.sparsity": ("Sparsity", "analyse"),
        "einsum_front.core.coefficient": (
            "Coefficient",
            "MINUS_ONE",
            "Number",
            "ONE",
            "ScalarOperation",
            "ScalarOperator",
            "ScalarPower",
            "ScalarUse",
            "is_zero",
            "times",
        ),
        "einsum_front.core.functions": ("Function",),
        "einsum_front.core.storage": ("ElementType", "Storage"),
    },
)

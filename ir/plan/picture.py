"""Drawing of a kernel: its contraction graph, and the tree of each contraction whose order was chosen."""

from collections.abc import Iterable
from dataclasses import dataclass

from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.unparse import unparse_node
from einsum_front.ir.index import spelled
from einsum_front.ir.plan.order import Operand, Pair, Tree, subtrees
from einsum_front.ir.plan.plan import Decision, Plan


@dataclass(frozen=True, slots=True)
class Picture:
    """Boxes with labels, and arrows (from, to) between the numbers of boxes; there is no circle."""

    title: str
    labels: tuple[str, ...]
    arrows: tuple[tuple[int, int], ...]


def pictures(graph: Graph, plan: Plan) -> tuple[Picture, ...]:
    """The graph of a kernel, arrows from values to what is made of them, and the trees of its contractions."""
    own = (_graph(graph), *(_tree(decision) for decision in plan.decisions))
    before = () if graph.prologue is None or plan.prologue is None else pictures(graph.prologue, plan.prologue)
    return (*before, *own)


def dot(drawn: Iterable[Picture]) -> str:
    """The pictures in the language of Graphviz, each in a frame of its own."""
    lines = ["digraph {", "  node [shape=box, fontname=monospace]"]
    for number, picture in enumerate(drawn):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(picture.title)}"]
        lines += [f"    n{number}_{box} [label={_quoted(label)}]" for box, label in enumerate(picture.labels)]
        lines += [f"    n{number}_{start} -> n{number}_{end}" for start, end in picture.arrows]
        lines += ["  }"]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _graph(graph: Graph) -> Picture:
    keys = [key for key, _ in graph.nodes]
    labels = tuple(f"%{key} = {unparse_node(graph, key)}" for key in keys)
    arrows = tuple((operand, key) for key in keys for operand in graph.operands(key))
    return Picture(f"contraction graph of {graph.name}", labels, arrows)


def _tree(decision: Decision) -> Picture:
    """The products of a contraction; a product is below its factors."""
    parts = list(subtrees(decision.taken.tree))
    number = {id(part): position for position, part in enumerate(parts)}
    arrows = [
        (number[id(factor)], position)
        for position, part in enumerate(parts)
        if isinstance(part, Pair)
        for factor in (part.left, part.right)
    ]
    labels = tuple(_label(part, decision) for part in parts)
    return Picture(f"order of {' * '.join(decision.factors)}", labels, tuple(arrows))


def _label(tree: Tree, decision: Decision) -> str:
    match tree:
        case Operand(factor=factor):
            return decision.factors[factor]
        case Pair(indices=indices, entries=entries, operations=operations):
            return f"{spelled(indices)}: {operations} operations, {entries} entries"

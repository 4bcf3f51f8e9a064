"""Contraction graphs with other nodes in the place of some."""

from collections.abc import Callable, Collection
from dataclasses import replace

from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting

Replacement = tuple[int, tuple[Rewriting, ...]]
"""The key of an equal value, and what was rewritten in it."""


Rewriter = Callable[[int, tuple[int, ...]], Replacement | None]
"""Adds what stands for a node, given the key that it had and those that its operands have now; None: it stays."""


def rewritten(graph: Graph, rewriter: Callable[[NodeTable], Rewriter]) -> Graph:
    """The graph with equal values in the place of its own; what nothing reads any more is left out.

    `rewriter` adds nodes to the builder that it is given.
    """
    builder = NodeTable()
    replacement = rewriter(builder)
    keys: dict[int, int] = {}
    rewritings = list(graph.rewritings)
    for key, node in graph.nodes:
        operands = tuple(keys[operand] for operand in graph.operands(key))
        builder.origin = node.origin
        made = replacement(key, operands)
        builder.origin = ()
        keys[key], texts = (builder.add(node, operands), ()) if made is None else made
        rewritings += texts
    built = replace(builder.graph(graph.name, graph.scalars, graph.origin), rewritings=tuple(rewritings))
    return without_unread(built, graph.leaves)


def without_unread(graph: Graph, declared: Collection[str]) -> Graph:
    """The graph without values that nothing reads; statements and the tensors with the names `declared` stay."""
    read = {key for key, node in graph.nodes if isinstance(node, cg.Assignment) or _is_leaf_of(node, declared)}
    for key, _ in reversed(list(graph.nodes)):
        if key in read:
            read.update(graph.operands(key))
    builder = NodeTable()
    keys: dict[int, int] = {}
    for key, node in graph.nodes:
        if key in read:
            keys[key] = builder.add(node, tuple(keys[operand] for operand in graph.operands(key)))
    kept = builder.graph(graph.name, graph.scalars)
    return replace(graph, values=kept.values, edges=kept.edges)


def _is_leaf_of(node: cg.Node, names: Collection[str]) -> bool:
    return isinstance(node, cg.Leaf) and node.tensor.name in names

"""Contraction graphs with other nodes in the place of some."""

from collections.abc import Callable
from dataclasses import replace

from einsum_front.core.extent import Polynomial
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting, without_unread

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
    built = replace(built, scatters=graph.scatters)
    return without_unread(built, graph.leaves)


# -- values that are batch-invariant: what follows from constants and scalars alone ------------------------------------


def same_for_all(graph: Graph) -> frozenset[int]:
    """The nodes that have one value for the launch, by key.

    A temporary tensor is one of them if all of it is, whatever the statement.
    """
    written = {node.tensor.name for _, node in graph.assignments if node.tensor.storage is not Storage.TEMPORARY}
    differing: set[str] = set()
    while True:
        found: set[int] = set()
        for key, node in graph.nodes:
            if all(operand in found for operand in graph.operands(key)) and _may_be(node, written, differing):
                found.add(key)
        others = {node.tensor.name for key, node in graph.assignments if key not in found} - written
        if others <= differing:
            return frozenset(found)
        differing |= others


def _may_be(node: cg.Node, written: set[str], differing: set[str]) -> bool:
    """True if a node has one value if its operands have, and its extents are static."""
    if any(isinstance(size, Polynomial) for size in cg.result_shape(node)):
        return False
    if isinstance(node, cg.Leaf | cg.Assignment):
        tensor = node.tensor
        if tensor.storage is Storage.TEMPORARY:
            return tensor.name not in differing
        return isinstance(node, cg.Leaf) and tensor.storage is Storage.CONSTANT and tensor.name not in written
    return True


class SameForAll:
    """The same for a graph that is being built, where statements count as different for each element."""

    def __init__(self, builder: NodeTable, of: Graph) -> None:
        """`of` is the graph whose statements say which tensors are written."""
        self._builder = builder
        self._written = set(of.assigned)
        self._found: dict[int, bool] = {}

    def has(self, key: int) -> bool:
        """True if a node has one value for the launch."""
        if key not in self._found:
            node = self._builder.node(key)
            is_one = not isinstance(node, cg.Assignment) and _may_be(node, self._written, set())
            is_one = is_one and not (isinstance(node, cg.Leaf) and node.tensor.storage is Storage.TEMPORARY)
            self._found[key] = is_one and all(self.has(operand) for operand in self._builder.operands(key))
        return self._found[key]


# -- values in words, for what is said about rewritings ----------------------------------------------------------------
# Keys change while a graph is rewritten.


def in_words(builder: NodeTable, key: int) -> str:
    """The name of the tensor that a node is or is a part of, or what else it is."""
    match builder.node(key):
        case cg.Leaf(tensor=tensor) | cg.Assignment(tensor=tensor):
            return tensor.name
        case cg.Slice() | cg.Embedding() | cg.Scaling():
            return in_words(builder, builder.operands(key)[0])
        case cg.Gather():
            return f"entries of {in_words(builder, builder.operands(key)[0])}"
        case cg.Contraction():
            return "a product"
        case cg.Sum():
            return "a sum"
        case cg.Elementwise(function=function) | cg.Reduction(function=function):
            return f"a value of `{function.value}`"
        case cg.ScalarTerm():
            return "a number"

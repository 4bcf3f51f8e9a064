"""Values that are batch-invariant: what follows from constants and scalars alone."""

from einsum_front.core.extent import Polynomial
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable


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

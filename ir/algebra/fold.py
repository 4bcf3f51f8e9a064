"""Values that follow from known constants are computed when translating, and become known constants themselves.

    C[i,j] := A[i,k] * (2 * K[k,j] + L[k,j])       C[i,j] := A[i,k] * K_L[k,j]
    y[i] := K[i,j] * L[j,k] * x[k]                 y[i] := K_L[i,k] * x[k]

They are computed in f64, as NumPy does, and rounded once to the type of the kernel. What depends on constants alone is
always computed here; constants among the factors of a product are multiplied if the product takes less then.

Left: values of more than `known.LARGEST` entries, and those that the type of the kernel cannot hold.
"""

from collections.abc import Iterator

import numpy as np

from einsum_front.core.diagnostics import Origin
from einsum_front.ir.algebra.known import Constants, KnownValues, has_known_constants, is_small
from einsum_front.ir.algebra.price import Alternative, Alternatives
from einsum_front.ir.algebra.product import Product
from einsum_front.ir.algebra.rewrite import Replacement, in_words, rewritten
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.contraction.interpret import value_of


def fold_known_values(graph: Graph) -> Graph:
    """The graph with known constants in the place of what follows from known constants."""
    if not has_known_constants(graph):
        return graph
    return rewritten(graph, lambda builder: _Folding(graph, builder).replacement)


class _Folding:
    """Makes constants for the nodes of a graph, one node after the other."""

    def __init__(self, graph: Graph, builder: NodeTable) -> None:
        self._graph = graph
        self._before = KnownValues(graph)
        self._builder = builder
        self._alternatives = Alternatives(builder)
        self._known = self._alternatives.known
        self._constants = Constants(graph, builder)
        self._origin: Origin = ()

    def replacement(self, key: int, operands: tuple[int, ...]) -> Replacement | None:
        """A constant for a value that is known, or fewer constants among the factors of a product."""
        node = self._graph.node(key)
        self._origin = node.origin
        if self._before.of(key) is None:
            return self._product(Product.of(node, operands)) if isinstance(node, cg.Contraction) else None
        is_inner = all(self._before.of(user) is not None for user, _ in self._graph.users(key))
        if is_inner or self._is_view(key):
            return None
        made = self._leaf(node, operands)
        return None if made is None else (made, (self._rewriting(made, operands),))

    def _is_view(self, key: int) -> bool:
        """True if a known value is a declared constant or a part of one, which costs nothing."""
        node = self._graph.node(key)
        return isinstance(node, cg.Leaf) or (
            isinstance(node, cg.Slice | cg.Embedding) and self._is_view(self._graph.operands(key)[0])
        )

    def _product(self, product: Product) -> Replacement | None:
        """The product with constants among its factors multiplied, as long as that makes it cheaper."""
        return self._alternatives.cheapest(product, self._with_fewer_factors, self._origin)

    def _with_fewer_factors(self, product: Product) -> Iterator[Alternative]:
        """The product with two of its constants that have an index in common multiplied, or with all of them."""
        for group in product.groups(self._alternatives.constants(product)):
            node, map_ = product.multiplied(group)
            operands = tuple(product.factors[number][0] for number in group)
            made = self._leaf(node, operands)
            if made is not None:
                yield product.replaced(group, ((made, map_),)), self._rewriting(made, operands)

    def _leaf(self, node: cg.Node, operands: tuple[int, ...]) -> int | None:
        """The leaf with the value of a node; None if there cannot be one."""
        values = self._known.of_all(operands)
        if values is None or not is_small(cg.result_shape(node)):
            return None
        return self._constants.leaf(self._constants.names(operands), value_of(node, values, {}, {}), node.origin)

    def _rewriting(self, made: int, operands: tuple[int, ...]) -> Rewriting:
        value = self._known.of(made)
        entries = 0 if value is None else np.count_nonzero(value)
        constants = " and ".join(self._constants.names(operands))
        text = f"{in_words(self._builder, made)} is made of {constants} when translating, {entries} nonzeros"
        return Rewriting(text, self._origin)

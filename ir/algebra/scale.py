"""Coefficients become a part of constants, which then cost nothing for each element.

    y[i] := 0.5 * (K[i,j] * x[j] + L[i,j] * z[j])       y[i] := K_1[i,j] * x[j] + L_1[i,j] * z[j]

`scale_known_constants` makes constants of known values. `distribute_to_constants` brings a coefficient to products of
constants that are scaled once per launch (`once`).

Left: sums of which one term has no such constant (scaling the sum takes no more than scaling that term), terms that
others read as well, and known constants that others read: a second one would take its room.
"""

from collections.abc import Callable

import numpy as np

from einsum_front.core.coefficient import Coefficient, Number, is_sign, times
from einsum_front.core.extent import hint, product
from einsum_front.ir.algebra.known import Constants, KnownValues, has_known_constants, is_small
from einsum_front.ir.algebra.product import Product
from einsum_front.ir.algebra.rewrite import Replacement, Rewriter, SameForAll, in_words, rewritten
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.contraction.interpret import value_of
from einsum_front.ir.index import Index, IterationSpace

Scaled = Callable[[int, Coefficient], int | None]
"""A multiple of a product for which no element does an operation; None if there is none."""


def scale_known_constants(graph: Graph) -> Graph:
    """The graph with numbers in front of products and sums multiplied into constants whose values are known."""
    if not has_known_constants(graph):
        return graph
    return rewritten(graph, lambda builder: _Known(graph, builder).replacement)


def distribute_to_constants(graph: Graph) -> Graph:
    """The graph with coefficients of sums in front of their terms, where each is a product with a constant."""

    def rewriter(builder: NodeTable) -> Rewriter:
        same = SameForAll(builder, graph)

        def scaled(key: int, coefficient: Coefficient) -> int | None:
            node, operands = builder.node(key), builder.operands(key)
            if not isinstance(node, cg.Contraction) or not any(map(same.has, operands)):
                return None
            return builder.add(cg.Scaling(IterationSpace(node.space.parallel), coefficient, node.origin), (key,))

        def replacement(key: int, operands: tuple[int, ...]) -> Replacement | None:
            found = _into_sum(graph, builder, key, operands, scaled)
            return None if found is None else (found, ())

        return replacement

    return rewritten(graph, rewriter)


def _into_sum(graph: Graph, builder: NodeTable, key: int, operands: tuple[int, ...], scaled: Scaled) -> int | None:
    """The sum that a scaled sum becomes; None if it stays, or the node is no scaled sum."""
    node = graph.node(key)
    if not isinstance(node, cg.Scaling) or is_sign(node.coefficient):
        return None
    if not isinstance(builder.node(operands[0]), cg.Sum) or not _is_private(graph, graph.operands(key)[0]):
        return None
    return _multiple(builder, operands[0], node.coefficient, scaled)


def _is_private(graph: Graph, key: int) -> bool:
    """True if one node alone reads a value, and each term of it if it is a sum or a multiple."""
    if len(graph.users(key)) > 1:
        return False
    if not isinstance(graph.node(key), cg.Sum | cg.Scaling):
        return True
    return all(_is_private(graph, operand) for operand in graph.operands(key) if _is_computed(graph, operand))


def _is_computed(graph: Graph, key: int) -> bool:
    return isinstance(graph.node(key), cg.Sum | cg.Scaling | cg.Contraction)


def _multiple(builder: NodeTable, key: int, coefficient: Coefficient, scaled: Scaled) -> int | None:
    """A multiple of sums, multiples and products, if all products take the coefficient."""
    node, operands = builder.node(key), builder.operands(key)
    if isinstance(node, cg.Scaling):
        return _multiple(builder, operands[0], times(coefficient, node.coefficient), scaled)
    if not isinstance(node, cg.Sum):
        return scaled(key, coefficient)
    terms = [_multiple(builder, operand, coefficient, scaled) for operand in operands]
    found = tuple(term for term in terms if term is not None)
    return builder.add(node, found) if len(found) == len(terms) else None


class _Known:
    """Makes constants that have a coefficient in them, one node of a graph after the other."""

    def __init__(self, graph: Graph, builder: NodeTable) -> None:
        self._graph = graph
        self._builder = builder
        self._known = KnownValues(builder)
        self._constants = Constants(graph, builder)
        self._rewritings: list[Rewriting] = []
        self._read_once = {
            node.tensor.name for key, node in graph.nodes if isinstance(node, cg.Leaf) and len(graph.users(key)) == 1
        }

    def replacement(self, key: int, operands: tuple[int, ...]) -> Replacement | None:
        """A product or a sum of products without the number that is in front of it."""
        node = self._graph.node(key)
        if not isinstance(node, cg.Scaling) or not _is_private(self._graph, self._graph.operands(key)[0]):
            return None
        if is_sign(node.coefficient):
            return None
        self._rewritings = []
        made = _multiple(self._builder, operands[0], node.coefficient, self._scaled)
        return None if made is None else (made, tuple(self._rewritings))

    def _scaled(self, key: int, coefficient: Coefficient) -> int | None:
        """A product with a multiple of its smallest known constant that nothing else reads."""
        node = self._builder.node(key)
        if not isinstance(node, cg.Contraction) or not isinstance(coefficient, Number) or is_sign(coefficient):
            return None
        product_ = Product.of(node, self._builder.operands(key))
        numbers = [number for number, (factor, _) in enumerate(product_.factors) if self._is_own(factor)]
        if not numbers:
            return None
        number = min(numbers, key=lambda each: self._entries(product_.factors[each][0]))
        factor, map_ = product_.factors[number]
        made = self._multiplied(factor, coefficient)
        if made is None:
            return None
        factors = tuple((made, map_) if each == number else old for each, old in enumerate(product_.factors))
        maps = tuple(each for _, each in factors)
        return self._builder.add(cg.Contraction(node.space, maps, node.origin), tuple(each for each, _ in factors))

    def _is_own(self, key: int) -> bool:
        """True if a value is known, and nothing else reads the constants that it is made of."""
        if self._known.of(key) is None or not is_small(cg.result_shape(self._builder.node(key))):
            return False
        return self._read_once.issuperset(self._constants.names((key,)))

    def _entries(self, key: int) -> int:
        return hint(product(cg.result_shape(self._builder.node(key))))

    def _multiplied(self, key: int, coefficient: Number) -> int | None:
        """The constant that is a multiple of a known value."""
        value = self._known.of(key)
        node = self._builder.node(key)
        if value is None:
            return None
        indices = tuple(Index(str(mode), extent) for mode, extent in enumerate(cg.result_shape(node)))
        scaling = cg.Scaling(IterationSpace(indices), coefficient, node.origin)
        names = self._constants.names((key,))
        made = self._constants.leaf(names, value_of(scaling, [value], {}, {}), node.origin)
        if made is not None:
            entries = np.count_nonzero(value)
            text = (
                f"{in_words(self._builder, made)} is made of {' and '.join(names)} when translating, {entries} nonzeros"
            )
            self._rewritings.append(Rewriting(text, node.origin))
            self._read_once.update(self._constants.names((made,)))
        return made

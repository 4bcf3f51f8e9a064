"""Values that follow from known constants are computed when translating, and become known constants themselves.

    C[i,j] := A[i,k] * (2 * K[k,j] + L[k,j])       C[i,j] := A[i,k] * K_L[k,j]
    y[i] := K[i,j] * L[j,k] * x[k]                 y[i] := K_L[i,k] * x[k]

They are computed in f64, as NumPy does, and rounded once to the type of the kernel. What depends on constants alone is
always computed here; constants among the factors of a product are multiplied if the product takes less then.

Left: values of more than `known.LARGEST` entries, and those that the type of the kernel cannot hold.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from diagnostics import Origin
from ir.algebra.known import KnownValues, has_known_constants, is_small
from ir.algebra.price import Price, Pricing
from ir.algebra.product import Factor, Product
from ir.algebra.rewrite import Replacement, rewritten
from ir.algebra.words import in_words
from ir.contraction.canonical import canonical
from ir.contraction.graph import Graph, GraphBuilder, Rewriting
from ir.contraction.interpret import Array, value_of
from ir.contraction.nodes import Contraction, Embedding, Leaf, Node, Slice, result_shape
from ir.tensor import ElementType, Storage, Tensor
from ir.yateto.nodes import packed_strides
from ir.zero_pattern import runs_from_mask


def fold_known_values(graph: Graph) -> Graph:
    """The graph with known constants in the place of what follows from known constants."""
    if not has_known_constants(graph):
        return graph
    return rewritten(graph, lambda builder: _Folding(graph, builder).replacement)


class _Names:
    """Names for constants: those of what they are made of; equal values have one name."""

    def __init__(self, graph: Graph) -> None:
        self._taken = {tensor.name for tensor in graph.tensors} | {scalar.name for scalar in graph.scalars}
        self._given: dict[tuple[Node, tuple[int, ...]], str] = {}

    def name(self, parts: list[str], node: Node, operands: tuple[int, ...]) -> str:
        """The name of the value of a node."""
        signature = canonical(node), operands
        if signature not in self._given:
            stem = "_".join(parts)
            candidates = (stem, *(f"{stem}_{number}" for number in range(len(self._taken) + 1)))
            self._given[signature] = next(candidate for candidate in candidates if candidate not in self._taken)
            self._taken.add(self._given[signature])
        return self._given[signature]


class _Folding:
    """Makes constants for the nodes of a graph, one node after the other."""

    def __init__(self, graph: Graph, builder: GraphBuilder) -> None:
        self._graph = graph
        self._before = KnownValues(graph)
        self._builder = builder
        self._known = KnownValues(builder)
        self._pricing = Pricing(builder)
        self._names = _Names(graph)
        self._type = graph.assignments[0][1].tensor.element_type
        self._origin: Origin = ()

    def replacement(self, key: int, operands: tuple[int, ...]) -> Replacement | None:
        """A constant for a value that is known, or fewer constants among the factors of a product."""
        node = self._graph.node(key)
        self._origin = node.origin
        if self._before.of(key) is None:
            return self._product(Product.of(node, operands)) if isinstance(node, Contraction) else None
        is_inner = all(self._before.of(user) is not None for user, _ in self._graph.users(key))
        if is_inner or self._is_view(key):
            return None
        made = self._leaf(node, operands)
        return None if made is None else (made, (self._rewriting(made, operands),))

    def _is_view(self, key: int) -> bool:
        """Whether a known value is a declared constant or a part of one, which costs nothing."""
        node = self._graph.node(key)
        return isinstance(node, Leaf) or (
            isinstance(node, Slice | Embedding) and self._is_view(self._graph.operands(key)[0])
        )

    def _product(self, product: Product) -> Replacement | None:
        """The product with constants among its factors multiplied, as long as that makes it cheaper."""
        given = [key for key, _ in product.factors if self._known.of(key) is None]
        rewritings: list[Rewriting] = []
        price = None
        while candidates := list(self._with_fewer_factors(product)):
            price = price or self._price(product, given)
            prices = [self._price(candidate, given) for candidate, _ in candidates]
            if not min(prices).is_below(price):
                break
            price = min(prices)
            product, rewriting = candidates[prices.index(price)]
            rewritings.append(rewriting)
        return (product.finished(self._builder, given, self._origin), tuple(rewritings)) if rewritings else None

    def _with_fewer_factors(self, product: Product) -> Iterator[tuple[Product, Rewriting]]:
        """The product with two of its constants that have an index in common multiplied, or with all of them."""
        known = [number for number, (key, _) in enumerate(product.factors) if self._known.of(key) is not None]
        pairs = combinations(known, 2)
        groups: list[tuple[int, ...]] = [p for p in pairs if _have_common_index([product.factors[n] for n in p])]
        if len(known) > 2:
            groups.append(tuple(known))
        for group in groups:
            factors = tuple(product.factors[number] for number in group)
            node, map_ = product.multiplied(factors)
            operands = tuple(key for key, _ in factors)
            made = self._leaf(node, operands)
            if made is not None:
                yield product.joined(group, (made, map_)), self._rewriting(made, operands)

    def _leaf(self, node: Node, operands: tuple[int, ...]) -> int | None:
        """The leaf with the value of a node; None if it is too large, or some of it for its type."""
        values = [value for operand in operands if (value := self._known.of(operand)) is not None]
        if not is_small(result_shape(node)):
            return None
        array = value_of(node, values, {}, {})
        with np.errstate(over="ignore"):
            rounded = array.astype(np.float32) if self._type is ElementType.F32 else array
        if not np.isfinite(rounded).all():
            return None
        name = self._names.name(self._constants(operands), node, operands)
        return self._builder.add(Leaf(_tensor(name, array, self._type), node.origin))

    def _constants(self, keys: tuple[int, ...]) -> list[str]:
        """The names of the constants that values are made of."""
        names: dict[str, None] = {}
        for key in keys:
            node = self._builder.node(key)
            found = [node.tensor.name] if isinstance(node, Leaf) else self._constants(self._builder.operands(key))
            names |= dict.fromkeys(found)
        return list(names)

    def _price(self, product: Product, given: list[int]) -> Price:
        return self._pricing.price(product.finished(self._builder, given, self._origin), given)

    def _rewriting(self, made: int, operands: tuple[int, ...]) -> Rewriting:
        value = self._known.of(made)
        entries = 0 if value is None else np.count_nonzero(value)
        constants = " and ".join(self._constants(operands))
        text = f"{in_words(self._builder, made)} is made of {constants} when translating, {entries} nonzeros"
        return Rewriting(text, self._origin)


def _have_common_index(factors: list[Factor]) -> bool:
    (_, one), (_, other) = factors
    return not set(one).isdisjoint(other)


def _tensor(name: str, array: Array, element_type: ElementType) -> Tensor:
    """The array as a constant whose values are known."""
    runs = None if array.all() else runs_from_mask(array != 0)
    values = tuple(array.ravel(order="F").tolist())
    strides = packed_strides(array.shape)
    return Tensor(name, element_type, Storage.CONSTANT, array.shape, strides, runs, values)

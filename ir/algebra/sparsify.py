"""Known matrices become products of two sparser matrices, where a product takes less then.

    Q[k,p] := R[k,m] * F[m,l] * I[l,p]         Q[k,p] := R_F_left[k,m] * R_F_right[m,l] * I[l,p]
    V[k,p] := K[k,l] * I[l,p]                  V[k,p] := K_left[k,m] * K_right[m,l] * I[l,p]

An index that is summed and walks known constants only is nobody's: any other basis will do in which they have fewer
non-zeros. `elimination` finds one, for single constants among the factors of a product, for two that have an index in
common, and for all of them, if they make a matrix.

Where a device does not leave out single zeros it multiplies boxes of entries, and those of factors are larger than that
of a matrix whose rank is not low. So operations have to fall by more than the square root of what those on boxes rise
by: `volume` of ADER-DG takes as long with 0.86 of the operations, on boxes 1.37 times as large, and stays.

Where each work-item has a line in registers (no `Machine.splits_matrices`), what is between two factors of a single
matrix takes registers that its multiplications are not worth: `volume` takes 1.3 times as long on an NVIDIA H200 at
order 6.

Left: matrices of more than `known.LARGEST` entries, and what would lose accuracy.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from einsum_front.core.diagnostics import Origin
from einsum_front.core.names import fresh_numbered
from einsum_front.ir.algebra.alternatives import Alternative, Alternatives
from einsum_front.ir.algebra.constants import Constants
from einsum_front.ir.algebra.elimination import Factors, sparse_factors
from einsum_front.ir.algebra.known import has_known_constants, is_small
from einsum_front.ir.algebra.price import Price
from einsum_front.ir.algebra.product import Product
from einsum_front.ir.algebra.rewrite import Replacement, rewritten
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.contraction.interpret import Array, value_of


def sparsify_known_matrices(graph: Graph, *, has_single: bool = True) -> Graph:
    """The graph with sparser factors in the place of known matrices; of single ones only if that is asked for."""
    if not has_known_constants(graph) or any(tensor.element_type.is_integer for tensor in graph.tensors):
        return graph  # factors of integers would be fractions
    return rewritten(graph, lambda builder: _Sparsifying(graph, builder, has_single=has_single).replacement)


class _Sparsifying:
    """Splits known matrices in the products of a graph, one product after the other."""

    def __init__(self, graph: Graph, builder: NodeTable, *, has_single: bool) -> None:
        self._has_single = has_single
        self._graph = graph
        self._alternatives = Alternatives(builder)
        self._constants = Constants(graph, builder)
        self._origin: Origin = ()

    def replacement(self, key: int, operands: tuple[int, ...]) -> Replacement | None:
        """A product with sparser factors; None if it takes no less, or all of it is known."""
        node = self._graph.node(key)
        if not isinstance(node, cg.Contraction) or self._alternatives.known.of_all(operands) is not None:
            return None
        self._origin = node.origin
        product, others = Product.of(node, operands), partial(self._with_sparser_factors, operands)
        return self._alternatives.cheapest(product, others, self._origin, _work)

    def _with_sparser_factors(self, operands: tuple[int, ...], product: Product) -> Iterator[Alternative]:
        """The product with some of its constants split; those that are no operands were split, and are sparse."""
        known = self._alternatives.constants(product)
        single = [(number,) for number in known] if self._has_single else []
        for group in [*single, *(each for each in product.groups(known) if self._has_single or len(each) > 1)]:
            if any(product.factors[number][0] in operands for number in group):
                split = self._split(product, group)
                if split is not None:
                    yield split

    def _split(self, product: Product, group: tuple[int, ...]) -> Alternative | None:
        """The product with two sparser factors, or a column and a row, in the place of some that make a matrix."""
        keys = tuple(product.factors[number][0] for number in group)
        node, outer = product.multiplied(group)
        values = self._alternatives.known.of_all(keys)
        if values is None or len(outer) != 2 or not is_small(cg.result_shape(node)):
            return None
        found = sparse_factors(value_of(node, values, {}, {}), value_of(node, [*map(np.abs, values)], {}, {}))
        if found is None or found.entries >= sum(map(np.count_nonzero, values)):
            return None
        names = self._constants.names(keys)
        inner = (fresh_numbered("m", product.extents),) if found.rank > 1 else ()
        columns, rows = (found.left, found.right) if inner else (found.left[:, 0], found.right[0])
        left = self._constants.leaf([*names, "left"], columns, self._origin)
        right = self._constants.leaf([*names, "right"], rows, self._origin)
        if left is None or right is None:
            return None
        pair = (left, (outer[0], *inner)), (right, (*inner, outer[1]))
        return product.replaced(group, pair, dict.fromkeys(inner, found.rank)), self._rewriting(names, values, found)

    def _rewriting(self, names: list[str], values: list[Array], found: Factors) -> Rewriting:
        before = " and ".join(str(np.count_nonzero(value)) for value in values)
        after = " and ".join(str(np.count_nonzero(value)) for value in (found.left, found.right))
        verb = "becomes" if len(values) == 1 else "become"
        text = f"{' and '.join(names)} {verb} two other factors when translating, {after} nonzeros instead of {before}"
        return Rewriting(text, self._origin)


def _work(price: Price) -> int:
    """Work to be minimized where some devices leave out zeros and others do not."""
    return price.operations_and_copies**2 * price.executed

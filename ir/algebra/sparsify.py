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
from functools import lru_cache, partial

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.names import fresh_numbered
from einsum_front.ir.algebra.known import Constants, has_known_constants, is_small
from einsum_front.ir.algebra.price import Alternative, Alternatives, Price
from einsum_front.ir.algebra.product import Product
from einsum_front.ir.algebra.rewrite import Replacement, rewritten
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.contraction.interpret import Array, value_of

# -- matrices as products of two sparser ones, found by Gaussian elimination -------------------------------------------
#     M = left · right        left: (rows, rank), right: (rank, columns)
#
# Each step takes away a column times a row of what is left of the matrix, until nothing is left. Which entry is the
# pivot is free, and where rows or columns depend on each other, much of the rest may cancel: the pivot is the one
# after which the fewest non-zeros stand in the column, the row and the rest. Bases of polynomials that are products
# in other coordinates have many such dependences. On a face of a tetrahedron, for one, some polynomials of an element
# that are different are the same.
#
# Rounding is the other half. Rows and columns are scaled by powers of two before, so that all are alike; a pivot is
# not much smaller than the largest entry of its row and its column; an entry that cancels but for `CANCELLED` is
# zero; and what was found is multiplied again, and taken only if it is the matrix up to some units in the last place
# of the largest entries of each row and each column.

CANCELLED = 2.0**-36
"""Of the largest entry: what is below is what rounding has left of a difference that is zero."""

PIVOTS = (1 / 8, 1 / 4, 1 / 2, 0.9)
"""The least share that a pivot has of the largest entries of its row and its column. With less there is more choice,
with more the product is more accurate: the first is taken with which it is accurate enough."""

GROWTH = 16
"""How much larger the terms of the product may be than those that the entries of the matrix are sums of."""

ERROR = 32 * float(np.finfo(np.float64).eps)
"""The largest difference between the product and the matrix, for terms of size 1."""

SCALINGS = 8
"""Rounds in which rows and columns are scaled."""

WORK = 1 << 21
"""Entries that one comparison of pivots may compute; of more pivots those in short rows and columns are compared."""


@dataclass(frozen=True, slots=True)
class Factors:
    """A matrix as a product of two, and their entries that are not zero."""

    left: Array
    right: Array

    @property
    def entries(self) -> int:
        """Entries of both that are not zero."""
        return int(np.count_nonzero(self.left) + np.count_nonzero(self.right))

    @property
    def rank(self) -> int:
        """Columns of the one, rows of the other."""
        return len(self.right)


def sparse_factors(matrix: Array, terms: Array) -> Factors | None:
    """Two sparse matrices whose product is the matrix; None if none were found that are accurate.

    `terms` are the sums of the absolute values that the entries are sums of; of a matrix as it was given, its absolute
    values. The product is as accurate as those sums, and its terms are at most `GROWTH` times as large.
    """
    arguments = (np.ascontiguousarray(each, np.float64) for each in (matrix, terms))
    return _remembered(matrix.shape, *(each.tobytes() for each in arguments))


@lru_cache(maxsize=256)
def _remembered(shape: tuple[int, int], matrix: bytes, terms: bytes) -> Factors | None:
    """Kernels of a family have most of their matrices in common."""
    return _found(*(np.frombuffer(each).reshape(shape) for each in (matrix, terms)))


def _found(matrix: Array, terms: Array) -> Factors | None:
    if not matrix.any() or not np.isfinite(terms).all():
        return None
    rows, columns = _scales(terms)
    scaled, sizes = matrix * rows * columns, terms * rows * columns
    largest = np.minimum(sizes.max(axis=1, keepdims=True), sizes.max(axis=0, keepdims=True))
    for share in PIVOTS:
        left, right = _eliminated(scaled, share)
        is_exact = (np.abs(left @ right - scaled) <= ERROR * largest).all()
        if left.size and is_exact and (np.abs(left) @ np.abs(right) <= GROWTH * largest).all():
            return Factors(left / rows, right / columns)
    return None


def _scales(terms: Array) -> tuple[Array, Array]:
    """Powers of two, a column and a row, by which entries are about one, as far as can be.

    Their logarithms are the least squares that make those of the entries that are not zero zero, found row by row and
    column by column in turn (Curtis and Reid, J. Inst. Maths Applics 10, 1972).
    """
    is_nonzero = terms > 0
    sizes = np.log2(terms, out=np.zeros_like(terms), where=is_nonzero)
    rows, columns = np.zeros((terms.shape[0], 1)), np.zeros((1, terms.shape[1]))
    in_rows, in_columns = (np.maximum(is_nonzero.sum(axis=axis, keepdims=True), 1) for axis in (1, 0))
    for _ in range(SCALINGS):
        rows = ((sizes + columns) * is_nonzero).sum(axis=1, keepdims=True) / -in_rows
        columns = ((sizes + rows) * is_nonzero).sum(axis=0, keepdims=True) / -in_columns
    columns -= (sizes + rows + columns).max(where=is_nonzero, initial=-np.inf)
    return np.exp2(np.round(rows)), np.exp2(np.round(columns))


def _eliminated(matrix: Array, share: float) -> tuple[Array, Array]:
    """The factors, however accurate they are; pivots have this share of the largest entries of their row and column."""
    left, right = [], []
    rest, rows, columns = _nonzero(matrix, *map(np.arange, matrix.shape))
    while rest.size:
        row, column = _pivot(rest, share)
        multiples = rest[:, column] / rest[row, column]
        left.append(_placed(multiples, rows, matrix.shape[0]))
        right.append(_placed(rest[row], columns, matrix.shape[1]))
        rest = rest - multiples[:, None] * rest[row]
        rest[row], rest[:, column] = 0, 0
        rest, rows, columns = _nonzero(rest, rows, columns)
    return np.reshape(left, (-1, matrix.shape[0])).T, np.reshape(right, (-1, matrix.shape[1]))


def _placed(entries: Array, places: Array, size: int) -> Array:
    """A vector with the entries at these places, zero elsewhere."""
    vector = np.zeros(size)
    vector[places] = entries
    return vector


def _nonzero(rest: Array, rows: Array, columns: Array) -> tuple[Array, Array, Array]:
    """Rest without what has cancelled, and without rows and columns that are zero."""
    rest = np.where(np.abs(rest) > CANCELLED, rest, 0)
    in_rows, in_columns = rest.any(axis=1), rest.any(axis=0)
    return rest[in_rows][:, in_columns], rows[in_rows], columns[in_columns]


def _pivot(rest: Array, share: float) -> tuple[int, int]:
    """The pivot after which the fewest non-zeros stand in its column, its row and the rest; the largest of equals."""
    sizes = np.abs(rest)
    largest = np.maximum(sizes.max(axis=1, keepdims=True), sizes.max(axis=0, keepdims=True))
    in_row, in_column = (np.count_nonzero(rest, axis=axis) for axis in (1, 0))
    pivots = np.argwhere(sizes >= share * largest)
    filled = (in_row[pivots[:, 0]] - 1) * (in_column[pivots[:, 1]] - 1)
    pivots = pivots[np.sort(np.argsort(filled, kind="stable")[: max(1, WORK // rest.size)])]
    left = np.concatenate([_left_of(rest, row, pivots[pivots[:, 0] == row, 1]) for row in np.unique(pivots[:, 0])])
    counts = in_row[pivots[:, 0]] + in_column[pivots[:, 1]] + left
    row, column = pivots[np.lexsort((-sizes[tuple(pivots.T)], counts))[0]]
    return int(row), int(column)


def _left_of(rest: Array, row: int, columns: Array) -> Array:
    """How many non-zeros are left without each of the pivots in a row."""
    multiples = (rest[:, columns] / rest[row, columns]).T
    after = rest - multiples[:, :, np.newaxis] * rest[row]
    return np.asarray(np.count_nonzero(np.abs(after) > CANCELLED, axis=(1, 2)))


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

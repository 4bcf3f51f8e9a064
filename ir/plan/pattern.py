"""Zero patterns as boolean arrays, and networks of them.

A factor says which values of its indices can occur together. A list of factors says that for all its indices at once:
an assignment of positions to indices is possible if every factor allows it. Eliminating an index from such a network
joins the factors that have it: for patterns that is "there is a position", for counts it is a sum over the positions.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.ir.contraction.views import aligned
from einsum_front.ir.index import IndexMap
from einsum_front.ir.zero_pattern import Mask

Interval = tuple[int, int]
"""Half-open range of positions."""

Box = tuple[Interval, ...]
"""A range of each mode."""


def dense(shape: tuple[int, ...]) -> Mask:
    """The pattern without zeros; it takes no memory."""
    return np.broadcast_to(np.True_, shape)


def is_dense(mask: Mask) -> bool:
    """Whether the pattern has no zeros."""
    return bool(mask[(0,) * mask.ndim]) if not any(mask.strides) else bool(mask.all())


def normalised(mask: Mask) -> Mask:
    """The same pattern, in the form that takes no memory if it has no zeros."""
    return dense(mask.shape) if is_dense(mask) else mask


def has_entries(mask: Mask) -> bool:
    """Whether an entry may differ from zero."""
    return is_dense(mask) or bool(mask.any())


def both(one: Mask, other: Mask) -> Mask:
    """The entries of both patterns, which have one shape."""
    if is_dense(one):
        return other
    return one if is_dense(other) else one & other


def either(one: Mask, other: Mask) -> Mask:
    """The entries of at least one of the patterns, which have one shape."""
    if is_dense(one):
        return one
    return other if is_dense(other) else normalised(one | other)


def nonzeros(mask: Mask) -> int:
    """Number of entries that may differ from zero."""
    return mask.size if is_dense(mask) else int(np.count_nonzero(mask))


def bounding_box(mask: Mask) -> tuple[Interval, ...] | None:
    """The smallest range of each mode that holds all entries; None if there are none."""
    if is_dense(mask):
        return tuple((0, size) for size in mask.shape)
    if not mask.any():
        return None
    return tuple(_extent(positions) for positions in mask.nonzero())


def _extent(positions: NDArray[np.intp]) -> Interval:
    return int(positions.min()), int(positions.max()) + 1


def projected(mask: Mask, map_: IndexMap, target: IndexMap) -> Mask:
    """Whether there is an entry for some position of the other indices; `map_` has all indices of `target`."""
    kept, left = _summed((map_, mask), target)
    return aligned(left, kept, target)


def broadcast(mask: Mask, map_: IndexMap, target: IndexMap, extents: Mapping[str, int]) -> Mask:
    """The pattern over the indices of `target`, which has those of `map_` and more."""
    shape = tuple(extents[name] for name in target)
    return dense(shape) if is_dense(mask) else np.broadcast_to(aligned(mask, map_, target), shape)


# -- networks ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Factor:
    """A pattern with the index that walks each of its modes; no index twice."""

    indices: IndexMap
    mask: Mask

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """1 where the pattern has an entry, 0 elsewhere."""
        return self.mask.astype(np.float64)


_LARGEST_PRODUCT = 2**16
"""Entries of a product of tables up to which choosing a way to multiply them takes longer than multiplying.

Beyond, it may be a product of matrices, for which patterns become numbers: it counts positions instead of finding one.
"""

_Table = tuple[IndexMap, NDArray[Any]]


def constrained(factors: Sequence[Factor]) -> list[Factor]:
    """The factors that exclude something."""
    return [factor for factor in factors if not is_dense(factor.mask)]


def exists(factors: Sequence[Factor], keep: Collection[str]) -> list[Factor]:
    """A network over the indices `keep` that allows what the given one allows for some position of the others."""
    tables = _eliminated([(factor.indices, factor.mask) for factor in factors], keep)
    given = {(factor.indices, id(factor.mask)): factor for factor in factors}
    return constrained([given.get((indices, id(mask))) or Factor(indices, mask) for indices, mask in tables])


def conjunction(factors: Sequence[Factor], target: IndexMap, extents: Mapping[str, int]) -> Mask:
    """The network over the indices `target` as one pattern; each factor's indices are among them."""
    mask = dense(tuple(extents[name] for name in target))
    for factor in factors:
        mask = both(mask, broadcast(factor.mask, factor.indices, target, extents))
    return normalised(mask)


def count(factors: Sequence[Factor]) -> int:
    """How many assignments of positions to the indices of the factors are possible; exact below 2**53."""
    tables = _eliminated([(factor.indices, factor.weights) for factor in factors], ())
    return round(prod(float(table) for _, table in tables)) if tables else 1


def _eliminated(tables: list[_Table], keep: Collection[str]) -> list[_Table]:
    """Eliminate the indices outside `keep`, one after the other, always one that makes the smallest new table."""
    names = list(dict.fromkeys(name for indices, _ in tables for name in indices if name not in keep))
    while names:
        name = min(names, key=lambda name: _size_without(tables, name))
        joined = [table for table in tables if name in table[0]]
        tables = [table for table in tables if name not in table[0]]
        left = {n for indices, _ in tables for n in indices}.union(keep)
        tables.append(_join(joined, left))
        names = [n for n in names if n in left and n not in keep]
    return tables


def _size_without(tables: list[_Table], name: str) -> int:
    sizes = {
        n: size for indices, array in tables if name in indices for n, size in zip(indices, array.shape, strict=True)
    }
    return prod(size for n, size in sizes.items() if n != name)


def _join(tables: list[_Table], keep: Collection[str]) -> _Table:
    """The product of the tables, summed over the indices outside `keep`; for patterns: "and", "there is"."""
    product = tables[0]
    for position, table in enumerate(tables[1:], start=2):
        later = {name for indices, _ in tables[position:] for name in indices}
        product = _multiplied(product, table, later.union(keep))
    return _summed(product, keep)


def _multiplied(left: _Table, right: _Table, keep: Collection[str]) -> _Table:
    number: dict[str, int] = {}
    for name in (*left[0], *right[0]):
        number.setdefault(name, len(number))
    kept = tuple(name for name in number if name in keep)
    maps: list[list[Any]] = [[number[name] for name in names] for names in (left[0], right[0], kept)]
    extents = dict(zip((*left[0], *right[0]), (*left[1].shape, *right[1].shape), strict=True))
    if prod(extents.values()) <= _LARGEST_PRODUCT:
        return kept, np.asarray(np.einsum(left[1], maps[0], right[1], maps[1], maps[2]))
    factors = [array.astype("f") if array.dtype == np.bool_ else array for array in (left[1], right[1])]
    product = np.einsum(factors[0], maps[0], factors[1], maps[1], maps[2], optimize=True)
    return kept, np.asarray(product).astype(left[1].dtype, copy=False)


def _summed(table: _Table, keep: Collection[str]) -> _Table:
    indices, array = table
    dropped = tuple(mode for mode, name in enumerate(indices) if name not in keep)
    if not dropped:
        return table
    reduced = array.any(axis=dropped) if array.dtype == np.bool_ else array.sum(axis=dropped)
    return tuple(name for name in indices if name in keep), np.asarray(reduced)

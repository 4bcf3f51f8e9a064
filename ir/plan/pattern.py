"""Zero patterns as boolean arrays, and networks of them.

A factor says which values of its indices can occur together. A list of factors says that for all its indices at once:
an assignment of positions to indices is possible if every factor allows it. Eliminating an index from such a network
joins the factors that have it: for patterns that is "there is a position", for counts it is a sum over the positions.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product as grid
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.extent import Extent, Polynomial, interpolated, product
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.zero_pattern import Mask
from einsum_front.ir.contraction.views import aligned
from einsum_front.ir.index import IndexMap
from einsum_front.ir.zero_pattern import POSITIONS, positions

Interval = tuple[int, Extent]
"""Half-open range of positions; of a dynamic mode it is all of them."""

Box = tuple[Interval, ...]
"""A range of each mode."""


def dense(shape: Iterable[Extent]) -> Mask:
    """The pattern without zeros; it takes no memory."""
    return np.broadcast_to(np.True_, positions(shape))


def empty(shape: Iterable[Extent]) -> Mask:
    """The pattern of a tensor that is zero, to be written to."""
    return np.zeros(positions(shape), np.bool_)


def is_dense(mask: Mask) -> bool:
    """True if the pattern has no zeros."""
    return bool(mask[(0,) * mask.ndim]) if not any(mask.strides) else bool(mask.all())


def normalised(mask: Mask) -> Mask:
    """The same pattern, in the form that takes no memory if it has no zeros."""
    return dense(mask.shape) if is_dense(mask) else mask


def has_entries(mask: Mask) -> bool:
    """True if an entry may differ from zero."""
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


def bounding_box(mask: Mask, shape: Sequence[Extent]) -> Box | None:
    """The smallest range of each mode of a tensor of this shape that holds all entries; None if there are none."""
    if is_dense(mask):
        return tuple((0, size) for size in shape)
    if not mask.any():
        return None
    return tuple(map(_interval, mask.nonzero(), shape))


def _interval(found: NDArray[np.intp], size: Extent) -> Interval:
    return (int(found.min()), int(found.max()) + 1) if isinstance(size, int) else (0, size)


def within(box: Iterable[Interval]) -> tuple[slice, ...]:
    """What a pattern has in a box."""
    return tuple(slice(start, stop if isinstance(stop, int) else None) for start, stop in box)


def projected(mask: Mask, map_: IndexMap, target: IndexMap) -> Mask:
    """Whether there is an entry for some position of the other indices; `map_` has all indices of `target`."""
    kept, left = _summed((map_, mask), target)
    return aligned(left, kept, target)


def broadcast(mask: Mask, map_: IndexMap, target: IndexMap, extents: Mapping[str, Extent]) -> Mask:
    """The pattern over the indices of `target`, which has those of `map_` and more."""
    shape = tuple(extents[name] for name in target)
    return dense(shape) if is_dense(mask) else np.broadcast_to(aligned(mask, map_, target), positions(shape))


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


def is_uniform(factor: Factor, name: str) -> bool:
    """True if the pattern is the same at all positions of an index."""
    if name not in factor.indices or is_dense(factor.mask):
        return True
    axis = factor.indices.index(name)
    return bool((factor.mask == factor.mask.take([0], axis)).all())


def told_apart(factors: Sequence[Factor], extents: Mapping[str, Extent]) -> list[Factor]:
    """The factors of a contraction, dense along dynamic indices where too many of these are in diagonals.

    Whether there is a position that differs from those of k other indices is seen with more than k positions.
    """
    dynamic = [name for name, extent in extents.items() if isinstance(extent, Polynomial)]
    diagonal = [name for name in dynamic if not all(is_uniform(factor, name) for factor in factors)]
    if len(diagonal) < POSITIONS:
        return list(factors)
    return [Factor(factor.indices, _dense_along(factor, diagonal)) for factor in factors]


def _dense_along(factor: Factor, names: Collection[str]) -> Mask:
    axes = tuple(axis for axis, name in enumerate(factor.indices) if name in names)
    return normalised(np.broadcast_to(factor.mask.any(axes, keepdims=True), factor.mask.shape))


def exists(factors: Sequence[Factor], keep: Collection[str]) -> list[Factor]:
    """A network over the indices `keep` that allows what the given one allows for some position of the others."""
    tables = _eliminated([(factor.indices, factor.mask) for factor in factors], keep)
    given = {(factor.indices, id(factor.mask)): factor for factor in factors}
    return constrained([given.get((indices, id(mask))) or Factor(indices, mask) for indices, mask in tables])


def conjunction(factors: Sequence[Factor], target: IndexMap, extents: Mapping[str, Extent]) -> Mask:
    """The network over the indices `target` as one pattern; each factor's indices are among them."""
    mask = dense(tuple(extents[name] for name in target))
    for factor in factors:
        mask = both(mask, broadcast(factor.mask, factor.indices, target, extents))
    return normalised(mask)


def entries(mask: Mask, shape: Sequence[Extent]) -> Extent:
    """Number of entries that may differ from zero in a tensor of this shape."""
    if is_dense(mask):
        return product(shape)
    names = tuple(map(str, range(mask.ndim)))
    return count([Factor(names, mask)], dict(zip(names, shape, strict=True)))


def count(factors: Sequence[Factor], extents: Mapping[str, Extent]) -> Extent:
    """How many assignments of positions to the indices of the factors are possible; exact below 2**53."""
    names = dict.fromkeys(name for factor in factors for name in factor.indices)
    dynamic = {name: extent for name in names if isinstance(extent := extents[name], Polynomial)}
    diagonal = {
        name: extent for name, extent in dynamic.items() if not all(is_uniform(factor, name) for factor in factors)
    }
    same = [name for name in dynamic if name not in diagonal]
    left = [_at_first(factor, same) for factor in factors] if same else factors
    counted = _interpolated(left, diagonal) if diagonal else _count(left)
    return product(dynamic[name] for name in same) * counted


def _at_first(factor: Factor, names: Collection[str]) -> Factor:
    """The factor without some of its indices, which are at their first position."""
    at = tuple(0 if name in names else slice(None) for name in factor.indices)
    return Factor(tuple(name for name in factor.indices if name not in names), np.asarray(factor.mask[at]))


def _interpolated(factors: Sequence[Factor], extents: Mapping[str, Polynomial]) -> Extent:
    """The count as a polynomial of the extents of some indices, along which patterns are diagonals.

    Patterns of fewer positions are parts of these patterns, so the polynomial goes through their counts.
    """
    sizes = list(dict.fromkeys(extents.values()))
    degrees = [sum(extent == size for extent in extents.values()) for size in sizes]
    counts: dict[tuple[int, ...], int] = {}
    for points in grid(*(range(1, degree + 2) for degree in degrees)):
        stops = {name: points[sizes.index(extent)] for name, extent in extents.items()}
        cut = [Factor(f.indices, f.mask[tuple(slice(stops.get(name)) for name in f.indices)]) for f in factors]
        counts[points] = _count(cut)
    return interpolated(sizes, counts)


def _count(factors: Sequence[Factor]) -> int:
    """The count of patterns as they are, those that exclude nothing first."""
    left = constrained(factors)
    names = {name for factor in left for name in factor.indices}
    free = {n: size for f in factors for n, size in zip(f.indices, f.mask.shape, strict=True) if n not in names}
    tables = _eliminated([(factor.indices, factor.weights) for factor in left], ())
    return round(prod(float(table) for _, table in tables)) * int(prod(free.values()))


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
        return kept, np.asarray(numpy_einsum(left[1], maps[0], right[1], maps[1], maps[2]))
    factors = [array.astype("f") if array.dtype == np.bool_ else array for array in (left[1], right[1])]
    product = numpy_einsum(factors[0], maps[0], factors[1], maps[1], maps[2], optimize=True)
    return kept, np.asarray(product).astype(left[1].dtype, copy=False)


def _summed(table: _Table, keep: Collection[str]) -> _Table:
    indices, array = table
    dropped = tuple(mode for mode, name in enumerate(indices) if name not in keep)
    if not dropped:
        return table
    reduced = array.any(axis=dropped) if array.dtype == np.bool_ else array.sum(axis=dropped)
    return tuple(name for name in indices if name in keep), np.asarray(reduced)

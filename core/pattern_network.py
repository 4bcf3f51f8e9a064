"""Networks of zero patterns: products of tensors, each walked by indices.

A factor says which positions of its indices can occur together. A list of factors says that for all their indices at
once: an assignment of positions to indices is possible if every factor allows it. Eliminating an index from such a
network joins the factors that have it: for patterns that is "there is a position", for counts it is a sum over the
positions. Patterns are grids, so what is joined are ranges of an index between the cuts of all factors that have it.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from math import prod
from operator import and_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.runs import Cuts, reject_too_many
from einsum_front.core.zero_pattern import Pattern, common_cuts, grid, spread


@dataclass(frozen=True, eq=False)
class Factor:
    """A pattern with the index that walks each of its modes; no index twice."""

    indices: tuple[str, ...]
    pattern: Pattern


_LARGEST_PRODUCT = 2**16
"""Entries of a product of tables up to which choosing a way to multiply them takes longer than multiplying.

Beyond, it may be a product of matrices, for which patterns become numbers: it counts positions instead of finding one.
"""

_Table = tuple[tuple[str, ...], NDArray[Any]]


def constrained(factors: Sequence[Factor]) -> list[Factor]:
    """The factors that exclude something."""
    return [factor for factor in factors if not factor.pattern.is_full]


def exists(factors: Sequence[Factor], keep: Collection[str]) -> list[Factor]:
    """A network over the indices `keep` that allows what the given one allows for some position of the others.

    Raises `TooManyCellsError` if a pattern on the way is too large.
    """
    cuts = _common(factors)
    tables = [_on(cuts, factor) for factor in factors]
    given = {(names, id(array)): factor for (names, array), factor in zip(tables, factors, strict=True)}
    made = (
        given.get((names, id(array))) or Factor(names, grid(tuple(cuts[name] for name in names), array))
        for names, array in _eliminated(tables, keep)
    )
    return constrained(list(made))


def count(factors: Sequence[Factor]) -> int:
    """How many assignments of positions to the indices of the factors are possible; exact below 2**53.

    Raises `TooManyCellsError` if a pattern on the way is too large.
    """
    left = constrained(factors)
    cuts = _common(left)
    free = {n: size for f in factors for n, size in zip(f.indices, f.pattern.shape, strict=True) if n not in cuts}
    tables = [(names, array.astype(np.float64)) for names, array in (_on(cuts, factor) for factor in left)]
    for name, own in cuts.items():
        if len(own) <= own[-1]:  # a range of several positions counts as often
            tables.append(((name,), np.diff(own).astype(np.float64)))
    return round(prod(float(table) for _, table in _eliminated(tables, ()))) * prod(free.values())


def _common(factors: Sequence[Factor]) -> Mapping[str, Cuts]:
    """The cuts of each index, those of all factors."""
    found: dict[str, dict[Cuts, None]] = {}
    for factor in factors:
        for name, own in zip(factor.indices, factor.pattern.cuts, strict=True):
            found.setdefault(name, {})[own] = None
    return {name: common_cuts(each) for name, each in found.items()}


def _on(cuts: Mapping[str, Cuts], factor: Factor) -> _Table:
    return factor.indices, spread(factor.pattern, tuple(cuts[name] for name in factor.indices))


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
    reject_too_many(prod(extents[name] for name in kept))
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


def walked(pattern: Pattern, letters: Sequence[str]) -> Factor:
    """A pattern whose modes letters walk; those that occur twice walk a diagonal."""
    return Factor(tuple(dict.fromkeys(letters)), pattern.diagonal(letters))


def over(factor: Factor, extents: dict[str, int]) -> Pattern:
    """A pattern over some letters, which are all of its own and more."""
    modes = [factor.indices.index(letter) if letter in factor.indices else None for letter in extents]
    return factor.pattern.over(modes, tuple(extents.values()))


def contracted(factors: Sequence[Factor], result: Sequence[str]) -> Factor:
    """The pattern of a product over the letters of its result; the others are summed."""
    sizes = {n: size for each in factors for n, size in zip(each.indices, each.pattern.shape, strict=True)}
    extents = {letter: sizes[letter] for letter in result}
    left = exists(constrained(factors), tuple(result))
    return Factor(tuple(result), reduce(and_, (over(each, extents) for each in left), Pattern.full(extents.values())))

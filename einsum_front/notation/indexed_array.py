"""Arrays whose axes carry index names: what interpreting numbers and propagating zero patterns have in common.

An axis of length 1 stands for every position of its index, as in NumPy's broadcasting.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.notation.checked import Access, FixedPosition, IndexPosition

Array = NDArray[Any]

MOST_BYTES = 2**31
"""Of an array on the way: Linux ends a process that takes memory which is not there."""


@dataclass(frozen=True, slots=True)
class IndexedArray:
    """`data` with one axis for each of the distinct `names`."""

    names: tuple[str, ...]
    data: Array

    @property
    def lengths(self) -> Iterator[tuple[str, int]]:
        """The length of the axis of each name."""
        return zip(self.names, self.data.shape, strict=True)

    def spread(self, names: Sequence[str]) -> Array:
        """The data with axes in the order of `names`, which has all of its names; the others get length 1."""
        order = [self.names.index(name) for name in names if name in self.names]
        lengths = [self.data.shape[self.names.index(name)] if name in self.names else 1 for name in names]
        return self.data.transpose(order).reshape(lengths)


def view(array: Array, access: Access, leading: tuple[str, ...] = ()) -> IndexedArray:
    """The entries of an access, a view of `array`, whose first axes are `leading` and whose others are the modes."""
    selection = tuple(
        p.position if isinstance(p, FixedPosition) else slice(p.offset, p.offset + p.index.extent)
        for p in access.positions
    )
    modes = (*leading, *(p.index.name for p in access.positions if isinstance(p, IndexPosition)))
    names = tuple(dict.fromkeys(modes))
    entries = array[(slice(None),) * len(leading) + selection + (...,)]
    if len(names) == len(modes):
        return IndexedArray(names, entries)
    axes = [names.index(name) for name in modes]
    return IndexedArray(names, numpy_einsum(entries, axes, list(range(len(names)))))


Combine = Callable[[Array, Array], Array] | np.ufunc


def combine(ufunc: Combine, operands: Iterable[IndexedArray]) -> IndexedArray:
    """The operands combined entry by entry, over the union of their names; raises CompileError if that is too much."""
    arrays = list(operands)
    names = tuple(dict.fromkeys(name for array in arrays for name in array.names))
    needed = entries(*arrays) * max(array.data.dtype.itemsize for array in arrays)
    if needed > MOST_BYTES:
        message = f"the interpreter has no memory for {needed / 2**30:.1f} GiB, a product before its indices are summed"
        notes = (f"it keeps at most {MOST_BYTES // 2**30} GiB at a time; kernels need none of this",)
        raise CompileError([Diagnostic("E0516", message, notes=notes)])
    return IndexedArray(names, np.asarray(reduce(ufunc, (array.spread(names) for array in arrays))))


Join = Callable[[IndexedArray, IndexedArray, frozenset[str]], IndexedArray]
"""The product of two factors, added up over some of their names."""


def contract(join: Join, add: np.ufunc, factors: Sequence[IndexedArray], summed: Iterable[str]) -> IndexedArray:
    """The product of the factors; a summed index is added up once no later factor has it.

    The order is theirs but for one thing: of those that are left, the one whose product with what there is has the
    fewest entries comes next. `A[il] * A[jm] * A[kn] * v[lmn]` as written would have six indices on the way.
    """
    names = frozenset(summed)
    left = list(factors)
    product = left.pop(max(range(len(left)), key=lambda number: left[number].data.size))
    product = add_up(add, product, names - _names(left))
    while left:
        factor = left.pop(min(range(len(left)), key=lambda number: entries(product, left[number])))
        product = join(product, factor, names - _names(left))
    return product


def entries(*factors: IndexedArray) -> int:
    """The entries of the product of some factors."""
    lengths: dict[str, int] = {}
    for array in factors:
        for name, length in array.lengths:
            lengths[name] = max(length, lengths.get(name, 1))
    return prod(lengths.values())


def _names(factors: Iterable[IndexedArray]) -> set[str]:
    return {name for factor in factors for name in factor.names}


def add_up(add: np.ufunc, array: IndexedArray, summed: frozenset[str]) -> IndexedArray:
    """The sum over some indices; those that the array lacks do not count."""
    axes = tuple(axis for axis, name in enumerate(array.names) if name in summed)
    sums = add.reduce(array.data, axis=axes, dtype=array.data.dtype)
    return IndexedArray(tuple(name for name in array.names if name not in summed), sums)

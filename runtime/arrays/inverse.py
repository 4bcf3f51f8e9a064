"""The inverse of integers that say where elements add: for each entry of the target, what is added to it, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.scattered import axes_of
from einsum_front.runtime.arrays.layout import Layout
from einsum_front.runtime.artifact import Sums
from einsum_front.runtime.devices.errors import failure

Numbers = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Inverse:
    """To the entry `rows[r]` of the target, the entries `at[first[r]:first[r + 1]]` of the parts are added.

    Entries are those of the memory, counted from the first one on; of neighbours, the first stands for all.
    `made_of` are copies of the integers.
    """

    rows: Numbers
    first: Numbers
    at: Numbers
    made_of: tuple[Numbers, ...] = field(repr=False)

    def is_of(self, integers: tuple[Numbers, ...]) -> bool:
        """True if it is the inverse of these integers."""
        return all(map(np.array_equal, self.made_of, integers))


def inverse(sums: Sums, arrays: Mapping[str, Numbers], parts: Layout, target: Layout) -> Inverse:
    """The inverse of the integers among the arrays, for memory that lies as the layouts say.

    Raises CompileError (E0609) if there are more entries than 32 bits can count.
    """
    scatter, shape = sums.scatter, parts.array_shape
    most = max(target.span, parts.span)
    if most > np.iinfo(np.int32).max:
        message = f"{most} entries lie in memory where `{scatter.target}` is added to, more than 2^31"
        raise failure("E0609", message, ("parts of the batch can be added one after the other",))
    axes = axes_of(scatter, shape, {**arrays, scatter.target: np.empty(target.array_shape, np.bool_)})
    is_there = reduce(np.logical_and, (axis >= 0 for axis in axes))
    rows = _entry(axes, target.array_strides)
    along = np.ogrid[tuple(slice(size) for size in shape)]
    together = sorted(range(1, len(shape)), key=parts.axes.index)[: sums.walked]
    kept = tuple(slice(1) if axis in together else slice(None) for axis in range(len(shape)))
    own = [np.broadcast_to(each, shape)[kept] for each in (rows, _entry(along, parts.array_strides), is_there)]
    keys, at = (each[own[2]] for each in own[:2])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    made_of = tuple(np.array(arrays[said.tensor]) for said in scatter.integers)
    found = (keys[begins], np.append(begins, len(keys)), at[order])
    rows_of, first, added = (each.astype(np.int32) for each in found)
    return Inverse(rows_of, first, added, made_of)


def _entry(axes: Sequence[Numbers], strides: tuple[int, ...]) -> Numbers:
    """Which entry of the memory stands at these positions along the axes."""
    places = (np.asarray(axis, np.int64) * stride for axis, stride in zip(axes, strides, strict=True))
    return reduce(np.add, places, np.zeros((), np.int64))

"""Subsets of the factors of a contraction: their indices, sizes, patterns, and what it costs to join two of them.

Bit i of a mask of factors is factor i, bit `count` the result, which takes part as a factor: it says which entries are
needed. A subset and its complement share the same indices, and an entry of the subset's product counts if both allow
it. A product of A and B makes the pattern of three parts: A, B and the rest C.
"""

from collections.abc import Iterable
from math import prod

import numpy as np
from numpy.typing import NDArray

from ir.index import IndexMap
from ir.plan.pattern import Factor, constrained, count, exists
from ir.plan.problem import Problem

Masks = NDArray[np.int64]
Numbers = NDArray[np.float64]

_CHUNK = 12


class Subsets:
    """All that the search for the best order asks about subsets."""

    def __init__(self, problem: Problem) -> None:
        self.count = len(problem.factors)
        self._problem = problem
        self._names = tuple(problem.extents)
        self._parts = (*problem.factors, problem.result)
        self._whole = (1 << (self.count + 1)) - 1
        self._open = self._open_indices()
        self._is_dense = not constrained(self._parts)
        self._patterns: dict[int, tuple[Factor, ...]] = {}
        self._counts: dict[tuple[int, ...], int] = {}

    def indices(self, subset: int) -> IndexMap:
        """The indices of the tensor that a subset becomes."""
        return self._named(int(self._open[subset]))

    def sizes(self, subsets: Masks) -> Numbers:
        """The number of entries of the tensors that subsets become."""
        return self._volumes(self._open[subsets])

    def costs(self, whole: Masks, left: Masks, right: Masks) -> tuple[Numbers, Numbers, Numbers]:
        """Operations on nonzero entries, operations on boxes, and GEMM calls of the products of left and right.

        `whole` has one subset a row, `left` and `right` the parts of its splits in the columns.
        """
        result = self._open[whole][:, np.newaxis]
        operands = self._open[left], self._open[right]
        reduces = (operands[0] | operands[1]) & ~result != 0
        points = self._volumes(operands[0] | operands[1])
        executed = np.where(reduces, 2 * points, points)
        calls = np.where(reduces, self._volumes(operands[0] & operands[1] & result), 1)
        operations = self._dense(whole, points) if self._is_dense else self._counted(whole, left, right)
        return operations, executed, calls

    def _dense(self, whole: Masks, points: Numbers) -> Numbers:
        return 2 * points - self.sizes(whole)[:, np.newaxis]

    def _counted(self, whole: Masks, left: Masks, right: Masks) -> Numbers:
        splits = (
            (subset, a, b)
            for row, subset in enumerate(whole.tolist())
            for a, b in zip(left[row].tolist(), right[row].tolist(), strict=True)
        )
        operations = np.array([self.operations(*split) for split in splits], np.float64)
        return operations.reshape(left.shape)

    def entries(self, subset: int) -> int:
        """Nonzero entries of the tensor that a subset becomes."""
        return self._combinations(subset, self._whole ^ subset)

    def operations(self, subset: int, left: int, right: int) -> int:
        """Operations on nonzero entries of the product of left and right, which make the subset."""
        rest = self._whole ^ subset
        return 2 * self._combinations(left, right, rest) - self._combinations(subset, rest)

    def _combinations(self, *parts: int) -> int:
        """How many combinations of positions the patterns of all parts allow."""
        factors = [factor for part in parts for factor in self._pattern(part)]
        key = tuple(sorted(id(factor) for factor in factors))
        if key not in self._counts:
            self._counts[key] = count(factors)
        constrained_indices = {name for factor in factors for name in factor.indices}
        free = {name for part in parts for name in self._named(int(self._open[part]))} - constrained_indices
        return self._counts[key] * prod(self._problem.extents[name] for name in free)

    def _pattern(self, subset: int) -> tuple[Factor, ...]:
        """The pattern of a subset's product over its indices, as a network."""
        if subset not in self._patterns:
            highest = subset.bit_length() - 1
            lower = subset ^ (1 << highest)
            factors = constrained([self._parts[highest]])
            if lower:
                factors = [*self._pattern(lower), *factors]
            self._patterns[subset] = tuple(exists(factors, self._named(int(self._open[subset]))))
        return self._patterns[subset]

    def _open_indices(self) -> Masks:
        """For every subset the mask of the indices that it shares with its complement."""
        number = {name: position for position, name in enumerate(self._names)}
        used = np.zeros(1, np.int64)
        for part in self._parts:
            mask = sum(1 << number[name] for name in part.indices)
            used = np.concatenate((used, used | mask))
        return used & used[::-1]

    def _named(self, mask: int) -> IndexMap:
        return tuple(name for position, name in enumerate(self._names) if mask >> position & 1)

    def _volumes(self, masks: Masks) -> Numbers:
        """The product of the extents of the indices in each mask."""
        volumes = np.ones(masks.shape)
        extents = list(self._problem.extents.values())
        for start in range(0, len(extents), _CHUNK):
            table = _products(extents[start : start + _CHUNK])
            volumes *= table[(masks >> start) & (len(table) - 1)]
        return volumes


def _products(extents: Iterable[int]) -> Numbers:
    """The products of all subsets, by their masks."""
    table = np.ones(1)
    for extent in extents:
        table = np.concatenate((table, table * extent))
    return table

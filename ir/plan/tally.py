"""Counting what adding up terms takes: an operation for each entry that meets one of an earlier term."""

from collections.abc import Mapping

from ir.coefficient import Coefficient, is_sign
from ir.index import IndexMap
from ir.plan.pattern import broadcast, is_dense, nonzeros
from ir.zero_pattern import Mask


class Tally:
    """The pattern of a sum so far, over the indices of its target."""

    def __init__(self, indices: IndexMap, extents: Mapping[str, int]) -> None:
        self.extents = extents
        self._indices = indices
        self._sum: Mask | None = None

    def add(self, mask: Mask, map_: IndexMap) -> int:
        """Add a term, which may lack indices; returns the number of its entries that meet another one."""
        term = broadcast(mask, map_, self._indices, self.extents)
        if self._sum is None:
            self._sum = term
            return 0
        if is_dense(self._sum):
            return nonzeros(term)
        meeting = nonzeros(self._sum & term)
        self._sum = self._sum | term
        return meeting

    def scaling(self, coefficient: Coefficient) -> int:
        """The operations of multiplying the sum so far."""
        return 0 if self._sum is None or is_sign(coefficient) else nonzeros(self._sum)

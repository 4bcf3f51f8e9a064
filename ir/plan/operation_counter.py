"""Counting what adding up terms takes: an operation for each entry that meets one of an earlier term."""

from collections.abc import Mapping

from einsum_front.core.coefficient import Coefficient, is_sign
from einsum_front.core.extent import Extent
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import broadcast, entries, projected


class OperationCounter:
    """The pattern of a sum so far, over the indices of its target, of which the entries `needed` count."""

    def __init__(self, extents: Mapping[str, Extent], needed: Pattern) -> None:
        """`extents` are those of the indices, in the order of the modes of the target."""
        self.extents = extents
        self._indices = tuple(extents)
        self._needed = needed
        self._sum: Pattern | None = None

    def needed(self, indices: IndexMap) -> Pattern:
        """The entries that count of a sum over some of the indices."""
        return projected(self._needed, self._indices, indices)

    def add(self, pattern: Pattern, map_: IndexMap) -> Extent:
        """Add a term, which may lack indices; returns the number of its entries that meet another one."""
        term = broadcast(pattern, map_, self._indices, self.extents) & self._needed
        if self._sum is None:
            self._sum = term
            return 0
        meeting = entries(self._sum & term, tuple(self.extents.values()))
        self._sum = self._sum | term
        return meeting

    def scaling(self, coefficient: Coefficient) -> Extent:
        """The operations of multiplying the sum so far."""
        if self._sum is None or is_sign(coefficient):
            return 0
        return entries(self._sum, tuple(self.extents.values()))

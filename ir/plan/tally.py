"""Counting what adding up terms takes: an operation for each entry that meets one of an earlier term."""

from collections.abc import Mapping

from einsum_front.ir.coefficient import Coefficient, is_sign
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import both, broadcast, either, projected
from einsum_front.ir.plan.restored import Restored
from einsum_front.ir.zero_pattern import Mask


class Tally:
    """The pattern of a sum so far, over the indices of its target, of which the entries `needed` count."""

    def __init__(self, indices: IndexMap, needed: Mask, restored: Restored) -> None:
        self.extents: Mapping[str, int] = dict(zip(indices, map(restored, needed.shape), strict=True))
        self._restored = restored
        self._indices = indices
        self._needed = needed
        self._sum: Mask | None = None

    def needed(self, indices: IndexMap) -> Mask:
        """The entries that count of a sum over some of the indices."""
        return projected(self._needed, self._indices, indices)

    def add(self, mask: Mask, map_: IndexMap) -> int:
        """Add a term, which may lack indices; returns the number of its entries that meet another one."""
        term = both(broadcast(mask, map_, self._indices, self.extents), self._needed)
        if self._sum is None:
            self._sum = term
            return 0
        meeting = self._restored.entries(both(self._sum, term))
        self._sum = either(self._sum, term)
        return meeting

    def scaling(self, coefficient: Coefficient) -> int:
        """The operations of multiplying the sum so far."""
        return 0 if self._sum is None or is_sign(coefficient) else self._restored.entries(self._sum)

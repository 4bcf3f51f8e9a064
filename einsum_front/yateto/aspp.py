"""Patterns: which entries of a tensor may differ from zero."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.pattern_network import contracted, walked
from einsum_front.core.runs import Mask
from einsum_front.core.zero_pattern import Pattern


class ASpp:
    """A pattern; true where an entry may differ from zero. `entries` is what it is made of."""

    def __init__(self, mask: NDArray[np.generic] | Pattern) -> None:
        self.entries = mask if isinstance(mask, Pattern) else Pattern.of_array(np.asarray(mask))

    @property
    def shape(self) -> tuple[int, ...]:
        """One extent a mode."""
        return self.entries.shape

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return self.entries.ndim

    @property
    def size(self) -> int:
        """The number of entries, zeros included."""
        return self.entries.size

    @property
    def pattern(self) -> Mask:
        """The pattern as an array."""
        return self.as_ndarray()

    def as_ndarray(self) -> Mask:
        """The pattern as an array, not to be written to."""
        return self.entries.array()

    def count_nonzero(self) -> int:
        """The number of entries that may differ from zero."""
        return self.entries.count()

    def is_dense(self) -> bool:
        """True if no entry is known to be zero."""
        return self.entries.is_full

    def nonzero(self) -> tuple[NDArray[np.intp], ...]:
        """The positions of the entries, one array a mode, as NumPy has it."""
        if not self.shape:
            return ()
        flat = np.concatenate([np.arange(0), *(np.arange(*run) for run in self.entries.runs())])
        found = np.unravel_index(flat, self.shape, order="F")
        order = np.lexsort(found[::-1])
        return tuple(positions[order] for positions in found)

    def nnzbounds(self) -> list[tuple[int, int]]:
        """For each mode the first and the last position that has an entry; the pattern has one at least."""
        return [(start, stop - 1) for start, stop in self.entries.bounds() or ()]

    def copy(self) -> "ASpp":
        """Another pattern of the same entries."""
        return ASpp(self.entries)

    def transposed(self, permutation: Sequence[int]) -> "ASpp":
        """Mode `n` of the result is mode `permutation[n]` of this."""
        return ASpp(self.entries.transposed(permutation))

    def reshape(self, shape: Sequence[int]) -> "ASpp":
        """The same entries, the first mode fastest, in another shape."""
        return ASpp(Pattern.of_runs(self.entries.runs(), tuple(shape)))


class dense(ASpp):
    """No entry is known to be zero."""

    def __init__(self, shape: Sequence[int]) -> None:
        super().__init__(Pattern.full(shape))


class general(ASpp):
    """The entries of an array that are true or not zero."""


def add(left: ASpp, right: ASpp) -> ASpp:
    """The pattern of a sum."""
    return ASpp(left.entries | right.entries)


def einsum(description: str, left: ASpp, right: ASpp) -> ASpp:
    """The pattern of a contraction, `"ik,kj->ij"`."""
    if re.fullmatch(r"\w*,\w*->\w*", description) is None:
        raise ValueError(f"{description} not understood: it is two operands and a result, such as ik,kj->ij")
    inputs, result = description.split("->")
    factors = [walked(spp.entries, letters) for letters, spp in zip(inputs.split(","), (left, right), strict=True)]
    return ASpp(contracted(factors, result).pattern)


def array_equal(left: ASpp | None, right: ASpp | None) -> bool:
    """True if two patterns have the same shape and entries."""
    if left is None or right is None:
        return left is right
    return left.entries == right.entries

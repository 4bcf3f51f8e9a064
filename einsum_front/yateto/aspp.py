"""Patterns: which entries of a tensor may differ from zero."""

import re
from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.numpy_einsum import numpy_einsum

Mask = NDArray[np.bool_]


class ASpp:
    """A pattern; true where an entry may differ from zero. One that is true everywhere needs no memory."""

    def __init__(self, mask: NDArray[np.generic]) -> None:
        self._mask: Mask = mask.astype(np.bool_)

    @property
    def shape(self) -> tuple[int, ...]:
        """One extent a mode."""
        return self._mask.shape

    @property
    def ndim(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries, zeros included."""
        return prod(self.shape)

    @property
    def pattern(self) -> Mask:
        """The pattern as an array."""
        return self._mask

    def as_ndarray(self) -> Mask:
        """The pattern as an array."""
        return self._mask

    def count_nonzero(self) -> int:
        """The number of entries that may differ from zero."""
        return self.size if self.is_dense() else int(np.count_nonzero(self._mask))

    def is_dense(self) -> bool:
        """True if no entry is known to be zero."""
        return not any(self._mask.strides) or bool(self._mask.all())

    def nonzero(self) -> tuple[NDArray[np.intp], ...]:
        """The positions of the entries, one array a mode, as NumPy has it."""
        return self._mask.nonzero()

    def nnzbounds(self) -> list[tuple[int, int]]:
        """For each mode the first and the last position that has an entry; the pattern has one at least."""
        if self.is_dense():
            return [(0, extent - 1) for extent in self.shape]
        return [(int(positions.min()), int(positions.max())) for positions in self.nonzero()]

    def copy(self) -> "ASpp":
        """Another pattern of the same entries."""
        return ASpp(self._mask)

    def transposed(self, permutation: Sequence[int]) -> "ASpp":
        """Mode `n` of the result is mode `permutation[n]` of this."""
        return ASpp(self._mask.transpose(permutation))

    def reshape(self, shape: Sequence[int]) -> "ASpp":
        """The same entries, the first mode fastest, in another shape."""
        return ASpp(self._mask.reshape(tuple(shape), order="F"))


class dense(ASpp):
    """No entry is known to be zero."""

    def __init__(self, shape: Sequence[int]) -> None:
        self._mask = np.broadcast_to(np.True_, tuple(shape))


class general(ASpp):
    """The entries of an array that are true or not zero."""


def add(left: ASpp, right: ASpp) -> ASpp:
    """The pattern of a sum."""
    return ASpp(left.as_ndarray() | right.as_ndarray())


def einsum(description: str, left: ASpp, right: ASpp) -> ASpp:
    """The pattern of a contraction, `"ik,kj->ij"`."""
    if re.fullmatch(r"\w*,\w*->\w*", description) is None:
        raise ValueError(f"{description} not understood: it is two operands and a result, such as ik,kj->ij")
    return ASpp(numpy_einsum(description, left.as_ndarray(), right.as_ndarray()))


def array_equal(left: ASpp | None, right: ASpp | None) -> bool:
    """True if two patterns have the same shape and entries."""
    if left is None or right is None:
        return left is right
    if left.is_dense() or right.is_dense():
        return left.shape == right.shape and left.is_dense() == right.is_dense()
    return np.array_equal(left.as_ndarray(), right.as_ndarray())

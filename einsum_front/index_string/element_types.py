"""Element types of NumPy's arrays: what a call computes in, and what its operations cost.

Kernels compute in f32 and f64, batches of complex numbers by their parts. NumPy's functions have all other types;
halves are computed in f32 and rounded once.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import COMPLEX, is_bf16

Kind = np.dtype[Any]

ELEMENT_TYPES: dict[Kind, str] = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}
"""The element types of kernels."""

OBJECT = np.dtype(object)


def is_number(kind: Kind) -> bool:
    """True for what `numpy.einsum` computes with, Python's objects included, and for bf16."""
    return kind.kind in "biufcO" or is_bf16(kind)


@lru_cache(maxsize=64)
def computed_in(kind: Kind) -> Kind:
    """The type of products and sums for a result of this type: that of f32 for types of two bytes."""
    is_half = kind == np.float16 or is_bf16(kind)
    return np.dtype(np.float32) if is_half else kind.newbyteorder("=")


@lru_cache(maxsize=64)
def converted_to(kind: Kind, wanted: Kind) -> Kind:
    """What an operand of this type becomes where `wanted` is computed in: beside complex numbers, real ones stay so."""
    return COMPLEX[wanted] if wanted in COMPLEX and kind.kind != "c" else wanted


MOST_COMPLEX = 2
"""Complex operands of a kernel; of more, NumPy multiplies one pair after the other."""


def kernel_type(kinds: Sequence[Kind], result: Kind) -> str | None:
    """The type that kernels have for operands and a result of these types: `f64`, or `f64:cr` with a letter for each
    operand, complex or real, where the result is complex; None if there is no such kernel."""
    if result not in COMPLEX:
        return ELEMENT_TYPES.get(result)
    parts = "".join(["c" if kind == result else "r" for kind in kinds])
    if not 1 <= parts.count("c") <= MOST_COMPLEX:
        return None
    return f"{ELEMENT_TYPES[COMPLEX[result]]}:{parts}"


def stored_as(array: Any, kind: Kind) -> Any:
    """What was computed, in the type of the result: halves that are too large are infinite, without a word."""
    if array.dtype == kind:
        return array
    with np.errstate(over="ignore"):
        return array.astype(kind)


@dataclass(frozen=True, slots=True)
class Rates:
    """Nanoseconds of a product in `matmul`, and of one in the innermost loop of `c_einsum`.

    `has_blas`: sums and products of matrices are those of BLAS.
    """

    matmul: float
    loop: float
    has_blas: bool = False


RATES = {
    **{char: Rates(0.02, 0.25, has_blas=True) for char in "fd"},
    "F": Rates(0.07, 1.0, has_blas=True),
    "D": Rates(0.14, 1.0, has_blas=True),
    "?": Rates(0.3, 0.5),
    "g": Rates(3.2, 3.0),
    "G": Rates(6.4, 8.0),
    "O": Rates(8.0, 10.0),
}
INTEGERS = Rates(0.5, 0.25)
"""Measured with NumPy 2.4 on AMD Zen 5."""


def rates(kind: Kind) -> Rates:
    """What operations on numbers of this type cost."""
    return RATES.get(kind.char, INTEGERS)

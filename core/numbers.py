"""Numbers as the languages write them."""

import math
from typing import Any

import ml_dtypes
import numpy as np

from einsum_front.core.storage import ElementType

BF16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
"""The upper half of the bits of an f32; NumPy itself has no such type."""

BF16_EPSILON, BF16_MAX = 2.0**-7, (2 - 2.0**-7) * 2.0**127
"""From 1 to the next number, and the greatest one."""

DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
HEXADECIMAL = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
"""Patterns of a floating-point number without its sign."""


def is_floating(dtype: np.dtype[Any]) -> bool:
    """True for floating types, those that NumPy has from others too."""
    return dtype.kind == "f" or dtype == BF16


def read_float(text: str) -> float:
    """The value as `strtod` has it; infinite where no double is near."""
    if "x" not in text.lower():
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf


def fits(number: float, element: ElementType) -> bool:
    """True if a number that is finite is finite in the type."""
    with np.errstate(over="ignore"):
        return element is ElementType.F64 or bool(np.isfinite(np.float32(number)))

"""Numbers as the languages write them."""

import math

import numpy as np

from einsum_front.core.storage import ElementType

DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
HEXADECIMAL = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
"""Patterns of a floating-point number without its sign."""


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

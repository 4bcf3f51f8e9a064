"""How far the results of two levels are apart."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.numbers import in_parts, is_floating

Array = NDArray[Any]


def largest_error(results: Mapping[str, Array], expected: Mapping[str, Array]) -> float:
    """The largest difference of an entry over the largest finite entry of its tensor.

    NaN and infinities differ from all but themselves; entries beside them are compared like any others.
    """
    return max((_error(results[name], expected[name]) for name in expected), default=0.0)


def _error(result: Array, expected: Array) -> float:
    if result.size == 0 or np.array_equal(result, expected, equal_nan=is_floating(in_parts(result).dtype)):
        return 0.0
    result, expected = in_parts(result), in_parts(expected)
    if not is_floating(result.dtype):
        difference = np.abs(result.astype(float) - expected.astype(float)).max()
        return max(float(difference), 1.0)  # large integers that differ are one number of f64
    found, right = result.astype(float), expected.astype(float)
    finite = np.isfinite(right)
    if not np.array_equal(np.isfinite(found), finite):
        return float("inf")
    if not np.array_equal(found[~finite], right[~finite], equal_nan=True):
        return float("inf")
    difference = np.abs(found[finite] - right[finite]).max(initial=0.0)
    scale = np.abs(right[finite]).max(initial=0.0)
    return float(difference / scale) if scale > 0 else float(difference)

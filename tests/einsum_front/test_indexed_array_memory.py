"""The interpreter says what it cannot hold before the system ends the process."""

import numpy as np
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.notation.indexed_array import IndexedArray, combine


def test_a_product_that_no_memory_holds_is_an_error() -> None:
    """8 GiB of three small operands, of which nothing is summed before."""
    operands = [IndexedArray((name,), np.ones(1024)) for name in "ijk"]
    with pytest.raises(CompileError, match=r"error\[E0516\]: the interpreter has no memory for 8\.0 GiB"):
        combine(np.multiply, operands)
    assert combine(np.multiply, operands[:2]).data.shape == (1024, 1024)

"""Index strings on lazy arrays of autoray: a node of its graph, computed by `ef.einsum` when autoray computes it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from einsum_front.index_string.program import read_terms


def is_lazy(operand: object) -> bool:
    """True for autoray's lazy arrays, which have a shape and no entries yet."""
    return type(operand).__module__.startswith("autoray.lazy")


def einsum_on_lazy(
    einsum: Callable[..., object], subscripts: str, operands: Sequence[Any], keywords: dict[str, object]
) -> Any:
    """The contraction as a lazy array; raises `CompileError` if the string does not fit the operands.

    Its backend, which computes what autoray is asked of it later, is that of variables before that of constants.
    """
    _, output, extents = read_terms(subscripts, tuple([tuple(np.shape(operand)) for operand in operands]))
    lazy = [operand for operand in operands if is_lazy(operand)]
    shape = tuple([extents[name] for name in output])
    first = next((each for each in lazy if each.backend != "numpy"), lazy[0])
    return first.to(einsum, args=(subscripts, *operands), kwargs=keywords, shape=shape, deps=tuple(lazy))

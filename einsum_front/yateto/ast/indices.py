"""Index lists."""

from einsum_front.yateto.indices import Indices
from einsum_front.yateto.memory import Range

__all__ = ["Indices", "Range"]

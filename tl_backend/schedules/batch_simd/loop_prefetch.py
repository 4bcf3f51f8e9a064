"""Prefetches of a loop: in each of its iterations it asks for the memory of elements that come later."""

from collections.abc import Callable

from einsum_front.tl_backend.kernel import tree

LoopPrefetch = Callable[[tree.Expression], tree.Statements]
"""Statements for the iteration with a counter."""


def no_prefetch(_counter: tree.Expression) -> tree.Statements:
    """Nothing: the loop prefetches no memory."""
    return ()

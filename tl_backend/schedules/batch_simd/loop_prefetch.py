"""Prefetches of a loop: in each of its iterations it asks for the memory of elements that come later."""

from collections.abc import Callable

from einsum_front.tl_backend.kernel.tree import Expression, Statements

LoopPrefetch = Callable[[Expression], Statements]
"""Statements for the iteration with a counter."""


def no_prefetch(_counter: Expression) -> Statements:
    """Nothing: the loop prefetches no memory."""
    return ()

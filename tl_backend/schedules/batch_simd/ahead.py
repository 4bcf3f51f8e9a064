"""What a loop does besides, in each of its iterations: it asks for the memory of elements that come later."""

from collections.abc import Callable

from einsum_front.tl_backend.kernel.tree import Expression, Statements

Ahead = Callable[[Expression], Statements]
"""What else a loop does in the iteration with a counter."""


def nothing(_counter: Expression) -> Statements:
    """What a loop does ahead that does nothing."""
    return ()

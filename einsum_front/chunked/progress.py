"""A bar on the standard error for runs that take long, if it is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

from einsum_front.chunked.options import Progress
from einsum_front.core.terminal import sign_of_life

BAR = 40
"""Characters of a bar that is full."""


@contextmanager
def bar(wanted: Progress, name: str, batch: int) -> Iterator[Callable[[int, int], None] | None]:
    """What is told of each finished chunk: elements that are done, and all."""
    if callable(wanted):
        yield wanted
    elif not wanted:
        yield None
    else:
        began = monotonic()

        def tell(done: int, _all: int) -> None:
            left = (monotonic() - began) / done * (batch - done)
            sign.show(
                f"{name} {'━' * (BAR * done // batch):{BAR}} {done}/{batch}, {timedelta(seconds=round(left))} left"
            )

        with sign_of_life(name) as sign:
            yield tell

"""A bar on the standard error for runs that take long, if it is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from einsum_front.chunked.options import Progress


@contextmanager
def bar(wanted: Progress, name: str, batch: int) -> Iterator[Callable[[int, int], None] | None]:
    """What is told of each finished chunk: elements that are done, and all."""
    if callable(wanted):
        yield wanted
    elif not wanted:
        yield None
    else:
        from rich.console import Console  # noqa: PLC0415 - as below
        from rich.progress import (  # noqa: PLC0415 - takes longer to load than most calls
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(stderr=True)
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=console, disable=not console.is_terminal) as shown:
            task = shown.add_task(name, total=batch)
            yield lambda done, _all: shown.update(task, completed=done)

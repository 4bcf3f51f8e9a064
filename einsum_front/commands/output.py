"""Where commands print: plain lines in a pipe or a file, styles and a sign of life on a terminal."""

from rich.console import Console


class Output(Console):
    """The standard output; a reader that has gone is left to `cli.main`."""

    def __init__(self) -> None:
        super().__init__(highlight=False, soft_wrap=True, emoji=False)

    def on_broken_pipe(self) -> None:
        """Rich would end the process here."""
        raise BrokenPipeError


def duration(seconds: float) -> str:
    """A time with three digits that count, in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds * 1e9)} ns"


def _three_digits(number: float) -> str:
    return f"{number:.2f}" if number < 9.995 else f"{number:.1f}" if number < 99.95 else f"{number:.0f}"

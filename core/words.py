"""Small things that messages say."""

from collections.abc import Iterable

from einsum_front.core.limits import LONGEST_NUMBER


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 mode`, `2 modes`; `plural` for a noun that does not just add an s."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; there is at least one."""
    *head, last = words
    return f"{', '.join(head)} {conjunction} {last}" if head else last


def quoted(names: Iterable[str]) -> str:
    """`a`, `b` and `c` in backquotes; nothing for none."""
    words = [f"`{name}`" for name in names]
    return listed(words) if words else ""


def natural(text: str) -> int | None:
    """The number from 0 on that decimal digits spell; None for other texts, and for more digits than numbers have."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def kind_of(value: object) -> str:
    """Kind of a value, with its article: `an int`, `a Tensor`, `None`."""
    name = type(value).__name__
    sounds_open = name.casefold().startswith(("a", "e", "i", "o", "nd"))
    return "None" if value is None else f"{'an' if sounds_open else 'a'} {name}"


def duration(seconds: float) -> str:
    """A time with three digits that count, in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds * 1e9)} ns"


def _three_digits(number: float) -> str:
    return f"{number:.2f}" if number < 9.995 else f"{number:.1f}" if number < 99.95 else f"{number:.0f}"

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

"""Small things that messages say."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 mode`, `2 modes`; `plural` for a noun that does not just add an s."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"

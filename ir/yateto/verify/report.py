"""How the verifier says what is wrong: a diagnostic with labels where the nodes know their place."""

from collections.abc import Iterable

from einsum_front.diagnostics import Diagnostic, Label, Origin


def mistake(
    code: str,
    message: str,
    place: Origin,
    text: str = "",
    *,
    also: Iterable[tuple[Origin, str]] = (),
    notes: tuple[str, ...] = (),
    helps: tuple[str, ...] = (),
) -> Diagnostic:
    """The diagnostic with `place` underlined and `also` beside it; no labels if the program was not read."""
    places = ((place, text), *also) if place else ()
    labels = tuple(Label(origin[0], words) for origin, words in places if origin)
    return Diagnostic(code, message, labels, notes, helps)


def listed(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last


def counted(number: int, noun: str) -> str:
    """`1 mode`, `2 modes`; indices are counted as such."""
    if noun == "index":
        return f"{number} {'index' if number == 1 else 'indices'}"
    return f"{number} {noun}{'' if number == 1 else 's'}"

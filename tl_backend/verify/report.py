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


def count(number: int, noun: str) -> str:
    """`1 value`, `2 values`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

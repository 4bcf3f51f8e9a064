"""Errors as values: what is wrong, where, why, and what would be right."""

from collections.abc import Iterable

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics.source import Origin, Span


@dataclass(frozen=True, slots=True)
class Label:
    """A place with a few words under it; the first label of a diagnostic is the place of the error itself."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake: a code of `diagnostics.codes`, one sentence, the places, the reasons and the ways out.

    `labels[0]` is underlined with `^` and named in the header, the others with `-`. An error without a place in a text
    (an argument of a launch) has no labels. `notes` say why; `helps` propose a change that is known to check.
    """

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()


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
    """A mistake in a node: `place` is underlined, with `also` beside it. A node that no text has gets no labels."""
    places = ((place, text), *also) if place else ()
    labels = tuple(Label(origin[0], words) for origin, words in places if origin)
    return Diagnostic(code, message, labels, notes, helps)


def by_place(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """In the order of the text; what has no place comes first."""
    return tuple(sorted(found, key=lambda each: each.labels[0].span.start if each.labels else 0))

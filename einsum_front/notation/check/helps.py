"""Ways out of a mistake in a statement: each is tried, and offered only if the changed statement has no mistake."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from itertools import combinations, islice

from einsum_front.core.diagnostics import CompileError, Diagnostic, Span
from einsum_front.notation import syntax
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.references import changed_statement, references
from einsum_front.notation.unparse import unparse_expression, unparse_statement

Accepts = Callable[[syntax.Assignment], object]
"""Checks a statement; raises `CompileError` if it has a mistake."""

Proposal = tuple[str, syntax.Assignment]
"""The words of a help, and the statement that it proposes."""


MOST_NAMES = 8
"""So many declared names are listed for one that is not; the others are less like it."""


def with_helps(error: CompileError, statement: syntax.Assignment, scope: Scope, accepts: Accepts) -> CompileError:
    """The same error; where a small change makes the statement right, it says so."""
    return CompileError(_with_help(diagnostic, statement, scope, accepts) for diagnostic in error.diagnostics)


def _with_help(diagnostic: Diagnostic, statement: syntax.Assignment, scope: Scope, accepts: Accepts) -> Diagnostic:
    if not diagnostic.labels:
        return diagnostic
    ways = _proposals(diagnostic, statement, scope)
    helps = [words for way in ways for words in islice(_accepted(way, accepts), 1)]
    notes = _declared(diagnostic, statement, scope) if not helps else ()
    return replace(diagnostic, notes=(*diagnostic.notes, *notes), helps=(*diagnostic.helps, *helps))


def _accepted(proposals: Iterator[Proposal], accepts: Accepts) -> Iterator[str]:
    """The words of those that are right."""
    for words, proposed in proposals:
        with suppress(CompileError):
            accepts(proposed)
            yield words


def _declared(diagnostic: Diagnostic, statement: syntax.Assignment, scope: Scope) -> tuple[str, ...]:
    """Declared names instead of one that is not, if no change of its letters is right."""
    if diagnostic.code != "E0201" or diagnostic.notes:
        return ()
    names = [*scope.tensors, *scope.scalars]
    what = "the tensors and scalars known here are"
    for unknown in _references_at([diagnostic.labels[0].span], statement):
        if len(names) > MOST_NAMES:
            what = f"of {len(names)} tensors and scalars known here, the nearest are"
            names = get_close_matches(unknown.name, names, MOST_NAMES, cutoff=0)
        return (f"{what} {', '.join(f'`{name}`' for name in names)}",) if names else ()
    return ()


def _proposals(diagnostic: Diagnostic, statement: syntax.Assignment, scope: Scope) -> tuple[Iterator[Proposal], ...]:
    """Names that may be meant; of each kind the first that is right is offered."""
    match diagnostic.code:
        case "E0201":
            return (_other_names(diagnostic.labels[0].span, statement, scope),)
        case "E0202":
            return (_joined_letters(diagnostic.labels[0].span, statement),)
        case "E0204":
            return _misspelt_indices(statement), _repeated(statement)
        case "E0203":
            fit = "both fit" if len(diagnostic.notes) == 1 else "all fit" if diagnostic.notes else "it fits"
            return (_swapped_modes(fit, [label.span for label in diagnostic.labels], statement),)
        case _:  # open: most errors have no help
            return ()


def _other_names(place: Span, statement: syntax.Assignment, scope: Scope) -> Iterator[Proposal]:
    """A declared name that is spelled much alike, and a member of a family that is called as its argument is."""
    for unknown in _references_at([place], statement):
        other_case = [name for name in scope.names() if name.casefold() == unknown.name.casefold()]
        near = [replace(unknown, name=name) for name in (*other_case, *get_close_matches(unknown.name, scope.names()))]
        for meant in (*_members(unknown, scope), *near):
            words = f"`{meant.name}` is declared and would fit: `{unparse_expression(meant)}`"
            yield words, _with_replaced(statement, unknown, meant)


def _members(unknown: syntax.Reference, scope: Scope) -> Iterator[syntax.Reference]:
    """`K_1`, the argument of a kernel, is `K{1}` in the notation."""
    parts = unknown.name.split("_")
    for end in range(1, len(parts)):
        family, numbers = "_".join(parts[:end]), parts[end:]
        if family in scope.names() and not unknown.members and all(map(str.isdecimal, numbers)):
            yield replace(unknown, name=family, members=tuple(map(syntax.Literal, numbers)))


def _joined_letters(place: Span, statement: syntax.Assignment) -> Iterator[Proposal]:
    """An index with a long name that was read as one index a letter, wherever the statement has it."""
    for name in map(_letters, _references_at([place], statement)):
        if name is not None and len(name) > 1:
            proposed = changed_statement(statement, partial(_joined, name))
            yield f"without a comma each letter is an index; `[{name},]` is the index `{name}`", proposed


def _joined(letters: str, reference: syntax.Reference) -> syntax.Reference:
    spells_them = _letters(reference) == letters
    return replace(reference, positions=(syntax.RunningIndex(letters),)) if spells_them else reference


def _swapped_modes(fit: str, places: list[Span], statement: syntax.Assignment) -> Iterator[Proposal]:
    """Two modes of a tensor swapped, of those that the error names first."""
    for reference in _references_at(places, statement):
        positions = list(reference.positions or ())
        for one, other in combinations(range(len(positions)), 2):
            swapped = list(positions)
            swapped[one], swapped[other] = positions[other], positions[one]
            proposed = _with_replaced(statement, reference, replace(reference, positions=tuple(swapped)))
            modes = "the modes" if len(positions) == 2 else f"modes {one} and {other}"
            name = unparse_expression(replace(reference, positions=None))
            yield f"{fit} if {modes} of `{name}` are swapped: `{unparse_statement(proposed)}`", proposed


def _misspelt_indices(statement: syntax.Assignment) -> Iterator[Proposal]:
    """Another index, which only one place of the right-hand side has, is meant to be one that no term has."""
    found = [(reference, name) for reference in references(statement.value) for name in _running(reference.positions)]
    count = Counter(name for _, name in found)
    targets = dict.fromkeys(_running(statement.target.positions))
    for lacking in (name for name in targets if name not in count):
        for reference, name in reversed(found):
            if count[name] == 1 and name not in targets:
                meant = replace(reference, positions=_renamed(reference.positions, name, lacking))
                words = f"did you mean `{unparse_expression(meant)}`?"
                yield words, _with_replaced(statement, reference, meant)


def _renamed(positions: tuple[syntax.Position, ...] | None, old: str, new: str) -> tuple[syntax.Position, ...]:
    return tuple(
        replace(each, name=new) if isinstance(each, syntax.RunningIndex) and each.name == old else each
        for each in positions or ()
    )


def _repeated(statement: syntax.Assignment) -> Iterator[Proposal]:
    """The value times ones with all indices of the left-hand side that no term has."""
    value = statement.value
    first, rest = (value.first, value.rest) if isinstance(value, syntax.Product) else (value, ())
    had = [name for reference in references(value) for name in _running(reference.positions)]
    had += [name for _, factor in rest if isinstance(factor, syntax.Ones) for name in _running(factor.positions)]
    lacking = [name for name in dict.fromkeys(_running(statement.target.positions)) if name not in had]
    ones = syntax.Ones(tuple(map(syntax.RunningIndex, lacking)))
    proposed = replace(statement, value=syntax.Product(first, (*rest, (syntax.FactorOperator.MUL, ones))))
    along = " and ".join(f"`{name}`" for name in lacking)
    yield f"ones repeat it along {along}: `{unparse_statement(proposed)}`", proposed


def _running(positions: tuple[syntax.Position, ...] | None) -> list[str]:
    """The names of the indices in an index list."""
    return [position.name for position in positions or () if isinstance(position, syntax.RunningIndex)]


def _references_at(places: list[Span], statement: syntax.Assignment) -> list[syntax.Reference]:
    """The references of a statement in which the places lie, in the order of the places."""
    found = (statement.target, *references(statement.value))
    return [
        reference
        for place in places
        for reference in found
        if any(span.start <= place.start and place.end <= span.end for span in reference.origin)
    ]


def _with_replaced(statement: syntax.Assignment, old: syntax.Reference, new: syntax.Reference) -> syntax.Assignment:
    return changed_statement(statement, lambda reference: new if reference is old else reference)


def _letters(reference: syntax.Reference) -> str | None:
    """The one-letter indices of a reference as a word; None if it has others."""
    letters = ""
    for position in reference.positions or ():
        if not isinstance(position, syntax.RunningIndex) or position.within is not None or len(position.name) > 1:
            return None
        letters += position.name
    return letters

"""How the checker goes on after a mistake: each is raised where it is found, and collected where work can go on."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin
from einsum_front.core.words import counted

Item = TypeVar("Item")
Result = TypeVar("Result")
First = TypeVar("First")
Second = TypeVar("Second")


def mistake(
    code: str,
    message: str,
    *places: tuple[Origin, str],
    notes: tuple[str, ...] = (),
    helps: tuple[str, ...] = (),
) -> CompileError:
    """One mistake, to be raised; a place is where a node came from, with the words under it."""
    labels = tuple(Label(span, text) for origin, text in places for span in origin[:1])
    return CompileError([Diagnostic(code, message, labels, notes, helps)])


def already_reported() -> CompileError:
    """Stops the work on something whose cause was found elsewhere: one cause, one error."""
    return CompileError(())


class Mistakes:
    """Mistakes found so far; work that stopped for a mistake reported elsewhere has failed and adds nothing."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._has_failed = False

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Run the block up to its first `CompileError`, and keep what that says."""
        try:
            yield
        except CompileError as error:
            self.found += error.diagnostics
            self._has_failed = True

    def raise_found(self, *, is_all: bool = False) -> None:
        """Raise everything in the order of the text, each cause once; return if all went well.

        If that is all of the text, what is wrong with a name is told once.
        """
        if self._has_failed:
            found = in_order_of_text(self.found)
            raise CompileError(_names_once(found) if is_all else found)


def gather(function: Callable[[Item], Result], items: Iterable[Item]) -> tuple[Result, ...]:
    """The function's value for each item; the mistakes in all of them are raised together."""
    results: list[Result] = []
    errors: list[CompileError] = []
    for item in items:
        try:
            results.append(function(item))
        except CompileError as error:
            errors.append(error)
    if errors:
        raise CompileError(diagnostic for error in errors for diagnostic in error.diagnostics)
    return tuple(results)


def both(first: Callable[[], First], second: Callable[[], Second]) -> tuple[First, Second]:
    """Two values; the mistakes in both are raised together."""
    try:
        value = first()
    except CompileError as error:
        later = Mistakes()
        with later.collect():
            second()
        raise CompileError((*error.diagnostics, *later.found)) from None
    return value, second()


def in_order_of_text(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sorted by place, what has no place first; of several with one code at one place, the first."""
    distinct: dict[tuple[str, int, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        told_apart_by = "" if diagnostic.labels else diagnostic.message
        distinct.setdefault((diagnostic.code, _offset(diagnostic), told_apart_by), diagnostic)
    return sorted(distinct.values(), key=_offset)


_ABOUT_NAMES = ("E0201", "E0219")
"""Mistakes whose cause is often a name: a wrong declaration shows wherever it is used."""


def _names_once(diagnostics: list[Diagnostic]) -> Iterator[Diagnostic]:
    """Mistakes in a name, reported where it stands first, with the number of the other places."""
    places: dict[tuple[str, str], list[Diagnostic]] = {}
    for each in diagnostics:
        places.setdefault((each.code, each.message), []).append(each)
    for each in diagnostics:
        same = places[each.code, each.message]
        if each.code not in _ABOUT_NAMES or len(same) == 1:
            yield each
        elif each is same[0]:
            last = same[-1].labels[0].span
            line, _ = last.source.position(last.start)
            note = f"the same is wrong in {counted(len(same) - 1, 'further place')}, the last in line {line}"
            yield replace(each, notes=(*each.notes, note))


def _offset(diagnostic: Diagnostic) -> int:
    return diagnostic.labels[0].span.start if diagnostic.labels else -1

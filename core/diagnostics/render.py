"""Diagnostics as text: the lines of the source with carets under the places."""

import re
from collections.abc import Iterable
from dataclasses import replace

from einsum_front.core.diagnostics.diagnostic import Diagnostic, Label
from einsum_front.core.words import listed

_VISIBLE = {code: 0x2400 + code for code in range(32)} | {127: "␡"}
"""Control characters, which a terminal would obey, as the pictures that Unicode has of them, one column each."""

LONGEST_LINE = 200
"""Columns of a source line that is shown whole; written-out patterns and generated text have longer ones."""
SURROUNDINGS = 60
"""Columns of a longer line that are shown before and behind its labels."""


def render(diagnostic: Diagnostic) -> str:
    """The text of one diagnostic: header, place, source lines with carets, notes and helps."""
    lines = [f"error[{diagnostic.code}]: {diagnostic.message.translate(_VISIBLE)}"]
    gutter = " "
    if diagnostic.labels:
        gutter = " " * max(len(str(_line_of(label))) for label in diagnostic.labels)
        lines += _snippet(diagnostic.labels, gutter)
    trailer = [f"{gutter} = note: {note}" for note in diagnostic.notes]
    trailer += [f"{gutter} = help: {text}" for text in diagnostic.helps]
    if trailer and diagnostic.labels:
        lines.append(f"{gutter} |")
    return "\n".join(lines + trailer)


def render_all(diagnostics: Iterable[Diagnostic]) -> str:
    """Several diagnostics, an empty line between them; arguments that are wrong in the same way are named in one."""
    return "\n\n".join(render(diagnostic) for diagnostic in _together(diagnostics))


_SUBJECT = re.compile(r"(argument|operand) (`\w+`|\d+) (has|is) (.*)")
_PLURAL = {"has": "have", "is": "are"}


def _together(diagnostics: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """One diagnostic for those that say the same of several arguments, and begin with the same note."""
    groups: dict[object, list[Diagnostic]] = {}
    for each in diagnostics:
        subject = _SUBJECT.fullmatch(each.message)
        is_shared = subject is not None and each.notes and not each.labels and not each.helps
        key = (each.code, *subject.group(1, 3, 4), each.notes[0]) if subject and is_shared else object()
        groups.setdefault(key, []).append(each)
    return [group[0] if len(group) == 1 else _of_all(group) for group in groups.values()]


def _of_all(group: list[Diagnostic]) -> Diagnostic:
    subjects = [subject for each in group if (subject := _SUBJECT.fullmatch(each.message))]
    kind, verb, rest = subjects[0].group(1, 3, 4)
    message = f"{kind}s {listed(subject[2] for subject in subjects)} {_PLURAL[verb]} {rest}"
    return replace(group[0], message=message, notes=tuple(dict.fromkeys(note for each in group for note in each.notes)))


def _line_of(label: Label) -> int:
    return label.span.source.position(label.span.start)[0]


def _snippet(labels: tuple[Label, ...], gutter: str) -> list[str]:
    first = labels[0].span
    line, column = first.source.position(first.start)
    lines = [f"{gutter}--> {first.source.name}:{line}:{column}"]
    files = dict.fromkeys(label.span.source for label in labels)
    for source in files:
        if source != first.source:
            lines.append(f"{gutter}::: {source.name}")
        lines += _source_lines([label for label in labels if label.span.source == source], labels[0], gutter)
    return lines


def _source_lines(labels: list[Label], primary: Label, gutter: str) -> list[str]:
    lines = [f"{gutter} |"]
    previous = None
    for number in sorted({_line_of(label) for label in labels}):
        if previous is not None and number > previous + 1:
            lines.append(f"{gutter}...")
        here = [label for label in labels if _line_of(label) == number]
        text, dropped = _window(labels[0].span.source.line(number).replace("\t", " ").translate(_VISIBLE), here)
        lines.append(f"{number:>{len(gutter)}} | {text}")
        lines += [f"{gutter} | {mark}".rstrip() for mark in _marks(here, primary, text, dropped)]
        previous = number
    return lines


def _window(text: str, labels: list[Label]) -> tuple[str, int]:
    """The part of a long line that surrounds its labels, with dots where it was cut; and how many columns it lacks."""
    if len(text) <= LONGEST_LINE:
        return text, 0
    columns = [_column(label) for label in labels]
    start = max(0, min(columns) - SURROUNDINGS)
    stop = min(len(text), max(start + LONGEST_LINE, max(columns) + SURROUNDINGS))
    before, after = ("…" if start > 0 else ""), ("…" if stop < len(text) else "")
    return before + text[start:stop] + after, start - len(before)


def _marks(labels: list[Label], primary: Label, text: str, dropped: int) -> list[str]:
    """The lines under one source line: carets with the rightmost label's words, then the words of the others."""
    placed = sorted(((_column(label) - dropped, label) for label in labels), key=lambda pair: pair[0])
    carets = ""
    for column, label in placed:
        width = max(1, min(_width(label), len(text) - column))
        carets = carets.ljust(column)[:column] + ("^" if label is primary else "-") * width
    last = placed[-1][1]
    marks = [f"{carets} {last.text}".rstrip()]
    rest = [(column, label) for column, label in placed[:-1] if label.text]
    if rest:
        marks.append(_bars([column for column, _ in rest]))
    while rest:
        column, label = rest.pop()
        marks.append(_bars([c for c, _ in rest]).ljust(column) + label.text)
    return marks


def _bars(columns: list[int]) -> str:
    line = ""
    for column in columns:
        line = line.ljust(column)[:column] + "|"
    return line


def _column(label: Label) -> int:
    """Columns before the place."""
    return label.span.source.position(label.span.start)[1] - 1


def _width(label: Label) -> int:
    """Columns to underline: a span that runs over several lines is underlined to the end of its first."""
    source = label.span.source
    line, column = source.position(label.span.start)
    return max(1, min(label.span.end - label.span.start, len(source.line(line)) - column + 1))

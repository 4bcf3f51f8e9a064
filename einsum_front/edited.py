"""OpenCL C that a user has edited, in the place of what was generated."""

import re
from collections.abc import Iterator
from dataclasses import replace

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.runtime.artifact import Artifact

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
ATTRIBUTES = re.compile(r"\S(?:.*\S)?", re.DOTALL)
PARAMETER = re.compile(r"[^\s,][^,]*(?<!\s)")
SPACE = re.compile(r"\s+")


def with_source(artifact: Artifact, edited: Source, name: str) -> Artifact:
    """The kernel with another body, and so its prologue; names, parameters and sizes of work-groups are as they were.

    `name` is that of the file that has what was generated: a kernel that is called as a function of OpenCL has another.
    Raises `CompileError` (E0498) if they are not. What a work-group does cannot be checked here.
    """
    for entry in artifact.entries:
        _check(entry, artifact, edited, name)
    prologue = None if artifact.prologue is None else with_source(artifact.prologue, edited, name)
    return replace(artifact, source=edited.text, prologue=prologue)


def _check(entry: str, artifact: Artifact, edited: Source, name: str) -> None:
    """Raises `CompileError` (E0498) if the launch of a function does not fit any more."""
    expected = [words for words, _ in _head(entry, Source("generated", artifact.source))]
    found = list(_head(entry, edited))
    notes = (f"`run --dump-to DIR` writes `{name}.cl`, whose body can be edited",)
    if not found:
        message = f"`{edited.name}` has no kernel `{entry}`"
        raise CompileError([Diagnostic("E0498", message, notes=notes)])
    for number in range(max(len(expected), len(found))):
        words, span = found[number] if number < len(found) else (None, found[-1][1])
        if expected[number : number + 1] != [words]:
            label = _label(expected, number)
            message = f"the launch of `{entry}` does not fit this kernel"
            raise CompileError([Diagnostic("E0498", message, (Label(span, label),), notes)])


def _label(expected: list[str], number: int) -> str:
    if number >= len(expected):
        return "nothing more is passed"
    return f"`{expected[number]}` is {'needed' if expected[number].startswith('__attribute__') else 'passed'}"


def _head(entry: str, source: Source) -> Iterator[tuple[str, Span]]:
    """Facts that the host relies on: the attributes of the kernel, then each parameter; comments do not count."""
    text = COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    head = re.search(rf"\b(?:__)?kernel\b([^;{{}}]*?)\bvoid\s+{re.escape(entry)}\s*\(([^{{]*)\)\s*\{{", text)
    if head is not None:
        for group, pattern in ((1, ATTRIBUTES), (2, PARAMETER)):
            for part in pattern.finditer(text, *head.span(group)):
                yield SPACE.sub(" ", part[0]), Span(source, *part.span())

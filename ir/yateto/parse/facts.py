"""Facts: structured comments above a function, read into nodes.

    ;! modes %Q 1 0                mode i of the memref is mode 1, 0, … of the user's tensor
    ;! nonzeros %K 0:5 7 9:12      entries that may differ from zero; the next line can continue the list

They are written as in the tensor language. A comment whose first word is no fact is a comment.
"""

import re
from collections.abc import Iterable

from diagnostics import CompileError, Diagnostic, Label, Source, Span
from ir.yateto.nodes import Fact, Modes, Nonzeros

WORD = re.compile(r"[^ \t\r]+")
ARGUMENT = re.compile(r"%([0-9]+|[A-Za-z][A-Za-z0-9_]*)")
RUN = re.compile(r"([0-9]{1,18})(?::([0-9]{1,18}))?")
MODE = re.compile(r"[0-9]{1,9}")


def read_facts(source: Source, comments: Iterable[Span]) -> tuple[tuple[Fact, ...], list[Diagnostic]]:
    """The facts in the comments above a function, and what is wrong with them."""
    facts: list[Fact] = []
    mistakes: list[Diagnostic] = []
    for comment in comments:
        words = [Span(source, *word.span()) for word in WORD.finditer(source.text, comment.start + 2, comment.end)]
        try:
            facts[-1:] = _continued(facts[-1:], _read(words[0], words[1:]))
        except CompileError as error:
            mistakes += error.diagnostics
    return tuple(facts), mistakes


def _read(keyword: Span, words: list[Span]) -> Fact:
    if not words:
        raise _malformed(keyword, f"`;! {keyword.text}` lacks the argument that it is about")
    name = ARGUMENT.fullmatch(words[0].text)
    if name is None:
        raise _malformed(words[0], f"expected an argument such as `%A`, found `{words[0].text}`")
    origin = (keyword.to(words[-1]),)
    if keyword.text == "modes":
        return Modes(name[1], tuple(_read_mode(word) for word in words[1:]), origin)
    return Nonzeros(name[1], tuple(_read_run(word) for word in words[1:]), origin)


def _read_mode(word: Span) -> int:
    if not MODE.fullmatch(word.text):
        raise _malformed(word, f"expected the number of a mode, found `{word.text}`")
    return int(word.text)


def _read_run(word: Span) -> tuple[int, int]:
    match = RUN.fullmatch(word.text)
    if match is None:
        raise _malformed(word, f"expected a position or a run such as `3:7`, found `{word.text}`")
    start = int(match[1])
    return start, start + 1 if match[2] is None else int(match[2])


def _continued(last: list[Fact], fact: Fact) -> list[Fact]:
    """The last fact and the next one: a list of nonzeros that goes on in the next line becomes one."""
    if last and isinstance(last[0], Nonzeros) and isinstance(fact, Nonzeros) and last[0].argument == fact.argument:
        return [Nonzeros(fact.argument, last[0].runs + fact.runs, last[0].origin + fact.origin)]
    return [*last, fact]


def _malformed(span: Span, message: str) -> CompileError:
    return CompileError([Diagnostic("E0464", message, (Label(span),))])

"""Facts: structured comments above a function, read into nodes.

    ;! batched %Q                  one element for each work-group, counted by the last mode
    ;! modes %Q 1 0                mode i of the memref is mode 1, 0, … of the user's tensor
    ;! nonzeros %K 0:5 7 9:12      entries that may differ from zero; the next line can continue the list
    ;! values %K 0.5 2.0 7:-1.0    the numbers of entries 0, 1 and 7, the others are zero; the next line can continue
    ;! sizes %X n _ 2*n+1          what sizes that only the launch knows are called, `_` for all others
    ;! limit n 4:65 56             the size n is from 4, included, to 65, excluded, thought to be 56; `4:`: from 4 on
    ;! prologue @f_prologue        the function of the text that runs before each launch (see `prologues`)

The comment lines and empty lines above `func` are searched. A line whose first word is no fact is a comment,
unless it is almost one.
"""

import math
import re
from collections.abc import Iterator
from difflib import get_close_matches

from einsum_front.diagnostics import CompileError, Diagnostic, Label, Origin, Source, Span
from einsum_front.tl_backend.parse.tokens import read_float
from einsum_front.tl_backend.program import Batched, Fact, Limit, Modes, Nonzeros, Sizes, Values

PROLOGUE = "prologue"
FACTS = ("batched", "modes", "nonzeros", "values", "sizes", "limit", PROLOGUE)
FACT = re.compile(rf"[ \t]*;![ \t]*({'|'.join(FACTS)})(?![^ \t\r;])([^;]*)")
LIKE_A_FACT = re.compile(r"[ \t]*;![ \t]*([A-Za-z_]+)(?=[ \t]+[%@])([^;]*)")
SIZE = re.compile(r"_|[A-Za-z0-9_*/+-]*[A-Za-z][A-Za-z0-9_*/+-]*")
LIMIT = re.compile(r"([A-Za-z][A-Za-z0-9_]*) ([0-9]{1,18}):([0-9]{1,18})?(?: ([0-9]{1,18}))?")
WORD = re.compile(r"[^ \t\r]+")
ARGUMENT = re.compile(r"%([0-9]+|[A-Za-z][A-Za-z0-9_]*)")
NUMBER = re.compile(r"[0-9]{1,18}")
RUN = re.compile(r"([0-9]{1,18})(?::([0-9]{1,18}))?")
DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
HEXADECIMAL = r"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
ENTRY = re.compile(rf"(?:([0-9]{{1,18}}):)?([+-]?(?:{HEXADECIMAL}|{DECIMAL}))")


def read_facts(source: Source, function_start: int) -> tuple[tuple[Fact | Limit, ...], list[Diagnostic]]:
    """The facts above the function that starts at an offset, and what is wrong with them."""
    facts: list[Fact | Limit] = []
    mistakes: list[Diagnostic] = []
    for keyword, words in lines_above(source, function_start):
        if keyword.text == PROLOGUE:
            continue
        try:
            facts[-1:] = _joined(facts[-1:], _read(keyword, words, facts[-1:]))
        except CompileError as error:
            mistakes += error.diagnostics
    return tuple(facts), mistakes


def lines_above(source: Source, function_start: int) -> list[tuple[Span, list[Span]]]:
    """The fact lines in the order of the text, each as its keyword and the words after it."""
    text = source.text
    start = text.rfind("\n", 0, function_start) + 1
    if text[start:function_start].strip():
        return []
    lines = []
    while start > 0:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        if text[start:end].lstrip()[:1] not in ("", ";"):
            break
        if match := FACT.match(text, start, end) or _almost(LIKE_A_FACT.match(text, start, end)):
            words = [Span(source, *word.span()) for word in WORD.finditer(text, *match.span(2))]
            lines.append((Span(source, *match.span(1)), words))
    return lines[::-1]


def _almost(line: re.Match[str] | None) -> re.Match[str] | None:
    """The line if its first word is a misspelt fact."""
    return line if line and get_close_matches(line[1], FACTS, cutoff=0.75) else None


def _read(keyword: Span, words: list[Span], before: list[Fact | Limit]) -> Fact | Limit:
    """The fact of one line; `before` is the one that it may continue."""
    if keyword.text not in FACTS:
        (meant,) = get_close_matches(keyword.text, FACTS, n=1, cutoff=0.75)
        raise malformed(keyword, f"there is no fact `{keyword.text}`", f"`{meant}` is one")
    if not words:
        what = "size" if keyword.text == "limit" else "argument"
        raise malformed(keyword, f"`;! {keyword.text}` lacks the {what} that it is about", f"of which {what}?")
    if keyword.text == "limit":
        return _read_limit(words, (keyword.to(words[-1]),))
    name = ARGUMENT.fullmatch(words[0].text)
    if name is None:
        raise malformed(words[0], f"expected an argument such as `%A`, found `{words[0].text}`")
    origin = (keyword.to(words[-1]),)
    match keyword.text:
        case "batched":
            for word in words[1:]:
                raise malformed(word, "nothing follows the argument of `;! batched`")
            return Batched(name[1], origin)
        case "modes":
            return Modes(name[1], tuple(_read_number(word) for word in words[1:]), origin)
        case "nonzeros":
            return Nonzeros(name[1], tuple(_read_run(word) for word in words[1:]), origin)
        case "sizes":
            return Sizes(name[1], tuple(_read_size(word) for word in words[1:]), origin)
        case _:
            return Values(name[1], tuple(_read_entries(words[1:], _next_position(before, name[1]))), origin)


def _read_limit(words: list[Span], origin: Origin) -> Limit:
    match = LIMIT.fullmatch(" ".join(word.text for word in words))
    if match is None:
        place = words[0].to(words[-1])
        raise malformed(place, "expected a size and its bounds, such as `n 4:`, `n 4:65` or `n 4:65 56`")
    most, hint = int(match[3]) - 1 if match[3] else None, int(match[4]) if match[4] else None
    return Limit(match[1], int(match[2]), most, hint, origin)


def _read_size(word: Span) -> str | None:
    if not SIZE.fullmatch(word.text):
        raise malformed(word, f"expected a size such as `n` or `2*n+1`, or `_`, found `{word.text}`")
    return None if word.text == "_" else word.text


def _read_number(word: Span) -> int:
    if not NUMBER.fullmatch(word.text):
        raise malformed(word, f"expected a mode number, found `{word.text}`")
    return int(word.text)


def _read_run(word: Span) -> tuple[int, int]:
    match = RUN.fullmatch(word.text)
    if match is None:
        raise malformed(word, f"expected a position or a run such as `3:7`, found `{word.text}`")
    start = int(match[1])
    return start, start + 1 if match[2] is None else int(match[2])


def _next_position(before: list[Fact | Limit], argument: str) -> int:
    """Where a list of values begins: at 0, or behind the last entry of the line that it continues."""
    match before:
        case [Values(argument=name, entries=(*_, (last, _)))] if name == argument:
            return last + 1
    return 0


def _read_entries(words: list[Span], position: int) -> Iterator[tuple[int, float]]:
    for word in words:
        match = ENTRY.fullmatch(word.text)
        if match is None:
            raise malformed(word, f"expected a number, or one with its position such as `7:-0.5`, found `{word.text}`")
        number = read_float(match[2])
        if not math.isfinite(number):
            raise malformed(word, f"the number `{match[2]}` is out of range", "not a finite double")
        position = position if match[1] is None else int(match[1])
        yield position, number
        position += 1


def _joined(last: list[Fact | Limit], fact: Fact | Limit) -> list[Fact | Limit]:
    """The last fact and the next one: a list that goes on in the next line becomes one."""
    match last, fact:
        case [Nonzeros(argument=argument, runs=runs, origin=origin)], Nonzeros() if argument == fact.argument:
            return [Nonzeros(argument, runs + fact.runs, origin + fact.origin)]
        case [Values(argument=argument, entries=entries, origin=origin)], Values() if argument == fact.argument:
            return [Values(argument, entries + fact.entries, origin + fact.origin)]
    return [*last, fact]


def malformed(span: Span, message: str, label: str = "") -> CompileError:
    """A fact that cannot be read."""
    return CompileError([Diagnostic("E0406", message, (Label(span, label),))])

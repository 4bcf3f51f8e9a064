"""Sums after all elements as words of a fact: `%y_parts k,f %y k 3 %node:f @%next:f,2`.

What is added, its indices, the target, and a word for each of its modes: an index, a number, or an integer with the
places of its own modes; after `@` that of the element. An index may walk from a position on, `k+2`; `_` is no places.
"""

import re

from einsum_front.core.scattered import Place, Said, Scatter, Walked

_NAME = r"%([0-9]+|[A-Za-z][A-Za-z0-9_]*)"
_TENSOR = re.compile(_NAME)
_SAID = re.compile(rf"{_NAME}:(\S+)")
_WALKED = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(?:\+([0-9]{1,18}))?")
_NUMBER = re.compile(r"[0-9]{1,18}")


class NoScatterError(ValueError):
    """The number of the word that cannot be read, and what was expected there."""

    def __init__(self, word: int, expected: str) -> None:
        super().__init__(expected)
        self.word = word
        self.expected = expected


def words_of(scatter: Scatter) -> list[str]:
    """The words of a sum that is not atomic."""
    words = [f"%{scatter.source}", ",".join(scatter.indices) or "_", f"%{scatter.target}", *map(_text, scatter.places)]
    return [*words, *([] if scatter.element is None else [f"@{_text(scatter.element)}"])]


def _text(place: Place) -> str:
    match place:
        case Walked(index=index, first=first):
            return f"{index}+{first}" if first else index
        case Said(tensor=tensor, places=places):
            return f"%{tensor}:{','.join(map(_text, places)) or '_'}"
        case int():
            return str(place)


def formula(scatter: Scatter) -> str:
    """As the notation has it: `Q[k, node[i]]@next[f] += Q_parts[k, i, f]`."""

    def said(each: Said) -> str:
        return f"{each.tensor}[{', '.join(map(_text, each.places))}]"

    places = ", ".join(said(each) if isinstance(each, Said) else _text(each) for each in scatter.places)
    element = "" if scatter.element is None else f"@{said(scatter.element)}"
    return f"{scatter.target}[{places}]{element} += {scatter.source}[{', '.join(scatter.indices)}]"


def read_words(words: list[str]) -> Scatter:
    """The sum; raises `NoScatterError`."""
    if len(words) < 3:
        raise NoScatterError(len(words) - 1, "what is added, its indices, and the tensor that it is added to")
    source, target = (_tensor(words[number], number) for number in (0, 2))
    indices = () if words[1] == "_" else tuple(words[1].split(","))
    if not all(_WALKED.fullmatch(index) and "+" not in index for index in indices):
        raise NoScatterError(1, "indices such as `k,f`, or `_`")
    rest = list(enumerate(words))[3:]
    element = _said(rest.pop()[1][1:], len(words) - 1) if rest and rest[-1][1].startswith("@") else None
    return Scatter(source, indices, target, tuple(_place(word, number) for number, word in rest), element)


def _tensor(word: str, number: int) -> str:
    found = _TENSOR.fullmatch(word)
    if found is None:
        raise NoScatterError(number, "an argument such as `%y`")
    return found[1]


def _place(word: str, number: int) -> Place:
    return _said(word, number) if word.startswith("%") else _plain(word, number)


def _said(word: str, number: int) -> Said:
    found = _SAID.fullmatch(word)
    if found is None:
        raise NoScatterError(number, "an integer such as `%node:i`")
    places = () if found[2] == "_" else tuple(_plain(each, number) for each in found[2].split(","))
    return Said(found[1], places)


def _plain(word: str, number: int) -> Walked | int:
    if _NUMBER.fullmatch(word):
        return int(word)
    found = _WALKED.fullmatch(word)
    if found is None:
        raise NoScatterError(number, "an index or a number")
    return Walked(found[1], int(found[2] or 0))

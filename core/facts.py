"""Facts about the arguments of a function, which both languages write as comments above it.

    ;! modes %Q 1 0                mode i of the memref is mode 1, 0, … of the user's tensor
    ;! nonzeros %K 0:5 7 9:12      entries that may differ from zero; the next line can continue the list
    ;! values %K 0.5 2.0 7:-1.0    the numbers of entries 0, 1 and 7, the others are zero; the next line can continue
    ;! indices %node n 8 _         entries are below n, below 8 and below the number of elements, or negative
    ;! scattered %t k,f %y k %n:f  after all elements, their entries of %t are added to those of %y that %n says
    ;! limit n 4:65 56             the size n is from 4, included, to 65, excluded, hint 56; `4:`: from 4 on

Nodes, and how they are read, printed and checked. A language may have more facts, which it reads in the same words.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import pairwise
from math import prod
from textwrap import wrap
from typing import TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.extent import Extent, TooLargeError
from einsum_front.core.extent_text import NoExtentError, parse_extent
from einsum_front.core.extent_text import word as text
from einsum_front.core.numbers import DECIMAL, HEXADECIMAL, fits, read_float
from einsum_front.core.runs import Runs
from einsum_front.core.scatter_text import NoScatterError, read_words, words_of
from einsum_front.core.scattered import Place, Said, Scatter, Walked
from einsum_front.core.storage import ElementType

# -- nodes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Modes:
    """Mode i of the memref (without a batch mode) is mode `permutation[i]` of the user's tensor."""

    argument: str
    permutation: tuple[int, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Nonzeros:
    """Entries that may differ from zero, before the launch and ever after.

    They are half-open runs of packed column-major positions of one element.
    """

    argument: str
    runs: Runs
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Values:
    """All entries are known: those at ascending packed column-major positions are these numbers, the others are zero.

    The numbers are rounded to a floating element type, and are integers of an integer one. The caller need not pass
    the argument.
    """

    argument: str
    entries: tuple[tuple[int, float], ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Indices:
    """All entries are below these numbers, of which None is that of the elements of the batch; negative ones are fine.

    The function takes them for places, so that a launch has to check them.
    """

    argument: str
    bounds: tuple[Extent | None, ...]
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Limit:
    """The size `name` is from `least` to `most`, both included (None: without a bound).

    `hint` is an estimate of it.
    """

    name: str
    least: int
    most: int | None
    hint: int | None = None
    origin: Origin = field(default=(), compare=False, repr=False)

    @property
    def ascends(self) -> bool:
        """Whether the numbers are in order, from 1 on."""
        numbers = [number for number in (1, self.least, self.hint, self.most) if number is not None]
        return numbers == sorted(numbers)


TensorFact = Modes | Nonzeros | Values | Indices | Scatter
F = TypeVar("F")

# -- text to nodes -----------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[^ \t\r]+")
_ARGUMENT = re.compile(r"%([0-9]+|[A-Za-z][A-Za-z0-9_]*)")
_MODE = re.compile(r"[0-9]{1,18}")
_RUN = re.compile(r"([0-9]{1,18})(?::([0-9]{1,18}))?")
_ENTRY = re.compile(rf"(?:([0-9]{{1,18}}):)?([+-]?(?:{HEXADECIMAL}|{DECIMAL}))")
_INTEGER = re.compile(r"[+-]?[0-9]{1,20}")
_LIMIT = re.compile(r"([A-Za-z][A-Za-z0-9_]*) ([0-9]{1,18}):([0-9]{1,18})?(?: ([0-9]{1,18}))?")


@dataclass(frozen=True, slots=True)
class FactLine:
    """A comment that states a fact: its keyword, the words behind it, and the error code of one that cannot be read."""

    keyword: Span
    words: tuple[Span, ...]
    code: str

    @staticmethod
    def of(source: Source, start: int, end: int, code: str) -> "FactLine":
        """The line whose words stand from `start` to `end`; there is at least one, the keyword."""
        keyword, *words = (Span(source, *word.span()) for word in _WORD.finditer(source.text, start, end))
        return FactLine(keyword, tuple(words), code)

    @property
    def origin(self) -> Origin:
        """From the keyword to the last word."""
        return (self.keyword.to(self.words[-1]) if self.words else self.keyword,)

    def argument(self) -> str:
        """The name of the argument that the fact is about, without its `%`; `CompileError` if it lacks one."""
        word = self._first("argument")
        name = _ARGUMENT.fullmatch(word.text)
        if name is None:
            raise self.malformed(word, f"expected an argument such as `%A`, found `{word.text}`")
        return name[1]

    def shared(self, before: Sequence[object]) -> TensorFact | Limit:
        """The fact, if its keyword is none of the language's own; `before` ends with the one that it may continue."""
        if self.keyword.text == "limit":
            return self._limit()
        name, words = self.argument(), self.words[1:]
        match self.keyword.text:
            case "modes":
                return Modes(name, tuple(self._mode(word) for word in words), self.origin)
            case "nonzeros":
                return Nonzeros(name, tuple(self._run(word) for word in words), self.origin)
            case "values":
                return Values(name, tuple(self._entries(words, _next_position(before, name))), self.origin)
            case "indices":
                return Indices(name, tuple(self._bound(word) for word in words), self.origin)
            case "scattered":
                return self._scatter()
            case other:
                raise CompilerBug(f"`{other}` is no fact that languages share")

    def malformed(self, span: Span, message: str, label: str = "") -> CompileError:
        """The fact cannot be read because of the words at a place."""
        return CompileError([Diagnostic(self.code, message, (Label(span, label),))])

    def _first(self, what: str) -> Span:
        if not self.words:
            message = f"`;! {self.keyword.text}` lacks the {what} that it is about"
            raise self.malformed(self.keyword, message, f"of which {what}?")
        return self.words[0]

    def _limit(self) -> Limit:
        first = self._first("size")
        match = _LIMIT.fullmatch(" ".join(word.text for word in self.words))
        if match is None:
            place = first.to(self.words[-1])
            raise self.malformed(place, "expected a size and its bounds, such as `n 4:`, `n 4:65` or `n 4:65 56`")
        most, hint = int(match[3]) - 1 if match[3] else None, int(match[4]) if match[4] else None
        return Limit(match[1], int(match[2]), most, hint, self.origin)

    def _scatter(self) -> Scatter:
        try:
            return replace(read_words([word.text for word in self.words]), origin=self.origin)
        except NoScatterError as error:
            place = self.words[error.word]
            raise self.malformed(place, f"expected {error.expected}, found `{place.text}`") from None

    def _mode(self, word: Span) -> int:
        if not _MODE.fullmatch(word.text):
            raise self.malformed(word, f"expected the number of a mode, found `{word.text}`")
        return int(word.text)

    def _run(self, word: Span) -> tuple[int, int]:
        match = _RUN.fullmatch(word.text)
        if match is None:
            raise self.malformed(word, f"expected a position or a run such as `3:7`, found `{word.text}`")
        start = int(match[1])
        return start, start + 1 if match[2] is None else int(match[2])

    def _bound(self, word: Span) -> Extent | None:
        with suppress(NoExtentError, TooLargeError):
            return None if word.text == "_" else parse_extent(word.text)
        raise self.malformed(word, f"expected a bound such as `8`, `n` or `_`, found `{word.text}`")

    def _entries(self, words: Iterable[Span], position: int) -> Iterator[tuple[int, float]]:
        for word in words:
            match = _ENTRY.fullmatch(word.text)
            if match is None:
                what = "expected a number, or one with its position such as `7:-0.5`"
                raise self.malformed(word, f"{what}, found `{word.text}`")
            number = int(match[2]) if _INTEGER.fullmatch(match[2]) else read_float(match[2])
            if not math.isfinite(number):
                raise self.malformed(word, f"the number `{match[2]}` is out of range", "not a finite double")
            position = position if match[1] is None else int(match[1])
            yield position, number
            position += 1


def _next_position(before: Sequence[object], argument: str) -> int:
    """Where a list of values begins: at 0, or behind the last entry of the line that it continues."""
    match before:
        case [*_, Values(argument=name, entries=(*_, (last, _)))] if name == argument:
            return last + 1
    return 0


def append_fact(facts: list[F], fact: F) -> None:
    """Adds a fact to those before; a list that goes on in the next line becomes one."""
    last = facts[-1] if facts else None
    if isinstance(last, Nonzeros) and isinstance(fact, Nonzeros) and last.argument == fact.argument:
        facts[-1] = replace(last, runs=last.runs + fact.runs, origin=last.origin + fact.origin)
    elif isinstance(last, Values) and isinstance(fact, Values) and last.argument == fact.argument:
        facts[-1] = replace(last, entries=last.entries + fact.entries, origin=last.origin + fact.origin)
    else:
        facts.append(fact)


# -- nodes to text -----------------------------------------------------------------------------------------------------

_LINE_WIDTH = 120


def fact_lines(fact: TensorFact | Limit) -> list[str]:
    """The comment lines of a fact: a long list of nonzeros or values goes on in further lines."""
    match fact:
        case Modes(argument=argument, permutation=permutation):
            return [" ".join((f";! modes %{argument}", *map(str, permutation)))]
        case Nonzeros(argument=argument, runs=runs):
            return _lines(f";! nonzeros %{argument}", " ".join(_run_text(*run) for run in runs))
        case Values(argument=argument, entries=entries):
            return _lines(f";! values %{argument}", " ".join(_entry_texts(entries)))
        case Indices(argument=argument, bounds=bounds):
            return [" ".join((f";! indices %{argument}", *("_" if each is None else text(each) for each in bounds)))]
        case Scatter():
            return [" ".join((";! scattered", *words_of(fact)))]
        case Limit(name=name, least=least, most=most, hint=hint):
            ends = f"{least}:{'' if most is None else most + 1}"
            return [" ".join((";! limit", name, ends, *([] if hint is None else [str(hint)])))]


def _lines(start: str, words: str) -> list[str]:
    """The words on as many lines as they need, each with the same start."""
    room = _LINE_WIDTH - len(start) - 1
    return [f"{start} {line}" for line in wrap(words, room, break_on_hyphens=False)] or [start]


def _run_text(start: int, end: int) -> str:
    return str(start) if end == start + 1 else f"{start}:{end}"


def _entry_texts(entries: tuple[tuple[int, float], ...]) -> Iterator[str]:
    """Numbers in the fewest digits that read back as the same double, with their position where one is left out."""
    expected = 0
    for position, number in entries:
        yield repr(number) if position == expected else f"{position}:{number!r}"
        expected = position + 1


# -- checks ------------------------------------------------------------------------------------------------------------

_TYPES = {each.value: each for each in ElementType} | {"i1": ElementType.BOOL}


def misfit(fact: TensorFact, element: str, shape: Sequence[int | None], facts: Iterable[object]) -> str | None:
    """What the fact says that cannot be about a tensor, or contradicts another of the `facts` about it; else None.

    `element` is the spelling of the type of its entries; a size of the shape that the launch supplies is None.
    """
    name, count = f"`%{fact.argument}`", None if None in shape else prod(size or 0 for size in shape)
    match fact:
        case Modes(permutation=permutation):
            if sorted(permutation) == list(range(len(shape))):
                return None
            wanted = " ".join(map(str, range(len(shape)))) or "nothing"
            return f"{name} has rank {len(shape)}: its modes are a permutation of {wanted}"
        case Nonzeros(runs=runs):
            if (found := _descent(runs)) is not None:
                return f"the runs of {name} do not ascend at {found[0]}:{found[1]}"
            if count is not None and runs and runs[-1][1] > count:
                return f"{name} has {count} entries, but the runs end at {runs[-1][1]}"
            return None
        case Indices():
            is_integer = element in {each.value for each in ElementType if each.is_integer}
            return None if is_integer else f"{name} has elements of type `{element}`, which say no places"
        case Scatter(indices=indices):
            if len(indices) == len(shape) and len(set(indices)) == len(indices):
                return None
            return f"{name} has rank {len(shape)}, and {len(set(indices))} indices"
        case Values():
            return _misfit_values(fact, element, count) or _contradiction(fact, facts)


Shaped = Mapping[str, tuple[str, Sequence[object]]]
"""The types and the shapes of an element of tensors, by name."""


def misplaced(scatter: Scatter, tensors: Shaped, batched: Collection[str]) -> str | None:
    """What cannot be of a sum after all elements, else None; `batched` are the `tensors` that elements have each."""
    if missing := next((name for name in scatter.tensors if name not in tensors), None):
        return f"`%{missing}` is no tensor among the arguments"
    for name in (scatter.source, *((scatter.target,) if scatter.element is not None else ())):
        if name not in batched:
            return f"`%{name}` is one for all elements"
    for said in scatter.integers:
        if tensors[said.tensor][0] not in ("i32", "i64"):
            return f"`%{said.tensor}` has no integers of `i32` or `i64`"
    if tensors[scatter.target][0] != tensors[scatter.source][0]:
        return f"`%{scatter.source}` and `%{scatter.target}` have elements of different types"
    sizes = dict(zip(scatter.indices, tensors[scatter.source][1], strict=True))
    walked: set[str] = set()
    for name, places in ((scatter.target, scatter.places), *((said.tensor, said.places) for said in scatter.integers)):
        shape = tensors[name][1]
        if len(places) != len(shape):
            return f"`%{name}` has rank {len(shape)}, and {len(places)} places"
        for place, size in zip(places, shape, strict=True):
            walked |= {place.index} if isinstance(place, Walked) else set()
            if not _is_inside(place, size, sizes):
                return f"a place of `%{name}` leaves a mode of {size}"
    if walked != set(sizes):
        return f"each index of `%{scatter.source}` walks a place, and no other does"
    return None if scatter.integers else "no integer says a place"


def _is_inside(place: Place, size: object, sizes: Mapping[str, object]) -> bool:
    """True if a place is in a mode, as far as numbers are known; a launch looks at integers."""
    match place:
        case Walked(index=index, first=first):
            extent = sizes.get(index)
            return not isinstance(size, int) or not isinstance(extent, int) or first + extent <= size
        case int():
            return not isinstance(size, int) or place < size
        case Said():
            return True


def _descent(runs: Runs) -> tuple[int, int] | None:
    """The first run that is empty or begins before the end of the run before it."""
    ends = [0, *(stop for _, stop in runs)]
    return next((run for run, end in zip(runs, ends, strict=False) if not end <= run[0] < run[1]), None)


def _misfit_values(fact: Values, element: str, count: int | None) -> str | None:
    name, positions = f"`%{fact.argument}`", [position for position, _ in fact.entries]
    if element not in _TYPES:
        return f"the elements of {name} are of type `{element}`, of which no values are known"
    if count is None:
        return f"the size of {name} is not known when compiling, so its values are not known either"
    if any(after <= before for before, after in pairwise(positions)):
        return f"the values of {name} are not in ascending order of their positions"
    if positions and positions[-1] >= count:
        return f"{name} has {count} entries, but the values reach to position {positions[-1]}"
    for position, number in fact.entries:
        if not fits(number, _TYPES[element]):
            return f"the value {number!r} at position {position} of {name} does not fit into `{element}`"
    return None


def _contradiction(fact: Values, facts: Iterable[object]) -> str | None:
    """An entry with a value other than zero that the nonzeros, if they ascend, leave out."""
    for runs in (other.runs for other in facts if isinstance(other, Nonzeros)):
        ends = [stop for _, stop in runs]
        for position, number in fact.entries if _descent(runs) is None else ():
            run = bisect_right(ends, position)
            if number != 0 and (run == len(runs) or position < runs[run][0]):
                value = f"the value at position {position} of `%{fact.argument}` is {number!r}"
                return f"{value}, but its nonzeros leave that out"
    return None

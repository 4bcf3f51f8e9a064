"""Texts of the tensor language with mistakes such as people and programs make."""

import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from einsum_front.tl_backend.unparse import unparse_function
from tests.tl_backend.strategies import cases

TESTS = Path(__file__).parents[1]
MANUAL = (TESTS.parent / "docs" / "tensor_language.md").read_text(encoding="utf-8")
TEXTS = [
    *re.findall(r"```tl\n(.*?)```", MANUAL, re.S),
    *(path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.tl")) if path.parent.name != "tl_syntax"),
]
"""All texts that the manual and the tests have and that can be read, right ones and wrong ones."""

CHARACTERS = "%@;!?.,:<>()[]{}=-+x0123456789 \nabefgimntuz_\t\x00é"
TYPES = [
    "bool", "i1", "i8", "i64", "u16", "index", "f32", "f64", "void", "memref<f64>", "memref<f32x4>", "memref<f32x?x?>",
    "memref<i32x4x4,strided<1,?>>", "memref<f32x4x4,strided<2,8>>", "memref<i1x4>", "group<memref<f32x16>>",
    "group<memref<f64x4x4>, offset: ?>",
]  # fmt: skip
NUMBERS = ["0", "1", "-1", "3", "64", "1000000", "9223372036854775807", "9223372036854775808", "1e3", "0x1p-1", ".5"]
TYPE = re.compile(r"(?:memref|group)<[^;{}\n]*?>+|\b(?:[iuf]\d+|index|bool)\b")
NUMBER = re.compile(r"-?\b\d+(?:\.\d*)?\b")
WORD = re.compile(r"[%@]?\w+|[^\s\w]")

Mutation = Callable[[st.DrawFn, str], str]


@st.composite
def mutants(draw: st.DrawFn) -> str:
    """A text, generated or written by hand, with one to four mistakes."""
    text = draw(st.sampled_from(TEXTS) | cases().map(lambda case: unparse_function(case.function)))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 4]))):
        text = draw(st.sampled_from(MUTATIONS))(draw, text)
    return text


def drop(draw: st.DrawFn, text: str) -> str:
    """Some characters are missing."""
    start = _place(draw, text)
    return text[:start] + text[start + draw(st.integers(1, 3)) :]


def swap(draw: st.DrawFn, text: str) -> str:
    """Two characters have changed places."""
    first, second = sorted((_place(draw, text), _place(draw, text)))
    if first == second:
        return text
    return text[:first] + text[second] + text[first + 1 : second] + text[first] + text[second + 1 :]


def double(draw: st.DrawFn, text: str) -> str:
    """A few characters stand there twice."""
    start = _place(draw, text)
    stop = start + draw(st.integers(1, 20))
    return text[:stop] + text[start:]


def insert(draw: st.DrawFn, text: str) -> str:
    """A character too many."""
    start = _place(draw, text)
    return text[:start] + draw(st.sampled_from(CHARACTERS)) + text[start:]


def another_type(draw: st.DrawFn, text: str) -> str:
    """A type has become another one, of the text or not."""
    return _exchange(draw, text, TYPE, TYPES)


def another_number(draw: st.DrawFn, text: str) -> str:
    """A number has become another one."""
    return _exchange(draw, text, NUMBER, NUMBERS)


def another_word(draw: st.DrawFn, text: str) -> str:
    """A name, a keyword or a bracket has become another one."""
    return _exchange(draw, text, WORD, [])


def move_line(draw: st.DrawFn, text: str) -> str:
    """A line stands somewhere else, or twice."""
    lines = text.split("\n")
    chosen = lines[draw(st.integers(0, len(lines) - 1))]
    if draw(st.booleans()):
        lines.remove(chosen)
    lines.insert(draw(st.integers(0, len(lines))), chosen)
    return "\n".join(lines)


OF_CHARACTERS: list[Mutation] = [drop, swap, double, insert]
OF_WORDS: list[Mutation] = [another_type, another_type, another_number, another_word, move_line]
MUTATIONS = OF_CHARACTERS + OF_WORDS * 2
"""Those of words are tried more often: what they make can often be read, and goes on to the checks of the verifier."""


def _place(draw: st.DrawFn, text: str) -> int:
    return draw(st.integers(0, max(0, len(text) - 1)))


def _exchange(draw: st.DrawFn, text: str, pattern: re.Pattern[str], others: list[str]) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    changed = found[draw(st.integers(0, len(found) - 1))]
    replacement = draw(st.sampled_from([*others, *dict.fromkeys(match.group() for match in found)]))
    return text[: changed.start()] + replacement + text[changed.end() :]

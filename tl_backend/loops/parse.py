"""Text to loops. Whether they keep the rules is the matter of `verify`."""

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar

from lark import Token, Transformer, Tree, UnexpectedInput

from einsum_front.core import parsing
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.parsing import accepted_terminals, alternatives, parser_of, syntax_tree, word_found
from einsum_front.core.words import listed
from einsum_front.tl_backend.access import Affine, named
from einsum_front.tl_backend.loops.nodes import (
    FUNCTIONS,
    VALUE,
    Access,
    Apply,
    Binding,
    Call,
    Elements,
    Fill,
    Loop,
    Loops,
    Number,
    Prefetch,
    Product,
    Result,
    Scalar,
    Stage,
    Tensor,
    Write,
)
from einsum_front.tl_backend.types import ScalarType

E = TypeVar("E", bound=Enum)

WORD = re.compile(r"[A-Za-z0-9_.]+|\+=|[^\w\s]")
BRACKET = re.compile(r"#[^\n]*|[{}]")
DEEPEST = 64
"""How deep loops and stages are nested at most: they are rewritten by functions that call themselves."""


def parse(source: Source) -> Loops:
    """The loops that the text says.

    Raises `CompileError` with its first mistake (E0901), or with a word that is no type, no kind of filling or of
    writing (E0902).
    """
    tree = syntax_tree(source, parser_of("einsum_front.tl_backend.loops", "start", "loops.lark"), _too_deep, _mistake)
    reader = _Reader(source)
    loops: Loops = reader.read(tree)
    if reader.diagnostics:
        raise CompileError(reader.diagnostics)
    return loops


def _too_deep(source: Source) -> Diagnostic | None:
    place = parsing.too_deep(source, BRACKET, "{", DEEPEST)
    message = f"loops are nested more than {DEEPEST} deep"
    return Diagnostic("E0901", message, (Label(place),)) if place else None


PHRASES = {
    "ABOVE": "`above`",
    "BATCH": "`batch`", "BINDING": "`unrolled` or `vector`", "COLON": "`:`", "COMMA": "`,`", "DISTANCE": "`distance`",
    "ELEMENTS": "`elements`", "FASTEST": "`fastest`", "FILL": "`fill`", "FLOAT": "a number", "FOR": "`for`",
    "IN": "`in`",
    "INTEGER": "an integer", "LBRACE": "`{`", "LINES": "`lines`", "LITERALS": "`literals`", "LOOPS": "`loops`",
    "LSQB": "`[`", "NAME": "a name", "NONZEROS": "`nonzeros`", "OVER": "`over`", "PERCENT": "`%`", "PLUS": "`+`",
    "PREFETCH": "`prefetch`", "RBRACE": "`}`", "RSQB": "`]`", "SEMICOLON": "`;`", "SHAPE": "a size", "SLASH": "`/`",
    "STAGE": "`stage`", "STAR": "`*`", "STREAMED": "`streamed`",
    "STRIDES": "`strides`", "TEMPORARY": "`temporary`", "TENSOR": "`tensor`",
    "UPDATE": "`=` or `+=`", "VALUES": "`values`", "WHERE": "`where`", "WORD": "a way of filling or writing",
    "WRITE": "`write`", "$END": "the end of the text",
}  # fmt: skip
"""Terminals in plain words, in the order in which they are named."""


def _mistake(source: Source, error: UnexpectedInput) -> Diagnostic:
    """What was expected where the parser stopped."""
    found = word_found(source, error, WORD)
    expected = alternatives(accepted_terminals(error), (), PHRASES)
    quoted = f"`{found.text}`" if found.text else "the end of the text"
    return Diagnostic("E0901", f"expected {expected}, found {quoted}", (Label(found),))


class _Reader(Transformer[Token, Any]):
    """Nodes from the bottom up."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self.diagnostics: list[Diagnostic] = []

    def read(self, tree: Tree[Token]) -> Any:
        """What the whole text says."""
        return self.transform(tree)

    def _origin(self, token: Token) -> Origin:
        return (Span(self._source, token.start_pos or 0, token.end_pos or 0),)

    def _word(self, token: Token, words: Iterable[E], what: str) -> E:
        """The member of an enumeration with this text; a mistake if there is none."""
        members = list(words)
        for each in members:
            if each.value == str(token):
                return each
        known = listed([f"`{each.value}`" for each in members])
        message = f"`{token}` is no {what}: there are {known}"
        self.diagnostics.append(Diagnostic("E0902", message, (Label(self._origin(token)[0]),)))
        return members[0]

    def start(self, parts: list[Any]) -> Loops:
        name, *others = parts
        tensors = tuple(each for each in others if isinstance(each, Tensor))
        return Loops(str(name), tensors, tuple(each for each in others if not isinstance(each, Tensor)))

    # -- tensors -------------------------------------------------------------------------------------------------------

    def tensor(self, parts: list[Any]) -> Tensor:
        name, type_, memory, shape, *facts = parts
        types = [each for each in ScalarType if not each.is_complex]
        size, strides = ((), ()) if shape is None else shape
        found = dict(facts)
        return Tensor(
            name=str(name),
            element=self._word(type_, types, "element type"),
            shape=size,
            strides=strides,
            batch=found.get("batch", 1 if "fastest" in found else None),
            is_fastest="fastest" in found,
            is_temporary="temporary" in found,
            is_literal="literals" in found,
            streamed=found.get("streamed"),
            nonzeros=found.get("nonzeros"),
            values=found.get("values"),
            memory=None if memory is None else self._word(memory, types, "element type"),
        )

    def shape(self, parts: list[Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        size, strides = parts
        return tuple(map(int, str(size).split("x"))), strides

    def strides(self, parts: list[Token]) -> tuple[int, ...]:
        return tuple(map(int, parts))

    def batch(self, parts: list[Token]) -> tuple[str, int]:
        return "batch", int(parts[0])

    def fastest(self, _: list[Token]) -> tuple[str, bool]:
        return "fastest", True

    def temporary(self, _: list[Token]) -> tuple[str, bool]:
        return "temporary", True

    def literals(self, _: list[Token]) -> tuple[str, bool]:
        return "literals", True

    def streamed(self, parts: list[Token]) -> tuple[str, int]:
        return "streamed", int(parts[0])

    def nonzeros(self, parts: list[tuple[int, int]]) -> tuple[str, tuple[tuple[int, int], ...]]:
        return "nonzeros", tuple(parts)

    def values(self, parts: list[tuple[int, float]]) -> tuple[str, tuple[tuple[int, float], ...]]:
        return "values", tuple(parts)

    def run(self, parts: list[Token]) -> tuple[int, int]:
        return int(parts[0]), int(parts[1])

    def entry(self, parts: list[Any]) -> tuple[int, float]:
        return int(parts[0]), parts[1]

    def number(self, parts: list[Token]) -> float:
        return float(parts[0])

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def loop(self, parts: list[Any]) -> Loop:
        axis, extent, binding, where, *body = parts
        bound = Binding.SEQUENTIAL if binding is None else Binding(str(binding))
        return Loop(str(axis), extent, tuple(body), bound, where)

    def where(self, parts: list[Token]) -> str:
        return str(parts[0])

    def fixed(self, parts: list[Token]) -> int:
        return int(parts[0])

    def elements(self, parts: list[Token | None]) -> Elements:
        return Elements() if parts[0] is None else Elements(int(parts[0]))

    def stage(self, parts: list[Any]) -> Stage:
        name, fill, write, *body = parts
        ways = self._word(fill, Fill, "way to fill registers"), self._word(write, Write, "way to write them")
        return Stage(str(name), *ways, tuple(body))

    def prefetch(self, parts: list[Any]) -> Prefetch:
        name, distance, first, stop, axis = parts
        return Prefetch(str(name), int(distance), int(first), int(stop), axis)

    def over(self, parts: list[Token]) -> str:
        return str(parts[0])

    def product(self, parts: list[Any]) -> Product:
        (target, origin), update, *factors = parts
        return Product(target, str(update) == "+=", tuple(map(_plain, factors)), origin)

    def apply(self, parts: list[Any]) -> Apply:
        target, origin = self._set(parts)
        *calls, value = parts[2:]
        return Apply(target, tuple(calls), _plain(value), origin)

    def applied(self, parts: list[Any]) -> Apply:
        target, origin = self._set(parts)
        return Apply(target, (parts[2],), Result(VALUE), origin)

    def _set(self, parts: list[Any]) -> tuple[Access, Origin]:
        found: tuple[Access, Origin] = parts[0]
        if str(parts[1]) != "=":
            message = "a function sets its target: what is added is an operand"
            self.diagnostics.append(Diagnostic("E0901", message, (Label(self._origin(parts[1])[0]),)))
        return found

    def named(self, parts: list[Any]) -> Call:
        call: Call = parts[1]
        return replace(call, name=str(parts[0]))

    def call(self, parts: list[Any]) -> Call:
        function, *operands = parts
        return Call(VALUE, self._word(function, FUNCTIONS, "function"), tuple(map(_plain, operands)))

    def result(self, parts: list[Token]) -> Result:
        return Result(str(parts[0]))

    def constant(self, parts: list[float]) -> Number:
        return Number(parts[0])

    def scalar(self, parts: list[Token]) -> Scalar:
        return Scalar(str(parts[0]))

    def access(self, parts: list[Any]) -> tuple[Access, Origin]:
        name, *index = parts
        element = next((each for each in index if isinstance(each, tuple)), None)
        affine = tuple(each for each in index if isinstance(each, Affine))
        return Access(str(name), affine, element[0] if element else None), self._origin(name)

    def element(self, parts: list[Affine]) -> tuple[Affine]:
        return (parts[0],)

    def affine(self, parts: list[Affine]) -> Affine:
        return sum(parts, Affine())

    def multiple(self, parts: list[Token]) -> Affine:
        return named(str(parts[1])).times(int(parts[0]))

    def axis(self, parts: list[Token]) -> Affine:
        return named(str(parts[0]))

    def offset(self, parts: list[Token]) -> Affine:
        return Affine(int(parts[0]))


def _plain(operand: Any) -> Any:
    """An operand without the place of its text."""
    return operand[0] if isinstance(operand, tuple) else operand

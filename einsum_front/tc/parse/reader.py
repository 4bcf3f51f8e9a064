"""Parse tree to nodes: the methods are named after the rules of grammar.lark, which calls them from the leaves up."""

import re
from dataclasses import field

from lark import Token, UnexpectedInput, v_args

from einsum_front.core import parsing
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, Label, Origin, Source
from einsum_front.core.parsing import PlacedReader, accepted_terminals, alternatives, word_found
from einsum_front.tc.nodes import Access, Affine, Apply, Comprehension, Definition, Expression, Program, TensorDef
from einsum_front.tc.structure import meaning

LARGEST = 2**31 - 1
"""The largest integer of an affine expression."""


@dataclass(frozen=True, slots=True)
class Use:
    """A name with arguments: an access or an operation."""

    name: Token
    over: tuple[Token, ...]
    arguments: tuple["Argument", ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a sum."""

    value: Use | tuple[str, int]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Argument:
    """What stands between parentheses: a sum of names and integers, or a use."""

    terms: tuple[tuple[int, Term], ...]
    origin: Origin

    @property
    def use(self) -> Use | None:
        """The use, if it is one and nothing else."""
        (sign, first), *others = self.terms
        return first.value if not others and sign == 1 and isinstance(first.value, Use) else None


@dataclass(frozen=True, slots=True)
class Tensors:
    """Declared tensors."""

    tensors: tuple[TensorDef, ...] = ()


@dataclass(frozen=True, slots=True)
class Uses:
    """One side of a comprehension."""

    uses: tuple[Use, ...]
    origin: Origin = field(default=())


@v_args(inline=True)
class DefinitionReader(PlacedReader):
    """Reads the definitions of one source."""

    def program(self, *definitions: Definition) -> Program:
        return Program(definitions)

    def ods(self, _word: Token, _less: Token, name: Token, *_rest: Token) -> tuple[str, str]:
        return "ods", str(name)

    def attributes(self, word: Token, *_rest: object) -> tuple[str, str]:
        self._report("E0831", "attributes of an operation are not read", self._span(word), "leave them out")
        return "attributes", ""

    def definition(self, *parts: object) -> Definition:
        tokens = [each for each in parts if isinstance(each, Token)]
        name = next(each for each in tokens if each.type == "NAME")
        docstring = next((str(each)[3:-3] for each in tokens if each.type == "DOCSTRING"), "")
        ods_name = next((each[1] for each in parts if isinstance(each, tuple) and each[0] == "ods"), "")
        arrow = next(number for number, each in enumerate(parts) if isinstance(each, Token) and each.type == "ARROW")
        inputs = next((each.tensors for each in parts[:arrow] if isinstance(each, Tensors)), ())
        outputs = next((each.tensors for each in parts[arrow:] if isinstance(each, Tensors)), ())
        known = {each.name for each in (*inputs, *outputs)}
        sides = [each for each in parts if isinstance(each, tuple) and isinstance(each[0], Uses)]
        bodies = tuple(self._comprehension(left, right, known) for left, right in sides)
        return Definition(str(name), inputs, outputs, bodies, ods_name, docstring, (self._span(name),))

    # -- tensors -------------------------------------------------------------------------------------------------------

    def tensors(self, *parts: TensorDef | Token) -> Tensors:
        return Tensors(tuple(each for each in parts if isinstance(each, TensorDef)))

    def tensor(self, name: Token, _colon: Token, type_: Token, *rest: Argument | Token) -> TensorDef:
        shape = tuple(self._affine(each) for each in rest if isinstance(each, Argument))
        return TensorDef(str(name), str(type_), shape, (self._span(name),))

    # -- comprehensions ------------------------------------------------------------------------------------------------

    def comprehension(self, left: Uses, _equal: Token, right: Uses, _end: Token) -> tuple[Uses, Uses]:
        return left, right

    def uses(self, *parts: Use | Token) -> Uses:
        return Uses(tuple(each for each in parts if isinstance(each, Use)))

    def use(self, name: Token, *rest: object) -> Use:
        over = next((each for each in rest if isinstance(each, tuple)), ())
        arguments = tuple(each for each in rest if isinstance(each, Argument))
        last = rest[-1]
        assert isinstance(last, Token)
        return Use(name, over, arguments, self._from(name, last))

    def over(self, *parts: Token) -> tuple[Token, ...]:
        return tuple(each for each in parts if each.type == "NAME")

    def argument(self, *parts: Token | Term) -> Argument:
        terms, sign = [], 1
        for part in parts:
            if isinstance(part, Token):
                sign = -1 if part == "-" else 1
            else:
                terms.append((sign, part))
                sign = 1
        return Argument(tuple(terms), self._from(parts[0], parts[-1]))

    def term(self, *parts: Token | Use) -> Term:
        first, last = parts[0], parts[-1]
        if isinstance(first, Use):
            return Term(first, first.origin)
        names = [str(each) for each in parts if isinstance(each, Token) and each.type == "NAME"]
        numbers = [self._integer(each) for each in parts if isinstance(each, Token) and each.type == "INTEGER"]
        return Term((names[0] if names else "", numbers[0] if numbers else 1), self._from(first, last))

    def _integer(self, token: Token) -> int:
        if len(token.lstrip("0")) > len(str(LARGEST)) or int(token) > LARGEST:
            self._report("E0831", f"integer `{token[:20]}` is out of range", self._span(token), f"more than {LARGEST}")
            return 1
        return int(token)

    def _affine(self, argument: Argument) -> Affine:
        found: dict[str, int] = {}
        for sign, term in argument.terms:
            if isinstance(term.value, Use):
                label = "a position is made of names and integers"
                self._report("E0831", f"`{term.value.name}(…)` is no position", term.origin[0], label)
                continue
            name, factor = term.value
            found[name] = found.get(name, 0) + sign * factor
        constant = found.pop("", 0)
        return Affine(tuple(each for each in found.items() if each[1]), constant, argument.origin)

    def _comprehension(self, left: Uses, right: Uses, known: set[str]) -> Comprehension:
        targets = tuple(self._access(use) for use in left.uses)
        values = tuple(self._expression(use, known) for use in right.uses)
        origin = (targets[0].origin[0].to(values[-1].origin[0]),)
        return Comprehension(targets, values, origin)

    def _expression(self, use: Use, known: set[str]) -> Expression:
        are_positions = bool(use.arguments) and all(each.use is None for each in use.arguments)
        if str(use.name) in known or (are_positions and meaning(use.name) is None):
            return self._access(use)
        arguments = []
        for each in use.arguments:
            if each.use is None:
                label = "not an entry of a tensor, and no operation"
                self._report("E0831", f"an argument of `{use.name}` is no value", each.origin[0], label)
            else:
                arguments.append(self._expression(each.use, known))
        return Apply(str(use.name), tuple(arguments), tuple(map(str, use.over)), use.origin)

    def _access(self, use: Use) -> Access:
        if use.over:
            span = self._span(use.over[0])
            self._report("E0831", f"`{use.name}` is a tensor, which reduces nothing", span)
        return Access(str(use.name), tuple(map(self._affine, use.arguments)), use.origin)


# -- syntax errors: where the text leaves the grammar, and what was expected there -------------------------------------

PHRASES = {
    "DEF": "`def`",
    "ODS_DEF": "`ods_def`",
    "NAME": "a name",
    "INTEGER": "an integer",
    "EXTENTS": "a type",
    "DOCSTRING": 'a text in `"""`',
    "ATTR": "`attr`",
    "SIGN": "`+` or `-`",
    "STAR": "`*`",
    "ARROW": "`->`",
    "QUESTION": "`?`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LESS": "`<`",
    "GREATER": "`>`",
    "OPEN_BRACE": "`{`",
    "CLOSE_BRACE": "`}`",
    "EQUAL": "`=`",
    "SEMICOLON": "`;`",
    "$END": "the end of the text",
}
"""Terminals in plain words, in the order in which they are named."""

WORD = re.compile(r"\w+|->|\"\"\"|[^\w\s]")
BRACKET = re.compile(r"//[^\n]*|\"\"\"[\s\S]*?\"\"\"|[(){}]")
DEEPEST = 64
"""How deep parentheses are nested at most; operations are read and checked by functions that call themselves."""


def too_deep(source: Source) -> Diagnostic | None:
    """Error for the first parenthesis that is nested deeper than `DEEPEST`."""
    place = parsing.too_deep(source, BRACKET, "(", DEEPEST)
    message = f"parentheses are nested more than {DEEPEST} deep"
    return Diagnostic("E0830", message, (Label(place),)) if place else None


def syntax_error(source: Source, error: UnexpectedInput) -> Diagnostic:
    """Error for the place where the parser stopped."""
    found = word_found(source, error, WORD)
    expected = alternatives(accepted_terminals(error), (), PHRASES)
    quoted = f"`{found.text}`" if found.text else "the end of the text"
    return Diagnostic("E0830", f"expected {expected}, found {quoted}", (Label(found),))

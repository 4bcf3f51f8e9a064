"""Syntax as `.ein` text, such that parsing the text gives the same syntax again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TypeVar

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.limits import DEEPEST_NESTING
from einsum_front.notation import syntax
from einsum_front.notation.words import violated_limit

T = TypeVar("T")


class _Binding(IntEnum):
    """How tightly an expression holds together; what binds less than its place asks for is put in parentheses."""

    SUM = 0
    PRODUCT = 1
    FACTOR = 2
    POWER = 3
    ATOM = 4


def unparse(program: syntax.Program) -> str:
    """The text of a program, one item a line, kernels set apart."""
    printer = _Printer()
    printer.program(program)
    return printer.text()


def placed(program: syntax.Program, name: str) -> tuple[Source, syntax.Program]:
    """The text of a program as a source of this name, and the program as parsing it would give it, places included.

    Raises `CompileError` for what no text can say: numbers out of range (E0104), expressions too deep (E0110).
    """
    source = Source(name, unparse(program))
    return source, _Printer(source).program(program)


def unparse_statement(statement: syntax.Statement, indent: str = "") -> str:
    """The text of one statement; every line starts with `indent`."""
    printer = _Printer()
    printer.statement(statement, indent)
    return printer.text()


def unparse_expression(expression: syntax.Expression) -> str:
    """The text of one expression."""
    printer = _Printer()
    printer.expression(expression)
    return printer.text()


def unparse_item(item: syntax.Item) -> str:
    """The text of a declaration or a kernel."""
    printer = _Printer()
    printer.item(item)
    return printer.text()


class _Printer:
    """Text that grows by nodes. Each method gives its node back, with its place in `source` if the text is known."""

    def __init__(self, source: Source | None = None) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._length = 0
        self._depth = 0

    def text(self) -> str:
        """Everything so far."""
        return "".join(self._pieces)

    def program(self, program: syntax.Program) -> syntax.Program:
        """All items."""
        items = []
        for item in program.items:
            items.append(self.item(item))
            self._put("\n")
        return syntax.Program(tuple(items))

    # -- declarations --

    def item(self, item: syntax.Item) -> syntax.Item:
        """A declaration or a kernel."""
        match item:
            case syntax.Use(path):
                return syntax.Use(path, self._word("use ", f'"{path}"'))
            case syntax.Parameter(name, value):
                origin = self._word("param ", name)
                self._put(" = ")
                return syntax.Parameter(name, self.expression(value), origin)
            case syntax.Computed(kind, element_type):
                return syntax.Computed(kind, element_type, self._word(f"{kind} ", element_type))
            case syntax.Size(name, least, most, hint):
                origin = self._word("size ", name)
                return syntax.Size(
                    name, self._bound(">=", least), self._bound("<=", most), self._bound("~", hint), origin
                )
            case syntax.Tensor(name, members, shape, attributes, is_temporary):
                origin = self._word("temp " if is_temporary else "tensor ", name)
                members = self._members(members)
                shape = self._list("[", shape, "]")
                return syntax.Tensor(
                    name, members, shape, tuple(map(self._attribute, attributes)), is_temporary, origin
                )
            case syntax.Scalar(name, members, element_type):
                origin = self._word("scalar ", name)
                members = self._members(members)
                self._put(f" {element_type}" if element_type else "")
                return syntax.Scalar(name, members, element_type, origin)
            case syntax.Kernel(name, family, statements):
                origin = self._word("\nkernel ", name)
                ranges = self._all("{", family, ", ", "}", self._named_range) if family else ()
                return syntax.Kernel(name, ranges, self._block(statements, ""), origin)

    def _bound(self, sign: str, number: syntax.Expression | None) -> syntax.Expression | None:
        if number is None:
            return None
        self._put(f" {sign} ")
        return self.expression(number)

    def _attribute(self, attribute: syntax.Attribute) -> syntax.Attribute:
        self._put(" ")
        start = self._length
        self._put(attribute.name)
        argument = attribute.argument
        match argument:
            case None:
                pass
            case syntax.File(path):
                self._put(f' "{path}"')
            case syntax.Numbers(values):
                argument = syntax.Numbers(self._list("<", values, ">"))
            case syntax.Places(places):
                argument = syntax.Places(self._all(" [", places, ", ", "]", self._place))
        return syntax.Attribute(attribute.name, argument, self._since(start))

    def _place(self, place: syntax.Place) -> syntax.Place:
        start = self._length
        return syntax.Place(self._list("(", place.position, ")"), self._since(start))

    # -- statements --

    def statement(self, statement: syntax.Statement, indent: str) -> syntax.Statement:
        """A statement; every line starts with `indent`."""
        self._put(indent)
        start = self._length
        match statement:
            case syntax.Assignment(target, operator, value):
                target = self._reference(target)
                self._put(f" {operator.value} ")
                return syntax.Assignment(target, operator, self.expression(value), self._since(start))
            case syntax.Loop(variable, body):
                self._put("for ")
                variable = self._named_range(variable)
                return syntax.Loop(variable, self._block(body, indent), self._since(start))

    def _block(self, statements: tuple[syntax.Statement, ...], indent: str) -> tuple[syntax.Statement, ...]:
        self._put(" {\n")
        found = []
        for statement in statements:
            found.append(self.statement(statement, indent + "    "))
            self._put("\n")
        self._put(indent + "}")
        return tuple(found)

    # -- expressions --

    def expression(self, expression: syntax.Expression) -> syntax.Expression:
        """An expression, without parentheses around it."""
        start = self._length
        match expression:
            case syntax.Literal(text) | syntax.Imaginary(text):
                self._put(text if isinstance(expression, syntax.Literal) else f"{text}j")
                limit = None if self._source is None else violated_limit(text)
                if limit is not None:
                    raise self._mistake("E0104", "this number is out of range", start, limit)
                return type(expression)(text, self._since(start))
            case syntax.Reference():
                return self._reference(expression)
            case syntax.Ones(positions):
                self._put("1")
                return syntax.Ones(self._positions(positions), self._since(start))
            case syntax.Product(first, rest):
                first = self._at_least(_Binding.FACTOR, first)
                factors = tuple((by, self._joined(by.value, _Binding.FACTOR, each)) for by, each in rest)
                return syntax.Product(first, factors, self._since(start))
            case syntax.Sum(first, rest):
                first = self._at_least(_Binding.PRODUCT, first)
                terms = tuple((sign, self._joined(sign.value, _Binding.PRODUCT, each)) for sign, each in rest)
                return syntax.Sum(first, terms, self._since(start))
            case syntax.Negation() | syntax.Power() | syntax.RangeSum() | syntax.Call():
                with self._nested():
                    return self._compound(expression)

    def _compound(
        self, expression: syntax.Negation | syntax.Power | syntax.RangeSum | syntax.Call
    ) -> syntax.Expression:
        start = self._length
        match expression:
            case syntax.Negation(operand):
                self._put("-")
                return syntax.Negation(self._at_least(_Binding.FACTOR, operand), self._since(start))
            case syntax.Power(base, exponent):
                base = self._at_least(_Binding.ATOM, base)
                self._put("**")
                return syntax.Power(base, self._at_least(_Binding.FACTOR, exponent), self._since(start))
            case syntax.RangeSum(variable, body):
                self._put("sum{")
                variable = self._named_range(variable)
                self._put("}(")
                body = self.expression(body)
                self._put(")")
                return syntax.RangeSum(variable, body, self._since(start))
            case syntax.Call(function, over, arguments):
                self._put(function)
                over = self._members(over)
                given = self._all("(", arguments, ", ", ")", self._argument)
                return syntax.Call(function, over, given, self._since(start))

    def _joined(self, operator: str, binding: _Binding, expression: syntax.Expression) -> syntax.Expression:
        self._put(f" {operator} ")
        return self._at_least(binding, expression)

    def _at_least(self, binding: _Binding, expression: syntax.Expression) -> syntax.Expression:
        if _binding(expression) >= binding:
            return self.expression(expression)
        with self._nested():
            self._put("(")
            inner = self.expression(expression)
            self._put(")")
        return inner

    def _argument(self, argument: syntax.Expression | syntax.Condition) -> syntax.Expression | syntax.Condition:
        if not isinstance(argument, syntax.Condition):
            return self.expression(argument)
        start = self._length
        left = self.expression(argument.left)
        self._put(f" {argument.comparison.value} ")
        return syntax.Condition(left, argument.comparison, self.expression(argument.right), self._since(start))

    # -- index lists --

    def _reference(self, reference: syntax.Reference) -> syntax.Reference:
        start = self._length
        self._put(reference.name)
        members = self._members(reference.members)
        positions = None if reference.positions is None else self._positions(reference.positions)
        if reference.element is not None:
            self._put("@")
        element = None if reference.element is None else self._reference(reference.element)
        return syntax.Reference(reference.name, members, positions, self._since(start), element)

    def _positions(self, positions: tuple[syntax.Position, ...]) -> tuple[syntax.Position, ...]:
        """With commas, so that every name is one index; a long name that stands alone needs a comma too."""
        match positions:
            case (syntax.RunningIndex(name, None),) if len(name) > 1:
                return self._all("[", positions, ",", ",]", self._position)
            case _:  # open: all other lists are read as they are written
                return self._all("[", positions, ",", "]", self._position)

    def _position(self, position: syntax.Position) -> syntax.Position:
        start = self._length
        match position:
            case syntax.RunningIndex(name, within):
                self._put(name if within is None else f"{name}=")
                within = None if within is None else self._range(within)
                return syntax.RunningIndex(name, within, self._since(start))
            case syntax.FixedIndex(syntax.Reference(positions=None) as name):
                (inner,) = self._list("(", (name,), ")")
                return syntax.FixedIndex(inner, self._since(start))
            case syntax.FixedIndex(expression):
                return syntax.FixedIndex(self.expression(expression), self._since(start))

    def _range(self, within: syntax.Range) -> syntax.Range:
        start = self._length
        first = self.expression(within.start)
        self._put(":")
        return syntax.Range(first, self.expression(within.stop), self._since(start))

    def _named_range(self, variable: syntax.NamedRange) -> syntax.NamedRange:
        origin = self._word("", variable.name)
        self._put(" in ")
        return syntax.NamedRange(variable.name, self._range(variable.range), origin)

    # -- lists and places --

    def _members(self, members: tuple[syntax.Expression, ...]) -> tuple[syntax.Expression, ...]:
        return self._list("{", members, "}") if members else ()

    def _list(
        self, opening: str, expressions: tuple[syntax.Expression, ...], closing: str
    ) -> tuple[syntax.Expression, ...]:
        return self._all(opening, expressions, ",", closing, self.expression)

    def _all(
        self, opening: str, nodes: Iterable[T], comma: str, closing: str, printed: Callable[[T], T]
    ) -> tuple[T, ...]:
        found = []
        for number, node in enumerate(nodes):
            self._put(comma if number else opening)
            found.append(printed(node))
        self._put(closing if found else opening + closing)
        return tuple(found)

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _word(self, before: str, word: str) -> Origin:
        """The place of a word, which is put behind another one."""
        self._put(before)
        start = self._length
        self._put(word)
        return self._since(start)

    def _since(self, start: int) -> Origin:
        return () if self._source is None else (Span(self._source, start, self._length),)

    @contextmanager
    def _nested(self) -> Iterator[None]:
        """Around an expression that can contain itself: what reads a text has a limit."""
        start = self._length
        self._depth += 1
        yield
        if self._source is not None and self._depth == DEEPEST_NESTING + 1:
            raise self._mistake("E0110", f"expressions nest at most {DEEPEST_NESTING} levels deep", start)
        self._depth -= 1

    def _mistake(self, code: str, message: str, start: int, label: str = "") -> CompileError:
        return CompileError([Diagnostic(code, message, tuple(Label(span, label) for span in self._since(start)))])


def _binding(expression: syntax.Expression) -> _Binding:
    match expression:
        case (
            syntax.Literal()
            | syntax.Imaginary()
            | syntax.Reference()
            | syntax.Ones()
            | syntax.RangeSum()
            | syntax.Call()
        ):
            return _Binding.ATOM
        case syntax.Power():
            return _Binding.POWER
        case syntax.Negation():
            return _Binding.FACTOR
        case syntax.Product():
            return _Binding.PRODUCT
        case syntax.Sum():
            return _Binding.SUM

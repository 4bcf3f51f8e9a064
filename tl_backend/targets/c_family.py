"""Kernel trees in languages that are spelled like C: one printer, which a subclass for each language completes.

Every operator stands once in `BINARY` or `UNARY` with its precedence; parentheses are printed only where the tree
and C's precedences differ. Numbers are exact.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from textwrap import wrap

from einsum_front.diagnostics import Origin
from einsum_front.tl_backend.kernel.tree import (
    Access,
    Assign,
    AtomicUpdate,
    Barrier,
    Binary,
    BinaryOperator,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    DeclareArray,
    DoWhile,
    Expression,
    File,
    Floating,
    For,
    Function,
    GroupCount,
    GroupId,
    If,
    Integer,
    ItemId,
    Lanes,
    Math,
    Name,
    Pack,
    Prefetch,
    Section,
    Shuffle,
    Statement,
    Statements,
    Subscript,
    Table,
    Unary,
    UnaryOperator,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector

POSTFIX, PREFIX, MULTIPLICATIVE, CONDITIONAL = 15, 14, 13, 3

BINARY: dict[BinaryOperator, tuple[str, int]] = {
    BinaryOperator.MULTIPLY: ("*", MULTIPLICATIVE),
    BinaryOperator.DIVIDE: ("/", MULTIPLICATIVE),
    BinaryOperator.REMAINDER: ("%", MULTIPLICATIVE),
    BinaryOperator.ADD: ("+", 12),
    BinaryOperator.SUBTRACT: ("-", 12),
    BinaryOperator.SHIFT_LEFT: ("<<", 11),
    BinaryOperator.SHIFT_RIGHT: (">>", 11),
    BinaryOperator.LESS: ("<", 10),
    BinaryOperator.LESS_EQUAL: ("<=", 10),
    BinaryOperator.GREATER: (">", 10),
    BinaryOperator.GREATER_EQUAL: (">=", 10),
    BinaryOperator.EQUAL: ("==", 9),
    BinaryOperator.NOT_EQUAL: ("!=", 9),
    BinaryOperator.BIT_AND: ("&", 8),
    BinaryOperator.BIT_XOR: ("^", 7),
    BinaryOperator.BIT_OR: ("|", 6),
}
"""Spelling and precedence; all bind to the left."""

UNARY: dict[UnaryOperator, str] = {
    UnaryOperator.NEGATE: "-",
    UnaryOperator.COMPLEMENT: "~",
    UnaryOperator.NOT: "!",
}

Text = tuple[str, int]
"""An expression and the precedence of its outermost operator."""

INDENT = "    "
WIDTH = 120


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text and the characters of the user's source that it came from."""

    text: str
    origin: Origin = ()


class Printer(ABC):
    """A file of the kernel tree as text; the tables and the abstract methods are what languages spell differently."""

    scalars: Mapping[Scalar, str]
    suffixes: Mapping[Scalar, str]
    spaces: Mapping[AddressSpace, str]
    restrict: str

    # -- what a language says ------------------------------------------------------------------------------------------

    @abstractmethod
    def preamble(self, file: File) -> Iterator[str]:
        """What stands above the tables: what the compiler must be told, and types."""

    @abstractmethod
    def support(self, file: File) -> Iterator[str]:
        """Functions of the language that stand above those of the file, with an empty line above each."""

    @abstractmethod
    def attributes(self, function: Function) -> Iterator[str]:
        """The lines above the head of a function."""

    @abstractmethod
    def vector(self, vector: Vector) -> str:
        """The type of a vector."""

    @abstractmethod
    def table_space(self) -> str:
        """What stands in front of a table."""

    @abstractmethod
    def geometry(self, expression: GroupId | GroupCount | ItemId) -> Text:
        """The place in the launch."""

    @abstractmethod
    def math(self, math: Math) -> Text:
        """A function of two numbers."""

    @abstractmethod
    def pack(self, pack: Pack) -> Text:
        """A vector from its parts."""

    @abstractmethod
    def shuffle(self, shuffle: Shuffle) -> Text:
        """Entries of two vectors."""

    @abstractmethod
    def lanes(self, lanes: Lanes) -> Text:
        """Entries of a vector."""

    @abstractmethod
    def hints(self, loop: For) -> Iterator[str]:
        """The lines above a loop."""

    @abstractmethod
    def effect(self, statement: AtomicUpdate | Barrier | Prefetch) -> str:
        """A statement that languages have functions for."""

    # -- files ---------------------------------------------------------------------------------------------------------

    def unparse(self, file: File) -> str:
        """The text of the file."""
        return "".join(line.text + "\n" for line in self.lines(file))

    def lines(self, file: File) -> tuple[Line, ...]:
        """The lines of the file, each with its origin."""
        lines = [Line(f"// {_comment(text)}") for text in file.comment]
        lines += [Line(text) for text in self.preamble(file)]
        lines += [line for table in file.tables for line in self._table(table)]
        lines += [Line(text) for text in self.support(file)]
        for function in file.functions:
            lines += [Line(""), *self._function(function)]
        return tuple(lines if lines and lines[0].text else lines[1:])

    def _table(self, table: Table) -> Iterator[Line]:
        yield Line(f"{self.table_space()} {self.scalars[table.element]} {table.name}[{len(table.values)}] = {{")
        numbers = ", ".join(self.expression(_number(value, table.element)) for value in table.values)
        # a hyphen may be in front of an exponent
        lines = wrap(numbers, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
        yield from map(Line, lines)
        yield Line("};")

    # -- functions and statements --------------------------------------------------------------------------------------

    def _function(self, function: Function) -> Iterator[Line]:
        yield from map(Line, self.attributes(function))
        yield from self._signature(function)
        yield Line("{")
        yield from self._statements(function.body, (), INDENT)
        yield Line("}")

    def _signature(self, function: Function) -> Iterator[Line]:
        """On one line, or with a line for every parameter."""
        head = f"void {function.name}("
        parameters = [self._declarator(parameter.type, parameter.name) for parameter in function.parameters]
        line = f"{head}{', '.join(parameters)})"
        if len(line) <= WIDTH or not parameters:
            yield Line(line)
            return
        yield Line(head)
        yield from (Line(f"{INDENT}{parameter},") for parameter in parameters[:-1])
        yield Line(f"{INDENT}{parameters[-1]})")

    def _statements(self, statements: Statements, origin: Origin, indent: str) -> Iterator[Line]:
        for statement in statements:
            yield from self._statement(statement, origin, indent)

    def _statement(self, statement: Statement, origin: Origin, indent: str) -> Iterator[Line]:
        match statement:
            case Section(comment=comment, body=body, origin=inner):
                yield from (Line(f"{indent}// {_comment(text)}", inner) for text in comment)
                yield from self._statements(body, inner, indent)
            case Block(body=body):
                yield from self._braces("", body, "", origin, indent)
            case If():
                yield from self._if(statement, origin, indent)
            case For():
                yield from (Line(f"{indent}{hint}", origin) for hint in self.hints(statement))
                yield from self._braces(self._for_head(statement), statement.body, "", origin, indent)
            case DoWhile(body=body, condition=condition):
                yield from self._braces("do ", body, f" while ({self.expression(condition)});", origin, indent)
            case Declare() | DeclareArray() | Assign() | Call():
                yield Line(f"{indent}{self._simple(statement)};", origin)
            case AtomicUpdate() | Barrier() | Prefetch():
                yield Line(f"{indent}{self.effect(statement)};", origin)

    def _braces(self, head: str, body: Statements, tail: str, origin: Origin, indent: str) -> Iterator[Line]:
        yield Line(f"{indent}{head}{{", origin)
        yield from self._statements(body, origin, indent + INDENT)
        yield Line(f"{indent}}}{tail}", origin)

    def _if(self, statement: If, origin: Origin, indent: str) -> Iterator[Line]:
        head = f"if ({self.expression(statement.condition)}) "
        if not statement.otherwise:
            yield from self._braces(head, statement.then, "", origin, indent)
            return
        yield Line(f"{indent}{head}{{", origin)
        yield from self._statements(statement.then, origin, indent + INDENT)
        yield Line(f"{indent}}} else {{", origin)
        yield from self._statements(statement.otherwise, origin, indent + INDENT)
        yield Line(f"{indent}}}", origin)

    def _for_head(self, loop: For) -> str:
        variable, step = loop.variable, self.expression(loop.step)
        count = f"++{variable}" if step == "1" else f"{variable} += {step}"
        stop = self.operand(loop.stop, BINARY[BinaryOperator.LESS][1] + 1)
        first = f"{self.scalars[loop.type]} {variable} = {self.expression(loop.start)}"
        return f"for ({first}; {variable} < {stop}; {count}) "

    def _simple(self, statement: Declare | DeclareArray | Assign | Call) -> str:
        match statement:
            case Declare(type=type_, name=name, value=value):
                return self._declarator(type_, name) + ("" if value is None else f" = {self.expression(value)}")
            case DeclareArray(element=element, name=name, count=count, alignment=alignment):
                array = f"{self._qualified(statement.space)}{self.type_name(element)} {name}[{count}]"
                aligned = "" if alignment is None else f" __attribute__((aligned({alignment})))"
                return array + aligned + (" = {0}" if statement.is_zero else "")
            case Assign(target=target, value=value, operator=operator):
                sign = "" if operator is None else BINARY[operator][0]
                return f"{self.expression(target)} {sign}= {self.expression(value)}"
            case Call(function=function, arguments=arguments):
                return f"{function}({', '.join(map(self.expression, arguments))})"

    # -- types ---------------------------------------------------------------------------------------------------------

    def _declarator(self, type_: Type, name: str) -> str:
        match type_:
            case Scalar() | Vector():
                return f"{self.type_name(type_)} {name}"
            case Pointer(is_restrict=is_restrict):
                return f"{self.pointer(type_)}{f'{self.restrict} ' if is_restrict else ''}{name}"

    def pointer(self, pointer: Pointer) -> str:
        """A pointer without its name."""
        const = "const " if pointer.is_const else ""
        return f"{self._qualified(pointer.space)}{const}{self.type_name(pointer.target)} *"

    def _qualified(self, space: AddressSpace) -> str:
        return f"{self.spaces[space]} " if self.spaces[space] else ""

    def type_name(self, type_: Type) -> str:
        """A type without a name."""
        match type_:
            case Scalar():
                return self.scalars[type_]
            case Vector(element=element, width=1):
                return self.scalars[element]
            case Vector():
                return self.vector(type_)
            case Pointer():
                return self.pointer(type_)

    # -- expressions ---------------------------------------------------------------------------------------------------

    def expression(self, expression: Expression) -> str:
        """The text of an expression that stands alone."""
        return self._text(expression)[0]

    def operand(self, expression: Expression, least: int) -> str:
        """The expression, in parentheses if it binds weaker than `least`."""
        text, precedence = self._text(expression)
        return text if precedence >= least else f"({text})"

    def _text(self, expression: Expression) -> Text:
        """The text of an expression and the precedence of its outermost operator."""
        match expression:
            case Name(text=text):
                return text, POSTFIX
            case Integer():
                return self._integer(expression)
            case Binary(operator=operator, left=left, right=right):
                sign, precedence = BINARY[operator]
                return f"{self.operand(left, precedence)} {sign} {self.operand(right, precedence + 1)}", precedence
            case Subscript(base=base, index=index):
                return f"{self.operand(base, POSTFIX)}[{self.expression(index)}]", POSTFIX
            case Floating(value=value, type=type_):
                return _exact(value) + self.suffixes[type_], PREFIX if value < 0 else POSTFIX
            case Unary(operator=operator, operand=operand):
                return self._prefixed(UNARY[operator], operand), PREFIX
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                branches = f"{self.expression(then)} : {self.operand(otherwise, CONDITIONAL)}"
                return f"{self.operand(condition, CONDITIONAL + 1)} ? {branches}", CONDITIONAL
            case Cast(type=type_, operand=operand):
                return f"({self.type_name(type_)}){self.operand(operand, PREFIX)}", PREFIX
            case Access(pointer=pointer, address=address):
                return f"*({self.pointer(pointer)}){self.operand(address, PREFIX)}", PREFIX
            case GroupId() | GroupCount() | ItemId() | Math() | Pack() | Shuffle() | Lanes():
                return self._built_in(expression)

    def _built_in(self, expression: GroupId | GroupCount | ItemId | Math | Pack | Shuffle | Lanes) -> Text:
        """What languages have functions or a syntax of their own for."""
        match expression:
            case GroupId() | GroupCount() | ItemId():
                return self.geometry(expression)
            case Math():
                return self.math(expression)
            case Pack():
                return self.pack(expression)
            case Shuffle():
                return self.shuffle(expression)
            case Lanes():
                return self.lanes(expression)

    def _prefixed(self, sign: str, operand: Expression) -> str:
        """`- -x` would join to one token: such an operand gets parentheses."""
        text = self.operand(operand, PREFIX)
        return f"{sign}({text})" if text.startswith(sign) else sign + text

    def _integer(self, integer: Integer) -> Text:
        """C has no negative constants, so the least number of a signed type is written as a difference."""
        suffix = self.suffixes[integer.type]
        if integer.value in (-(2**31), -(2**63)):
            return f"{integer.value + 1}{suffix} - 1{suffix}", BINARY[BinaryOperator.SUBTRACT][1]
        return f"{integer.value}{suffix}", PREFIX if integer.value < 0 else POSTFIX


def _number(value: float, type_: Scalar) -> Integer | Floating:
    return Floating(value, type_) if type_.is_floating else Integer(int(value), type_)


def _comment(text: str) -> str:
    """One line of ASCII without a backslash, which at the end of a line would make the next one a comment too."""
    words = " ".join(text.split())
    return words.replace("\\", "/").encode("ascii", "backslashreplace").decode().replace("\\", "?")


def _exact(value: float) -> str:
    """The shortest decimal if it is the number itself, as for 1.0 and 0.25, otherwise hexadecimal."""
    if Decimal(repr(value)) == Decimal(value):
        return repr(value)
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0')}p{exponent}"

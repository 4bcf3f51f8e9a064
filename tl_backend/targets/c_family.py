"""Kernel trees in languages that are spelled like C: one printer, which a subclass for each language completes.

Parentheses are printed only where the tree and C's precedences differ. Numbers are exact.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from textwrap import wrap

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.functions import Function
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import Features, features_of_file
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Type, Vector
from einsum_front.tl_backend.kernel.typing import Symbol, type_of
from einsum_front.tl_backend.targets.c_operators import (
    BINARY,
    CONDITIONAL,
    NARROW,
    POSTFIX,
    PREFIX,
    UNARY,
    Text,
    comment_text,
    exact,
)
from einsum_front.tl_backend.targets.streams import streamed

INDENT = "    "
WIDTH = 120

Effect = tree.AtomicUpdate | tree.MatrixMultiplyAdd | tree.Barrier | tree.Prefetch
"""Statements that each language has words of its own for."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text and the characters of the user's source that it came from."""

    text: str
    origin: Origin = ()


@dataclass(frozen=True, slots=True)
class Language:
    """A language that kernels are written in: what its compilers call it, and how a file becomes text.

    `reserved` are the words that no name of a file may be. `ending` stands behind the names of all functions of a file,
    so that several files can be one text; names that end so are reserved where they could be called. With
    `has_prefetch` all its compilers can fetch a line. `header` stands once above texts that do not bring it.
    """

    name: str
    reserved: frozenset[str] = field(repr=False)
    printer: Callable[[], "Printer"]
    ending: str = ""
    has_prefetch: bool = False
    header: str = ""

    def text_of(self, function: tree.Function) -> str:
        """A function that is a file by itself."""
        return self.printer().unparse(tree.File((function,)))


class Printer(ABC):
    """A file of the kernel tree as text; the tables and the abstract methods are what languages spell differently.

    A printer is for one file at a time: it keeps the types of the names that it has come by.
    """

    scalars: Mapping[Scalar, str]
    suffixes: Mapping[Scalar, str]
    spaces: Mapping[AddressSpace, str]
    functions: Mapping[tree.MathFunction | Function, str]
    unrolling: Mapping[tree.Unroll, str]
    """The lines above loops that are to be unrolled or not to be."""
    without_vectors: str | None
    """The line above loops that compilers must not vectorize."""
    restrict: str
    ending: str = ""
    stream: str = "{1} = {2}"
    fence: str = "(void)0"
    """A store past the caches, of a type, to a place, of a value; and what orders it before others."""

    def __init__(self) -> None:
        self._names: dict[str, Symbol] = {}
        self._tables: set[str] = set()
        self._lines: list[Line] = []

    # -- what a language says ------------------------------------------------------------------------------------------

    @abstractmethod
    def preamble(self, file: tree.File, found: Features) -> Iterator[str]:
        """What stands above the tables: what the compiler must be told, and types."""

    @abstractmethod
    def support(self, found: Features) -> Iterator[str]:
        """Functions of the language that stand above those of the file, with an empty line above each."""

    @abstractmethod
    def attributes(self, function: tree.Function) -> Iterator[str]:
        """The lines above the head of a function."""

    def vector(self, vector: Vector) -> str:
        """The type of a vector: `f64x4`, or `f64x4_u` where it may start at any entry."""
        return f"{vector.element.value}x{vector.width}{'_u' if vector.is_unaligned else ''}"

    @abstractmethod
    def table_space(self) -> str:
        """What stands in front of a table."""

    @abstractmethod
    def geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Text:
        """The place in the launch."""

    @abstractmethod
    def pack(self, pack: tree.Pack) -> Text:
        """A vector from its parts."""

    def cast_vector(self, vector: Vector, operand: tree.Expression) -> Text:
        """A vector whose entries are those of another one, in another type: entry by entry."""
        lanes = [tree.Lanes(operand, (lane,)) for lane in range(vector.width)]
        return self.pack(tree.Pack(vector, tuple(tree.Cast(vector.element, lane) for lane in lanes)))

    @abstractmethod
    def shuffle(self, shuffle: tree.Shuffle) -> Text:
        """Entries of two vectors."""

    @abstractmethod
    def lanes(self, lanes: tree.Lanes) -> Text:
        """Entries of a vector."""

    @abstractmethod
    def effect(self, statement: Effect) -> str:
        """A statement that languages have functions for."""

    def head(self, function: tree.Function) -> tuple[str, tuple[str, ...]]:
        """What stands in front of the name of a function, and parameters that the language adds before the others."""
        return "void", ()

    def aligned(self, alignment: int) -> str:
        """What stands behind an array that begins at a multiple of so many bytes; GCC's attribute is common."""
        return f"__attribute__((aligned({alignment})))"

    def math(self, math: tree.Math) -> Text:
        """A call of one of `functions`."""
        return f"{self.functions[math.function]}({', '.join(map(self.expression, math.operands))})", POSTFIX

    def hold(self, name: str) -> Iterator[str]:
        """Statements that hide the value of a variable from the compiler; none, if it does not need them."""
        yield from ()

    def hints(self, loop: tree.For) -> Iterator[str]:
        """The lines above a loop."""
        if loop.unroll in self.unrolling:
            yield self.unrolling[loop.unroll]
        if loop.is_scalar and self.without_vectors is not None:
            yield self.without_vectors

    def converted(self, value: tree.Expression, to: Type | tree.Place) -> str:
        """A value that becomes one of this type, or of that of this place, by itself."""
        return self.expression(value)

    def conditional(self, conditional: tree.Conditional) -> Text:
        """The operator of C."""
        branches = f"{self.expression(conditional.then)} : {self.operand(conditional.otherwise, CONDITIONAL)}"
        return f"{self.operand(conditional.condition, CONDITIONAL + 1)} ? {branches}", CONDITIONAL

    def closing(self) -> Iterator[str]:
        """What stands below the functions."""
        yield from ()

    # -- files ---------------------------------------------------------------------------------------------------------

    def unparse(self, file: tree.File) -> str:
        """The text of the file."""
        return "".join(line.text + "\n" for line in self.lines(file))

    def lines(self, file: tree.File) -> tuple[Line, ...]:
        """The lines of the file, each with its origin."""
        found = features_of_file(file)
        self._lines = [Line(f"// {comment_text(text)}") for text in file.comment]
        self._lines += map(Line, self.preamble(file, found))
        for table in file.tables:
            self._table(table)
        self._lines += map(Line, self.support(found))
        for function in file.functions:
            self._lines.append(Line(""))
            self._function(function)
        self._lines += map(Line, self.closing())
        return tuple(self._lines if self._lines and self._lines[0].text else self._lines[1:])

    def _table(self, table: tree.Table) -> None:
        self._names[table.name] = Symbol(Pointer(table.element, AddressSpace.GLOBAL, is_const=True))
        self._tables.add(table.name)
        name = f"{table.name}{self.ending}[{len(table.values)}]"
        self._lines.append(Line(f"{self.table_space()} {self.scalars[table.element]} {name} = {{"))
        number = tree.Floating if (kind := table.element).is_floating else tree.Integer
        numbers = ", ".join(self.expression(number(each, kind)) for each in table.values)  # type: ignore[arg-type]
        # a hyphen may be in front of an exponent
        lines = wrap(numbers, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
        self._lines += map(Line, (*lines, "};"))

    # -- functions and statements --------------------------------------------------------------------------------------

    def _function(self, function: tree.Function) -> None:
        self._lines += map(Line, (*self.attributes(function), *self._signature(function), "{"))
        self._statements(function.body, (), INDENT)
        self._lines.append(Line("}"))

    def _signature(self, function: tree.Function) -> tuple[str, ...]:
        """On one line, or with a line for every parameter."""
        before, added = self.head(function)
        head = f"{before} {function.name}{self.ending}("
        parameters = [*added, *(self._declared(parameter.type, parameter.name) for parameter in function.parameters)]
        line = f"{head}{', '.join(parameters)})"
        if len(line) <= WIDTH or not parameters:
            return (line,)
        return head, *(f"{INDENT}{parameter}," for parameter in parameters[:-1]), f"{INDENT}{parameters[-1]})"

    def _statements(self, statements: tree.Statements, origin: Origin, indent: str) -> None:
        for statement in statements:
            self._statement(statement, origin, indent)

    def _statement(self, statement: tree.Statement, origin: Origin, indent: str) -> None:
        match statement:
            case tree.Assign() | tree.Declare() | tree.DeclareArray() | tree.Call():
                self._lines.append(Line(f"{indent}{self._simple(statement)};", origin))
                if isinstance(statement, tree.Declare) and statement.is_held:
                    self._lines += [Line(f"{indent}{hold};", origin) for hold in self.hold(statement.name)]
            case tree.Section(comment=comment, body=body, origin=inner):
                self._lines += [Line(f"{indent}// {comment_text(text)}", inner) for text in comment]
                self._statements(body, inner, indent)
            case tree.Block(body=body):
                self._braces("", body, "", origin, indent)
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                head = f"if ({self.expression(condition)}) "
                self._braces(head, then, " else {" if otherwise else "", origin, indent)
                if otherwise:
                    self._statements(otherwise, origin, indent + INDENT)
                    self._lines.append(Line(f"{indent}}}", origin))
            case tree.For():
                self._names[statement.variable] = Symbol(statement.type)
                self._lines += [Line(f"{indent}{hint}", origin) for hint in self.hints(statement)]
                over = "" if statement.over in ("", statement.variable) else f"  // {comment_text(statement.over)}"
                self._braces(self._for_head(statement), statement.body, "", origin, indent, over)
            case tree.DoWhile(body=body, condition=condition):
                self._braces("do ", body, f" while ({self.expression(condition)});", origin, indent)
            case tree.AtomicUpdate() | tree.MatrixMultiplyAdd() | tree.Barrier() | tree.Prefetch():
                self._lines.append(Line(f"{indent}{self.effect(statement)};", origin))
            case tree.Fence():
                self._lines.append(Line(f"{indent}{self.fence};", origin))

    def _braces(
        self, head: str, body: tree.Statements, tail: str, origin: Origin, indent: str, behind: str = ""
    ) -> None:
        self._lines.append(Line(f"{indent}{head}{{{behind}", origin))
        self._statements(body, origin, indent + INDENT)
        self._lines.append(Line(f"{indent}}}{tail}", origin))

    def _for_head(self, loop: tree.For) -> str:
        variable, step = loop.variable, self.expression(loop.step)
        count = f"++{variable}" if step == "1" else f"{variable} += {step}"
        stop = self.operand(loop.stop, BINARY[tree.BinaryOperator.LESS][1] + 1)
        first = f"{self.scalars[loop.type]} {variable} = {self.expression(loop.start)}"
        return f"for ({first}; {variable} < {stop}; {count}) "

    def _simple(self, statement: tree.Declare | tree.DeclareArray | tree.Assign | tree.Call) -> str:
        match statement:
            case tree.Declare(type=type_, name=name, value=value):
                if value is None:
                    return self._declared(type_, name)
                first = self.converted(value, type_) if isinstance(type_, Vector) else self.expression(value)
                return f"{self._declared(type_, name)} = {first}"
            case tree.DeclareArray(element=element, name=name, count=count, alignment=alignment):
                self._names[name] = Symbol(Pointer(element, statement.space))
                array = f"{self._qualified(statement.space)}{self.type_name(element)} {name}[{count}]"
                aligned = "" if alignment is None else f" {self.aligned(alignment)}"
                return array + aligned + (" = {0}" if statement.is_zero else "")
            case tree.Assign(target=target, value=value, operator=operator):
                place = self.expression(target)
                if operator is None:
                    new, vector = self.converted(value, target), streamed(statement) if statement.is_streamed else None
                    return f"{place} = {new}" if vector is None else self.stream.format(self.vector(vector), place, new)
                return f"{place} {BINARY[operator][0]}= {self.expression(value)}"
            case tree.Call(function=function, arguments=arguments):
                return f"{function}{self.ending}({', '.join(map(self.expression, arguments))})"

    def _declared(self, type_: Type, name: str) -> str:
        """A declarator, whose type is known from now on."""
        self._names[name] = Symbol(type_)
        return self._declarator(type_, name)

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

    def expression(self, expression: tree.Expression) -> str:
        """The text of an expression that stands alone."""
        return self._text(expression)[0]

    def operand(self, expression: tree.Expression, least: int) -> str:
        """The expression, in parentheses if it binds weaker than `least`."""
        text, precedence = self._text(expression)
        return text if precedence >= least else f"({text})"

    def _text(self, expression: tree.Expression) -> Text:
        """The text of an expression and the precedence of its outermost operator."""
        match expression:
            case tree.Name(text=text):
                return (text + self.ending if text in self._tables else text), POSTFIX
            case tree.Integer():
                return self._integer(expression)
            case tree.Binary(operator=operator, left=left, right=right):
                sign, precedence = BINARY[operator]
                return f"{self.operand(left, precedence)} {sign} {self.operand(right, precedence + 1)}", precedence
            case tree.Subscript(base=base, index=index):
                return f"{self.operand(base, POSTFIX)}[{self.expression(index)}]", POSTFIX
            case tree.Access(pointer=pointer, address=address):
                return f"*({self.pointer(pointer)}){self.operand(address, PREFIX)}", PREFIX
            case tree.Floating(value=value, type=type_):
                return exact(value) + self.suffixes[type_], PREFIX if value < 0 else POSTFIX
            case tree.Unary(operator=operator, operand=operand):
                return self._prefixed(UNARY[operator], operand), PREFIX
            case tree.Conditional():
                return self.conditional(expression)
            case tree.Cast(type=type_, operand=operand):
                return self.cast(type_, operand)
            case (
                tree.GroupId() | tree.GroupCount() | tree.ItemId() | tree.Math() | tree.Pack() | tree.Shuffle()
                | tree.Lanes()
            ):  # fmt: skip
                return self._built_in(expression)

    def cast(self, type_: Type, operand: tree.Expression) -> Text:
        """The operand in another type."""
        if isinstance(type_, Vector) and type_.width > 1:
            return self.cast_vector(type_, operand)
        kind = type_of(operand, self._names) if type_ is Scalar.F32 else type_
        if kind in NARROW:
            return f"{NARROW[kind][type_ is kind]}{self.ending}({self.expression(operand)})", POSTFIX
        return f"({self.type_name(type_)}){self.operand(operand, PREFIX)}", PREFIX

    def _built_in(
        self,
        expression: tree.GroupId | tree.GroupCount | tree.ItemId | tree.Math | tree.Pack | tree.Shuffle | tree.Lanes,
    ) -> Text:
        """What languages have functions or a syntax of their own for."""
        match expression:
            case tree.GroupId() | tree.GroupCount() | tree.ItemId():
                return self.geometry(expression)
            case tree.Math():
                return self.math(expression)
            case tree.Pack():
                return self.pack(expression)
            case tree.Shuffle():
                return self.shuffle(expression)
            case tree.Lanes():
                return self.lanes(expression)

    def _prefixed(self, sign: str, operand: tree.Expression) -> str:
        """`- -x` would join to one token: such an operand gets parentheses."""
        text = self.operand(operand, PREFIX)
        return f"{sign}({text})" if text.startswith(sign) else sign + text

    def _integer(self, integer: tree.Integer) -> Text:
        """C has no negative constants, so the least number of a signed type is written as a difference."""
        suffix = self.suffixes[integer.type]
        if integer.value in (-(2**31), -(2**63)):
            return f"{integer.value + 1}{suffix} - 1{suffix}", BINARY[tree.BinaryOperator.SUBTRACT][1]
        return f"{integer.value}{suffix}", PREFIX if integer.value < 0 else POSTFIX

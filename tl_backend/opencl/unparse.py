"""OpenCL C from its tree: the only place that knows how C is written.

Every operator stands once in `BINARY` or `UNARY` with its precedence; parentheses are printed only where the tree
and C's precedences differ. Numbers are exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from textwrap import wrap

from einsum_front.diagnostics import Origin
from einsum_front.tl_backend.opencl.target import size_of
from einsum_front.tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Call,
    Cast,
    Conditional,
    Declare,
    DeclareArray,
    DoWhile,
    Evaluate,
    Expression,
    File,
    Floating,
    For,
    Function,
    If,
    Integer,
    Lanes,
    Name,
    Pointer,
    Scalar,
    Section,
    Statement,
    Statements,
    Subscript,
    Table,
    Tuple,
    Type,
    Unary,
    UnaryOperator,
    Unroll,
    Vector,
)

POSTFIX, PREFIX, CONDITIONAL, LOWEST = 15, 14, 3, 0

BINARY: dict[BinaryOperator, tuple[str, int]] = {
    BinaryOperator.MULTIPLY: ("*", 13),
    BinaryOperator.DIVIDE: ("/", 13),
    BinaryOperator.REMAINDER: ("%", 13),
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
    UnaryOperator.ADDRESS: "&",
    UnaryOperator.DEREFERENCE: "*",
}

SUFFIX: dict[Scalar, str] = {
    Scalar.INT: "",
    Scalar.UINT: "u",
    Scalar.LONG: "L",
    Scalar.ULONG: "UL",
    Scalar.FLOAT: "f",
    Scalar.DOUBLE: "",
}

PRAGMAS = {Unroll.FULLY: "#pragma unroll", Unroll.NEVER: "#pragma unroll 1"}

INDENT = "    "
WIDTH = 120


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text and the characters of the user's source that it came from."""

    text: str
    origin: Origin = ()


def unparse(file: File) -> str:
    """The text of the file."""
    return "".join(line.text + "\n" for line in unparse_lines(file))


def unparse_lines(file: File) -> tuple[Line, ...]:
    """The lines of the file, each with its origin."""
    lines = [Line(f"// {_comment(text)}") for text in file.comment]
    lines += [Line(f"#pragma OPENCL EXTENSION {extension} : enable") for extension in file.extensions]
    lines += [Line(_typedef(vector)) for vector in file.unaligned if vector.width > 1]  # one entry is a scalar
    lines += [line for table in file.tables for line in _table(table)]
    for function in file.functions:
        if lines:
            lines.append(Line(""))
        lines += _function(function)
    return tuple(lines)


def _typedef(vector: Vector) -> str:
    aligned = replace(vector, is_unaligned=False)
    return f"typedef {_type(aligned)} {_type(vector)} __attribute__((aligned({size_of(vector.element)})));"


def _table(table: Table) -> Iterator[Line]:
    yield Line(f"constant {table.element.value} {table.name}[{len(table.values)}] = {{")
    numbers = ", ".join(_expression(_number(value, table.element)) for value in table.values)
    # a hyphen may be in front of an exponent
    lines = wrap(numbers, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
    yield from map(Line, lines)
    yield Line("};")


def _number(value: float, type_: Scalar) -> Integer | Floating:
    return Floating(value, type_) if type_.is_floating else Integer(int(value), type_)


# -- functions and statements ------------------------------------------------------------------------------------------


def _function(function: Function) -> Iterator[Line]:
    if function.work_group_size is not None:
        size = ", ".join(str(size) for size in function.work_group_size)
        yield Line(f"kernel __attribute__((reqd_work_group_size({size})))")
    if function.instructions is not None:
        yield Line(f'__attribute__((noinline, target("{function.instructions}")))')
    yield from _signature(function)
    yield Line("{")
    yield from _statements(function.body, (), INDENT)
    yield Line("}")


def _signature(function: Function) -> Iterator[Line]:
    """On one line, or with a line for every parameter."""
    head = f"void {function.name}("
    parameters = [_declarator(parameter.type, parameter.name) for parameter in function.parameters]
    line = f"{head}{', '.join(parameters)})"
    if len(line) <= WIDTH or not parameters:
        yield Line(line)
        return
    yield Line(head)
    yield from (Line(f"{INDENT}{parameter},") for parameter in parameters[:-1])
    yield Line(f"{INDENT}{parameters[-1]})")


def _statements(statements: Statements, origin: Origin, indent: str) -> Iterator[Line]:
    for statement in statements:
        yield from _statement(statement, origin, indent)


def _statement(statement: Statement, origin: Origin, indent: str) -> Iterator[Line]:
    match statement:
        case Section(comment=comment, body=body, origin=inner):
            yield from (Line(f"{indent}// {_comment(text)}", inner) for text in comment)
            yield from _statements(body, inner, indent)
        case Block(body=body):
            yield from _braces("", body, "", origin, indent)
        case If():
            yield from _if(statement, origin, indent)
        case For():
            if statement.unroll in PRAGMAS:
                yield Line(f"{indent}{PRAGMAS[statement.unroll]}", origin)
            if statement.is_scalar:
                yield Line(f"{indent}#pragma clang loop vectorize(disable)", origin)
            yield from _braces(_for_head(statement), statement.body, "", origin, indent)
        case DoWhile(body=body, condition=condition):
            yield from _braces("do ", body, f" while ({_expression(condition)});", origin, indent)
        case Declare() | DeclareArray() | Assign() | Evaluate():
            yield Line(f"{indent}{_simple(statement)};", origin)


def _braces(head: str, body: Statements, tail: str, origin: Origin, indent: str) -> Iterator[Line]:
    yield Line(f"{indent}{head}{{", origin)
    yield from _statements(body, origin, indent + INDENT)
    yield Line(f"{indent}}}{tail}", origin)


def _if(statement: If, origin: Origin, indent: str) -> Iterator[Line]:
    head = f"if ({_expression(statement.condition)}) "
    if not statement.otherwise:
        yield from _braces(head, statement.then, "", origin, indent)
        return
    yield Line(f"{indent}{head}{{", origin)
    yield from _statements(statement.then, origin, indent + INDENT)
    yield Line(f"{indent}}} else {{", origin)
    yield from _statements(statement.otherwise, origin, indent + INDENT)
    yield Line(f"{indent}}}", origin)


def _for_head(loop: For) -> str:
    variable, step = loop.variable, _expression(loop.step)
    count = f"++{variable}" if step == "1" else f"{variable} += {step}"
    stop = _operand(loop.stop, BINARY[BinaryOperator.LESS][1] + 1)
    return f"for ({loop.type.value} {variable} = {_expression(loop.start)}; {variable} < {stop}; {count}) "


def _simple(statement: Declare | DeclareArray | Assign | Evaluate) -> str:
    match statement:
        case Declare(type=type_, name=name, value=value):
            return _declarator(type_, name) + ("" if value is None else f" = {_expression(value)}")
        case DeclareArray(element=element, name=name, count=count, alignment=alignment):
            array = f"{_qualified(statement.space)}{_type(element)} {name}[{count}]"
            aligned = "" if alignment is None else f" __attribute__((aligned({alignment})))"
            return array + aligned + (" = {0}" if statement.is_zero else "")
        case Assign(target=target, value=value, operator=operator):
            sign = "" if operator is None else BINARY[operator][0]
            return f"{_expression(target)} {sign}= {_expression(value)}"
        case Evaluate(call=call):
            return _expression(call)


def _comment(text: str) -> str:
    """One line of ASCII without a backslash, which at the end of a line would make the next one a comment too."""
    words = " ".join(text.split())
    return words.replace("\\", "/").encode("ascii", "backslashreplace").decode().replace("\\", "?")


# -- types -------------------------------------------------------------------------------------------------------------


def _declarator(type_: Type, name: str) -> str:
    match type_:
        case Scalar() | Vector():
            return f"{_type(type_)} {name}"
        case Pointer(is_restrict=is_restrict):
            return f"{_pointer(type_)}{'restrict ' if is_restrict else ''}{name}"


def _pointer(pointer: Pointer) -> str:
    const = "const " if pointer.is_const else ""
    volatile = "volatile " if pointer.is_volatile else ""
    return f"{volatile}{_qualified(pointer.space)}{const}{_type(pointer.target)} *"


def _qualified(space: AddressSpace) -> str:
    return f"{space.value} " if space.value else ""


def _type(type_: Type) -> str:
    match type_:
        case Scalar():
            return type_.value
        case Vector(element=element, width=1):
            return element.value
        case Vector(element=element, width=width, is_unaligned=is_unaligned):
            return f"{element.value}{width}{'_u' if is_unaligned else ''}"
        case Pointer():
            return _pointer(type_)


# -- expressions -------------------------------------------------------------------------------------------------------


def _expression(expression: Expression) -> str:
    return _text(expression)[0]


def _operand(expression: Expression, least: int) -> str:
    """The expression, in parentheses if it binds weaker than `least`."""
    text, precedence = _text(expression)
    return text if precedence >= least else f"({text})"


def _text(expression: Expression) -> tuple[str, int]:
    """The text of an expression and the precedence of its outermost operator."""
    match expression:
        case Name(text=text):
            return text, POSTFIX
        case Integer():
            return _integer(expression)
        case Binary(operator=operator, left=left, right=right):
            sign, precedence = BINARY[operator]
            return f"{_operand(left, precedence)} {sign} {_operand(right, precedence + 1)}", precedence
        case Subscript(base=base, index=index):
            return f"{_operand(base, POSTFIX)}[{_expression(index)}]", POSTFIX
        case Floating(value=value, type=type_):
            return _exact(value) + SUFFIX[type_], PREFIX if value < 0 else POSTFIX
        case Unary(operator=operator, operand=operand):
            return _prefixed(UNARY[operator], operand), PREFIX
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            texts = _operand(condition, CONDITIONAL + 1), _expression(then), _operand(otherwise, CONDITIONAL)
            return f"{texts[0]} ? {texts[1]} : {texts[2]}", CONDITIONAL
        case Cast(type=type_, operand=operand):
            return f"({_type(type_)}){_operand(operand, PREFIX)}", PREFIX
        case Call(function=function, arguments=arguments):
            return f"{function}({', '.join(_expression(argument) for argument in arguments)})", POSTFIX
        case Tuple(type=vector, parts=parts):
            return f"({_type(vector)})({', '.join(map(_expression, parts))})", PREFIX
        case Lanes(operand=operand, lanes=lanes):
            return f"{_operand(operand, POSTFIX)}.s{''.join(f'{lane:x}' for lane in lanes)}", POSTFIX


def _prefixed(sign: str, operand: Expression) -> str:
    """`- -x` and `& &x` would join to one token: such an operand gets parentheses."""
    text = _operand(operand, PREFIX)
    return f"{sign}({text})" if text.startswith(sign) else sign + text


def _integer(integer: Integer) -> tuple[str, int]:
    """C has no negative constants, so the least number of a signed type is written as a difference."""
    suffix = SUFFIX[integer.type]
    if integer.value in (-(2**31), -(2**63)):
        return f"{integer.value + 1}{suffix} - 1{suffix}", BINARY[BinaryOperator.SUBTRACT][1]
    return f"{integer.value}{suffix}", PREFIX if integer.value < 0 else POSTFIX


def _exact(value: float) -> str:
    """The shortest decimal if it is the number itself, as for 1.0 and 0.25, otherwise hexadecimal."""
    if Decimal(repr(value)) == Decimal(value):
        return repr(value)
    mantissa, exponent = value.hex().split("p")
    return f"{mantissa.rstrip('0')}p{exponent}"

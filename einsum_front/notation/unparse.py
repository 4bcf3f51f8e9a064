"""Syntax as `.ein` text, such that parsing the text gives the same syntax again."""

from collections.abc import Iterable
from enum import IntEnum

from einsum_front.notation.syntax import (
    Assignment,
    Attribute,
    Call,
    Condition,
    Expression,
    File,
    FixedIndex,
    Item,
    Kernel,
    Literal,
    Loop,
    NamedRange,
    Negation,
    Numbers,
    Ones,
    Parameter,
    Places,
    Position,
    Power,
    Product,
    Program,
    Range,
    RangeSum,
    Real,
    Reference,
    RunningIndex,
    Scalar,
    Size,
    Statement,
    Sum,
    Tensor,
    Use,
)


class _Binding(IntEnum):
    """How tightly an expression holds together; what binds less than its place asks for is put in parentheses."""

    SUM = 0
    PRODUCT = 1
    FACTOR = 2
    POWER = 3
    ATOM = 4


def unparse(program: Program) -> str:
    """The text of a program, one item a line, kernels set apart."""
    return "\n".join(unparse_item(item) for item in program.items) + "\n"


def unparse_statement(statement: Statement, indent: str = "") -> str:
    """The text of one statement; every line starts with `indent`."""
    match statement:
        case Assignment(target, operator, value):
            return f"{indent}{unparse_expression(target)} {operator.value} {unparse_expression(value)}"
        case Loop(variable, body):
            return f"{indent}for {_named_range(variable)} {_block(body, indent)}"


def unparse_expression(expression: Expression) -> str:
    """The text of one expression."""
    match expression:
        case Literal(text):
            return text
        case Reference(name, members, positions):
            return name + _members(members) + ("" if positions is None else f"[{_positions(positions)}]")
        case Ones(positions):
            return f"1[{_positions(positions)}]"
        case Negation(operand):
            return f"-{_at_least(_Binding.FACTOR, operand)}"
        case Power(base, exponent):
            return f"{_at_least(_Binding.ATOM, base)}**{_at_least(_Binding.FACTOR, exponent)}"
        case Product(first, rest):
            tail = "".join(f" {by.value} {_at_least(_Binding.FACTOR, factor)}" for by, factor in rest)
            return _at_least(_Binding.FACTOR, first) + tail
        case Sum(first, rest):
            tail = "".join(f" {sign.value} {_at_least(_Binding.PRODUCT, term)}" for sign, term in rest)
            return _at_least(_Binding.PRODUCT, first) + tail
        case RangeSum(variable, body):
            return f"sum{{{_named_range(variable)}}}({unparse_expression(body)})"
        case Call(function, over, arguments):
            return f"{function}{_members(over)}({', '.join(map(_argument, arguments))})"


def _argument(argument: Expression | Condition) -> str:
    if isinstance(argument, Condition):
        left, right = unparse_expression(argument.left), unparse_expression(argument.right)
        return f"{left} {argument.comparison.value} {right}"
    return unparse_expression(argument)


def _at_least(binding: _Binding, expression: Expression) -> str:
    text = unparse_expression(expression)
    return text if _binding(expression) >= binding else f"({text})"


def _binding(expression: Expression) -> _Binding:
    match expression:
        case Literal() | Reference() | Ones() | RangeSum() | Call():
            return _Binding.ATOM
        case Power():
            return _Binding.POWER
        case Negation():
            return _Binding.FACTOR
        case Product():
            return _Binding.PRODUCT
        case Sum():
            return _Binding.SUM


def _positions(positions: tuple[Position, ...]) -> str:
    """With commas, so that every name is one index; a long name that stands alone needs a comma too."""
    texts = [_position(position) for position in positions]
    alone = len(texts) == 1 and isinstance(positions[0], RunningIndex) and positions[0].within is None
    return f"{texts[0]}," if alone and len(texts[0]) > 1 else ",".join(texts)


def _position(position: Position) -> str:
    match position:
        case RunningIndex(name, within):
            return name if within is None else f"{name}={_range(within)}"
        case FixedIndex(Reference(name)):
            return f"({name})"
        case FixedIndex(expression):
            return unparse_expression(expression)


def _range(within: Range) -> str:
    return f"{unparse_expression(within.start)}:{unparse_expression(within.stop)}"


def _named_range(variable: NamedRange) -> str:
    return f"{variable.name} in {_range(variable.range)}"


def _list(expressions: Iterable[Expression]) -> str:
    return ",".join(unparse_expression(expression) for expression in expressions)


def _members(members: tuple[Expression, ...]) -> str:
    return f"{{{_list(members)}}}" if members else ""


def _block(statements: tuple[Statement, ...], indent: str) -> str:
    lines = [unparse_statement(statement, indent + "    ") for statement in statements]
    return "\n".join(["{", *lines, indent + "}"])


def unparse_item(item: Item) -> str:
    """The text of a declaration or a kernel."""
    match item:
        case Use(path):
            return f'use "{path}"'
        case Parameter(name, value):
            return f"param {name} = {unparse_expression(value)}"
        case Real(element_type):
            return f"real {element_type}"
        case Size(name, least, most, hint):
            given = ((">=", least), ("<=", most), ("~", hint))
            limits = (f" {sign} {unparse_expression(number)}" for sign, number in given if number is not None)
            return f"size {name}{''.join(limits)}"
        case Tensor(name, members, shape, attributes, is_temporary):
            word = "temp" if is_temporary else "tensor"
            declared = f"{word} {name}{_members(members)}[{_list(shape)}]"
            return " ".join([declared, *map(_attribute, attributes)])
        case Scalar(name, members):
            return f"scalar {name}{_members(members)}"
        case Kernel(name, family, statements):
            ranges = f"{{{', '.join(map(_named_range, family))}}}" if family else ""
            return f"\nkernel {name}{ranges} {_block(statements, '')}"


def _attribute(attribute: Attribute) -> str:
    match attribute.argument:
        case None:
            return attribute.name
        case File(path):
            return f'{attribute.name} "{path}"'
        case Numbers(values):
            return f"{attribute.name}<{_list(values)}>"
        case Places(places):
            listed = ", ".join(f"({_list(place.position)})" for place in places)
            return f"{attribute.name} [{listed}]"

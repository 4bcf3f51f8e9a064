"""The references in an expression: to look at them, and to replace them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from einsum_front.notation.syntax import (
    Assignment,
    Call,
    Condition,
    Expression,
    Literal,
    Loop,
    Negation,
    Ones,
    Power,
    Product,
    RangeSum,
    Reference,
    Statement,
    Sum,
    operands,
)

Change = Callable[[Reference], Reference]


def references(expression: Expression) -> tuple[Reference, ...]:
    """All names of an expression, in the order of the text; not those in index lists, members and ranges."""
    match expression:
        case Literal() | Ones():
            return ()
        case Reference():
            return (expression,)
        case Negation(operand) | RangeSum(body=operand):
            return references(operand)
        case Power(base, exponent):
            return references(base) + references(exponent)
        case Product(first, rest) | Sum(first, rest):
            return references(first) + tuple(found for _, part in rest for found in references(part))
        case Call():
            return tuple(found for part in operands(expression) for found in references(part))


def names_in(statements: Iterable[Statement]) -> Iterator[str]:
    """The names that statements read or write, some of them several times."""
    for statement in statements:
        match statement:
            case Assignment(target, _, value):
                yield from (reference.name for reference in (target, *references(value)))
            case Loop(_, body):
                yield from names_in(body)


def changed(expression: Expression, change: Change) -> Expression:
    """The expression with `change(reference)` in the place of each of its references."""
    match expression:
        case Literal() | Ones():
            return expression
        case Reference():
            return change(expression)
        case Negation(operand):
            return replace(expression, operand=changed(operand, change))
        case RangeSum(body=body):
            return replace(expression, body=changed(body, change))
        case Power(base, exponent):
            return replace(expression, base=changed(base, change), exponent=changed(exponent, change))
        case Product(first, factors):
            rest = tuple((by, changed(factor, change)) for by, factor in factors)
            return replace(expression, first=changed(first, change), rest=rest)
        case Sum(first, terms):
            signed = tuple((sign, changed(term, change)) for sign, term in terms)
            return replace(expression, first=changed(first, change), rest=signed)
        case Call(arguments=arguments):
            return replace(expression, arguments=tuple(_changed_argument(each, change) for each in arguments))


def _changed_argument(argument: Expression | Condition, change: Change) -> Expression | Condition:
    if not isinstance(argument, Condition):
        return changed(argument, change)
    return replace(argument, left=changed(argument.left, change), right=changed(argument.right, change))


def changed_statement(statement: Assignment, change: Change) -> Assignment:
    """The statement with `change(reference)` in the place of each of its references, the target too."""
    return replace(statement, target=change(statement.target), value=changed(statement.value, change))

"""The references in an expression: to look at them, and to replace them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from einsum_front.notation.syntax import (
    Assignment,
    Call,
    Condition,
    Expression,
    FixedIndex,
    Imaginary,
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
        case Literal() | Imaginary() | Ones():
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
                for reference in (target, *references(value)):
                    yield from (reference.name, *(entry.name for entry in entries_of(reference)))
            case Loop(_, body):
                yield from names_in(body)


def entries_of(reference: Reference) -> Iterator[Reference]:
    """The entries of integer tensors that say a place of what is read."""
    fixed = (each.position for each in reference.positions or () if isinstance(each, FixedIndex))
    for each in (*fixed, *reference.members, reference.element):
        if isinstance(each, Reference) and each.positions is not None:
            yield each


def changed(expression: Expression, change: Change) -> Expression:
    """The expression with `change(reference)` in the place of each of its references."""
    return rewritten(expression, lambda part: change(part) if isinstance(part, Reference) else part)


def rewritten(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with `change(part)` in the place of each part, inner ones first; not in index lists and ranges."""

    def inside(part: Expression) -> Expression:
        return rewritten(part, change)

    match expression:
        case Literal() | Imaginary() | Ones() | Reference():
            return change(expression)
        case Negation(operand):
            return change(replace(expression, operand=inside(operand)))
        case RangeSum(body=body):
            return change(replace(expression, body=inside(body)))
        case Power(base, exponent):
            return change(replace(expression, base=inside(base), exponent=inside(exponent)))
        case Product(first, factors):
            whole = inside(first)
            rest = tuple((by, inside(factor)) for by, factor in factors)
            return change(replace(expression, first=whole, rest=rest))
        case Sum(first, terms):
            whole = inside(first)
            signed = tuple((sign, inside(term)) for sign, term in terms)
            return change(replace(expression, first=whole, rest=signed))
        case Call(arguments=arguments):
            return change(replace(expression, arguments=tuple(_rewritten_argument(each, inside) for each in arguments)))


def _rewritten_argument(
    argument: Expression | Condition, inside: Callable[[Expression], Expression]
) -> Expression | Condition:
    if not isinstance(argument, Condition):
        return inside(argument)
    return replace(argument, left=inside(argument.left), right=inside(argument.right))


def changed_statement(statement: Assignment, change: Change) -> Assignment:
    """The statement with `change(reference)` in the place of each of its references, the target too."""
    return replace(statement, target=change(statement.target), value=changed(statement.value, change))

"""Index arithmetic on C expressions: what is known when compiling is computed when compiling."""

from collections.abc import Iterable

from einsum_front.tl_backend.kernel.tree import Binary, BinaryOperator, Expression, Integer, Math, MathFunction
from einsum_front.tl_backend.kernel.types import Scalar

INT_MAX = 2**31 - 1


def constant(value: int) -> Integer:
    """The number as an `int`, or as a `long` where it does not fit."""
    return Integer(value, Scalar.I32 if abs(value) <= INT_MAX else Scalar.I64)


ZERO = constant(0)
ONE = constant(1)


def add(left: Expression, right: Expression) -> Expression:
    """left + right."""
    match left, right:
        case Integer(value=a), Integer(value=b):
            return constant(a + b)
        case Integer(value=0), _:
            return right
        case _, Integer(value=0):
            return left
        case _:
            return Binary(BinaryOperator.ADD, left, right)


def subtract(left: Expression, right: Expression) -> Expression:
    """left - right."""
    match left, right:
        case Integer(value=a), Integer(value=b):
            return constant(a - b)
        case _, Integer(value=0):
            return left
        case _:
            return Binary(BinaryOperator.SUBTRACT, left, right)


def multiply(left: Expression, right: Expression) -> Expression:
    """left * right."""
    match left, right:
        case Integer(value=a), Integer(value=b):
            return constant(a * b)
        case (Integer(value=0), _) | (_, Integer(value=0)):
            return ZERO
        case Integer(value=1), _:
            return right
        case _, Integer(value=1):
            return left
        case _:
            return Binary(BinaryOperator.MULTIPLY, left, right)


def divide(left: Expression, right: Expression) -> Expression:
    """left / right for sizes: not negative, the divisor not 0."""
    match left, right:
        case Integer(value=a), Integer(value=b) if b != 0:
            return constant(a // b)
        case _, Integer(value=1):
            return left
        case _:
            return Binary(BinaryOperator.DIVIDE, left, right)


def remainder(left: Expression, right: Expression) -> Expression:
    """left % right for sizes: not negative, the divisor not 0."""
    match left, right:
        case Integer(value=a), Integer(value=b) if b != 0:
            return constant(a % b)
        case _, Integer(value=1):
            return ZERO
        case _:
            return Binary(BinaryOperator.REMAINDER, left, right)


def minimum(left: Expression, right: Expression) -> Expression:
    """The lesser one."""
    return Math(MathFunction.MINIMUM, (left, right))


def total(terms: Iterable[Expression]) -> Expression:
    """The sum of the terms."""
    result: Expression = ZERO
    for term in terms:
        result = add(result, term)
    return result


def product(factors: Iterable[Expression]) -> Expression:
    """The product of the factors."""
    result: Expression = ONE
    for factor in factors:
        result = multiply(result, factor)
    return result

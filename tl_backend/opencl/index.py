"""Index arithmetic on C expressions: what is known when compiling is computed when compiling."""

from collections.abc import Iterable

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar

INT_MAX = 2**31 - 1


def constant(value: int) -> tree.Integer:
    """The number as an `int`, or as a `long` where it does not fit."""
    return tree.Integer(value, Scalar.I32 if abs(value) <= INT_MAX else Scalar.I64)


ZERO = constant(0)
ONE = constant(1)


def add(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """left + right."""
    match left, right:
        case tree.Integer(value=a), tree.Integer(value=b):
            return constant(a + b)
        case tree.Integer(value=0), _:
            return right
        case _, tree.Integer(value=0):
            return left
        case _:  # open: nothing to fold
            return tree.Binary(tree.BinaryOperator.ADD, left, right)


def subtract(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """left - right."""
    match left, right:
        case tree.Integer(value=a), tree.Integer(value=b):
            return constant(a - b)
        case _, tree.Integer(value=0):
            return left
        case _:  # open: nothing to fold
            return tree.Binary(tree.BinaryOperator.SUBTRACT, left, right)


def multiply(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """left * right."""
    match left, right:
        case tree.Integer(value=a), tree.Integer(value=b):
            return constant(a * b)
        case (tree.Integer(value=0), _) | (_, tree.Integer(value=0)):
            return ZERO
        case tree.Integer(value=1), _:
            return right
        case _, tree.Integer(value=1):
            return left
        case _:  # open: nothing to fold
            return tree.Binary(tree.BinaryOperator.MULTIPLY, left, right)


def divide(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """left / right for sizes: not negative, the divisor not 0."""
    match left, right:
        case tree.Integer(value=a), tree.Integer(value=b) if b != 0:
            return constant(a // b)
        case _, tree.Integer(value=1):
            return left
        case _:  # open: nothing to fold
            return tree.Binary(tree.BinaryOperator.DIVIDE, left, right)


def remainder(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """left % right for sizes: not negative, the divisor not 0."""
    match left, right:
        case tree.Integer(value=a), tree.Integer(value=b) if b != 0:
            return constant(a % b)
        case _, tree.Integer(value=1):
            return ZERO
        case _:  # open: nothing to fold
            return tree.Binary(tree.BinaryOperator.REMAINDER, left, right)


def minimum(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    """The lesser one."""
    return tree.Math(tree.MathFunction.MINIMUM, (left, right))


def total(terms: Iterable[tree.Expression]) -> tree.Expression:
    """The sum of the terms."""
    result: tree.Expression = ZERO
    for term in terms:
        result = add(result, term)
    return result


def product(factors: Iterable[tree.Expression]) -> tree.Expression:
    """The product of the factors."""
    result: tree.Expression = ONE
    for factor in factors:
        result = multiply(result, factor)
    return result

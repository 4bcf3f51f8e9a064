"""Coefficients: arithmetic on numbers and scalar arguments that multiplies tensors.

coefficient = number | scalar | coefficient ("+" | "-" | "*" | "/") coefficient | coefficient "**" integer
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from typing import Any

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number; of integer programs it is an `int`, which wraps around where it meets a tensor."""

    value: float
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ScalarUse:
    """The value of the scalar argument `name`."""

    name: str
    origin: Origin = field(default=(), compare=False, repr=False)


class ScalarOperator(Enum):
    """Arithmetic; the value is its spelling."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"


@dataclass(frozen=True, slots=True)
class ScalarOperation:
    """`left operator right`."""

    operator: ScalarOperator
    left: "Coefficient"
    right: "Coefficient"
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ScalarPower:
    """`base ** exponent`; a negative exponent means the reciprocal."""

    base: "Coefficient"
    exponent: int
    origin: Origin = field(default=(), compare=False, repr=False)


Coefficient = Number | ScalarUse | ScalarOperation | ScalarPower

ZERO: Coefficient = Number(0)
ONE: Coefficient = Number(1)
MINUS_ONE: Coefficient = Number(-1)


def is_zero(coefficient: Coefficient) -> bool:
    """True if the coefficient is the number 0."""
    return coefficient == ZERO


def is_sign(coefficient: Coefficient) -> bool:
    """True if the coefficient is 1 or -1: multiplying by it is no operation."""
    return coefficient in (ONE, MINUS_ONE)


def times(left: Coefficient, right: Coefficient) -> Coefficient:
    """The product; products of numbers are computed, a factor 1 vanishes, and a factor 0 takes the other one away."""
    match left, right:
        case Number(value=x), Number(value=y):
            return Number(x * y, left.origin + right.origin)
        case (Number(value=0.0), _) | (_, Number(value=0.0)):
            return Number(0, left.origin + right.origin)
        case Number(value=1.0), _:
            return right
        case _, Number(value=1.0):
            return left
        case _:  # open: nothing to fold
            return ScalarOperation(ScalarOperator.MUL, left, right, left.origin + right.origin)


def may_cancel(left: Coefficient, right: Coefficient) -> bool:
    """True unless both are numbers of one sign.

    Else `left x + right x` may be NaN where x is infinite and `(left + right) x` is not.
    """
    return not (isinstance(left, Number) and isinstance(right, Number) and left.value * right.value > 0)


def plus(left: Coefficient, right: Coefficient) -> Coefficient:
    """The sum; sums of numbers are computed, and a term 0 vanishes."""
    match left, right:
        case Number(value=x), Number(value=y):
            return Number(x + y, left.origin + right.origin)
        case Number(value=0.0), _:
            return right
        case _, Number(value=0.0):
            return left
        case _:  # open: nothing to fold
            return ScalarOperation(ScalarOperator.ADD, left, right, left.origin + right.origin)


def evaluate(coefficient: Coefficient, scalars: Mapping[str, Any], number: Callable[[float], Any] = float) -> Any:
    """The value; `scalars` gives the arguments by name, `number` a number of the text, in the type to compute in."""
    match coefficient:
        case Number(value=value):
            return number(value)
        case ScalarUse(name=name):
            return scalars[name]
        case ScalarPower(base=base, exponent=exponent):
            value = evaluate(base, scalars, number)
            return value**exponent if exponent >= 0 else 1 / value**-exponent
        case ScalarOperation(operator=operator, left=left, right=right):
            x, y = evaluate(left, scalars, number), evaluate(right, scalars, number)
            match operator:
                case ScalarOperator.ADD:
                    return x + y
                case ScalarOperator.SUB:
                    return x - y
                case ScalarOperator.MUL:
                    return x * y
                case ScalarOperator.DIV:
                    return x / y


def scalars_of(coefficient: Coefficient) -> tuple[str, ...]:
    """The names of the scalar arguments in the coefficient, in the order of the text; a name may occur twice."""
    match coefficient:
        case Number():
            return ()
        case ScalarUse(name=name):
            return (name,)
        case ScalarPower(base=base):
            return scalars_of(base)
        case ScalarOperation(left=left, right=right):
            return scalars_of(left) + scalars_of(right)


def unparse(coefficient: Coefficient) -> str:
    """The coefficient as text; every operation inside another one stands in parentheses."""
    match coefficient:
        case Number(value=value):
            return f"{value:g}" if float(f"{value:g}") == value else repr(value)
        case ScalarUse(name=name):
            return name
        case ScalarPower(base=base, exponent=exponent):
            return f"{_nested(base)}**{exponent}"
        case ScalarOperation(operator=operator, left=left, right=right):
            return f"{_nested(left)} {operator.value} {_nested(right)}"


def _nested(coefficient: Coefficient) -> str:
    match coefficient:
        case ScalarOperation():
            return f"({unparse(coefficient)})"
        case Number() | ScalarUse() | ScalarPower():
            return unparse(coefficient)

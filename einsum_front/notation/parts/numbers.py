"""Parts of complex coefficients: arithmetic on pairs of real ones."""

from einsum_front.core.coefficient import (
    MINUS_ONE,
    ONE,
    ZERO,
    Coefficient,
    Number,
    ScalarOperation,
    ScalarOperator,
    ScalarPower,
    ScalarUse,
    is_zero,
    plus,
    times,
)
from einsum_front.core.names import parts_of_scalar
from einsum_front.notation.parts.complexity import IMAGINARY_UNIT, Names, is_complex_coefficient

Pair = tuple[Coefficient, Coefficient]
"""The real and the imaginary part."""


def parts_of(coefficient: Coefficient, names: Names) -> Pair:
    """Both parts of a coefficient, in which scalars of these `names` are complex; that of a real one is 0."""
    if not is_complex_coefficient(coefficient, names):
        return coefficient, ZERO
    match coefficient:
        case Number():
            return coefficient, ZERO
        case ScalarUse(name=name, origin=origin):
            if name == IMAGINARY_UNIT:
                return ZERO, ONE
            real, imaginary = parts_of_scalar(name)
            return ScalarUse(real, origin), ScalarUse(imaginary, origin)
        case ScalarPower(base=base, exponent=exponent):
            found: Pair = ONE, ZERO
            for _ in range(abs(exponent)):
                found = _multiplied(found, parts_of(base, names))
            return found if exponent >= 0 else _divided((ONE, ZERO), found)
        case ScalarOperation(operator=operator, left=left, right=right):
            return _ARITHMETIC[operator](parts_of(left, names), parts_of(right, names))


def _negative(number: Coefficient) -> Coefficient:
    return times(MINUS_ONE, number)


def _added(left: Pair, right: Pair) -> Pair:
    return plus(left[0], right[0]), plus(left[1], right[1])


def _subtracted(left: Pair, right: Pair) -> Pair:
    return plus(left[0], _negative(right[0])), plus(left[1], _negative(right[1]))


def _multiplied(left: Pair, right: Pair) -> Pair:
    real = plus(times(left[0], right[0]), _negative(times(left[1], right[1])))
    return real, plus(times(left[0], right[1]), times(left[1], right[0]))


def _divided(left: Pair, right: Pair) -> Pair:
    if is_zero(right[1]):
        return _over(left[0], right[0]), _over(left[1], right[0])
    squared = plus(times(right[0], right[0]), times(right[1], right[1]))
    real, imaginary = _multiplied(left, (right[0], _negative(right[1])))
    return _over(real, squared), _over(imaginary, squared)


def _over(dividend: Coefficient, divisor: Coefficient) -> Coefficient:
    return ZERO if is_zero(dividend) else ScalarOperation(ScalarOperator.DIV, dividend, divisor)


_ARITHMETIC = {
    ScalarOperator.ADD: _added,
    ScalarOperator.SUB: _subtracted,
    ScalarOperator.MUL: _multiplied,
    ScalarOperator.DIV: _divided,
}

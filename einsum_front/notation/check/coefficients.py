"""Arithmetic of scalars: exact as long as only numbers take part, then a tree for the kernel to evaluate."""

from fractions import Fraction

import numpy as np

from einsum_front.core.coefficient import Coefficient as InexactCoefficient
from einsum_front.core.coefficient import Number, ScalarOperation, ScalarOperator, ScalarPower, ScalarUse
from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.limits import DEEPEST_SCALAR
from einsum_front.core.numbers import bounds
from einsum_front.core.storage import ElementType
from einsum_front.notation import syntax
from einsum_front.notation.check.mistakes import mistake
from einsum_front.notation.check.numbers import Operator, arithmetic

Coefficient = Fraction | InexactCoefficient
"""A number stays exact until it meets a scalar argument or a tensor."""

_RANGE = {
    ElementType.F32: (float(np.finfo(np.float32).smallest_subnormal), float(np.finfo(np.float32).max)),
    ElementType.F64: (float(np.finfo(np.float64).smallest_subnormal), float(np.finfo(np.float64).max)),
}
"""The smallest and the largest positive number."""


def combine(
    by: Operator, left: Coefficient, right: Coefficient, origin: Origin, element_type: ElementType
) -> Coefficient:
    """`left by right`, exact for numbers; a factor 1 is left out, a factor 0 takes the other one away.

    A divisor is not 0, `origin` is the whole formula.
    """
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return arithmetic(by, left, right, origin)
    if by is syntax.FactorOperator.DIV and right != 1 and element_type.is_integer:
        raise no_quotient(origin, element_type)
    if by is syntax.TermOperator.SUB and element_type is ElementType.BOOL:
        raise mistake("E0241", "nothing is subtracted in `bool`", (origin, ""))
    if right == 1 and isinstance(by, syntax.FactorOperator):
        return left
    if left == 1 and by is syntax.FactorOperator.MUL:
        return right
    if 0 in (left, right) and by is syntax.FactorOperator.MUL:
        return Fraction(0)
    return ScalarOperation(
        ScalarOperator(by.value), inexact(left, origin, element_type), inexact(right, origin, element_type), origin
    )


def no_quotient(origin: Origin, element_type: ElementType) -> CompileError:
    """The mistake of a division whose result is not known when compiling."""
    message = f"nothing is divided in a program of `{element_type.value}`"
    note = "NumPy rounds quotients of integers down, and C towards zero"
    return mistake("E0241", message, (origin, "a quotient"), notes=(note,))


def inexact(coefficient: Coefficient, origin: Origin, element_type: ElementType) -> InexactCoefficient:
    """The coefficient with its number rounded."""
    if not isinstance(coefficient, Fraction):
        return coefficient
    return Number(rounded(coefficient, origin, element_type), origin)


def rounded(number: Fraction, origin: Origin, element_type: ElementType) -> float:
    """The nearest f64, or the integer itself; a number that the element type cannot hold is a mistake.

    Where integers have no sign, -n stands for what n is subtracted as: both wrap around.
    """
    if element_type.is_integer:
        return _whole(number, origin, element_type)
    smallest, largest = _RANGE[element_type]
    if abs(number) > largest:
        label = f"the largest {element_type.value} is about {largest:.2g}"
        raise mistake("E0104", f"this number is too large for {element_type.value}", (origin, label))
    if 0 < abs(number) < smallest:
        label = f"the smallest {element_type.value} is about {smallest:.2g}"
        raise mistake("E0104", f"this number is too small for {element_type.value}", (origin, label))
    return float(number)


def _whole(number: Fraction, origin: Origin, element_type: ElementType) -> int:
    name, (low, high) = element_type.value, bounds(element_type)
    if number.denominator != 1:
        message = f"{number} is no integer, and the program computes with `{name}`"
        raise mistake("E0241", message, (origin, "integers have no fractions"))
    if element_type is ElementType.BOOL:
        if number < 0:
            raise mistake("E0241", "nothing is subtracted in `bool`", (origin, f"this is {number}"))
        return int(number != 0)  # so that 1 + 1 is 1, as it is among tensors
    if not min(low, -high) <= number <= high:
        raise mistake("E0104", f"this number is too large for {name}", (origin, f"`{name}` is from {low} to {high}"))
    return int(number)


def reject_too_deep(coefficient: InexactCoefficient, origin: Origin) -> None:
    """Operations that wait for each other have a limit: all that walks them calls itself once for each."""
    level: tuple[InexactCoefficient, ...] = (coefficient,)
    for _ in range(DEEPEST_SCALAR):
        level = tuple(operand for each in level for operand in _operands(each))
        if not level:
            return
    message = f"at most {DEEPEST_SCALAR} operations on scalars need one another's results"
    raise mistake("E0110", message, (origin, ""))


def _operands(coefficient: InexactCoefficient) -> tuple[InexactCoefficient, ...]:
    match coefficient:
        case Number() | ScalarUse():
            return ()
        case ScalarPower(base):
            return (base,)
        case ScalarOperation(_, left, right):
            return left, right

"""Numbers that are known when compiling, in exact arithmetic: params, extents, positions, ranges."""

from fractions import Fraction
from typing import overload

import numpy as np

from einsum_front.core.coefficient import Coefficient as InexactCoefficient
from einsum_front.core.coefficient import Number, ScalarOperation, ScalarOperator, ScalarPower, ScalarUse
from einsum_front.core.diagnostics import CompileError, CompilerBug, Origin
from einsum_front.core.extent import Extent, Polynomial, TooLargeError, is_integer, is_small, least_value, of_number
from einsum_front.core.limits import (
    DEEPEST_SCALAR,
    LARGEST_DEGREE,
    LARGEST_INTEGER,
    LARGEST_NUMBER_BITS,
    LARGEST_RANGE,
    MOST_TERMS_OF_SIZES,
)
from einsum_front.core.numbers import bounds
from einsum_front.core.storage import ElementType
from einsum_front.notation import syntax
from einsum_front.notation.check.mistakes import already_reported, gather, mistake
from einsum_front.notation.check.scope import Scope, Value

Operator = syntax.TermOperator | syntax.FactorOperator


def evaluate(expression: syntax.Expression, scope: Scope) -> Value:
    """The exact value of an expression of literals and names of numbers."""
    match expression:
        case syntax.Literal(text):
            return Fraction(text)
        case syntax.Reference():
            return _named(expression, scope)
        case syntax.Negation(operand):
            return _value(-evaluate(operand, scope))
        case syntax.Power(base, exponent):
            base_value, exponent_value = gather(lambda part: evaluate(part, scope), (base, exponent))
            return power(base_value, exponent_value, expression)
        case syntax.Product(first, rest) | syntax.Sum(first, rest):
            operators: tuple[Operator, ...] = tuple(by for by, _ in rest)
            parts = (first, *(part for _, part in rest))
            result, *values = gather(lambda part: evaluate(part, scope), parts)
            for by, value, part in zip(operators, values, parts[1:], strict=True):
                result = arithmetic(by, result, value, part.origin)
            return result
        case syntax.Imaginary() | syntax.RangeSum() | syntax.Ones() | syntax.Call():
            raise CompilerBug("among numbers the grammar has real ones, no sums over ranges, ones and functions")


@overload
def arithmetic(by: Operator, left: Fraction, right: Fraction, origin: Origin) -> Fraction: ...
@overload
def arithmetic(by: Operator, left: Value, right: Value, origin: Origin) -> Value: ...
def arithmetic(by: Operator, left: Value, right: Value, origin: Origin) -> Value:
    """`left by right`; `origin` is the place of the right operand."""
    reject_zero_divisor(by, right, origin)
    match by:
        case syntax.TermOperator.ADD:
            result = _value(left + right)
        case syntax.TermOperator.SUB:
            result = _value(left - right)
        case syntax.FactorOperator.MUL:
            result = _value(left * right)
        case syntax.FactorOperator.DIV:
            result = _quotient(left, right, origin)
    reject_too_large(result, origin)
    return result


def _value(number: Fraction | Extent) -> Value:
    """The number, which is a fraction if no size is left in it."""
    if isinstance(number, Polynomial):
        return number if number.number is None else number.number
    return Fraction(number)


def _quotient(left: Value, right: Value, origin: Origin) -> Value:
    if isinstance(right, Fraction):
        return _value(left * (1 / right))
    try:
        return left if left == 0 else _value(of_number(left).divided_by(right))
    except ArithmeticError:
        raise _no_sum_of_products(f"this does not divide {left}", origin) from None


def _no_sum_of_products(label: str, origin: Origin) -> CompileError:
    message = "a number that depends on a size is a sum of products of sizes and numbers"
    return mistake("E0208", message, (origin, label))


def reject_too_large(number: Value, origin: Origin) -> None:
    """Exact numbers have limits, or a chain of params could fill the memory; `origin` is the place of the last part."""
    if isinstance(number, Fraction):
        bits = max(number.numerator.bit_length(), number.denominator.bit_length())
        if bits > LARGEST_NUMBER_BITS:
            raise mistake("E0104", "this number is too large", (origin, "with it, beyond the range of f64"))
    elif not is_small(number):
        raise _too_large_polynomial(origin)


def _too_large_polynomial(origin: Origin) -> CompileError:
    message = f"sizes make polynomials of a degree up to {LARGEST_DEGREE} and of {MOST_TERMS_OF_SIZES} terms"
    return mistake("E0104", message, (origin, "with it, this one has more"))


def reject_zero_divisor(by: Operator, right: object, origin: Origin) -> None:
    """Only a divisor that is known to be 0 is a mistake; `origin` is its place."""
    if by is syntax.FactorOperator.DIV and right == 0:
        raise mistake("E0216", "division by zero", (origin, "this is 0"))


@overload
def power(base: Fraction, exponent: Fraction, expression: syntax.Power) -> Fraction: ...
@overload
def power(base: Value, exponent: Value, expression: syntax.Power) -> Value: ...
def power(base: Value, exponent: Value, expression: syntax.Power) -> Value:
    """`base ** exponent` for an integer exponent."""
    whole = integer_exponent(exponent, expression.exponent)
    if base == 0 and whole < 0:
        raise mistake("E0216", "division by zero: 0 to a negative power", (expression.origin, ""))
    if isinstance(base, Fraction):
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base not in {0, 1, -1} and bits * abs(whole) > LARGEST_NUMBER_BITS:
            raise mistake("E0104", "this power is too large", (expression.origin, "beyond the range of f64"))
        result: Value = base**whole
        reject_too_large(result, expression.origin)
        return result
    if whole < 0:
        raise _no_sum_of_products(f"{base} to a negative power is none", expression.origin)
    try:
        return _value(base**whole)
    except TooLargeError:
        raise _too_large_polynomial(expression.origin) from None


def integer_exponent(exponent: Value, expression: syntax.Expression) -> int:
    """The value of an exponent, which must be an integer."""
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return int(exponent)
    raise mistake(
        "E0215",
        "an exponent is an integer that is known when compiling",
        (expression.origin, f"this is {exponent}"),
    )


def integer(expression: syntax.Expression, scope: Scope, what: str) -> int:
    """The value of an expression that must be an integer known when compiling; `what` names it: "an extent"."""
    value = known(expression, scope, what)
    if value.denominator != 1:
        raise mistake("E0208", f"{what} is an integer", (expression.origin, f"this is {value}"))
    return int(value)


def known(expression: syntax.Expression, scope: Scope, what: str) -> Fraction:
    """The value of an expression that must not depend on a `size`."""
    value = evaluate(expression, scope)
    if not isinstance(value, Fraction):
        raise mistake("E0208", f"{what} is known when compiling", (expression.origin, f"`{value}` is not"))
    return value


def extent(expression: syntax.Expression, scope: Scope, what: str) -> Extent:
    """The value of an extent, at least 1."""
    value = evaluate(expression, scope)
    if isinstance(value, Polynomial):
        return _dynamic_extent(value, expression, scope, what)
    whole = integer(expression, scope, what)
    if whole < 1:
        raise mistake("E0207", f"{what} is at least 1", (expression.origin, f"this is {whole}"))
    if whole > LARGEST_INTEGER:
        raise mistake("E0207", f"{what} is at most 2**63 - 1", (expression.origin, f"this is {whole}"))
    return whole


def _dynamic_extent(value: Polynomial, expression: syntax.Expression, scope: Scope, what: str) -> Polynomial:
    if any(size.name not in scope.sizes for size in value.sizes):
        raise already_reported()
    if not is_integer(value):
        raise mistake("E0208", f"{what} is an integer", (expression.origin, f"{value} may be a fraction"))
    least = least_value(value)
    if least is None:
        message = f"{what} does not fall where a size grows"
        raise mistake("E0207", message, (expression.origin, f"{value} may"))
    if least < 1:
        at = " and ".join(f"`{size.name}` = {size.least}" for size in value.sizes)
        note = "`size n >= 2` declares the least that a size can be"
        raise mistake("E0207", f"{what} is at least 1", (expression.origin, f"{least} for {at}"), notes=(note,))
    return value


def values_of(variable: syntax.NamedRange, scope: Scope) -> range:
    """The numbers that a range's name stands for, maybe none."""
    reject_taken(variable, scope)
    start, stop = gather(
        lambda bound: integer(bound, scope, "a bound of a range"), (variable.range.start, variable.range.stop)
    )
    if start > stop:
        raise mistake("E0222", "this range runs backwards", (variable.range.origin, f"from {start} to {stop}"))
    if stop - start > LARGEST_RANGE:
        message = f"this range has {stop - start} numbers, more than {LARGEST_RANGE}"
        raise mistake("E0222", message, (variable.range.origin, "unrolled when compiling"))
    return range(start, stop)


def reject_taken(variable: syntax.NamedRange, scope: Scope) -> None:
    """The name of a range must be new."""
    if variable.name in scope.broken:
        raise already_reported()
    if variable.name in scope.names():
        raise mistake("E0205", f"the name `{variable.name}` is taken already", (variable.origin, "a second meaning"))


def _named(reference: syntax.Reference, scope: Scope) -> Value:
    name = reference.name
    value = scope.number(name)
    if value is not None and reference.positions is None and not reference.members:
        return value
    if name in scope.broken:
        raise already_reported()
    raise _no_number(reference, scope)


def _no_number(reference: syntax.Reference, scope: Scope) -> CompileError:
    name = reference.name
    if name in scope.kinds:
        message = f"`{name}` is {scope.kinds[name]}, but a number known when compiling is needed"
        return mistake("E0208", message, (reference.origin, ""))
    known = ", ".join(f"`{number}`" for number in (*scope.numbers, *scope.variables))
    notes = (f"the numbers known here are {known}",) if known else ("no `param` is declared",)
    return mistake("E0201", f"no number `{name}` is declared", (reference.origin, ""), notes=notes)


# -- arithmetic of scalars ---------------------------------------------------------------------------------------------
# Exact as long as only numbers take part, then a tree for the kernel to evaluate.

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

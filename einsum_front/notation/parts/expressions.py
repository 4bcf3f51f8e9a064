"""Expressions of a checked program, made and looked at while parts take the place of complex numbers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod

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
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint
from einsum_front.core.names import parts_of_scalar
from einsum_front.notation import checked
from einsum_front.notation.checked import Access, Assignment, Expression
from einsum_front.notation.parts.complexity import IMAGINARY_UNIT, Names, is_complex_coefficient

NOTHING = checked.ScalarTerm(ZERO)

BOTH = 2
"""The parts of a number, and the complex factors of a product that is one sum of real ones."""


@dataclass(frozen=True, slots=True)
class Item:
    """A factor of a product, while pairs are multiplied."""

    value: Expression
    is_complex: bool


def part_at(access: Access, part: int) -> Access:
    """One part of what a complex tensor has there."""
    return replace(access, positions=(*access.positions, checked.FixedPosition(part)))


def squared(access: Access) -> Expression:
    """The square of the absolute value."""
    parts = [checked.Component(each, access, access.origin) for each in (checked.Part.REAL, checked.Part.IMAGINARY)]
    return checked.Sum(tuple(checked.Product((each, each), access.origin) for each in parts), access.origin)


def sum_of(terms: Iterable[Expression]) -> Expression | None:
    """The sum of some terms; None of none."""
    found = tuple(each for term in terms for each in (term.terms if isinstance(term, checked.Sum) else (term,)))
    if len(found) <= 1:
        return found[0] if found else None
    return checked.Sum(found, tuple(span for each in found for span in each.origin[:1])[:1])


def scaled(coefficient: Coefficient, expression: Expression) -> Expression:
    """A coefficient times an expression, joined with the one that it has."""
    if coefficient == ONE:
        return expression
    if isinstance(expression, checked.ScalarTerm):
        return replace(expression, value=times(coefficient, expression.value))
    if isinstance(expression, checked.Scaled):
        return replace(expression, coefficient=times(coefficient, expression.coefficient))
    return checked.Scaled(coefficient, expression, expression.origin)


def number_of(value: Coefficient, term: checked.ScalarTerm) -> Expression | None:
    """The term with another coefficient; None for 0."""
    return None if is_zero(value) else replace(term, value=value)


def product_of(factors: Sequence[Expression], over: tuple[checked.Index, ...], like: Expression) -> Expression:
    """The product of the factors, summed over some indices; over those that left with a part of 0, repeated."""
    product = checked.Product(tuple(factors), like.origin) if len(factors) > 1 else factors[0]
    present = indices_of(product)
    repeated = [each.extent for each in over if each.name not in present and isinstance(each.extent, int)]
    over = tuple(each for each in over if each.name in present or not isinstance(each.extent, int))
    summed = checked.Reduction(over, product, like.origin) if over else product
    return scaled(Number(prod(repeated)), summed) if repeated else summed


def indices_of(expression: Expression) -> dict[str, Extent]:
    """The indices that an expression runs through, and their extents."""
    match expression:
        case Access(positions=positions):
            return {p.index.name: p.index.extent for p in positions if isinstance(p, checked.IndexPosition)}
        case checked.Gather(indices=indices):
            return {index.name: index.extent for index in indices}
        case checked.Reduction(indices=indices, operand=operand) | checked.Extremum(indices=indices, operand=operand):
            bound = {index.name for index in indices}
            return {name: extent for name, extent in indices_of(operand).items() if name not in bound}
        case (
            checked.ScalarTerm() | checked.Scaled() | checked.Product() | checked.Sum() | checked.Apply()
            | checked.Quotient() | checked.Component()
        ):  # fmt: skip
            return {name: extent for part in checked.parts(expression) for name, extent in indices_of(part).items()}


def entries_of(extents: Iterable[Extent]) -> float:
    """How many entries there are, by the hints of sizes."""
    return prod(float(hint(extent)) for extent in extents)


def cost_of(
    pair: tuple["Item", "Item"], items: Sequence["Item"], over: tuple[checked.Index, ...]
) -> tuple[float, float]:
    """Products of entries of a pair of factors, and the entries of what they make."""
    free = indices_of(pair[0].value) | indices_of(pair[1].value)
    needed = {name for each in items if each not in pair for name in indices_of(each.value)}
    summed = {index.name for index in over if index.name not in needed}
    left = (extent for name, extent in free.items() if name not in summed)
    return entries_of(free.values()) * (1 + pair[0].is_complex) * (1 + pair[1].is_complex), entries_of(left)


def reads(expression: Expression, tensor: str) -> bool:
    """True if the expression has entries of the tensor."""
    if isinstance(expression, Access):
        return expression.tensor == tensor
    return any(reads(part, tensor) for part in checked.parts(expression))


def keeps_parts(expression: Expression) -> bool:
    """True for a conjugate of entries, each of whose parts depends on the same part of these."""
    return isinstance(expression, checked.Component) and isinstance(expression.operand, Access)


def names_in(statement: Assignment) -> Iterator[str]:
    """The names of the indices of a statement."""
    yield from _all_indices(statement.target)
    yield from _all_indices(statement.value)


def _all_indices(expression: Expression) -> Iterator[str]:
    if isinstance(expression, Access):
        yield from indices_of(expression)
    for part in checked.parts(expression):
        yield from _all_indices(part)


# -- parts of complex coefficients: arithmetic on pairs of real ones ---------------------------------------------------

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

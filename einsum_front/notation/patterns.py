"""Which entries of an expression may differ from zero: exact boolean arithmetic on the patterns of its tensors."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from einsum_front.core.coefficient import Coefficient, Number
from einsum_front.core.extent import static
from einsum_front.core.functions import Function
from einsum_front.core.functions import pattern as function_pattern
from einsum_front.core.pattern_network import Factor, constrained, exists
from einsum_front.core.zero_pattern import Pattern, Place
from einsum_front.notation.checked import (
    Access,
    Apply,
    Component,
    Expression,
    Extremum,
    FixedPosition,
    Gather,
    IndexPosition,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
)

Patterns = Mapping[str, Pattern]
"""The pattern of each tensor that has zeros; what is not named has none."""


def pattern(expression: Expression, patterns: Patterns) -> Factor:
    """The entries of the expression that may differ from zero, over its indices.

    Raises `TooManyCellsError` where a pattern on the way is too large.
    """
    match expression:
        case Access():
            return _entries(expression, patterns)
        case Gather():
            walked = {index.name: static(index.extent) for index in expression.indices}
            return Factor(tuple(walked), Pattern.full(walked.values()))
        case ScalarTerm(value):
            return _number(value)
        case Scaled(coefficient, operand):
            found = pattern(operand, patterns)
            return found if _may_differ(coefficient) else Factor(found.indices, Pattern.empty(found.pattern.shape))
        case Product(factors):
            return _joined([pattern(factor, patterns) for factor in factors], frozenset())
        case Sum(terms):
            names, spread = _spread([pattern(term, patterns) for term in terms])
            return Factor(names, reduce(or_, spread))
        case Apply(function, arguments):
            return _of_function(function, [pattern(argument, patterns) for argument in arguments])
        case Component(_, operand):
            return pattern(operand, patterns)
        case Quotient(dividend, divisor):
            return _of_function(Function.DIV, [pattern(dividend, patterns), pattern(divisor, patterns)])
        case Extremum(_, indices, operand):
            return _joined([pattern(operand, patterns)], frozenset(index.name for index in indices))
        case Reduction(indices, operand):
            parts = operand.factors if isinstance(operand, Product) else (operand,)
            summed = frozenset(index.name for index in indices)
            return _joined([pattern(part, patterns) for part in parts], summed)


def entries_of(pattern: Pattern, access: Access) -> Factor:
    """What a tensor has at the entries of an access."""
    names = tuple(p.index.name for p in access.positions if isinstance(p, IndexPosition))
    return Factor(tuple(dict.fromkeys(names)), pattern.part(_places(access)).diagonal(names))


def with_entries(pattern: Pattern, access: Access, value: Pattern) -> Pattern:
    """The pattern of a tensor, in which the entries of an access are those of a value over its distinct indices."""
    names = [p.index.name for p in access.positions if isinstance(p, IndexPosition)]
    distinct = list(dict.fromkeys(names))
    return pattern.with_part(_places(access), [distinct.index(name) for name in names], value)


def walked_by(value: Factor, target: Factor) -> Pattern:
    """The pattern of a value over the indices of a target, which has all of its indices."""
    modes = [value.indices.index(name) if name in value.indices else None for name in target.indices]
    return value.pattern.over(modes, target.pattern.shape)


def _of_function(function: Function, operands: list[Factor]) -> Factor:
    names, spread = _spread(operands)
    return Factor(names, function_pattern(function, spread))


def _spread(operands: Sequence[Factor]) -> tuple[tuple[str, ...], list[Pattern]]:
    """All indices of the operands, and the operands over them."""
    extents = _extents(operands)
    whole = Factor(tuple(extents), Pattern.full(extents.values()))
    return whole.indices, [walked_by(operand, whole) for operand in operands]


def _joined(factors: Sequence[Factor], summed: frozenset[str]) -> Factor:
    """True where there is a position of the summed indices at which all factors are."""
    kept = {name: extent for name, extent in _extents(factors).items() if name not in summed}
    whole = Factor(tuple(kept), Pattern.full(kept.values()))
    left = exists(constrained(factors), whole.indices)
    return Factor(whole.indices, reduce(and_, (walked_by(each, whole) for each in left), whole.pattern))


def _extents(factors: Sequence[Factor]) -> dict[str, int]:
    return {name: extent for each in factors for name, extent in zip(each.indices, each.pattern.shape, strict=True)}


def _entries(access: Access, patterns: Patterns) -> Factor:
    if access.tensor in patterns:
        return entries_of(patterns[access.tensor], access)
    walked = {p.index.name: static(p.index.extent) for p in access.positions if isinstance(p, IndexPosition)}
    return Factor(tuple(walked), Pattern.full(walked.values()))


def _places(access: Access) -> list[Place]:
    return [
        p.position if isinstance(p, FixedPosition) else (p.offset, p.offset + static(p.index.extent))
        for p in access.positions
    ]


def _number(value: Coefficient) -> Factor:
    return Factor((), Pattern.full(()) if _may_differ(value) else Pattern.empty(()))


def _may_differ(coefficient: Coefficient) -> bool:
    return not (isinstance(coefficient, Number) and coefficient.value == 0)

"""Names resolved, numbers folded, ranges unrolled: an expression whose summation is still implied.

Every expression is a coefficient times an operand, so scalars that stand among the factors of a product come together
in front of it: `dt * A[ik] * B[kj] / 2` becomes `(dt / 2) * (A[ik] * B[kj])`.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from einsum_front.core.coefficient import Number, ScalarPower, ScalarUse
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.limits import LARGEST_COMPLEX_EXPONENT, LARGEST_EXPONENT, LARGEST_RANGE
from einsum_front.notation import checked, syntax
from einsum_front.notation.check.attributes import reject_complex_integers
from einsum_front.notation.check.functions import function_call
from einsum_front.notation.check.gathers import gathered, is_gathered
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.numbers import (
    Coefficient,
    combine,
    inexact,
    integer_exponent,
    no_quotient,
    power,
    reject_too_deep,
    reject_zero_divisor,
    values_of,
)
from einsum_front.notation.check.references import access, index_of_ones, scalar
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.parts.complexity import IMAGINARY_UNIT, is_complex_coefficient


@dataclass(frozen=True, slots=True)
class Term:
    """`coefficient` times `operand`; without an operand, a scalar."""

    coefficient: Coefficient
    operand: checked.Expression | None
    origin: Origin


def resolve(expression: syntax.Expression, scope: Scope) -> checked.Expression:
    """The expression with every name resolved; only its reductions are missing."""
    return _expression(_term(expression, scope), scope)


def _term(expression: syntax.Expression, scope: Scope) -> Term:
    match expression:
        case syntax.Literal(text):
            return Term(Fraction(text), None, expression.origin)
        case syntax.Imaginary(text, origin):
            reject_complex_integers("j", origin, scope.element_type)
            unit = ScalarUse(IMAGINARY_UNIT, origin)
            by, number = syntax.FactorOperator.MUL, Fraction(text)
            return Term(combine(by, number, unit, origin, scope.element_type), None, origin)
        case syntax.Reference():
            return _named(expression, scope)
        case syntax.Ones(positions, origin):
            names = gather(lambda position: index_of_ones(position, scope), positions)
            return Term(Fraction(1), checked.ScalarTerm(Number(1, origin), names, origin), origin)
        case syntax.Negation(operand):
            return _negative(_term(operand, scope), expression.origin, scope)
        case syntax.Power():
            return _power(expression, scope)
        case syntax.Product():
            return _product(expression, scope)
        case syntax.Sum(first, rest):
            terms = gather(lambda part: _term(part, scope), (first, *(part for _, part in rest)))
            signs = (syntax.TermOperator.ADD, *(sign for sign, _ in rest))
            return _sum(terms, signs, expression.origin, scope)
        case syntax.RangeSum():
            return _range_sum(expression, scope)
        case syntax.Call():
            return _call(expression, scope)


def _call(call: syntax.Call, scope: Scope) -> Term:
    inner = function_call(call, scope, lambda part: resolve(part, scope))
    return Term(Fraction(1), inner, call.origin)


def _named(reference: syntax.Reference, scope: Scope) -> Term:
    number = scope.number(reference.name)
    if number is not None and not reference.members and reference.positions is None:
        if not isinstance(number, Fraction):
            message = f"`{reference.name}` is a size and stands in extents only"
            raise mistake("E0208", message, (reference.origin, ""))
        return Term(number, None, reference.origin)
    if reference.name in scope.scalars:
        return Term(scalar(reference, scope), None, reference.origin)
    entries = gathered(reference, scope) if is_gathered(reference) else access(reference, scope)
    return Term(Fraction(1), entries, reference.origin)


def _negative(term: Term, origin: Origin, scope: Scope) -> Term:
    coefficient = combine(syntax.FactorOperator.MUL, Fraction(-1), term.coefficient, origin, scope.element_type)
    return Term(coefficient, term.operand, origin)


def _power(expression: syntax.Power, scope: Scope) -> Term:
    base, exponent = gather(lambda part: _term(part, scope), (expression.base, expression.exponent))
    if base.operand is not None:
        message = "only numbers and scalars have powers"
        raise mistake("E0215", message, (base.origin, "a tensor: write the product and its indices"))
    if exponent.operand is not None or not isinstance(exponent.coefficient, Fraction):
        message = "an exponent is an integer that is known when compiling"
        raise mistake("E0215", message, (expression.exponent.origin, ""))
    if isinstance(base.coefficient, Fraction):
        return Term(power(base.coefficient, exponent.coefficient, expression), None, expression.origin)
    whole = integer_exponent(exponent.coefficient, expression.exponent)
    if is_complex_coefficient(base.coefficient, scope.complex_names) and abs(whole) > LARGEST_COMPLEX_EXPONENT:
        message = f"exponents of complex numbers are at most {LARGEST_COMPLEX_EXPONENT}"
        raise mistake("E0215", message, (expression.exponent.origin, f"this is {whole}"))
    if abs(whole) > LARGEST_EXPONENT:
        message = f"exponents of scalars are at most {LARGEST_EXPONENT}"
        raise mistake("E0215", message, (expression.exponent.origin, f"this is {whole}"))
    if whole < 0 and scope.element_type.is_integer:
        raise no_quotient(expression.origin, scope.element_type)
    return Term(ScalarPower(base.coefficient, whole, expression.origin), None, expression.origin)


def _product(expression: syntax.Product, scope: Scope) -> Term:
    operators = (syntax.FactorOperator.MUL, *(by for by, _ in expression.rest))
    parts = (expression.first, *(part for _, part in expression.rest))
    terms = gather(lambda part: _term(part, scope), parts)
    coefficient: Coefficient = Fraction(1)
    factors: list[checked.Expression] = []
    for by, term in zip(operators, terms, strict=True):
        reject_zero_divisor(by, term.coefficient, term.origin)
        if by is syntax.FactorOperator.DIV and term.operand is not None:
            if scope.element_type.is_integer:
                raise no_quotient(expression.origin, scope.element_type)
            dividend = Term(coefficient, None, expression.origin) if not factors else None
            whole = _multiplied(factors, expression.origin) if dividend is None else _expression(dividend, scope)
            factors = [checked.Quotient(whole, term.operand, expression.origin)]
            coefficient = coefficient if dividend is None else Fraction(1)
        elif term.operand is not None:
            factors.append(term.operand)
        coefficient = combine(by, coefficient, term.coefficient, expression.origin, scope.element_type)
    return Term(coefficient, _multiplied(factors, expression.origin) if factors else None, expression.origin)


def _multiplied(factors: Sequence[checked.Expression], origin: Origin) -> checked.Expression:
    return checked.Product(tuple(factors), origin) if len(factors) > 1 else factors[0]


def _range_sum(expression: syntax.RangeSum, scope: Scope) -> Term:
    numbers = values_of(expression.variable, scope)
    if not numbers:
        raise mistake("E0222", "this sum has no terms: its range is empty", (expression.variable.range.origin, ""))
    if _terms(expression, scope) > LARGEST_RANGE:
        message = f"this sum has more than {LARGEST_RANGE} terms"
        raise mistake("E0222", message, (expression.variable.range.origin, "unrolled when compiling"))
    name = expression.variable.name
    terms = gather(lambda number: _term(expression.body, scope.with_variable(name, number)), numbers)
    return _sum(terms, (syntax.TermOperator.ADD,) * len(terms), expression.origin, scope)


def _terms(expression: syntax.Expression, scope: Scope) -> int:
    """How often what stands innermost in sums over ranges is met; no further than to one more than is allowed."""
    match expression:
        case syntax.Literal() | syntax.Imaginary() | syntax.Reference() | syntax.Ones() | syntax.Power():
            return 1
        case syntax.Negation(operand):
            return _terms(operand, scope)
        case syntax.Call():
            return max((_terms(part, scope) for part in syntax.operands(expression)), default=1)
        case syntax.Product(first, rest) | syntax.Sum(first, rest):
            return max(_terms(part, scope) for part in (first, *(part for _, part in rest)))
        case syntax.RangeSum(variable, body):
            total = 0
            for number in values_of(variable, scope):
                total += _terms(body, scope.with_variable(variable.name, number))
                if total > LARGEST_RANGE:
                    break
            return max(1, total)


def _sum(terms: Sequence[Term], signs: Sequence[syntax.TermOperator], origin: Origin, scope: Scope) -> Term:
    if len(terms) == 1:
        return terms[0]
    if all(term.operand is None for term in terms):
        return _sum_of_scalars(terms, signs, origin, scope)
    signed = (
        term if sign is syntax.TermOperator.ADD else _negative(term, term.origin, scope)
        for sign, term in zip(signs, terms, strict=True)
    )
    expressions = gather(lambda term: _expression(term, scope), signed)
    return Term(Fraction(1), checked.Sum(_flat(expressions), origin), origin)


def _sum_of_scalars(terms: Sequence[Term], signs: Sequence[syntax.TermOperator], origin: Origin, scope: Scope) -> Term:
    total = terms[0].coefficient
    for sign, term in zip(signs[1:], terms[1:], strict=True):
        total = combine(sign, total, term.coefficient, origin, scope.element_type)
    return Term(total, None, origin)


def _flat(terms: Iterable[checked.Expression]) -> tuple[checked.Expression, ...]:
    """The terms of a sum whose terms may be sums."""
    return tuple(t for term in terms for t in (term.terms if isinstance(term, checked.Sum) else (term,)))


def _expression(term: Term, scope: Scope) -> checked.Expression:
    if term.operand is not None and term.coefficient == 1:
        return term.operand
    coefficient = inexact(term.coefficient, term.origin, scope.element_type)
    reject_too_deep(coefficient, term.origin)
    if term.operand is None:
        return checked.ScalarTerm(coefficient, origin=term.origin)
    return checked.Scaled(coefficient, term.operand, term.origin)

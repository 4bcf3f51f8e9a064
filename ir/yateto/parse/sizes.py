"""Numbers that only the launch knows, as texts: `2*n + 1`.

    sum     = ["-"] product {("+" | "-") product}
    product = factor {"*" factor | "/" factor}        a divisor is an integer other than 0
    factor  = (integer | name | "(" sum ")" | "-" factor) ["**" integer]

A polynomial is expanded while it is read, within the limits of all languages: a text cannot make more than they allow.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NoReturn

from einsum_front.diagnostics.limits import DEEPEST_NESTING, LARGEST_DEGREE, LARGEST_NUMBER_BITS, MOST_TERMS_OF_SIZES
from einsum_front.ir.open_numbers import from_text

Monomial = tuple[str, ...]
"""Its names, sorted, each as often as its power."""

Polynomial = Mapping[Monomial, Fraction]
"""The coefficients other than 0."""

TOKEN = re.compile(r"\s*(\*\*|[-+*/()]|[0-9]{1,19}(?![0-9])|[A-Za-z_][A-Za-z0-9_]*|$)")


class NoNumberError(Exception):
    """The text is no sum of products of sizes and integers."""


class TooLargeError(Exception):
    """A polynomial is beyond the limits."""


def read_number(text: str) -> int | None:
    """The number that a text says, None if it is no sum of products that is an integer; raises `TooLargeError`."""
    try:
        polynomial = _Reader(text).whole()
    except NoNumberError:
        return None
    names = {name for monomial in polynomial for name in monomial}
    if not names:
        number = polynomial.get((), Fraction(0))
        return int(number) if number.denominator == 1 else None
    import sympy  # noqa: PLC0415 - importing it costs more than compiling a kernel

    symbols = {name: sympy.Symbol(name, integer=True, positive=True) for name in names}
    terms = (
        sympy.Mul(sympy.Rational(coefficient.numerator, coefficient.denominator), *(symbols[name] for name in monomial))
        for monomial, coefficient in polynomial.items()
    )
    return from_text(sympy.Add(*terms))


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._position = 0
        self._depth = 0

    def whole(self) -> Polynomial:
        """The polynomial that all of the text says."""
        polynomial = self._sum()
        return polynomial if self._next() == "" else _reject()

    def _peek(self) -> str:
        return self._tokens[self._position]

    def _next(self) -> str:
        self._position += 1
        return self._tokens[self._position - 1]

    def _sum(self) -> Polynomial:
        total = self._product()
        while self._peek() in {"+", "-"}:
            sign = -1 if self._next() == "-" else 1
            total = _added(total, self._product(), sign)
        return total

    def _product(self) -> Polynomial:
        product = self._factor()
        while self._peek() in {"*", "/"}:
            divides = self._next() == "/"
            factor = self._factor()
            product = _multiplied(product, _inverse(factor) if divides else factor)
        return product

    def _factor(self) -> Polynomial:
        if self._depth == DEEPEST_NESTING:
            raise TooLargeError
        self._depth += 1
        token = self._next()
        if token == "-":
            factor = _added({}, self._factor(), -1)
        else:
            base = self._base(token)
            factor = _power(base, self._next()) if self._peek() == "**" and self._next() else base
        self._depth -= 1
        return factor

    def _base(self, token: str) -> Polynomial:
        if token == "(":
            inner = self._sum()
            return inner if self._next() == ")" else _reject()
        if token.isdigit():
            return _added({}, {(): Fraction(token)}, 1)
        return {(token,): Fraction(1)} if token.isidentifier() else _reject()


def _tokens(text: str) -> list[str]:
    """The tokens, and an empty one behind them."""
    found: list[str] = []
    position = 0
    while not found or found[-1]:
        match = TOKEN.match(text, position)
        if match is None:
            _reject()
        found.append(match[1])
        position = match.end()
    return found


def _reject() -> NoReturn:
    raise NoNumberError


def _added(left: Polynomial, right: Polynomial, sign: int) -> Polynomial:
    total = dict(left)
    for monomial, coefficient in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + sign * coefficient
    return _limited(total)


def _multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    product: dict[Monomial, Fraction] = {}
    for one, coefficient in left.items():
        for other, factor in right.items():
            monomial = tuple(sorted(one + other))
            product[monomial] = product.get(monomial, Fraction(0)) + coefficient * factor
    return _limited(product)


def _inverse(divisor: Polynomial) -> Polynomial:
    return {(): 1 / divisor[()]} if list(divisor) == [()] else _reject()


def _power(base: Polynomial, exponent: str) -> Polynomial:
    if not exponent.isdigit():
        _reject()
    if int(exponent) > LARGEST_DEGREE:
        raise TooLargeError
    product: Polynomial = {(): Fraction(1)}
    for _ in range(int(exponent)):
        product = _multiplied(product, base)
    return product


def _limited(polynomial: dict[Monomial, Fraction]) -> Polynomial:
    """Without terms that have cancelled."""
    found = {monomial: coefficient for monomial, coefficient in polynomial.items() if coefficient}
    parts = (part for coefficient in found.values() for part in coefficient.as_integer_ratio())
    if len(found) > MOST_TERMS_OF_SIZES or max(map(len, found), default=0) > LARGEST_DEGREE:
        raise TooLargeError
    if any(part.bit_length() > LARGEST_NUMBER_BITS for part in parts):
        raise TooLargeError
    return found

"""Extents that only the launch knows: polynomials of sizes."""

from collections.abc import Mapping
from itertools import product
from math import comb, prod
from typing import Any

from einsum_front.diagnostics.limits import LARGEST_DEGREE, MOST_TERMS_OF_SIZES
from einsum_front.notation.checked import Size

MOST_POINTS = 4096
"""At which a polynomial with fractions is tried."""


class RunTimeExtent(int):
    """An extent that depends on a declared `size`, as a sympy polynomial.

    It is checked like any extent: equal to another only if they agree whatever the sizes are, larger than every number
    in the text, and printed as it is spelled.
    """

    value: Any
    expression: str

    def __new__(cls, value: Any) -> "RunTimeExtent":
        """The extent that a sympy expression of sizes describes."""
        extent = super().__new__(cls, 2**62)
        extent.value = value.expand()
        extent.expression = str(extent.value)
        return extent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunTimeExtent) and self.expression == other.expression

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.expression)

    def __str__(self) -> str:
        return self.expression

    def __mul__(self, other: int) -> "RunTimeExtent":
        return RunTimeExtent(self.value * (other.value if isinstance(other, RunTimeExtent) else other))

    __rmul__ = __mul__

    def at(self, sizes: Mapping[str, int]) -> int:
        """The number that it is for these sizes."""
        return int(self.value.subs({symbol: sizes[symbol.name] for symbol in self.value.free_symbols}))

    def capacity(self, sizes: Mapping[str, Size]) -> int | None:
        """The largest that it can be; None if that has no bound."""
        bounds = {symbol.name: sizes[symbol.name].most for symbol in self.value.free_symbols}
        known = {name: bound for name, bound in bounds.items() if bound is not None}
        return self.at(known) if len(known) == len(bounds) else None


def least_value(value: Any, sizes: Mapping[str, Size]) -> Any | None:
    """The smallest that a polynomial can be, if it does not fall where a size grows; None if it may.

    With n = least + t, it is a polynomial of t: without negative coefficients, but for the number, it does not fall.
    """
    symbols = sorted(value.free_symbols, key=str)
    grown = {symbol: symbol + sizes[symbol.name].least for symbol in symbols}
    coefficients = value.subs(grown, simultaneous=True).expand().as_coefficients_dict()
    return None if any(c < 0 for monomial, c in coefficients.items() if monomial != 1) else coefficients[1]


def is_integer(value: Any) -> bool:
    """Whether a polynomial is an integer for all integers: it is, if it is at as many of each as its degree asks.

    Where these are too many points, only coefficients can tell: false may then be wrong.
    """
    symbols = sorted(value.free_symbols, key=str)
    polynomial = value.as_poly(*symbols)
    if all(coefficient.is_integer for coefficient in polynomial.coeffs()):
        return True
    ranges = [range(1, polynomial.degree(symbol) + 2) for symbol in symbols]
    if prod(map(len, ranges)) > MOST_POINTS:
        return False
    return all(value.subs(dict(zip(symbols, point, strict=True))).is_integer for point in product(*ranges))


def is_small(value: Any) -> bool:
    """Whether an expression of sizes, expanded, keeps to the limits of polynomials; it is not expanded for that."""
    terms, degree = _terms_and_degree(value, len(value.free_symbols))
    return terms <= MOST_TERMS_OF_SIZES and degree <= LARGEST_DEGREE


def _terms_and_degree(value: Any, symbols: int) -> tuple[int, int]:
    """Upper bounds, for an expression of so many symbols; a factor below a fraction counts as one above."""
    if not value.args:
        return 1, int(value.is_Symbol)
    if value.is_Pow and value.exp.is_Integer:
        terms, degree = _terms_and_degree(value.base, symbols)
        exponent = min(abs(int(value.exp)), LARGEST_DEGREE + 1)  # beyond, it is too much anyway
        terms, degree = terms**exponent, degree * exponent
    else:
        parts = [_terms_and_degree(part, symbols) for part in value.args]
        numbers, degrees = zip(*parts, strict=True)
        terms, degree = (sum(numbers), max(degrees)) if value.is_Add else (prod(numbers), sum(degrees))
    return min(terms, comb(degree + symbols, symbols)), degree

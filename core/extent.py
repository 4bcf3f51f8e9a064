"""Extents: numbers of positions, and polynomials of sizes for those that only the launch knows (dynamic extents).

    extent     = integer | polynomial
    polynomial = sum of products of sizes and rational numbers, whose values are integers: `2*n + 1`, `n**2/2 + n/2`

A polynomial is no integer: it has no order and no bits, so code that counts positions must say what it does with one.
Equal polynomials are equal for all sizes, since each has one form. What is estimated takes the `hint` of an extent,
what needs room its `capacity`, the launch its value (`evaluated`).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product as combinations
from math import ceil, prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.limits import LARGEST_DEGREE, LARGEST_NUMBER_BITS, MOST_TERMS_OF_SIZES


@dataclass(frozen=True, slots=True)
class Size:
    """A number that the launch supplies: from `least` to `most`, both included (None: without a bound).

    `hint` is an estimate, which decides between two ways to compute the same.
    """

    name: str
    least: int = 1
    most: int | None = None
    hint: int = 1

    @property
    def likely(self) -> int:
        """The hint, or the number behind it where that is a lower bound.

        There, ways to compute the same can be equal of which one is better for all other sizes.
        """
        return self.hint + 1 if self.hint == self.least != self.most else self.hint


Monomial = tuple[Size, ...]
"""The sizes of a product by their names, each as often as its power."""

Terms = Mapping[Monomial, Fraction]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A number that depends on sizes: the products with their coefficients, none of which is 0, in the order of a text.

    Arithmetic is exact; what does not depend on sizes any more is an integer again. A constant that is no integer stays
    a polynomial (`number`), and is no extent.
    """

    terms: tuple[tuple[Monomial, Fraction], ...]

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The sizes that it depends on, by their names."""
        found = {size.name: size for monomial, _ in self.terms for size in monomial}
        return tuple(found[name] for name in sorted(found))

    @property
    def size(self) -> Size | None:
        """The size that it is, None if it is more than one size."""
        is_one = len(self.terms) == 1 and self.degree == 1 and self.terms[0][1] == 1
        return self.terms[0][0][0] if is_one else None

    @property
    def number(self) -> Fraction | None:
        """The number that it is if it does not depend on sizes."""
        return None if any(monomial for monomial, _ in self.terms) else sum((c for _, c in self.terms), Fraction(0))

    @property
    def degree(self) -> int:
        """The most sizes in a product."""
        return max(len(monomial) for monomial, _ in self.terms)

    def __add__(self, other: "Extent | Fraction") -> "Extent":
        return extent_of(added(dict(self.terms), _terms(other)))

    def __sub__(self, other: "Extent | Fraction") -> "Extent":
        return extent_of(added(dict(self.terms), _terms(other), -1))

    def __rsub__(self, other: "Extent | Fraction") -> "Extent":
        return extent_of(added(_terms(other), dict(self.terms), -1))

    def __mul__(self, other: "Extent | Fraction") -> "Extent":
        return extent_of(multiplied(dict(self.terms), _terms(other)))

    def __neg__(self) -> "Extent":
        return self * -1

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        """The text that users write; a term with a positive coefficient comes first, if there is one."""
        first = next((number for number, (_, factor) in enumerate(self.terms) if factor > 0), 0)
        terms = [self.terms[first], *self.terms[:first], *self.terms[first + 1 :]]
        text = "".join(f" {'-' if factor < 0 else '+'} {_term_text(each, abs(factor))}" for each, factor in terms)
        return text[3:] if terms[0][1] > 0 else f"-{text[3:]}"

    __repr__ = __str__

    def divided_by(self, divisor: "Polynomial") -> "Extent":
        """The polynomial that is this one if it is multiplied by the divisor; ArithmeticError if there is none."""
        rest, quotient = dict(self.terms), dict[Monomial, Fraction]()
        leading, first = min(divisor.terms, key=lambda term: _grade(term[0]))
        while rest:
            highest = min(rest, key=_grade)
            factor = _without(highest, leading)
            if factor is None or len(quotient) == MOST_TERMS_OF_SIZES:
                raise ArithmeticError(f"{divisor} does not divide {self}")
            quotient[factor] = rest[highest] / first
            rest = added(rest, multiplied({factor: quotient[factor]}, dict(divisor.terms)), -1)
        return extent_of(quotient)

    def __pow__(self, exponent: int) -> "Extent":
        """The polynomial to a power from 0 on; TooLargeError beyond the limits, before it is computed."""
        return extent_of(raised(dict(self.terms), exponent))

    def at(self, values: Mapping[str, int]) -> int:
        """The number for these values of its sizes; ArithmeticError if it is no integer."""
        value = self.fraction_at(values)
        if value.denominator != 1:
            raise ArithmeticError(f"{self} is {value}")
        return int(value)

    def fraction_at(self, values: Mapping[str, int]) -> Fraction:
        """The number for these values of its sizes."""
        total = Fraction(0)
        for monomial, factor in self.terms:
            total += factor * prod(values[size.name] for size in monomial)
        return total

    def over(self, sizes: Mapping[str, Size]) -> "Polynomial":
        """The same polynomial, of other sizes of these names where there are some."""
        return Polynomial(tuple((tuple(sizes.get(s.name, s) for s in monomial), c) for monomial, c in self.terms))


Extent = int | Polynomial


def of_size(size: Size) -> Polynomial:
    """The size as an extent."""
    return Polynomial((((size,), Fraction(1)),))


def of_number(number: Fraction | Polynomial) -> Polynomial:
    """The number as a polynomial, also where it does not depend on sizes: to divide it by one that does."""
    return number if isinstance(number, Polynomial) else Polynomial((((), number),))


# -- arithmetic of terms -----------------------------------------------------------------------------------------------


class TooLargeError(ValueError):
    """A polynomial is beyond the limits of all languages."""


def added(left: Terms, right: Terms, sign: int = 1) -> dict[Monomial, Fraction]:
    """The left terms and `sign` times the right ones, without those that cancel."""
    result = dict(left)
    for monomial, factor in right.items():
        result[monomial] = result.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in result.items() if factor}


def multiplied(left: Terms, right: Terms) -> dict[Monomial, Fraction]:
    """The products of all terms, without those that cancel."""
    result: dict[Monomial, Fraction] = {}
    for one, first in left.items():
        for other, second in right.items():
            monomial = tuple(sorted(one + other, key=_name)) if one and other else one + other
            result[monomial] = result.get(monomial, Fraction(0)) + first * second
    return {monomial: factor for monomial, factor in result.items() if factor}


def raised(base: Terms, exponent: int) -> Terms:
    """The terms to a power from 0 on; TooLargeError beyond the limits, before all of it is computed."""
    if max(map(len, base), default=0) * exponent > LARGEST_DEGREE:
        raise TooLargeError
    result: Terms = {(): Fraction(1)}
    for _ in range(exponent):
        result = limited(multiplied(result, base))
    return result


def limited(terms: dict[Monomial, Fraction]) -> Terms:
    """The terms, if they keep to the limits of all languages: degree, number, digits; else TooLargeError."""
    parts = (part for factor in terms.values() for part in factor.as_integer_ratio())
    if len(terms) > MOST_TERMS_OF_SIZES or max(map(len, terms), default=0) > LARGEST_DEGREE:
        raise TooLargeError
    if any(part.bit_length() > LARGEST_NUMBER_BITS for part in parts):
        raise TooLargeError
    return terms


def extent_of(terms: Terms) -> Extent:
    """The terms in their order; an integer if it is one."""
    if not any(terms) and (constant := terms.get((), Fraction(0))).denominator == 1:
        return int(constant)
    return Polynomial(tuple(sorted(terms.items(), key=lambda term: _place(term[0]))))


def _terms(number: Extent | Fraction) -> dict[Monomial, Fraction]:
    if isinstance(number, Polynomial):
        return dict(number.terms)
    return {(): Fraction(number)} if number else {}


def _name(size: Size) -> str:
    return size.name


def _place(monomial: Monomial) -> tuple[str, ...]:
    """Where a product stands in a text: high powers of the first name first, the constant last."""
    return (*(size.name for size in monomial), "\uffff")


def _grade(monomial: Monomial) -> tuple[int, tuple[str, ...]]:
    """An order of products that multiplication keeps, high degrees first: division goes through it."""
    return -len(monomial), tuple(size.name for size in monomial)


def _without(monomial: Monomial, divisor: Monomial) -> Monomial | None:
    """The factors of a product that another one lacks; None if it does not divide it."""
    left = list(monomial)
    for size in divisor:
        if size not in left:
            return None
        left.remove(size)
    return tuple(left)


def _powers(monomial: Monomial) -> dict[str, int]:
    """The power of each size."""
    powers: dict[str, int] = {}
    for size in monomial:
        powers[size.name] = powers.get(size.name, 0) + 1
    return powers


def _term_text(monomial: Monomial, factor: Fraction) -> str:
    factors = [name if power == 1 else f"{name}**{power}" for name, power in _powers(monomial).items()]
    if factor.numerator != 1 or not factors:
        factors.insert(0, str(factor.numerator))
    return "*".join(factors) + (f"/{factor.denominator}" if factor.denominator != 1 else "")


# -- many extents ------------------------------------------------------------------------------------------------------


def product(extents: Iterable[Extent]) -> Extent:
    """All extents multiplied: the entries of a tensor; 1 without any."""
    result: Extent = 1
    for extent in extents:
        result = result * extent
    return result


def total(extents: Iterable[Extent]) -> Extent:
    """The sum of extents, or of counts that depend on them."""
    result: Extent = 0
    for extent in extents:
        result = result + extent
    return result


def sizes_in(extents: Iterable[Extent]) -> dict[str, Size]:
    """The sizes that extents depend on, by name."""
    return {size.name: size for extent in extents if isinstance(extent, Polynomial) for size in extent.sizes}


def static(extent: Extent) -> int:
    """An extent that is known where this is asked for."""
    if isinstance(extent, Polynomial):
        raise CompilerBug(f"the extent {extent} is dynamic")
    return extent


def static_shape(shape: Iterable[Extent]) -> tuple[int, ...]:
    """Extents that are known where this is asked for."""
    return tuple(map(static, shape))


# -- numbers for extents -----------------------------------------------------------------------------------------------


def hint(extent: Extent) -> int:
    """An estimate of an extent, or of a count that depends on sizes: its value for their hints. Planners compare it."""
    if not isinstance(extent, Polynomial):
        return extent
    return int(extent.fraction_at({size.name: size.likely for size in extent.sizes}))


def length(extent: Extent) -> tuple[bool, int]:
    """A key that sorts extents where sizes have no hints: dynamic ones are longer than all others."""
    return isinstance(extent, Polynomial), hint(extent)


def capacity(extent: Extent) -> Extent:
    """The largest that an extent, which does not fall where a size grows, can be; itself if that has no bound."""
    if not isinstance(extent, Polynomial):
        return extent
    bounds = {size.name: size.most for size in extent.sizes if size.most is not None}
    return evaluated(extent, bounds)


def evaluated(extent: Extent, values: Mapping[str, int]) -> Extent:
    """The number that an extent is for these values of sizes; itself where they do not say it."""
    if not isinstance(extent, Polynomial) or not all(size.name in values for size in extent.sizes):
        return extent
    return extent.at(values)


def bytes_at(count: Extent, values: Mapping[str, int]) -> int:
    """A number of bytes for these values of sizes, rounded up; 0 where they do not say it."""
    if not isinstance(count, Polynomial):
        return count
    is_shown = all(size.name in values for size in count.sizes)
    return max(0, ceil(count.fraction_at(values))) if is_shown else 0


def with_sizes(extent: Extent, sizes: Mapping[str, Size]) -> Extent:
    """The same extent, of other sizes of these names: with limits, or other ones."""
    return extent.over(sizes) if isinstance(extent, Polynomial) else extent


def without_limits(extent: Extent) -> Extent:
    """The same extent of sizes of which nothing is known but their names, as texts have them."""
    return with_sizes(extent, {name: Size(name) for name in sizes_in([extent])})


# -- comparisons that hold for all sizes -------------------------------------------------------------------------------


def least_value(extent: Extent) -> Fraction | None:
    """The smallest that an extent can be, if it does not fall where a size grows; None if it may.

    With n = least + t, it is a polynomial of t: without negative coefficients, but for the number, it does not fall.
    """
    if not isinstance(extent, Polynomial):
        return Fraction(extent)
    grown: Extent = 0
    for monomial, factor in extent.terms:
        shifted = product(of_size(size) + size.least for size in monomial)
        grown = grown + extent_of(multiplied(_terms(shifted), {(): factor}))
    terms = _terms(grown)
    return None if any(factor < 0 for monomial, factor in terms.items() if monomial) else terms.get((), Fraction(0))


def is_at_most(one: Extent, other: Extent) -> bool:
    """True if an extent is at most another one, whatever the sizes are within their limits; what is open is no."""
    least = least_value(other - one)
    if least is not None and least >= 0:
        return True
    room, least = capacity(one), least_value(other)
    return isinstance(room, int) and least is not None and least_value(one) is not None and room <= least


def is_integer(polynomial: Polynomial) -> bool:
    """True if a polynomial is an integer for all integers: if its coefficients as a sum of products of binomials are.

    For these, `n**k` is the sum of `surjections(k, j) * binomial(n, j)` over j (Polya, "Über ganzwertige ganze
    Funktionen", Rendiconti di Palermo 40, 1915).
    """
    found: dict[tuple[tuple[str, int], ...], Fraction] = {}
    for monomial, factor in polynomial.terms:
        powers = _powers(monomial)
        for chosen in combinations(*(range(1, power + 1) for power in powers.values())):
            key = tuple(zip(powers, chosen, strict=True))
            count = prod(_surjections(power, j) for power, j in zip(powers.values(), chosen, strict=True))
            found[key] = found.get(key, Fraction(0)) + factor * count
    return all(factor.denominator == 1 for factor in found.values())


@cache
def _surjections(k: int, j: int) -> int:
    """How many ways there are to map k things onto j."""
    if 0 in (k, j):
        return int(k == j)
    return j * (_surjections(k - 1, j) + _surjections(k - 1, j - 1))


def is_small(polynomial: Polynomial) -> bool:
    """True if a polynomial keeps to the limits of all languages."""
    try:
        limited(dict(polynomial.terms))
    except TooLargeError:
        return False
    return True

"""Polynomials in several variables with exact coefficients, as rows of a matrix over a list of monomials.

Derivative, restriction to a face and integral over the unit simplex are then integer matrices, so a zero of a finite
element matrix is decided by exact arithmetic and not by a threshold.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial, lcm, prod

import numpy as np
import numpy.typing as npt

Exponents = tuple[int, ...]
Number = int | Fraction
Terms = dict[Exponents, Number]
"""One polynomial: the coefficient of each monomial that it has."""

Matrix = npt.NDArray[np.object_]
"""Exact (`int`, `Fraction`) or high-precision (`Decimal`) numbers."""


def monomials(variables: int, degree: int) -> tuple[Exponents, ...]:
    """All exponents of total degree `degree` at most, in increasing degree."""
    every = (powers for powers in product(range(degree + 1), repeat=variables) if sum(powers) <= degree)
    return tuple(sorted(every, key=lambda powers: (sum(powers), powers)))


def add(*summands: Terms) -> Terms:
    """The sum of polynomials in the same variables."""
    total: defaultdict[Exponents, Number] = defaultdict(int)
    for summand in summands:
        for powers, coefficient in summand.items():
            total[powers] += coefficient
    return dict(total)


def multiply(*factors: Terms) -> Terms:
    """The product of one or more polynomials in the same variables."""
    result, *rest = factors
    for factor in rest:
        partial: defaultdict[Exponents, Number] = defaultdict(int)
        for (left, a), (right, b) in product(result.items(), factor.items()):
            if a and b:
                partial[tuple(p + q for p, q in zip(left, right, strict=True))] += a * b
        result = dict(partial)
    return result


def affine(constant: Number, *slopes: Number) -> Terms:
    """`constant + slopes[0]*x + slopes[1]*y + …`."""
    variables = range(len(slopes))
    linear: Terms = {tuple(int(e == d) for e in variables): slope for d, slope in enumerate(slopes)}
    return {tuple(0 for _ in variables): constant} | linear


def constant_like(polynomial: Terms, value: Number) -> Terms:
    """The constant `value`, in the variables of a polynomial with at least one term."""
    return {tuple(0 for _ in next(iter(polynomial))): value}


@dataclass(frozen=True)
class Polynomials:
    """A list of polynomials: row `k` of `coefficients` belongs to polynomial `k`, column `m` to monomial `m`."""

    monomials: tuple[Exponents, ...]
    coefficients: Matrix

    @classmethod
    def of(cls, polynomials: list[Terms], degree: int) -> Polynomials:
        """Collect polynomials of degree `degree` at most."""
        variables = len(next(iter(polynomials[0])))
        columns = monomials(variables, degree)
        rows = [[terms.get(powers, 0) for powers in columns] for terms in polynomials]
        return cls(columns, np.array(rows, dtype=object))

    def derivative(self, direction: int) -> Polynomials:
        """Differentiate every polynomial by variable `direction`."""
        column = {powers: m for m, powers in enumerate(self.monomials)}
        coefficients = np.zeros_like(self.coefficients)
        for m, powers in enumerate(self.monomials):
            if powers[direction]:
                lower = tuple(power - (d == direction) for d, power in enumerate(powers))
                coefficients[:, column[lower]] = powers[direction] * self.coefficients[:, m]
        return Polynomials(self.monomials, coefficients)

    def compose(self, *images: Terms) -> Polynomials:
        """Replace variable `d` by the affine polynomial `images[d]`; a trace on a face is such a replacement."""
        one = constant_like(images[0], 1)
        replaced = [
            multiply(one, *(image for image, power in zip(images, powers, strict=True) for _ in range(power)))
            for powers in self.monomials
        ]
        substitution = Polynomials.of(replaced, degree=max(map(sum, self.monomials)))
        return Polynomials(substitution.monomials, self.coefficients @ substitution.coefficients)

    def inner(self, other: Polynomials) -> Matrix:
        """All integrals of `self[k] * other[l]` over the unit simplex, as fractions.

        The integral of x^a y^b z^c is a! b! c! / (a + b + c + 3)!, and likewise in two variables.
        """
        moments = [[_moment(p, q) for q in other.monomials] for p in self.monomials]
        denominator = lcm(*(moment.denominator for row in moments for moment in row))
        scaled = np.array([[int(moment * denominator) for moment in row] for row in moments], dtype=object)
        integrals: Matrix = self.coefficients @ scaled @ other.coefficients.T * Fraction(1, denominator)
        return integrals

    def at(self, points: Matrix) -> Matrix:
        """Evaluate: entry `[p, k]` is polynomial `k` at `points[p]`, in the arithmetic of the points."""
        powers = np.array(self.monomials)
        table: list[Matrix] = [0 * points + 1]
        for _ in range(int(powers.max())):
            table.append(table[-1] * points)
        columns = [prod((table[power][:, d] for d, power in enumerate(m)), start=1) for m in self.monomials]
        values: Matrix = np.stack(columns, axis=1) @ self.coefficients.T
        return values


def _moment(left: Exponents, right: Exponents) -> Fraction:
    powers = [p + q for p, q in zip(left, right, strict=True)]
    return Fraction(prod(map(factorial, powers)), factorial(sum(powers) + len(powers)))

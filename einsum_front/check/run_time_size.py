"""Extents that only the launch knows: polynomials of sizes."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from einsum_front.checked import Size


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
    """Whether a polynomial is an integer for all integers: it is, if it is at as many of each as its degree asks."""
    symbols = sorted(value.free_symbols, key=str)
    grid = product(*(range(1, value.as_poly(*symbols).degree(symbol) + 2) for symbol in symbols))
    return all(value.subs(dict(zip(symbols, point, strict=True))).is_integer for point in grid)

"""Numbers that only the launch knows: polynomials of sizes.

All of the compiler counts with integers. A `RunTimeNumber` is one, so that masks can be made, strides be compared and
loops be written as for any number, and knows the polynomial that it stands for, as do sums, differences and products of
it. As an integer it is the value of the polynomial for sample sizes, which are chosen so that extents of a kernel are
equal if their polynomials are. What NumPy has made has lost its polynomial: `Restored` finds it again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Size:
    """A size: the launch supplies a number from `least` to `most` (None: without a bound).

    `hint` is what it is thought to be, `sample` what it is as an integer when compiling.
    """

    name: str
    least: int
    most: int | None
    hint: int
    sample: int = 0

    @property
    def likely(self) -> int:
        """The hint, or the number behind it where that is a lower bound.

        There, ways to compute the same can be equal of which one is better for all other sizes.
        """
        return self.hint + 1 if self.hint == self.least != self.most else self.hint


class RunTimeNumber(int):
    """A number that depends on sizes: `expression` is a sympy polynomial of the `sizes`, by their names."""

    expression: Any
    sizes: Mapping[str, Size]

    def __new__(cls, expression: Any, sizes: Mapping[str, Size]) -> "RunTimeNumber":
        """The number that an expanded polynomial stands for."""
        used = {name: sizes[name] for name in sorted(symbol.name for symbol in expression.free_symbols)}
        number = super().__new__(cls, _value(expression, {name: size.sample for name, size in used.items()}))
        number.expression, number.sizes = expression, used
        return number

    def __str__(self) -> str:
        return str(self.expression)

    def __repr__(self) -> str:
        return str(self.expression)

    def __add__(self, other: int) -> int:
        return _number(self.expression + _expression(other), self, other)

    def __sub__(self, other: int) -> int:
        return _number(self.expression - _expression(other), self, other)

    def __rsub__(self, other: int) -> int:
        return _number(_expression(other) - self.expression, self, other)

    def __mul__(self, other: int) -> int:
        return _number(self.expression * _expression(other), self, other)

    __radd__ = __add__
    __rmul__ = __mul__

    def symbol(self, name: str) -> Any:
        """The sympy symbol of one of its sizes."""
        return next(symbol for symbol in self.expression.free_symbols if symbol.name == name)

    def at(self, values: Mapping[str, int]) -> int:
        """The number for these values of all its sizes."""
        return _value(self.expression, values)


def _expression(number: int) -> Any:
    return number.expression if isinstance(number, RunTimeNumber) else int(number)


def _number(expression: Any, one: RunTimeNumber, other: int) -> int:
    expanded = expression.expand()
    sizes = {**one.sizes, **other.sizes} if isinstance(other, RunTimeNumber) else one.sizes
    return RunTimeNumber(expanded, sizes) if expanded.free_symbols else int(expanded)


def _value(expression: Any, values: Mapping[str, int]) -> int:
    return int(expression.subs({symbol: values[symbol.name] for symbol in expression.free_symbols}))


_POWERS_OF_NAMES = 64
"""Samples of sizes that only have a name are larger than all other numbers."""


def with_named_sample(size: Size) -> Size:
    """The size with a sample that its name alone decides: for numbers that are not yet those of a kernel."""
    return replace(size, sample=(int.from_bytes(size.name.encode()) << _POWERS_OF_NAMES) + 1)


def open_size(size: Size) -> RunTimeNumber:
    """The size as a number, with a sample that its name alone decides."""
    import sympy  # noqa: PLC0415 - importing it costs more than compiling a kernel

    symbol = sympy.Symbol(size.name, integer=True, positive=True)
    return RunTimeNumber(symbol, {size.name: with_named_sample(size)})


def assumed(number: int) -> int:
    """What a number is thought to be: its value for likely sizes."""
    if not isinstance(number, RunTimeNumber):
        return number
    return number.at({name: size.likely for name, size in number.sizes.items()})


def capacity(number: int) -> int:
    """The largest that an extent, which does not fall where a size grows, can be; itself if that has no bound."""
    if not isinstance(number, RunTimeNumber):
        return number
    bounds = {name: size.most for name, size in number.sizes.items() if size.most is not None}
    return number.at(bounds) if len(bounds) == len(number.sizes) else number


def sizes_in(numbers: Iterable[int]) -> dict[str, Size]:
    """The sizes that numbers depend on, by name."""
    return {n: size for number in numbers if isinstance(number, RunTimeNumber) for n, size in number.sizes.items()}


def is_never_above(one: int, other: int) -> bool:
    """Whether a number is at most another one, whatever the sizes are within their lower bounds.

    Decided by the coefficients of the difference as a polynomial of what the sizes exceed their bounds by: if none is
    negative, it is so. What this leaves open counts as no.
    """
    difference = other - one
    if not isinstance(difference, RunTimeNumber):
        return difference >= 0
    grown = {s: s + difference.sizes[s.name].least for s in difference.expression.free_symbols}
    shifted = difference.expression.subs(grown, simultaneous=True).expand()
    return all(coefficient >= 0 for coefficient in shifted.as_coefficients_dict().values())


def interpolated(extents: Sequence[int], counts: Mapping[tuple[int, ...], int]) -> int:
    """The polynomial of the extents that has these values at these points, a grid of 1, 2, … for each extent."""
    total: Any = 0
    for point, value in counts.items():
        weight: Any = value
        for extent, at, positions in zip(extents, point, zip(*counts, strict=True), strict=True):
            for other in dict.fromkeys(positions):
                weight = weight if other == at else weight * (_expression(extent) - other) * Fraction(1, at - other)
        total = total + weight
    sizes = sizes_in(extents)
    return RunTimeNumber(total.expand(), sizes) if sizes and total.expand().free_symbols else int(total)


def equal(one: int, other: int) -> bool:
    """Whether two numbers are the same whatever the sizes are."""
    difference = one - other
    return not isinstance(difference, RunTimeNumber) and difference == 0


def text_of_shape(shape: Iterable[int]) -> str:
    """Extents as text: `[2*n]x9`."""
    return "x".join(bracketed(extent) for extent in shape)


def bracketed(number: int) -> str:
    """A number as text, in brackets if only the launch knows it."""
    return f"[{number}]" if isinstance(number, RunTimeNumber) else str(number)


def data(number: int) -> int | str:
    """The number for programs: a text, if only the launch knows it."""
    return str(number) if isinstance(number, RunTimeNumber) else number


def with_samples(declared: Iterable[Size], extents: Iterable[Any], largest: int) -> dict[str, Size]:
    """The sizes by name, with samples.

    They are small primes in a row for which each of the extents, which are polynomials of sizes, is another number
    above `largest`, the largest extent that is known when compiling.
    """
    sizes, polynomials = list(declared), list(dict.fromkeys(extents))
    if not sizes:
        return {}
    import sympy  # noqa: PLC0415 - importing it costs more than compiling a kernel

    start = largest
    while True:
        samples = {size.name: int(sympy.nextprime(start, number)) for number, size in enumerate(sizes, start=1)}
        values = [_value(polynomial, samples) for polynomial in polynomials]
        if len(set(values)) == len(values) and min(values, default=largest + 1) > largest:
            return {size.name: replace(size, sample=samples[size.name]) for size in sizes}
        start += 1 + start // 8

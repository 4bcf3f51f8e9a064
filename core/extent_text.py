"""Extents as texts have them, in every language: `2*n + 1`.

    sum     = ["-"] product {("+" | "-") product}
    product = factor {"*" factor | "/" factor}        a divisor is an integer other than 0
    factor  = (integer | name | "(" sum ")" | "-" factor) ["**" integer]

A polynomial is expanded while it is read, within the limits of all languages: a text cannot make more than they allow.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NoReturn

from einsum_front.core.extent import (
    Extent,
    Polynomial,
    Size,
    Terms,
    TooLargeError,
    added,
    extent_of,
    is_integer,
    limited,
    multiplied,
    raised,
)
from einsum_front.core.limits import DEEPEST_NESTING, LARGEST_DEGREE


class NoExtentError(ValueError):
    """A text is no sum of products of sizes and integers, or no integer."""


def parse_extent(text: str) -> Extent:
    """The extent that a text says, of sizes without limits; raises `NoExtentError` and `TooLargeError`."""
    extent = extent_of(_Reader(text).whole())
    if isinstance(extent, Polynomial) and not is_integer(extent):
        raise NoExtentError(text)
    return extent


_TOKEN = re.compile(r"\s*(\*\*|[-+*/()]|[0-9]{1,19}(?![0-9])|[A-Za-z_][A-Za-z0-9_]*|$)")


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split())
        self._position = 0
        self._depth = 0

    def whole(self) -> Terms:
        """The terms of all of the text."""
        terms = self._sum()
        return terms if self._next() == "" else self._reject()

    def _split(self) -> Iterator[str]:
        """The tokens, and an empty one behind them."""
        position, token = 0, " "
        while token:
            match = _TOKEN.match(self._text, position)
            if match is None:
                self._reject()
            token, position = match[1], match.end()
            yield token

    def _peek(self) -> str:
        return self._tokens[self._position]

    def _next(self) -> str:
        self._position += 1
        return self._tokens[self._position - 1]

    def _reject(self) -> NoReturn:
        raise NoExtentError(self._text)

    def _sum(self) -> Terms:
        terms = self._product()
        while self._peek() in {"+", "-"}:
            sign = -1 if self._next() == "-" else 1
            terms = limited(added(terms, self._product(), sign))
        return terms

    def _product(self) -> Terms:
        terms = self._factor()
        while self._peek() in {"*", "/"}:
            divides = self._next() == "/"
            factor = self._factor()
            terms = limited(multiplied(terms, self._inverse(factor) if divides else factor))
        return terms

    def _inverse(self, divisor: Terms) -> Terms:
        return {(): 1 / divisor[()]} if list(divisor) == [()] else self._reject()

    def _factor(self) -> Terms:
        if self._depth == DEEPEST_NESTING:
            raise TooLargeError
        self._depth += 1
        token = self._next()
        terms = multiplied(self._factor(), {(): Fraction(-1)}) if token == "-" else self._power(self._base(token))
        self._depth -= 1
        return terms

    def _base(self, token: str) -> Terms:
        if token == "(":
            inner = self._sum()
            return inner if self._next() == ")" else self._reject()
        if token.isdigit():
            return added({}, {(): Fraction(token)})
        return {(Size(token),): Fraction(1)} if token.isidentifier() else self._reject()

    def _power(self, base: Terms) -> Terms:
        if self._peek() != "**":
            return base
        self._next()
        exponent = self._next()
        if not exponent.isdigit():
            self._reject()
        if int(exponent) > LARGEST_DEGREE:
            raise TooLargeError
        return raised(base, int(exponent))


def bracketed(extent: Extent) -> str:
    """An extent as text, in brackets if it is dynamic: `[2*n]`."""
    return f"[{extent}]" if isinstance(extent, Polynomial) else str(extent)


def text_of_shape(shape: Iterable[Extent]) -> str:
    """Extents as text: `[2*n]x9`."""
    return "x".join(map(bracketed, shape))


def word(extent: Extent) -> str:
    """An extent as a text without spaces, as the facts of a function have it: `2*n+1`."""
    return str(extent).replace(" ", "")


def data(extent: Extent) -> int | str:
    """The extent for programs, in JSON: a text if it is dynamic."""
    return str(extent) if isinstance(extent, Polynomial) else extent

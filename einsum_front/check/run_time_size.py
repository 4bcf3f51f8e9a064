"""Extents that only the launch knows."""

from typing import Any


class RunTimeExtent(int):
    """An extent that depends on a declared `size`.

    It is checked like any extent: equal to another only if they agree whatever the sizes are, larger than every number
    in the text, and printed as it is spelled.
    """

    expression: str

    def __new__(cls, expression: Any) -> "RunTimeExtent":
        """The extent that a sympy expression of sizes describes."""
        extent = super().__new__(cls, 2**62)
        extent.expression = str(expression.expand())
        return extent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RunTimeExtent) and self.expression == other.expression

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.expression)

    def __str__(self) -> str:
        return self.expression

"""Formulas in Python: operators build the syntax of the notation."""

from collections.abc import Iterable
from dataclasses import replace
from math import isfinite
from numbers import Complex, Integral, Real
from typing import TypeAlias

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.limits import DEEPEST_NESTING
from einsum_front.notation import syntax
from einsum_front.notation.unparse import unparse_expression, unparse_statement

Number: TypeAlias = int | float | complex | np.integer | np.inexact

_DEEPEST_NODE = 3 * DEEPEST_NESTING
"""Sums in products in sums: few nodes need no parentheses. How deep their text is, is asked when it is printed."""


@dataclass(frozen=True, eq=False, slots=True)
class Declaration:
    """Declaration of a name in an expression, and the names that it uses itself.

    Compared by identity, which is fast for long lists of zeros.
    """

    node: syntax.Tensor | syntax.Scalar | syntax.Size
    needs: tuple["Declaration", ...] = ()


class Expression:
    """A formula of tensors, scalars and numbers, and the declarations of what it names."""

    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to this class

    def __init__(self, node: syntax.Expression, declared: tuple[Declaration, ...] = (), depth: int = 0) -> None:
        if depth > _DEEPEST_NODE:
            raise CompileError([Diagnostic("E0110", f"expressions nest at most {DEEPEST_NESTING} levels deep")])
        self.node = node
        self.declared = declared
        self.depth = depth

    def __repr__(self) -> str:
        return unparse_expression(self.node)

    def __add__(self, other: "Expression | Number") -> "Expression":
        return _sum(self, syntax.TermOperator.ADD, _expression(other))

    def __radd__(self, other: Number) -> "Expression":
        if other == 0:  # Python's `sum` starts with it
            return self
        return _sum(_expression(other), syntax.TermOperator.ADD, self)

    def __sub__(self, other: "Expression | Number") -> "Expression":
        return _sum(self, syntax.TermOperator.SUB, _expression(other))

    def __rsub__(self, other: Number) -> "Expression":
        return _sum(_expression(other), syntax.TermOperator.SUB, self)

    def __mul__(self, other: "Expression | Number") -> "Expression":
        return _product(self, syntax.FactorOperator.MUL, _expression(other))

    def __rmul__(self, other: Number) -> "Expression":
        return _product(_expression(other), syntax.FactorOperator.MUL, self)

    def __truediv__(self, other: "Expression | Number") -> "Expression":
        return _product(self, syntax.FactorOperator.DIV, _expression(other))

    def __rtruediv__(self, other: Number) -> "Expression":
        return _product(_expression(other), syntax.FactorOperator.DIV, self)

    def __pow__(self, exponent: Number) -> "Expression":
        return Expression(syntax.Power(self.node, _expression(exponent).node), self.declared, self.depth + 1)

    def __neg__(self) -> "Expression":
        return Expression(syntax.Negation(self.node), self.declared, self.depth + 1)


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of two expressions, the first argument of `where`."""

    node: syntax.Condition
    sides: tuple[Expression, Expression]


def comparison_of(left: Expression | Number, sign: str, right: Expression | Number) -> Condition:
    """`left sign right`; raises ValueError if the sign is none."""
    signs = [comparison.value for comparison in syntax.Comparison]
    if sign not in signs:
        raise ValueError(f"{sign!r} is no comparison: {', '.join(signs)} are")
    sides = _expression(left), _expression(right)
    return Condition(syntax.Condition(sides[0].node, syntax.Comparison(sign), sides[1].node), sides)


def called(
    function: str, arguments: Iterable[Expression | Number | Condition], over: tuple[str, ...] = ()
) -> Expression:
    """A function of the notation."""
    nodes: list[syntax.Expression | syntax.Condition] = []
    operands: list[Expression] = []
    for argument in arguments:
        if isinstance(argument, Condition):
            nodes.append(argument.node)
            operands += argument.sides
        else:
            operands.append(_expression(argument))
            nodes.append(operands[-1].node)
    node = syntax.Call(function, tuple(map(syntax.Reference, over)), tuple(nodes))
    return Expression(node, _merged(operands), 1 + max((each.depth for each in operands), default=0))


class Entries(Expression):
    """Entries of a tensor, `Q["kp"]`: a factor, or the left-hand side of a statement."""

    def __init__(self, node: syntax.Reference, *declared: Declaration) -> None:
        super().__init__(node, tuple(dict.fromkeys(declared)))
        self._target = node

    def at(self, element: "Entries") -> "Entries":
        """The same entries of another element, which an entry of an integer tensor says: `Q["kp"].at(next["f"])`."""
        if not isinstance(element, Entries):
            raise TypeError(f"an entry of an integer tensor says the element, as in at(next['f']), not {element!r}")
        return Entries(replace(self._target, element=element._target), *self.declared, *element.declared)

    def __le__(self, value: Expression | Number) -> "Statement":
        """`Q["kp"] <= value` is `Q[kp] = value`."""
        return self._statement(syntax.AssignmentOperator.SET, value)

    def add(self, value: Expression | Number) -> "Statement":
        """`Q[kp] += value`."""
        return self._statement(syntax.AssignmentOperator.ADD, value)

    def subtract(self, value: Expression | Number) -> "Statement":
        """`Q[kp] -= value`."""
        return self._statement(syntax.AssignmentOperator.SUB, value)

    def _statement(self, operator: syntax.AssignmentOperator, value: Expression | Number) -> "Statement":
        expression = _expression(value)
        node = syntax.Assignment(self._target, operator, expression.node)
        return Statement(node, _merged((self, expression)))


@dataclass(frozen=True, slots=True)
class Statement:
    """An assignment, and the declarations of what it names."""

    node: syntax.Assignment
    declared: tuple[Declaration, ...]

    def __repr__(self) -> str:
        return unparse_statement(self.node)

    def __bool__(self) -> bool:
        raise TypeError("a statement is neither true nor false; `<=` has one left-hand side and cannot be chained")


def _expression(operand: Expression | Number) -> Expression:
    if isinstance(operand, Expression):
        return operand
    return Expression(literal(operand))


def literal(number: Number) -> syntax.Expression:
    """A number in the notation, spelled so that it is read back exactly."""
    if isinstance(number, Complex) and not isinstance(number, Real):
        return _complex(complex(number))
    if not isinstance(number, Real) or isinstance(number, bool):
        raise TypeError(f"{number!r} is neither an expression, such as Q['ij'], nor a number")
    if not isinstance(number, Integral) and not isfinite(number):
        raise ValueError(f"{number!r} is no finite number")
    value = int(number) if isinstance(number, Integral) else float(number)
    spelled = syntax.Literal(repr(abs(value)))
    return syntax.Negation(spelled) if value < 0 else spelled


def _complex(number: complex) -> syntax.Expression:
    """`1 - 2j`, or the imaginary part alone."""
    if not isfinite(number.real) or not isfinite(number.imag):
        raise ValueError(f"{number!r} is no finite number")
    imaginary = syntax.Imaginary(repr(abs(number.imag)))
    if number.real == 0:
        return syntax.Negation(imaginary) if number.imag < 0 else imaginary
    sign = syntax.TermOperator.SUB if number.imag < 0 else syntax.TermOperator.ADD
    return syntax.Sum(literal(number.real), ((sign, imaginary),))


def _sum(left: Expression, sign: syntax.TermOperator, right: Expression) -> Expression:
    """`a + b + c` is one sum of three terms, although Python adds two at a time."""
    first, rest = (left.node.first, left.node.rest) if isinstance(left.node, syntax.Sum) else (left.node, ())
    depth = max(left.depth + (not rest), right.depth + 1)
    return Expression(syntax.Sum(first, (*rest, (sign, right.node))), _merged((left, right)), depth)


def _product(left: Expression, by: syntax.FactorOperator, right: Expression) -> Expression:
    """`a * b * c` is one product of three factors, although Python multiplies two at a time."""
    first, rest = (left.node.first, left.node.rest) if isinstance(left.node, syntax.Product) else (left.node, ())
    depth = max(left.depth + (not rest), right.depth + 1)
    return Expression(syntax.Product(first, (*rest, (by, right.node))), _merged((left, right)), depth)


def _merged(expressions: Iterable[Expression]) -> tuple[Declaration, ...]:
    return tuple(dict.fromkeys(declared for expression in expressions for declared in expression.declared))

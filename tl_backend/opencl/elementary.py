"""`exp`, `log`, `tanh`, `erf` and `abs` as statements without branches and calls, which compilers turn into vectors.

    double tanh;
    {
        double size = min(|x|, 20);
        …
        tanh = …;
    }

Libraries of CPUs have these functions for single numbers, or for vectors that stand in the text: in a loop over entries
each call stays a call, which takes 8 to 31 ns (PoCL 3.1, Zen 4, f32). GPUs have good ones.

All numbers are right, special ones included: NaN, infinities, -0 and denormal ones. Errors are at most 2 units in the
last place (`tests/tl_backend/test_elementary.py`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import pack, unpack

from einsum_front.core.functions import Function
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel.tree import (
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Conditional,
    Declare,
    Expression,
    Floating,
    Math,
    MathFunction,
    Name,
    Pack,
    Statement,
    Statements,
    Unary,
    UnaryOperator,
)
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl.polynomials import F32, F64, Numbers

ELEMENTARY = frozenset((Function.EXP, Function.LOG, Function.TANH, Function.ERF, Function.ABS))
"""The functions that there are statements for."""


def elementary(
    function: Function, operand: Expression, result: str, type_: Scalar | Vector, names: Names
) -> Statements:
    """Declares the result, a number or a vector like the operand, and computes it; `names` are those of the scope."""
    writer = _Writer(type_, names.inner())
    x = writer.let("x", operand)
    value = WAYS[function](x, writer)
    return Declare(type_, result), Block((*writer.statements, Assign(Name(result), value)))


@dataclass(slots=True)
class _Writer:
    """Statements on numbers or vectors of one type, as far as there are some."""

    type: Scalar | Vector
    names: Names
    statements: list[Statement] = field(default_factory=list)

    @property
    def scalar(self) -> Scalar:
        return self.type if isinstance(self.type, Scalar) else self.type.element

    @property
    def numbers(self) -> Numbers:
        return F64 if self.scalar is Scalar.F64 else F32

    def let(self, hint: str, value: Expression) -> Name:
        """A variable."""
        name = self.names.fresh(hint)
        self.statements.append(Declare(self.type, name, value))
        return Name(name)

    def change(self, variable: Name, value: Expression) -> None:
        self.statements.append(Assign(variable, value))

    def constant(self, value: float) -> Expression:
        number = Floating(value if self.scalar is Scalar.F64 else _single(value), self.scalar)
        return number if isinstance(self.type, Scalar) else Pack(self.type, (number,))

    def polynomial(self, variable: Expression, coefficients: Sequence[float]) -> Name:
        """The lowest power first. Even and odd powers, each by Horner's rule: one chain would take twice as long."""
        square = self.let("square", _multiply(variable, variable))
        even, odd = (self._horner(square, coefficients[start::2]) for start in (0, 1))
        return self.let("polynomial", _add(even, _multiply(odd, variable)))

    def _horner(self, variable: Expression, coefficients: Sequence[float]) -> Name:
        *others, last = coefficients
        total = self.let("powers", self.constant(last))
        for coefficient in reversed(others):
            self.change(total, _add(_multiply(total, variable), self.constant(coefficient)))
        return total

    def whole(self, value: Expression) -> Name:
        """The next whole number."""
        rounding = self.constant(self.numbers.rounding)
        return self.let("whole", _subtract(_add(value, rounding), rounding))


def _exp(x: Expression, to: _Writer) -> Expression:
    """2^n (1 + q), with 2^n in two steps: together they may be too large or too small for a number."""
    numbers = to.numbers
    below = to.let("below", _at_most(x, to.constant(numbers.largest)))
    inside = to.let("inside", _at_least(below, to.constant(numbers.smallest)))
    n, q = _reduced(inside, to)
    half = to.whole(_multiply(n, to.constant(0.5)))
    scaled = _multiply(_add(to.constant(1.0), q), _power(half))
    return _multiply(scaled, _power(_subtract(n, half)))


def _reduced(x: Expression, to: _Writer) -> tuple[Name, Name]:
    """n and q with exp(x) = 2^n (1 + q), where n is whole."""
    numbers = to.numbers
    n = to.whole(_multiply(x, to.constant(math.log2(math.e))))
    rest = to.let("rest", _subtract(x, _multiply(n, to.constant(numbers.log2_high))))
    to.change(rest, _subtract(rest, _multiply(n, to.constant(numbers.log2_low))))
    total = to.polynomial(rest, numbers.exp)
    return n, to.let("over_one", _add(rest, _multiply(_multiply(rest, rest), total)))


def _tanh(x: Expression, to: _Writer) -> Expression:
    """t / (t + 2) with t = exp(2 |x|) - 1, which loses nothing for small numbers; tiny ones are their tanh."""
    numbers = to.numbers
    size = to.let("size", _size(x, to))
    near = to.let("near", _at_most(size, to.constant(numbers.far)))
    n, q = _reduced(_multiply(near, to.constant(2.0)), to)
    power = to.let("power", _power(n))
    t = to.let("t", _add(_multiply(power, q), _subtract(power, to.constant(1.0))))
    quotient = to.let("quotient", Binary(BinaryOperator.DIVIDE, t, _add(t, to.constant(2.0))))
    return _with_sign(x, size, x, quotient, to)


def _erf(x: Expression, to: _Writer) -> Expression:
    """-q for small numbers, which loses nothing; the rest of 2^n (1 + q) counts for large ones."""
    numbers = to.numbers
    size = to.let("size", _size(x, to))
    near = to.let("near", _at_most(size, to.constant(numbers.one)))
    n, q = _reduced(_multiply(near, to.polynomial(near, numbers.erf)), to)
    power = to.let("power", _power(n))
    value = to.let("value", _subtract(_subtract(to.constant(1.0), power), _multiply(power, q)))
    first = _multiply(x, to.constant(2.0 / math.sqrt(math.pi)))
    return _with_sign(x, size, first, value, to)


def _log(x: Expression, to: _Writer) -> Expression:
    """That of a number between sqrt(1/2) and sqrt(2), and the exponent."""
    numbers = to.numbers
    is_small = Binary(BinaryOperator.LESS, x, to.constant(numbers.normal))
    lifted = _multiply(x, to.constant(2.0**numbers.lifted))
    normal = to.let("normal", Conditional(is_small, lifted, x))
    exponent = to.let("exponent", Math(MathFunction.EXPONENT, (normal,)))
    small = _subtract(exponent, to.constant(float(numbers.lifted)))
    to.change(exponent, Conditional(is_small, small, exponent))
    bits = to.let("significand", Math(MathFunction.SIGNIFICAND, (normal,)))
    is_large = Binary(BinaryOperator.GREATER, bits, to.constant(math.sqrt(2.0)))
    to.change(exponent, Conditional(is_large, _add(exponent, to.constant(1.0)), exponent))
    to.change(bits, Conditional(is_large, _multiply(bits, to.constant(0.5)), bits))
    f = to.let("f", _subtract(bits, to.constant(1.0)))
    s = to.let("s", Binary(BinaryOperator.DIVIDE, f, _add(f, to.constant(2.0))))
    square = to.let("square", _multiply(s, s))
    rest = to.let("rest", _multiply(square, to.polynomial(square, numbers.log)))
    half = to.let("half", _multiply(_multiply(f, to.constant(0.5)), f))
    low = _add(_multiply(s, _add(half, rest)), _multiply(exponent, to.constant(numbers.log2_low)))
    high = _multiply(exponent, to.constant(numbers.log2_high))
    value = to.let("value", _subtract(high, _subtract(_subtract(half, low), f)))
    return _log_of_special(x, value, to)


def _log_of_special(x: Expression, value: Expression, to: _Writer) -> Expression:
    """That of 0 is -infinity, of infinity that itself, of NaN and what is below 0 NaN."""
    zero = to.constant(0.0)
    largest = to.constant(1.7976931348623157e308 if to.scalar is Scalar.F64 else 3.4028234663852886e38)
    positive = to.let("positive", Conditional(Binary(BinaryOperator.GREATER, x, largest), x, value))
    nothing = _subtract(x, x)
    negative = to.let("negative", Binary(BinaryOperator.DIVIDE, nothing, nothing))
    pole = to.let("pole", Binary(BinaryOperator.DIVIDE, to.constant(-1.0), _multiply(x, x)))
    other = to.let("other", Conditional(Binary(BinaryOperator.EQUAL, x, zero), pole, negative))
    return Conditional(Binary(BinaryOperator.GREATER, x, zero), positive, other)


def _abs(x: Expression, to: _Writer) -> Expression:
    """A zero that is added makes -0 positive."""
    positive = to.let("positive", _add(x, to.constant(0.0)))
    return Conditional(Binary(BinaryOperator.LESS, x, to.constant(0.0)), Unary(UnaryOperator.NEGATE, x), positive)


WAYS = {
    Function.EXP: _exp,
    Function.LOG: _log,
    Function.TANH: _tanh,
    Function.ERF: _erf,
    Function.ABS: _abs,
}


def _with_sign(x: Expression, size: Name, tiny: Expression, value: Expression, to: _Writer) -> Expression:
    """The value with the sign of x, or another if x is tiny: so -0 stays, and denormal numbers are exact."""
    signed = to.let("signed", _signed(x, value, to))
    return Conditional(Binary(BinaryOperator.LESS, size, to.constant(to.numbers.tiny)), tiny, signed)


def _signed(x: Expression, value: Expression, to: _Writer) -> Expression:
    return Conditional(Binary(BinaryOperator.LESS, x, to.constant(0.0)), Unary(UnaryOperator.NEGATE, value), value)


def _at_most(x: Expression, bound: Expression) -> Expression:
    """NaN stays, which is beyond nothing."""
    return Conditional(Binary(BinaryOperator.GREATER, x, bound), bound, x)


def _at_least(x: Expression, bound: Expression) -> Expression:
    return Conditional(Binary(BinaryOperator.LESS, x, bound), bound, x)


def _size(x: Expression, to: _Writer) -> Expression:
    """|x|, whose zero has any sign: `fabs` is a call as well."""
    return _signed(x, x, to)


def _power(n: Expression) -> Expression:
    return Math(MathFunction.POWER_OF_TWO, (n,))


def _add(left: Expression, right: Expression) -> Expression:
    return Binary(BinaryOperator.ADD, left, right)


def _subtract(left: Expression, right: Expression) -> Expression:
    return Binary(BinaryOperator.SUBTRACT, left, right)


def _multiply(left: Expression, right: Expression) -> Expression:
    return Binary(BinaryOperator.MULTIPLY, left, right)


def _single(value: float) -> float:
    """The nearest number of `f32`."""
    return float(unpack("f", pack("f", value))[0])

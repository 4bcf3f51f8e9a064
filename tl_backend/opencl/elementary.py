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
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain
from struct import pack, unpack

from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector

# -- polynomials for functions of entries, and where they hold ---------------------------------------------------------
# Each is the one of its degree with the smallest largest error that counts, found with Remez' exchange in 200 bits
# and then rounded, number by number. The lowest power comes first.
#
#     exp(r)    = 1 + r + r² `exp`(r)                          for |r| <= log(2) / 2;  error 2^-64 in f64, 2^-34 in f32
#     erf(a)    = 1 - exp(a `erf`(a))                          for a from 0 on;        relative 2^-57.5, 2^-31.2
#     log(1+f)  = f - f²/2 + s (f²/2 + s² `log`(s²))           with s = f / (2 + f);   2^-58, 2^-36


@dataclass(frozen=True, slots=True)
class Numbers:
    """What depends on the type.

    rounding        added to a number, the sum of which has no room behind the point
    log2_high       the first bits of log(2), whose product with any exponent is exact
    log2_low        what is missing from them
    largest         `exp` of this is infinite
    smallest        `exp` of this is 0
    one, far        `erf` of the one and `tanh` of the other are 1 to the last bit
    tiny            below this, `tanh` of x is x to the last bit
    normal          the smallest number with all its bits
    lifted          the power of two that makes all others such
    """

    rounding: float
    log2_high: float
    log2_low: float
    largest: float
    smallest: float
    one: float
    far: float
    tiny: float
    normal: float
    lifted: int
    exp: tuple[float, ...]
    erf: tuple[float, ...]
    log: tuple[float, ...]


F64 = Numbers(
    rounding=1.5 * 2.0**52,
    log2_high=0.6931471803691238,
    log2_low=1.9082149292705877e-10,
    largest=710.0,
    smallest=-746.0,
    one=6.0,
    far=20.0,
    tiny=2.0**-28,
    normal=2.0**-1022,
    lifted=54,
    exp=(
        0.5,
        0.16666666666666682,
        0.04166666666666672,
        0.008333333333317105,
        0.0013888888888859217,
        0.0001984126989630584,
        2.480158737257505e-05,
        2.7557234883219786e-06,
        2.7557234176483475e-07,
        2.5112041736709404e-08,
        2.0926727165877713e-09,
    ),
    erf=(
        -1.1283791670955126,
        -0.6366197723675836,
        -0.10277260330178876,
        0.019128447005070336,
        0.00020919469484292902,
        -0.0016962063857504305,
        0.0005901255529312235,
        -2.5878604447282278e-05,
        -6.449186033632652e-05,
        2.972404503619474e-05,
        -3.4072636520742766e-06,
        -2.8351426859921813e-06,
        1.7415502928981572e-06,
        -3.3636742024963e-07,
        -1.371798661761482e-07,
        1.4176051325345749e-07,
        -6.5732781882279e-08,
        2.0962387385478233e-08,
        -4.997629330045559e-09,
        9.082068396205828e-10,
        -1.2483852257602435e-10,
        1.2610728275887583e-11,
        -8.845375097486567e-13,
        3.850438520003945e-14,
        -7.834011225507792e-16,
    ),
    log=(
        0.6666666666666731,
        0.3999999999943344,
        0.2857142873902022,
        0.2222219886173376,
        0.1818355155236537,
        0.15314332266736175,
        0.14793503269067787,
    ),
)

F32 = Numbers(
    rounding=1.5 * 2.0**23,
    log2_high=0.693115234375,
    log2_low=3.194618329871446e-05,
    largest=89.0,
    smallest=-105.0,
    one=4.0,
    far=10.0,
    tiny=2.0**-13,
    normal=2.0**-126,
    lifted=25,
    exp=(
        0.5,
        0.1666666716337204,
        0.04166627302765846,
        0.008333264850080013,
        0.001394580933265388,
        0.0001991820172406733,
    ),
    erf=(
        -1.128379225730896,
        -0.6366198062896729,
        -0.10277127474546432,
        0.019117696210741997,
        0.0002530599886085838,
        -0.0017993528163060546,
        0.0007406853255815804,
        -0.0001674808154348284,
        2.1354586351662874e-05,
        -1.1933003634112538e-06,
    ),
    log=(
        0.6666666269302368,
        0.4000033140182495,
        0.285374253988266,
        0.23580504953861237,
    ),
)


ELEMENTARY = frozenset((Function.EXP, Function.LOG, Function.TANH, Function.ERF, Function.ABS))
"""The functions that there are statements for."""


def elementary(
    function: Function, values: Mapping[str, tree.Expression], type_: Scalar | Vector, names: Names
) -> tree.Statements:
    """Declares results, numbers or vectors like their operands, and computes them; `names` are those of the scope.

    Several are computed step by step in turn: each step waits for the one before it, and not for those of the others.
    """
    inner = names.inner()
    ways = zip(*(_way(function, result, operand, type_, inner) for result, operand in values.items()), strict=True)
    return *(tree.Declare(type_, result) for result in values), tree.Block(tuple(chain.from_iterable(ways)))


def _way(
    function: Function, result: str, operand: tree.Expression, type_: Scalar | Vector, names: Names
) -> tree.Statements:
    writer = _Writer(type_, names)
    value = WAYS[function](writer.let("x", operand), writer)
    return *writer.statements, tree.Assign(tree.Name(result), value)


@dataclass(slots=True)
class _Writer:
    """Statements on numbers or vectors of one type, as far as there are some."""

    type: Scalar | Vector
    names: Names
    statements: list[tree.Statement] = field(default_factory=list)

    @property
    def scalar(self) -> Scalar:
        return self.type if isinstance(self.type, Scalar) else self.type.element

    @property
    def numbers(self) -> Numbers:
        return F64 if self.scalar is Scalar.F64 else F32

    def let(self, hint: str, value: tree.Expression) -> tree.Name:
        """A variable."""
        name = self.names.fresh(hint)
        self.statements.append(tree.Declare(self.type, name, value))
        return tree.Name(name)

    def change(self, variable: tree.Name, value: tree.Expression) -> None:
        self.statements.append(tree.Assign(variable, value))

    def constant(self, value: float) -> tree.Expression:
        number = tree.Floating(value if self.scalar is Scalar.F64 else _single(value), self.scalar)
        return number if isinstance(self.type, Scalar) else tree.Pack(self.type, (number,))

    def polynomial(self, variable: tree.Expression, coefficients: Sequence[float]) -> tree.Name:
        """The lowest power first. Even and odd powers, each by Horner's rule: one chain would take twice as long."""
        square = self.let("square", _multiply(variable, variable))
        even, odd = (self._horner(square, coefficients[start::2]) for start in (0, 1))
        return self.let("polynomial", _add(even, _multiply(odd, variable)))

    def _horner(self, variable: tree.Expression, coefficients: Sequence[float]) -> tree.Name:
        *others, last = coefficients
        total = self.let("powers", self.constant(last))
        for coefficient in reversed(others):
            self.change(total, _add(_multiply(total, variable), self.constant(coefficient)))
        return total

    def whole(self, value: tree.Expression) -> tree.Name:
        """The next whole number."""
        rounding = self.constant(self.numbers.rounding)
        return self.let("whole", _subtract(_add(value, rounding), rounding))


def _exp(x: tree.Expression, to: _Writer) -> tree.Expression:
    """2^n (1 + q), with 2^n in two steps: together they may be too large or too small for a number."""
    numbers = to.numbers
    below = to.let("below", _at_most(x, to.constant(numbers.largest)))
    inside = to.let("inside", _at_least(below, to.constant(numbers.smallest)))
    n, q = _reduced(inside, to)
    half = to.whole(_multiply(n, to.constant(0.5)))
    scaled = _multiply(_add(to.constant(1.0), q), _power(half))
    return _multiply(scaled, _power(_subtract(n, half)))


def _reduced(x: tree.Expression, to: _Writer) -> tuple[tree.Name, tree.Name]:
    """n and q with exp(x) = 2^n (1 + q), where n is whole."""
    numbers = to.numbers
    n = to.whole(_multiply(x, to.constant(math.log2(math.e))))
    rest = to.let("rest", _subtract(x, _multiply(n, to.constant(numbers.log2_high))))
    to.change(rest, _subtract(rest, _multiply(n, to.constant(numbers.log2_low))))
    total = to.polynomial(rest, numbers.exp)
    return n, to.let("over_one", _add(rest, _multiply(_multiply(rest, rest), total)))


def _tanh(x: tree.Expression, to: _Writer) -> tree.Expression:
    """t / (t + 2) with t = exp(2 |x|) - 1, which loses nothing for small numbers; tiny ones are their tanh."""
    numbers = to.numbers
    size = to.let("size", _size(x, to))
    near = to.let("near", _at_most(size, to.constant(numbers.far)))
    n, q = _reduced(_multiply(near, to.constant(2.0)), to)
    power = to.let("power", _power(n))
    t = to.let("t", _add(_multiply(power, q), _subtract(power, to.constant(1.0))))
    quotient = to.let("quotient", tree.Binary(tree.BinaryOperator.DIVIDE, t, _add(t, to.constant(2.0))))
    return _with_sign(x, size, x, quotient, to)


def _erf(x: tree.Expression, to: _Writer) -> tree.Expression:
    """-q for small numbers, which loses nothing; the rest of 2^n (1 + q) counts for large ones."""
    numbers = to.numbers
    size = to.let("size", _size(x, to))
    near = to.let("near", _at_most(size, to.constant(numbers.one)))
    n, q = _reduced(_multiply(near, to.polynomial(near, numbers.erf)), to)
    power = to.let("power", _power(n))
    value = to.let("value", _subtract(_subtract(to.constant(1.0), power), _multiply(power, q)))
    first = _multiply(x, to.constant(2.0 / math.sqrt(math.pi)))
    return _with_sign(x, size, first, value, to)


def _log(x: tree.Expression, to: _Writer) -> tree.Expression:
    """That of a number between sqrt(1/2) and sqrt(2), and the exponent."""
    numbers = to.numbers
    is_small = tree.Binary(tree.BinaryOperator.LESS, x, to.constant(numbers.normal))
    lifted = _multiply(x, to.constant(2.0**numbers.lifted))
    normal = to.let("normal", tree.Conditional(is_small, lifted, x))
    exponent = to.let("exponent", tree.Math(tree.MathFunction.EXPONENT, (normal,)))
    small = _subtract(exponent, to.constant(float(numbers.lifted)))
    to.change(exponent, tree.Conditional(is_small, small, exponent))
    bits = to.let("significand", tree.Math(tree.MathFunction.SIGNIFICAND, (normal,)))
    is_large = tree.Binary(tree.BinaryOperator.GREATER, bits, to.constant(math.sqrt(2.0)))
    to.change(exponent, tree.Conditional(is_large, _add(exponent, to.constant(1.0)), exponent))
    to.change(bits, tree.Conditional(is_large, _multiply(bits, to.constant(0.5)), bits))
    f = to.let("f", _subtract(bits, to.constant(1.0)))
    s = to.let("s", tree.Binary(tree.BinaryOperator.DIVIDE, f, _add(f, to.constant(2.0))))
    square = to.let("square", _multiply(s, s))
    rest = to.let("rest", _multiply(square, to.polynomial(square, numbers.log)))
    half = to.let("half", _multiply(_multiply(f, to.constant(0.5)), f))
    low = _add(_multiply(s, _add(half, rest)), _multiply(exponent, to.constant(numbers.log2_low)))
    high = _multiply(exponent, to.constant(numbers.log2_high))
    value = to.let("value", _subtract(high, _subtract(_subtract(half, low), f)))
    return _log_of_special(x, value, to)


def _log_of_special(x: tree.Expression, value: tree.Expression, to: _Writer) -> tree.Expression:
    """That of 0 is -infinity, of infinity that itself, of NaN and what is below 0 NaN."""
    zero = to.constant(0.0)
    largest = to.constant(1.7976931348623157e308 if to.scalar is Scalar.F64 else 3.4028234663852886e38)
    positive = to.let("positive", tree.Conditional(tree.Binary(tree.BinaryOperator.GREATER, x, largest), x, value))
    nothing = _subtract(x, x)
    negative = to.let("negative", tree.Binary(tree.BinaryOperator.DIVIDE, nothing, nothing))
    pole = to.let("pole", tree.Binary(tree.BinaryOperator.DIVIDE, to.constant(-1.0), _multiply(x, x)))
    other = to.let("other", tree.Conditional(tree.Binary(tree.BinaryOperator.EQUAL, x, zero), pole, negative))
    return tree.Conditional(tree.Binary(tree.BinaryOperator.GREATER, x, zero), positive, other)


def _abs(x: tree.Expression, to: _Writer) -> tree.Expression:
    """A zero that is added makes -0 positive."""
    positive = to.let("positive", _add(x, to.constant(0.0)))
    return tree.Conditional(
        tree.Binary(tree.BinaryOperator.LESS, x, to.constant(0.0)), tree.Unary(tree.UnaryOperator.NEGATE, x), positive
    )


WAYS = {
    Function.EXP: _exp,
    Function.LOG: _log,
    Function.TANH: _tanh,
    Function.ERF: _erf,
    Function.ABS: _abs,
}


def _with_sign(
    x: tree.Expression, size: tree.Name, tiny: tree.Expression, value: tree.Expression, to: _Writer
) -> tree.Expression:
    """The value with the sign of x, or another if x is tiny: so -0 stays, and denormal numbers are exact."""
    signed = to.let("signed", _signed(x, value, to))
    return tree.Conditional(tree.Binary(tree.BinaryOperator.LESS, size, to.constant(to.numbers.tiny)), tiny, signed)


def _signed(x: tree.Expression, value: tree.Expression, to: _Writer) -> tree.Expression:
    return tree.Conditional(
        tree.Binary(tree.BinaryOperator.LESS, x, to.constant(0.0)), tree.Unary(tree.UnaryOperator.NEGATE, value), value
    )


def _at_most(x: tree.Expression, bound: tree.Expression) -> tree.Expression:
    """NaN stays, which is beyond nothing."""
    return tree.Conditional(tree.Binary(tree.BinaryOperator.GREATER, x, bound), bound, x)


def _at_least(x: tree.Expression, bound: tree.Expression) -> tree.Expression:
    return tree.Conditional(tree.Binary(tree.BinaryOperator.LESS, x, bound), bound, x)


def _size(x: tree.Expression, to: _Writer) -> tree.Expression:
    """|x|, whose zero has any sign: `fabs` is a call as well."""
    return _signed(x, x, to)


def _power(n: tree.Expression) -> tree.Expression:
    return tree.Math(tree.MathFunction.POWER_OF_TWO, (n,))


def _add(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    return tree.Binary(tree.BinaryOperator.ADD, left, right)


def _subtract(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    return tree.Binary(tree.BinaryOperator.SUBTRACT, left, right)


def _multiply(left: tree.Expression, right: tree.Expression) -> tree.Expression:
    return tree.Binary(tree.BinaryOperator.MULTIPLY, left, right)


def _single(value: float) -> float:
    """The nearest number of `f32`."""
    return float(unpack("f", pack("f", value))[0])

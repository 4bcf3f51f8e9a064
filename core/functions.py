"""Functions of tensor entries: the words of the notation, the contraction graph, the plan and the YATeTo language.

    exp log log1p sqrt tanh erf abs relu sigmoid gelu softplus reciprocal      of one number
    add sub mul div max min                                                    of two
    where_lt where_le where_eq where_ne                                        of four: where(a < b, x, y)

One row of `Function` says all of a function; every language, target and interpreter reads it there. What each means for
NaN, infinities and zeros stands in `docs/notation.md`; the row says the same in NumPy.
"""

import math
from collections.abc import Callable, Sequence
from enum import Enum
from functools import reduce
from operator import or_
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics.errors import CompilerBug
from einsum_front.core.storage import ElementType
from einsum_front.core.zero_pattern import Pattern

Array = NDArray[Any]


class Call(Protocol):
    """Writes a call of a function on numbers of one language, or on constants, and gives its result."""

    def __call__(self, function: "Function", /, *arguments: Any) -> Any:  # noqa: D102 - that of the class
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """A function: its name in all languages, how many numbers it is of, and its value in NumPy, in their type.

    It is computed in one of three ways: by a function of C, OpenCL C and CUDA (`c`), which makes it an instruction of
    the tensor language; by `made_of`, which calls other functions; or, without both, by an operator or a comparison.
    """

    name: str
    arity: int
    numpy: Callable[..., Any]
    c: str = ""
    made_of: Callable[..., Any] | None = None
    mlir: str = ""
    """The operation of MLIR; a function without one is written as what it is made of."""
    units: float = 0.5
    """The largest error on a CPU, in units in the last place; that of `math.erf` itself is part of its own.

    Where a formula cancels, as `gelu` does far below 0, units are those of the argument.
    """


def _erf(a: Array) -> Array:
    return np.asarray(_MATH_ERF(a), np.asarray(a).dtype)


_MATH_ERF = np.frompyfunc(math.erf, 1, 1)


def _round(a: Array) -> Array:
    """The nearest integer, halves away from zero; infinities stay."""
    whole = np.trunc(a)
    return np.asarray(np.where(abs(a - whole) >= _number(0.5, a), whole + np.sign(a), whole), np.asarray(a).dtype)


SQRT_HALF = math.sqrt(0.5)


def _number(value: float, like: Array) -> Any:
    return np.asarray(like).dtype.type(value)


def _relu(call: Call, x: Any) -> Any:
    return call(Function.WHERE_LT, x, 0.0, 0.0, x)


def magnitude(call: Call, x: Any) -> Any:
    """Of integers, which wrap around: -128 stays what it is."""
    return call(Function.WHERE_LT, x, 0.0, call(Function.SUB, 0.0, x), x)


def _sigmoid(call: Call, x: Any) -> Any:
    """`1 / (1 + exp(-x))`."""
    return call(Function.DIV, 1.0, call(Function.ADD, 1.0, call(Function.EXP, call(Function.MUL, -1.0, x))))


def _gelu(call: Call, x: Any) -> Any:
    """`x / 2 * (erf(x / sqrt(2)) + 1)`."""
    half, narrow = call(Function.MUL, x, 0.5), call(Function.MUL, x, SQRT_HALF)
    return call(Function.MUL, half, call(Function.ADD, call(Function.ERF, narrow), 1.0))


def _log1p(call: Call, x: Any) -> Any:
    """`log(u) * (x / (u - 1))` with u = 1 + x rounded: both factors err by the same, so that small x lose nothing.

    Where 1 is nothing beside x, or x beside 1, that is `log(x)` and x (Kahan, as in Goldberg, "What every computer
    scientist should know about floating-point arithmetic", theorem 4).
    """
    u = call(Function.ADD, 1.0, x)
    log = call(Function.LOG, u)
    near = call(Function.MUL, log, call(Function.DIV, x, call(Function.SUB, u, 1.0)))
    return call(Function.WHERE_EQ, u, x, log, call(Function.WHERE_EQ, u, 1.0, x, near))


def _softplus(call: Call, x: Any) -> Any:
    """`log(1 + exp(x))` as `max(x, 0) + log1p(exp(-|x|))`: large numbers stay finite, small values precise."""
    small = call(Function.EXP, call(Function.MUL, -1.0, call(Function.ABS, x)))
    return call(Function.ADD, call(Function.MAX, x, 0.0), call(Function.LOG1P, small))


class Function(Enum):
    """A function of numbers, entry by entry; the value is its name in every language."""

    _value_: str
    row: Row

    EXP = Row("exp", 1, np.exp, c="exp", mlir="math.exp", units=1.5)
    LOG = Row("log", 1, np.log, c="log", mlir="math.log", units=1.5)
    LOG1P = Row("log1p", 1, np.log1p, made_of=_log1p, mlir="math.log1p", units=4)
    SQRT = Row("sqrt", 1, np.sqrt, c="sqrt", mlir="math.sqrt")
    TANH = Row("tanh", 1, np.tanh, c="tanh", mlir="math.tanh", units=3)
    ERF = Row("erf", 1, _erf, c="erf", mlir="math.erf", units=2.5)
    ABS = Row("abs", 1, np.abs, c="fabs", mlir="math.absf", units=0)
    EXP2 = Row("exp2", 1, np.exp2, c="exp2", mlir="math.exp2", units=1.5)
    EXPM1 = Row("expm1", 1, np.expm1, c="expm1", mlir="math.expm1", units=3)
    LOG2 = Row("log2", 1, np.log2, c="log2", mlir="math.log2", units=1.5)
    LOG10 = Row("log10", 1, np.log10, c="log10", mlir="math.log10", units=2)
    ATAN = Row("atan", 1, np.arctan, c="atan", mlir="math.atan", units=3)
    CBRT = Row("cbrt", 1, np.cbrt, c="cbrt", mlir="math.cbrt", units=3)
    FLOOR = Row("floor", 1, np.floor, c="floor", mlir="math.floor", units=0)
    CEIL = Row("ceil", 1, np.ceil, c="ceil", mlir="math.ceil", units=0)
    TRUNC = Row("trunc", 1, np.trunc, c="trunc", mlir="math.trunc", units=0)
    ROUND = Row("round", 1, _round, c="round", mlir="math.round", units=0)
    RINT = Row("rint", 1, np.rint, c="rint", mlir="math.roundeven", units=0)
    POW = Row("pow", 2, np.power, c="pow", mlir="math.powf", units=8)
    FMAX = Row("fmax", 2, np.fmax, c="fmax", mlir="arith.maxnumf", units=0)
    FMIN = Row("fmin", 2, np.fmin, c="fmin", mlir="arith.minnumf", units=0)
    RELU = Row("relu", 1, lambda a: np.where(a < 0, _number(0, a), a), made_of=_relu, units=0)
    SIGMOID = Row("sigmoid", 1, lambda a: 1 / (1 + np.exp(-a)), made_of=_sigmoid, units=3)
    GELU = Row("gelu", 1, lambda a: a * _number(0.5, a) * (_erf(a * _number(SQRT_HALF, a)) + 1), made_of=_gelu, units=4)
    SOFTPLUS = Row("softplus", 1, lambda a: np.logaddexp(_number(0, a), a), made_of=_softplus, units=6)
    RECIPROCAL = Row("reciprocal", 1, lambda a: 1 / a, made_of=lambda call, x: call(Function.DIV, 1.0, x))
    ADD = Row("add", 2, np.add, mlir="arith.addf")
    SUB = Row("sub", 2, np.subtract, mlir="arith.subf")
    MUL = Row("mul", 2, np.multiply, mlir="arith.mulf")
    DIV = Row("div", 2, np.divide, mlir="arith.divf")
    # where(a != a, …) is true for NaN
    MAX = Row("max", 2, lambda a, b: np.where((a >= b) | (a != a), a, b), mlir="arith.maximumf", units=0)  # noqa: PLR0124
    MIN = Row("min", 2, lambda a, b: np.where((a <= b) | (a != a), a, b), mlir="arith.minimumf", units=0)  # noqa: PLR0124
    WHERE_LT = Row("where_lt", 4, lambda a, b, x, y: np.where(a < b, x, y), units=0)
    WHERE_LE = Row("where_le", 4, lambda a, b, x, y: np.where(a <= b, x, y), units=0)
    WHERE_EQ = Row("where_eq", 4, lambda a, b, x, y: np.where(a == b, x, y), units=0)
    WHERE_NE = Row("where_ne", 4, lambda a, b, x, y: np.where(a != b, x, y), units=0)

    def __new__(cls, row: Row | str) -> "Function":
        """A member for a row; `Function("exp")` finds one by its name, which is its value, without coming here."""
        if isinstance(row, str):
            raise CompilerBug(f"`{row}` has no row")
        member = object.__new__(cls)
        member._value_ = row.name
        member.row = row
        return member

    @property
    def arity(self) -> int:
        """The number of its arguments; those of `where_lt` are a, b, x, y of `where(a < b, x, y)`."""
        return self.row.arity

    @property
    def is_extremum(self) -> bool:
        """True for `max` and `min`, which also reduce."""
        return self in (Function.MAX, Function.MIN)

    @property
    def is_instruction(self) -> bool:
        """True for those that the tensor language has as `math`; the others are written with them and with `arith`."""
        return bool(self.row.c) or self.is_extremum or self in SELECTIONS

    def is_of(self, element: ElementType) -> bool:
        """True if numbers of a type have it; integers have sums, products, comparisons, and what is made of them."""
        if element is ElementType.BOOL:
            return self in OF_BOOLEANS
        return not element.is_integer or self in OF_INTEGERS


SELECTIONS = frozenset((Function.WHERE_LT, Function.WHERE_LE, Function.WHERE_EQ, Function.WHERE_NE))


OF_BOOLEANS = SELECTIONS | {Function.ADD, Function.MUL, Function.MAX, Function.MIN}

OF_INTEGERS = OF_BOOLEANS | {Function.SUB, Function.ABS, Function.RELU}


def evaluate(function: Function, arguments: Sequence[Array]) -> Array:
    """The result, entry by entry, in the type of the arguments, which broadcast; sqrt(-1) is NaN and tells nobody."""
    with np.errstate(all="ignore"):
        return cast(Array, function.row.numpy(*arguments))


def _is_zero_of_zeros(function: Function) -> bool:
    return not np.any(evaluate(function, [np.zeros(1)] * function.arity))


KEEP_ZERO = frozenset(filter(_is_zero_of_zeros, Function))
"""Functions that are zero where all their arguments are."""


def pattern(function: Function, arguments: Sequence[Pattern]) -> Pattern:
    """Where the result may differ from zero; the patterns of the arguments, where they may, have one shape.

    Zero times anything is zero, as in all products; so is zero divided by what is not known to be zero. An entry that
    is known to be zero as a divisor says nothing.
    """
    if function in SELECTIONS:
        return arguments[2] | arguments[3]
    if function is Function.MUL:
        return arguments[0] & arguments[1]
    if function is Function.DIV:
        return arguments[0] | ~arguments[1]
    if function in KEEP_ZERO:
        return reduce(or_, arguments)
    return Pattern.full(arguments[0].shape)


def reduced(function: Function, array: Array, axes: tuple[int, ...]) -> Array:
    """The largest or smallest entry along axes, NaN if one of them is."""
    if function is Function.MAX:
        return cast(Array, np.max(array, axis=axes))
    if function is Function.MIN:
        return cast(Array, np.min(array, axis=axes))
    raise CompilerBug(f"`{function.value}` does not reduce")

"""Functions of tensor entries: the words of the notation, the contraction graph, the plan and the YATeTo language.

    exp log sqrt tanh erf abs relu sigmoid gelu reciprocal      of one number
    add sub mul div max min                                     of two
    where_lt where_le where_eq where_ne                         of four: where(a < b, x, y)

What each means for NaN, infinities and zeros stands in `docs/notation.md`; `evaluate` says the same in NumPy.
"""

import math
from collections.abc import Sequence
from enum import Enum
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics.errors import CompilerBug
from einsum_front.core.zero_pattern import Mask

Array = NDArray[Any]


class Function(Enum):
    """A function of numbers, entry by entry; the value is its name in every language."""

    EXP = "exp"
    LOG = "log"
    SQRT = "sqrt"
    TANH = "tanh"
    ERF = "erf"
    ABS = "abs"
    RELU = "relu"
    SIGMOID = "sigmoid"
    GELU = "gelu"
    RECIPROCAL = "reciprocal"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    MAX = "max"
    MIN = "min"
    WHERE_LT = "where_lt"
    WHERE_LE = "where_le"
    WHERE_EQ = "where_eq"
    WHERE_NE = "where_ne"

    @property
    def arity(self) -> int:
        """The number of its arguments; those of `where_lt` are a, b, x, y of `where(a < b, x, y)`."""
        if self in SELECTIONS:
            return 4
        return 2 if self in BINARY else 1

    @property
    def is_extremum(self) -> bool:
        """True for `max` and `min`, which also reduce."""
        return self in (Function.MAX, Function.MIN)


BINARY = frozenset((Function.ADD, Function.SUB, Function.MUL, Function.DIV, Function.MAX, Function.MIN))
SELECTIONS = frozenset((Function.WHERE_LT, Function.WHERE_LE, Function.WHERE_EQ, Function.WHERE_NE))
UNARY = frozenset(Function) - BINARY - SELECTIONS

KEEP_ZERO = frozenset((Function.SQRT, Function.TANH, Function.ERF, Function.ABS, Function.RELU, Function.GELU)) | (
    BINARY - {Function.DIV}
)
"""Functions that are zero where all their arguments are."""

SQRT_HALF = math.sqrt(0.5)


def pattern(function: Function, arguments: Sequence[Mask]) -> Mask:
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
        return cast(Mask, np.logical_or.reduce(arguments))
    return np.ones_like(arguments[0], np.bool_)


_ERF = np.frompyfunc(math.erf, 1, 1)


def evaluate(function: Function, arguments: Sequence[Array]) -> Array:  # noqa: C901 - one case a function
    """The result, entry by entry, in the type of the arguments, which broadcast; sqrt(-1) is NaN and tells nobody."""
    a, b, x, y = (*arguments, *3 * tuple(arguments[:1]))[:4]
    with np.errstate(all="ignore"):
        match function:
            case Function.EXP:
                return cast(Array, np.exp(a))
            case Function.LOG:
                return cast(Array, np.log(a))
            case Function.SQRT:
                return cast(Array, np.sqrt(a))
            case Function.TANH:
                return cast(Array, np.tanh(a))
            case Function.ERF:
                return _erf(a)
            case Function.ABS:
                return cast(Array, np.abs(a))
            case Function.RELU:
                return np.where(a < 0, _number(0, a), a)
            case Function.SIGMOID:
                return cast(Array, 1 / (1 + np.exp(-a)))
            case Function.GELU:
                return cast(Array, (a * _number(0.5, a)) * (_erf(a * _number(SQRT_HALF, a)) + 1))
            case Function.RECIPROCAL:
                return cast(Array, 1 / a)
            case Function.ADD:
                return cast(Array, a + b)
            case Function.SUB:
                return cast(Array, a - b)
            case Function.MUL:
                return cast(Array, a * b)
            case Function.DIV:
                return cast(Array, a / b)
            case Function.MAX:
                return np.where((a >= b) | (a != a), a, b)  # noqa: PLR0124 - true for NaN
            case Function.MIN:
                return np.where((a <= b) | (a != a), a, b)  # noqa: PLR0124
            case Function.WHERE_LT:
                return np.where(a < b, x, y)
            case Function.WHERE_LE:
                return np.where(a <= b, x, y)
            case Function.WHERE_EQ:
                return np.where(a == b, x, y)
            case Function.WHERE_NE:
                return np.where(a != b, x, y)


def reduced(function: Function, array: Array, axes: tuple[int, ...]) -> Array:
    """The largest or smallest entry along axes, NaN if one of them is."""
    match function:
        case Function.MAX:
            return cast(Array, np.max(array, axis=axes))
        case Function.MIN:
            return cast(Array, np.min(array, axis=axes))
        case _:
            raise CompilerBug(f"`{function.value}` does not reduce")


def _number(value: float, like: Array) -> Any:
    return np.asarray(like).dtype.type(value)


def _erf(a: Array) -> Array:
    return np.asarray(_ERF(a), np.asarray(a).dtype)

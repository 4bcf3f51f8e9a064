"""`alpha` and `beta` of a call, as BLAS has them: `out = alpha * contraction + beta * out`.

The contraction is a call like any other, of which nothing is known here: so it is remembered, whatever the factors are.
Where `beta` is 0, `out` is not read, and where `alpha` is 0, the contraction does not count: NaN does not spread.
"""

from numbers import Number
from typing import Any

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.index_string.element_types import OBJECT, Kind


@dataclass(frozen=True, slots=True)
class Factors:
    """Two numbers, those of Python as such; `beta` is 0 where there is no array that it belongs to."""

    alpha: Any
    beta: Any


def read_factors(alpha: object, beta: object, out: object) -> Factors:
    """The factors of a call; raises `CompileError` for what are none, and for a `beta` without `out`."""
    found = Factors(_number("alpha", alpha), _number("beta", beta))
    if found.beta != 0 and out is None:
        message = f"`beta` is {beta}, and there is no `out` that it could be a factor of"
        notes = ("`ef.einsum(…, out=C, alpha=a, beta=b)` makes a * (contraction) + b * C of C",)
        raise CompileError([Diagnostic("E0518", message, notes=notes)])
    return found


def _number(name: str, given: object) -> Any:
    number = given
    if type(number) is float or type(number) is int:
        return number
    if not isinstance(number, Number) and getattr(number, "shape", None) == () and hasattr(number, "item"):
        number = number.item()  # an array or a tensor without modes
    if not isinstance(number, Number) or isinstance(number, bool):
        message = f"`{name}` is of type {type(given).__name__}, expected a number"
        raise CompileError([Diagnostic("E0509", message)])
    return number


def on_host(result: Any, out: Any, factors: Factors, casting: Any) -> Any:
    """The sum on arrays of NumPy: `result` is nobody else's and may be written."""
    kind = result.dtype
    alpha, beta = rounded(factors, kind)
    if out is not None and not _fits(out, result):
        from einsum_front.index_string.operands import host_out_mistakes, raise_mistakes  # noqa: PLC0415

        raise_mistakes(host_out_mistakes(out, result.shape, kind, casting))
    if alpha == -1 and beta == 1 and out.dtype == kind:
        return np.subtract(out, result, out=out)
    if alpha == 0:
        result[...] = 0
    elif alpha != 1:
        np.multiply(result, alpha, out=result)
    if out is None:
        return result[()]
    if beta == 0:
        out[...] = result
    elif out.dtype.itemsize < kind.itemsize or not np.can_cast(kind, out.dtype, "same_kind"):
        out[...] = out * beta + result
    else:
        if beta != 1:
            np.multiply(out, factors.beta, out=out)  # a number of Python is rounded to the type of `out`
        np.add(out, result, out=out)
    return out


def _fits(out: Any, result: Any) -> bool:
    """True if nothing can be wrong with the array for the result."""
    flags = out.flags
    is_apart = flags.c_contiguous or flags.f_contiguous  # no two entries are one
    return bool(is_apart and flags.writeable and out.dtype == result.dtype and out.shape == result.shape)


def rounded(factors: Factors, kind: Kind) -> tuple[Any, Any]:
    """The factors as numbers of an element type; raises `CompileError` if it does not hold them."""
    return _rounded("alpha", factors.alpha, kind), _rounded("beta", factors.beta, kind)


def _rounded(name: str, number: Any, kind: Kind) -> Any:
    if kind == OBJECT or (kind == np.float64 and type(number) is float):
        return number
    is_lost = np.iscomplexobj(number) and kind.kind != "c"
    try:
        with np.errstate(all="ignore"):
            found = kind.type(0 if is_lost else number)
        is_lost = is_lost or bool(number != found if kind.kind in "biu" else np.isinf(found) and not np.isinf(number))
    except (OverflowError, TypeError, ValueError):
        is_lost = True
    if is_lost:
        is_long = isinstance(number, int) and abs(number) >= 10**30
        shown = f"`{name}`" if is_long else f"`{name}` is {number}, which"
        raise CompileError([Diagnostic("E0509", f"{shown} does not fit into {kind}")])
    return found

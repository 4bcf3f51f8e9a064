"""The keywords of `numpy.einsum` that `ef.einsum` takes as well: what they ask for, or why that is not possible."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, SupportsFloat, cast, get_args

import numpy as np
from numpy.typing import DTypeLike

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.words import counted
from einsum_front.index_string.steps import Positions

Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
Order = Literal["C", "F", "A", "K"]
Build = Literal["auto", "now", "never"]
Optimize = bool | str | Sequence[object] | Callable[..., Any] | None
MemoryLimit = SupportsFloat | str | None
Number = SupportsFloat | complex
ONE, ZERO = 1, 0
"""`alpha` and `beta` where nobody says them."""

OURS = "auto", "einsum_front", None
"""Backends that leave it to the arrays."""

IN_ONE = (None, None, None, None, False)
"""What a call asks for that has no chunks: `memory`, `chunk`, `devices`, `journal` and `progress`."""

CASTINGS: tuple[Casting, ...] = get_args(Casting)
ORDERS: tuple[Order, ...] = get_args(Order)
OF_NUMPY = ("greedy", "optimal", "einsum_path")
"""What NumPy calls its searches for an order; `einsum_path` alone asks for nothing."""

OF_OPT_EINSUM = (
    *("auto", "auto-hq", "branch-1", "branch-2", "branch-all", "dp", "dynamic-programming"),
    *("eager", "opportunistic", "random-greedy", "random-greedy-128"),
)
"""Further names of opt_einsum."""

NAMES = (*OF_NUMPY, *OF_OPT_EINSUM)

PATH = 'a path is a list such as `["einsum_path", (0, 1), (0, 1)]` or `[(0, 1), (0, 1)]`, which `ef.einsum_path` gives'


@dataclass(frozen=True, slots=True)
class Keywords:
    """Keywords of a call: the type it computes in (None: that of the operands), the order of the result in memory,
    which conversions are fine, and the order of the products (None: the planner's)."""

    dtype: np.dtype[np.generic] | None
    order: Order
    casting: Casting
    path: Positions | None


DEFAULTS = Keywords(None, "K", "safe", None)
"""What a call without keywords asks for."""


def read_keywords(operands: int, optimize: object, dtype: DTypeLike | None, order: object, casting: object) -> Keywords:
    """Keywords of a call with this number of operands; raises `CompileError` with all mistakes."""
    if optimize is True and dtype is None and order == "K" and casting == "safe":
        return DEFAULTS
    wanted = "K" if order is None else str(order).upper()
    mistakes = [
        *(() if wanted in ORDERS else _value_mistakes("order", order, ORDERS)),
        *_value_mistakes("casting", casting, CASTINGS),
        *_optimize_mistakes(optimize, operands),
    ]
    kind = None
    try:
        kind = None if dtype is None else np.dtype(dtype)
    except TypeError:
        mistakes.append(Diagnostic("E0504", f"`dtype` is {dtype!r}, expected an element type such as 'float32'"))
    raise_any(mistakes)
    return Keywords(kind, cast("Order", wanted), cast("Casting", casting), _path(optimize))


def _value_mistakes(name: str, value: object, allowed: Sequence[object]) -> Iterator[Diagnostic]:
    if value not in allowed:
        listed = ", ".join(map(repr, allowed))
        yield Diagnostic("E0518", f"`{name}` is {value!r}, expected one of {listed}")


def is_rare(optimize: object) -> bool:
    """True for what looks for a path when it is called, or has one, a limit beside a name, and names of others."""
    if isinstance(optimize, str) and not hasattr(optimize, "path"):
        return optimize not in NAMES
    if isinstance(optimize, tuple | list):
        return len(optimize) == 2 and isinstance(optimize[0], str) and isinstance(optimize[1], SupportsFloat)
    return callable(optimize) or hasattr(optimize, "get_path") or hasattr(optimize, "path")


def read_path(optimize: object, operands: int) -> Positions | None:
    """The path that a call wants, if any; raises `CompileError` for what is neither a path nor a name."""
    mistakes = list(_optimize_mistakes(optimize, operands))
    raise_any(mistakes)
    return _path(optimize)


def _optimize_mistakes(optimize: object, operands: int) -> Iterator[Diagnostic]:
    if _is_path(optimize):
        yield from _path_mistakes(_steps(optimize), operands)
        return
    if operands == 1 and isinstance(optimize, tuple | list) and not optimize:
        return  # there is nothing to multiply
    name = optimize[0] if isinstance(optimize, tuple | list) and len(optimize) == 2 else optimize
    if isinstance(name, str) and name not in NAMES:
        notes = ("names are those of NumPy and opt_einsum; whatever is said, the planner looks for the order", PATH)
        yield Diagnostic("E0518", f"`optimize` is {name!r}, which is no name of a search", notes=notes)
    elif isinstance(name, str) and name is not optimize and not isinstance(cast("Any", optimize)[1], SupportsFloat):
        message = f"`optimize` has {cast('Any', optimize)[1]!r} beside a name, expected a limit of entries"
        yield Diagnostic("E0518", message, notes=("`memory_limit` says the same", PATH))
    elif not isinstance(name, str) and not isinstance(optimize, bool | np.bool_ | None):
        message = f"`optimize` is of type {type(optimize).__name__}, expected a truth value, a name or a path"
        yield Diagnostic("E0518", message, notes=(PATH,))


def _is_path(optimize: object) -> bool:
    """True for NumPy's form of a path, a name in front, and for opt_einsum's: a list of steps."""
    if isinstance(optimize, np.ndarray):
        return True
    if not isinstance(optimize, tuple | list) or not optimize:
        return False
    return optimize[0] == "einsum_path" or all(isinstance(step, tuple | list) for step in optimize)


def _steps(optimize: object) -> Sequence[object]:
    steps = cast("Sequence[object]", optimize.tolist() if isinstance(optimize, np.ndarray) else optimize)
    return steps[1:] if steps[0] == "einsum_path" else steps


def _path_mistakes(steps: Sequence[object], operands: int) -> Iterator[Diagnostic]:
    """A path takes all operands, in the end in one product."""
    left = operands
    for number, step in enumerate(steps):
        places = list(step) if isinstance(step, tuple | list) else []
        if not places or not all(isinstance(place, int | np.integer) and 0 <= place < left for place in places):
            message = f"step {number} of the path is {step!r}, expected places from 0 to {left - 1}"
            yield Diagnostic("E0518", message, notes=(PATH,))
            return
        if len(set(places)) < len(places):
            yield Diagnostic("E0518", f"step {number} of the path, {step!r}, takes an operand twice")
            return
        left += 1 - len(places)
    if left > 1 or not steps:
        yield Diagnostic(
            "E0518", f"the path leaves {counted(left, 'operand')}, which it does not multiply", notes=(PATH,)
        )


def _path(optimize: object) -> Positions | None:
    if not _is_path(optimize):
        return None
    return tuple(tuple(sorted(map(int, step))) for step in cast("Sequence[Sequence[int]]", _steps(optimize)))


def reject_for_device(keywords: Keywords, element_type: np.dtype[np.generic]) -> None:
    """Raises `CompileError` for what is done with NumPy's arrays only."""
    mistakes = []
    if keywords.dtype not in (None, element_type):
        note = "arrays of a device are not converted on the way: `.astype` does it"
        mistakes.append(
            Diagnostic("E0504", f"`dtype` is {keywords.dtype}, and the operands have {element_type}", notes=(note,))
        )
    if keywords.order == "F":
        note = "`out` takes an array in any layout"
        mistakes.append(Diagnostic("E0230", "results on a device are in C order, and `order` is 'F'", notes=(note,)))
    raise_any(mistakes)


def reject_for_cuda(device: str, asked: Sequence[object], *, tune: bool) -> None:
    """Raises `CompileError` for what arrays in the memory of CUDA cannot have: the device is theirs."""
    given = {
        "device": device != "auto",
        "tune": tune,
        **{name: each not in (None, False) for name, each in zip(CHUNKS, asked, strict=True)},
    }
    notes = ("the kernel runs where the arrays are, and nothing is measured or cut there",)
    mistakes = [
        Diagnostic("E0230", f"`{name}` is not for arrays in the memory of CUDA", notes=notes)
        for name, is_given in given.items()
        if is_given
    ]
    raise_any(mistakes)


def reject_for_chunks(keywords: Keywords) -> None:
    """Raises `CompileError` for what chunks of a batch cannot have: they are computed and written as they lie."""
    given = {"order": keywords.order == "F", "optimize": keywords.path is not None}
    notes = {
        "order": "`out` takes an array or a data set in any layout",
        "optimize": "chunks have one kernel, whose order the planner finds; a path has one for each product",
    }
    mistakes = [
        Diagnostic("E0230", f"`{name}` is not for batches in chunks", notes=(notes[name],))
        for name, is_given in given.items()
        if is_given
    ]
    raise_any(mistakes)


def reject_for_dask(keywords: Keywords, out: object, asked: Sequence[object], *, tune: bool) -> None:
    """Raises `CompileError` for what arrays of dask cannot have: they are no memory yet."""
    given = {
        "out": out is not None,
        "order": keywords.order == "F",
        "optimize": keywords.path is not None,
        "tune": tune,
        **{name: each not in (None, False) for name, each in zip(CHUNKS, asked, strict=True)},
    }
    notes = ("chunks are those of the arrays, and workers choose the rest",)
    mistakes = [
        Diagnostic("E0230", f"`{name}` is not for arrays of dask", notes=notes) for name, is_ in given.items() if is_
    ]
    raise_any(mistakes)


def reject_for_lazy(out: object, asked: Sequence[object]) -> None:
    """Raises `CompileError` for what autoray's lazy arrays cannot have: they have no entries yet."""
    given = {"out": out is not None, **{n: each not in (None, False) for n, each in zip(CHUNKS, asked, strict=True)}}
    notes = ("`A.compute()` is the array",)
    mistakes = [
        Diagnostic("E0230", f"`{name}` is not for lazy arrays", notes=notes) for name, is_ in given.items() if is_
    ]
    raise_any(mistakes)


CHUNKS = ("memory", "chunk", "devices", "journal", "progress")
"""Keywords of runs in chunks, as `einsum` has them."""


def reject_for_never() -> None:
    """Raises `CompileError`: a call without a kernel asks for what only a kernel has."""
    message = '`build="never"` computes with NumPy, and the call asks for a kernel'
    notes = ("a device or a schedule by name, `tune`, chunks and arrays of a device need one",)
    raise CompileError([Diagnostic("E0230", message, notes=notes)])

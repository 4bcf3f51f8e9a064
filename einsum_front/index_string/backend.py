"""`ef.tensordot` and `ef.transpose`: what opt_einsum, cotengra and autoray ask of a module by name, beside `einsum`."""

import sys
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, count
from math import isnan
from operator import index
from string import ascii_letters
from typing import Any, NoReturn

import numpy as np

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.words import counted
from einsum_front.index_string.front import einsum
from einsum_front.index_string.shapes import no_shape

Axes = tuple[int, ...]

FIRST_LETTER = 192
"""Letters behind the 52 of ASCII, as opt_einsum takes them."""

MOST_STRINGS = 16_384
"""Pairs of shapes and axes whose index string is not written again."""


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum of products over modes of both operands, as `numpy.tensordot` would give it, computed as by `einsum`.

    Parameters
    ----------
    a, b : array_like
        All that `einsum` takes.
    axes : int or pair of sequences of int
        So many last modes of `a` and first ones of `b`; or modes of `a`, and those of `b` that they are summed with.

    Returns
    -------
    array
        The other modes of `a`, then those of `b`.

    Raises
    ------
    CompileError
        If axes do not fit. It is a `ValueError`, `IndexError` or `TypeError` as well, as NumPy's.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> ef.tensordot(np.ones((2, 3, 4)), np.ones((3, 4, 5))).shape
    (2, 5)
    """
    first, second = getattr(a, "shape", None), getattr(b, "shape", None)
    if first is None or second is None:
        a, b = _with_shape(0, a), _with_shape(1, b)
        first, second = a.shape, b.shape
    if type(axes) in (list, tuple):
        axes = tuple([tuple(modes) if type(modes) is list else modes for modes in axes])
    try:
        string = _subscripts(tuple(first), tuple(second), axes)
    except TypeError:  # arrays of modes have no hash
        string = _subscripts.__wrapped__(tuple(first), tuple(second), axes)
    return einsum(string, a, b, order="C")  # as NumPy has it


def transpose(a: Any, axes: Any = None) -> Any:
    """A view of the array with its modes in another order, as `numpy.transpose` gives it.

    Parameters
    ----------
    a : array_like
        Of NumPy (any element type, and numbers and lists too), pyopencl, torch, JAX, CuPy or dask.
    axes : sequence of int, optional
        The order of the modes; without it they are reversed.

    Returns
    -------
    array
        A view, of the library of `a`.

    Raises
    ------
    CompileError
        A `ValueError` as well, if `axes` are not all modes, each once.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> ef.transpose(np.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    if not hasattr(a, "shape"):
        a = _with_shape(0, a)
    modes = len(a.shape)
    order = tuple(range(modes))[::-1] if axes is None else _read_axes("axes", axes)
    order = _places("`axes`", order, modes)
    if len(order) != modes:
        _fail(f"`axes` has {counted(len(order), 'mode')}, and the array has {modes}")
    if hasattr(a, "permute"):  # torch
        return a.permute(order)
    if hasattr(a, "transpose"):
        return a.transpose(order)
    autoray = sys.modules.get("autoray")
    if autoray is not None and type(a).__module__.startswith("autoray."):
        return autoray.do("transpose", a, order)
    return np.asarray(a).transpose(order)


def _with_shape(number: int, operand: Any) -> Any:
    if hasattr(operand, "shape"):
        return operand
    try:
        return np.asarray(operand)
    except ValueError:
        raise no_shape(number) from None


@lru_cache(maxsize=MOST_STRINGS, typed=True)
def _subscripts(first: tuple[int, ...], second: tuple[int, ...], axes: Any) -> str:
    """The index string for operands of these shapes."""
    axes_a, axes_b = _read_pair(axes, min(len(first), len(second)))
    if len(axes_a) != len(axes_b):
        _fail(f"`axes` has {counted(len(axes_a), 'mode')} of operand 0 and {counted(len(axes_b), 'mode')} of operand 1")
    axes_a, axes_b = _places("`axes[0]`", axes_a, len(first)), _places("`axes[1]`", axes_b, len(second))
    for one, other in zip(axes_a, axes_b, strict=True):
        if first[one] != second[other] and not isnan(first[one] + second[other]):  # dask knows not all sizes
            found = f"mode {one} of operand 0 has size {first[one]}", f"mode {other} of operand 1 has {second[other]}"
            notes = ("`axes` sums one with the other",)
            raise CompileError([Diagnostic("E0505", ", and ".join(found), notes=notes)])
    letters = chain(ascii_letters, map(chr, count(FIRST_LETTER)))
    names_a, names_b = [next(letters) for _ in first], [next(letters) for _ in second]
    for one, other in zip(axes_a, axes_b, strict=True):
        names_b[other] = names_a[one]
    left = [name for place, name in enumerate(names_a) if place not in axes_a]
    left += [name for place, name in enumerate(names_b) if place not in axes_b]
    return f"{''.join(names_a)},{''.join(names_b)}->{''.join(left)}"


def _read_pair(axes: Any, most: int) -> tuple[Axes, Axes]:
    """The modes of both operands, negative ones from the end, as NumPy reads them; both have `most` modes at least."""
    if not _is_list(axes):
        try:
            modes = index(axes)
        except TypeError:
            _fail_of_type(f"`axes` is {axes!r}, expected a number of modes, or modes of both operands")
        if modes > most:
            raise CompileError([Diagnostic("E0529", f"`axes` is {modes}, and an operand has {counted(most, 'mode')}")])
        return tuple(range(-modes, 0)), tuple(range(modes))
    axes = tuple(axes)
    if len(axes) != 2:
        _fail(f"`axes` has length {len(axes)}, expected the modes of operand 0 and those of operand 1")
    return _read_axes("axes[0]", axes[0]), _read_axes("axes[1]", axes[1])


def _read_axes(name: str, axes: Any) -> Axes:
    """One mode or several."""
    try:
        return tuple(map(index, axes)) if _is_list(axes) else (index(axes),)
    except TypeError:
        _fail_of_type(f"`{name}` is {axes!r}, expected modes, which are integers")


def _is_list(axes: Any) -> bool:
    return axes.ndim > 0 if isinstance(axes, np.ndarray) else isinstance(axes, Iterable) and not isinstance(axes, str)


def _places(name: str, axes: Axes, modes: int) -> Axes:
    """Modes counted from the first; raises if there is none such, or one twice."""
    for axis in axes:
        if not -modes <= axis < modes:
            message = f"{name} has {axis}, and the array has {counted(modes, 'mode')}"
            raise CompileError([Diagnostic("E0529", message)])
    places = tuple([axis % modes for axis in axes])
    if len(set(places)) < len(places):
        _fail(f"{name} is {axes}, which has a mode twice")
    return places


def _fail(message: str) -> NoReturn:
    raise CompileError([Diagnostic("E0528", message)])


def _fail_of_type(message: str) -> NoReturn:
    raise CompileError([Diagnostic("E0530", message)]) from None

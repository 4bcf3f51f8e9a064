"""What a caller passes to `ef.einsum` as arrays that kernels can take, or why that is not possible."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diagnostics import CompileError, Diagnostic

Array = NDArray[np.generic]


class Described(Protocol):
    """An array of NumPy or of a device, as far as it can be described without its entries."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its modes."""


ELEMENT_TYPES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}
"""The element types of kernels."""

FIXED = {
    "dtype": "the result has the element type that NumPy gives it without `dtype`: convert the operands before",
    "casting": "operands are converted as NumPy does without `casting`: convert them before",
    "order": "the result is in C order: `out` takes an array in any layout",
}
"""Keywords of `numpy.einsum` that are not offered, and what holds instead."""

WAYS_OUT = {
    "c": "kernels compute with real numbers: contract the real and the imaginary parts, and add up the products",
    "iub": "kernels compute with floating-point numbers: pass one operand as floats, `A.astype(float)`",
    "f": "kernels compute in f32 or f64: convert one operand, `A.astype(np.float32)`",
}
"""What to do about an element type of the result that kernels do not have, by the kinds of NumPy."""


def read_operands(operands: Sequence[ArrayLike]) -> list[Array]:
    """The operands as arrays of one type, f32 or f64: the one that NumPy computes in."""
    arrays = [_array(number, operand) for number, operand in enumerate(operands)]
    if not arrays:
        return []
    if arrays[0].dtype in ELEMENT_TYPES and all(array.dtype == arrays[0].dtype for array in arrays):
        return arrays
    common = np.result_type(*(array.dtype for array in arrays)).newbyteorder("=")
    if common not in ELEMENT_TYPES:
        raise CompileError([wrong_type(arrays, common)])
    return [array.astype(common, copy=False) for array in arrays]


def _array(number: int, operand: ArrayLike) -> Array:
    """The operand as an array of numbers."""
    try:
        array = np.asarray(operand)
    except ValueError:  # lists of different lengths
        raise CompileError([Diagnostic("E0504", f"operand {number} has no shape, expected an array")]) from None
    if array.dtype.kind not in "biufc":
        is_wrapped = array.dtype == object and not isinstance(operand, np.ndarray)
        found = f"is of type {type(operand).__name__}" if is_wrapped else f"has element type {array.dtype}"
        message = f"operand {number} {found}, expected an array of numbers"
        raise CompileError([Diagnostic("E0504", message, notes=_notes_on(operand))])
    return array


def _notes_on(operand: object) -> tuple[str, ...]:
    if isinstance(operand, np.ndarray):
        return ("an array of Python objects is converted by `.astype(float)`, if they are numbers",)
    return ()


def wrong_type(arrays: Iterable[Described], common: np.dtype[np.generic]) -> Diagnostic:
    """NumPy would compute in a type that kernels do not have: the operand to blame is the first that has it."""
    listed = [array.dtype for array in arrays]
    number = next((number for number, found in enumerate(listed) if found.newbyteorder("=") == common), 0)
    message = f"operand {number} has element type {listed[number]}, and kernels compute in float32 or float64"
    note = next(note for kinds, note in WAYS_OUT.items() if common.kind in kinds)
    return Diagnostic("E0504", message, notes=(note,))


def check_strings(subscripts: object) -> None:
    """Raises `CompileError` if the index string is none; NumPy takes lists of numbers as well."""
    if isinstance(subscripts, str):
        return
    found = f"the index string is of type {type(subscripts).__name__}, expected str"
    notes = ('NumPy\'s other form, `einsum(A, [0, 1], …)`, is not offered: `einsum("ij", A)` says the same',)
    raise CompileError([Diagnostic("E0227", found, notes=notes if isinstance(subscripts, np.ndarray | list) else ())])


def check_keywords(optimize: object, others: Mapping[str, object]) -> None:
    """Raises `CompileError` for what only `numpy.einsum` has, `TypeError` for what nobody has."""
    mistakes = [
        Diagnostic("E0230", f"`{name}` is a keyword of `numpy.einsum`, not of this one", notes=(FIXED[name],))
        for name in others
        if name in FIXED
    ]
    unknown = [name for name in others if name not in FIXED]
    if unknown:
        raise TypeError(f"einsum() got an unexpected keyword argument '{unknown[0]}'")
    if not isinstance(optimize, bool | str | np.bool_):
        message = f"`optimize` is of type {type(optimize).__name__}, expected a truth value or a name"
        note = (
            "the planner always looks for a cheap order; a text in the notation can give one, by a `temp` for each step"
        )
        mistakes.append(Diagnostic("E0230", message, notes=(note,)))
    raise_mistakes(mistakes)


def check_out(out: object, shape: tuple[int, ...], element_type: np.dtype[np.generic]) -> Array:
    """The array for the result; raises `CompileError` unless this can be written to `out`."""
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise CompileError([Diagnostic("E0503", f"`out` is of type {type(out).__name__}, expected a NumPy array")])
    raise_mistakes(out_mistakes(out, shape, element_type, is_read_only=not out.flags.writeable))
    return out


def out_mistakes(
    out: Described, shape: tuple[int, ...], element_type: np.dtype[np.generic], *, is_read_only: bool
) -> Iterator[Diagnostic]:
    """What is wrong with an array for the result, wherever it lives."""
    if out.dtype != element_type:
        yield Diagnostic("E0504", f"`out` has element type {out.dtype}, the result has {element_type}")
    if out.shape != shape:
        yield Diagnostic("E0505", f"`out` has shape {out.shape}, the result has {shape}")
    if is_read_only:
        yield Diagnostic("E0507", "`out` is read-only")


def raise_mistakes(mistakes: Iterable[Diagnostic]) -> None:
    """Raises `CompileError` with all of them, if there are any."""
    listed = list(mistakes)
    if listed:
        raise CompileError(listed)

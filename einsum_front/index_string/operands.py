"""Arrays of the host that a caller passes to `ef.einsum`, or why they cannot be taken."""

from collections.abc import Iterable, Iterator, Sequence
from numbers import Number
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.numbers import COMPLEX
from einsum_front.index_string.element_types import ELEMENT_TYPES, MOST_COMPLEX, Kind, is_number, kernel_type
from einsum_front.index_string.keywords import Casting
from einsum_front.index_string.shapes import no_shape
from einsum_front.runtime import host_view, library, overlaps_itself, refusal

Array = NDArray[Any]
"""An array of NumPy; its element type is known only when the program runs, as with `numpy.einsum`."""


class Described(Protocol):
    """An array of NumPy or of a device, as far as it can be described without its entries."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its modes."""


def reject_states(operands: Sequence[object]) -> None:
    """Raises `CompileError` for arrays of other libraries that are more than their entries, or have none."""
    for number, operand in enumerate(operands):
        if type(operand) is not np.ndarray and (refused := refusal(operand)) is not None:
            raise CompileError([_unreadable(number, operand, refused.notes)])


def read_arrays(operands: Sequence[ArrayLike]) -> list[Array]:
    """The operands as arrays of numbers, nothing copied; raises `CompileError` for what is none."""
    return [_array(number, operand) for number, operand in enumerate(operands)]


def common_type(
    arrays: Sequence[Array],
    out: Array | None,
    wanted: Kind | None,
    casting: Casting,
) -> Kind:
    """The element type that NumPy would give; raises `CompileError` if it is that of no numbers, or for what is not
    converted."""
    for name, found in (("`dtype` is", wanted), ("`out` has element type", None if out is None else out.dtype)):
        if found is not None and not is_number(found):
            raise CompileError([Diagnostic("E0504", f"{name} {found}, expected a type of numbers")])
    types = [array.dtype for array in (*arrays, *(() if out is None else (out,)))]
    try:
        common = wanted or (np.result_type(*types) if types else np.dtype(float))
    except TypeError:
        listed = " and ".join(dict.fromkeys(map(str, types)))
        raise CompileError([Diagnostic("E0504", f"NumPy has no common type for {listed}")]) from None
    common = common if common.isnative else common.newbyteorder("=")
    for number, array in enumerate(arrays):
        if array.dtype != common and not np.can_cast(array.dtype, common, casting):
            message = f"operand {number} has element type {array.dtype}, which is not converted to {common}"
            raise CompileError([Diagnostic("E0504", message, notes=(f"`casting` is '{casting}'",))])
    return common


def without_repeats(array: Array, indices: Sequence[str]) -> Array:
    """A view of the array in which an index has length 1 if all its entries along that are one place in memory.

    `np.broadcast_to` makes such arrays: they are as large as their shape says for those who read all entries only.
    """
    if 0 not in array.strides:
        return array
    moved = {name for name, step, size in zip(indices, array.strides, array.shape, strict=True) if step and size > 1}
    return array[tuple(slice(0, None if name in moved else 1) for name in indices)]


def _array(number: int, operand: ArrayLike) -> Array:
    """The operand as an array of numbers."""
    try:
        array = np.asarray(cast("ArrayLike", host_view(operand)))
    except MemoryError:
        raise
    except Exception as error:  # whatever an array of another library raises when NumPy wants to read it
        if isinstance(operand, list | tuple):
            raise no_shape(number) from None
        said = next(iter(str(error).splitlines()), "").rstrip(".")
        notes = (*((f"it says: {said}",) if said else ()), *_notes_on(operand))
        notes = TRACED_BY_TORCH if "fake tensor" in said else notes
        raise CompileError([_unreadable(number, operand, notes)]) from None
    is_wrapped = array.dtype == object and not isinstance(operand, np.ndarray | list | tuple | Number)
    is_wrapped = is_wrapped or isinstance(operand, str | bytes)
    if is_wrapped or not is_number(array.dtype):
        found = f"is of type {type(operand).__name__}" if is_wrapped else f"has element type {array.dtype}"
        message = f"operand {number} {found}, expected an array of numbers"
        raise CompileError([Diagnostic("E0504", message, notes=_notes_on(operand))])
    return array


OTHER_TYPES = "other numbers are computed without a schedule, `tune=`, chunks and arrays of a GPU"

FOREIGN = {
    "torch": "`A.detach().cpu()` is a tensor that NumPy can read, if its element type is one of NumPy's",
    "jax": "`jax.device_get(A)` makes an array of NumPy",
    "jaxlib": "`jax.device_get(A)` makes an array of NumPy",
    "cupy": "`A.get()` makes an array of NumPy",
    "scipy": "`A.toarray()` makes an array of NumPy",
    "sparse": "`A.todense()` makes an array of NumPy",
    "tensorflow": "`A.numpy()` makes an array of NumPy",
}
"""How arrays of other libraries become such that can be read, by the name of the package."""


TRACED_BY_TORCH = ("torch traces the program here (`torch.export`, `FakeTensorMode`): a fake tensor has no entries",)


def _unreadable(number: int, operand: object, notes: tuple[str, ...]) -> Diagnostic:
    kind = f"{type(operand).__module__.partition('.')[0]}.{type(operand).__name__}"
    message = f"operand {number}, of type {kind}, cannot be read as an array of NumPy"
    return Diagnostic("E0503", message, notes=notes)


def _notes_on(operand: object) -> tuple[str, ...]:
    if hasattr(operand, "todense"):
        return (FOREIGN["sparse"],)
    return (FOREIGN[package],) if (package := library(operand)) in FOREIGN else ()


def wrong_type(arrays: Sequence[Described], common: Kind) -> Diagnostic:
    """A kernel is asked for, and there is none of this type: the first array that has it is to blame, or a like one."""
    listed = [array.dtype.newbyteorder("=") for array in arrays]
    number = next(
        (number for number, found in enumerate(listed) if found == common),
        next((number for number, found in enumerate(listed) if found not in ELEMENT_TYPES), None),
    )
    found = f"`dtype` is {common}" if number is None else f"operand {number} has element type {listed[number]}"
    return Diagnostic("E0504", f"{found}, and kernels compute in float32 or float64", notes=(OTHER_TYPES,))


def check_out(out: object) -> Array | None:
    """The array for the result; raises `CompileError` if it is none of NumPy's."""
    if out is not None and (not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray)):
        message = f"`out` is of type {type(out).__name__}, expected a NumPy array"
        refused = refusal(out)
        raise CompileError([Diagnostic("E0503", message, notes=() if refused is None else refused.notes[:1])])
    return out


def unconverted_type(arrays: Sequence[Described]) -> Kind:
    """The type of the result for arrays that nobody converts: f32, f64, or complex beside real ones of its parts.

    Raises `CompileError` for others, and if they are not of one type.
    """
    wrong = next((array.dtype for array in arrays if array.dtype not in (*ELEMENT_TYPES, *COMPLEX)), None)
    if wrong is not None:
        raise CompileError([wrong_type(arrays, wrong)])
    place = next((number for number, array in enumerate(arrays) if array.dtype in COMPLEX), 0)
    kind = arrays[place].dtype
    note = "arrays of a device are not converted on the way: `.astype(numpy.float64)` does it"
    raise_mistakes(
        Diagnostic(
            "E0504", f"operand {number} has element type {array.dtype}, but operand {place} has {kind}", notes=(note,)
        )
        for number, array in enumerate(arrays)
        if array.dtype not in (kind, COMPLEX.get(kind))
    )
    return kind


def check_complex_kernel(arrays: Sequence[Described], kind: Kind, *, has_batch: bool) -> None:
    """Raises `CompileError` (E0504) for complex arrays of a device without a kernel."""
    if kind in COMPLEX and not (has_batch and kernel_type([array.dtype for array in arrays], kind)):
        found = sum(array.dtype == kind for array in arrays)
        why = f"{found} operands are complex" if found > MOST_COMPLEX else "no index leads all operands that have it"
        notes = (
            f"complex kernels are for batches (`bik,bkj->bij`), with {MOST_COMPLEX} complex operands at most",
            "arrays of NumPy are computed in any case",
        )
        raise CompileError([Diagnostic("E0504", f"{why}, and the arrays are {kind} on a device", notes=notes)])


def out_mistakes(
    out: Described,
    shape: tuple[int, ...],
    element_type: np.dtype[np.generic],
    *,
    is_read_only: bool,
    casting: Casting = "no",
) -> Iterator[Diagnostic]:
    """Mistakes in an array for the result, wherever it lives."""
    if out.dtype != element_type and not np.can_cast(element_type, out.dtype, casting):
        yield Diagnostic("E0504", f"`out` has element type {out.dtype}, the result has {element_type}")
    if out.shape != shape:
        yield Diagnostic("E0505", f"`out` has shape {out.shape}, the result has {shape}")
    if is_read_only:
        yield Diagnostic("E0507", "`out` is read-only")


OVERLAPS = Diagnostic("E0510", "entries of `out` share memory, and the result is written to them")
"""The mistake in an array for the result of which two entries are one."""


def host_out_mistakes(
    out: Array, shape: tuple[int, ...], element_type: np.dtype[np.generic], casting: Casting
) -> list[Diagnostic]:
    """Mistakes in an array of NumPy for the result: where no kernel writes to it, NumPy would, and tell nothing."""
    found = [*out_mistakes(out, shape, element_type, is_read_only=not out.flags.writeable, casting=casting)]
    return found or ([OVERLAPS] if overlaps_itself(out) else [])


def raise_mistakes(mistakes: Iterable[Diagnostic]) -> None:
    """Raises `CompileError` with all of them, if there are any."""
    listed = list(mistakes)
    raise_any(listed)

"""NumPy arrays as arguments: element type, shape and whether they can be written."""

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.numbers import is_bf16
from einsum_front.runtime.arrays.foreign_states import refusal
from einsum_front.runtime.arrays.layout import (
    ELEMENT_TYPES,
    declared_layout,
    element_text,
    expected_shape,
    expected_text,
    is_apart,
    lies_close,
    shape_text,
)
from einsum_front.runtime.arrays.overlap import overlaps_itself
from einsum_front.runtime.arrays.values import HostArray, HostGroup, host_array
from einsum_front.runtime.artifact import ArrayParameter, Extent, GroupParameter, TensorParameter


def check_host_array(
    kernel: str, parameter: TensorParameter, argument: object, *, allow_gaps: bool
) -> HostArray | list[Diagnostic]:
    """One tensor for the whole launch, or all elements of the batch in one array."""
    name, text = f"argument `{parameter.name}`", expected_text(parameter)
    if not _is_plain_array(argument):
        return [_no_array(name, argument, f"a NumPy or pyopencl array of shape {text}")]
    mistakes = _mistakes(kernel, parameter, argument, (name, expected_shape(parameter), text))
    return mistakes or host_array(parameter, argument, allow_gaps=allow_gaps)


def check_group(kernel: str, parameter: GroupParameter, argument: object) -> HostGroup | list[Diagnostic]:
    """One array for all elements, or a sequence of arrays; of a sequence, the first wrong member is reported."""
    name, text = f"argument `{parameter.name}`", expected_text(parameter)
    if _is_plain_array(argument):
        mistakes = _mistakes(kernel, parameter, argument, (name, (None, *expected_shape(parameter)), text))
        return mistakes or HostGroup(parameter, tuple(argument[i, ...] for i in range(len(argument))))
    if not isinstance(argument, list | tuple):
        return [_no_array(name, argument, f"a NumPy array of shape {text} or a list of arrays")]
    shape, text = expected_shape(parameter), element_text(parameter)
    for position, member in enumerate(argument):
        name_of_member = f"member {position} of {name}"
        if not _is_plain_array(member):
            return [_no_array(name_of_member, member, f"a NumPy array of shape {text}")]
        mistakes = _mistakes(kernel, parameter, member, (name_of_member, shape, text))
        if mistakes:
            return mistakes
    return HostGroup(parameter, tuple(argument))


def _is_plain_array(argument: object) -> TypeGuard[NDArray[Any]]:
    """Masked arrays are none: a kernel would read what is under the mask."""
    return type(argument) is np.ndarray or (
        isinstance(argument, np.ndarray) and not isinstance(argument, np.ma.MaskedArray)
    )


def _no_array(name: str, argument: object, expected: str) -> Diagnostic:
    refused = refusal(argument)
    notes = () if refused is None else refused.notes[:1]
    if isinstance(argument, list | tuple) and not notes:
        notes = ("`numpy.array` makes an array of a list",)
    return Diagnostic("E0503", f"{name} is of type {type(argument).__name__}, expected {expected}", notes=notes)


def _mistakes(
    kernel: str, parameter: ArrayParameter, array: NDArray[Any], expected: tuple[str, tuple[Extent, ...], str]
) -> list[Diagnostic]:
    """`expected` is the name of the argument, its shape and the text of that shape."""
    name = expected[0]
    mistakes = _described_mistakes(kernel, parameter, (array.shape, array.dtype), expected)
    if parameter.is_written and not array.flags.writeable:
        mistakes.append(read_only_mistake(name, kernel))
    elif parameter.is_written and overlaps_itself(array):
        mistakes.append(Diagnostic("E0510", f"entries of {name} share memory, and `{kernel}` writes to them"))
    return mistakes


def _described_mistakes(
    kernel: str,
    parameter: ArrayParameter,
    found: tuple[tuple[int, ...], np.dtype[Any]],
    expected: tuple[str, tuple[Extent, ...], str],
) -> list[Diagnostic]:
    """What a shape and an element type can be wrong about."""
    (given, dtype), (name, shape, text) = found, expected
    mistakes = []
    if dtype != ELEMENT_TYPES[parameter.type]:
        mistakes.append(element_type_mistake(name, parameter, dtype))
    if not fits_shape(given, shape):
        mistakes.append(shape_mistake(name, parameter, given, text))
    elif strides := stride_mistake(kernel, name, parameter, given[len(given) - len(parameter.shape) :]):
        mistakes.append(strides)
    return mistakes


def described_mistakes(
    kernel: str, parameter: TensorParameter, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> list[Diagnostic]:
    """Mistakes in a data set that is no array of NumPy, but has a shape and an element type."""
    expected = f"argument `{parameter.name}`", expected_shape(parameter), expected_text(parameter)
    return _described_mistakes(kernel, parameter, (shape, dtype), expected)


def fits_shape(shape: tuple[int, ...], expected: tuple[Extent, ...]) -> bool:
    """True if a shape has the expected sizes, any where None is expected."""
    return len(shape) == len(expected) and all(e in (None, s) for s, e in zip(shape, expected, strict=True))


def shape_mistake(name: str, parameter: ArrayParameter, shape: tuple[int, ...], expected: str) -> Diagnostic:
    """The array has another shape; where only the axis of the batch is wrong, that is said."""
    notes: tuple[str, ...] = ()
    one = expected_shape(parameter)
    if isinstance(parameter, TensorParameter) and parameter.batched:
        if fits_shape(shape, one[1:]):
            notes = ("the first axis counts the elements: `array[numpy.newaxis]` is a batch of one",)
        elif len(one) > 1 and fits_shape(shape[:-1], one[1:]):
            notes = ("the first axis counts the elements: `numpy.moveaxis(array, -1, 0)` puts the last axis there",)
    elif isinstance(parameter, TensorParameter) and fits_shape(shape[1:], one):
        notes = ("the tensor is one for all elements: it has no axis that counts them",)
    return Diagnostic("E0505", f"{name} has shape {shape}, expected {expected}", notes=notes)


def stride_mistake(kernel: str, name: str, parameter: ArrayParameter, shape: tuple[int, ...]) -> Diagnostic | None:
    """Where strides are declared, sizes can make entries overlap, or modes lie apart that the kernel walks as one.

    `shape` is that of the argument, or of one member of a group; None: the sizes fit.
    """
    layout = declared_layout(parameter, shape)
    if 0 in shape or (is_apart(layout) and lies_close(parameter, layout)):
        return None
    message = f"{name} has shape {shape}, for which `{kernel}` has strides {shape_text(layout.array_strides)}"
    why = "entries would overlap" if not is_apart(layout) else "it walks modes as one between which there are gaps"
    return Diagnostic("E0505", message, notes=(f"strides count elements: {why}",))


def element_type_mistake(name: str, parameter: ArrayParameter, dtype: np.dtype[Any]) -> Diagnostic:
    """The array has another element type."""
    expected = ELEMENT_TYPES[parameter.type]
    notes: tuple[str, ...] = ()
    if dtype.kind == "c" and expected.kind != "c":
        notes = (f"the tensor is real: `{parameter.name}[…] complex` declares one of complex numbers",)
    elif dtype.kind in "biufc":
        result = (f"the copy of `{parameter.name}` gets the result",) if parameter.is_written else ()
        notes = (f"arrays are not converted on the way: `.astype(numpy.{expected})` does it", *result)
    if is_bf16(expected):
        notes = ("`ml_dtypes.bfloat16` is NumPy's name of the type; bits are read so: `.view(ml_dtypes.bfloat16)`",)
    return Diagnostic("E0504", f"{name} has element type {dtype}, expected {expected}", notes=notes)


def read_only_mistake(name: str, kernel: str) -> Diagnostic:
    """The array cannot be written."""
    return Diagnostic("E0507", f"{name} is read-only, and `{kernel}` writes to it")

"""Scalar arguments: numbers of Python and NumPy, rounded to a floating type but never to an integer type."""

from collections.abc import Mapping
from numbers import Complex, Integral, Real

import numpy as np

from einsum_front.core.diagnostics import Diagnostic, raise_any
from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES
from einsum_front.runtime.arrays.storage import ScalarValue
from einsum_front.runtime.artifact import Artifact, ScalarParameter


def check_scalars(artifact: Artifact, numbers: Mapping[str, object]) -> list[ScalarValue]:
    """Numbers for some scalars of a kernel; raises CompileError with all mistakes."""
    scalars = {each.name: each for each in artifact.arguments if isinstance(each, ScalarParameter)}
    known = (f"its scalars are {quoted(scalars)}" if scalars else "it has no scalars",)
    mistakes: list[Diagnostic] = []
    values: list[ScalarValue] = []
    for name, number in numbers.items():
        if name not in scalars:
            mistakes.append(Diagnostic("E0502", f"`{artifact.name}` has no scalar `{name}`", notes=known))
            continue
        value = check_scalar(scalars[name], number)
        if isinstance(value, Diagnostic):
            mistakes.append(value)
        else:
            values.append(value)
    raise_any(mistakes)
    return values


def check_scalar(parameter: ScalarParameter, argument: object) -> ScalarValue | Diagnostic:
    """The number in the parameter's type.

    A real number is rounded to f32 or f64; an integer must be one that the type holds exactly, so that no digit of it
    is lost. An array of rank 0 counts as its entry.
    """
    name, number = parameter.name, argument
    if isinstance(number, np.ndarray):
        if number.shape:
            return Diagnostic("E0509", f"argument `{name}` is an array of shape {number.shape}, expected a number")
        number = number[()]
    if parameter.is_complex:
        return _complex(parameter, number)
    if isinstance(number, Complex) and not isinstance(number, Real):
        note = f"`{name}` is a real scalar: `scalar {name} complex` is one of complex numbers"
        return Diagnostic("E0509", f"argument `{name}` is {number}, expected a real number", notes=(note,))
    if not isinstance(number, Real) or isinstance(number, bool):
        return Diagnostic("E0509", f"argument `{name}` is of type {type(number).__name__}, expected a number")
    element = ELEMENT_TYPES[parameter.type]
    if element.kind != "f":
        return _integer(parameter, number, element)
    return _floating(parameter, number, element)


def _complex(parameter: ScalarParameter, number: object) -> ScalarValue | Diagnostic:
    """Both parts are rounded like real numbers."""
    if not isinstance(number, Complex) or isinstance(number, bool):
        return Diagnostic("E0509", f"argument `{parameter.name}` is of type {type(number).__name__}, expected a number")
    found = [check_scalar(each, part) for each, part in zip(parameter.parts(), (number.real, number.imag), strict=True)]
    for each in found:
        if isinstance(each, Diagnostic):
            return _does_not_fit(parameter, number)
    real, imaginary = (each.value for each in found if isinstance(each, ScalarValue))
    return ScalarValue(parameter, ELEMENT_TYPES[parameter.type].type(complex(real, imaginary)))


def _integer(parameter: ScalarParameter, number: Real, element: np.dtype[np.generic]) -> ScalarValue | Diagnostic:
    if not isinstance(number, Integral):
        return Diagnostic("E0509", f"argument `{parameter.name}` is {number}, expected an integer")
    limits = np.iinfo(element.name)
    if not limits.min <= int(number) <= limits.max:
        return _does_not_fit(parameter, number)
    return ScalarValue(parameter, element.type(int(number)))


def _floating(parameter: ScalarParameter, number: Real, element: np.dtype[np.generic]) -> ScalarValue | Diagnostic:
    try:
        wide = float(number)
    except OverflowError:
        return _does_not_fit(parameter, number)
    with np.errstate(over="ignore"):
        value = element.type(wide)
    if np.isinf(value) and not np.isinf(wide):
        return _does_not_fit(parameter, number)
    if isinstance(number, Integral) and int(float(value)) != int(number):
        message = f"argument `{parameter.name}` is {number}, which {parameter.type} does not hold exactly"
        return Diagnostic("E0509", message)
    return ScalarValue(parameter, value)


def _does_not_fit(parameter: ScalarParameter, number: object) -> Diagnostic:
    return Diagnostic("E0509", f"argument `{parameter.name}` is {number}, which does not fit into {parameter.type}")

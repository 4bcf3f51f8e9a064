"""Static facts about the entries of a tensor: `nonzeros` and `values`, from files and from lists."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.limits import LARGEST_FOLLOWED
from einsum_front.core.numbers import dtype_of, fits, in_parts, number_in
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.storage import ElementType
from einsum_front.core.words import counted
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation.check.array_files import Files
from einsum_front.notation.check.coefficients import rounded
from einsum_front.notation.check.mistakes import gather, mistake
from einsum_front.notation.check.numbers import integer, known
from einsum_front.notation.check.scope import Scope
from einsum_front.notation.syntax import Attribute, Expression, File, Numbers, Place, Places


def nonzeros(name: str, shape: tuple[int, ...], fact: Attribute, scope: Scope, files: Files) -> Pattern:
    """Which entries of the tensor `name` may differ from zero."""
    match fact.argument:
        case Places(places):
            found = gather(lambda place: _position(place, shape, scope), places)
            try:
                return Pattern.of_positions(shape, found)
            except TooManyCellsError as error:
                message = f"the positions cut `{name}` into {error.cells} parts, more than {LARGEST_FOLLOWED}"
                raise mistake("E0218", message, (fact.origin, "")) from None
        case File() as file:
            return Pattern.of_array(files.array(name, shape, file, fact, scope))
        case Numbers() | None:
            raise CompilerBug(f"`{fact.name}` without a file or a list")


def values(
    name: str, shape: tuple[int, ...], fact: Attribute, scope: Scope, files: Files, *, is_complex: bool
) -> NDArray[Any]:
    """All entries of the tensor `name`, complex ones if it is; integers in the type that is computed with, else f64."""
    match fact.argument:
        case Numbers(listed):
            return _listed(listed, shape, fact, scope)
        case File() as file:
            array = files.array(name, shape, file, fact, scope)
            if array.dtype.kind == "c" and not is_complex:
                message = f"the values of `{name}` are complex, and it is a real tensor"
                note = "`complex` after its shape makes it complex"
                raise mistake("E0240", message, (fact.origin, ""), notes=(note,))
            if not _fit(array, scope.element_type):
                kind = "integers of" if scope.element_type.is_integer else "finite in"
                message = f"the values of `{name}` are not all {kind} {scope.element_type.value}"
                raise mistake("E0218", message, (fact.origin, ""))
            return array.astype(np.complex128 if is_complex else _known_type(scope))
        case Places() | None:
            raise CompilerBug(f"`{fact.name}` without a file or a list")


def _known_type(scope: Scope) -> np.dtype[Any]:
    return dtype_of(scope.element_type if scope.element_type.is_integer else ElementType.F64)


def _fit(array: NDArray[Any], element_type: ElementType) -> bool:
    """True if the numbers are finite in the type, or are some of its integers."""
    if not element_type.is_integer:
        parts = in_parts(array)
        with np.errstate(over="ignore"):
            return bool(np.isfinite(parts.astype(np.float32 if element_type is ElementType.F32 else np.float64)).all())
    return all(fits(number, element_type) for number in np.unique(array).tolist())


def _listed(listed: tuple[Expression, ...], shape: tuple[int, ...], fact: Attribute, scope: Scope) -> NDArray[Any]:
    """Values in column-major order: the first mode fastest."""
    entries = int(np.prod(shape))
    if len(listed) != entries:
        message = f"{counted(len(listed), 'value')} for {counted(entries, 'entry', 'entries')}"
        raise mistake("E0218", message, (fact.origin, "all entries, the first mode fastest"))
    numbers = gather(lambda value: rounded(known(value, scope, "a value"), value.origin, scope.element_type), listed)
    wrapped = [number_in(number, _known_type(scope)) for number in numbers]
    return np.array(wrapped).reshape(shape, order="F")


def _position(place: Place, shape: tuple[int, ...], scope: Scope) -> tuple[int, ...]:
    position = gather(lambda part: integer(part, scope, "a position"), place.position)
    if len(position) != len(shape):
        numbers, modes = counted(len(position), "number"), counted(len(shape), "mode")
        message = f"this place has {numbers}, but the tensor has {modes}"
        raise mistake("E0218", message, (place.origin, ""))
    for mode, (number, extent) in enumerate(zip(position, shape, strict=True)):
        if not 0 <= number < extent:
            message = f"position {number} is outside of mode {mode}, which runs from 0 to {extent - 1}"
            raise mistake("E0206", message, (place.origin, ""))
    return position

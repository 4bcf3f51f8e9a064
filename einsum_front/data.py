"""Arguments for a kernel: seeded random numbers, or the arrays of an `.npz` file."""

from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from diagnostics import CompileError, Diagnostic
from einsum_front.files import writing
from runtime.artifact import ArrayParameter, Artifact, GroupParameter, Parameter, ScalarParameter, TensorParameter
from runtime.layout import ELEMENT_TYPES, declared_layout, expected_shape, nonzero_mask

Array = NDArray[np.generic]


def random_arguments(artifact: Artifact, batch: int, seed: int) -> dict[str, object]:
    """An argument for every parameter whose values are not known when compiling.

    Numbers are in [-1, 1), small integers for integer types, zeros where declared.
    """
    generator = np.random.default_rng(seed)
    unknown = (p for p in artifact.parameters if not (isinstance(p, TensorParameter) and p.values is not None))
    return {parameter.name: _random(parameter, batch, generator) for parameter in unknown}


def _random(parameter: Parameter, batch: int, generator: np.random.Generator) -> object:
    match parameter:
        case ScalarParameter(type=type_):
            return _numbers(type_, (), generator)[()]
        case TensorParameter() | GroupParameter():
            numbers = _numbers(parameter.type, _array_shape(parameter, batch), generator)
            return _without_declared_zeros(parameter, numbers)


def _array_shape(parameter: ArrayParameter, batch: int) -> tuple[int, ...]:
    """The shape of the caller's array; every extent that only the launch knows is that of the batch."""
    shape = tuple(batch if size is None else size for size in expected_shape(parameter))
    return (batch, *shape) if isinstance(parameter, GroupParameter) else shape


def _without_declared_zeros(parameter: ArrayParameter, numbers: Array) -> Array:
    shape = numbers.shape[1:] if isinstance(parameter, GroupParameter) else numbers.shape
    mask = nonzero_mask(parameter, declared_layout(parameter, shape))
    return numbers if mask is None else np.where(mask, numbers, numbers.dtype.type(0))


def _numbers(type_: str, shape: tuple[int, ...], generator: np.random.Generator) -> Array:
    """Uniform in [-1, 1) for floating types, in 0, …, 3 for integers."""
    element = ELEMENT_TYPES[type_]
    if element.kind == "f":
        return np.asarray(generator.uniform(-1, 1, shape)).astype(element)
    return np.asarray(generator.integers(0, 4, shape)).astype(element)


def load_arguments(path: Path) -> dict[str, object]:
    """The arrays of an `.npz` file by name; one that cannot be read is a `CompileError`."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise CompileError([Diagnostic("E0514", f"there is no file `{path}`")]) from None
    except (OSError, ValueError, BadZipFile, AttributeError) as error:
        message = f"`{path}` is not an .npz file of arrays"
        raise CompileError([Diagnostic("E0514", message, notes=(str(error).splitlines()[0],))]) from None


def save_arguments(path: Path, arrays: Mapping[str, Array]) -> None:
    """Writes arrays by name into an `.npz` file; a place that cannot be written is a `CompileError`."""
    with writing(path):
        np.savez(path, **arrays)  # type: ignore[arg-type] # numpy's stub takes any keyword for `allow_pickle`

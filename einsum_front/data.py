"""Arguments for a kernel: seeded random numbers, or the arrays of an `.npz` file."""

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import field, replace
from difflib import get_close_matches
from math import prod
from pathlib import Path
from typing import TypeVar

import numpy as np

from einsum_front.array_files import Array, ArrayFile, UnreadableError
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.extent import evaluated, sizes_in
from einsum_front.core.numbers import is_floating
from einsum_front.core.words import listed
from einsum_front.files import replacing
from einsum_front.runtime import (
    ELEMENT_TYPES,
    allocating,
    declared_layout,
    element_shape,
    nonzero_mask,
)
from einsum_front.runtime.artifact import (
    ArrayParameter,
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    SizeLimit,
    TensorParameter,
)

T = TypeVar("T")

FEW_NEGATIVE = 0.1
"""Of integers that say places, so many say that there is none."""


@dataclass(frozen=True, slots=True)
class Given:
    """Values not left to chance, by name: numbers of scalars, shapes of arrays without the batch, sizes of modes.

    Integers of the arguments in `whole` are from all of the range of their type.
    """

    numbers: Mapping[str, int | float | complex] = field(default_factory=dict)
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()


def random_arguments(artifact: Artifact, batch: int, seed: int, given: Given | None = None) -> dict[str, object]:
    """An argument for every parameter whose values are not known when compiling.

    Numbers are in [-1, 1), small integers for integer types, zeros where declared; what is given stays. Sizes that have
    names are small.
    """
    known = Given() if given is None else given
    known = replace(known, sizes=small_sizes(artifact) | dict(known.sizes))
    generator = np.random.default_rng(seed)
    unknown = (p for p in artifact.arguments if not (isinstance(p, TensorParameter) and p.values is not None))
    return {parameter.name: _random(parameter, batch, generator, known) for parameter in unknown}


def _random(parameter: Parameter, batch: int, generator: "np.random.Generator", given: Given) -> object:
    match parameter:
        case ScalarParameter(name=name, type=type_):
            number = _numbers(type_, (), generator, is_whole=name in given.whole)[()]
            return given.numbers.get(name, number)
        case TensorParameter() | GroupParameter():
            shape = _array_shape(parameter, batch, given)
            with allocating(f"argument `{parameter.name}` of shape {shape}"):
                if parameter.indices:
                    return _places(parameter, shape, batch, generator, given)
                is_whole = parameter.name in given.whole
                numbers = _numbers(parameter.type, shape, generator, is_whole=is_whole)
                return _without_declared_zeros(parameter, numbers)


def _places(
    parameter: ArrayParameter, shape: tuple[int, ...], batch: int, generator: "np.random.Generator", given: Given
) -> Array:
    """Integers that are places of all that they are places of; few are negative."""
    bounds = [batch if each is None else evaluated(each, given.sizes) for each in parameter.indices]
    most = min((each for each in bounds if isinstance(each, int)), default=1)
    numbers = generator.integers(0, max(1, most), shape)
    return np.where(generator.random(shape) < FEW_NEGATIVE, -1, numbers).astype(ELEMENT_TYPES[parameter.type])


def _array_shape(parameter: ArrayParameter, batch: int, given: Given) -> tuple[int, ...]:
    """The shape of the caller's array.

    A dynamic extent is the given one, else what its sizes make it, else that of the batch.
    """
    named = {parameter.modes[i]: evaluated(extent, given.sizes) for i, extent in enumerate(parameter.sizes) if extent}
    numbers = {mode: number for mode, number in named.items() if isinstance(number, int)}
    open_shape = enumerate(element_shape(parameter))
    declared = tuple(numbers.get(mode) or batch if size is None else size for mode, size in open_shape)
    shape = given.shapes.get(parameter.name, declared)
    return (batch, *shape) if has_one_for_each(parameter) else shape


MOST_TOGETHER = 1000
"""Iterations of a nest over all named sizes: interpreters run it entry by entry."""


def small_sizes(artifact: Artifact) -> dict[str, int]:
    """A number for every named size: small ones, all different where limits and their product let them be."""
    limits = {limit.name: limit for limit in artifact.limits}
    names = size_names(artifact)
    ranges = (range(least, least + len(names)) for least in (5, 3, 2))
    numbers = next((each for each in ranges if prod(each) <= MOST_TOGETHER), [2 + n % 2 for n in range(len(names))])
    sizes = {}
    for number, name in zip(numbers, names, strict=True):
        limit = limits.get(name, SizeLimit(name, 1, None))
        sizes[name] = max(limit.least, min(number, number if limit.most is None else limit.most))
    return sizes


def likely_sizes(artifact: Artifact) -> dict[str, int]:
    """A number for every named size: its hint."""
    return small_sizes(artifact) | {limit.name: limit.hint for limit in artifact.limits if limit.hint is not None}


def shown_sizes(artifact: Artifact, arguments: Mapping[str, object]) -> dict[str, int]:
    """The sizes that the arrays show."""
    sizes: dict[str, int] = {}
    for parameter in artifact.arguments:
        value = arguments.get(parameter.name)
        if isinstance(value, np.ndarray) and not isinstance(parameter, ScalarParameter):
            shape = value.shape[1:] if has_one_for_each(parameter) else value.shape
            pairs = zip(parameter.sizes, parameter.modes, strict=False)
            sizes |= {each.size.name: shape[mode] for each, mode in pairs if each is not None and each.size is not None}
    return sizes


def size_names(artifact: Artifact) -> tuple[str, ...]:
    """The names of the sizes that dynamic extents depend on, in the order of the parameters."""
    arrays = (parameter for parameter in artifact.arguments if not isinstance(parameter, ScalarParameter))
    return tuple(sizes_in(extent for parameter in arrays for extent in parameter.sizes if extent is not None))


def element_bytes(artifact: Artifact) -> int:
    """Bytes of one element in all arguments that have one for each, declared zeros included.

    Sizes are their hints, dynamic extents of which nothing is said count as 1.
    """
    parameters = [p for p in artifact.arguments if not isinstance(p, ScalarParameter) and has_one_for_each(p)]
    given = Given(sizes=likely_sizes(artifact))
    return sum(prod(_array_shape(p, 1, given)) * ELEMENT_TYPES[p.type].itemsize for p in parameters)


def batch_size(artifact: Artifact, arguments: Mapping[str, object]) -> int | None:
    """The elements of the first argument that has one for each work-group, None if there is no such argument."""
    parameters = (p for p in artifact.arguments if not isinstance(p, ScalarParameter) and has_one_for_each(p))
    values = (arguments.get(parameter.name) for parameter in parameters)
    return next((len(value) for value in values if isinstance(value, np.ndarray) and value.ndim), None)


def first_element(artifact: Artifact, arguments: Mapping[str, object]) -> dict[str, object]:
    """Arguments for one work-group: the first of what there is one of for each, copies of what is written."""
    few = dict(arguments)
    for parameter in artifact.arguments:
        value = arguments.get(parameter.name)
        if isinstance(value, np.ndarray) and not isinstance(parameter, ScalarParameter):
            part = value[:1] if has_one_for_each(parameter) else value
            few[parameter.name] = part.copy() if parameter.is_written else part
            if None in parameter.indices:
                few[parameter.name] = np.minimum(part, 0)  # other elements are not there
    return few


def has_unnamed_size(parameter: ArrayParameter) -> bool:
    """True if nothing says what a dynamic extent could be."""
    named = {mode for name, mode in zip(parameter.sizes, parameter.modes, strict=False) if name is not None}
    return any(size is None and mode not in named for mode, size in enumerate(element_shape(parameter)))


def has_one_for_each(parameter: ArrayParameter) -> bool:
    """True if every element has a tensor of its own in this argument."""
    return isinstance(parameter, GroupParameter) or parameter.batched


def _without_declared_zeros(parameter: ArrayParameter, numbers: Array) -> Array:
    shape = numbers.shape[1:] if isinstance(parameter, GroupParameter) else numbers.shape
    mask = nonzero_mask(parameter, declared_layout(parameter, shape))
    return numbers if mask is None else np.where(mask, numbers, numbers.dtype.type(0))


def _numbers(type_: str, shape: tuple[int, ...], generator: "np.random.Generator", *, is_whole: bool = False) -> Array:
    """Uniform in [-1, 1) for floating types and parts of complex ones; integers in 0, …, 3 or in all of their range."""
    element = ELEMENT_TYPES[type_]
    if element.kind == "c":
        parts = generator.uniform(-1, 1, (2, *shape))
        return np.asarray(parts[0] + 1j * parts[1]).astype(element)
    if is_floating(element):
        return np.asarray(generator.uniform(-1, 1, shape)).astype(element)
    if is_whole and element.kind in "iu":
        least, most = np.iinfo(element.name).min, np.iinfo(element.name).max
        return np.asarray(generator.integers(least, most, shape, element.type, endpoint=True))
    return np.asarray(generator.integers(0, 4, shape)).astype(element)


def load_arguments(path: Path, names: Collection[str]) -> dict[str, object]:
    """The arrays of an `.npz` file that have one of these names; what cannot be read is a `CompileError`."""
    return _of_file(path, lambda file, given: {name: file.array(name) for name in given if name in names})


def check_arguments(path: Path, known: Collection[str]) -> None:
    """Raises `CompileError` (E0502) for arrays of an `.npz` file whose names are not `known`, nor of such families."""
    names = _of_file(path, lambda _, given: given)
    unknown = [name for name in names if name not in known and re.sub(r"(_\d+)+$", "", name) not in known]
    if unknown:
        raise CompileError([_unknown(path, name, known) for name in unknown])


def _unknown(path: Path, name: str, known: Collection[str]) -> Diagnostic:
    near = get_close_matches(name, known, 1)
    notes = (f"did you mean `{near[0]}`?",) if near else (f"arguments are {listed([f'`{each}`' for each in known])}",)
    return Diagnostic(
        "E0502", f"`{path}` has an array `{name}`, and no kernel has an argument of this name", notes=notes
    )


def _of_file(path: Path, read: Callable[[ArrayFile, tuple[str, ...]], T]) -> T:
    try:
        with closing(ArrayFile(path)) as file:
            if file.names is None:
                raise _not_arguments(path)
            return read(file, tuple(file.names))
    except UnreadableError as error:
        if error.is_foreign:
            raise _not_arguments(path) from None
        raise CompileError([Diagnostic("E0514", f"cannot read `{path}`: {error.reason}")]) from None


def _not_arguments(path: Path) -> CompileError:
    message, note = f"`{path}` is not an .npz file of arrays", "`numpy.savez(path, Q=Q)` writes one"
    return CompileError([Diagnostic("E0514", message, notes=(note,))])


def save_arguments(path: Path, arrays: Mapping[str, Array]) -> None:
    """Writes arrays by name into an `.npz` file; a place that cannot be written is a `CompileError`."""
    with replacing(path) as file:  # given a path, NumPy would write `path.npz`
        np.savez(file, **arrays)  # type: ignore[arg-type] # numpy's stub takes any keyword for `allow_pickle`

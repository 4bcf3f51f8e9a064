"""Kernels on arrays of dask: chunks along the batch are computed one by one, elements are whole in each."""

from collections.abc import Mapping
from math import isnan
from typing import Any

import dask.array as da
import numpy as np
from dask.base import tokenize

from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.dask_arrays.arrays import Dispatched, is_dask
from einsum_front.dask_arrays.worker import BlockKernel, Shipped
from einsum_front.runtime import ELEMENT_TYPES
from einsum_front.runtime.artifact import Artifact, GroupParameter, Parameter, ScalarParameter, TensorParameter


def kernel_on_dask(kernel: Dispatched, arguments: Mapping[str, object]) -> Any:
    """The outputs of the kernel as arrays of dask, by name if there are several; nothing is computed.

    Arguments are those of a call. Outputs that the kernel overwrites may be missing. Raises `CompileError`: E0501 for
    an argument that is missing or unknown, E0505 for a shape, E0634 and E0635 for what dask's arrays cannot be.
    """
    artifact, device, overwritten = kernel.artifact, kernel.device, kernel.overwritten
    parameters = {each.name: each for each in artifact.arguments}
    mistakes = [*_names(artifact, parameters, overwritten, arguments)]
    raise_any(mistakes)
    batched = {n: v for n, v in arguments.items() if _is_batched(parameters[n])}
    chunks = _chunks(artifact, batched)
    fixed: dict[str, object] = {}
    inputs: dict[str, tuple[Any, tuple[str, ...]]] = {}
    for name, value in arguments.items():
        parameter = parameters[name]
        if isinstance(parameter, ScalarParameter) or not (name in batched or is_dask(value)):
            fixed[name] = value
            continue
        inputs[name] = _input(artifact, parameter, value, chunks if name in batched else None)
    outputs = tuple(n for n, each in parameters.items() if not isinstance(each, ScalarParameter) and each.is_written)
    shapes = {name: _shape(parameters[name], inputs.get(name)) for name in outputs}
    samples: dict[str, object] = {name: np.empty((1, *shape)) for name, shape in shapes.items()}
    samples |= {name: np.empty((1, *array.shape[1:])) for name, (array, _) in inputs.items() if name in batched}
    artifact = kernel.artifact_for(device, {**fixed, **samples})  # blocks lie in C order
    shipped = Shipped(artifact, device.facts, overwritten)
    block = BlockKernel(artifact.name, shipped, tuple(inputs), outputs, shapes, fixed)
    return _outputs(block, inputs, parameters)


def _outputs(
    block: BlockKernel,
    inputs: Mapping[str, tuple[Any, tuple[str, ...]]],
    parameters: Mapping[str, Parameter],
) -> Any:
    pairs = [part for pair in inputs.values() for part in pair]
    token = tokenize(block, *(array for array, _ in inputs.values()))
    kinds = {name: ELEMENT_TYPES[parameters[name].type] for name in block.outputs}
    first, *more = block.outputs
    axes = {name: tuple(f"{name}:{n}" for n in range(len(block.shapes[name]))) for name in block.outputs}

    def made(function: object, name: str, index: tuple[str, ...], label: str, *arguments: object) -> Any:
        sizes = dict(zip(axes[name], block.shapes[name], strict=True)) if index[1:] else {}
        return da.blockwise(
            *(function, index, *arguments),
            new_axes={axis: size for axis, size in sizes.items() if axis not in _known(arguments)},
            concatenate=True,
            align_arrays=False,
            dtype=kinds[name] if index[1:] or not sizes else object,
            meta=np.empty((0,) * len(index), kinds[name]),
            name=f"{label}-{token}",
        )

    if not more:
        return made(block, first, ("batch", *axes[first]), block.name, *pairs)
    whole = made(block, first, ("batch",), f"{block.name}_all", *pairs)
    found = {}
    for number, name in enumerate(block.outputs):
        index = ("batch", *axes[name])
        found[name] = made(_Taken(number), name, index, f"{block.name}_{name}", whole, ("batch",))
    return found


def _known(arguments: tuple[object, ...]) -> set[str]:
    return {name for index in arguments[1::2] if isinstance(index, tuple) for name in index}


class _Taken:
    """One of the outputs of a block."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, outputs: tuple[Any, ...]) -> Any:
        return outputs[self.number]


# -- arguments ---------------------------------------------------------------------------------------------------------


def _names(
    artifact: Artifact, parameters: Mapping[str, Parameter], overwritten: frozenset[str], given: Mapping[str, object]
) -> list[Diagnostic]:
    found = []
    for name in given:
        if name not in parameters:
            listed = ", ".join(f"`{each}`" for each in parameters)
            found.append(
                Diagnostic("E0501", f"`{artifact.name}` has no argument `{name}`", notes=(f"it has {listed}",))
            )
    for name, parameter in parameters.items():
        is_known = isinstance(parameter, TensorParameter) and parameter.values is not None
        if name not in given and name not in overwritten and not is_known:
            found.append(Diagnostic("E0501", f"argument `{name}` is missing"))
        if isinstance(parameter, GroupParameter):
            message = f"`{name}` is a pointer for each element, and arrays of dask are none"
            found.append(Diagnostic("E0634", message, notes=("`distance` instead of `pointers` declares arrays",)))
        elif not isinstance(parameter, ScalarParameter) and None in parameter.indices:
            message = f"the integers of `{name}` say elements, which may be in another chunk of the batch"
            note = "a program that copies what neighbours have into each chunk can be computed in chunks"
            found.append(Diagnostic("E0634", message, notes=(note,)))
        elif isinstance(parameter, TensorParameter) and not parameter.batched and parameter.is_written:
            found.append(Diagnostic("E0634", f"all elements write `{name}`, which chunks of a batch cannot share"))
    return found


def _is_batched(parameter: Parameter) -> bool:
    return isinstance(parameter, TensorParameter) and parameter.batched


def _chunks(artifact: Artifact, batched: Mapping[str, Any]) -> tuple[int, ...]:
    """The chunks along the batch: those of the first array of dask."""
    arrays = {name: value for name, value in batched.items() if is_dask(value)}
    if not arrays:
        message = f"no argument of `{artifact.name}` that each element has is an array of dask"
        raise CompileError([Diagnostic("E0634", message, notes=("then nothing says how the batch is cut",))])
    first, array = next(iter(arrays.items()))
    lengths = {name: np.shape(value)[:1] for name, value in batched.items()}
    if any(map(isnan, array.chunks[0])):
        _check_unknown(first, batched)
        return tuple(array.chunks[0])
    for name, length in lengths.items():
        if length != lengths[first]:
            message = f"`{name}` has {length[0] if length else 'no'} elements, and `{first}` has {lengths[first][0]}"
            raise CompileError([Diagnostic("E0635", message)])
    chunks: tuple[int, ...] = array.chunks[0]
    return chunks


def _check_unknown(first: str, batched: Mapping[str, Any]) -> None:
    """Raises `CompileError` unless all have as many chunks of unknown sizes; tasks compare these."""
    for name, value in batched.items():
        chunks = value.chunks[0] if is_dask(value) else ()
        if len(chunks) != len(batched[first].chunks[0]) or not all(map(isnan, chunks)):
            message = f"`{first}` has chunks of unknown sizes, and `{name}` others"
            raise CompileError([Diagnostic("E0635", message, notes=("`compute_chunk_sizes()` finds them",))])


def _input(
    artifact: Artifact, parameter: Parameter, value: object, chunks: tuple[int, ...] | None
) -> tuple[Any, tuple[str, ...]]:
    """The array in chunks of whole elements, and a name for each of its modes."""
    assert isinstance(parameter, TensorParameter)
    array: Any = value if is_dask(value) else da.from_array(np.asarray(value), chunks=-1)
    modes = len(parameter.modes)
    wanted = modes + (chunks is not None)
    if array.ndim != wanted:
        message = f"argument `{parameter.name}` of `{artifact.name}` has {wanted} modes"
        raise CompileError([Diagnostic("E0505", f"{message}, not {array.ndim}")])
    own = tuple(f"{parameter.name}:{n}" for n in range(modes))
    if chunks is None:
        return array.rechunk(-1), own
    batch = {} if any(map(isnan, chunks)) else {0: chunks}
    return array.rechunk({**batch, **dict.fromkeys(range(1, wanted), -1)}), ("batch", *own)


def _shape(parameter: Parameter, given: tuple[Any, tuple[str, ...]] | None) -> tuple[int, ...]:
    """The shape of an element of an output: that of the array, or that of the kernel."""
    if given is not None:
        return tuple(given[0].shape[1:])
    assert isinstance(parameter, TensorParameter)
    extents = [0] * len(parameter.modes)
    for memory, mode in enumerate(parameter.modes):
        extent = parameter.shape[memory]
        if not isinstance(extent, int):
            message = f"only the launch knows the shape of `{parameter.name}`"
            raise CompileError([Diagnostic("E0634", message, notes=("give an array of dask of that shape",))])
        extents[mode] = extent
    return tuple(extents)

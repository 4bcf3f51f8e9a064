"""A function in the place of its kernel: on the kernel's arguments, which are changed in place."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Span
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.numbers import in_parts
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.scalars import DTYPES
from einsum_front.mlir.to_graph.batch import returned
from einsum_front.mlir.to_graph.dimensions import Dimensions
from einsum_front.mlir.to_graph.function import kernel_arguments, shape_in_kernel

Array = NDArray[Any]


def other_batch(function: mlir.Function, arguments: Mapping[str, object]) -> str | None:
    """Why a function cannot run on these arguments, whose batch may have any length; None if it can."""
    names, _ = kernel_arguments(function)
    for each in function.arguments:
        if not isinstance(each.type, mlir.TensorType | mlir.MemrefType):
            continue
        shape = np.shape(np.asarray(arguments[names[each.name]]))
        for extent, size in zip(each.type.shape[: len(shape)], shape, strict=False):
            if len(shape) == len(each.type.shape) and extent not in (None, size):
                return f"its text has {extent} elements, and {size} are compared"
    return None


def run(
    module: mlir.Module,
    function: mlir.Function,
    arguments: Mapping[str, object],
    count: int,
    *,
    has_parts: bool = True,
) -> None:
    """What a launch over `count` elements does, by the interpreter.

    Arguments have the names and shapes of the kernel's: arrays that each element has begin with the batch. A function
    for one element runs for each of them. As in a kernel, numbers of bf16 are rounded where they are written only.
    Where kernels are made of graphs, a mode may be several there (`has_parts`).
    """
    names, results = kernel_arguments(function)
    sizes = _sizes(function, arguments)
    ends = zip(returned(function), results, strict=True)
    complexes = {name for value, name in ends if value.name in function.complexes}
    complexes |= {names[name] for name in function.complexes if name in names}
    arguments = {name: in_parts(np.asarray(each)) if name in complexes else each for name, each in arguments.items()}
    given = [
        np.asarray(sizes[each.name] if each.name in sizes else arguments[names[each.name]], DTYPES[each.element])
        for each in function.arguments
    ]
    module = mlir.Module(tuple(map(_widened, module.functions)), module.name, module.origin)
    plain = {each.name: (1,) * rank_of(each) for each in function.arguments}
    modes = plain | (shape_in_kernel(function) if has_parts else {})
    is_batched = [array.ndim > sum(modes[each.name]) for array, each in zip(given, function.arguments, strict=True)]
    given = [_put_together(array, modes[each.name]) for array, each in zip(given, function.arguments, strict=True)]
    written = [np.asarray(arguments[name]) for name in results]
    for element in range(count) if any(is_batched) else (None,):
        parts = [array[element, ...] if batched else array for array, batched in zip(given, is_batched, strict=True)]
        found = interpret(module, function.name, parts)
        for target, value in zip(written, found, strict=True):
            part = target[... if element is None else (element, ...)]  # also of one number, no copy
            shape = part.shape[part.size != value.size :]  # one for all, if no argument is an element's
            if prod(shape) != value.size:
                raise _other_size(function, part.shape, value.shape)
            part[...] = value.reshape(shape)
    for each, array in zip(function.arguments, given, strict=True):
        if each.name in sizes:
            continue
        given_ = arguments[names[each.name]]
        if isinstance(given_, np.ndarray) and given_ is not array and names[each.name] not in results:
            given_[...] = array.reshape(given_.shape)


def _other_size(function: mlir.Function, given: tuple[int, ...], found: tuple[int, ...]) -> CompileError:
    """A result whose size follows from numbers, which the caller's array does not have."""
    message = f"`{function.name}` returns an array of shape {found}, and is given one of shape {given}"
    return CompileError([mistake("E0815", message, function.origin)])


def _put_together(array: Array, parts: tuple[int, ...]) -> Array:
    """An array as the function has it: a mode that a kernel has in parts is one, behind the batch."""
    batch, shape = array.shape[: array.ndim - sum(parts)], iter(array.shape[array.ndim - sum(parts) :])
    return array.reshape((*batch, *(prod(next(shape) for _ in range(count)) for count in parts)))


def _sizes(function: mlir.Function, arguments: Mapping[str, object]) -> dict[str, int]:
    """The arguments that are sizes, which kernels take from their arrays; 1 where nothing has that size."""
    names, results = kernel_arguments(function)
    dimensions = Dimensions(function)
    tensors = [(each, names[each.name]) for each in function.arguments]
    tensors += zip(returned(function), results, strict=True)
    found = {}
    for argument in function.arguments:
        if argument.type is not mlir.ScalarType.INDEX or names[argument.name] in arguments:
            continue
        wanted, size = dimensions.sized_by(argument.name), 1
        for value, name in tensors:
            for mode in range(rank_of(value)):
                if dimensions.root(value, mode) == wanted:
                    shape = np.shape(np.asarray(arguments[name]))
                    size = shape[len(shape) - rank_of(value) + mode]
        found[argument.name] = size
    return found


def _widened(found: Any) -> Any:
    """The same with numbers of f32 in the place of bf16: what lies between a read and a write of a kernel."""
    if found is mlir.ScalarType.BF16:
        return mlir.ScalarType.F32
    if isinstance(found, tuple):
        return tuple(map(_widened, found))
    if not is_dataclass(found) or isinstance(found, type | Span):
        return found
    return replace(found, **{each.name: _widened(getattr(found, each.name)) for each in fields(found) if each.init})

"""A function in the place of its kernel: on the kernel's arguments, which are changed in place."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.interpret import interpret
from einsum_front.mlir.named import element_of, rank_of
from einsum_front.mlir.scalars import DTYPES
from einsum_front.mlir.to_graph.function import kernel_arguments

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


def run(module: mlir.Module, function: mlir.Function, arguments: Mapping[str, object], count: int) -> None:
    """What a launch over `count` elements does, by the interpreter.

    Arguments have the names and shapes of the kernel's: arrays that each element has begin with the batch. A function
    for one element runs for each of them.
    """
    names, results = kernel_arguments(function)
    given = [np.asarray(arguments[names[each.name]], DTYPES[element_of(each)]) for each in function.arguments]
    is_batched = [array.ndim > rank_of(each) for array, each in zip(given, function.arguments, strict=True)]
    written = [np.asarray(arguments[name]) for name in results]
    for element in range(count) if any(is_batched) else (None,):
        parts = [array[element, ...] if batched else array for array, batched in zip(given, is_batched, strict=True)]
        found = interpret(module, function.name, parts)
        for target, value in zip(written, found, strict=True):
            target[... if element is None else (element, ...)] = value  # also of one number, no copy
    for each, array in zip(function.arguments, given, strict=True):
        given_ = arguments[names[each.name]]
        if isinstance(given_, np.ndarray) and given_ is not array and names[each.name] not in results:
            given_[...] = array

"""What a definition means, in NumPy: slow and plain.

results = interpret(definition, {"A": a, "B": b, "C": c})
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import evaluate
from einsum_front.tc.nodes import Access, Affine, Apply, Definition, Expression
from einsum_front.tc.structure import extents_of, meaning, structure_of, value_of

Array = NDArray[Any]


def interpret(definition: Definition, arguments: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs behind a definition that is verified, by name; `arguments` has them as they are before.

    Raises `ValueError` if the arrays are of no shapes that the definition has.
    """
    sizes = sizes_of(definition, arguments)
    structure, known = structure_of(definition), extents_of(definition)
    extents = [value_of(known[name], sizes) for name in structure.iterators]
    grid = dict(zip(structure.iterators, np.indices(extents), strict=True))
    body, results = definition.body, {}
    parallel = [name for name in structure.iterators if name not in structure.reductions]
    axes = tuple(n for n, name in enumerate(structure.iterators) if name in structure.reductions)
    for target, value in zip(body.targets, body.values, strict=True):
        before = np.asarray(arguments[target.tensor])
        reduces = isinstance(value, Apply) and bool(value.over)
        inner = value.arguments[-1] if isinstance(value, Apply) and value.over else value
        numbers = np.broadcast_to(_evaluated(inner, arguments, grid), extents)
        order = tuple(parallel.index(str(each.name)) for each in target.positions)
        if reduces and isinstance(value, Apply):
            numbers = _combined(value, before, numbers, axes, order)
        else:
            numbers = numbers.transpose(order)
        results[target.tensor] = np.array(numbers, before.dtype)
    return results


def _combined(value: Apply, before: Array, numbers: Array, axes: tuple[int, ...], order: tuple[int, ...]) -> Array:
    """The output combined with all numbers along the reductions, one after the other."""
    known = meaning(value.operation)
    if known is None or known.function is None:
        raise CompilerBug(f"`{value.operation}` does not reduce")
    kept = tuple(axis for axis in range(numbers.ndim) if axis not in axes)
    moved = numbers.transpose((*axes, *(kept[each] for each in order)))
    found = before
    for each in moved.reshape(-1, *before.shape):
        found = evaluate(known.function, (found, each))
    return found


def sizes_of(definition: Definition, arguments: Mapping[str, Array]) -> dict[str, int]:
    """The sizes that the shapes of arrays tell; raises `ValueError` if they tell none, or different ones."""
    sizes: dict[str, int] = {}
    for tensor in definition.tensors:
        shape = np.shape(arguments[tensor.name])
        if len(shape) != len(tensor.shape):
            raise ValueError(f"`{tensor.name}` has {len(tensor.shape)} modes, not {len(shape)}")
        for extent, number in zip(tensor.shape, shape, strict=True):
            if extent.name is not None and sizes.setdefault(extent.name, number) != number:
                raise ValueError(f"`{extent.name}` is {sizes[extent.name]} and {number}")
    for tensor in definition.tensors:
        for extent, number in zip(tensor.shape, np.shape(arguments[tensor.name]), strict=True):
            if value_of(extent, sizes) != number:
                raise ValueError(f"`{tensor.name}` has {number} positions where the shape says otherwise")
    return sizes


def _evaluated(expression: Expression, arguments: Mapping[str, Array], grid: Mapping[str, Array]) -> Array:
    match expression:
        case Access(tensor=tensor, positions=positions):
            array = np.asarray(arguments[tensor])
            return np.asarray(array[tuple(_position(each, grid) for each in positions)])
        case Apply(operation=operation, arguments=inner):
            known = meaning(operation)
            if known is None:
                raise CompilerBug(f"there is no operation `{operation}`")
            values = [_evaluated(each, arguments, grid) for each in inner]
            return -values[0] if known.function is None else evaluate(known.function, values)


def _position(affine: Affine, grid: Mapping[str, Array]) -> Array:
    found = np.asarray(affine.constant)
    for name, factor in affine.terms:
        found = found + grid[name] * factor
    return found

"""Tensors from formulas of tensors with values, computed when the script runs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from einsum_front.yateto.deduction import indices_for
from einsum_front.yateto.evaluation import values_of
from einsum_front.yateto.formula import Node
from einsum_front.yateto.indices import Indices
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.type import Collection, Tensor

NO_ARGUMENTS: Mapping[str, Any] = {}


def create_collection(matrices: Mapping[str, Tensor]) -> Collection:
    """A collection of tensors by name."""
    collection = Collection()
    for name, matrix in matrices.items():
        if not Tensor.isValidName(name):
            raise rejected("E0170", f"`{name}` is no name of a tensor")
        base, group = Tensor.getBaseName(name), Collection.group(name)
        if group == ():
            collection[base] = matrix
        else:
            collection.__dict__.setdefault(base, {})[group] = matrix
    return collection


def tensor_from_constant_expression(
    name: str,
    expression: Node,
    target_indices: Indices | str | None = None,
    dtype: Any = np.longdouble,
    tensor_args: Mapping[str, Any] = NO_ARGUMENTS,
) -> Tensor:
    """A tensor with the values of a formula, with modes `target_indices`; raises AssertionError for unknown ones."""
    values = values_of(expression, indices_for(expression, target_indices), dtype)
    return Tensor(name, values.shape, spp=values, **tensor_args)


def tensor_collection_from_constant_expression(
    base_name: str,
    expressions: Callable[..., Node],
    group_indices: Iterable[tuple[int, ...]],
    target_indices: Indices | str | None = None,
    dtype: Any = np.longdouble,
    tensor_args: Mapping[str, Any] = NO_ARGUMENTS,
) -> Collection:
    """A tensor for each tuple of numbers, which `expressions` takes."""
    names = {f"{base_name}({','.join(map(str, numbers))})": numbers for numbers in group_indices}
    return create_collection(
        {
            name: tensor_from_constant_expression(name, expressions(*numbers), target_indices, dtype, tensor_args)
            for name, numbers in names.items()
        }
    )

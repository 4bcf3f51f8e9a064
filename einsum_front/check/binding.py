"""A checked program with numbers in the place of sizes that only the launch knows."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from einsum_front.check.run_time_size import RunTimeExtent
from einsum_front.checked import (
    Access,
    Assignment,
    Expression,
    FixedPosition,
    Index,
    IndexPosition,
    Kernel,
    Product,
    Reduction,
    ScalarTerm,
    Scaled,
    Storage,
    Sum,
    Tensor,
)
from einsum_front.indexed_array import Array

Sizes = Mapping[str, int]


def is_open(tensor: Tensor) -> bool:
    """Whether only the launch knows an extent of the tensor."""
    return any(isinstance(extent, RunTimeExtent) for extent in tensor.shape)


def bound_tensor(tensor: Tensor, sizes: Sizes) -> Tensor:
    """The tensor for these sizes."""
    return replace(
        tensor,
        shape=tuple(_number(extent, sizes) for extent in tensor.shape),
        strides=tuple(_number(stride, sizes) for stride in tensor.strides),
    )


def bound_kernel(kernel: Kernel, sizes: Sizes) -> Kernel:
    """The kernel for these sizes."""
    return replace(kernel, statements=tuple(bound_statement(statement, sizes) for statement in kernel.statements))


def bound_statement(statement: Assignment, sizes: Sizes) -> Assignment:
    """The statement for these sizes."""
    target, value = _access(statement.target, sizes), _expression(statement.value, sizes)
    return replace(statement, target=target, value=value)


def _expression(expression: Expression, sizes: Sizes) -> Expression:
    match expression:
        case Access():
            return _access(expression, sizes)
        case ScalarTerm():
            return expression
        case Scaled(operand=operand):
            return replace(expression, operand=_expression(operand, sizes))
        case Product(factors=factors):
            return replace(expression, factors=tuple(_expression(factor, sizes) for factor in factors))
        case Sum(terms=terms):
            return replace(expression, terms=tuple(_expression(term, sizes) for term in terms))
        case Reduction(indices=indices, operand=operand):
            bound = tuple(_index(index, sizes) for index in indices)
            return replace(expression, indices=bound, operand=_expression(operand, sizes))


def _access(access: Access, sizes: Sizes) -> Access:
    return replace(access, positions=tuple(_position(position, sizes) for position in access.positions))


def _position(position: IndexPosition | FixedPosition, sizes: Sizes) -> IndexPosition | FixedPosition:
    if isinstance(position, FixedPosition):
        return position
    return replace(position, index=_index(position.index, sizes))


def _index(index: Index, sizes: Sizes) -> Index:
    return Index(index.name, _number(index.extent, sizes))


def _number(number: int, sizes: Sizes) -> int:
    """The number itself where the sizes say nothing about it: a tensor of another kernel."""
    is_known = isinstance(number, RunTimeExtent) and all(str(symbol) in sizes for symbol in number.value.free_symbols)
    return number.at(sizes) if isinstance(number, RunTimeExtent) and is_known else number


def sizes_of_arrays(tensors: Iterable[Tensor], arguments: Mapping[str, object]) -> dict[str, int]:
    """The sizes that the arguments of a kernel show: each is the extent of a mode of one of them."""
    sizes: dict[str, int] = {}
    for tensor in tensors:
        if tensor.name in arguments and tensor.storage is not Storage.TEMPORARY:
            shape = np.shape(cast(Array, arguments[tensor.name]))
            for extent, size in zip(tensor.shape, shape[len(shape) - len(tensor.shape) :], strict=True):
                if isinstance(extent, RunTimeExtent):
                    sizes.setdefault(extent.expression, size)
    return sizes

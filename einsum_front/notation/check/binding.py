"""A checked program with numbers in the place of sizes that only the launch knows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from einsum_front.core.storage import Storage
from einsum_front.notation.check.run_time_size import RunTimeExtent
from einsum_front.notation.checked import (
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
    Sum,
    Tensor,
)
from einsum_front.notation.indexed_array import Array

Numbers = Callable[[RunTimeExtent], int]
"""What extents are that only the launch knows."""


def at(sizes: Mapping[str, int]) -> Numbers:
    """The extents for these sizes; those that they say nothing about, of other kernels, stay as they are."""

    def number(extent: RunTimeExtent) -> int:
        is_known = all(str(symbol) in sizes for symbol in extent.value.free_symbols)
        return extent.at(sizes) if is_known else extent

    return number


def is_open(tensor: Tensor) -> bool:
    """Whether only the launch knows an extent of the tensor."""
    return any(isinstance(extent, RunTimeExtent) for extent in tensor.shape)


def bound_tensor(tensor: Tensor, numbers: Numbers) -> Tensor:
    """The tensor with these extents."""
    return replace(
        tensor,
        shape=tuple(_number(extent, numbers) for extent in tensor.shape),
        strides=tuple(_number(stride, numbers) for stride in tensor.strides),
    )


def bound_kernel(kernel: Kernel, numbers: Numbers) -> Kernel:
    """The kernel with these extents."""
    return replace(kernel, statements=tuple(bound_statement(statement, numbers) for statement in kernel.statements))


def bound_statement(statement: Assignment, numbers: Numbers) -> Assignment:
    """The statement with these extents."""
    target, value = _access(statement.target, numbers), _expression(statement.value, numbers)
    return replace(statement, target=target, value=value)


def _expression(expression: Expression, numbers: Numbers) -> Expression:
    match expression:
        case Access():
            return _access(expression, numbers)
        case ScalarTerm():
            return expression
        case Scaled(operand=operand):
            return replace(expression, operand=_expression(operand, numbers))
        case Product(factors=factors):
            return replace(expression, factors=tuple(_expression(factor, numbers) for factor in factors))
        case Sum(terms=terms):
            return replace(expression, terms=tuple(_expression(term, numbers) for term in terms))
        case Reduction(indices=indices, operand=operand):
            bound = tuple(_index(index, numbers) for index in indices)
            return replace(expression, indices=bound, operand=_expression(operand, numbers))


def _access(access: Access, numbers: Numbers) -> Access:
    return replace(access, positions=tuple(_position(position, numbers) for position in access.positions))


def _position(position: IndexPosition | FixedPosition, numbers: Numbers) -> IndexPosition | FixedPosition:
    if isinstance(position, FixedPosition):
        return position
    return replace(position, index=_index(position.index, numbers))


def _index(index: Index, numbers: Numbers) -> Index:
    return Index(index.name, _number(index.extent, numbers))


def _number(number: int, numbers: Numbers) -> int:
    return numbers(number) if isinstance(number, RunTimeExtent) else number


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

"""Collective instructions on whole arrays."""

from typing import Any

import numpy as np

from einsum_front.tl_backend.analysis.extents import extents
from einsum_front.tl_backend.instructions import (
    Axpby,
    CollectiveInstruction,
    Gemm,
    Gemv,
    Ger,
    HadamardProduct,
    Sum,
    Transpose,
    TypedMemref,
)
from einsum_front.tl_backend.interpret.frame import Frame, Memory, undefined
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.traverse import target, typed_operands


def update(instruction: CollectiveInstruction, frame: Frame) -> None:
    """Carry out `target := alpha product + beta target`."""
    _check_shapes(instruction, frame)
    memrefs = [operand for operand in typed_operands(instruction) if isinstance(operand, TypedMemref)]
    element = max((memref.type.element for memref in memrefs), key=lambda element: element.bits)
    dtype = DTYPES[element]
    written = frame.memory(target(instruction).value)
    alpha = frame.scalar(instruction.alpha.value, instruction.alpha.type).astype(dtype)
    beta = frame.scalar(instruction.beta.value, instruction.beta.type).astype(dtype)
    with np.errstate(all="ignore"):
        value = alpha * _product(instruction, frame, dtype)
        if beta != 0:
            value = value + beta * written.astype(dtype)
        written[...] = value


def _product(instruction: CollectiveInstruction, frame: Frame, dtype: np.dtype[Any]) -> Memory:
    """What alpha is multiplied with, in the type that is computed in."""
    a = frame.memory(instruction.a.value).astype(dtype)
    product: Memory
    match instruction:
        case Axpby(transpose=transpose):
            product = _transposed(a, transpose)
        case Sum(transpose=transpose):
            product = np.asarray(_transposed(a, transpose).sum(axis=-1, dtype=dtype))
        case Gemm(transpose_a=transpose_a, transpose_b=transpose_b, b=b):
            product = np.matmul(
                _transposed(a, transpose_a), _transposed(frame.memory(b.value).astype(dtype), transpose_b)
            )
        case Gemv(transpose=transpose, b=b):
            product = np.matmul(_transposed(a, transpose), frame.memory(b.value).astype(dtype))
        case Ger(b=b):
            product = np.multiply.outer(a, frame.memory(b.value).astype(dtype))
        case HadamardProduct(b=b):
            product = np.multiply(a, frame.memory(b.value).astype(dtype))
    return product


def _transposed(array: Memory, transpose: Transpose) -> Memory:
    return array.T if transpose is Transpose.T else array


def _check_shapes(instruction: CollectiveInstruction, frame: Frame) -> None:
    for index, uses in extents(instruction).items():
        sizes = {frame.memory(use.operand.value).shape[use.mode]: None for use in uses}
        if len(sizes) > 1:
            raise undefined(instruction, f"the shapes do not fit: {index} is {' and '.join(map(str, sizes))}")

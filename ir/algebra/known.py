"""Values of a contraction graph that follow from constants whose values are known."""

from collections.abc import Sequence

import numpy as np

from einsum_front.core.coefficient import scalars_of
from einsum_front.core.extent import Extent, product, static_shape
from einsum_front.core.numbers import dtype_of
from einsum_front.core.storage import ElementType
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.contraction.interpret import Array, value_of
from einsum_front.ir.tensor import Tensor

LARGEST = 1 << 15
"""Entries of the largest value that is computed when translating: its numbers become a part of every text."""


class KnownValues:
    """The values of nodes that depend on nothing but known constants and numbers, by key.

    They are in f64, and those of integers in their own type.
    """

    def __init__(self, graph: Graph | NodeTable) -> None:
        self._graph = graph
        self._found: dict[int, Array | None] = {}

    def of(self, key: int) -> Array | None:
        """The value of a node, with the modes of its result; None if it is not known."""
        if key not in self._found:
            self._found[key] = self._computed(key)
        return self._found[key]

    def of_all(self, keys: Sequence[int]) -> list[Array] | None:
        """The values of some nodes; None if not all of them are known."""
        values = [value for key in keys if (value := self.of(key)) is not None]
        return values if len(values) == len(keys) else None

    def _computed(self, key: int) -> Array | None:
        node = self._graph.node(key)
        if isinstance(node, cg.Leaf):
            tensor = node.tensor
            return None if tensor.values is None else _entries(tensor.values, tensor)
        if not _is_computable(node):
            return None
        operands = self.of_all(self._graph.operands(key))
        return None if operands is None else value_of(node, operands, {}, {})


def _entries(values: tuple[float, ...], tensor: Tensor) -> Array:
    dtype = dtype_of(tensor.element_type if tensor.element_type.is_integer else ElementType.F64)
    return np.array(values, dtype).reshape(static_shape(tensor.shape), order="F")


def _is_computable(node: cg.Node) -> bool:
    """True if a node's value, which is small enough, follows from its operands'."""
    match node:
        case cg.Scaling(coefficient=coefficient):
            return is_small(cg.result_shape(node)) and not scalars_of(coefficient)
        case cg.Slice() | cg.Embedding() | cg.Contraction() | cg.Sum():
            return is_small(cg.result_shape(node))
        case cg.Leaf() | cg.Gather() | cg.Elementwise() | cg.Reduction() | cg.ScalarTerm() | cg.Assignment():
            return False  # what functions make of numbers need not be finite


def is_small(shape: tuple[Extent, ...]) -> bool:
    """True if a value of this shape may be computed when translating."""
    entries = product(shape)
    return isinstance(entries, int) and entries <= LARGEST


def has_known_constants(graph: Graph) -> bool:
    """True if a kernel has constants whose values are known."""
    return any(tensor.values is not None for tensor in graph.tensors)

"""Values of a contraction graph that follow from constants whose values are known."""

from collections.abc import Iterable, Sequence

import numpy as np

from einsum_front.core.coefficient import scalars_of
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, product, static_shape
from einsum_front.core.names import Names
from einsum_front.core.numbers import dtype_of
from einsum_front.core.storage import ElementType, Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.contraction.interpret import Array, value_of
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir

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


# -- constants that are made when translating --------------------------------------------------------------------------


class Constants:
    """Adds constants whose values are known to a graph that is being built, in the place of parts of another graph.

    Their names are those of what they are made of; equal values with these names are one constant.
    """

    def __init__(self, graph: Graph, builder: NodeTable) -> None:
        self._builder = builder
        self._type = graph.assignments[0][1].tensor.element_type
        self._names = Names([*(each.name for each in graph.tensors), *(each.name for each in graph.scalars)])
        self._given: dict[tuple[str, tuple[int, ...], bytes], str] = {}

    def leaf(self, parts: Sequence[str], array: Array, origin: Origin) -> int | None:
        """The leaf with these values, named after its parts; None if some of them are too large for its type."""
        with np.errstate(over="ignore"):
            rounded = array.astype(np.float32) if self._type is ElementType.F32 else array
        if not np.isfinite(rounded).all():
            return None
        return self._builder.add(cg.Leaf(_tensor(self._name("_".join(parts), array), array, self._type), origin))

    def names(self, keys: Iterable[int]) -> list[str]:
        """The names of the constants that values are made of."""
        names: dict[str, None] = {}
        for key in keys:
            node = self._builder.node(key)
            found = [node.tensor.name] if isinstance(node, cg.Leaf) else self.names(self._builder.operands(key))
            names |= dict.fromkeys(found)
        return list(names)

    def _name(self, stem: str, array: Array) -> str:
        signature = stem, array.shape, array.tobytes()
        if signature not in self._given:
            self._given[signature] = self._names.fresh(stem)
        return self._given[signature]


def _tensor(name: str, array: Array, element_type: ElementType) -> Tensor:
    """The array as a constant whose values are known."""
    nonzeros = None if array.all() else Pattern.of_array(array)
    values = tuple(array.ravel(order="F").tolist())
    return Tensor(name, element_type, Storage.CONSTANT, array.shape, yir.packed_strides(array.shape), nonzeros, values)

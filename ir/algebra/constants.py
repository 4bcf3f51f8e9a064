"""Constants that are made when translating."""

from collections.abc import Iterable, Sequence

import numpy as np

from einsum_front.core.diagnostics import Origin
from einsum_front.core.names import Names
from einsum_front.core.storage import ElementType, Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.contraction.interpret import Array
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir


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

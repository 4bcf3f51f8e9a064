"""What values of a contraction graph cost when they are planned."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, prod

from ir.contraction.canonical import canonical
from ir.contraction.graph import Graph, GraphBuilder
from ir.contraction.nodes import Along, Assignment, Leaf, Node, Scaling, Sum, result_shape
from ir.index import Index, IterationSpace, names
from ir.plan.cost import Cost
from ir.plan.pattern import is_dense
from ir.plan.plan import Step
from ir.plan.schedule import schedule
from ir.plan.sparsity import Patterns, analyse
from ir.run_time import assumed
from ir.tensor import ElementType, Storage, Tensor
from ir.yateto.nodes import packed_strides
from ir.zero_pattern import Mask, runs_from_mask


@dataclass(frozen=True, order=True, slots=True)
class Price:
    """Operations and copied entries, operations on boxes, bytes; the first difference says which of two is best.

    Where only the launch knows them, they are what they are thought to be; `operations` are exact.
    """

    operations_and_copies: int
    executed: int
    bytes: int
    operations: int = field(compare=False)

    def is_below(self, other: "Price") -> bool:
        """Whether it is lower in what counts: only that is worth another way to compute the same."""
        return self.operations_and_copies < other.operations_and_copies


def price_of(graph: Graph) -> Price:
    """The price of the steps of a graph.

    An entry of a temporary that a step copies or sets to zero counts as an operation: it takes as long.
    """
    scheduled = schedule(graph, analyse(graph), inf)
    temporaries = {tensor.name for tensor in scheduled.temporaries}
    cost = sum((step.cost for step in scheduled.steps), Cost())
    copied = sum(_copied(step) for step in scheduled.steps if step.target.buffer in temporaries)
    return Price(assumed(cost.operations + copied), assumed(cost.executed), assumed(cost.bytes), cost.operations)


def _copied(step: Step) -> int:
    """The entries that a step copies or sets to zero."""
    return prod(step.space.result_shape) if len(step.operands) < 2 and not step.cost.executed else 0


_Entry = tuple[Node, tuple[int, ...]]
"""A node with the keys of its operands; its own key is its position in a list."""


class Pricing:
    """Prices of the values of a graph that is being built."""

    def __init__(self, builder: GraphBuilder) -> None:
        self._builder = builder
        self._patterns = Patterns(builder)

    def price(self, key: int, given: Iterable[int]) -> Price:
        """The price of one value alone, all of which is needed, when the nodes `given` are there.

        Sums among these are computed as a part of the value, so that they need no memory of their own.
        """
        alone: list[_Entry] = []
        copies: dict[int, int] = {}
        for source in dict.fromkeys(source for each in given for source in self._sources(each)):
            copies[source] = len(alone)
            alone.append((Leaf(_tensor(str(len(alone)), self._patterns.of(source))), ()))
        shape = result_shape(self._builder.node(key))
        result = Tensor("result", ElementType.F64, Storage.BATCHED, shape, packed_strides(shape))
        alone.append((Leaf(result), ()))
        value = self._copy(key, alone, copies)
        indices = tuple(Index(str(mode), size) for mode, size in enumerate(shape))
        parts = tuple(Along(index.name) for index in indices)
        alone.append((Assignment(result, IterationSpace(indices), parts, names(indices)), (value,)))
        return _price_of_nodes(tuple(alone))

    def _sources(self, key: int) -> Iterator[int]:
        """What a sum or a scaling adds up; any other node itself."""
        if isinstance(self._builder.node(key), Sum | Scaling):
            for operand in self._builder.operands(key):
                yield from self._sources(operand)
        else:
            yield key

    def _copy(self, key: int, alone: list[_Entry], copies: dict[int, int]) -> int:
        """The node and what it reads, in the other graph."""
        if key not in copies:
            operands = tuple(self._copy(operand, alone, copies) for operand in self._builder.operands(key))
            copies[key] = len(alone)
            alone.append((canonical(self._builder.node(key)), operands))
        return copies[key]


@lru_cache(maxsize=256)
def _price_of_nodes(nodes: tuple[_Entry, ...]) -> Price:
    """Kernels have many values that differ in names only."""
    builder = GraphBuilder()
    keys: list[int] = []
    for node, operands in nodes:
        keys.append(builder.add(node, tuple(keys[operand] for operand in operands)))
    return price_of(builder.graph("alone", ()))


def _tensor(name: str, mask: Mask) -> Tensor:
    """A tensor with a pattern."""
    nonzeros = None if is_dense(mask) else runs_from_mask(mask)
    return Tensor(name, ElementType.F64, Storage.BATCHED, mask.shape, packed_strides(mask.shape), nonzeros)

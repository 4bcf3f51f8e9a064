"""Costs of the values of a contraction graph when they are planned."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from functools import lru_cache
from math import inf
from typing import Any

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, hint, product, total
from einsum_front.core.machine import Machine
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.algebra.known import KnownValues
from einsum_front.ir.algebra.product import Product
from einsum_front.ir.algebra.rewrite import Replacement
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting, canonical
from einsum_front.ir.index import Index, IterationSpace, names
from einsum_front.ir.plan.pattern import entries
from einsum_front.ir.plan.plan import Cost, Step
from einsum_front.ir.plan.schedule import schedule
from einsum_front.ir.plan.sparsity import Patterns, Sparsity, analyse
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir


@dataclass(frozen=True, order=True, slots=True)
class Price:
    """Operations and copied entries, operations on boxes, bytes; the first difference says which of two is best.

    Those that depend on sizes are hints; `operations` are exact.
    """

    operations_and_copies: int
    executed: int
    bytes: int
    operations: Extent = field(compare=False)

    def is_below(self, other: "Price") -> bool:
        """True if it is lower in what counts: only that is worth another way to compute the same."""
        return self.operations_and_copies < other.operations_and_copies


def price_of(graph: Graph) -> Price:
    """The price of the steps of a graph, its prologue aside.

    An entry of a temporary that a step copies or sets to zero counts as an operation: it takes as long.
    """
    return _price(graph, analyse(graph))


def cost_of_element(graph: Graph, machine: Machine) -> float:
    """Cost for an element of a graph and its prologue in operations, reading constants included."""
    sparsity, launch = analyse(graph), machine.launch
    price = _price(graph, sparsity)
    own = float(price.operations_and_copies + launch.constant * _entries_read(graph, sparsity))
    return own if graph.prologue is None else own + launch.share(launch.kernel + price_of(graph.prologue).executed)


def _entries_read(graph: Graph, sparsity: Sparsity) -> int:
    """Entries of tensors that are one for the launch, as often as a value is made of them."""
    uses = (
        (operand, sparsity.operands[key, position])
        for key, node in graph.nodes
        if not isinstance(node, cg.Slice | cg.Embedding)
        for position, operand in enumerate(graph.operands(key))
    )
    read = (entries(each, cg.result_shape(graph.node(key))) for key, each in uses if is_part_of_constant(graph, key))
    return hint(total(read))


def is_part_of_constant(graph: Graph, key: int) -> bool:
    """True if a value is a tensor that is one for the launch, or a part of it, which takes no operation."""
    match graph.node(key):
        case cg.Leaf(tensor=tensor):
            return tensor.storage is Storage.CONSTANT
        case cg.Slice() | cg.Embedding():
            return is_part_of_constant(graph, graph.operands(key)[0])
        case (
            cg.Contraction()
            | cg.Sum()
            | cg.Elementwise()
            | cg.Gather()
            | cg.Reduction()
            | cg.Scaling()
            | cg.ScalarTerm()
            | cg.Assignment()
        ):
            return False


def _price(graph: Graph, sparsity: Sparsity) -> Price:
    scheduled = schedule(graph, sparsity, inf)
    temporaries = {tensor.name for tensor in scheduled.temporaries}
    cost = sum((step.cost for step in scheduled.steps), Cost())
    copied = total(_copied(step) for step in scheduled.steps if step.target.buffer in temporaries)
    return Price(hint(cost.operations + copied), hint(cost.executed), hint(cost.bytes), cost.operations)


def _copied(step: Step) -> Extent:
    """The entries that a step copies or sets to zero."""
    return product(step.space.result_shape) if len(step.operands) < 2 and not step.cost.executed else 0


_Entry = tuple[cg.Node, tuple[int, ...]]
"""A node with the keys of its operands; its own key is its position in a list."""


class Pricing:
    """Prices of the values of a graph that is being built; values that are `free` are there, whatever they take."""

    def __init__(self, builder: NodeTable, free: Callable[[int], bool] = lambda _key: False) -> None:
        self._builder = builder
        self._free = free
        self._patterns = Patterns(builder)

    def entries(self, key: int) -> int:
        """Number of entries of a node that may differ from zero; a hint if it depends on sizes."""
        return hint(entries(self._patterns.of(key), cg.result_shape(self._builder.node(key))))

    def price(self, key: int, given: Iterable[int]) -> Price:
        """The price of one value alone, all of which is needed, when the nodes `given` are there.

        Sums among these are computed as a part of the value, so that they need no memory of their own.
        """
        alone: list[_Entry] = []
        copies: dict[int, int] = {}
        for source in dict.fromkeys(source for each in given for source in self._sources(each)):
            copies[source] = len(alone)
            alone.append((self._leaf(source, len(alone)), ()))
        shape = cg.result_shape(self._builder.node(key))
        result = Tensor("result", ElementType.F64, Storage.BATCHED, shape, yir.packed_strides(shape))
        alone.append((cg.Leaf(result), ()))
        value = self._copy(key, alone, copies)
        indices = tuple(Index(str(mode), size) for mode, size in enumerate(shape))
        parts = tuple(cg.Along(index.name) for index in indices)
        alone.append((cg.Assignment(result, IterationSpace(indices), parts, names(indices)), (value,)))
        return _price_of_nodes(tuple(alone))

    def _leaf(self, key: int, number: int) -> cg.Leaf:
        """A tensor with the shape and the pattern of a node."""
        pattern, shape = self._patterns.of(key), cg.result_shape(self._builder.node(key))
        nonzeros = None if pattern.is_full else pattern
        return cg.Leaf(
            Tensor(str(number), ElementType.F64, Storage.BATCHED, shape, yir.packed_strides(shape), nonzeros)
        )

    def _sources(self, key: int) -> Iterator[int]:
        """Terms of a sum or a scaling; any other node itself."""
        if isinstance(self._builder.node(key), cg.Sum | cg.Scaling) and not self._free(key):
            for operand in self._builder.operands(key):
                yield from self._sources(operand)
        else:
            yield key

    def _copy(self, key: int, alone: list[_Entry], copies: dict[int, int]) -> int:
        """The node and what it reads, in the other graph."""
        if key not in copies and self._free(key):
            copies[key] = len(alone)
            alone.append((self._leaf(key, len(alone)), ()))
        if key not in copies:
            operands = tuple(self._copy(operand, alone, copies) for operand in self._builder.operands(key))
            node = self._builder.node(key)
            if isinstance(node, cg.Assignment) and (leaf := (cg.Leaf(node.tensor), ())) not in alone:
                alone.append(leaf)  # the version before the first, which nothing need read
            copies[key] = len(alone)
            alone.append((canonical(node), operands))
        return copies[key]


@lru_cache(maxsize=256)
def _price_of_nodes(nodes: tuple[_Entry, ...]) -> Price:
    """Kernels have many values that differ in names only."""
    builder = NodeTable()
    keys: list[int] = []
    for node, operands in nodes:
        keys.append(builder.add(node, tuple(keys[operand] for operand in operands)))
    return price_of(builder.graph("alone", ()))


# -- other products of the same value: what they cost, and the cheapest of them ----------------------------------------

Alternative = tuple[Product, Rewriting]
"""A product of the same value, and what was rewritten."""


class Alternatives:
    """Compares products of a graph that is being built; `known` are the values that follow from constants in it."""

    def __init__(self, builder: NodeTable) -> None:
        self.known = KnownValues(builder)
        self._builder = builder
        self._pricing = Pricing(builder)

    def constants(self, product: Product) -> list[int]:
        """The positions of the factors whose values are known."""
        return [number for number, (key, _) in enumerate(product.factors) if self.known.of(key) is not None]

    def price(self, product: Product, given: Iterable[int], origin: Origin) -> Price:
        """The price of a product when the nodes `given` are there."""
        given = list(given)
        return self._pricing.price(product.finished(self._builder, given, origin), given)

    def cheapest(
        self,
        product: Product,
        others: Callable[[Product], Iterable[Alternative]],
        origin: Origin,
        weigh: Callable[[Price], Any] = lambda price: price,
    ) -> Replacement | None:
        """The product, step by step the one of the `others` that weighs least, as long as that makes it cheaper.

        None if none is cheaper. The factors that are not known are given.
        """
        given = [key for key, _ in product.factors if self.known.of(key) is None]
        rewritings: list[Rewriting] = []
        price = None
        while candidates := list(others(product)):
            price = price or self.price(product, given, origin)
            prices = [self.price(candidate, given, origin) for candidate, _ in candidates]
            least = min(prices, key=weigh)
            if not least.is_below(price) or weigh(least) >= weigh(price):
                break
            price = least
            product, rewriting = candidates[prices.index(least)]
            rewritings.append(rewriting)
        return (product.finished(self._builder, given, origin), tuple(rewritings)) if rewritings else None

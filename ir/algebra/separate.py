"""A graph in two: what is computed once per launch, and the rest, which reads that as constants."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from einsum_front.core.coefficient import ONE, Coefficient
from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.core.storage import Storage
from einsum_front.ir.algebra.product import indices_of
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable, Rewriting
from einsum_front.ir.index import Index, IndexMap, IterationSpace, names
from einsum_front.ir.plan.pattern import entries as entries_of
from einsum_front.ir.plan.sparsity import Patterns
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir

MOST_NAMES = 4
"""Constants that a name is made of; of more, it has the first and the last."""


@dataclass(frozen=True, slots=True)
class Group:
    """Operands of a contraction or a sum, by their positions, that become one.

    It is `coefficient` times `node` of them, walked by `map`.
    """

    positions: tuple[int, ...]
    node: cg.Contraction | cg.Sum
    map: IndexMap
    coefficient: Coefficient = ONE

    def add(self, builder: NodeTable, operands: tuple[int, ...]) -> int:
        """Node that they become; `operands` are those of the node that they are operands of."""
        made = builder.add(self.node, tuple(operands[number] for number in self.positions))
        if self.coefficient == ONE:
            return made
        return builder.add(cg.Scaling(IterationSpace(self.node.space.parallel), self.coefficient), (made,))


@dataclass(frozen=True, slots=True)
class Separation:
    """Which values of a graph are computed once: some as a whole, and for some nodes groups of their operands.

    Of the scalings `absorbed` the coefficients belong to groups of their operands.
    """

    of: Graph
    whole: frozenset[int]
    groups: Mapping[int, tuple[Group, ...]] = field(default_factory=dict)
    absorbed: frozenset[int] = frozenset()

    @property
    def is_empty(self) -> bool:
        """True if nothing is computed once."""
        return not self.whole and not self.groups

    def graph(self, name: str) -> Graph:
        """The graph with a prologue of this name."""
        prologue = _Prologue(self)
        rest = _rest(self, prologue)
        rewritings = (*self.of.rewritings, *prologue.rewritings())
        return replace(rest, rewritings=rewritings, prologue=prologue.graph(name))


def product_of(node: cg.Contraction, positions: tuple[int, ...]) -> Group:
    """The product of some factors of a contraction, summed over the indices that nothing else has."""
    others = {name for number, map_ in enumerate(node.maps) if number not in positions for name in map_}
    others |= set(node.space.result_map)
    found = tuple(dict.fromkeys(name for number in positions for name in node.maps[number]))
    kept = tuple(name for name in found if name in others)
    summed = tuple(name for name in found if name not in others)
    space = IterationSpace(indices_of(kept, node.space.extents), indices_of(summed, node.space.extents))
    return Group(positions, cg.Contraction(space, tuple(node.maps[number] for number in positions), node.origin), kept)


def regrouped(
    node: cg.Contraction | cg.Sum, operands: Sequence[int], groups: Sequence[Group], made: Sequence[int]
) -> tuple[cg.Contraction | cg.Sum, tuple[int, ...]]:
    """The node with the values `made` in the place of its groups, and the operands that it has then."""
    grouped = {number for group in groups for number in group.positions}
    left = [number for number in range(len(operands)) if number not in grouped]
    maps = (*(node.maps[number] for number in left), *(group.map for group in groups))
    walked = {name for map_ in maps for name in map_}
    reduction = tuple(index for index in node.space.reduction if index.name in walked)
    space = IterationSpace(node.space.parallel, reduction)
    return replace(node, space=space, maps=maps), (*(operands[number] for number in left), *made)


class _Prologue:
    """The graph of what is computed once; the tensors that it assigns by what they stand for."""

    def __init__(self, separation: Separation) -> None:
        self.whole: dict[int, Tensor] = {}
        self.groups: dict[int, list[Tensor]] = {}
        self._graph = separation.of
        self._builder = NodeTable()
        self._patterns = Patterns(self._builder)
        self._tensors: dict[int, Tensor] = {}
        self._waiting: dict[int, Tensor] = {}
        self._sources: dict[int, tuple[str, ...]] = {}
        tensors, scalars = self._graph.tensors, self._graph.scalars
        self._names = Names([*(each.name for each in tensors), *(each.name for each in scalars)])
        self._copies: dict[int, int] = {}
        needed = self._needed(separation)
        for key, node in self._graph.nodes:
            if key in needed:
                self._copies[key] = self._copy(key, node)
            if key in separation.whole:
                self.whole[key] = self._tensor(self._copies[key])
            for group in separation.groups.get(key, ()):
                operands = tuple(self._copies.get(operand, -1) for operand in self._graph.operands(key))
                self.groups.setdefault(key, []).append(self._tensor(group.add(self._builder, operands)))

    def graph(self, name: str) -> Graph:
        """All of it, with the statements that assign what the rest reads."""
        for key in list(self._waiting):
            self._assign(key)
        network = self._builder.graph(name, (), self._graph.origin)
        used = {scalar for _, node in network.nodes for scalar in cg.scalars(node)}
        return replace(network, scalars=tuple(scalar for scalar in self._graph.scalars if scalar.name in used))

    def rewritings(self) -> Iterator[Rewriting]:
        """Hoisted computations, in words."""
        for key, tensor in self._tensors.items():
            sources = " and ".join(self._sources[key]) or "scalars"
            entries = entries_of(self._patterns.of(key), cg.result_shape(self._builder.node(key)))
            text = f"{tensor.name} is made of {sources} once per launch, {entries} nonzeros"
            yield Rewriting(text, self._builder.node(key).origin)

    def _needed(self, separation: Separation) -> set[int]:
        """The values of the graph that the prologue computes."""
        needed = set(separation.whole)
        for key, groups in separation.groups.items():
            needed |= {self._graph.operands(key)[number] for group in groups for number in group.positions}
        for key, _ in reversed(list(self._graph.nodes)):
            if key in needed:
                needed |= set(self._graph.operands(key))
        return needed

    def _copy(self, key: int, node: cg.Node) -> int:
        """A value of the graph in the prologue; a tensor that is assigned has a leaf.

        What the rest reads of the tensor as it was is assigned before: the memory of the tensor is written again.
        """
        if isinstance(node, cg.Assignment):
            for value in [each for each in self._waiting if node.tensor.name in self._read(each)]:
                self._assign(value)
            self._builder.add(cg.Leaf(node.tensor))
        return self._builder.add(node, tuple(self._copies[operand] for operand in self._graph.operands(key)))

    def _tensor(self, key: int) -> Tensor:
        """The constant that a value of the prologue is to the rest; equal values are one."""
        if key not in self._tensors:
            self._sources[key] = self._constants(key)
            pattern = self._patterns.of(key)
            nonzeros = None if pattern.is_full or not pattern.has_few_runs() else pattern
            element_type = self._graph.assignments[0][1].tensor.element_type
            shape = cg.result_shape(self._builder.node(key))
            name = self._fresh(self._sources[key])
            strides = yir.packed_strides(shape)
            self._tensors[key] = Tensor(name, element_type, Storage.CONSTANT, shape, strides, nonzeros)
            self._waiting[key] = self._tensors[key]
        return self._tensors[key]

    def _read(self, key: int) -> set[str]:
        """The names of the tensors whose memory is read when a value is computed."""
        nodes = map(self._builder.node, self._made_of(key, cg.Assignment))
        return {node.tensor.name for node in nodes if isinstance(node, cg.Leaf | cg.Assignment)}

    def _constants(self, key: int) -> tuple[str, ...]:
        """The names of the constants that a value is made of, in the order of the text."""
        leaves = (node.tensor for each in self._made_of(key) if isinstance(node := self._builder.node(each), cg.Leaf))
        return tuple(tensor.name for tensor in leaves if tensor.storage is not Storage.TEMPORARY)

    def _made_of(self, key: int, *ends: type[cg.Node]) -> list[int]:
        """A value and what it is made of, in the order of the text, but not what nodes of the kinds `ends` read."""
        found = {key}
        for each in range(key, -1, -1):
            if each in found and not isinstance(self._builder.node(each), ends):
                found |= set(self._builder.operands(each))
        return sorted(found)

    def _fresh(self, sources: tuple[str, ...]) -> str:
        stem = "_".join(sources if len(sources) <= MOST_NAMES else (sources[0], "to", sources[-1])) or "once"
        return self._names.fresh(stem)

    def _assign(self, key: int) -> None:
        """The statement that assigns the tensor which a value is to the rest."""
        tensor, origin = self._waiting.pop(key), self._builder.node(key).origin
        self._builder.add(cg.Leaf(tensor))
        indices = tuple(Index(str(mode), size) for mode, size in enumerate(tensor.shape))
        parts = tuple(cg.Along(index.name) for index in indices)
        self._builder.add(cg.Assignment(tensor, IterationSpace(indices), parts, names(indices), origin), (key,))


def _rest(separation: Separation, prologue: _Prologue) -> Graph:
    """The graph that reads what the prologue computes, without what only the prologue needs."""
    graph, whole = separation.of, separation.whole
    wanted, versions = _wanted(separation)
    builder = NodeTable()
    own: dict[int, int] = {}
    keys: dict[int, int] = {}
    for key, node in graph.nodes:
        if key in separation.absorbed:
            keys[key] = keys[graph.operands(key)[0]]
        elif key in versions or (key in wanted and key not in whole):
            own[key] = keys[key] = _add(builder, separation, prologue, key, (own, keys))
        if key in wanted and key in whole:
            keys[key] = builder.add(cg.Leaf(prologue.whole[key], node.origin))
    return replace(builder.graph(graph.name, graph.scalars, graph.origin), scatters=graph.scatters)


def _add(
    builder: NodeTable, separation: Separation, prologue: _Prologue, key: int, made: tuple[dict[int, int], ...]
) -> int:
    """A node of the graph in the rest; `made` are the nodes so far, versions of tensors and values."""
    node = separation.of.node(key)
    own, keys = made
    operands = tuple(
        own[operand] if isinstance(node, cg.Assignment) and position == cg.PREVIOUS else keys.get(operand, -1)
        for position, operand in enumerate(separation.of.operands(key))
    )
    groups = separation.groups.get(key, ())
    if groups and isinstance(node, cg.Contraction | cg.Sum):
        leaves = [builder.add(cg.Leaf(tensor, node.origin)) for tensor in prologue.groups[key]]
        return builder.add(*regrouped(node, operands, groups, leaves))
    return builder.add(node, operands)


def _wanted(separation: Separation) -> tuple[set[int], set[int]]:
    """The values that the rest reads, and the versions of tensors that its statements change; arguments stay."""
    graph = separation.of
    wanted = {key for key, node in graph.nodes if _stays(node)}
    versions: set[int] = set()
    for key, node in reversed(list(graph.nodes)):
        if key not in versions and (key not in wanted or key in separation.whole):
            continue
        if isinstance(node, cg.Assignment):
            wanted.add(graph.leaves[node.tensor.name])
        grouped = {number for group in separation.groups.get(key, ()) for number in group.positions}
        for position, operand in enumerate(graph.operands(key)):
            if isinstance(node, cg.Assignment) and position == cg.PREVIOUS:
                versions.add(operand)
            elif position not in grouped:
                wanted.add(operand)
    return wanted, versions


def _stays(node: cg.Node) -> bool:
    """True if a node is an argument or a statement that writes one."""
    return isinstance(node, cg.Leaf | cg.Assignment) and node.tensor.storage is not Storage.TEMPORARY

"""The contraction graph of one kernel: nodes, each behind those that it reads."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Origin
from einsum_front.core.extent import Extent
from einsum_front.core.scattered import Scatter
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import Index, IndexMap, IterationSpace
from einsum_front.ir.tensor import Scalar, Tensor


@dataclass(frozen=True, slots=True)
class Rewriting:
    """Rewriting that saves operations, in words."""

    text: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class Graph:
    """The values of a kernel; keys are 0, 1, … in the order of the text, and a node's operands have smaller keys.

    `values` are the nodes, `edges` the keys of the operands of each, by position.
    `rewritings` are those that led here; they save `saved` operations. `prologue` is what is computed once before all
    elements: the constants that it assigns are leaves here, and no arguments of the kernel. `scatters` come after all
    statements: they add what these assign to tensors of the kernel, no arguments of the caller, where integers say.

    Tables of the whole graph are made when one is first asked for: a kernel may have thousands of statements, and each
    asks for what was before it.
    """

    name: str
    scalars: tuple[Scalar, ...]
    values: tuple[cg.Node, ...]
    edges: tuple[tuple[int, ...], ...]
    origin: Origin = field(default=(), compare=False, repr=False)
    rewritings: tuple[Rewriting, ...] = ()
    saved: Extent = 0
    prologue: "Graph | None" = None
    scatters: tuple[Scatter, ...] = ()

    @property
    def read_before(self) -> frozenset[str]:
        """The names of tensors whose entries, as they are before the kernel, its results depend on."""
        leaves = {key: node for key, node in self.nodes if isinstance(node, cg.Leaf)}
        added = {name for each in self.scatters for name in each.tensors}
        return frozenset(n.tensor.name for key, n in leaves.items() if self.users(key) or n.tensor.name in added)

    @property
    def nodes(self) -> Iterator[tuple[int, cg.Node]]:
        """Keys with their nodes; operands before their users."""
        return enumerate(self.values)

    def node(self, key: int) -> cg.Node:
        """The node of a key."""
        return self.values[key]

    def operands(self, key: int) -> tuple[int, ...]:
        """The keys of the node's operands, by position."""
        return self.edges[key]

    def users(self, key: int) -> tuple[tuple[int, int], ...]:
        """Who reads the node, and as which operand: pairs (key of the user, position), sorted."""
        return self._users[key]

    @cached_property
    def _users(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The users of every node: found at once, since the edges of a node that many read are many to sort."""
        users: list[list[tuple[int, int]]] = [[] for _ in self.values]
        for user, operands in enumerate(self.edges):
            for position, operand in enumerate(operands):
                users[operand].append((user, position))
        return tuple(map(tuple, users))

    def describe(self, key: int) -> str:
        """Word for a node: the tensor that it is or is a part of, or its key."""
        node = self.node(key)
        match node:
            case cg.Leaf(tensor=tensor) | cg.Assignment(tensor=tensor):
                return tensor.name
            case cg.Slice() | cg.Embedding():
                return self.describe(self.operands(key)[0])
            case (
                cg.Contraction() | cg.Sum() | cg.Elementwise() | cg.Reduction() | cg.Scaling() | cg.ScalarTerm()
                | cg.Gather()
            ):  # fmt: skip
                return f"%{key}"

    def assignment(self, key: int) -> cg.Assignment:
        """The statement of a key."""
        node = self.node(key)
        if not isinstance(node, cg.Assignment):
            raise CompilerBug(f"node %{key} is no assignment")
        return node

    def tensor_of(self, key: int) -> Tensor:
        """The tensor of a leaf or an assignment."""
        node = self.node(key)
        if not isinstance(node, cg.Leaf | cg.Assignment):
            raise CompilerBug("only leaves and assignments are versions of a tensor")
        return node.tensor

    @cached_property
    def leaves(self) -> Mapping[str, int]:
        """The key of each tensor's leaf by the tensor's name, in the order of the text."""
        return MappingProxyType({node.tensor.name: key for key, node in self.nodes if isinstance(node, cg.Leaf)})

    @cached_property
    def assignments(self) -> tuple[tuple[int, cg.Assignment], ...]:
        """The statements in order."""
        return tuple((key, node) for key, node in self.nodes if isinstance(node, cg.Assignment))

    def version_before(self, key: int) -> int:
        """The version of the assigned tensor before the assignment `key`."""
        name = self.tensor_of(key).name
        versions = self.versions.get(name, ())
        earlier = bisect_left(versions, key)
        return versions[earlier - 1] if earlier else self.leaves[name]

    @cached_property
    def versions(self) -> Mapping[str, tuple[int, ...]]:
        """The keys of the assignments to each tensor that has some, in order, by the tensor's name."""
        found: dict[str, list[int]] = {}
        for key, node in self.assignments:
            found.setdefault(node.tensor.name, []).append(key)
        return MappingProxyType({name: tuple(keys) for name, keys in found.items()})

    @property
    def last_versions(self) -> dict[str, int]:
        """The key of the last assignment to each tensor by the tensor's name."""
        return {name: keys[-1] for name, keys in self.versions.items()}

    @property
    def assigned(self) -> dict[str, Tensor]:
        """The arguments that statements assign, by name."""
        tensors = (node.tensor for _, node in self.assignments)
        return {tensor.name: tensor for tensor in tensors if tensor.storage is not Storage.TEMPORARY}

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors that the kernel reads or writes, in the order of the text."""
        found: dict[str, Tensor] = {}
        for _, node in self.nodes:
            if isinstance(node, cg.Leaf | cg.Assignment):
                found.setdefault(node.tensor.name, node.tensor)
        return tuple(found.values())

    @property
    def arguments(self) -> tuple[Tensor, ...]:
        """The tensors that are arguments of the kernel, and those that its prologue assigns."""
        return tuple(tensor for tensor in self.tensors if tensor.storage is not Storage.TEMPORARY)


class NodeTable:
    """Adds nodes in order, equal values once, and gives the finished graph.

    `origin` is that of nodes that are added without one: of what a pass rewrites at the time.
    """

    def __init__(self) -> None:
        self.origin: Origin = ()
        self._nodes: list[cg.Node] = []
        self._edges: list[tuple[int, ...]] = []
        self._known: dict[tuple[cg.Node, tuple[int, ...]], int] = {}

    def add(self, node: cg.Node, operands: tuple[int, ...] = ()) -> int:
        """Add a node that reads the nodes `operands`; returns its key.

        A value that is there already, with whatever names of indices, is not added again; each assignment is.
        """
        key = len(self._nodes)
        if self.origin and not node.origin and not isinstance(node, cg.Leaf):
            node = replace(node, origin=self.origin)
        if not isinstance(node, cg.Assignment):
            known = self._known.setdefault((canonical(node), operands), key)
            if known != key:
                return known
        self._nodes.append(node)
        self._edges.append(operands)
        return key

    def node(self, key: int) -> cg.Node:
        """The node of a key."""
        return self._nodes[key]

    def operands(self, key: int) -> tuple[int, ...]:
        """The keys of the node's operands, by position."""
        return self._edges[key]

    def graph(self, name: str, scalars: tuple[Scalar, ...], origin: Origin = ()) -> Graph:
        """The finished graph, which cannot change any more."""
        return Graph(name, scalars, tuple(self._nodes), tuple(self._edges), origin)


def without_unread(graph: Graph, declared: Collection[str]) -> Graph:
    """The graph without values that nothing reads; statements and the tensors with the names `declared` stay."""
    read = {key for key, node in graph.nodes if isinstance(node, cg.Assignment) or _is_leaf_of(node, declared)}
    for key, _ in reversed(list(graph.nodes)):
        if key in read:
            read.update(graph.operands(key))
    builder = NodeTable()
    keys: dict[int, int] = {}
    for key, node in graph.nodes:
        if key in read:
            keys[key] = builder.add(node, tuple(keys[operand] for operand in graph.operands(key)))
    kept = builder.graph(graph.name, graph.scalars)
    return replace(graph, values=kept.values, edges=kept.edges)


def _is_leaf_of(node: cg.Node, names: Collection[str]) -> bool:
    return isinstance(node, cg.Leaf) and node.tensor.name in names


# -- nodes that differ in the names of their indices only, as equal values ---------------------------------------------


def canonical(node: cg.Node) -> cg.Node:
    """The node with its indices named by their positions in the iteration space."""
    match node:
        case cg.Leaf() | cg.ScalarTerm() | cg.Assignment():
            return node
        case cg.Slice(space=space, parts=parts):
            return replace(node, space=_numbered(space), parts=tuple(_part(part, space) for part in parts))
        case cg.Gather(space=space, parts=parts, element=element, member=member):
            element, member = (None if each is None else _entry(each, space) for each in (element, member))
            own = tuple(_entry(each, space) if isinstance(each, cg.Entry) else _part(each, space) for each in parts)
            return replace(node, space=_numbered(space), parts=own, element=element, member=member)
        case cg.Contraction(space=space, maps=maps) | cg.Sum(space=space, maps=maps):
            return replace(node, space=_numbered(space), maps=tuple(_map(map_, space) for map_ in maps))
        case cg.Elementwise(space=space, maps=maps) | cg.Reduction(space=space, maps=maps):
            return replace(node, space=_numbered(space), maps=tuple(_map(map_, space) for map_ in maps))
        case cg.Scaling(space=space) | cg.Embedding(space=space):
            return replace(node, space=_numbered(space))


def _numbered(space: IterationSpace) -> IterationSpace:
    count = len(space.parallel)
    parallel = tuple(Index(str(number), index.extent) for number, index in enumerate(space.parallel))
    return IterationSpace(
        parallel, tuple(Index(str(number), index.extent) for number, index in enumerate(space.reduction, count))
    )


def _map(map_: IndexMap, space: IterationSpace) -> IndexMap:
    names = list(space.extents)
    return tuple(str(names.index(name)) for name in map_)


def _entry(entry: cg.Entry, space: IterationSpace) -> cg.Entry:
    return replace(entry, parts=tuple(_part(part, space) for part in entry.parts))


def _part(part: cg.Part, space: IterationSpace) -> cg.Part:
    return cg.Along(_map((part.index,), space)[0], part.offset) if isinstance(part, cg.Along) else part

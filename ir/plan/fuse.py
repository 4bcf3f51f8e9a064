"""Functions of entries that are done together: chains of nodes as one payload on the values that they start from.

    %3 = contract {ik, kj to ij} %0, %1        $2 = add $0, $1
    %4 = sum {ij, j to ij} %3, %2              $3 = relu $2           with %3, %2 as operands
    %5 = relu {ij to ij} %4

A node joins those that read it if nothing else reads it, if it has all their indices (otherwise it would be computed
again and again), and if each entry of it depends on one entry of each of its operands.
"""

from collections.abc import Callable, Sequence
from dataclasses import field
from heapq import heappop, heappush

from einsum_front.core.coefficient import ONE, Coefficient, is_zero
from einsum_front.core.dataclass import dataclass
from einsum_front.core.functions import Function
from einsum_front.core.payload import Entry, Operation, Payload
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.plan import EntryPayload
from einsum_front.ir.plan.sparsity import Sparsity

_Add = Callable[..., Entry]


@dataclass(frozen=True, slots=True)
class Fused:
    """A payload on operands, which are nodes walked by maps; `members` are the nodes that it does.

    `apart` are operands that are computed by steps of their own, each with the reason.
    """

    operands: tuple[tuple[int, IndexMap], ...]
    payload: EntryPayload
    members: tuple[int, ...]
    apart: tuple[tuple[int, str], ...] = ()

    def has_functions(self, graph: Graph) -> bool:
        """True if it does something that steps of products and sums do not."""
        return any(isinstance(graph.node(key), cg.Elementwise | cg.Reduction) for key in self.members)


def fused(graph: Graph, sparsity: Sparsity, key: int) -> Fused:
    """The payload of a node that is pointwise, or that of the operand of a reduction, over the node's own indices."""
    node = graph.node(key)
    if isinstance(node, cg.Reduction):
        return _Fusion(graph, sparsity).of(((graph.operands(key)[0], node.maps[0]),), (key,))
    return _Fusion(graph, sparsity).of(((key, _own_indices(node)),), ())


def is_pointwise(graph: Graph, sparsity: Sparsity, key: int) -> bool:
    """True if each entry of a node depends on one entry of each operand; a product skips no zeros then."""
    node = graph.node(key)
    match node:
        case cg.Elementwise() | cg.Sum():
            return True
        case cg.Scaling(coefficient=coefficient):
            return not is_zero(coefficient)  # nobody needs what is multiplied by 0
        case cg.Contraction(space=space):
            operands = graph.operands(key)
            return not space.reduction and all(sparsity.forward[operand].is_full for operand in operands)
        case cg.Leaf() | cg.Slice() | cg.Embedding() | cg.Gather() | cg.Reduction() | cg.ScalarTerm() | cg.Assignment():
            return False


@dataclass(slots=True)
class _Fusion:
    """Nodes that are still to be looked at, the last ones first, and what was found."""

    graph: Graph
    sparsity: Sparsity
    inlined: dict[int, IndexMap] = field(default_factory=dict)
    leaves: dict[tuple[int, IndexMap], None] = field(default_factory=dict)

    def of(self, roots: Sequence[tuple[int, IndexMap]], readers: tuple[int, ...]) -> Fused:
        """The payload that computes a root, which only `readers` read as far as that matters."""
        ((root, indices),) = roots
        waiting: list[int] = [-root]
        maps: dict[int, set[IndexMap]] = {root: {indices}}
        while waiting:
            key = -heappop(waiting)
            found = maps.pop(key)
            is_free = key == root and not readers
            if not (is_free or self._joins(key, found, set(indices), {*readers, *self.inlined})):
                self.leaves |= dict.fromkeys((key, map_) for map_ in found)
                continue
            if not is_pointwise(self.graph, self.sparsity, key):
                self.leaves |= dict.fromkeys((key, map_) for map_ in found)
                continue
            (map_,) = found
            self.inlined[key] = map_
            for operand, inner in self._reads(key, map_):
                if isinstance(self.graph.node(operand), cg.ScalarTerm):
                    continue
                if operand not in maps:
                    heappush(waiting, -operand)
                maps.setdefault(operand, set()).add(inner)
        return self._fused(readers)

    def _joins(self, key: int, maps: set[IndexMap], indices: set[str], readers: set[int]) -> bool:
        """True if a node is read in one way, by nodes of the payload alone, and has all indices."""
        is_read_here = all(user in readers for user, _ in self.graph.users(key))
        return is_read_here and len(maps) == 1 and all(set(map_) == indices for map_ in maps)

    def _reads(self, key: int, map_: IndexMap) -> list[tuple[int, IndexMap]]:
        """The operands of a member with the indices of the payload that walk them."""
        node, operands = self.graph.node(key), self.graph.operands(key)
        if isinstance(node, cg.Scaling):
            return [(operands[0], map_)]
        if not isinstance(node, cg.Elementwise | cg.Sum | cg.Contraction):
            return []
        names = dict(zip(node.space.result_map, map_, strict=True))
        maps = (tuple(names[name] for name in inner) for inner in node.maps)
        return list(zip(operands, maps, strict=True))

    def _fused(self, readers: tuple[int, ...]) -> Fused:
        """The operations in the order of the graph."""
        operands = tuple(sorted(self.leaves))
        numbers: dict[tuple[int, IndexMap], Entry] = {leaf: Entry(number) for number, leaf in enumerate(operands)}
        operations: list[Operation[Coefficient]] = []

        def add(function: Function, *arguments: Entry | Coefficient) -> Entry:
            operations.append(Operation(function, arguments))
            return Entry(len(operands) + len(operations) - 1)

        for key in sorted(self.inlined):
            map_, node = self.inlined[key], self.graph.node(key)
            arguments = [self._argument(each, numbers) for each in self._reads(key, map_)]
            numbers[key, map_] = _operation(node, arguments, add)
        apart = tuple((key, self._reason(key, readers)) for key in dict.fromkeys(key for key, _ in operands))
        members = (*sorted(self.inlined), *readers)
        return Fused(operands, Payload(tuple(operations)), members, tuple(each for each in apart if each[1]))

    def _reason(self, key: int, readers: tuple[int, ...]) -> str:
        """Why a value that is computed is no part of the payload; nothing for tensors and their parts."""
        node = self.graph.node(key)
        if not isinstance(node, cg.Elementwise | cg.Sum | cg.Scaling | cg.Contraction | cg.Reduction):
            return ""
        if isinstance(node, cg.Contraction | cg.Reduction) and node.space.reduction:
            return f"it reduces {', '.join(index.name for index in node.space.reduction)}"
        if any(user not in {*self.inlined, *readers} for user, _ in self.graph.users(key)):
            return "others read it too"
        if not is_pointwise(self.graph, self.sparsity, key):
            return "it has known zeros"
        return "it lacks an index, along which it would be computed again and again"

    def _argument(
        self, operand: tuple[int, IndexMap], numbers: dict[tuple[int, IndexMap], Entry]
    ) -> Entry | Coefficient:
        node = self.graph.node(operand[0])
        return node.value if isinstance(node, cg.ScalarTerm) else numbers[operand]


def _operation(node: cg.Node, arguments: list[Entry | Coefficient], add: _Add) -> Entry:
    """The operations of a member."""
    match node:
        case cg.Elementwise(function=function):
            return add(function, *arguments)
        case cg.Scaling(coefficient=coefficient):
            return add(Function.MUL, coefficient, *arguments)
        case (
            cg.Leaf() | cg.Slice() | cg.Embedding() | cg.Contraction() | cg.Sum() | cg.Reduction() | cg.ScalarTerm()
            | cg.Assignment() | cg.Gather()
        ):  # fmt: skip
            function = Function.ADD if isinstance(node, cg.Sum) else Function.MUL
            total = arguments[0]
            for argument in arguments[1:]:
                total = add(function, total, argument)
            return total if isinstance(total, Entry) and len(arguments) > 1 else add(Function.MUL, ONE, total)


def note(graph: Graph, fusion: Fused) -> str:
    """What a payload does, and what stays apart: `sum, relu in one loop; a product before it: it reduces k`."""
    words = ", ".join(_word(graph, key) for key in fusion.members)
    text = f"{words} in one loop" if words else "a loop"
    return "; ".join((text, *(f"{_word(graph, key)} before it: {reason}" for key, reason in fusion.apart)))


def _word(graph: Graph, key: int) -> str:
    match graph.node(key):
        case cg.Elementwise(function=function) | cg.Reduction(function=function):
            return function.row.name
        case cg.Contraction():
            return "product"
        case cg.Sum():
            return "sum"
        case cg.Scaling():
            return "scaling"
        case cg.Leaf() | cg.Slice() | cg.Embedding() | cg.Gather() | cg.ScalarTerm() | cg.Assignment():
            return graph.describe(key)


def _own_indices(node: cg.Node) -> IndexMap:
    """The indices of the result of a pointwise node."""
    match node:
        case cg.Elementwise(space=space) | cg.Sum(space=space) | cg.Scaling(space=space) | cg.Contraction(space=space):
            return space.result_map
        case cg.Leaf() | cg.Slice() | cg.Embedding() | cg.Gather() | cg.Reduction() | cg.ScalarTerm() | cg.Assignment():
            return ()

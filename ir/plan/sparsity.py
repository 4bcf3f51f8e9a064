"""Which entries of which value are needed: equivalent zero patterns of every node of a contraction graph.

Forwards, a value's pattern follows from its operands': an entry is zero if all its contributions have a zero factor.
Backwards, an entry is needed if it meets partners that are not zero on its way to an entry that is needed: those of
the arguments after the kernel. The equivalent pattern of a value is what both leave; counts and boxes come from it.
(The name and the idea of equivalent patterns: Uphoff and Bader, "Yet Another Tensor Toolbox for discontinuous Galerkin
methods and other applications", ACM TOMS 46(4), 2020; there within one product.)

A pattern that would be scattered over too many cells becomes one without zeros: too many entries are computed then, and
none too few.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from einsum_front.core.coefficient import is_zero
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function, pattern
from einsum_front.core.pattern_network import Factor, constrained, exists
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.plan.pattern import broadcast, conjunction, part_of, projected, told_apart, walked_by, with_part
from einsum_front.ir.tensor import dense, empty, pattern_of


@dataclass(frozen=True, slots=True)
class Sparsity:
    """Patterns by the node's key, each with the `positions` of the node's result.

    `forward`: may differ from zero; `needed`: makes a difference to the outcome; `equivalent`: both. `operands` are the
    equivalent patterns of operands for one use alone, by the user's key and the position.
    """

    forward: tuple[Pattern, ...]
    needed: tuple[Pattern, ...]
    equivalent: tuple[Pattern, ...]
    operands: dict[tuple[int, int], Pattern]


def analyse(graph: Graph) -> Sparsity:
    """The patterns of all nodes."""
    patterns = Patterns(graph)
    forward = [patterns.of(key) for key, _ in graph.nodes]
    needed, operands = _backward(graph, forward)
    equivalent = tuple(_both(f, n) for f, n in zip(forward, needed, strict=True))
    return Sparsity(tuple(forward), tuple(needed), equivalent, operands)


class Patterns:
    """The forward patterns of the nodes of a graph, which may be in the making, by key."""

    def __init__(self, graph: Graph | NodeTable) -> None:
        self._graph = graph
        self._found: list[Pattern] = []
        self._widened: set[int] = set()

    def of(self, key: int) -> Pattern:
        """Which entries of a node may differ from zero."""
        for number in range(len(self._found), key + 1):
            operands = self._graph.operands(number)
            node, patterns = self._graph.node(number), [self._found[operand] for operand in operands]
            is_exact = self._widened.isdisjoint(operands)
            try:
                found = _forward(node, patterns, is_exact=is_exact)
            except TooManyCellsError:
                found, is_exact = _anything(node), False
            if not is_exact:
                self._widened.add(number)
            self._found.append(found)
        return self._found[key]


def _anything(node: cg.Node) -> Pattern:
    """The pattern of a node about whose value nothing is known."""
    return pattern_of(node.tensor) if isinstance(node, cg.Assignment) else dense(cg.result_shape(node))


def _both(one: Pattern, other: Pattern) -> Pattern:
    try:
        return one & other
    except TooManyCellsError:
        return one


def _either(one: Pattern, other: Pattern) -> Pattern:
    try:
        return one | other
    except TooManyCellsError:
        return Pattern.full(one.shape)


def _forward(node: cg.Node, operands: list[Pattern], *, is_exact: bool) -> Pattern:
    match node:
        case cg.Leaf(tensor=tensor):
            return empty(tensor.shape) if tensor.storage is Storage.TEMPORARY else pattern_of(tensor)
        case cg.Slice(space=space, parts=parts):
            return part_of(operands[0], parts, space)
        case cg.Embedding(space=space, parts=parts, shape=shape):
            return with_part(empty(shape), parts, space, operands[0])
        case cg.Gather(space=space):
            return dense(space.result_shape)
        case cg.Contraction(space=space, maps=maps):
            factors = constrained([Factor(map_, each) for map_, each in zip(maps, operands, strict=True)])
            factors = told_apart(factors, space.extents)
            return conjunction(exists(factors, space.result_map), space.result_map, space.extents)
        case cg.Sum(space=space, maps=maps):
            return reduce(or_, (walked_by(each, map_, space) for map_, each in zip(maps, operands, strict=True)))
        case cg.Elementwise(space=space, function=function, maps=maps):
            return _of_function(function, space, maps, operands)
        case cg.Reduction(space=space, maps=maps):
            return projected(operands[0], maps[0], space.result_map)
        case cg.Scaling(coefficient=coefficient):
            return Pattern.empty(operands[0].shape) if is_zero(coefficient) else operands[0]
        case cg.ScalarTerm(value=value):
            return empty(()) if is_zero(value) else dense(())
        case cg.Assignment():
            return _assigned(node, operands, is_exact=is_exact)


def _of_function(
    function: Function, space: IterationSpace, maps: Sequence[IndexMap], operands: Sequence[Pattern]
) -> Pattern:
    """The pattern of a function of the operands."""
    return pattern(function, [walked_by(each, map_, space) for each, map_ in zip(operands, maps, strict=True)])


def _assigned(node: cg.Assignment, operands: Sequence[Pattern], *, is_exact: bool) -> Pattern:
    """The pattern of the whole tensor: the value's in the part, the previous one elsewhere, never a declared zero."""
    value = walked_by(operands[cg.VALUE], node.map, node.space)
    if node.tensor.nonzeros is not None and is_exact:
        _check_declared_zeros(node, value)
    previous = operands[cg.PREVIOUS] if len(operands) > cg.PREVIOUS else dense(node.tensor.shape)
    return with_part(previous, node.parts, node.space, value) & pattern_of(node.tensor)


def _check_declared_zeros(node: cg.Assignment, value: Pattern) -> None:
    """The checker lets no statement break a declared pattern."""
    if not (value - part_of(pattern_of(node.tensor), node.parts, node.space)).is_empty:
        raise CompilerBug(f"an assignment to `{node.tensor.name}` puts something where zeros are declared")


def _backward(graph: Graph, forward: Sequence[Pattern]) -> tuple[list[Pattern], dict[tuple[int, int], Pattern]]:
    """Demanded entries of every node, and the equivalent patterns of operands."""
    needed: dict[int, Pattern] = {}
    operands: dict[tuple[int, int], Pattern] = {}
    outcome = {tensor.name for tensor in graph.arguments}
    for name, key in graph.last_versions.items():
        if name in outcome:
            needed[key] = Pattern.full(forward[key].shape)
    for key, node in reversed(list(graph.nodes)):
        keys = graph.operands(key)
        own = needed.setdefault(key, Pattern.empty(forward[key].shape))
        patterns = [forward[operand] for operand in keys]
        try:
            demands = _demands(node, own, patterns)
        except TooManyCellsError:
            demands = [Pattern.full(each.shape) for each in patterns]
        for position, (operand, demand) in enumerate(zip(keys, demands, strict=True)):
            operands[key, position] = _both(forward[operand], demand)
            needed[operand] = _either(needed[operand], demand) if operand in needed else demand
    return [needed[key] for key in range(len(forward))], operands


def _demands(node: cg.Node, needed: Pattern, operands: Sequence[Pattern]) -> list[Pattern]:
    """Entries that a node needs of each operand."""
    match node:
        case cg.Leaf() | cg.ScalarTerm():
            return []
        case cg.Slice(space=space, parts=parts):
            return [with_part(Pattern.empty(operands[0].shape), parts, space, needed)]
        case cg.Embedding(space=space, parts=parts):
            return [part_of(needed, parts, space)]
        case cg.Gather():
            return [each if needed.is_empty else Pattern.full(each.shape) for each in operands]
        case cg.Contraction(space=space, maps=maps):
            factors = [Factor(map_, each) for map_, each in zip(maps, operands, strict=True)]
            return _demands_of_factors(factors, Factor(space.result_map, needed), space)
        case cg.Sum(space=space, maps=maps) | cg.Elementwise(space=space, maps=maps):
            return [projected(needed, space.result_map, map_) for map_ in maps]
        case cg.Reduction(space=space, maps=(map_,)):
            return [broadcast(needed, space.result_map, map_, space.extents)]
        case cg.Reduction():
            raise CompilerBug("a reduction has one operand")
        case cg.Scaling(coefficient=coefficient):
            return [Pattern.empty(needed.shape) if is_zero(coefficient) else needed]
        case cg.Assignment(space=space, parts=parts):
            written = part_of(needed & pattern_of(node.tensor), parts, space)
            demands = [projected(written, space.result_map, node.map)]
            if len(operands) > 1:
                demands.append(with_part(needed, parts, space, empty(space.result_shape)))
            return demands


def _demands_of_factors(factors: list[Factor], needed: Factor, space: IterationSpace) -> list[Pattern]:
    """For each factor: the entries that meet something in all others and are needed."""
    demands = []
    *factors, needed = told_apart([*factors, needed], space.extents)
    for position, factor in enumerate(factors):
        others = constrained([*factors[:position], *factors[position + 1 :], needed])
        demands.append(conjunction(exists(others, factor.indices), factor.indices, space.extents))
    return demands

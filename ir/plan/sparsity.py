"""Which entries of which value are needed: equivalent zero patterns of every node of a contraction graph.

Forwards, a value's pattern follows from its operands': an entry is zero if all its contributions have a zero factor.
Backwards, an entry is needed if it meets partners that are not zero on its way to an entry that is needed: those of
the arguments after the kernel. The equivalent pattern of a value is what both leave; counts and boxes come from it.
(The name and the idea of equivalent patterns: Uphoff and Bader, "Yet Another Tensor Toolbox for discontinuous Galerkin
methods and other applications", ACM TOMS 46(4), 2020; there within one product.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from einsum_front.core.coefficient import is_zero
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function, pattern
from einsum_front.core.storage import Storage
from einsum_front.core.zero_pattern import Mask
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph, NodeTable
from einsum_front.ir.contraction.views import aligned, part_of
from einsum_front.ir.index import IndexMap, IterationSpace
from einsum_front.ir.plan.pattern import (
    Factor,
    both,
    broadcast,
    conjunction,
    constrained,
    dense,
    either,
    empty,
    exists,
    is_dense,
    normalised,
    projected,
    told_apart,
)
from einsum_front.ir.zero_pattern import mask_of


@dataclass(frozen=True, slots=True)
class Sparsity:
    """Patterns by the node's key, each with the `positions` of the node's result.

    `forward`: may differ from zero; `needed`: makes a difference to the outcome; `equivalent`: both. `operands` are the
    equivalent patterns of operands for one use alone, by the user's key and the position.
    """

    forward: tuple[Mask, ...]
    needed: tuple[Mask, ...]
    equivalent: tuple[Mask, ...]
    operands: dict[tuple[int, int], Mask]


def analyse(graph: Graph) -> Sparsity:
    """The patterns of all nodes."""
    forward: list[Mask] = []
    for key, node in graph.nodes:
        forward.append(_forward(node, [forward[operand] for operand in graph.operands(key)]))
    needed, operands = _backward(graph, forward)
    equivalent = tuple(both(f, n) for f, n in zip(forward, needed, strict=True))
    return Sparsity(tuple(forward), tuple(needed), equivalent, operands)


class Patterns:
    """The forward patterns of the nodes of a graph, which may be in the making, by key."""

    def __init__(self, graph: Graph | NodeTable) -> None:
        self._graph = graph
        self._found: list[Mask] = []

    def of(self, key: int) -> Mask:
        """Which entries of a node may differ from zero."""
        for number in range(len(self._found), key + 1):
            operands = [self._found[operand] for operand in self._graph.operands(number)]
            self._found.append(_forward(self._graph.node(number), operands))
        return self._found[key]


def _forward(node: cg.Node, operands: list[Mask]) -> Mask:
    match node:
        case cg.Leaf(tensor=tensor):
            return empty(tensor.shape) if tensor.storage is Storage.TEMPORARY else mask_of(tensor)
        case cg.Slice(space=space, parts=parts):
            return normalised(part_of(operands[0], parts, space))
        case cg.Embedding(space=space, parts=parts, shape=shape):
            mask = empty(shape)
            part_of(mask, parts, space)[...] = operands[0]
            return normalised(mask)
        case cg.Contraction(space=space, maps=maps):
            factors = constrained([Factor(map_, mask) for map_, mask in zip(maps, operands, strict=True)])
            factors = told_apart(factors, space.extents)
            return conjunction(exists(factors, space.result_map), space.result_map, space.extents)
        case cg.Sum(space=space, maps=maps):
            terms = [
                broadcast(mask, map_, space.result_map, space.extents)
                for map_, mask in zip(maps, operands, strict=True)
            ]
            return reduce(either, terms)
        case cg.Elementwise(space=space, function=function, maps=maps):
            return _of_function(function, space, maps, operands)
        case cg.Reduction(space=space, maps=maps):
            return normalised(projected(operands[0], maps[0], space.result_map))
        case cg.Scaling(coefficient=coefficient):
            return empty(operands[0].shape) if is_zero(coefficient) else operands[0]
        case cg.ScalarTerm(value=value):
            return np.array(not is_zero(value))
        case cg.Assignment():
            return _assigned(node, operands)


def _of_function(function: Function, space: IterationSpace, maps: Sequence[IndexMap], operands: Sequence[Mask]) -> Mask:
    """The pattern of a function of the operands."""
    pairs = zip(operands, maps, strict=True)
    return normalised(pattern(function, [broadcast(m, map_, space.result_map, space.extents) for m, map_ in pairs]))


def _assigned(node: cg.Assignment, operands: Sequence[Mask]) -> Mask:
    """The pattern of the whole tensor: the value's in the part, the previous one elsewhere, never a declared zero."""
    if node.tensor.nonzeros is not None:
        _check_declared_zeros(node, operands[cg.VALUE])
    if len(operands) == 1 and is_dense(operands[cg.VALUE]):
        return mask_of(node.tensor)
    mask = np.array(operands[cg.PREVIOUS] if len(operands) > cg.PREVIOUS else dense(node.tensor.shape))
    part_of(mask, node.parts, node.space)[...] = aligned(operands[cg.VALUE], node.map, node.space.result_map)
    return both(normalised(mask), mask_of(node.tensor))


def _check_declared_zeros(node: cg.Assignment, value: Mask) -> None:
    """The checker lets no statement break a declared pattern."""
    allowed = part_of(mask_of(node.tensor), node.parts, node.space)
    if (aligned(value, node.map, node.space.result_map) & ~allowed).any():
        raise CompilerBug(f"an assignment to `{node.tensor.name}` puts something where zeros are declared")


def _backward(graph: Graph, forward: Sequence[Mask]) -> tuple[list[Mask], dict[tuple[int, int], Mask]]:
    """Demanded entries of every node, and the equivalent patterns of operands."""
    needed: dict[int, Mask] = {}
    operands: dict[tuple[int, int], Mask] = {}
    outcome = {tensor.name for tensor in graph.arguments}
    for name, key in graph.last_versions.items():
        if name in outcome:
            needed[key] = dense(forward[key].shape)
    for key, node in reversed(list(graph.nodes)):
        keys = graph.operands(key)
        own = needed.setdefault(key, empty(forward[key].shape))
        demands = _demands(node, own, [forward[operand] for operand in keys])
        for position, (operand, demand) in enumerate(zip(keys, demands, strict=True)):
            operands[key, position] = both(demand, forward[operand])
            needed[operand] = either(needed[operand], demand) if operand in needed else normalised(demand)
    return [needed[key] for key in range(len(forward))], operands


def _demands(node: cg.Node, needed: Mask, operands: Sequence[Mask]) -> list[Mask]:
    """Entries that a node needs of each operand."""
    match node:
        case cg.Leaf() | cg.ScalarTerm():
            return []
        case cg.Slice(space=space, parts=parts):
            demand = empty(operands[0].shape)
            part_of(demand, parts, space)[...] = needed
            return [demand]
        case cg.Embedding(space=space, parts=parts):
            return [part_of(needed, parts, space)]
        case cg.Contraction(space=space, maps=maps):
            factors = [Factor(map_, mask) for map_, mask in zip(maps, operands, strict=True)]
            return _demands_of_factors(factors, Factor(space.result_map, needed), space)
        case cg.Sum(space=space, maps=maps) | cg.Elementwise(space=space, maps=maps):
            return [projected(needed, space.result_map, map_) for map_ in maps]
        case cg.Reduction(space=space, maps=(map_,)):
            return [normalised(broadcast(needed, space.result_map, map_, space.extents))]
        case cg.Reduction():
            raise CompilerBug("a reduction has one operand")
        case cg.Scaling(coefficient=coefficient):
            return [empty(needed.shape) if is_zero(coefficient) else needed]
        case cg.Assignment(space=space, parts=parts):
            written = part_of(both(needed, mask_of(node.tensor)), parts, space)
            demands = [projected(written, space.result_map, node.map)]
            if len(operands) > 1:
                survivors = np.array(needed)
                part_of(survivors, parts, space)[...] = False
                demands.append(survivors)
            return demands


def _demands_of_factors(factors: list[Factor], needed: Factor, space: IterationSpace) -> list[Mask]:
    """For each factor: the entries that meet something in all others and are needed."""
    demands = []
    *factors, needed = told_apart([*factors, needed], space.extents)
    for position, factor in enumerate(factors):
        others = constrained([*factors[:position], *factors[position + 1 :], needed])
        demands.append(conjunction(exists(others, factor.indices), factor.indices, space.extents))
    return demands

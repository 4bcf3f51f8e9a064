"""A value as a list of terms, each a coefficient times a node: sums and scalings dissolved."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ir.coefficient import ONE, Coefficient, is_sign, is_zero, plus, times
from ir.contraction.graph import Graph
from ir.contraction.nodes import Along, Assignment, Part, Scaling, Slice, Sum
from ir.index import IndexMap
from ir.plan.pattern import either, has_entries, nonzeros
from ir.plan.sparsity import Sparsity
from ir.zero_pattern import Mask


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """`coefficient` times a node whose modes `map` walks; `mask` is the equivalent pattern of the node in this use."""

    coefficient: Coefficient
    key: int
    map: IndexMap
    mask: Mask


def terms_of(graph: Graph, sparsity: Sparsity, term: Term, scaling_cost: Callable[[int, Mask], int]) -> list[Term]:
    """The terms that add up to the given one; terms that vanish are left out, and like terms are one.

    A coefficient that costs operations moves into a sum only where that costs no more than scaling the sum would:
    `scaling_cost` says what scaling a node costs.
    """
    merged: dict[tuple[int, IndexMap], Term] = {}
    for leaf in _expanded(graph, sparsity, term, scaling_cost):
        like = merged.get((leaf.key, leaf.map))
        merged[leaf.key, leaf.map] = leaf if like is None else _added(like, leaf)
    return [leaf for leaf in merged.values() if has_entries(leaf.mask) and not is_zero(leaf.coefficient)]


def _added(one: Term, other: Term) -> Term:
    """The sum of two terms that differ in their coefficients alone."""
    return Term(plus(one.coefficient, other.coefficient), one.key, one.map, either(one.mask, other.mask))


def _expanded(graph: Graph, sparsity: Sparsity, term: Term, scaling_cost: Callable[[int, Mask], int]) -> Iterator[Term]:
    node = graph.node(term.key)
    if isinstance(node, Scaling):
        inner = _operand(graph, sparsity, term, 0, node.space.result_map, times(term.coefficient, node.coefficient))
        yield from _expanded(graph, sparsity, inner, scaling_cost)
    elif isinstance(node, Sum):
        inner_terms = [
            _operand(graph, sparsity, term, position, map_, term.coefficient) for position, map_ in enumerate(node.maps)
        ]
        costs = (scaling_cost(inner.key, inner.mask) for inner in inner_terms)
        if is_sign(term.coefficient) or sum(costs) <= nonzeros(term.mask):
            for inner in inner_terms:
                yield from _expanded(graph, sparsity, inner, scaling_cost)
        else:
            yield term
    else:
        yield term


def _operand(
    graph: Graph, sparsity: Sparsity, term: Term, position: int, map_: IndexMap, coefficient: Coefficient
) -> Term:
    """An operand of the term's node as a term in its place; `map_` walks it with the node's indices."""
    node = graph.node(term.key)
    own = node.space.result_map if isinstance(node, Sum | Scaling) else ()
    renaming = dict(zip(own, term.map, strict=True))
    operand = graph.operands(term.key)[position]
    mask = sparsity.operands[term.key, position]
    return Term(coefficient, operand, tuple(renaming[name] for name in map_), mask)


def value_term(graph: Graph, sparsity: Sparsity, key: int, node: Assignment) -> Term:
    """The assigned value as one term over the indices of the assignment."""
    return Term(ONE, graph.operands(key)[0], node.map, sparsity.operands[key, 0])


def reads_itself(graph: Graph, term: Term, parts: tuple[Part, ...], previous: int) -> bool:
    """Whether the term is the part that is assigned, as it was in the version `previous`."""
    node = graph.node(term.key)
    if term.key == previous:
        return parts == tuple(Along(name) for name in term.map)
    if isinstance(node, Slice) and graph.operands(term.key) == (previous,):
        renaming = dict(zip(node.space.result_map, term.map, strict=True))
        return parts == tuple(_renamed(part, renaming) for part in node.parts)
    return False


def _renamed(part: Part, renaming: dict[str, str]) -> Part:
    return Along(renaming[part.index], part.offset) if isinstance(part, Along) else part

"""A value as a list of terms, each a coefficient times a node: sums and scalings dissolved."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from einsum_front.core.coefficient import ONE, Coefficient, is_sign, is_zero, may_cancel, plus, times
from einsum_front.core.dataclass import dataclass
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.sparsity import Sparsity


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """`coefficient` times a node whose modes `map` walks; `pattern` is the equivalent one of the node in this use."""

    coefficient: Coefficient
    key: int
    map: IndexMap
    pattern: Pattern


Dissolves = Callable[[Term, Sequence[Term]], bool]
"""Whether a coefficient in front of a sum, the first, goes to its terms."""


def terms_of(graph: Graph, sparsity: Sparsity, term: Term, dissolves: Dissolves) -> list[Term]:
    """The terms that add up to the given one; those with the factor 0 are left out, and like terms are one.

    A sum with a coefficient that does not go to its terms stays a term, and so does one that is used several times.
    """
    return _merged(_expanded(graph, sparsity, term, dissolves))


def operands_of(graph: Graph, sparsity: Sparsity, term: Term, dissolves: Dissolves) -> list[Term]:
    """The same for the value of a sum itself, however often it is used."""
    return _merged(
        leaf for inner in _operands(graph, sparsity, term) for leaf in _expanded(graph, sparsity, inner, dissolves)
    )


def _merged(terms: Iterable[Term]) -> list[Term]:
    """Like terms as one, but for those that cancel: `x - x` is NaN where x is NaN or infinite, and 0 elsewhere."""
    merged: list[Term] = []
    last: dict[tuple[int, IndexMap], int] = {}
    for term in terms:
        if is_zero(term.coefficient) or term.pattern.is_empty:
            continue
        place = last.get((term.key, term.map))
        if place is None or may_cancel(merged[place].coefficient, term.coefficient):
            last[term.key, term.map] = len(merged)
            merged.append(term)
        else:
            merged[place] = _added(merged[place], term)
    return merged


def _added(one: Term, other: Term) -> Term:
    """The sum of two terms that differ in their coefficients alone."""
    return Term(plus(one.coefficient, other.coefficient), one.key, one.map, one.pattern | other.pattern)


def _expanded(graph: Graph, sparsity: Sparsity, term: Term, dissolves: Dissolves) -> Iterator[Term]:
    match graph.node(term.key):
        case cg.Scaling():
            is_dissolved = True
        case cg.Sum() if uses(graph, term.key) == 1:
            is_dissolved = is_sign(term.coefficient) or dissolves(term, _operands(graph, sparsity, term))
        case cg.Leaf() | cg.Slice() | cg.Embedding() | cg.Contraction() | cg.Sum() | cg.ScalarTerm() | cg.Assignment():
            is_dissolved = False
        case cg.Elementwise() | cg.Reduction() | cg.Gather():
            is_dissolved = False
    if not is_dissolved:
        yield term
        return
    for inner in _operands(graph, sparsity, term):
        yield from _expanded(graph, sparsity, inner, dissolves)


def _operands(graph: Graph, sparsity: Sparsity, term: Term) -> list[Term]:
    """The operands of a sum or a scaling as terms, with the term's indices."""
    match graph.node(term.key):
        case cg.Scaling(coefficient=coefficient):  # other terms may need other entries of what is scaled
            pattern = term.pattern & sparsity.operands[term.key, 0]
            return [Term(times(term.coefficient, coefficient), graph.operands(term.key)[0], term.map, pattern)]
        case cg.Sum(space=space, maps=maps):
            factor = term.coefficient
        case (
            cg.Leaf()
            | cg.Slice()
            | cg.Embedding()
            | cg.Gather()
            | cg.Contraction()
            | cg.Elementwise()
            | cg.Reduction()
            | cg.ScalarTerm()
            | cg.Assignment()
        ):
            return [term]
    renaming = dict(zip(space.result_map, term.map, strict=True))
    return [
        Term(factor, operand, tuple(renaming[name] for name in map_), sparsity.operands[term.key, position])
        for position, (operand, map_) in enumerate(zip(graph.operands(term.key), maps, strict=True))
    ]


def uses(graph: Graph, key: int) -> int:
    """How often a value is used; a coefficient is no use of its own."""
    users = (user for user, _ in graph.users(key))
    return sum(uses(graph, user) if isinstance(graph.node(user), cg.Scaling) else 1 for user in users)


def value_term(graph: Graph, sparsity: Sparsity, key: int, node: cg.Assignment) -> Term:
    """The assigned value as one term over the indices of the assignment."""
    return Term(ONE, graph.operands(key)[0], node.map, sparsity.operands[key, 0])


def reads_itself(graph: Graph, term: Term, parts: tuple[cg.Part, ...], previous: int) -> bool:
    """True if the term is the part that is assigned, as it was in the version `previous`."""
    node = graph.node(term.key)
    if term.key == previous:
        return parts == tuple(cg.Along(name) for name in term.map)
    if isinstance(node, cg.Slice) and graph.operands(term.key) == (previous,):
        renaming = dict(zip(node.space.result_map, term.map, strict=True))
        return parts == tuple(_renamed(part, renaming) for part in node.parts)
    return False


def _renamed(part: cg.Part, renaming: dict[str, str]) -> cg.Part:
    return cg.Along(renaming[part.index], part.offset) if isinstance(part, cg.Along) else part

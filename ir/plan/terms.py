"""A value as a list of terms, each a coefficient times a node: sums and scalings dissolved."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import combinations_with_replacement

from einsum_front.core.coefficient import ONE, Coefficient, is_sign, is_zero, may_cancel, plus, times
from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import broadcast, entries, projected
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


# -- counting what adding up terms takes -------------------------------------------------------------------------------
# An operation for each entry that meets one of an earlier term.


class OperationCounter:
    """The pattern of a sum so far, over the indices of its target, of which the entries `needed` count."""

    def __init__(self, extents: Mapping[str, Extent], needed: Pattern) -> None:
        """`extents` are those of the indices, in the order of the modes of the target."""
        self.extents = extents
        self._indices = tuple(extents)
        self._needed = needed
        self._sum: Pattern | None = None

    def needed(self, indices: IndexMap) -> Pattern:
        """The entries that count of a sum over some of the indices."""
        return projected(self._needed, self._indices, indices)

    def add(self, pattern: Pattern, map_: IndexMap) -> Extent:
        """Add a term, which may lack indices; returns the number of its entries that meet another one."""
        term = broadcast(pattern, map_, self._indices, self.extents) & self._needed
        if self._sum is None:
            self._sum = term
            return 0
        meeting = entries(self._sum & term, tuple(self.extents.values()))
        self._sum = self._sum | term
        return meeting

    def scaling(self, coefficient: Coefficient) -> Extent:
        """The operations of multiplying the sum so far."""
        if self._sum is None or is_sign(coefficient):
            return 0
        return entries(self._sum, tuple(self.extents.values()))


# -- terms that lack indices of their target, added up before they are broadcast ---------------------------------------

Group = tuple[Term, ...]


def grouped(terms: Sequence[Term], target: IndexMap, extents: Mapping[str, Extent]) -> list[Group]:
    """The terms in groups, each of which lacks an index of the target or is a single term.

        C[a,b,c] := A[a] + B[b] + D[b,c] + E[b]    t[b] := B[b] + E[b];  u[b,c] := D[b,c] + t[b];  C := A[a] + u[b,c]

    What lacks an index is added up before it is broadcast. Entries that meet in the target meet in the smaller sum
    already, so this never takes more operations.

    Two groups become one, those with the smallest sum first, as long as the sum is smaller than the target. What a sum
    has is said by the indices of both, of which there are few sets: so groups are compared set by set.
    """
    groups: dict[int, list[Term]] = {number: [term] for number, term in enumerate(terms)}
    alike: dict[IndexMap, list[int]] = {}
    for number, term in enumerate(terms):
        alike.setdefault(indices_of((term,), target), []).append(number)
    while (pair := _smallest_pair(alike, target, extents)) is not None:
        first, second, both = pair
        groups[first] += groups.pop(second)
        for numbers in alike.values():
            while numbers and numbers[0] in {first, second}:
                heappop(numbers)
        heappush(alike.setdefault(both, []), first)
    return [tuple(group) for group in groups.values()]


def indices_of(group: Group, target: IndexMap) -> IndexMap:
    """The indices of a group's sum, in the order of the target."""
    return tuple(name for name in target if any(name in term.map for term in group))


def _smallest_pair(
    alike: Mapping[IndexMap, Sequence[int]], target: IndexMap, extents: Mapping[str, Extent]
) -> tuple[int, int, IndexMap] | None:
    """The groups that become one, and the indices of their sum; `alike` are heaps of groups by their indices:
    the two smallest numbers of a heap are among its first three."""
    pairs = []
    for one, other in combinations_with_replacement(alike, 2):
        numbers = sorted(alike[one][:3] if one is other else (*alike[one][:1], *alike[other][:1]))
        both = tuple(name for name in target if name in one or name in other)
        if len(numbers) > 1 and len(both) < len(target):
            pairs.append((hint(product(extents[name] for name in both)), numbers[0], numbers[1], both))
    return min(pairs)[1:] if pairs else None

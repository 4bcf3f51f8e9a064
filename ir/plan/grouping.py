"""Terms of a sum that lack indices of its target: added up before they are broadcast.

    C[a,b,c] := A[a] + B[b] + D[b,c] + E[b]        t[b] := B[b] + E[b];  u[b,c] := D[b,c] + t[b];  C := A[a] + u[b,c]

Entries that meet in the target meet in the smaller sum already, so this never takes more operations.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod

from ir.index import IndexMap
from ir.plan.terms import Term
from ir.run_time import assumed

Group = tuple[Term, ...]


def grouped(terms: Sequence[Term], target: IndexMap, extents: Mapping[str, int]) -> list[Group]:
    """The terms in groups, each of which lacks an index of the target or is a single term.

    Two groups become one, those with the smallest sum first, as long as the sum is smaller than the target.
    """
    groups: list[Group] = [(term,) for term in terms]
    while (pair := _smallest_pair(groups, target, extents)) is not None:
        first, second = pair
        groups[first] += groups.pop(second)
    return groups


def indices_of(group: Group, target: IndexMap) -> IndexMap:
    """The indices of a group's sum, in the order of the target."""
    return tuple(name for name in target if any(name in term.map for term in group))


def _smallest_pair(groups: Sequence[Group], target: IndexMap, extents: Mapping[str, int]) -> tuple[int, int] | None:
    sizes = [
        (assumed(prod(extents[name] for name in indices)), first, second)
        for first, second in combinations(range(len(groups)), 2)
        if len(indices := indices_of(groups[first] + groups[second], target)) < len(target)
    ]
    return min(sizes)[1:] if sizes else None

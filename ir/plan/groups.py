"""Terms that lack indices of their target, added up before they are broadcast."""

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import combinations_with_replacement

from einsum_front.core.extent import Extent, hint, product
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.terms import Term

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

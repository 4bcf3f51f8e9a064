"""The ordering problem of one contraction: its factors, cut to the positions that matter."""

from collections.abc import Mapping, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.core.machine import LaunchCosts
from einsum_front.core.machines import GENERIC
from einsum_front.core.pattern_network import Factor
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import Interval, within


@dataclass(frozen=True, eq=False)
class Problem:
    """A product of factors whose patterns are equivalent ones, so that nothing in them is superfluous.

    `result` says which entries are needed; `extents` are those of all indices, in the order of the iteration space.
    Every index occurs in two parts at least: sums over an index of one factor alone are done before. Factors whose
    numbers are `once` are batch-invariant, and products of them may be computed once per launch, which costs
    an element what `launch` says.
    """

    factors: tuple[Factor, ...]
    result: Factor
    extents: Mapping[str, Extent]
    once: frozenset[int] = frozenset()
    launch: LaunchCosts = GENERIC.launch


def cut(factor: Factor, ranges: dict[str, Interval]) -> Factor:
    """The factor on the given ranges of its indices."""
    return Factor(factor.indices, within((ranges[name] for name in factor.indices), factor.pattern))


def ranges_of(factors: Sequence[Factor], boxes: Sequence[Sequence[Interval]]) -> dict[str, Interval]:
    """The range of every index: where its first factor has entries.

    Equivalent patterns of the factors of one contraction agree about it.
    """
    ranges: dict[str, Interval] = {}
    for factor, box in zip(factors, boxes, strict=True):
        for name, interval in zip(factor.indices, box, strict=True):
            ranges.setdefault(name, interval)
    return ranges


def alone(factors: Sequence[Factor], result: IndexMap) -> tuple[IndexMap, ...]:
    """For each factor, the indices that neither the result nor another factor has."""
    return tuple(
        tuple(
            name
            for name in factor.indices
            if name not in result and not any(name in other.indices for other in factors if other is not factor)
        )
        for factor in factors
    )

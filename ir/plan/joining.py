"""Orders found by joining two parts at a time by a simple rule: good enough to bound the exact search."""

from enum import Enum
from math import inf

import numpy as np

from einsum_front.ir.plan.search import COSTS, Splits
from einsum_front.ir.plan.subsets import Masks, Numbers, Subsets


class Rule(Enum):
    """Which two parts are joined first: those whose product has the fewest entries compared with their own."""

    DIFFERENCE = "difference"
    RATIO = "ratio"

    def of(self, product: Numbers, operands: Numbers) -> Numbers:
        """The number that is to be small."""
        match self:
            case Rule.DIFFERENCE:
                return product - operands
            case Rule.RATIO:
                return product / operands


def best_joins(subsets: Subsets, largest: float) -> Splits:
    """The joins of the rule that finds the cheaper order, one after the other, with the costs of all that they join."""
    joins = [_joins(subsets, largest, rule) for rule in Rule]
    return min(joins, key=lambda splits: tuple(splits.costs[:, -1]))


def _joins(subsets: Subsets, largest: float, rule: Rule) -> Splits:
    parts = np.array([1 << factor for factor in range(subsets.count)], np.int64)
    spent = np.zeros((COSTS, subsets.count))
    joins: list[Splits] = []
    while parts.size > 1:
        one, other = np.triu_indices(parts.size, 1)
        best = _first(subsets, largest, rule, parts[one], parts[other])
        pair = [one[best], other[best]]
        made = _join(subsets, largest, parts[pair], spent[:, pair].sum(axis=1))
        joins.append(made)
        parts = np.append(np.delete(parts, pair), made.whole)
        spent = np.append(np.delete(spent, pair, axis=1), made.costs, axis=1)
    whole, left = (np.concatenate([each.whole for each in joins]), np.concatenate([each.left for each in joins]))
    return Splits(whole, left, np.concatenate([each.costs for each in joins], axis=1))


def _first(subsets: Subsets, largest: float, rule: Rule, one: Masks, other: Masks) -> int:
    """The pair to join; of those that the rule finds equal, the product with fewer operations on boxes."""
    sizes = subsets.sizes(one | other)
    excess = np.zeros(sizes.shape) if largest == inf else np.maximum(sizes - largest, 0)
    executed, _ = subsets.executed_and_calls(one | other, one)
    return int(np.lexsort((executed, rule.of(sizes, subsets.sizes(one) + subsets.sizes(other)), excess))[0])


def _join(subsets: Subsets, largest: float, pair: Masks, spent: Numbers) -> Splits:
    """The product of two parts as a way to make their union; `spent` is what the parts cost."""
    whole = np.array([pair[0] | pair[1]])
    left = pair[:1] if pair[0] & whole[0] & -whole[0] else pair[1:]
    size = subsets.sizes(whole)
    executed, calls = subsets.executed_and_calls(whole, left)
    excess = np.zeros(1) if largest == inf else np.maximum(size - largest, 0)
    costs = np.array([excess, subsets.operation_counts(whole, left), executed, calls, size])
    return Splits(whole, left, spent[:, np.newaxis] + costs)


def parts_after(joins: Splits, number: int) -> list[int]:
    """The sets that are left when as many joins are done as leave `number` of them."""
    count = joins.whole.size + 1
    parts = {1 << factor for factor in range(count)}
    for whole, left in zip(joins.whole.tolist()[: count - number], joins.left.tolist(), strict=False):
        parts -= {left, whole ^ left}
        parts.add(whole)
    return sorted(parts)

"""The two steps that scripts ask for themselves: the indices of a formula, and its pattern."""

from einsum_front.yateto.deduction import indices_for, indices_of_assignment
from einsum_front.yateto.evaluation import pattern_of
from einsum_front.yateto.formula import Assign, N
from einsum_front.yateto.indices import Indices
from einsum_front.yateto.mistakes import rejected


class DeduceIndices:
    """Finds the indices of a formula, in the order of the target if one is given."""

    def __init__(self, targetIndices: Indices | str | None = None) -> None:
        self._target = targetIndices

    def visit(self, node: N) -> N:
        """The formula with its indices; raises `ValueError` if they are not those of the target."""
        if isinstance(node, Assign):
            return node.known(indices_of_assignment(node))
        return node.known(indices_for(node, self._target))


class EquivalentSparsityPattern:
    """Finds the pattern of a formula whose indices are known."""

    def __init__(self, groupSpp: bool = True) -> None:
        self._groupSpp = groupSpp

    def visit(self, node: N) -> N:
        """The formula with its pattern, in the order of its indices."""
        if node.indices is None:
            raise rejected("E0173", "the indices of the formula are not known", "`DeduceIndices` finds them")
        value = node.value if isinstance(node, Assign) else node
        return node.known(node.indices, pattern_of(value, node.indices, groupSpp=self._groupSpp))

"""The nodes of formulas that scripts name."""

from einsum_front.yateto.formula import Add, Assign, Einsum, IndexedTensor, Node, Quotient, ScalarMultiplication

__all__ = ["Add", "Assign", "Einsum", "IndexedTensor", "Node", "Quotient", "ScalarMultiplication"]

"""Affine expressions as what they add up to: a multiple of each iterator, and a constant."""

from collections.abc import Mapping
from dataclasses import field
from functools import reduce

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.mlir import nodes as mlir


@dataclass(frozen=True, slots=True)
class Linear:
    """`constant` plus each iterator times its factor, which is not 0."""

    constant: int = 0
    factors: Mapping[int, int] = field(default_factory=dict)

    @property
    def iterator(self) -> int | None:
        """The iterator that the expression is, alone."""
        return next(iter(self.factors)) if self.constant == 0 and list(self.factors.values()) == [1] else None

    @property
    def expression(self) -> mlir.AffineExpr:
        """The sum as MLIR writes it: iterators in the order of `factors`, the constant last."""
        terms: list[mlir.AffineExpr] = [
            mlir.Dim(dim) if factor == 1 else mlir.Multiply(mlir.Dim(dim), factor)
            for dim, factor in self.factors.items()
        ]
        if self.constant or not terms:
            terms.append(mlir.Constant(self.constant))
        return reduce(mlir.Add, terms)

    def least(self, extents: Mapping[int, int]) -> int:
        """The smallest value, for iterators from 0 on."""
        return self.constant + sum(min(0, factor * (extents[dim] - 1)) for dim, factor in self.factors.items())

    def most(self, extents: Mapping[int, int]) -> int:
        """The largest value."""
        return self.constant + sum(max(0, factor * (extents[dim] - 1)) for dim, factor in self.factors.items())


def is_linear(expression: mlir.AffineExpr) -> bool:
    """True if nothing is divided."""
    match expression:
        case mlir.Dim() | mlir.Constant():
            return True
        case mlir.Add(left=left, right=right):
            return is_linear(left) and is_linear(right)
        case mlir.Multiply(expression=inside):
            return is_linear(inside)
        case mlir.Divide():
            return False


def linear(expression: mlir.AffineExpr) -> Linear:
    """What an expression adds up to."""
    match expression:
        case mlir.Dim(position=position):
            return Linear(0, {position: 1})
        case mlir.Constant(value=value):
            return Linear(value)
        case mlir.Add(left=left, right=right):
            first, second = linear(left), linear(right)
            dims = dict.fromkeys((*first.factors, *second.factors))
            factors = {dim: first.factors.get(dim, 0) + second.factors.get(dim, 0) for dim in dims}
            return Linear(first.constant + second.constant, {d: f for d, f in factors.items() if f})
        case mlir.Multiply(expression=inside, factor=factor):
            found = linear(inside)
            factors = {dim: each * factor for dim, each in found.factors.items() if factor}
            return Linear(found.constant * factor, factors)
        case mlir.Divide():
            raise CompilerBug("only `affine.apply` and its like divide positions")

"""Sums of products: what collective instructions that write to one target come to, at places that are known:

    target[row, column] := beta target[row, column] + sum over terms of alpha * sum over depth of the factors

A factor has a stride for each axis that it runs with. Instructions whose target has no columns have one column.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.analysis.products import Factor, Product, product_form
from einsum_front.tl_backend.schedules.positions.places import Place, Places
from einsum_front.tl_backend.semantics import Axis, letters_of
from einsum_front.tl_backend.types import ScalarType

Positions = NDArray[np.int64]
Points = tuple[Positions, Positions, Positions]
"""Rows, columns and depths."""


MOST_ASKED = 8
"""Instructions of a long sum that are asked for the index of a loop: most know it."""


@dataclass(frozen=True, slots=True)
class StridedFactor:
    """Entries of a base: `strides[axis]` is None if the factor does not run with the axis."""

    base: str
    offset: Affine
    strides: tuple[int | None, int | None, int | None]

    def positions(self, shape: tuple[int, int, int]) -> Positions:
        """The position of the entry for each row, column and depth, without the loops' share of the offset.

        An axis that the factor does not run with has one entry.
        """
        result = np.full((1, 1, 1), self.offset.constant, np.int64)
        for axis, stride in enumerate(self.strides):
            if stride is not None:
                steps = np.arange(shape[axis], dtype=np.int64) * stride
                result = result + steps.reshape(tuple(-1 if each == axis else 1 for each in range(3)))
        return result

    def moved(self, loops: Mapping[str, int]) -> "StridedFactor":
        """The same where the loops count these numbers."""
        terms = sum(loops[name] * factor for name, factor in self.offset.terms)
        return replace(self, offset=Affine(self.offset.constant + terms))

    def at(self, points: Points) -> Positions:
        """The positions of the entries at some points of the term, without the loops' share of the offset."""
        steps = (stride * along for stride, along in zip(self.strides, points, strict=True) if stride is not None)
        return sum(steps, np.full(points[Axis.K].shape, self.offset.constant, np.int64))


@dataclass(frozen=True, slots=True)
class Term:
    """`alpha` times the sum over `depth` of the factors, for the rows and columns of the target in the two ranges."""

    alpha: tl.TypedScalar
    factors: tuple[StridedFactor, ...]
    rows: range
    columns: range
    depth: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """The extents of the axes."""
        return len(self.rows), len(self.columns), self.depth

    def along(self, axis: Axis) -> range:
        """Its rows or its columns."""
        return self.rows if axis is Axis.M else self.columns


@dataclass(frozen=True, slots=True)
class ProductSum:
    """One update of a target; `instructions` are those that it stands for.

    Entries that no term adds to are left alone if beta is 1 or if it `is_partial`.
    """

    target: StridedFactor
    rows: int
    columns: int
    beta: tl.TypedScalar
    terms: tuple[Term, ...]
    instructions: tuple[tl.Collective, ...]
    is_partial: bool = False

    def letter(self, axis: Axis) -> str:
        """The index of the notation along the axis, as one of the first instructions has it; nothing if none has."""
        first = self.instructions[:MOST_ASKED]
        return next((found for each in first if (found := letters_of(each).get(axis, ""))), "")

    @property
    def element(self) -> ScalarType:
        """The type that it computes in."""
        return self.beta.type

    @property
    def read(self) -> frozenset[str]:
        """The bases of the factors."""
        return frozenset(factor.base for term in self.terms for factor in term.factors)

    @property
    def coefficients(self) -> tuple[tl.Local, ...]:
        """The scalars among beta and the alphas that are not constant."""
        scalars = (self.beta, *(term.alpha for term in self.terms))
        return tuple(scalar.value for scalar in scalars if isinstance(scalar.value, tl.Local))

    def at_iteration(self, loops: Mapping[str, int]) -> "ProductSum":
        """The same in one iteration of the loops around it."""
        terms = (replace(term, factors=tuple(each.moved(loops) for each in term.factors)) for term in self.terms)
        return replace(self, target=self.target.moved(loops), terms=tuple(terms))

    @property
    def target_positions(self) -> Positions:
        """The positions of the target in its base, rows x columns."""
        positions = self.target.positions((self.rows, self.columns, 1))[:, :, 0]
        return np.broadcast_to(positions, (self.rows, self.columns))


def product_of(instruction: tl.Collective, places: Places) -> ProductSum:
    """The sum that an instruction is."""
    product = product_form(instruction).seen(lambda memref: places.place(memref.view.value))
    extents = _extents(product)
    rows, columns, depth = (extents.get(axis, 1) for axis in Axis)
    term = Term(product.alpha, tuple(map(_strided, product.factors)), range(rows), range(columns), depth)
    return ProductSum(_strided(product.target), rows, columns, product.beta, (term,), (instruction,))


def _strided(factor: Factor[Place]) -> StridedFactor:
    place, strides = factor.view, dict(zip(factor.axes, factor.view.strides, strict=True))
    return StridedFactor(place.base, place.offset, (strides.get(Axis.M), strides.get(Axis.N), strides.get(Axis.K)))


def _extents(product: Product[Place]) -> dict[Axis, int]:
    extents: dict[Axis, int] = {}
    for factor in product.operands:
        for axis, size in zip(factor.axes, factor.view.shape, strict=True):
            if extents.setdefault(axis, size) != size:
                raise CompilerBug("the operands of a collective instruction do not fit")
    return extents

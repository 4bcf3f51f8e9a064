"""Collective instructions with all loops written out: which entries they read and write, as arrays of positions.

    target[line, lane] := beta target[line, lane] + alpha sum over depth of the product of the factors

A *line* is what one work-item computes of an instruction, and *lanes* are the lines side by side. Positions count the
entries in the memory of one element.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.positions.product import Positions, ProductSum, product_of
from einsum_front.tl_backend.schedules.positions.zeros import stored_mask, summands
from einsum_front.tl_backend.types import GroupType, ScalarType

MOST_STEPS = 1024
"""Instructions with loops written out: each becomes code of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """A factor: the positions of its entries, lines x lanes x depth, with 1 for an axis that it does not run with."""

    base: str
    positions: Positions

    @property
    def has_lines(self) -> bool:
        """True if it differs from entry to entry of a line."""
        return bool(self.positions.shape[0] > 1)

    def transposed(self) -> "Factor":
        """With lines for lanes."""
        return replace(self, positions=self.positions.transpose(1, 0, 2))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One instruction in one iteration of the loops around it, or several of them whose lanes are put side by side.

    `mask` says which summands may differ from zero, lines x lanes x depth, and `kept` which entries get a new value.
    """

    instruction: tl.Collective
    base: str
    target: Positions
    alpha: tl.TypedScalar
    beta: tl.TypedScalar
    factors: tuple[Factor, ...]
    mask: Mask
    kept: Mask

    @property
    def lines(self) -> int:
        """Entries of a line."""
        return int(self.target.shape[0])

    @property
    def lanes(self) -> int:
        """Lines side by side."""
        return int(self.target.shape[1])

    @property
    def depth(self) -> int:
        """Summands of an entry, known zeros included."""
        return int(self.mask.shape[2])

    def transposed(self) -> "Step":
        """With lines for lanes."""
        return replace(
            self,
            target=self.target.T,
            factors=tuple(each.transposed() for each in self.factors),
            mask=self.mask.transpose(1, 0, 2),
            kept=self.kept.T,
        )


def steps_of(function: Function, facts: Facts) -> tuple[Step, ...]:
    """The instructions in order; raises `UnsuitableError` if one is of a kind that this schedule has no code for."""
    unrolled = _Unrolled(facts)
    found = []
    for number, step in zip(count(), unrolled.region(function.body, {}), strict=False):
        if number == MOST_STEPS:
            raise UnsuitableError(f"its loops run more than {MOST_STEPS} instructions")
        found.append(step)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Unrolled:
    """A walk through a function with the numbers that loops count."""

    facts: Facts

    def region(self, region: tl.Region, loops: Mapping[str, int]) -> Iterator[Step]:
        """The steps of a region in one iteration of the loops around it."""
        for instruction in region:
            yield from self._instruction(instruction, loops)

    def _instruction(self, instruction: tl.Instruction, loops: Mapping[str, int]) -> Iterator[Step]:
        match instruction:
            case tl.Collective():
                step = self._step(instruction, loops)
                if step.kept.any():
                    yield step
            case tl.For(variable=variable, body=body):
                for number in self.facts.places.loops[variable.name]:
                    yield from self.region(body, {**loops, variable.name: number})
            case (
                tl.Alloca()
                | tl.Barrier()
                | tl.Expand()
                | tl.Fuse()
                | tl.GroupId()
                | tl.GroupSize()
                | tl.LifetimeStop()
                | tl.Size()
                | tl.Subview()
            ):
                pass
            case tl.Load(type=GroupType()):
                pass
            case tl.ArithBinary(type=ScalarType.INDEX):
                pass
            case _:
                raise UnsuitableError("it computes with single numbers")

    def _step(self, instruction: tl.Collective, loops: Mapping[str, int]) -> Step:
        product, patterns = product_of(instruction, self.facts.places).at_iteration(loops), self.facts.patterns
        (term,) = product.terms
        factors = tuple(Factor(each.base, each.positions(term.shape)) for each in term.factors)
        target, kept = product.target_positions, stored_mask(product, patterns)
        self._check(product, [*factors], target)
        mask = summands(term, patterns) & kept[:, :, None]
        return Step(instruction, product.target.base, target, instruction.alpha, instruction.beta, factors, mask, kept)

    def _check(self, product: ProductSum, factors: list[Factor], target: Positions) -> None:
        base = product.target.base
        if any(factor.base == base and np.isin(factor.positions, target).any() for factor in factors):
            raise UnsuitableError("an instruction reads what it writes")
        if np.unique(target).size < target.size:
            raise UnsuitableError("an instruction writes an entry twice")


def scalars_of(steps: tuple[Step, ...]) -> Iterator[tl.Local]:
    """The coefficients that only the launch knows."""
    for step in steps:
        for scalar in (step.alpha, step.beta):
            if isinstance(scalar.value, tl.Local):
                yield scalar.value


def is_constant(base: str, facts: Facts) -> bool:
    """True if it is an argument that all elements have together."""
    storage = facts.storages[base]
    return storage.is_argument and storage.is_uniform

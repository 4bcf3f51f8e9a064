"""A function as this form sees it."""

from collections.abc import Mapping
from dataclasses import dataclass

from einsum_front.tl_backend.instructions import Collective, Local, Operand
from einsum_front.tl_backend.schedules.batch_simd.known import Known
from einsum_front.tl_backend.schedules.batch_simd.places import Places
from einsum_front.tl_backend.schedules.batch_simd.storage import Sharing, Storages
from einsum_front.tl_backend.schedules.batch_simd.zeros import Patterns
from einsum_front.tl_backend.types import ScalarType

REGISTERS = 16
"""Vector registers of AVX2."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the names of a function stand for, and what is known of its memory.

    `known` are the numbers in memory that are known when compiling. `counts` says how many summands of each collective
    instruction may differ from zero. `registers` is how many vectors the innermost loops may keep in registers; costs
    are those with `REGISTERS`.
    """

    places: Places
    sharing: Sharing
    storages: Storages
    patterns: Patterns
    known: Known
    counts: Mapping[Collective, int]
    registers: int = REGISTERS

    @property
    def element(self) -> ScalarType:
        """The type of all entries."""
        return next(iter(self.storages.values())).element

    def is_uniform(self, base: str) -> bool:
        """Whether the memory is one for the whole batch."""
        return self.storages[base].is_uniform

    def differs(self, operand: Operand) -> bool:
        """Whether a scalar differs from lane to lane."""
        return isinstance(operand, Local) and operand.name in self.sharing.scalars

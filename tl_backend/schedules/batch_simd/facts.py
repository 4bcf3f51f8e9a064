"""A function as this schedule sees it."""

from collections.abc import Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.core.machines import GENERIC
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.schedules.batch_simd.known import Known
from einsum_front.tl_backend.schedules.batch_simd.places import Places
from einsum_front.tl_backend.schedules.batch_simd.storage import Sharing, Storages
from einsum_front.tl_backend.schedules.batch_simd.zeros import Patterns
from einsum_front.tl_backend.types import ScalarType


@dataclass(frozen=True, slots=True)
class Facts:
    """Meanings of the names of a function, and facts about its memory.

    `known` are the numbers in memory that are known when compiling. `counts` says how many summands of each collective
    instruction may differ from zero. `machine` is that of the target: what is decided here depends on its times.
    `is_outlined` if the loops are in a function of their own, with instructions that the kernel does without; `is_wide`
    if vectors have 64 bytes.
    """

    places: Places
    sharing: Sharing
    storages: Storages
    patterns: Patterns
    known: Known
    counts: Mapping[tl.Collective, int]
    machine: Machine = GENERIC
    is_outlined: bool = False
    is_wide: bool = False

    @property
    def registers(self) -> int:
        """Vectors that the innermost loops may keep in registers."""
        tables = self.machine.batch_simd.tables
        return tables.outlined if self.is_outlined else tables.wide if self.is_wide else tables.registers

    @property
    def element(self) -> ScalarType:
        """The type of all entries."""
        return next(iter(self.storages.values())).element

    def is_uniform(self, base: str) -> bool:
        """True if the memory is batch-invariant."""
        return self.storages[base].is_uniform

    def differs(self, operand: tl.Operand) -> bool:
        """True if a scalar differs from lane to lane."""
        return isinstance(operand, tl.Local) and operand.name in self.sharing.scalars

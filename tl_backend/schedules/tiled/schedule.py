"""The schedule `tiled`: what it costs, and what is worth a measurement."""

from collections.abc import Iterator
from functools import cached_property
from math import inf, prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.analysis.contraction import Contraction, size
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.schedule import (
    Cost,
    Plan,
    Reason,
    Rivals,
    Schedule,
    Subject,
    complex_contraction_of,
)
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, PART, Sizes, choose_sizes
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning, blocks
from einsum_front.tl_backend.traverse import is_batched

FEWEST = 4 * ITEMS**3
"""Multiplications of a contraction without a batch from which on it is worth several work-groups."""

FEWEST_OF_COMPLEX = {True: 4 * 16**3, False: 4 * 24**3}
"""Multiplications of a product of complex numbers in a batch, with and without tensor cores.

Of fewer, other schedules turn one factor in memory.
"""

FULL = 0.6
"""Share of what tiles with matrices multiply that a small contraction has to ask for: the rest is zeros."""

MOST_PARTS = 256
"""Parts of a sum that are added one after the other: more have partial sums in `work_group`."""

TILES = blocks("2x2 2x4 4x2 4x4 8x4 4x8 8x8")
"""Blocks of a work-item."""

EDGES = (1, 2, 4, 8)
"""Rows and columns of a block: so many depths of a panel are copied by one step of all work-items."""


@dataclass(frozen=True)
class TiledPlan:
    """A function that is this contraction, cut as `sizes` says."""

    function: Function
    target: Target
    contraction: Contraction
    sizes: Sizes
    kind: ScheduleKind = ScheduleKind.TILED

    @property
    def least(self) -> float:
        """The cost is quickly found."""
        return self.cost.time

    @cached_property
    def cost(self) -> Cost:
        """Multiplications, spread over compute units; small elements of a batch keep these busy by themselves."""
        of, launch = self.contraction, self.target.machine.launch
        least = launch.element if is_batched(self.function) else FEWEST
        if of.turn:
            least = FEWEST_OF_COMPLEX[self.sizes.matrices is not None]
        if of.multiplications < least and not self._fills_matrices:
            return Cost(inf, f"{of.multiplications} multiplications are not worth tiles")
        busy = min(self.sizes.groups, self.target.compute_units)
        return Cost(
            self.target.machine.packed.in_panels * of.multiplications / max(2, busy),
            f"{of.multiplications} multiplications in {self.sizes.groups} tiles",
        )

    @property
    def _fills_matrices(self) -> bool:
        """True for an element of a batch that tensor cores are for: its tiles are whole, or nearly so."""
        return self.sizes.matrices is not None and self.contraction.multiplications >= FULL * self.issued

    @property
    def issued(self) -> int:
        """Tiles and panels are always whole."""
        depths = -(-self.sizes.orders.depths.count // ITEMS) * ITEMS
        return self.sizes.groups * self.sizes.tile_rows * self.sizes.tile_columns * depths

    def why(self, _rivals: Rivals) -> str:
        """They are many."""
        return self.cost.counted

    def explained(self) -> Iterator[str]:
        """Tiles, panels and the blocks of work-items."""
        from einsum_front.tl_backend.schedules.tiled.explain import explain  # noqa: PLC0415 - most plans are rivals, and print nothing

        return explain(self.contraction, self.sizes)

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel: a work-group for each tile."""
        from einsum_front.tl_backend.schedules.tiled.lower import lower  # noqa: PLC0415 - most plans are rivals, and make no code

        return lower(self.function, self.contraction, self.sizes, self.target, taken)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """Any contraction of known sizes, where work-items are many."""
    function, target = subject.function, subject.target
    if target.is_cpu:
        return Reason(f"{target.name} is a CPU", is_of_device=True)
    if prod(function.work_items) > 1 or function.subgroup_size is not None:
        return Reason("the function asks for work-groups of its own")
    if target.max_work_group_size < ITEMS**2:
        return Reason(f"{target.name} has no work-groups of {ITEMS**2} work-items")
    if tuning.block is not None and not {tuning.block.rows, tuning.block.columns} <= set(EDGES):
        return Reason(f"a block has {', '.join(map(str, EDGES[:-1]))} or {EDGES[-1]} rows, and as many columns")
    found = function.get(complex_contraction_of)
    if isinstance(found, Reason):
        return found
    function, contraction = found
    if (parts := -(-size(contraction.depths) // PART)) > MOST_PARTS:
        return Reason(f"the sums of {parts} parts would be added one after the other")
    sizes = choose_sizes(contraction, target, tuning.block, is_alone=not is_batched(function))
    if sizes.entries * size_of(REGISTER[contraction.element]) > target.local_memory:
        return Reason("the local memory of a work-group is too small")
    return TiledPlan(function, target, contraction, sizes)


def candidates(function: Function, target: Target) -> Iterator[Tuning]:
    """Blocks of a work-item; where there is a batch, only the one that the model takes."""
    if not target.is_cpu:
        yield Tuning(ScheduleKind.TILED)
        for block in () if is_batched(function) else TILES:
            yield Tuning(ScheduleKind.TILED, block)


TILED = Schedule(ScheduleKind.TILED, analyse, candidates)

"""The schedule `packed`: what it costs, and what is worth a measurement."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from math import inf, prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.contraction import Contraction, size
from einsum_front.tl_backend.analysis.epilogue import Epilogue, find_epilogue, memory_of
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.lowering.product import MATRIX
from einsum_front.tl_backend.schedules.packed.sizes import Sizes, choose_sizes, panel_bytes
from einsum_front.tl_backend.schedules.schedule import Cost, Plan, Reason, Rivals, Schedule, Subject, contraction_of
from einsum_front.tl_backend.schedules.tuning import MANY_REGISTERS, ScheduleKind, Tuning, blocks

MOST_PANELS = 256
"""Panels of depths whose sums a tile adds to its target one after the other: more have partial sums in `work_group`."""

FEWEST_ROWS = 4
"""Rows and columns of the target that a contraction must have, or else its copies would be used too rarely."""

TILES = blocks("2x4 2x6 3x4 4x2")
"""Blocks of vectors in the micro-kernel."""

TILES_WIDE = blocks("2x8 2x12 3x8 4x6")
"""The same for thirty-two registers."""


@dataclass(frozen=True)
class PackedPlan:
    """A function that is this contraction, cut as `sizes` says, and then maybe loops over its entries."""

    function: Function
    target: Target
    contraction: Contraction
    sizes: Sizes
    epilogue: Epilogue | None = None
    kind: ScheduleKind = ScheduleKind.PACKED

    @property
    def least(self) -> float:
        """The cost is quickly found."""
        return self.cost.time

    @cached_property
    def cost(self) -> Cost:
        """Multiplications of panels; an element with very many keeps several compute units busy."""
        of = self.contraction
        fewest = self.target.machine.packed.fewest * self.target.vector_width(REGISTER[of.element]) ** 2
        edge = min(size(of.rows), size(of.columns))
        if of.multiplications < fewest or edge < FEWEST_ROWS:
            return Cost(inf, f"{of.multiplications} multiplications are not worth packing")
        units = max(2, self.target.compute_units) if of.multiplications > self.target.machine.launch.element else 1
        return Cost(
            self.target.machine.packed.in_panels * of.multiplications / units,
            f"{of.multiplications} multiplications for an element",
        )

    @property
    def issued(self) -> int:
        """Blocks of the micro-kernel are always whole."""
        of, cut = self.contraction, self.sizes
        rows = -(-cut.orders.rows.count // cut.rows) * cut.rows
        columns = -(-cut.orders.columns.count // cut.columns) * cut.columns
        return rows * columns * size(of.depths) * size(of.shared)

    def why(self, _rivals: Rivals) -> str:
        """They are many."""
        return self.cost.counted

    def explained(self) -> Iterator[str]:
        """Tiles, panels and the micro-kernel."""
        from einsum_front.tl_backend.schedules.packed.explain import explain  # noqa: PLC0415 - most plans are rivals, and print nothing

        return explain(self.contraction, self.sizes, self.epilogue)

    def lower(self, taken: frozenset[str]) -> Kernel:
        """The kernel: a work-group for each tile."""
        from einsum_front.tl_backend.schedules.packed.lower import lower  # noqa: PLC0415 - most plans are rivals, and make no code

        return lower(self.function, self.contraction, self.sizes, self.target, taken, self.epilogue)


def analyse(subject: Subject, tuning: Tuning) -> Plan | Reason:
    """Any contraction whose panels fit, on a CPU; see the faults of NVIDIA's compiler in `docs/runtime.md`."""
    function, target = subject.function, subject.target
    if not target.is_cpu:
        return Reason(f"{target.name} has no caches of its own for panels", is_of_device=True)
    if prod(function.work_items) > 1 or function.subgroup_size is not None:
        return Reason("the function asks for work-groups of its own")
    contraction, epilogue = subject.function.get(contraction_of), None
    if isinstance(contraction, Reason):
        found = _with_epilogue(function)
        if found is None:
            return contraction
        contraction, epilogue = found
    sizes = choose_sizes(contraction, target, tuning.block)
    if (panels := -(-size(contraction.depths) // sizes.depth)) > MOST_PANELS:
        return Reason(f"the sums of {panels} panels would be added one after the other")
    if panel_bytes(sizes, contraction) > target.private_memory:
        return Reason("the memory of a work-item is too small")
    return PackedPlan(function, target, contraction, sizes, epilogue)


def _with_epilogue(function: Function) -> tuple[Contraction, Epilogue] | None:
    """The contraction in front of loops over the entries of its target, of which rows and columns are one mode each."""
    body = [each for each in function.body if not isinstance(each, tl.Barrier | tl.LifetimeStop)]
    last = body.pop() if body else None
    if not isinstance(last, tl.For | tl.Foreach):
        return None
    contraction = contraction_of(replace(function, body=tuple(body)))
    if isinstance(contraction, Reason):
        return None
    targets = {each.instruction.target.value.name for each in contraction.products}
    indices = sorted(each.name for each in (*contraction.rows, *contraction.columns))
    is_matrix = indices == sorted(f".{axis.letter}" for axis in MATRIX) and not contraction.shared
    if len(targets) != 1 or not is_matrix or len(contraction.rows) != 1:
        return None
    epilogue = find_epilogue(contraction.products[-1].instruction.target, last, memory_of(function))
    return None if epilogue is None else (contraction, epilogue)


def candidates(_function: Function, target: Target) -> Iterator[Tuning]:
    """Blocks of the micro-kernel; work-items of GPUs have no room for panels."""
    if target.is_cpu:
        yield Tuning(ScheduleKind.PACKED)
        for block in TILES_WIDE if target.vector_registers >= MANY_REGISTERS else TILES:
            yield Tuning(ScheduleKind.PACKED, block)


PACKED = Schedule(ScheduleKind.PACKED, analyse, candidates)

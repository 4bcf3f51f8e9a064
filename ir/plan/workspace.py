"""The steps of a kernel so far and the temporaries that they use."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from einsum_front.core.coefficient import ONE, ZERO, Coefficient
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, capacity, product
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.index import IterationSpace
from einsum_front.ir.plan.cost import Cost
from einsum_front.ir.plan.pattern import Box
from einsum_front.ir.plan.pending import PendingStep, Target, step_of
from einsum_front.ir.plan.placement import Placement
from einsum_front.ir.plan.plan import Gathering, Step
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir


def temporary_of(name: str, element_type: ElementType, box: Box, origin: Origin = ()) -> Tensor:
    """The memory for a box; a dynamic extent has room for the most that it can be."""
    shape = tuple(stop - start for start, stop in box)
    strides = yir.packed_strides(tuple(map(capacity, shape)))
    return Tensor(name, element_type, Storage.TEMPORARY, shape, strides, origin=origin)


class Workspace:
    """Takes steps and hands out memory for one statement after the other; `fresh` makes names from a stem.

    `max_temporary` are the bytes that a temporary should not exceed.
    """

    def __init__(self, fresh: Callable[[str], str], max_temporary: float) -> None:
        self.steps: list[Step] = []
        self.temporaries: list[Tensor] = []
        self._fresh = fresh
        self._max_temporary = max_temporary
        self._element_type = ElementType.F64
        self._origin: Origin = ()

    def begin(self, element_type: ElementType, origin: Origin) -> None:
        """A statement begins: its temporaries have this element type, its fills this origin."""
        self._element_type = element_type
        self._origin = origin

    @property
    def largest(self) -> float:
        """The entries that a temporary should not exceed."""
        return self._max_temporary / self._element_type.size

    @contextmanager
    def set_aside(self) -> Iterator[list[Step]]:
        """Steps made inside go to the list that is given, not to the kernel."""
        outside, self.steps = self.steps, []
        yield self.steps
        self.steps = outside

    def emit(self, pending: PendingStep, target: Target, beta: Coefficient, added: Extent = 0) -> None:
        """A step for `target := pending + beta * target`; `added` operations on nonzero entries are for adding."""
        step = step_of(pending, target, beta, added, self._element_type.size)
        self.steps.append(replace(step, statement=self._origin))

    def fill(self, alpha: Coefficient, beta: Coefficient, target: Target, operations: Extent = 0) -> None:
        """Steps for `target := alpha + beta * target`."""
        pending = PendingStep((), {}, (), alpha, 0, self._origin)
        self.emit(pending if target.takes(pending) else self.through_temporary(pending), target, beta, operations)

    def through_temporary(self, pending: PendingStep) -> PendingStep:
        """Compute a pending step; what is left is a copy."""
        target = self.temporary(pending.result, tuple(pending.ranges[name] for name in pending.result))
        self.emit(pending, target, ZERO)
        return self.copy_of(target)

    def copy_of(self, source: Target) -> PendingStep:
        """A pending step that copies all of a target."""
        operand = (source.placement, source.indices)
        return PendingStep((operand,), source.ranges, source.indices, ONE, 0, self._origin)

    def gather(self, gathering: Gathering, space: IterationSpace, origin: Origin) -> Target:
        """Entries of arguments where integers say, staged in a new buffer."""
        target = self.temporary(space.result_map, tuple((0, size) for size in space.result_shape))
        moved = product(space.result_shape) * self._element_type.size
        cost = Cost(read=moved, written=moved)
        step = Step(space, (), target.view(), ONE, ZERO, cost, origin=origin, gathering=gathering)
        self.steps.append(replace(step, statement=self._origin))
        return target

    def temporary(self, indices: tuple[str, ...], box: Box) -> Target:
        """A new buffer for a box, walked by the indices."""
        name = self._fresh("tmp")
        self.temporaries.append(temporary_of(name, self._element_type, box))
        return Target(Placement.of_box(name, box), indices, dict(zip(indices, box, strict=True)))

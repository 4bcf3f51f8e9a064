"""Work for the elements in the lanes: pointers to them, loads, steps and stores."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import Group, Value, View
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, LoopPrefetch, no_prefetch
from einsum_front.tl_backend.schedules.batch_simd.flow import Flow
from einsum_front.tl_backend.schedules.batch_simd.gathered import Gathering, load_pieces
from einsum_front.tl_backend.schedules.batch_simd.planned import LoopPlan, PlannedStep, fusions_of
from einsum_front.tl_backend.schedules.batch_simd.prefetch import Stream, Turn, plan_prefetches
from einsum_front.tl_backend.schedules.batch_simd.region import lower_product, lower_step
from einsum_front.tl_backend.schedules.batch_simd.steps import users_of
from einsum_front.tl_backend.schedules.batch_simd.transfer import (
    FusedTransfer,
    Runs,
    Transfer,
    clear,
    load,
    loaded_runs,
    store,
    stored_runs,
)
from einsum_front.tl_backend.schedules.lowering.context import element_address
from einsum_front.tl_backend.schedules.positions.pieces import numbers_of
from einsum_front.tl_backend.schedules.positions.product import ProductSum


@dataclass(frozen=True, slots=True)
class Batch:
    """The arguments as the kernel gets them, and the C names of the first element in the lanes and of their number."""

    parameters: Mapping[str, Value]
    element: tree.Name
    elements: tree.Name


def lower_block(plan: LoopPlan, batch: Batch, transpose: str, target: Target, context: LaneContext) -> tree.Statements:
    """The statements for one element in each lane; what is done once goes to what the context hoists."""
    return _Block(plan, batch, transpose, target, context.inner()).statements()


class _Block:
    """The steps while they become statements."""

    def __init__(self, plan: LoopPlan, batch: Batch, transpose: str, target: Target, context: LaneContext) -> None:
        self._batch = batch
        self._target = target
        self._transposed = target.machine.batch_simd.transposed
        self._context = context
        self._lanes = [tree.Name(context.names.fresh(f"lane{lane}")) for lane in range(context.width)]
        self._flows, self._steps = plan.flows, plan.steps
        fused = fusions_of(plan.steps)
        whole = [flow for flow in plan.flows if flow.base not in fused]
        self._transfers = {flow.base: self._transfer(flow.base, transpose) for flow in self._flows}
        self._loads = {
            flow.base: loaded_runs(flow.needed, context.arrays[flow.base].room, context.width)
            for flow in whole
            if flow.needed.any() and not context.facts.is_staged(flow.base)
        }
        self._stores = {flow.base: stored_runs(flow.written, context.width) for flow in whole if flow.written.any()}
        self._whole = whole
        self._gathering = Gathering(batch.parameters, self._lanes, self._context)
        users = users_of(planned.step for planned in plan.steps)
        self._first = {base: users[base][0] for base in context.facts.gathers if base in users}
        self._prefetches = iter(self._plan_prefetches())

    def statements(self) -> tree.Statements:
        """Everything in order."""
        for flow in self._whole:
            self._context.hoisted.extend(clear(flow.idle, self._transfers[flow.base]))
        body = [*self._declare_lanes()]
        for base in self._transfers:
            body += self._declare_pointers(base)
        for base in self._loaded_first():
            body.append(self._load(base))
        for number, step in enumerate(self._steps):
            body += self._gathered_before(number)
            body += self._step(step)
            body += map(self._store, self._stored_behind(number))
        return tuple(body)

    def _step(self, planned: PlannedStep) -> tree.Statements:
        action = planned.step.action
        if not isinstance(action, ProductSum):
            return lower_step(planned, self._context)
        loops = [(loop, next(self._prefetches)) for loop in planned.loops]
        fused = [FusedTransfer(fusion, self._transfers[fusion.base]) for fusion in planned.fusions]
        return lower_product(action, loops, self._context, fused)

    def _loaded_first(self) -> list[str]:
        """What is loaded before all steps."""
        return [base for base in self._loads if base not in self._first]

    def _load(self, base: str) -> tree.Statement:
        return tree.Section((f"load %{base}",), load(self._loads[base], self._transfers[base], next(self._prefetches)))

    def _gathered_before(self, number: int) -> Iterator[tree.Statement]:
        """Loads of what the step with this number is the first to use: its memory is free again soon."""
        for flow in self._flows:
            if self._first.get(flow.base) != number:
                continue
            if flow.base in self._loads:
                yield self._load(flow.base)
            elif self._context.facts.is_staged(flow.base):
                pieces = self._context.facts.gathers[flow.base]
                loads = load_pieces(pieces, flow.needed, self._transfers[flow.base], self._gathering)
                yield tree.Section((f"load %{flow.base}",), loads)

    def _stored_behind(self, number: int) -> list[Flow]:
        """Flows that are stored behind the step with this number."""
        return [flow for flow in self._flows if flow.last == number and flow.base in self._stores]

    def _store(self, flow: Flow) -> tree.Statement:
        statements = store(self._stores[flow.base], flow.beta, self._transfers[flow.base], next(self._prefetches))
        return tree.Section((f"store %{flow.base}",), statements)

    # -- elements ------------------------------------------------------------------------------------------------------

    def _declare_lanes(self) -> Iterator[tree.Statement]:
        """The element in each lane; behind the last one it is repeated."""
        last = index.subtract(self._batch.elements, index.ONE)
        for number, lane in enumerate(self._lanes):
            element = index.add(self._batch.element, index.constant(number))
            yield tree.Declare(Scalar.I64, lane.text, element if number == 0 else index.minimum(element, last))

    def _transfer(self, base: str, transpose: str) -> Transfer:
        hint = self._context.arrays[base].name.removesuffix("_lanes")
        hints = [f"{hint}_{lane}" for lane in range(self._context.width)]
        pointers = tuple(map(tree.Name, map(self._context.names.fresh, hints)))
        return Transfer(base, pointers, transpose, self._context, REGISTER[self._context.facts.stored_as(base)])

    def _declare_pointers(self, base: str) -> Iterator[tree.Statement]:
        """Where the elements in the lanes are, or what they gather; what is staged has pointers for each piece."""
        facts = self._context.facts
        if base in facts.gathers:
            if not facts.is_staged(base):
                (piece,) = facts.gathers[base]
                offsets = {number: index.constant(number.offset) for number in numbers_of(piece)}
                yield from self._gathering.pointers(piece, self._transfers[base].pointers, offsets)
            return
        value, mode = self._batch.parameters[base], self._context.facts.places.batch_modes[base]
        for pointer, lane in zip(self._transfers[base].pointers, self._lanes, strict=True):
            address = element_address(value, mode, lane)
            assert isinstance(value, View | Group)  # the address of a scalar is an error
            yield tree.Declare(replace(value.pointer, is_restrict=False), pointer.text, address)

    # -- prefetching ---------------------------------------------------------------------------------------------------

    def _plan_prefetches(self) -> list[LoopPrefetch]:
        """Prefetches of each loop, in the order of the loops."""
        turns, streams = list(self._turns()), list(self._streams())
        if not self._target.has_prefetch:
            return [no_prefetch] * len(turns)
        return plan_prefetches(streams, turns, self._context)

    def _turns(self) -> Iterator[Turn]:
        """All loops that run for a block."""
        yield from (self._transposing(self._loads[base]) for base in self._loaded_first())
        for number, step in enumerate(self._steps):
            gathered = (base for base, first in self._first.items() if first == number and base in self._loads)
            yield from (self._transposing(self._loads[base]) for base in gathered)
            yield from (Turn(loop.iterations, loop.work + self._fused_work(loop, step)) for loop in step.loops)
            yield from (self._transposing(self._stores[flow.base]) for flow in self._stored_behind(number))

    def _fused_work(self, loop: Loop, step: PlannedStep) -> int:
        """The vectors that a loop transposes besides."""
        mine = (fusion for fusion in step.fusions if fusion.base in loop.bases)
        return loop.iterations * sum(fusion.runs.work(self._context.width, self._transposed) for fusion in mine)

    def _transposing(self, runs: Runs) -> Turn:
        """A loop over vectors that are transposed."""
        return Turn(len(runs.vectors), runs.work(self._context.width, self._transposed))

    def _streams(self) -> Iterator[Stream]:
        for flow in (flow for flow in self._flows if flow.base not in self._first):
            view, mode = self._batch.parameters[flow.base], self._context.facts.places.batch_modes[flow.base]
            distance = view.strides[mode] if isinstance(view, View) and mode is not None else None
            if isinstance(distance, tree.Integer):
                yield Stream(flow, self._transfers[flow.base].pointers[0], distance.value)

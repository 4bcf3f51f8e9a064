"""What is done for the elements in the lanes: pointers to them, loads, steps and stores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from diagnostics import CompilerBug
from tl_backend.opencl import index
from tl_backend.opencl.lanes.collective import Ahead, Loop, nothing
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.lanes.flow import Flow
from tl_backend.opencl.lanes.planned import PlannedStep
from tl_backend.opencl.lanes.prefetch import Stream, plan_prefetches
from tl_backend.opencl.lanes.product import Product
from tl_backend.opencl.lanes.region import lower_product, lower_step
from tl_backend.opencl.lanes.transfer import Transfer, clear, load, store
from tl_backend.opencl.target import Target
from tl_backend.opencl.tree import (
    Call,
    Cast,
    Declare,
    Expression,
    Integer,
    Name,
    Scalar,
    Section,
    Statement,
    Statements,
    Subscript,
)
from tl_backend.opencl.view import Group, Value, View


@dataclass(frozen=True, slots=True)
class Batch:
    """The arguments as the kernel gets them, and the C names of the first element in the lanes and of their number."""

    parameters: Mapping[str, Value]
    element: Name
    elements: Name


def lower_block(
    steps: Sequence[PlannedStep], flows: Sequence[Flow], batch: Batch, transpose: str, target: Target, context: Context
) -> Statements:
    """The statements for one element in each lane; what is done once goes to what the context hoists."""
    return _Block(steps, flows, batch, transpose, target, context.inner()).statements()


class _Block:
    """The steps while they become statements."""

    def __init__(
        self,
        steps: Sequence[PlannedStep],
        flows: Sequence[Flow],
        batch: Batch,
        transpose: str,
        target: Target,
        context: Context,
    ) -> None:
        self._batch = batch
        self._target = target
        self._context = context
        self._lanes = [Name(context.names.fresh(f"lane{lane}")) for lane in range(context.width)]
        self._flows = flows
        self._transfers = {flow.base: self._transfer(flow.base, transpose) for flow in self._flows}
        self._steps = steps
        self._ahead = self._plan_ahead()

    def statements(self) -> Statements:
        """Everything in order."""
        for flow in self._flows:
            self._context.hoisted.extend(clear(flow.idle, self._transfers[flow.base]))
        body = [*self._declare_lanes()]
        for base in self._transfers:
            body += self._declare_pointers(base)
        for flow in self._flows:
            body += self._load(flow)
        for number in range(len(self._steps)):
            body += self._step(number)
            body += self._stores(number)
        return tuple(body)

    def _step(self, number: int) -> Statements:
        step, loops = self._steps[number].step, self._steps[number].loops
        if not isinstance(step.action, Product):
            return lower_step(step, self._context)
        first = sum(len(before.loops) for before in self._steps[:number])
        ahead = self._ahead[first : first + len(loops)]
        return lower_product(step.action, list(zip(loops, ahead, strict=True)), self._context)

    def _load(self, flow: Flow) -> Iterator[Statement]:
        if flow.needed.any():
            yield Section((f"load %{flow.base}",), load(flow.needed, self._transfers[flow.base]))

    def _stores(self, number: int) -> Iterator[Statement]:
        for flow in self._flows:
            if flow.last == number and flow.written.any():
                yield Section((f"store %{flow.base}",), store(flow.written, flow.beta, self._transfers[flow.base]))

    # -- elements ------------------------------------------------------------------------------------------------------

    def _declare_lanes(self) -> Iterator[Statement]:
        """The element in each lane; behind the last one it is repeated."""
        last = index.subtract(self._batch.elements, index.ONE)
        for number, lane in enumerate(self._lanes):
            element = index.add(self._batch.element, index.constant(number))
            yield Declare(Scalar.LONG, lane.text, element if number == 0 else Call("min", (element, last)))

    def _transfer(self, base: str, transpose: str) -> Transfer:
        wish = self._context.arrays[base].name.removesuffix("_lanes")
        pointers = tuple(Name(self._context.names.fresh(f"{wish}_{lane}")) for lane in range(self._context.width))
        return Transfer(base, pointers, transpose, self._context)

    def _declare_pointers(self, base: str) -> Iterator[Statement]:
        """Where the elements in the lanes are."""
        for pointer, lane in zip(self._transfers[base].pointers, self._lanes, strict=True):
            match self._batch.parameters[base]:
                case View(base=start) as view:
                    address = index.add(start, index.multiply(lane, self._distance(base, view)))
                    yield Declare(replace(view.pointer, is_restrict=False), pointer.text, address)
                case Group(addresses=addresses, offset=offset) as group:
                    address = index.add(Cast(group.pointer, Subscript(addresses, lane)), offset)
                    yield Declare(group.pointer, pointer.text, address)
                case _:
                    raise CompilerBug("an argument that is one for each element is a scalar")

    def _distance(self, base: str, view: View) -> Expression:
        """Entries from one element to the next."""
        mode = self._context.facts.places.batch_modes[base]
        if mode is None:
            raise CompilerBug("a batch without a mode for its elements")
        return view.strides[mode]

    # -- prefetching ---------------------------------------------------------------------------------------------------

    def _plan_ahead(self) -> list[Ahead]:
        """What each loop asks for."""
        loops: list[Loop] = [loop for each in self._steps for loop in each.loops]
        streams, function = list(self._streams()), self._target.prefetch
        if function is None:
            return [nothing] * len(loops)
        return plan_prefetches(streams, loops, function, self._context)

    def _streams(self) -> Iterator[Stream]:
        for flow in self._flows:
            view = self._batch.parameters[flow.base]
            distance = self._distance(flow.base, view) if isinstance(view, View) else None
            if isinstance(distance, Integer):
                yield Stream(flow, self._transfers[flow.base].pointers[0], distance.value)

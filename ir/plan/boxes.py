"""Arguments whose memory has a box of their entries only: the plan of whole tensors, on the memory that there is.

    buffer K: 20 x 20, zero from column 10 on        buffer K: 20 x 10
    K[k, l+0]   k=20 l=10                            K[k, l+0]
    buffer D: 20 x 9, zero up to row 3               buffer D: 16 x 9, strides 1, 16
    D[k+4, p]   k=16 p=9                             D[k+0, p]

Steps are cut to the entries that may differ from zero, so views of an argument seldom leave the box around them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.plan.plan import Buffer, Plan, Step, View
from einsum_front.ir.tensor import Tensor, pattern_of


@dataclass(frozen=True, slots=True)
class Box:
    """The positions of a tensor that its memory has: `shape` many from `starts` on, `strides` entries apart."""

    starts: tuple[int, ...]
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def stays_inside(plan: Plan, buffer: str, box: Box) -> bool:
    """True if no step reads or writes the buffer outside of the box, in the prologue neither."""
    own = all(_is_inside(view, step, box) for step, view in _views(plan) if view.buffer == buffer)
    return own and (plan.prologue is None or stays_inside(plan.prologue, buffer, box))


def in_boxes(plan: Plan, boxes: Mapping[str, Box]) -> Plan:
    """The plan and its prologue on memory that has these boxes of some arguments; no step may leave them."""
    if any(view.buffer in boxes and not _is_inside(view, step, boxes[view.buffer]) for step, view in _views(plan)):
        raise CompilerBug(f"a step of `{plan.name}` leaves the box of an argument")
    buffers = tuple(_stored(buffer, boxes.get(buffer.tensor.name)) for buffer in plan.buffers)
    steps = tuple(_moved(step, boxes) for step in plan.steps)
    prologue = None if plan.prologue is None else in_boxes(plan.prologue, boxes)
    return replace(plan, buffers=buffers, steps=steps, prologue=prologue)


def without_unused(plan: Plan) -> Plan:
    """The plan without known tensors that no step uses: they are none of its arguments any more."""
    buffers = (buffer for buffer in plan.buffers if buffer.first is not None or buffer.tensor.values is None)
    return replace(plan, buffers=tuple(buffers))


def of_one_element(plan: Plan) -> Plan:
    """The plan for a batch of one: arguments have no batch mode. Known tensors that no step uses are none any more."""
    plan = without_unused(plan)
    return replace(plan, buffers=tuple(map(_alone, plan.buffers)))


def _alone(buffer: Buffer) -> Buffer:
    return buffer if buffer.is_temporary else replace(buffer, tensor=replace(buffer.tensor, storage=Storage.CONSTANT))


def _views(plan: Plan) -> Iterator[tuple[Step, View]]:
    for step in plan.steps:
        for view in (*step.operands, step.target):
            yield step, view


def _is_inside(view: View, step: Step, box: Box) -> bool:
    for part, start, extent in zip(view.parts, box.starts, box.shape, strict=True):
        first, length = (part.position, 1) if isinstance(part, cg.At) else (part.offset, step.space.extents[part.index])
        if not isinstance(length, int) or not start <= first <= first + length <= start + extent:
            return False
    return True


def _stored(buffer: Buffer, box: Box | None) -> Buffer:
    return buffer if box is None else replace(buffer, tensor=_part(buffer.tensor, box))


def _part(tensor: Tensor, box: Box) -> Tensor:
    """The box as a tensor of its own."""
    if tensor.values is not None:
        raise CompilerBug(f"`{tensor.name}` is known, and no argument with memory")
    ranges = [(start, start + size) for start, size in zip(box.starts, box.shape, strict=True)]
    pattern = pattern_of(tensor).part(ranges)
    return replace(tensor, shape=box.shape, strides=box.strides, nonzeros=None if pattern.is_full else pattern)


def _moved(step: Step, boxes: Mapping[str, Box]) -> Step:
    operands = tuple(_seen(view, boxes.get(view.buffer)) for view in step.operands)
    return replace(step, operands=operands, target=_seen(step.target, boxes.get(step.target.buffer)))


def _seen(view: View, box: Box | None) -> View:
    if box is None:
        return view
    return replace(view, parts=tuple(map(_shifted, view.parts, box.starts)))


def _shifted(part: cg.Part, start: int) -> cg.Part:
    match part:
        case cg.Along(index=index, offset=offset):
            return cg.Along(index, offset - start)
        case cg.At(position=position):
            return cg.At(position - start)

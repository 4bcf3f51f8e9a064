"""Regions: one match over all instructions, and those that hold regions themselves."""

from dataclasses import replace
from functools import partial

from einsum_front.core.diagnostics import Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.schedules.lowering.product import Bounds
from einsum_front.tl_backend.schedules.lowering.region import lower_branch, lower_for, lower_value, unrolling
from einsum_front.tl_backend.schedules.work_group.collective import lower_collective
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.schedules.work_group.epilogue import epilogue_of, without_epilogues
from einsum_front.tl_backend.schedules.work_group.memory import lower_alloca
from einsum_front.tl_backend.schedules.work_group.scratch import wait_for_all
from einsum_front.tl_backend.schedules.work_group.vector_loops import lower_vector_loop


def lower_region(region: tl.Region, context: GroupContext) -> tree.Statements:
    """The instructions in a scope of their own, each under a comment that names it."""
    inner = context.inner()
    return tuple(
        tree.Section(_comment(instruction, inner), statements, _origin(instruction, inner))
        for instruction in without_epilogues(region, inner.strategies)
        if (statements := lower_instruction(instruction, inner))
    )


def _comment(instruction: tl.Instruction, context: GroupContext) -> tuple[str, ...]:
    """It names what is done in the registers of a product, too."""
    epilogue = epilogue_of(instruction, context.strategies)
    inside = () if epilogue is None else epilogue.body
    return tuple(line for each in (instruction, *inside) for line in comment(each))


def _origin(instruction: tl.Instruction, context: GroupContext) -> Origin:
    epilogue = epilogue_of(instruction, context.strategies)
    inside = () if epilogue is None else epilogue.body
    return tuple(dict.fromkeys(span for each in (instruction, *inside) for span in each.origin))


def lower_instruction(instruction: tl.Instruction, context: GroupContext) -> tree.Statements:
    """The statements of one instruction; none if all it says is known when compiling.

    Where some work-items have no element, they leave out what writes memory; what barriers are for stands in between.
    """
    statements = _lower(instruction, context)
    is_element = context.is_element
    if is_element is None or not statements or not isinstance(instruction, tl.Collective | tl.Store | tl.Foreach):
        return statements
    return (tree.If(is_element, statements),)


def _lower(instruction: tl.Instruction, context: GroupContext) -> tree.Statements:
    match instruction:
        case (
            tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId()
            | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Store() | tl.Subview()
        ):  # fmt: skip
            return lower_value(instruction, context)
        case tl.Alloca():
            return lower_alloca(instruction, context)
        case tl.Collective():
            return lower_collective(instruction, context)
        case tl.If():
            return lower_branch(instruction, context, lambda branch: lower_region(branch, context))
        case tl.For():
            return _for(instruction, context)
        case tl.Foreach():
            return _foreach(instruction, context)
        case tl.Barrier():
            return _barrier(context)
        case tl.LifetimeStop() | tl.Yield():
            return ()


def _barrier(context: GroupContext) -> tree.Statements:
    """One work-item alone has nobody to wait for."""
    return () if context.items.count == 1 else (wait_for_all(is_local=not context.has_global_fences),)


def _for(instruction: tl.For, context: GroupContext) -> tree.Statements:
    start, stop, step = map(context.index, (instruction.start, instruction.stop, instruction.step))
    return (_loop(instruction, (start, stop, step), context),)


def _foreach(instruction: tl.Foreach, context: GroupContext) -> tree.Statements:
    """Work-item n of N runs every N-th iteration, from the n-th on, alone; one that is alone may do so in vectors."""
    if (vectors := context.loops.get(instruction)) is not None:
        return lower_vector_loop(instruction, vectors, context.alone())
    start, stop = map(context.index, (instruction.start, instruction.stop))
    if context.items.count > 1 and not isinstance(start, tree.Integer):
        start = scalar.convert(start, scalar.REGISTER[instruction.type], Scalar.I64)  # so that the sum does not wrap
    step = index.constant(context.items.count)
    loop = _loop(instruction, (index.add(start, context.items.number), stop, step), context.alone())
    return (replace(loop, unroll=unrolling(instruction.body, context)),)


def _loop(instruction: tl.For | tl.Foreach, bounds: Bounds, context: GroupContext) -> tree.For:
    """A narrow variable that counts by more than 1 could wrap around before the end: a wide one counts for it."""
    is_wider = bounds[2] != index.ONE and instruction.type.bits < 64
    counter = Scalar.I64 if is_wider else scalar.REGISTER[instruction.type]
    body = partial(lower_region, instruction.body)
    return lower_for(instruction, counter, bounds, context, body, is_wider=is_wider)

"""Steps in C, one match over all instructions."""

from collections.abc import Sequence
from functools import partial

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import comment
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop, lower_loop
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext, LoopPrefetch, no_prefetch
from einsum_front.tl_backend.schedules.batch_simd.planned import PlannedStep
from einsum_front.tl_backend.schedules.batch_simd.transfer import FusedTransfer
from einsum_front.tl_backend.schedules.lowering.region import lower_branch, lower_for, lower_on_values
from einsum_front.tl_backend.schedules.positions.product import ProductSum

Steps = Sequence[PlannedStep]


def lower_product(
    product: ProductSum,
    loops: Sequence[tuple[Loop, LoopPrefetch]],
    context: LaneContext,
    fused: Sequence[FusedTransfer] = (),
) -> tree.Statements:
    """The loops of a product, under a comment that names the instructions it stands for."""
    lines = tuple(line for instruction in product.instructions for line in comment(instruction))
    statements = tuple(
        statement for loop, prefetch in loops for statement in lower_loop(loop, context, prefetch, fused)
    )
    # the last is named first: it is the one that stores
    origin = dict.fromkeys(span for instruction in reversed(product.instructions) for span in instruction.origin)
    return (tree.Section(lines, statements, tuple(origin)),)


def lower_step(planned: PlannedStep, context: LaneContext) -> tree.Statements:
    """The statements of a step, under a comment that names it."""
    action = planned.step.action
    if isinstance(action, ProductSum):
        return lower_product(action, [(loop, no_prefetch) for loop in planned.loops], context)
    statements = lower_instruction(action, planned.inner, context)
    return (tree.Section(comment(action), statements, action.origin),) if statements else ()


def lower_instruction(instruction: tl.Instruction, inner: Sequence[Steps], context: LaneContext) -> tree.Statements:
    """The statements of an instruction that is no product, and whose regions have these steps."""
    match instruction:
        case (
            tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.MathCall() | tl.Load() | tl.Store()
        ):  # fmt: skip
            return lower_on_values(instruction, context)
        case tl.GroupSize(result=result):
            context.values[result.name] = context.group_count
            return ()
        case tl.Size(result=result):
            context.values[result.name] = index.constant(context.facts.places.accesses.values[result.name].constant)
            return ()
        case tl.If():
            branches = iter(inner)
            return lower_branch(instruction, context, lambda _region: lower_steps(next(branches, ()), context))
        case tl.For(step=step):
            return (_loop(instruction, inner[0], context.facts.places.index(step).constant, context),)
        case tl.Foreach():
            return (_loop(instruction, inner[0], 1, context),)
        case (
            tl.Alloca() | tl.Barrier() | tl.Collective() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.LifetimeStop()
            | tl.Subview() | tl.Yield()
        ):  # fmt: skip
            return ()


def lower_steps(steps: Steps, context: LaneContext) -> tree.Statements:
    """The steps of a region in a scope of their own."""
    inner = context.inner()
    return tuple(statement for step in steps for statement in lower_step(step, inner))


def _loop(instruction: tl.For | tl.Foreach, steps: Steps, step: int, context: LaneContext) -> tree.For:
    """The counter is wide enough to step beyond the last value, which the variable's own type may not be."""
    start, stop = (context.facts.places.index(bound).constant for bound in (instruction.start, instruction.stop))
    counter = Scalar.I64 if instruction.type.bits == 64 or stop + step > index.INT_MAX else Scalar.I32
    bounds = index.constant(start), index.constant(stop), index.constant(step)
    return lower_for(instruction, counter, bounds, context, partial(lower_steps, steps))

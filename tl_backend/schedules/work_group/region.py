"""Regions: one match over all instructions, and those that hold regions themselves."""

from dataclasses import replace

from einsum_front.core.diagnostics import Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.branch import lower_if
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.work_group.collective import lower_collective
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.epilogue import epilogue_of, without_epilogues
from einsum_front.tl_backend.schedules.work_group.memory import lower_alloca
from einsum_front.tl_backend.schedules.work_group.scratch import wait_for_all
from einsum_front.tl_backend.schedules.work_group.values import lower_load, lower_scalar, lower_size, lower_store
from einsum_front.tl_backend.schedules.work_group.vector_loops import lower_vector_loop
from einsum_front.tl_backend.schedules.work_group.views import lower_group_load, lower_view
from einsum_front.tl_backend.types import GroupType


def lower_region(region: tl.Region, context: Context) -> tree.Statements:
    """The instructions in a scope of their own, each under a comment that names it."""
    inner = context.inner()
    return tuple(
        tree.Section(_comment(instruction, inner), statements, _origin(instruction, inner))
        for instruction in without_epilogues(region, inner.strategies)
        if (statements := lower_instruction(instruction, inner))
    )


def _comment(instruction: tl.Instruction, context: Context) -> tuple[str, ...]:
    """It names what is done in the registers of a product, too."""
    epilogue = epilogue_of(instruction, context.strategies)
    inside = () if epilogue is None else epilogue.body
    return tuple(line for each in (instruction, *inside) for line in comment(each))


def _origin(instruction: tl.Instruction, context: Context) -> Origin:
    epilogue = epilogue_of(instruction, context.strategies)
    inside = () if epilogue is None else epilogue.body
    return tuple(dict.fromkeys(span for each in (instruction, *inside) for span in each.origin))


def lower_instruction(instruction: tl.Instruction, context: Context) -> tree.Statements:
    """The statements of one instruction; none if all it says is known when compiling.

    Where some work-items have no element, they leave out what writes memory; what barriers are for stands in between.
    """
    statements = _lower(instruction, context)
    is_element = context.is_element
    if is_element is None or not statements or not isinstance(instruction, tl.Collective | tl.Store | tl.Foreach):
        return statements
    return (tree.If(is_element, statements),)


def _lower(instruction: tl.Instruction, context: Context) -> tree.Statements:
    match instruction:
        case (
            tl.ArithBinary()
            | tl.ArithUnary()
            | tl.Cast()
            | tl.Compare()
            | tl.GroupId()
            | tl.GroupSize()
            | tl.MathCall()
        ):
            return lower_scalar(instruction, context)
        case tl.Alloca():
            return lower_alloca(instruction, context)
        case tl.Expand() | tl.Fuse() | tl.Subview():
            return lower_view(instruction, context)
        case tl.Load(type=GroupType()):
            return lower_group_load(instruction, context)
        case tl.Load():
            return lower_load(instruction, context)
        case tl.Size():
            return lower_size(instruction, context)
        case tl.Store():
            return lower_store(instruction, context)
        case tl.Collective():
            return lower_collective(instruction, context)
        case tl.If(types=types):
            in_c = [scalar.REGISTER[type_] for type_ in types]
            return lower_if(instruction, in_c, context, lambda branch: lower_region(branch, context))
        case tl.For():
            return _for(instruction, context)
        case tl.Foreach():
            return _foreach(instruction, context)
        case tl.Barrier():
            return _barrier(context)
        case tl.LifetimeStop() | tl.Yield():
            return ()


def _barrier(context: Context) -> tree.Statements:
    """One work-item alone has nobody to wait for."""
    return () if context.items.count == 1 else (wait_for_all(is_local=not context.has_global_fences),)


def _for(instruction: tl.For, context: Context) -> tree.Statements:
    start, stop, step = map(context.index, (instruction.start, instruction.stop, instruction.step))
    return (_loop(instruction, start, stop, step, context),)


def _foreach(instruction: tl.Foreach, context: Context) -> tree.Statements:
    """Work-item n of N runs every N-th iteration, from the n-th on, alone; one that is alone may do so in vectors."""
    if (vectors := context.loops.get(instruction)) is not None:
        return lower_vector_loop(instruction, vectors, context.alone())
    start, stop = map(context.index, (instruction.start, instruction.stop))
    if context.items.count > 1 and not isinstance(start, tree.Integer):
        start = scalar.convert(start, scalar.REGISTER[instruction.type], Scalar.I64)  # so that the sum does not wrap
    step = index.constant(context.items.count)
    loop = _loop(instruction, index.add(start, context.items.number), stop, step, context.alone())
    return (replace(loop, unroll=unrolling(instruction.body, context)),)


def unrolling(body: tl.Region, context: Context) -> tree.Unroll:
    """Functions of many lines are not repeated."""
    is_long = any(isinstance(each, tl.MathCall) and each.function in ELEMENTARY for each in body)
    return tree.Unroll.NEVER if is_long and context.target.is_cpu else tree.Unroll.AS_THE_COMPILER_LIKES


def _loop(
    instruction: tl.For | tl.Foreach,
    start: tree.Expression,
    stop: tree.Expression,
    step: tree.Expression,
    context: Context,
) -> tree.For:
    """A narrow variable could wrap around before it reaches `stop`, unless it counts by 1: a wide one counts for it."""
    inner = context.inner()
    variable = tree.Name(inner.names.fresh(local_name(instruction.variable.name)))
    type_ = scalar.REGISTER[instruction.type]
    if step == index.ONE or instruction.type.bits == 64:
        inner.values[instruction.variable.name] = variable
        return tree.For(type_, variable.text, start, stop, step, lower_region(instruction.body, inner))
    counter = inner.names.fresh(variable.text)
    inner.values[instruction.variable.name] = variable
    narrow = tree.Declare(type_, variable.text, scalar.convert(tree.Name(counter), Scalar.I64, type_))
    body = narrow, *lower_region(instruction.body, inner)
    return tree.For(Scalar.I64, counter, start, stop, step, body)

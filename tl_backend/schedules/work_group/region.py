"""Regions: one match over all instructions, and those that hold regions themselves."""

from dataclasses import replace

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    Cast,
    Collective,
    Compare,
    Expand,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    Instruction,
    LifetimeStop,
    Load,
    MathCall,
    Region,
    Size,
    Store,
    Subview,
    Yield,
)
from einsum_front.tl_backend.kernel.tree import Declare, Expression, Integer, Name, Section, Statements, Unroll
from einsum_front.tl_backend.kernel.tree import For as CFor
from einsum_front.tl_backend.kernel.tree import If as CIf
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.branch import lower_if
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.work_group.collective import lower_collective
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.memory import lower_alloca
from einsum_front.tl_backend.schedules.work_group.scratch import wait_for_all
from einsum_front.tl_backend.schedules.work_group.values import lower_load, lower_scalar, lower_size, lower_store
from einsum_front.tl_backend.schedules.work_group.views import lower_group_load, lower_view
from einsum_front.tl_backend.types import GroupType


def lower_region(region: Region, context: Context) -> Statements:
    """The instructions in a scope of their own, each under a comment that names it."""
    inner = context.inner()
    return tuple(
        Section(comment(instruction), statements, instruction.origin)
        for instruction in region
        if (statements := lower_instruction(instruction, inner))
    )


def lower_instruction(instruction: Instruction, context: Context) -> Statements:
    """The statements of one instruction; none if all it says is known when compiling.

    Where some work-items have no element, they leave out what writes memory; what barriers are for stands in between.
    """
    statements = _lower(instruction, context)
    is_element = context.is_element
    if is_element is None or not statements or not isinstance(instruction, Collective | Store | Foreach):
        return statements
    return (CIf(is_element, statements),)


def _lower(instruction: Instruction, context: Context) -> Statements:
    match instruction:
        case ArithBinary() | ArithUnary() | Cast() | Compare() | GroupId() | GroupSize() | MathCall():
            return lower_scalar(instruction, context)
        case Alloca():
            return lower_alloca(instruction, context)
        case Expand() | Fuse() | Subview():
            return lower_view(instruction, context)
        case Load(type=GroupType()):
            return lower_group_load(instruction, context)
        case Load():
            return lower_load(instruction, context)
        case Size():
            return lower_size(instruction, context)
        case Store():
            return lower_store(instruction, context)
        case Collective():
            return lower_collective(instruction, context)
        case If(types=types):
            in_c = [scalar.REGISTER[type_] for type_ in types]
            return lower_if(instruction, in_c, context, lambda branch: lower_region(branch, context))
        case For():
            return _for(instruction, context)
        case Foreach():
            return _foreach(instruction, context)
        case Barrier():
            return _barrier(context)
        case LifetimeStop() | Yield():
            return ()


def _barrier(context: Context) -> Statements:
    """One work-item alone has nobody to wait for."""
    return () if context.items.count == 1 else (wait_for_all(is_local=not context.has_global_fences),)


def _for(instruction: For, context: Context) -> Statements:
    start, stop, step = map(context.index, (instruction.start, instruction.stop, instruction.step))
    return (_loop(instruction, start, stop, step, context),)


def _foreach(instruction: Foreach, context: Context) -> Statements:
    """Work-item n of N runs every N-th iteration, from the n-th on, alone."""
    start, stop = map(context.index, (instruction.start, instruction.stop))
    if context.items.count > 1 and not isinstance(start, Integer):
        start = scalar.convert(start, scalar.REGISTER[instruction.type], Scalar.I64)  # so that the sum does not wrap
    step = index.constant(context.items.count)
    loop = _loop(instruction, index.add(start, context.items.number), stop, step, context.alone())
    is_long = context.target.is_cpu and any(
        isinstance(each, MathCall) and each.function in ELEMENTARY for each in instruction.body
    )
    return (replace(loop, unroll=Unroll.NEVER) if is_long else loop,)


def _loop(instruction: For | Foreach, start: Expression, stop: Expression, step: Expression, context: Context) -> CFor:
    """A narrow variable could wrap around before it reaches `stop`, unless it counts by 1: a wide one counts for it."""
    inner = context.inner()
    variable = Name(inner.names.fresh(local_name(instruction.variable.name)))
    type_ = scalar.REGISTER[instruction.type]
    if step == index.ONE or instruction.type.bits == 64:
        inner.values[instruction.variable.name] = variable
        return CFor(type_, variable.text, start, stop, step, lower_region(instruction.body, inner))
    counter = inner.names.fresh(variable.text)
    inner.values[instruction.variable.name] = variable
    narrow = Declare(type_, variable.text, scalar.convert(Name(counter), Scalar.I64, type_))
    body = narrow, *lower_region(instruction.body, inner)
    return CFor(Scalar.I64, counter, start, stop, step, body)

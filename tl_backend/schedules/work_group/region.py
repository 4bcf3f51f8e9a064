"""Regions: one match over all instructions, and those that hold regions themselves.

The memory of an `alloca` in C: a private array, or a part of a shared one (`tl_backend.analysis.work_item_memory`).

What has to be in global memory has its place in the part of the work-group there (`scratch`).
"""

from dataclasses import replace
from functools import partial

from einsum_front.core.diagnostics import CompilerBug, Origin
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.placement import ALIGNMENT
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View, extents, footprint
from einsum_front.tl_backend.schedules.lowering.product import Bounds
from einsum_front.tl_backend.schedules.lowering.region import lower_branch, lower_for, lower_value, unrolling
from einsum_front.tl_backend.schedules.lowering.views import Variables
from einsum_front.tl_backend.schedules.work_group.collective import lower_collective
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.schedules.work_group.elements import wait_for_all
from einsum_front.tl_backend.schedules.work_group.epilogue import epilogue_of, without_epilogues
from einsum_front.tl_backend.schedules.work_group.vector_loops import lower_vector_loop
from einsum_front.tl_backend.types import Extent


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


# -- memory ------------------------------------------------------------------------------------------------------------


def lower_alloca(instruction: tl.Alloca, context: GroupContext) -> tree.Statements:
    """An array of its own, or a pointer into what several share, or into the work-group's part of global memory."""
    if instruction.sizes:
        return _open(instruction, context)
    memref, element = instruction.type, memory_type(instruction.type.element)
    name = context.names.fresh(local_name(instruction.result.name))
    near = AddressSpace.PRIVATE if context.items.count == 1 else AddressSpace.LOCAL
    pointer = Pointer(element, AddressSpace.GLOBAL if instruction.is_global else near)
    view = View(memref.element, tree.Name(name), pointer, _known(memref.shape), _known(memref.strides))
    context.values[instruction.result.name] = view
    if instruction.result.name not in context.places:
        return (tree.DeclareArray(element, name, footprint(memref), pointer.space, context.target.vector_bytes),)
    pool = context.scratch.own if instruction.is_global and context.scratch is not None else tree.Name(context.pool)
    offset = index.constant(context.places[instruction.result.name].start)
    return (tree.Declare(pointer, name, tree.Cast(pointer, index.add(pool, offset))),)


def _open(instruction: tl.Alloca, context: GroupContext) -> tree.Statements:
    """The work-group's part of memory whose size only the launch knows."""
    if context.scratch is None:
        raise CompilerBug("temporaries of the launch have memory of it")
    memref, variables = instruction.type, Variables(instruction.result, context)
    pointer = Pointer(memory_type(memref.element), AddressSpace.GLOBAL)
    given = iter(instruction.sizes)
    shape = extents(memref.shape, lambda _: context.index(next(given)))
    strides: list[tree.Expression] = [index.ONE]
    for mode, size in enumerate(shape[:-1], 1):
        strides.append(variables.extent("stride", mode, index.multiply(strides[-1], size)))
    entries = index.multiply(strides[-1], shape[-1])
    lines = index.divide(
        index.add(index.multiply(index.constant(memref.element.size), entries), index.constant(ALIGNMENT - 1)),
        index.constant(ALIGNMENT),
    )
    bytes_ = variables.declare(Scalar.I64, "_bytes", index.multiply(index.constant(ALIGNMENT), lines))
    base = variables.declare(pointer, "", tree.Cast(pointer, context.scratch.open_part(bytes_)))
    return variables.bind(View(memref.element, base, pointer, shape, tuple(strides)))


def _known(extents: tuple[Extent, ...]) -> tuple[tree.Expression, ...]:
    return tuple(index.constant(extent) for extent in extents if extent is not None)

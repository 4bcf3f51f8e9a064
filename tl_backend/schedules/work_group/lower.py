"""A function of the tensor language as an OpenCL C file: one kernel and the helpers that it calls."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Origin
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.effects import is_global_memory_shared
from einsum_front.tl_backend.analysis.placement import ALIGNMENT, local_memory, needed_panel, private_memory
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.kernel import (
    Kernel,
    comment,
    free_names,
    group_id,
    group_size,
    local_size,
    transpose_function,
)
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters, View, extents, footprint
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.lowering.context import Variables
from einsum_front.tl_backend.schedules.lowering.product import Bounds
from einsum_front.tl_backend.schedules.lowering.region import lower_branch, lower_for, lower_value, unrolling
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.collective import lower_collective
from einsum_front.tl_backend.schedules.work_group.context import GroupContext, LocalPanel, Strategies
from einsum_front.tl_backend.schedules.work_group.elements import (
    Batch,
    Items,
    Scratch,
    SideBySide,
    declare_items,
    elements_together,
    make_batch,
    make_items,
    make_scratch,
    make_side_by_side,
    wait_for_all,
)
from einsum_front.tl_backend.schedules.work_group.epilogue import epilogue_of, without_epilogues
from einsum_front.tl_backend.schedules.work_group.scatter import lower_scatter
from einsum_front.tl_backend.schedules.work_group.vector_loops import find_vector_loops, lower_vector_loop
from einsum_front.tl_backend.types import Extent

Elements = Scratch | Batch | SideBySide
"""How a work-group runs several elements."""


def lower(
    function: Source,
    target: Target,
    strategies: Strategies,
    block: RegisterBlock | None = None,
    taken: frozenset[str] = frozenset(),
) -> Kernel:
    """The kernel of a function without mistakes; without a work-group size it runs with one work-item a group.

    `strategies` are those of its collective instructions, where `block` is what the user says that products keep in
    registers. `taken` are names that it cannot define.
    Raises `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    names = free_names(target, taken)
    entry = names.fresh(local_name(function.name))
    parameters = Parameters(function, names)
    items = make_items(function, names)
    scratch = make_scratch(function, names)
    memory = _near_memory(function, target, names, is_only=scratch is not None)
    elements = scratch or make_batch(function, target, names) or make_side_by_side(memory.together, names)
    group, groups = (group_id(), group_size()) if elements is None else (elements.element, elements.elements)
    context = GroupContext(
        target, names, parameters.values, group, groups, [], items, strategies, find_vector_loops(function, target),
        memory.pool, memory.places if scratch is None else {**memory.places, **scratch.places}, memory.panel, block,
        scratch=scratch,
        is_element=elements.is_element if isinstance(elements, SideBySide) else None,
        has_global_fences=target.is_cpu or is_global_memory_shared(function),
    )  # fmt: skip
    body = _for_each(elements, lower_region(function.body, context), items, memory)
    declarations = *declare_items(items, memory.together), *memory.declaration()
    rows, columns = local_size(function)
    size = rows, columns * memory.together
    more = () if elements is None else elements.parameters
    kernel = tree.Function(entry, (*parameters.list, *more), (*declarations, *body), (*size, 1))
    return Kernel(
        _file(kernel, context),
        size,
        local_memory=memory.local_bytes,
        elements_per_group=1 if elements is None else elements.together,
        scratch=0 if scratch is None else scratch.bytes,
    )


def _for_each(elements: Elements | None, body: tree.Statements, items: Items, memory: "_NearMemory") -> tree.Statements:
    """The body, which runs one element, for all elements of the work-group."""
    match elements:
        case None:
            return body
        case Scratch():
            return elements.loop(body, items)
        case Batch():
            return elements.loop(body)
        case SideBySide():
            return *elements.declarations(items), *memory.own(elements), *body


def _file(kernel: tree.Function, context: GroupContext) -> tree.File:
    """The kernel behind what it calls."""
    transposes = (transpose_function(name, vector, context.target) for vector, name in context.transposes.items())
    return tree.File((*transposes, *context.routines.values(), kernel))


@dataclass(frozen=True, slots=True)
class _NearMemory:
    """The array that temporaries near the work-items share, and its C name; behind them it has room for the panel.

    It has `places` (bytes) for each of `together` elements side by side, and `pool` points to those of one.
    """

    places: Mapping[str, range]
    panel: LocalPanel
    array: str
    pool: str
    together: int
    space: AddressSpace

    @property
    def size(self) -> int:
        """Bytes for one element."""
        return self.panel.start + self.panel.size

    @property
    def local_bytes(self) -> int:
        """Bytes of local memory for the work-group."""
        return self.size * self.together if self.space is AddressSpace.LOCAL else 0

    def declaration(self) -> tree.Statements:
        """The array for all elements of the work-group, at the start of the kernel, where OpenCL wants it."""
        size = self.size * self.together
        return (tree.DeclareArray(Scalar.U8, self.array, size, self.space, ALIGNMENT),) if size else ()

    def own(self, beside: SideBySide) -> tree.Statements:
        """The part of an element."""
        return beside.own_memory(self.array, self.size, self.pool) if self.size else ()


def _near_memory(function: Source, target: Target, names: Names, *, is_only: bool) -> _NearMemory:
    """The memory of an element, which `is_only` if none may stand beside it."""
    size = function.work_items
    if prod(size) == 1:
        private = private_memory(function)
        array = names.fresh("memory") if private.size else ""
        return _NearMemory(private.places, LocalPanel(private.size, 0), array, array, 1, AddressSpace.PRIVATE)
    memory = local_memory(function)
    room = target.local_memory - memory.size
    slices = needed_panel(function, size, room, target.machine.shared) if target.has_panels else 0
    panel = LocalPanel(memory.size, slices)
    array = names.fresh("local_memory")
    together = 1 if is_only or panel.size else elements_together(function, target, memory.size)
    pool = names.fresh("own_memory") if together > 1 else array
    return _NearMemory(memory.places, panel, array, pool, together, AddressSpace.LOCAL)


# -- regions: one match over all instructions, and those that hold regions themselves ----------------------------------
# The memory of an `alloca` in C: a private array, or a part of a shared one (`tl_backend.analysis.placement`).
#
# What has to be in global memory has its place in the part of the work-group there (`scratch`).


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
    if shared := lower_scatter(instruction, context):
        return shared
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

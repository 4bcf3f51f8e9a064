"""A function of the tensor language as an OpenCL C file: one kernel and the helpers that it calls."""

from collections.abc import Mapping
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.effects import is_global_memory_shared
from einsum_front.tl_backend.analysis.placement import ALIGNMENT
from einsum_front.tl_backend.analysis.slices import needed_panel
from einsum_front.tl_backend.analysis.work_item_memory import local_memory, private_memory
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl.geometry import group_id, group_size, local_size
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_function
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.tuning import RegisterBlock
from einsum_front.tl_backend.schedules.work_group.context import GroupContext, LocalPanel
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
)
from einsum_front.tl_backend.schedules.work_group.region import lower_region
from einsum_front.tl_backend.schedules.work_group.strategy import Strategies
from einsum_front.tl_backend.schedules.work_group.vector_loops import find_vector_loops

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

"""A function of the tensor language as an OpenCL C file: one kernel and the helpers that it calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from tl_backend.analysis.access import is_global_memory_shared
from tl_backend.analysis.slices import needed_panel
from tl_backend.opencl import index
from tl_backend.opencl.atomics import HELPER_NAMES, INT64_EXTENSION, AtomicUpdate, helper
from tl_backend.opencl.batch import make_batch
from tl_backend.opencl.context import TRANSPOSE_NAMES, Context, Panel
from tl_backend.opencl.depths import Summands
from tl_backend.opencl.geometry import declare_items, group_id, group_size, local_size, make_items, work_group_size
from tl_backend.opencl.lanes.transpose import transpose_function
from tl_backend.opencl.memory import (
    LOCAL_BYTES,
    declare_local_memory,
    declare_private_memory,
    local_memory,
    private_memory,
)
from tl_backend.opencl.names import Names, local_name
from tl_backend.opencl.parameters import Parameters
from tl_backend.opencl.region import lower_region
from tl_backend.opencl.requirements import FP64_EXTENSION, check_target, needs_double_precision
from tl_backend.opencl.reserved import RESERVED
from tl_backend.opencl.scratch import make_scratch
from tl_backend.opencl.side_by_side import SideBySide, elements_together, make_side_by_side
from tl_backend.opencl.target import Target
from tl_backend.opencl.tree import Declare, File, Function, Name, Scalar, Statements
from tl_backend.opencl.tuning import RegisterBlock
from tl_backend.program import Function as Source


@dataclass(frozen=True, slots=True)
class Kernel:
    """The file, and what a launch must know: fields as those of the artifact."""

    file: File
    work_group_size: tuple[int, int]
    local_memory: int
    elements_per_group: int
    scratch: int


def lower(
    function: Source,
    target: Target,
    block: RegisterBlock | None = None,
    taken: frozenset[str] = frozenset(),
    summands: Summands | None = None,
) -> Kernel:
    """The kernel of a function without mistakes; without a work-group size it runs with one work-item a group.

    Without a `block`, each product keeps in registers what suits its sizes. `taken` are names that it cannot define.
    Products leave out what `summands` says to be zero.
    Raises `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    names = Names(RESERVED | HELPER_NAMES | TRANSPOSE_NAMES | taken)
    entry = names.fresh(local_name(function.name))
    parameters = Parameters(function, names)
    items = make_items(function, names)
    scratch = make_scratch(function, names)
    memory = _near_memory(function, target, names, is_alone=scratch is not None)
    private = private_memory(function)
    pool = names.fresh("memory") if private.size else memory.pool
    batch = make_batch(function, target, names) if scratch is None else None
    together, beside = memory.together, make_side_by_side(memory.together, names)
    loop = scratch or batch or beside
    group, groups = (group_id(), group_size()) if loop is None else (loop.element, loop.elements)
    near = {**memory.places, **private.places}
    places, own = (near, "") if scratch is None else ({**near, **scratch.places}, scratch.own.text)
    context = Context(
        target, names, items, group, groups, pool, places, parameters.values, block=block, scratch=own,
        panel=memory.panel, is_element=None if beside is None else beside.is_element,
        has_global_fences=target.is_cpu or is_global_memory_shared(function), summands=summands or {},
    )  # fmt: skip
    body = lower_region(function.body, context)
    if scratch is not None:
        body = scratch.loop(body, items)
    elif batch is not None:
        body = batch.loop(body)
    elif beside is not None:
        body = (*beside.declarations(items), *memory.own(beside), *body)
    prologue = (
        *declare_items(items, together),
        *memory.declarations(together),
        *declare_private_memory(private, pool),
    )
    more = () if loop is None else loop.parameters
    rows, columns = local_size(function)
    size = rows, columns * together
    kernel = Function(entry, (*parameters.list, *more), (*prologue, *body), (*size, 1))
    helpers = context.helpers.values()
    transposes = (transpose_function(name, vector, target) for vector, name in context.transposes.items())
    functions = (*map(helper, helpers), *transposes, kernel)
    file = File(_extensions(function, helpers), functions, unaligned=tuple(context.unaligned))
    elements = together if batch is None else batch.together
    return Kernel(file, size, memory.size * together, elements, 0 if scratch is None else scratch.placement.size)


@dataclass(frozen=True, slots=True)
class _NearMemory:
    """The local memory of an element: the bytes of each `alloca`, behind them the panel, and the C names.

    `together` is how many elements a work-group has side by side.
    """

    places: Mapping[str, range]
    panel: Panel
    array: str
    pool: str
    together: int

    @property
    def size(self) -> int:
        """Bytes for one element."""
        return self.panel.start + self.panel.size

    def declarations(self, together: int) -> Statements:
        """The array for all elements of the work-group."""
        return declare_local_memory(self.size * together, self.array)

    def own(self, beside: SideBySide) -> Statements:
        """The part of an element."""
        if not self.size:
            return ()
        start = index.multiply(index.constant(self.size), beside.place)
        return (Declare(LOCAL_BYTES, self.pool, index.add(Name(self.array), start)),)


def _near_memory(function: Source, target: Target, names: Names, *, is_alone: bool) -> _NearMemory:
    memory, size = local_memory(function), work_group_size(function)
    has_panels = target.has_panels and prod(size) > 1
    panel = Panel(memory.size, needed_panel(function, size, target.local_memory - memory.size) if has_panels else 0)
    array = names.fresh("local_memory")
    together = 1 if is_alone or panel.size else elements_together(function, target, memory.size)
    pool = names.fresh("own_memory") if together > 1 else array
    return _NearMemory(memory.places, panel, array, pool, together)


def _extensions(function: Source, helpers: Iterable[AtomicUpdate]) -> tuple[str, ...]:
    fp64 = [FP64_EXTENSION] if needs_double_precision(function) else []
    int64 = [INT64_EXTENSION] if any(update.bits is Scalar.ULONG for update in helpers) else []
    return *fp64, *int64

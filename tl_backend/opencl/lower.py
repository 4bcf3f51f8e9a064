"""A function of the tensor language as an OpenCL C file: one kernel and the helpers that it calls."""

from collections.abc import Iterable
from dataclasses import dataclass

from tl_backend.opencl.atomics import HELPER_NAMES, INT64_EXTENSION, AtomicUpdate, helper
from tl_backend.opencl.batch import make_batch
from tl_backend.opencl.context import TRANSPOSE_NAMES, Context
from tl_backend.opencl.geometry import declare_items, group_id, group_size, local_size, make_items
from tl_backend.opencl.known_zeros import find_summands
from tl_backend.opencl.lanes.transpose import transpose_function
from tl_backend.opencl.memory import declare_local_memory, local_memory
from tl_backend.opencl.names import Names, local_name
from tl_backend.opencl.parameters import Parameters
from tl_backend.opencl.region import lower_region
from tl_backend.opencl.requirements import FP64_EXTENSION, check_target, needs_double_precision
from tl_backend.opencl.reserved import RESERVED
from tl_backend.opencl.scratch import make_scratch
from tl_backend.opencl.target import Target
from tl_backend.opencl.tree import File, Function, Scalar
from tl_backend.opencl.tuning import RegisterBlock
from tl_backend.program import Function as Source


@dataclass(frozen=True, slots=True)
class Kernel:
    """The file, how many elements a work-group runs, and the bytes of global memory for each that runs at a time."""

    file: File
    elements: int
    scratch: int


def lower(function: Source, target: Target, block: RegisterBlock | None = None) -> Kernel:
    """The kernel of a function without mistakes; without a work-group size it runs with one work-item a group.

    Without a `block`, each product keeps in registers what suits its sizes. Raises `CompileError` with all that the
    target cannot do (E06xx).
    """
    check_target(function, target)
    names = Names(RESERVED | HELPER_NAMES | TRANSPOSE_NAMES)
    entry = names.fresh(local_name(function.name))
    parameters = Parameters(function, names)
    items, pool = make_items(function, names), names.fresh("local_memory")
    memory = local_memory(function)
    scratch = make_scratch(function, names)
    batch = make_batch(function, target, names) if scratch is None else None
    loop = scratch or batch
    group, groups = (group_id(), group_size()) if loop is None else (loop.element, loop.elements)
    places, own = (memory.places, "") if scratch is None else ({**memory.places, **scratch.places}, scratch.own.text)
    summands = find_summands(function) if target.is_cpu and items.count == 1 else {}
    context = Context(
        target,
        names,
        items,
        group,
        groups,
        pool,
        places,
        parameters.values,
        block=block,
        scratch=own,
        summands=summands,
    )
    body = lower_region(function.body, context)
    if scratch is not None:
        body = scratch.loop(body, items)
    elif batch is not None:
        body = batch.loop(body)
    prologue = (*declare_items(items), *declare_local_memory(memory, pool))
    more = () if loop is None else loop.parameters
    kernel = Function(entry, (*parameters.list, *more), (*prologue, *body), (*local_size(function), 1))
    helpers = context.helpers.values()
    transposes = (transpose_function(name, vector, target) for vector, name in context.transposes.items())
    functions = (*map(helper, helpers), *transposes, kernel)
    file = File(_extensions(function, helpers), functions, unaligned=tuple(context.unaligned))
    together = 1 if batch is None else batch.together
    return Kernel(file, together, 0 if scratch is None else scratch.placement.size)


def _extensions(function: Source, helpers: Iterable[AtomicUpdate]) -> tuple[str, ...]:
    fp64 = [FP64_EXTENSION] if needs_double_precision(function) else []
    int64 = [INT64_EXTENSION] if any(update.bits is Scalar.ULONG for update in helpers) else []
    return *fp64, *int64

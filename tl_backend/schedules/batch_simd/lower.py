"""A function of the tensor language as an OpenCL C file in which the lanes of vectors are elements.

kernel void volume(global double *restrict Q, …, long elements)
{
    what is batch-invariant
    for (long element = first; element < stop; element += 4) {
        pointers to four elements, loads, steps, stores
    }
}
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import group_id
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_function
from einsum_front.tl_backend.opencl.view import Group, Value, View
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.batch_simd.block import Batch, lower_block
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext
from einsum_front.tl_backend.schedules.batch_simd.kept_loops import keeps_loops, roll
from einsum_front.tl_backend.schedules.batch_simd.memory import declare_arrays, plan_arrays
from einsum_front.tl_backend.schedules.batch_simd.outlined import outlined_function
from einsum_front.tl_backend.schedules.batch_simd.planned import Plan, PlannedStep
from einsum_front.tl_backend.schedules.batch_simd.region import lower_step
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.traverse import defined_locals

ITEMS = 64
"""Work-items of a group on a device whose lanes are work-items: each runs one element."""


def lower(function: Source, facts: Facts, plan: Plan, target: Target, taken: frozenset[str] = frozenset()) -> Kernel:
    """The kernel of a function that is planned.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    return _Lowering(function, facts, plan, target, free_names(target, taken)).kernel()


class _Lowering:
    """A function while it becomes a kernel."""

    def __init__(self, function: Source, facts: Facts, plan: Plan, target: Target, names: Names) -> None:
        self._function = function
        self._target = target
        self._names = names
        element = facts.element
        self._width = plan.width
        self._items = 1 if target.is_cpu else ITEMS
        self._entry = self._names.fresh(local_name(function.name))
        self._transpose = self._names.fresh("transpose")
        self._parameters = Parameters(function, self._names)
        self._elements, self._element, self._stop = (self._names.fresh(w) for w in ("elements", "element", "stop"))
        self._outlined = outlined_function(self._entry, target, self._names) if self._items == 1 else None
        self._plan = plan
        self._together = self._width * self._items * (_blocks(self._plan.steps, target) if target.is_cpu else 1)
        pointers = _pointer_names(self._parameters.values)
        arrays = plan_arrays(facts, self._plan, pointers, self._width, self._names)
        values: dict[str, Value] = {
            name: value for name, value in self._parameters.values.items() if not isinstance(value, View | Group)
        }
        self._context = LaneContext(
            target, self._names, values, tree.Name(self._element), tree.Name(self._elements), [],
            facts, element, self._width, arrays, self._plan.hoisted.early, self._top(),
            has_scatters=self._outlined is not None, embeds_broadcasts=target.is_cpu and target.embeds_broadcasts,
            most_values=None if target.is_cpu else target.machine.shared.constants // size_of(REGISTER[element]),
        )  # fmt: skip

    def _top(self) -> Names:
        """Names for tables and for variables outside of the loop, none of which a value of the function has."""
        names = self._names.inner()
        for local in defined_locals(self._function):
            names.fresh(local_name(local.name))
        return names

    def kernel(self) -> Kernel:
        """The file with the kernel as its last function."""
        context = self._context
        for step, (_, complete) in zip(self._plan.once, self._plan.hoisted.in_order(), strict=True):
            context.hoisted.extend(lower_step(step, replace(context, early=complete)))
        batch = Batch(self._parameters.values, tree.Name(self._element), tree.Name(self._elements))
        block = lower_block(self._plan, batch, self._transpose, self._target, context)
        hoisted = tuple(context.hoisted)
        if keeps_loops(context.facts, self._target):
            hoisted, block = roll(hoisted), roll(block)
        body = (*declare_arrays(self._plan.steps, context), *hoisted, *self._loop(block))
        parameters = (*self._parameters.list, tree.Parameter(Scalar.I64, self._elements))
        kernel = tree.Function(self._entry, parameters, body, (self._items, 1, 1))
        functions = (kernel,) if self._outlined is None else self._outlined.split(kernel)
        tables = tuple(context.tables)
        if self._width == 1:
            return self._kernel(tree.File(functions, tables=tables))
        transpose = transpose_function(self._transpose, context.vector_type, self._target)
        return self._kernel(tree.File((transpose, *functions), tables=tables))

    def _kernel(self, file: tree.File) -> Kernel:
        return Kernel(file, (self._items, 1), elements_per_group=self._together)

    def _loop(self, block: tree.Statements) -> Iterator[tree.Statement]:
        """The loop over the blocks of this work-item."""
        elements, stop = tree.Name(self._elements), tree.Name(self._stop)
        first, together = tree.Name(self._names.fresh("first")), index.constant(self._together)
        group = group_id() if self._outlined is None else self._outlined.group
        yield tree.Declare(Scalar.I64, first.text, index.multiply(group, together))
        yield tree.Declare(Scalar.I64, stop.text, index.minimum(index.add(first, together), elements))
        item = index.ZERO if self._items == 1 else tree.ItemId(0)
        start = index.add(first, index.multiply(item, index.constant(self._width)))
        yield tree.For(Scalar.I64, self._element, start, stop, index.constant(self._width * self._items), block)


def _blocks(steps: Sequence[PlannedStep], target: Target) -> int:
    """The blocks of elements that a work-item runs on a CPU."""
    work, times = sum(loop.work for step in steps for loop in step.loops), target.machine.batch_simd
    return next((blocks for most, blocks in times.blocks if work < most), times.fewest_blocks)


def _pointer_names(values: Mapping[str, Value]) -> dict[str, str]:
    """The C names of the arguments that are memrefs."""
    views = {name: value for name, value in values.items() if isinstance(value, View)}
    return {name: view.base.text for name, view in views.items() if isinstance(view.base, tree.Name)}

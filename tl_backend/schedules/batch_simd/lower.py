"""A function of the tensor language as an OpenCL C file in which the lanes of vectors are elements.

kernel void volume(global double *restrict Q, …, long elements)
{
    what is batch-invariant
    for (long element = first; element < stop; element += 4) {
        pointers to four elements, loads, steps, stores
    }
}

A kernel whose work is done by a function that it calls, for compilers that must be told of instructions.

    __attribute__((noinline, target("avx512f,avx512vl")))
    void volume_group(long group, global double *restrict Q, …, long elements)
    {
        …
    }

    kernel __attribute__((reqd_work_group_size(1, 1, 1)))
    void volume(global double *restrict Q, …, long elements)
    {
        volume_group(get_group_id(2), Q, …, elements);
    }

PoCL copies the code of a kernel into functions of its own, which have none of the kernel's attributes; what the kernel
calls keeps its own. There, only the kernel knows the number of its work-group, and work-items must be alone.

Loops that a GPU's compiler is asked to leave as they are.

for (int i = 0; i < 256; ++i) …        ->        #pragma unroll 1
                                                 for (int i = 0; i < 256; ++i) …

Such compilers unroll every loop of known length, because private arrays become registers then. Where an element has too
many entries for that it is in vain, and it takes minutes: NVIDIA's compiler (CUDA 13.0) needs 0.4 s for a product of
matrices of 8 rows and columns, 4.6 s with 12, 20 s with 16, more than 70 s with 20, and 0.1 s for each if loops stay.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names, group_id, transpose_function, work_group
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Group, Parameters, Value, View
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.batch_simd.block import Batch, lower_block
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext
from einsum_front.tl_backend.schedules.batch_simd.flow import without_zeros
from einsum_front.tl_backend.schedules.batch_simd.memory import declare_arrays, plan_arrays
from einsum_front.tl_backend.schedules.batch_simd.planned import LoopPlan, PlannedStep
from einsum_front.tl_backend.schedules.batch_simd.region import lower_step
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.traverse import defined_locals

ITEMS = 64
"""Work-items of a group on a device whose lanes are work-items: each runs one element."""


def lower(
    function: Source, facts: Facts, plan: LoopPlan, target: Target, taken: frozenset[str] = frozenset()
) -> Kernel:
    """The kernel of a function that is planned.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    return _Lowering(function, facts, plan, target, free_names(target, taken)).kernel()


class _Lowering:
    """A function while it becomes a kernel."""

    def __init__(self, function: Source, facts: Facts, plan: LoopPlan, target: Target, names: Names) -> None:
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
        spared = without_zeros((each.step for each in self._plan.steps), self._context.facts)
        return Kernel(file, (self._items, 1), elements_per_group=self._together, spared=spared)

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


# -- outlined ----------------------------------------------------------------------------------------------------------


WHY = "a function of its own: what the kernel itself does is compiled without these instructions"


@dataclass(frozen=True, slots=True)
class OutlinedFunction:
    """The name of the function and its instructions; `group` is the number of the work-group in it."""

    name: str
    group: tree.Name
    instructions: str

    def split(self, kernel: tree.Function) -> tuple[tree.Function, tree.Function]:
        """The function with the body of the kernel, and the kernel that calls it.

        The body has `group` for the number of the work-group, and asks for nothing else that is a work-item's own.
        """
        parameters = (tree.Parameter(Scalar.I64, self.group.text), *kernel.parameters)
        body = (tree.Section((WHY,), kernel.body),)
        arguments = (work_group(), *(tree.Name(parameter.name) for parameter in kernel.parameters))
        call = tree.Call(self.name, arguments)
        function = tree.Function(self.name, parameters, body, instructions=self.instructions)
        return function, tree.Function(kernel.name, kernel.parameters, (call,), kernel.work_group_size)


def outlined_function(entry: str, target: Target, names: Names) -> OutlinedFunction | None:
    """The function for a kernel with this name; None if the target's compiler takes all instructions by itself."""
    if target.instructions is None:
        return None
    return OutlinedFunction(names.fresh(f"{entry}_group"), tree.Name(names.fresh("group")), target.instructions)


# -- kept loops --------------------------------------------------------------------------------------------------------


MOST_UNROLLED = 1024
"""Summands of all products that a GPU's compiler may write one by one: a second of its time."""


def keeps_loops(facts: Facts, target: Target) -> bool:
    """True if the loops of a function should stay loops on the target."""
    return not target.is_cpu and sum(facts.counts.values()) > MOST_UNROLLED


def roll(statements: tree.Statements) -> tree.Statements:
    """The same with every loop left as it is, except those that are to be unrolled for sure."""
    return tuple(map(_roll, statements))


def _roll(statement: tree.Statement) -> tree.Statement:
    match statement:
        case tree.For(body=body, unroll=tree.Unroll.FULLY):
            return replace(statement, body=roll(body))
        case tree.For(body=body):
            return replace(statement, body=roll(body), unroll=tree.Unroll.NEVER)
        case tree.If(then=then, otherwise=otherwise):
            return replace(statement, then=roll(then), otherwise=roll(otherwise))
        case tree.DoWhile(body=body) | tree.Block(body=body) | tree.Section(body=body):
            return replace(statement, body=roll(body))
        case (
            tree.Declare()
            | tree.DeclareArray()
            | tree.Assign()
            | tree.Call()
            | tree.AtomicUpdate()
            | tree.MatrixMultiplyAdd()
            | tree.Barrier()
            | tree.Prefetch()
            | tree.Fence()
        ):
            return statement

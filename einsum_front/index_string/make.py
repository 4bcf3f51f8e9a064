"""Ways of index strings made anew: planned and translated. It loads the compiler, which stored ways do without."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import inf, prod
from string import ascii_letters

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import Extent, hint
from einsum_front.driver import ARCHITECTURES, DEFAULT_ARCHITECTURE, Session, dynamic_memory, gpu_target
from einsum_front.driver.choice import chooser
from einsum_front.driver.targets import target_of
from einsum_front.elaborate import elaborate
from einsum_front.index_string.order import path_of_terms
from einsum_front.index_string.program import KERNEL, Argument, StringKernel, check_extents, extents_of, running
from einsum_front.index_string.steps import Part, Positions, StringStep, steps_of_path
from einsum_front.notation import checked
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import CudaKernel, Device, whole_memory
from einsum_front.runtime.artifact import Artifact

MANY_OPERATIONS = 2**24
"""As many keep one work-group busy for a millisecond or more, longer than it takes to start several kernels."""


def make_way(
    kernel: StringKernel, real: str, device: Device, schedules: ScheduleOptions, path: Positions | None
) -> Artifact | tuple[StringStep, ...]:
    """One kernel for the whole string and for every batch, or its steps.

    Steps are those of a path that the planner would not take, or of a plan without a batch where a single work-group
    would keep the device waiting.
    """
    return _way(Session(target_of(device.facts), decide=chooser(schedules, device)), kernel, real, path)


def make_cuda_way(
    kernel: StringKernel, real: str, architecture: str, schedules: ScheduleOptions, path: Positions | None
) -> CudaKernel | tuple[StringStep, ...]:
    """The same in CUDA C++, for a GPU of NVIDIA: `sm_90`; one that is not known runs code for an earlier one."""
    known = architecture if architecture in ARCHITECTURES else DEFAULT_ARCHITECTURE
    found = _way(Session(gpu_target(known, "cuda"), decide=chooser(schedules, None)), kernel, real, path)
    return CudaKernel(found, dynamic_memory(found)) if isinstance(found, Artifact) else found


def _planned(session: Session, kernel: StringKernel, real: str) -> ir.Planned:
    """The cheapest plan; where its temporaries are more than the memory of the machine, one that fits if there is."""
    graph, memory = graph_of(kernel, real), whole_memory()
    planned = session.plan_graph(graph)
    if kernel.has_batch_index or memory is None or hint(ir.peak_bytes(planned.plan.buffers)) <= memory:
        return planned
    try:
        return replace(session, options=replace(session.options, max_temp=memory)).plan_graph(graph)
    except CompileError:
        return planned  # the call says what does not fit


def _way(
    session: Session, kernel: StringKernel, real: str, path: Positions | None
) -> Artifact | tuple[StringStep, ...]:
    names = [operand.name for operand in kernel.operands]
    terms, output = [term.names for term in kernel.subscripts.operands], kernel.subscripts.output.names
    try:
        planned = _planned(session, kernel, real)
    except CompileError as error:
        if len(names) < 3 or any(each.code != "E0303" for each in error.diagnostics):
            raise
        # more indices than a plan has; products of two have fewer
        found = path_of_terms(terms, output, extents_of(kernel), inf) if path is None else path
        return steps_of_path(terms, output, names, kernel.output.name, found)
    if path is not None and path != path_of(names, ir.products_of(planned.plan)):
        return steps_of_path(terms, output, names, kernel.output.name, path)
    if not kernel.has_batch_index and (steps := string_steps(planned.plan, MANY_OPERATIONS)):
        return steps
    return session.lower_plan(planned).artifact


# -- the contraction graph of an index string --------------------------------------------------------------------------
# It loads the planner, which calls that were compiled before do without.


def graph_of(kernel: StringKernel, real: str) -> ir.Graph:
    """The contraction graph of a string, whose tensors are in C order; `real` is their type (`kernel_type`).

    Raises `CompileError` if an extent is 0 or too large.
    """
    parts, _, letters = real.partition(":")
    element_type = ir.ElementType(parts)
    are_complex = [letter == "c" for letter in letters or "r" * len(kernel.operands)]
    tensors = [
        _tensor(argument, element_type, is_complex=is_complex)
        for argument, is_complex in zip((*kernel.operands, kernel.output), (*are_complex, bool(letters)), strict=True)
    ]
    factors = tuple(map(_access, kernel.operands))
    origin = kernel.origin if len(factors) > 1 else kernel.operands[0].origin
    value: checked.Expression = checked.Product(factors, origin) if len(factors) > 1 else factors[0]
    if over := _summed(kernel):
        value = checked.Reduction(over, value, origin)
    statement = checked.Assignment(_access(kernel.output), checked.AssignmentOperator.SET, value, kernel.origin)
    made = checked.Kernel(KERNEL, (statement,))
    return elaborate(made, checked.CheckedProgram(tuple(tensors), (), (made,)))


def _tensor(argument: Argument, element_type: ir.ElementType, *, is_complex: bool) -> checked.Tensor:
    """A tensor in C order. Raises `CompileError` if an extent is 0 or too large."""
    check_extents(argument)
    shape = tuple(mode.extent for mode in argument.modes)
    strides: tuple[Extent, ...] = tuple(prod(shape[mode + 1 :]) for mode in range(len(shape)))
    storage = ir.Storage.BATCHED if argument.is_batched else ir.Storage.CONSTANT
    name = argument.name
    return checked.Tensor(name, name, element_type, storage, shape, strides, has_layout=True, is_complex=is_complex)


def _access(argument: Argument) -> checked.Access:
    """The entries that the indices run through: modes that repeat along theirs are held at 0."""
    positions = tuple(
        checked.FixedPosition(0)
        if mode.is_stretched
        else checked.IndexPosition(checked.Index(mode.letter.name, mode.extent))
        for mode in argument.modes
    )
    return checked.Access(argument.name, positions, argument.origin)


def _summed(kernel: StringKernel) -> tuple[checked.Index, ...]:
    """The indices that the result lacks: those that several operands have before those of a single one."""
    present = [dict.fromkeys(running(operand.modes)) for operand in kernel.operands]
    modes = [mode for operand in kernel.operands for mode in operand.modes if not mode.is_stretched]
    extents = {mode.letter.name: mode.extent for mode in modes}
    counts = Counter(name for names in present for name in names)
    lacking = [name for name in counts if name not in running(kernel.output.modes)]
    return tuple(checked.Index(name, extents[name]) for name in sorted(lacking, key=lambda name: counts[name] == 1))


# -- the steps of a plan as index strings, and its products as a path --------------------------------------------------
# What needs the planner's values.


def string_steps(plan: ir.Plan, least: int) -> tuple[StringStep, ...]:
    """The steps of the plan of an index string without a batch as index strings.

    None if one step is all there is, or the plan has less than `least` operations.
    """
    if len(plan.steps) == 1 or hint(plan.cost.operations) < least or not all(_is_plain(step) for step in plan.steps):
        return ()
    return tuple(_string_step(number, step, plan) for number, step in enumerate(plan.steps))


def path_of(names: Sequence[str], products: Sequence[tuple[str, str, str]]) -> Positions:
    """The products of the plan of an index string with these operands; without products, one step takes all of them."""
    left = list(names)
    path: list[tuple[int, ...]] = []
    for one, other, result in products:
        places = sorted((left.index(one), left.index(other)))
        path.append(tuple(places))
        left = [name for place, name in enumerate(left) if place not in places] + [result]
    return tuple(path) or (tuple(range(len(left))),)


def _is_plain(step: ir.Step) -> bool:
    """True if the step computes all of its target, and nothing else than products and sums."""
    parts = (part for view in (*step.operands, step.target) for part in view.parts)
    is_whole = all(isinstance(part, ir.At) or part.offset == 0 for part in parts)
    return is_whole and step.alpha == ir.ONE and ir.is_zero(step.beta) and bool(step.operands)


def _string_step(number: int, step: ir.Step, plan: ir.Plan) -> StringStep:
    letters = dict(zip((index.name for index in step.space.indices), ascii_letters, strict=False))
    *terms, result = ("".join(letters[name] for name in view.indices) for view in (*step.operands, step.target))
    operands = tuple(Part(view.buffer, tuple(map(_key, view.parts))) for view in step.operands)
    dead = tuple(buffer.tensor.name for buffer in plan.buffers if buffer.is_temporary and buffer.last == number)
    return StringStep(f"{','.join(terms)}->{result}", operands, step.target.buffer, dead)


def _key(part: ir.Part) -> int | slice:
    return part.position if isinstance(part, ir.At) else slice(None)

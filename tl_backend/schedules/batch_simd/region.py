"""Steps in C, one match over all instructions."""

from collections.abc import Sequence

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import index, scalar
from einsum_front.tl_backend.opencl.branch import lower_if
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.batch_simd.collective import Loop, lower_loop
from einsum_front.tl_backend.schedules.batch_simd.context import ELEMENTS, Context
from einsum_front.tl_backend.schedules.batch_simd.fused_transfer import FusedTransfer
from einsum_front.tl_backend.schedules.batch_simd.loop_prefetch import LoopPrefetch, no_prefetch
from einsum_front.tl_backend.schedules.batch_simd.planned import PlannedStep
from einsum_front.tl_backend.schedules.batch_simd.product import ProductSum
from einsum_front.tl_backend.types import ScalarType

Steps = Sequence[PlannedStep]


def lower_product(
    product: ProductSum,
    loops: Sequence[tuple[Loop, LoopPrefetch]],
    context: Context,
    fused: Sequence[FusedTransfer] = (),
) -> tree.Statements:
    """The loops of a product, under a comment that names the instructions it stands for."""
    lines = tuple(line for instruction in product.instructions for line in comment(instruction))
    statements = tuple(
        statement for loop, prefetch in loops for statement in lower_loop(loop, context, prefetch, fused)
    )
    # the last is named first: it is the one that stores
    origin = dict.fromkeys(span for instruction in reversed(product.instructions) for span in instruction.origin)
    return (tree.Section(lines, statements, tuple(origin)),)


def lower_step(planned: PlannedStep, context: Context) -> tree.Statements:
    """The statements of a step, under a comment that names it."""
    action = planned.step.action
    if isinstance(action, ProductSum):
        return lower_product(action, [(loop, no_prefetch) for loop in planned.loops], context)
    statements = lower_instruction(action, planned.inner, context)
    return (tree.Section(comment(action), statements, action.origin),) if statements else ()


def lower_instruction(instruction: tl.Instruction, inner: Sequence[Steps], context: Context) -> tree.Statements:
    """The statements of an instruction that is no product, and whose regions have these steps."""
    match instruction:
        case tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare():
            type_, value = scalar.computed(instruction, context.scalar)
            return _define(instruction.result, type_, value, context)
        case tl.MathCall():
            return _call(instruction, context)
        case tl.GroupSize(result=result):
            context.values[result.name] = context.values[ELEMENTS]
            return ()
        case tl.Size(result=result):
            context.values[result.name] = index.constant(context.facts.places.accesses.values[result.name].constant)
            return ()
        case tl.Load():
            return _load(instruction, context)
        case tl.Store():
            return _store(instruction, context)
        case tl.If(results=results, types=types):
            in_c = [_c_type(result, type_, context) for result, type_ in zip(results, types, strict=True)]
            branches = iter(inner)
            return lower_if(instruction, in_c, context, lambda _region: lower_steps(next(branches, ()), context))
        case tl.For(step=step):
            return (_loop(instruction, inner[0], context.facts.places.index(step).constant, context),)
        case tl.Foreach():
            return (_loop(instruction, inner[0], 1, context),)
        case (
            tl.Alloca() | tl.Barrier() | tl.Collective() | tl.Expand() | tl.Fuse() | tl.GroupId() | tl.LifetimeStop()
            | tl.Subview() | tl.Yield()
        ):  # fmt: skip
            return ()


def lower_steps(steps: Steps, context: Context) -> tree.Statements:
    """The steps of a region in a scope of their own."""
    inner = context.inner()
    return tuple(statement for step in steps for statement in lower_step(step, inner))


def _call(call: tl.MathCall, context: Context) -> tree.Statements:
    """A function of vectors, of which each operand is one, or of numbers that are batch-invariant."""
    operands = []
    for operand in call.operands:
        value = context.scalar(operand, call.type)
        is_spread = isinstance(operand, tl.Local) and context.differs(operand)
        is_vector = is_spread or not context.differs(call.result)
        operands.append(value if is_vector else tree.Pack(context.vector_type, (value,)))
    if call.function not in ELEMENTARY:
        return _define(call.result, call.type, scalar.call(call.function, operands), context)
    name = context.names.fresh(local_name(call.result.name))
    context.values[call.result.name] = tree.Name(name)
    return elementary(call.function, {name: operands[0]}, _c_type(call.result, call.type, context), context.names)


def _define(result: tl.Local, type_: ScalarType, value: tree.Expression, context: Context) -> tree.Statements:
    name = context.names.fresh(local_name(result.name))
    context.values[result.name] = tree.Name(name)
    return (tree.Declare(_c_type(result, type_, context), name, value),)


def _c_type(result: tl.Local, type_: ScalarType, context: Context) -> Scalar | Vector:
    return context.vector_type if context.differs(result) else scalar.REGISTER[type_]


def _load(instruction: tl.Load, context: Context) -> tree.Statements:
    """An entry; one that is known to be zero is not read."""
    places = context.facts.places
    place = places.place(instruction.operand)
    position = place.at(tuple(map(places.index, instruction.indices)))
    is_zero = not position.terms and not context.facts.patterns[place.base][position.constant]
    zero = context.zero_of(not context.differs(instruction.result))
    value = zero if is_zero else context.entry(place.base, position)
    return _define(instruction.result, context.element, value, context)


def _store(instruction: tl.Store, context: Context) -> tree.Statements:
    places = context.facts.places
    place = places.place(instruction.target)
    position = place.at(tuple(map(places.index, instruction.indices)))
    return (tree.Assign(context.entry(place.base, position), context.scalar(instruction.value, context.element)),)


def _loop(instruction: tl.For | tl.Foreach, steps: Steps, step: int, context: Context) -> tree.For:
    """The counter is wide enough to step beyond the last value, which the variable's own type may not be."""
    inner = context.inner()
    variable = tree.Name(inner.names.fresh(local_name(instruction.variable.name)))
    inner.values[instruction.variable.name] = variable
    bounds = (context.facts.places.index(bound).constant for bound in (instruction.start, instruction.stop))
    start, stop = map(index.constant, bounds)
    type_ = Scalar.I64 if instruction.type.bits == 64 or stop.value + step > index.INT_MAX else Scalar.I32
    body = lower_steps(steps, inner)
    return tree.For(type_, variable.text, start, stop, index.constant(step), body)

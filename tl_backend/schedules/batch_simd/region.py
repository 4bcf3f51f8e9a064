"""Steps in C, one match over all instructions."""

from collections.abc import Sequence

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
    Local,
    MathCall,
    Size,
    Store,
    Subview,
    Yield,
)
from einsum_front.tl_backend.kernel.tree import Assign, Declare, Expression, Name, Pack, Section, Statements
from einsum_front.tl_backend.kernel.tree import For as CFor
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
) -> Statements:
    """The loops of a product, under a comment that names the instructions it stands for."""
    lines = tuple(line for instruction in product.instructions for line in comment(instruction))
    statements = tuple(
        statement for loop, prefetch in loops for statement in lower_loop(loop, context, prefetch, fused)
    )
    # the last is named first: it is the one that stores
    origin = dict.fromkeys(span for instruction in reversed(product.instructions) for span in instruction.origin)
    return (Section(lines, statements, tuple(origin)),)


def lower_step(planned: PlannedStep, context: Context) -> Statements:
    """The statements of a step, under a comment that names it."""
    action = planned.step.action
    if isinstance(action, ProductSum):
        return lower_product(action, [(loop, no_prefetch) for loop in planned.loops], context)
    statements = lower_instruction(action, planned.inner, context)
    return (Section(comment(action), statements, action.origin),) if statements else ()


def lower_instruction(instruction: Instruction, inner: Sequence[Steps], context: Context) -> Statements:
    """The statements of an instruction that is no product, and whose regions have these steps."""
    match instruction:
        case ArithBinary() | ArithUnary() | Cast() | Compare():
            type_, value = scalar.computed(instruction, context.scalar)
            return _define(instruction.result, type_, value, context)
        case MathCall():
            return _call(instruction, context)
        case GroupSize(result=result):
            context.values[result.name] = context.values[ELEMENTS]
            return ()
        case Size(result=result):
            context.values[result.name] = index.constant(context.facts.places.accesses.values[result.name].constant)
            return ()
        case Load():
            return _load(instruction, context)
        case Store():
            return _store(instruction, context)
        case If(results=results, types=types):
            in_c = [_c_type(result, type_, context) for result, type_ in zip(results, types, strict=True)]
            branches = iter(inner)
            return lower_if(instruction, in_c, context, lambda _region: lower_steps(next(branches, ()), context))
        case For(step=step):
            return (_loop(instruction, inner[0], context.facts.places.index(step).constant, context),)
        case Foreach():
            return (_loop(instruction, inner[0], 1, context),)
        case (
            Alloca() | Barrier() | Collective() | Expand() | Fuse() | GroupId() | LifetimeStop() | Subview() | Yield()
        ):  # fmt: skip
            return ()


def lower_steps(steps: Steps, context: Context) -> Statements:
    """The steps of a region in a scope of their own."""
    inner = context.inner()
    return tuple(statement for step in steps for statement in lower_step(step, inner))


def _call(call: MathCall, context: Context) -> Statements:
    """A function of vectors, of which each operand is one, or of numbers that are batch-invariant."""
    operands = []
    for operand in call.operands:
        value = context.scalar(operand, call.type)
        is_spread = isinstance(operand, Local) and context.differs(operand)
        is_vector = is_spread or not context.differs(call.result)
        operands.append(value if is_vector else Pack(context.vector_type, (value,)))
    if call.function not in ELEMENTARY:
        return _define(call.result, call.type, scalar.call(call.function, operands), context)
    name = context.names.fresh(local_name(call.result.name))
    context.values[call.result.name] = Name(name)
    return elementary(call.function, operands[0], name, _c_type(call.result, call.type, context), context.names)


def _define(result: Local, type_: ScalarType, value: Expression, context: Context) -> Statements:
    name = context.names.fresh(local_name(result.name))
    context.values[result.name] = Name(name)
    return (Declare(_c_type(result, type_, context), name, value),)


def _c_type(result: Local, type_: ScalarType, context: Context) -> Scalar | Vector:
    return context.vector_type if context.differs(result) else scalar.REGISTER[type_]


def _load(instruction: Load, context: Context) -> Statements:
    """An entry; one that is known to be zero is not read."""
    places = context.facts.places
    place = places.place(instruction.operand)
    position = place.at(tuple(map(places.index, instruction.indices)))
    is_zero = not position.terms and not context.facts.patterns[place.base][position.constant]
    zero = context.zero_of(not context.differs(instruction.result))
    value = zero if is_zero else context.entry(place.base, position)
    return _define(instruction.result, context.element, value, context)


def _store(instruction: Store, context: Context) -> Statements:
    places = context.facts.places
    place = places.place(instruction.target)
    position = place.at(tuple(map(places.index, instruction.indices)))
    return (Assign(context.entry(place.base, position), context.scalar(instruction.value, context.element)),)


def _loop(instruction: For | Foreach, steps: Steps, step: int, context: Context) -> CFor:
    """The counter is wide enough to step beyond the last value, which the variable's own type may not be."""
    inner = context.inner()
    variable = Name(inner.names.fresh(local_name(instruction.variable.name)))
    inner.values[instruction.variable.name] = variable
    bounds = (context.facts.places.index(bound).constant for bound in (instruction.start, instruction.stop))
    start, stop = map(index.constant, bounds)
    type_ = Scalar.I64 if instruction.type.bits == 64 or stop.value + step > index.INT_MAX else Scalar.I32
    body = lower_steps(steps, inner)
    return CFor(type_, variable.text, start, stop, index.constant(step), body)

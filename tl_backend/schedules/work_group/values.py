"""Instructions with a scalar value become variables; elements are read and written one by one."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl import scalar
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.types import ScalarType


def lower_scalar(
    instruction: tl.ArithBinary | tl.ArithUnary | tl.Cast | tl.Compare | tl.GroupId | tl.GroupSize | tl.MathCall,
    context: Context,
) -> tree.Statements:
    """A variable with the value."""
    if isinstance(instruction, tl.MathCall) and instruction.function in ELEMENTARY and context.target.is_cpu:
        return _computed(instruction, context)
    type_, value = _value(instruction, context)
    definition = _define(instruction.result, type_, value, context)
    if isinstance(instruction, tl.GroupId):
        context.group_ids.append(context.scalar(instruction.result, type_))
    return definition


def _computed(call: tl.MathCall, context: Context) -> tree.Statements:
    """A function that the compiler has no vectors for."""
    name = context.names.fresh(local_name(call.result.name))
    context.values[call.result.name] = tree.Name(name)
    (operand,) = (context.scalar(each, call.type) for each in call.operands)
    return elementary(call.function, {name: operand}, scalar.REGISTER[call.type], context.names)


def _value(
    instruction: tl.ArithBinary | tl.ArithUnary | tl.Cast | tl.Compare | tl.GroupId | tl.GroupSize | tl.MathCall,
    context: Context,
) -> tuple[ScalarType, tree.Expression]:
    match instruction:
        case tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.MathCall():
            return scalar.computed(instruction, context.scalar)
        case tl.GroupId():
            return ScalarType.INDEX, context.group_id
        case tl.GroupSize():
            return ScalarType.INDEX, context.group_count


def lower_size(instruction: tl.Size, context: Context) -> tree.Statements:
    """The size is a constant or a variable already."""
    context.values[instruction.result.name] = context.view(instruction.operand).shape[instruction.mode]
    return ()


def lower_load(instruction: tl.Load, context: Context) -> tree.Statements:
    """The element of a memref."""
    view = context.view(instruction.operand)
    value = view.value(tuple(map(context.index, instruction.indices)))
    return _define(instruction.result, view.element, value, context)


def lower_store(instruction: tl.Store, context: Context) -> tree.Statements:
    """In a mixed region all work-items hold the same value, and the first one stores it."""
    view = context.view(instruction.target)
    value = context.scalar(instruction.value, view.element)
    stored = scalar.convert(value, scalar.REGISTER[view.element], scalar.memory_type(view.element))
    return context.once((tree.Assign(view.entry(tuple(map(context.index, instruction.indices))), stored),))


def _define(result: tl.Local, type_: ScalarType, value: tree.Expression, context: Context) -> tree.Statements:
    name = context.names.fresh(local_name(result.name))
    context.values[result.name] = tree.Name(name)
    return (tree.Declare(scalar.REGISTER[type_], name, value),)

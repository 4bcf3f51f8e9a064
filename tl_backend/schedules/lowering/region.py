"""Instructions on single values, branches and loops: the same in all schedules, but for what their `Context` answers.

Collective instructions, memory and views are each schedule's own matter.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import scalar
from einsum_front.tl_backend.opencl.elementary import ELEMENTARY, elementary
from einsum_front.tl_backend.opencl.kernel import comment
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.schedules.lowering.context import Context, lower_group_load, lower_view
from einsum_front.tl_backend.schedules.lowering.product import Bounds
from einsum_front.tl_backend.types import GroupType, ScalarType

C = TypeVar("C", bound=Context)

OnValues = tl.ArithBinary | tl.ArithUnary | tl.Cast | tl.Compare | tl.MathCall | tl.Load | tl.Store
"""Instructions on single values."""


def lower_on_values(instruction: OnValues, context: Context) -> tree.Statements:
    """A variable with the value, or a store; elements are read and written one by one."""
    match instruction:
        case tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare():
            return context.define(instruction.result, *scalar.computed(instruction, context.scalar))
        case tl.MathCall():
            return _call(instruction, context)
        case tl.Load(result=result, type=type_):
            if isinstance(type_, GroupType):
                return lower_group_load(instruction, context)
            return context.define(result, type_.element, context.loaded(instruction))
        case tl.Store(value=value, target=memory, indices=indices, type=memref):
            register, stored = scalar.REGISTER[memref.element], scalar.memory_type(memref.element)
            entry = scalar.convert(context.scalar(value, memref.element), register, stored)
            return context.once((tree.Assign(context.place(memory, indices), entry),))


def _call(call: tl.MathCall, context: Context) -> tree.Statements:
    operands = context.call_operands(call)
    if call.function not in ELEMENTARY or not context.has_functions:
        return context.define(call.result, call.type, scalar.call(call.function, operands))
    type_ = context.type_of(call.result, call.type)
    return elementary(call.function, {context.named(call.result): operands[0]}, type_, context.names)


def lower_branch(
    instruction: tl.If, context: Context, region: Callable[[tl.Region], tree.Statements]
) -> tree.Statements:
    """An `if`, whose branches `region` makes."""
    results = zip(instruction.results, instruction.types, strict=True)
    return lower_if(instruction, [context.type_of(*each) for each in results], context, region)


def lower_for(
    loop: tl.For | tl.Foreach,
    counter: Scalar,
    bounds: Bounds,
    context: C,
    body: Callable[[C], tree.Statements],
    *,
    is_wider: bool = False,
) -> tree.For:
    """A loop that counts in this type; if it `is_wider` than the loop's, the variable is made of the counter."""
    scope = context.inner()
    variable = tree.Name(scope.names.fresh(local_name(loop.variable.name)))
    scope.values[loop.variable.name] = variable
    if not is_wider:
        return tree.For(counter, variable.text, *bounds, body(scope))
    wide, type_ = tree.Name(scope.names.fresh(variable.text)), scalar.REGISTER[loop.type]
    narrow = tree.Declare(type_, variable.text, scalar.convert(wide, counter, type_))
    return tree.For(counter, wide.text, *bounds, (narrow, *body(scope)))


def unrolling(body: tl.Region, context: Context) -> tree.Unroll:
    """Functions of many lines are not repeated."""
    is_long = any(isinstance(each, tl.MathCall) and each.function in ELEMENTARY for each in body)
    return tree.Unroll.NEVER if is_long and context.target.is_cpu else tree.Unroll.AS_THE_COMPILER_LIKES


def lower_values(instructions: Iterable[tl.ValueInstruction | tl.Store], context: Context) -> tree.Statements:
    """Instructions with one result, and stores, each under a comment that names it."""
    sections = ((each, lower_value(each, context)) for each in instructions)
    return tuple(tree.Section(comment(each), body, each.origin) for each, body in sections if body)


def lower_value(instruction: tl.ValueInstruction | tl.Store, context: Context) -> tree.Statements:
    """The statements of an instruction; none if all it says is known when compiling."""
    match instruction:
        case (
            tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.MathCall() | tl.Load() | tl.Store()
        ):  # fmt: skip
            return lower_on_values(instruction, context)
        case tl.GroupId(result=result):
            definition = context.define(result, ScalarType.INDEX, context.group_id)
            context.group_ids.append(context.index(result))
            return definition
        case tl.GroupSize(result=result):
            return context.define(result, ScalarType.INDEX, context.group_count)
        case tl.Size(result=result, operand=operand, mode=mode):
            context.values[result.name] = context.view(operand).shape[mode]
            return ()
        case tl.Expand() | tl.Fuse() | tl.Subview():
            return lower_view(instruction, context)
        case tl.Alloca():
            raise CompilerBug("temporaries are the matter of a schedule")


# -- `if` in C, whatever schedule the statements around it have --------------------------------------------------------


class Scope(Protocol):
    """Knowledge of a schedule at the place of the `if`."""

    @property
    def names(self) -> Names:
        """The names in use."""

    @property
    def values(self) -> dict[str, Any]:
        """The values in sight."""

    def scalar(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """An operand in C."""


def lower_if(
    instruction: tl.If, types: Sequence[Scalar | Vector], scope: Scope, lower: Callable[[tl.Region], tree.Statements]
) -> tree.Statements:
    """Results are variables of these types that the `yield` of the branch taken gives their values."""
    results = tuple(tree.Name(scope.names.fresh(local_name(result.name))) for result in instruction.results)
    declarations = (tree.Declare(type_, name.text) for type_, name in zip(types, results, strict=True))
    condition = scope.scalar(instruction.condition, ScalarType.BOOL)
    then, otherwise = (
        (*lower(region), *_yielded(region, results, scope))
        for region in (instruction.then, instruction.otherwise or ())
    )
    scope.values.update(zip((result.name for result in instruction.results), results, strict=True))
    return (*declarations, tree.If(condition, then, otherwise))


def _yielded(region: tl.Region, results: Sequence[tree.Name], scope: Scope) -> tree.Statements:
    """The results from the `yield` at the end of a branch, if it has one."""
    last = region[-1] if region else None
    if not isinstance(last, tl.Yield):
        return ()
    values = zip(results, last.values, last.types, strict=True)
    return tuple(tree.Assign(result, scope.scalar(value, type_)) for result, value, type_ in values)

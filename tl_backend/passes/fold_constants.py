"""Values that are known when compiling are computed when compiling."""

from dataclasses import replace

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import substitute, with_body, with_regions
from einsum_front.tl_backend.scalars import (
    Scalar,
    UndefinedResultError,
    binary,
    cast,
    compare,
    fits_constant,
    make,
    unary,
)
from einsum_front.tl_backend.types import ScalarType

Values = dict[str, tl.Operand]


def fold_constants(function: Function) -> Function:
    """Compute what has constant operands, and put the result where it is used.

        %n = size %A[0] : memref<f32x8x?>       %n = size %A[0] : memref<f32x8x?>
        %m = arith.sub %n, 1 : index            %m = arith.sub 8, 1 : index
        %a = load %A[%m, %i] : memref<f32x8x?>  %a = load %A[7, %i] : memref<f32x8x?>

    An `if` with a constant condition becomes the region that runs, a loop without iterations nothing. Adding 0 to an
    integer, or multiplying one by 1, gives the integer. Definitions that are not needed any more stay, and so do names
    where the language has no constants, or where one would change the type of a view, or break a rule: such a place is
    never reached, or undefined.
    """
    return with_body(function, _fold_region(function.body, {}))


def _fold_region(region: tl.Region, values: Values) -> tl.Region:
    return tuple(folded for instruction in region for folded in _fold(instruction, values))


def _fold(instruction: tl.Instruction, values: Values) -> tl.Region:
    candidate = substitute(instruction, values)
    known = candidate if candidate is instruction or _keeps_rules(candidate) else instruction
    if isinstance(known, tl.RegionInstruction):
        return _fold_control(known, values)
    if isinstance(known, tl.ValueInstruction):
        value = _value(known)
        if value is not None:
            values[known.result.name] = value
    return (known,)


def _keeps_rules(instruction: tl.Instruction) -> bool:
    from einsum_front.tl_backend.verify import is_legal  # noqa: PLC0415 - few kernels have constants to be folded

    return is_legal(instruction)


def _fold_control(instruction: tl.RegionInstruction, values: Values) -> tl.Region:
    match instruction:
        case tl.If(condition=tl.IntegerConstant(value=condition), then=then, otherwise=otherwise):
            taken = _fold_region((then if condition else otherwise) or (), values)
            return _without_yield(taken, instruction, values)
        case tl.For(start=tl.IntegerConstant(value=start), stop=tl.IntegerConstant(value=stop)) if start >= stop:
            return ()
        case tl.Foreach(start=tl.IntegerConstant(value=start), stop=tl.IntegerConstant(value=stop)) if start >= stop:
            return ()
        case tl.If() | tl.For() | tl.Foreach():
            return (with_regions(instruction, lambda region: _fold_region(region, values)),)


def _without_yield(region: tl.Region, owner: tl.If, values: Values) -> tl.Region:
    """The region in the place of the `if`, whose results are copies of what it yields."""
    if not region or not isinstance(region[-1], tl.Yield):
        return region
    yielded = region[-1]
    values.update({local.name: value for local, value in zip(owner.results, yielded.values, strict=True)})
    copies = map(tl.Cast, owner.results, yielded.values, yielded.types, yielded.types)
    return *region[:-1], *(replace(copy, origin=yielded.origin) for copy in copies)


def _value(instruction: tl.ValueInstruction) -> tl.Operand | None:
    """Replacement of the result: a constant or another value, if there is one."""
    try:
        match instruction:
            case tl.ArithBinary():
                return _unchanged(instruction) or _fold_binary(instruction)
            case tl.ArithUnary(
                operator=operator, operand=tl.IntegerConstant() | tl.FloatConstant() as operand, type=type_
            ):
                return _constant(unary(operator, make(operand.value, type_), type_), type_, instruction)
            case tl.Cast(operand=operand, from_type=from_type, to_type=to_type) if from_type is to_type:
                return operand
            case tl.Cast(
                operand=tl.IntegerConstant() | tl.FloatConstant() as operand, from_type=from_type, to_type=to_type
            ):
                return _constant(cast(make(operand.value, from_type), to_type), to_type, instruction)
            case tl.Compare(
                condition=condition,
                left=tl.IntegerConstant() | tl.FloatConstant() as left,
                right=tl.IntegerConstant() | tl.FloatConstant() as right,
                type=type_,
            ):
                answer = compare(condition, make(left.value, type_), make(right.value, type_))
                return _constant(answer, ScalarType.BOOL, instruction)
            case tl.Size(type=type_, mode=mode):
                size = type_.shape[mode]
                return None if size is None else tl.IntegerConstant(size, instruction.origin)
            case (
                tl.Alloca() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.GroupId()
                | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Subview()
            ):  # fmt: skip
                return None
    except UndefinedResultError:
        return None


NEUTRAL_RIGHT = {
    tl.BinaryOperator.ADD: 0,
    tl.BinaryOperator.SUB: 0,
    tl.BinaryOperator.MUL: 1,
    tl.BinaryOperator.DIV: 1,
    tl.BinaryOperator.SHL: 0,
    tl.BinaryOperator.SHR: 0,
}
NEUTRAL_LEFT = {tl.BinaryOperator.ADD: 0, tl.BinaryOperator.MUL: 1}


def _unchanged(instruction: tl.ArithBinary) -> tl.Operand | None:
    """The operand that an operation on integers leaves as it is."""
    left, right, operator = instruction.left, instruction.right, instruction.operator
    if isinstance(right, tl.IntegerConstant) and right.value == NEUTRAL_RIGHT.get(operator):
        return left
    if isinstance(left, tl.IntegerConstant) and left.value == NEUTRAL_LEFT.get(operator):
        return right
    return None


def _fold_binary(instruction: tl.ArithBinary) -> tl.Constant | None:
    left, right, type_ = instruction.left, instruction.right, instruction.type
    if isinstance(left, tl.Local) or isinstance(right, tl.Local):
        return None
    result = binary(instruction.operator, make(left.value, type_), make(right.value, type_), type_)
    return _constant(result, type_, instruction)


def _constant(value: Scalar, type_: ScalarType, made_by: tl.Instruction) -> tl.Constant | None:
    """The constant in the text, if the value can be written as one."""
    if type_.is_complex:
        return tl.ComplexConstant(complex(value), made_by.origin) if fits_constant(complex(value), type_) else None
    if type_.is_floating:
        return tl.FloatConstant(float(value), made_by.origin) if fits_constant(float(value), type_) else None
    return tl.IntegerConstant(int(value), made_by.origin) if fits_constant(int(value), type_) else None

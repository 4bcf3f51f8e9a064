"""Values that are known when compiling are computed when compiling."""

from dataclasses import replace

from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    BinaryOperator,
    Cast,
    Compare,
    Constant,
    Expand,
    FloatConstant,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    Instruction,
    IntegerConstant,
    Load,
    Local,
    MathCall,
    Operand,
    Region,
    RegionInstruction,
    Size,
    Subview,
    ValueInstruction,
    Yield,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import substitute, with_regions
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
from einsum_front.tl_backend.verify import is_legal

Values = dict[str, Operand]


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
    return replace(function, body=_fold_region(function.body, {}))


def _fold_region(region: Region, values: Values) -> Region:
    return tuple(folded for instruction in region for folded in _fold(instruction, values))


def _fold(instruction: Instruction, values: Values) -> Region:
    candidate = substitute(instruction, values)
    known = candidate if is_legal(candidate) else instruction
    if isinstance(known, RegionInstruction):
        return _fold_control(known, values)
    if isinstance(known, ValueInstruction):
        value = _value(known)
        if value is not None:
            values[known.result.name] = value
    return (known,)


def _fold_control(instruction: RegionInstruction, values: Values) -> Region:
    match instruction:
        case If(condition=IntegerConstant(value=condition), then=then, otherwise=otherwise):
            taken = _fold_region((then if condition else otherwise) or (), values)
            return _without_yield(taken, instruction, values)
        case For(start=IntegerConstant(value=start), stop=IntegerConstant(value=stop)) if start >= stop:
            return ()
        case Foreach(start=IntegerConstant(value=start), stop=IntegerConstant(value=stop)) if start >= stop:
            return ()
        case If() | For() | Foreach():
            return (with_regions(instruction, lambda region: _fold_region(region, values)),)


def _without_yield(region: Region, owner: If, values: Values) -> Region:
    """The region in the place of the `if`, whose results are copies of what it yields."""
    if not region or not isinstance(region[-1], Yield):
        return region
    yielded = region[-1]
    values.update({local.name: value for local, value in zip(owner.results, yielded.values, strict=True)})
    copies = map(Cast, owner.results, yielded.values, yielded.types, yielded.types)
    return *region[:-1], *(replace(copy, origin=yielded.origin) for copy in copies)


def _value(instruction: ValueInstruction) -> Operand | None:
    """Replacement of the result: a constant or another value, if there is one."""
    try:
        match instruction:
            case ArithBinary():
                return _unchanged(instruction) or _fold_binary(instruction)
            case ArithUnary(operator=operator, operand=IntegerConstant() | FloatConstant() as operand, type=type_):
                return _constant(unary(operator, make(operand.value, type_), type_), type_, instruction)
            case Cast(operand=operand, from_type=from_type, to_type=to_type) if from_type is to_type:
                return operand
            case Cast(operand=IntegerConstant() | FloatConstant() as operand, from_type=from_type, to_type=to_type):
                return _constant(cast(make(operand.value, from_type), to_type), to_type, instruction)
            case Compare(
                condition=condition,
                left=IntegerConstant() | FloatConstant() as left,
                right=IntegerConstant() | FloatConstant() as right,
                type=type_,
            ):
                answer = compare(condition, make(left.value, type_), make(right.value, type_))
                return _constant(answer, ScalarType.BOOL, instruction)
            case Size(type=type_, mode=mode):
                size = type_.shape[mode]
                return None if size is None else IntegerConstant(size, instruction.origin)
            case (
                Alloca() | ArithUnary() | Cast() | Compare() | Expand() | Fuse() | GroupId() | GroupSize()
                | Load() | MathCall() | Subview()
            ):  # fmt: skip
                return None
    except UndefinedResultError:
        return None


NEUTRAL_RIGHT = {
    BinaryOperator.ADD: 0,
    BinaryOperator.SUB: 0,
    BinaryOperator.MUL: 1,
    BinaryOperator.DIV: 1,
    BinaryOperator.SHL: 0,
    BinaryOperator.SHR: 0,
}
NEUTRAL_LEFT = {BinaryOperator.ADD: 0, BinaryOperator.MUL: 1}


def _unchanged(instruction: ArithBinary) -> Operand | None:
    """The operand that an operation on integers leaves as it is."""
    left, right, operator = instruction.left, instruction.right, instruction.operator
    if isinstance(right, IntegerConstant) and right.value == NEUTRAL_RIGHT.get(operator):
        return left
    if isinstance(left, IntegerConstant) and left.value == NEUTRAL_LEFT.get(operator):
        return right
    return None


def _fold_binary(instruction: ArithBinary) -> Constant | None:
    left, right, type_ = instruction.left, instruction.right, instruction.type
    if isinstance(left, Local) or isinstance(right, Local):
        return None
    result = binary(instruction.operator, make(left.value, type_), make(right.value, type_), type_)
    return _constant(result, type_, instruction)


def _constant(value: Scalar, type_: ScalarType, made_by: Instruction) -> Constant | None:
    """The constant in the text, if the value can be written as one."""
    if type_.is_floating:
        return FloatConstant(float(value), made_by.origin) if fits_constant(float(value), type_) else None
    return IntegerConstant(int(value), made_by.origin) if fits_constant(int(value), type_) else None

"""Instructions as text; of those with regions, the line before the region."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.traverse import typed_operands
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.unparse.editions import Spelling, is_bit_operator
from einsum_front.tl_backend.unparse.words import (
    expand_shape_text,
    mnemonic,
    operand_text,
    operands_text,
    slice_text,
    type_text,
)


def instruction_text(instruction: tl.Instruction, spelling: Spelling) -> str:
    """The instruction on one line; what the edition cannot say is written as other editions do."""
    match instruction:
        case (
            tl.Alloca(result=result)
            | tl.ArithBinary(result=result)
            | tl.ArithUnary(result=result)
            | tl.Cast(result=result)
            | tl.Compare(result=result)
            | tl.Expand(result=result)
            | tl.Fuse(result=result)
            | tl.GroupId(result=result)
            | tl.GroupSize(result=result)
            | tl.Load(result=result)
            | tl.MathCall(result=result)
            | tl.Size(result=result)
            | tl.Subview(result=result)
        ):
            return f"{operand_text(result)} = {_value_text(instruction, spelling)}"
        case tl.Collective():
            return _collective_text(instruction, spelling)
        case tl.If() | tl.For() | tl.Foreach():
            return _region_text(instruction, spelling)
        case tl.Store(value=value, target=target, indices=indices, type=type_):
            operand = f"{operand_text(target)}[{operands_text(indices)}]"
            return f"store {operand_text(value)}, {operand} : {type_text(type_, spelling)}"
        case tl.Yield(values=values, types=types):
            return " ".join(filter(None, ("yield", operands_text(values), ":", _types_text(types, spelling))))
        case tl.Barrier():
            return "barrier"
        case tl.LifetimeStop(operand=operand):
            return f"lifetime_stop {operand_text(operand)}"


def _value_text(instruction: tl.ValueInstruction, spelling: Spelling) -> str:
    match instruction:
        case tl.Alloca(type=type_, is_global=is_global, sizes=sizes):
            words = filter(None, (f"alloca{'.global' if is_global else ''}", operands_text(sizes)))
            return f"{' '.join(words)} -> {type_text(type_, spelling)}"
        case tl.ArithBinary(operator=operator, left=left, right=right, type=type_):
            return f"{_operator_text(operator, spelling)} {operands_text((left, right))} : {type_text(type_, spelling)}"
        case tl.ArithUnary(operator=operator, operand=operand, type=type_):
            return f"{_operator_text(operator, spelling)} {operand_text(operand)} : {type_text(type_, spelling)}"
        case tl.Cast(operand=operand, from_type=source, to_type=target):
            return f"cast {operand_text(operand)} : {type_text(source, spelling)} -> {type_text(target, spelling)}"
        case tl.Compare(condition=condition, left=left, right=right, type=type_):
            return f"cmp.{condition.value} {operands_text((left, right))} : {type_text(type_, spelling)}"
        case tl.Expand(operand=operand, mode=mode, shape=shape, type=type_):
            return f"expand {operand_text(operand)}[{mode}->{expand_shape_text(shape)}] : {type_text(type_, spelling)}"
        case tl.Fuse(operand=operand, first=first, last=last, type=type_):
            return f"fuse {operand_text(operand)}[{first},{last}] : {type_text(type_, spelling)}"
        case tl.GroupId():
            return "group_id"
        case tl.GroupSize():
            return "group_size"
        case tl.Load(operand=operand, indices=indices, type=type_):
            return f"load {operand_text(operand)}[{operands_text(indices)}] : {type_text(type_, spelling)}"
        case tl.MathCall(function=function, operands=operands, type=type_):
            return f"math.{function.value} {operands_text(operands)} : {type_text(type_, spelling)}"
        case tl.Size(operand=operand, mode=mode, type=type_):
            return f"size {operand_text(operand)}[{mode}] : {type_text(type_, spelling)}"
        case tl.Subview(operand=operand, slices=slices, type=type_):
            parts = ", ".join(map(slice_text, slices))
            return f"subview {operand_text(operand)}[{parts}] : {type_text(type_, spelling)}"


def _operator_text(operator: tl.BinaryOperator | tl.UnaryOperator, spelling: Spelling) -> str:
    prefix = "arith." if is_bit_operator(operator) else spelling.arithmetic_prefix
    return f"{prefix}{operator.value}"


def _collective_text(instruction: tl.Collective, spelling: Spelling) -> str:
    typed = typed_operands(instruction)
    operands = operands_text(tuple(operand.value for operand in typed))
    types = ", ".join(type_text(operand.type, spelling) for operand in typed)
    atomic = ".atomic" if instruction.atomic else ""
    return f"{_opcode(instruction, spelling)}{atomic} {operands} : {types}"


def _opcode(instruction: tl.Collective, spelling: Spelling) -> str:
    word = spelling.hadamard_product if isinstance(instruction, tl.HadamardProduct) else mnemonic(instruction)
    return ".".join((word, *(transpose.value for transpose in instruction.transposes)))


def _region_text(instruction: tl.RegionInstruction, spelling: Spelling) -> str:
    match instruction:
        case tl.If(results=results, condition=condition, types=types):
            names = f"{operands_text(results)} = " if results else ""
            returned = f" -> ({_types_text(types, spelling)})" if types else ""
            return f"{names}if {operand_text(condition)}{returned} {{"
        case tl.For(variable=variable, start=start, stop=stop, step=step, type=type_):
            bounds = (start, stop) if step == tl.IntegerConstant(1) else (start, stop, step)
            return f"for {operand_text(variable)} = {operands_text(bounds)}{_loop_type(type_, spelling)} {{"
        case tl.Foreach(variable=variable, start=start, stop=stop, type=type_):
            bounds = (start, stop)
            return f"foreach {operand_text(variable)} = {operands_text(bounds)}{_loop_type(type_, spelling)} {{"


def _loop_type(type_: ScalarType, spelling: Spelling) -> str:
    """Loops count in `index` unless something else is said."""
    return "" if type_ is ScalarType.INDEX else f" : {type_text(type_, spelling)}"


def _types_text(types: tuple[ScalarType, ...], spelling: Spelling) -> str:
    return ", ".join(type_text(type_, spelling) for type_ in types)

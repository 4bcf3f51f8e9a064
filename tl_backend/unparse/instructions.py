"""Instructions as text; of those with regions, the line before the region."""

import math
import re

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Edition
from einsum_front.tl_backend.traverse import typed_operands
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type

# -- the editions as a table of spellings, and what each of them cannot say --------------------------------------------
# The edition tinytc-0.4 is a language of its own, which `unparse/tinytc.py` writes.
#
# | | 2023 | 2024 | tinytc-0.2 | tinytc-0.3 |
# |---|---|---|---|---|
# | arithmetic | `add`, `neg`, … | `arith.add`, shifts and bit operations | as 2023 | as 2024 |
# | truth values | `bool` | `i1` | `bool` | `i1` |
# | unsigned integers | `u8` … `u64` | none | as 2023 | none |
# | offset of a group | none | `group<…, offset: c>` | none | as 2024 |
# | Hadamard product | `hadamard_product` | `hadamard_product` | `hadamard` | `hadamard` |
# | `alloca.global` | none | none | none | none |
# | `math.exp`, … | none | none | none | none |
# | constants for α and β | floating | floating | integers too | integers too |
# | `barrier`, `lifetime_stop` | written | written | left out: found by the compiler | left out |

FIRST_OPERATORS = (
    tl.BinaryOperator.ADD,
    tl.BinaryOperator.SUB,
    tl.BinaryOperator.MUL,
    tl.BinaryOperator.DIV,
    tl.BinaryOperator.REM,
    tl.UnaryOperator.NEG,
)
"""The operators of the 2023 edition; the shifts and bit operators came in 2024 and are always written `arith.shl`."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How an edition writes what the editions write differently."""

    edition: Edition
    boolean: str
    arithmetic_prefix: str
    hadamard_product: str
    has_bit_operators: bool
    has_unsigned_integers: bool
    has_group_offset: bool
    has_integer_factors: bool
    has_barriers: bool


def spelling(edition: Edition) -> Spelling:
    """The edition's column of the table."""
    is_first = edition in (Edition.E2023, Edition.TINYTC_0_2)
    return Spelling(
        edition,
        boolean="bool" if is_first else "i1",
        arithmetic_prefix="" if is_first else "arith.",
        hadamard_product="hadamard" if edition.is_released else "hadamard_product",
        has_bit_operators=not is_first,
        has_unsigned_integers=is_first,
        has_group_offset=not is_first,
        has_integer_factors=edition.is_released or edition.is_dialect,
        has_barriers=not edition.is_released and not edition.is_dialect,
    )


def is_bit_operator(operator: tl.BinaryOperator | tl.UnaryOperator) -> bool:
    """True if the operator is one that the 2023 edition lacks."""
    return operator not in FIRST_OPERATORS


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


# -- types, constants and operands as text -----------------------------------------------------------------------------


def type_text(type_: Type, spelling: Spelling) -> str:
    """The type; the packed layout and an offset of 0 go without saying."""
    match type_:
        case ScalarType():
            return spelling.boolean if type_ is ScalarType.BOOL else str(type_.value)
        case MemrefType(element=element, shape=shape, strides=strides):
            extents = "x".join((type_text(element, spelling), *map(extent_text, shape)))
            layout = "" if type_.is_packed else f",strided<{','.join(map(extent_text, strides))}>"
            return f"memref<{extents}{layout}>"
        case GroupType(memref=memref, offset=offset):
            moved = "" if offset == 0 else f", offset: {extent_text(offset)}"
            return f"group<{type_text(memref, spelling)}{moved}>"


def extent_text(extent: Extent) -> str:
    """A mode size, a stride or an offset; `?` if it is known only at run time."""
    return "?" if extent is None else str(extent)


def operand_text(operand: tl.Operand) -> str:
    """A value or a constant; a floating constant in the fewest digits that read back as the same double."""
    match operand:
        case tl.Local(name=name):
            return f"%{name}"
        case tl.IntegerConstant(value=integer):
            return str(integer)
        case tl.ComplexConstant(value=number):
            parts = (operand_text(tl.FloatConstant(part)) for part in (number.real, number.imag))
            return f"[{', '.join(parts)}]"
        case tl.FloatConstant(value=value):
            if not math.isfinite(value):
                raise CompilerBug(f"the floating constant {value} has no text")
            return repr(value)


def operands_text(operands: tuple[tl.Operand, ...]) -> str:
    """Operands with commas between them."""
    return ", ".join(map(operand_text, operands))


def slice_text(slice_: tl.Position | tl.Slice) -> str:
    """`%i`, `:` for a whole mode, or `offset:size`."""
    match slice_:
        case tl.Position(index=index):
            return operand_text(index)
        case tl.Slice(offset=tl.IntegerConstant(value=0), size=None):
            return ":"
        case tl.Slice(offset=offset, size=size):
            return f"{operand_text(offset)}:{_size_text(size)}"


def expand_shape_text(shape: tuple[tl.IndexOperand | None, ...]) -> str:
    """`4x?`; with blanks around `x` where a name could swallow it, `%n x 4`."""
    separator = " x " if any(isinstance(entry, tl.Local) for entry in shape) else "x"
    return separator.join(map(_size_text, shape))


def _size_text(size: tl.IndexOperand | None) -> str:
    return "?" if size is None else operand_text(size)


def mnemonic(instruction: tl.Instruction) -> str:
    """The word that the instruction is written with: `gemm`, `lifetime_stop`, `arith.add`."""
    if isinstance(instruction, tl.ArithBinary | tl.ArithUnary):
        return f"arith.{instruction.operator.value}"
    if isinstance(instruction, tl.MathCall):
        return f"math.{instruction.function.value}"
    if isinstance(instruction, tl.Compare):
        return f"cmp.{instruction.condition.value}"
    return re.sub("(?<!^)(?=[A-Z])", "_", type(instruction).__name__).lower()  # open: classes are called by their words

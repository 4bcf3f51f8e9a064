"""Types, constants and operands as text."""

import math
import re

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type
from einsum_front.tl_backend.unparse.editions import Spelling


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

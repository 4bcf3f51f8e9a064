"""Values with their types, and what a builder makes of Python numbers."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type

ALL = (0, None)
"""The slice of a whole mode."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the function with its type."""

    local: tl.Local
    type: Type

    @property
    def memref(self) -> MemrefType:
        """The type of a tensor."""
        if not isinstance(self.type, MemrefType):
            raise CompilerBug(f"%{self.local.name} is no memref")
        return self.type

    @property
    def scalar(self) -> ScalarType:
        """The type of a number."""
        if not isinstance(self.type, ScalarType):
            raise CompilerBug(f"%{self.local.name} is no scalar")
        return self.type


Number = Value | int | float
Index = Value | int
Part = Index | tuple[Index, Index | None]
"""One position of a mode, or the offset and the size of a slice (None: to the end of the mode)."""


def as_operand(number: Number) -> tl.Operand:
    """A value or a constant as an operand."""
    match number:
        case Value(local=local):
            return local
        case float():
            return tl.FloatConstant(number)
        case int():
            return tl.IntegerConstant(int(number))


def as_index(number: Index) -> tl.IndexOperand:
    """A value or an integer as an index."""
    return number.local if isinstance(number, Value) else tl.IntegerConstant(number)


def as_part(given: Part) -> tl.Position | tl.Slice:
    """A position or a slice of a mode."""
    if not isinstance(given, tuple):
        return tl.Position(as_index(given))
    offset, size = given
    return tl.Slice(as_index(offset), None if size is None else as_index(size))


def type_of(*operands: Number) -> ScalarType:
    """The type of an operation: that of its values."""
    for operand in operands:
        if isinstance(operand, Value):
            return operand.scalar
    raise CompilerBug("an operation on constants alone has no type")


def typed_scalar(number: Number, type_: ScalarType) -> tl.TypedScalar:
    """A factor of a collective instruction; a constant has the type."""
    return tl.TypedScalar(as_operand(number), number.scalar if isinstance(number, Value) else type_)


def typed_memref(value: Value) -> tl.TypedMemref:
    """A tensor as an operand of a collective instruction."""
    return tl.TypedMemref(value.local, value.memref)

"""Values with their types, and what a builder makes of Python numbers."""

from dataclasses import dataclass

from einsum_front.diagnostics import CompilerBug
from einsum_front.tl_backend.instructions import (
    FloatConstant,
    IndexOperand,
    IntegerConstant,
    Local,
    Operand,
    Position,
    Slice,
    TypedMemref,
    TypedScalar,
)
from einsum_front.tl_backend.types import MemrefType, ScalarType, Type

ALL = (0, None)
"""The slice of a whole mode."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the function with its type."""

    local: Local
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


def as_operand(number: Number) -> Operand:
    """A value or a constant as an operand."""
    match number:
        case Value(local=local):
            return local
        case float():
            return FloatConstant(number)
        case int():
            return IntegerConstant(int(number))


def as_index(number: Index) -> IndexOperand:
    """A value or an integer as an index."""
    return number.local if isinstance(number, Value) else IntegerConstant(number)


def as_part(given: Part) -> Position | Slice:
    """A position or a slice of a mode."""
    if not isinstance(given, tuple):
        return Position(as_index(given))
    offset, size = given
    return Slice(as_index(offset), None if size is None else as_index(size))


def type_of(*operands: Number) -> ScalarType:
    """The type of an operation: that of its values."""
    for operand in operands:
        if isinstance(operand, Value):
            return operand.scalar
    raise CompilerBug("an operation on constants alone has no type")


def _typed_scalar(number: Number, type_: ScalarType) -> TypedScalar:
    return TypedScalar(as_operand(number), number.scalar if isinstance(number, Value) else type_)


def _typed_memref(value: Value) -> TypedMemref:
    return TypedMemref(value.local, value.memref)


def update_operands(
    alpha: Number, a: Value, beta: Number, b: Value
) -> tuple[TypedScalar, TypedMemref, TypedScalar, TypedMemref]:
    """The operands of axpby and sum; a constant has the element type of the target."""
    element = b.memref.element
    return _typed_scalar(alpha, element), _typed_memref(a), _typed_scalar(beta, element), _typed_memref(b)


def product_operands(
    alpha: Number, a: Value, b: Value, beta: Number, c: Value
) -> tuple[TypedScalar, TypedMemref, TypedMemref, TypedScalar, TypedMemref]:
    """The operands of a product; a constant has the element type of the target."""
    element = c.memref.element
    return (
        _typed_scalar(alpha, element),
        _typed_memref(a),
        _typed_memref(b),
        _typed_scalar(beta, element),
        _typed_memref(c),
    )

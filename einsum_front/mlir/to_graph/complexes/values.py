"""Types and names of what complex numbers become."""

from dataclasses import replace

from einsum_front.core.names import parts_of_scalar
from einsum_front.mlir import nodes as mlir

Part = int | str
"""A part of x: 0 the real, 1 the imaginary one, `whole` the one at the iterator of parts, `turned` that of i x."""

WHOLE, TURNED = "whole", "turned"


def element_of(type_: mlir.Type) -> mlir.ScalarType:
    """The type of a number, or of the entries."""
    return type_ if isinstance(type_, mlir.ScalarType) else type_.element


def as_real(value: mlir.Value) -> mlir.Value:
    """A tensor or memref of the same name over parts; other values are as they were."""
    type_ = value.type
    if isinstance(type_, mlir.ScalarType) or type_.element.part is None:
        return value
    shape, element = (*type_.shape, 2), type_.element.part
    if isinstance(type_, mlir.TensorType):
        return replace(value, type=mlir.TensorType(shape, element))
    layout = type_.layout
    if layout is not None:
        strides = (*(None if each is None else 2 * each for each in layout.strides), 1)
        layout = mlir.Strided(strides, None if layout.offset is None else 2 * layout.offset)
    return replace(value, type=mlir.MemrefType(shape, element, layout))


def is_number(value: mlir.Value) -> bool:
    """True for a complex number that is no tensor."""
    return isinstance(value.type, mlir.ScalarType) and value.type.part is not None


def both_parts(value: mlir.Value) -> tuple[mlir.Value, mlir.Value]:
    """The numbers that a complex number becomes."""
    real, imaginary = parts_of_scalar(value.name)
    part = value.element.part or value.element
    return mlir.Value(real, part, value.origin), mlir.Value(imaginary, part, value.origin)


def real_element(type_: mlir.ScalarType) -> mlir.ScalarType:
    """The type of the parts of complex numbers; that of others is as it was."""
    return type_.part or type_

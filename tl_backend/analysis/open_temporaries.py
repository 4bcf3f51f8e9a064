"""Temporaries whose sizes only the launch knows: how many entries each has, as a polynomial of the sizes of arguments.

    ;! sizes %X n 9
    func @f(%X: memref<f64x?x9>, …) {
      %n = size %X[0] : memref<f64x?x9>
      %t = alloca.global %n -> memref<f64x?x9>         9*n entries

The launch gives them memory, so what it takes must follow from what the caller passes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, Polynomial, product, sizes_in
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import viewed
from einsum_front.tl_backend.analysis.placement import ALIGNMENT
from einsum_front.tl_backend.program import Function, Sizes, of_element
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

Known = Extent | None
"""A number, or a polynomial of sizes; None where neither is known."""


def open_temporaries(function: Function) -> Mapping[str, Known]:
    """The entries of each temporary that has sizes of its own, by its name; None where facts do not name its sizes.

    Only those of the outermost region have memory of the launch.
    """
    found = _Extents()
    for argument in function.arguments:
        memref = argument.type.memref if isinstance(argument.type, GroupType) else argument.type
        if isinstance(memref, MemrefType):
            found.shapes[argument.name.name] = tuple(_shape_of(argument.name.name, memref, function))
    extents = (extent for fact in function.facts if isinstance(fact, Sizes) for extent in fact.extents)
    shown = {extent.size.name for extent in extents if extent is not None and extent.size is not None}
    entries: dict[str, Known] = {}
    for instruction in function.body:
        found.note(instruction)
        if isinstance(instruction, tl.Alloca) and instruction.sizes:
            shape = [extent for extent in found.shapes[instruction.result.name] if extent is not None]
            is_known = len(shape) == instruction.type.order and sizes_in(shape).keys() <= shown
            entries[instruction.result.name] = product(shape) if is_known else None
    return entries


def open_bytes(function: Function) -> Extent:
    """Bytes of all of them together that are enough, each at a multiple of `ALIGNMENT`."""
    types = {each.result.name: each.type for each in function.body if isinstance(each, tl.Alloca)}
    total: Extent = 0
    for name, entries in open_temporaries(function).items():
        if entries is not None:
            total = total + entries * types[name].element.size + (ALIGNMENT - 1)
    return total


def sizes_shown(function: Function, arguments: Mapping[str, object]) -> dict[str, int]:
    """The values of sizes by their names, as arrays in the order of the memrefs, or members of groups, show them."""
    shown: dict[str, int] = {}
    modes = function.batch_modes
    for fact in (each for each in function.facts if isinstance(each, Sizes) and each.argument in arguments):
        value = arguments[fact.argument]
        arrays = value if isinstance(value, Sequence) else [value]
        shape = arrays[0].shape if arrays and isinstance(arrays[0], np.ndarray) else ()
        for extent, size in zip(fact.extents, of_element(shape, modes.get(fact.argument)), strict=False):
            if extent is not None and extent.size is not None:
                shown[extent.size.name] = size
    return shown


def _shape_of(name: str, memref: MemrefType, function: Function) -> Iterator[Known]:
    named = next((each.extents for each in function.facts if isinstance(each, Sizes) and each.argument == name), ())
    mode = function.batch_modes.get(name)
    named = (*named[:mode], None, *named[mode:]) if named and mode is not None else named
    for mode, size in enumerate(memref.shape):
        yield (named[mode] if mode < len(named) else None) if size is None else size


@dataclass(frozen=True, slots=True)
class _Extents:
    """The shapes of memrefs and the values of indices so far, as far as they are known."""

    shapes: dict[str, tuple[Known, ...]] = field(default_factory=dict)
    values: dict[str, Known] = field(default_factory=dict)

    def note(self, instruction: tl.Instruction) -> None:
        """Add what the instruction names."""
        match instruction:
            case tl.Alloca(result=result, type=memref, sizes=sizes):
                given = iter(sizes)
                self.shapes[result.name] = tuple(
                    self._value(next(given)) if size is None else size for size in memref.shape
                )
            case tl.Size(result=result, operand=operand, mode=mode):
                self.values[result.name] = self.shapes[operand.name][mode]
            case tl.ArithBinary(result=result, type=ScalarType.INDEX):
                self.values[result.name] = self._arith(instruction)
            case tl.Subview(result=result, operand=operand, slices=slices):
                parts = zip(slices, self.shapes[operand.name], strict=True)
                self.shapes[result.name] = tuple(
                    self._slice(part, size) for part, size in parts if isinstance(part, tl.Slice)
                )
            case tl.Expand(result=result, operand=operand, mode=mode, shape=shape):
                old = self.shapes[operand.name]
                new = (None if entry is None else self._value(entry) for entry in shape)
                self.shapes[result.name] = (*old[:mode], *new, *old[mode + 1 :])
            case tl.Fuse(result=result, operand=operand, first=first, last=last):
                old = self.shapes[operand.name]
                fused = [size for size in old[first : last + 1] if size is not None]
                size = product(fused) if len(fused) == last + 1 - first else None
                self.shapes[result.name] = (*old[:first], size, *old[last + 1 :])
            case tl.Load(result=result, type=GroupType()) if (group := viewed(instruction)) is not None:
                self.shapes[result.name] = self.shapes[group.name]
            case _:  # open: what names no memory, and numbers that are not followed
                pass

    def _slice(self, part: tl.Slice, size: Known) -> Known:
        if part.size is not None:
            return self._value(part.size)
        start = self._value(part.offset)
        return None if size is None or start is None else size - start

    def _value(self, operand: tl.Operand) -> Known:
        match operand:
            case tl.IntegerConstant(value=value):
                return value
            case tl.Local(name=name):
                return self.values.get(name)
            case tl.FloatConstant() | tl.ComplexConstant():
                return None

    def _arith(self, instruction: tl.ArithBinary) -> Known:
        left, right = self._value(instruction.left), self._value(instruction.right)
        if left is None or right is None:
            return None
        match instruction.operator:
            case tl.BinaryOperator.ADD:
                return left + right
            case tl.BinaryOperator.SUB:
                return left - right
            case tl.BinaryOperator.MUL:
                return left * right
            case tl.BinaryOperator.DIV if isinstance(right, int) and right > 0:
                return left * Fraction(1, right) if isinstance(left, Polynomial) else left // right
            case _:  # open: remainders and bits
                return None

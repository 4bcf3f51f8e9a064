"""Instructions that every iteration of a loop repeats are moved before the loop."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_body, with_regions
from einsum_front.tl_backend.traverse import defined_in, operands
from einsum_front.tl_backend.types import Extent, MemrefType, ScalarType


def hoist_invariants(function: Function) -> Function:
    """Move values and views that do not depend on the iteration before the loop.

        for %i = 0, %n {                                  %j = arith.mul %m, 8 : index
          %j = arith.mul %m, 8 : index                    for %i = 0, %n {
          %a = subview %A[%j:8, %i] : …                     %a = subview %A[%j:8, %i] : …
        }                                                 }

    Left in the loop: elements of tensors, which the loop may write; memory; what stands in an `if`; and, if the loop
    may have no iterations, what is not defined for every operand, such as a quotient.
    """
    return with_body(function, _hoist_region(function.body))


def _hoist_region(region: tl.Region) -> tl.Region:
    return tuple(hoisted for instruction in region for hoisted in _hoist(instruction))


def _hoist(instruction: tl.Instruction) -> tl.Region:
    """The instruction behind what could be moved out of it."""
    if not isinstance(instruction, tl.RegionInstruction):
        return (instruction,)
    match instruction:
        case tl.If():
            return (with_regions(instruction, _hoist_region),)
        case tl.For(body=body) | tl.Foreach(body=body):
            invariant, varying = _split(instruction, _hoist_region(body))
            return *invariant, with_regions(instruction, lambda _: varying)


def _split(loop: tl.For | tl.Foreach, body: tl.Region) -> tuple[tl.Region, tl.Region]:
    """The instructions of the body that do not depend on the iteration, and the others."""
    invariant: list[tl.Instruction] = []
    rest: list[tl.Instruction] = []
    names = {local.name for local in (loop.variable, *defined_in(body))}
    for instruction in body:
        used = {operand.name for operand in operands(instruction) if isinstance(operand, tl.Local)}
        if isinstance(instruction, tl.ValueInstruction) and _is_movable(instruction, loop) and not used & names:
            invariant.append(instruction)
            names.remove(instruction.result.name)
        else:
            rest.append(instruction)
    return tuple(invariant), tuple(rest)


def _is_movable(instruction: tl.ValueInstruction, loop: tl.For | tl.Foreach) -> bool:
    """True if the value is the same before the loop, and nothing goes wrong if it is computed there."""
    if isinstance(instruction, tl.Alloca) or (
        isinstance(instruction, tl.Load) and isinstance(instruction.type, MemrefType)
    ):
        return False
    return is_total(instruction) or _runs(loop)


def _runs(loop: tl.For | tl.Foreach) -> bool:
    """True if the loop is known to have an iteration."""
    start, stop = loop.start, loop.stop
    return isinstance(start, tl.IntegerConstant) and isinstance(stop, tl.IntegerConstant) and start.value < stop.value


# -- which values can be computed at any time, whether they are needed or not ------------------------------------------

PARTIAL = (tl.BinaryOperator.DIV, tl.BinaryOperator.REM, tl.BinaryOperator.SHL, tl.BinaryOperator.SHR)
"""Operators on integers that have no result for some right operands: none of them legal constants above 0."""


def is_total(instruction: tl.ValueInstruction) -> bool:
    """True if the value is defined whatever the operands are, and the same wherever it is computed.

    A load is not: its index may be outside, and the memory may change.
    """
    match instruction:
        case tl.ArithBinary(operator=operator, right=right, type=type_):
            is_safe = isinstance(right, tl.IntegerConstant) and right.value > 0
            return type_.is_floating or operator not in PARTIAL or is_safe
        case tl.Cast(from_type=from_type, to_type=to_type):
            return not from_type.is_floating or to_type.is_floating or to_type is ScalarType.BOOL
        case tl.Subview(slices=slices, type=type_):
            return all(map(_is_inside, slices, type_.shape))
        case tl.Fuse(type=type_, first=first, last=last):
            return None not in (*type_.shape[first : last + 1], *type_.strides[first : last + 1])
        case tl.Expand(type=type_, shape=shape, mode=mode):
            return type_.shape[mode] is not None and all(not isinstance(size, tl.Local) for size in shape)
        case tl.ArithUnary() | tl.Compare() | tl.GroupId() | tl.GroupSize() | tl.MathCall() | tl.Size():
            return True
        case tl.Alloca() | tl.Load():
            return False


def _is_inside(slice_: tl.Position | tl.Slice, size: Extent) -> bool:
    """True if the legal pick is known to be inside a mode of the size."""
    match slice_:
        case tl.Position(index=index):
            return isinstance(index, tl.IntegerConstant) and size is not None
        case tl.Slice(offset=tl.IntegerConstant(value=0), size=None):
            return True
        case tl.Slice(offset=offset, size=count):
            return isinstance(offset, tl.IntegerConstant) and not isinstance(count, tl.Local) and size is not None

"""Instructions that every iteration of a loop repeats are moved before the loop."""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.totality import is_total
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.rewrite import with_body, with_regions
from einsum_front.tl_backend.traverse import defined_in, operands
from einsum_front.tl_backend.types import MemrefType


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

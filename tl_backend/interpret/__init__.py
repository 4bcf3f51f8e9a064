"""Meaning of a function of the tensor language: it is run on NumPy arrays, slowly and obviously.

One work-group runs after the other, and in it one instruction after the other, as if the group had one work-item.
A program that relies on an order that the language does not promise may give another answer on a device.

- `B := alpha op(A) + beta B` and the like compute in the widest element type of their memrefs, to which alpha and beta
  are converted, too. All that is read is read before anything is written. If beta is 0, as a constant or as a value,
  the target is not read: what was there is gone, NaN too. Alpha has no such rule: 0 times an infinite A is NaN.
- The memory of an `alloca` holds nothing until it is written, nor after `lifetime_stop`: reading an entry is an error
  (E0451). Where stated nonzeros leave entries out, these are 0.
- An `alloca` gets nothing but zeros where its stated nonzeros leave an entry out (E0451). Arguments have zeros there
  before the first work-group and behind the last (E0450).
- What the language leaves undefined (an index outside its mode, shapes that do not fit, fused modes with gaps between
  them, a quotient by the integer 0) raises CompileError with E0451 at the instruction. Operands that overlap the target
  are not noticed.
- The prologue of a function runs first, for one work-group, on arrays of zeros for what it writes.
"""

from collections.abc import Mapping

import numpy as np

from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret.arguments import behind_prologue, bind, check_nonzeros, write_back
from einsum_front.tl_backend.interpret.evaluate import (
    check_written,
    check_zeros,
    evaluate,
    forget,
    note_written,
    position,
)
from einsum_front.tl_backend.interpret.frame import Frame, undefined
from einsum_front.tl_backend.interpret.scattering import Scattering
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.scalars import DTYPES, Scalar, UndefinedResultError, make
from einsum_front.tl_backend.semantics import compute_type, index_maps, mode_uses
from einsum_front.tl_backend.types import ScalarType


def interpret(function: Function, arguments: Mapping[str, object], groups: int) -> None:
    """Run the function, which has no mistakes, for `groups` work-groups; what it writes is in the arguments afterwards.

    A memref argument is an array with the modes of the memref in their order; a group is a sequence of such arrays,
    each with the group's offset applied already; a scalar is a number. An array that lies as the type allows is used
    where it lies, gaps included; any other is copied. Raises CompileError: E0450 for arguments that do not fit, E0451
    for undefined behaviour; the arguments are as before then, unless they were used where they lie.
    """
    given = behind_prologue(function, arguments, lambda prologue, own: interpret(prologue, own, 1))
    scattering = Scattering.of(function, given, groups)
    bound = bind(function, scattering.arguments)
    check_nonzeros(function, bound)
    for group in range(groups):
        run(function.body, Frame(dict(bound.values), group, groups))
    check_nonzeros(function, bound)
    write_back(bound)
    scattering.add()


# -- regions and control: one instruction after the other --------------------------------------------------------------

Yielded = tuple[Scalar, ...]


def run(region: tl.Region, frame: Frame) -> Yielded:
    """Run the instructions in order; the values are those of the `yield` at the end, none without one."""
    for instruction in region:
        if isinstance(instruction, tl.Yield):
            return tuple(map(frame.scalar, instruction.values, instruction.types))
        _step(instruction, frame)
    return ()


def _step(instruction: tl.Instruction, frame: Frame) -> None:
    if isinstance(instruction, tl.ValueInstruction):
        try:
            frame.values[instruction.result.name] = evaluate(instruction, frame)
        except UndefinedResultError as error:
            raise undefined(instruction, str(error)) from None
    elif isinstance(instruction, tl.Collective):
        update(instruction, frame)
        check_zeros(instruction, instruction.target.value, frame)
    elif isinstance(instruction, tl.Store):
        value = frame.scalar(instruction.value, instruction.type.element)
        target, at = frame.memory(instruction.target), position(instruction, frame)
        target[at] = value
        note_written(target, frame, at)
        check_zeros(instruction, instruction.target, frame)
    elif isinstance(instruction, tl.RegionInstruction):
        _control(instruction, frame)
    elif isinstance(instruction, tl.LifetimeStop):
        forget(frame.memory(instruction.operand))
        frame.temporaries[instruction.operand.name].written[...] = False


def _control(instruction: tl.RegionInstruction, frame: Frame) -> None:
    match instruction:
        case tl.If(results=results, condition=condition, then=then, otherwise=otherwise):
            taken = then if frame.scalar(condition, ScalarType.BOOL) else otherwise
            values = run(taken or (), frame)
            frame.values.update({local.name: value for local, value in zip(results, values, strict=True)})
        case tl.For(variable=variable, type=type_, body=body) | tl.Foreach(variable=variable, type=type_, body=body):
            for value in _range(instruction, frame):
                frame.values[variable.name] = make(value, type_)
                run(body, frame)


def _range(loop: tl.For | tl.Foreach, frame: Frame) -> range:
    """The values of the loop variable."""
    start, stop = int(frame.scalar(loop.start, loop.type)), int(frame.scalar(loop.stop, loop.type))
    step = int(frame.scalar(loop.step, loop.type)) if isinstance(loop, tl.For) else 1
    if step < 1:
        raise undefined(loop, f"the step of a loop is {step}")
    return range(start, stop, step)


# -- collective instructions on whole arrays ---------------------------------------------------------------------------


def update(instruction: tl.Collective, frame: Frame) -> None:
    """Carry out `target := alpha product + beta target`."""
    _check_shapes(instruction, frame)
    dtype = DTYPES[compute_type(instruction)]
    written = frame.memory(instruction.target.value)
    alpha = frame.scalar(instruction.alpha.value, instruction.alpha.type).astype(dtype)
    beta = frame.scalar(instruction.beta.value, instruction.beta.type).astype(dtype)
    for memref in (*instruction.inputs, *((instruction.target,) if beta != 0 else ())):
        check_written(instruction, frame.memory(memref.value), frame)
    inputs = [frame.memory(memref.value).astype(dtype) for memref in instruction.inputs]
    with np.errstate(all="ignore"):
        value = alpha * numpy_einsum(index_maps(instruction).subscripts, *inputs, optimize=True)
        if beta != 0:
            value = value + beta * written.astype(dtype)
        written[...] = value
    note_written(written, frame)


def _check_shapes(instruction: tl.Collective, frame: Frame) -> None:
    for axis, uses in mode_uses(instruction).items():
        found = {frame.memory(use.operand.value).shape[use.mode]: None for use in uses}
        if len(found) > 1:
            sizes = " and ".join(map(str, found))
            raise undefined(instruction, f"the shapes do not fit: {axis.letter} is {sizes}")

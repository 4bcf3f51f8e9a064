"""Regions and control: one instruction after the other."""

import numpy as np

from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret.evaluate import (
    check_written,
    check_zeros,
    evaluate,
    forget,
    note_written,
    position,
)
from einsum_front.tl_backend.interpret.frame import Frame, undefined
from einsum_front.tl_backend.scalars import DTYPES, Scalar, UndefinedResultError, make
from einsum_front.tl_backend.semantics import compute_type, index_maps, mode_uses
from einsum_front.tl_backend.types import ScalarType

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

"""Numbers: entries, factors and constants are of one floating-point type; loops stay in the range of their variable."""

from collections.abc import Iterator

import numpy as np

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import Polynomial
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import TensorOperation, accesses
from einsum_front.ir.yateto.verify.scope import Scope


def check_elements(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The operands have the same floating-point elements, and the factors are of that type; only a copy converts."""
    if isinstance(instruction, yir.Arith):
        yield from _check_arith(instruction)
        return
    if not isinstance(instruction, TensorOperation):
        return
    *sources, (target, _) = accesses(instruction)
    element = target.type.element
    elements = {element, *(source.type.element for source, _ in sources)}
    if _converts(instruction, elements):
        return
    narrow = next((each for each in elements if each.is_real and not each.is_floating), None)
    if narrow is not None:
        message = f"`{narrow.value}` is a type of memory, which nothing computes with"
        note = f"`axpby` from `{narrow.value}` to `f32` or back copies, with 1.0 for α and 0.0 for β"
        yield mistake("E0472", message, instruction.origin, notes=(note,))
        return
    if not element.is_floating:
        message = f"`%{target.value.name}` has elements of type `{element.value}`"
        yield mistake("E0472", message, target.origin, "tensor operations work on `f32` or `f64`")
        return
    for source, _ in sources:
        if source.type.element is not element:
            message = f"`{source.type.element.value}` is mixed with `{element.value}`"
            also = [(target.origin, f"`{element.value}`")]
            yield mistake("E0472", message, source.origin, f"`{source.type.element.value}`", also=also)
    payload = instruction.payload.scalars() if isinstance(instruction, yir.Elementwise) else ()
    for factor in (instruction.alpha, instruction.beta, *payload):
        yield from _check_factor(factor, element, scope)


def _converts(instruction: TensorOperation, elements: set[yir.ScalarType]) -> bool:
    """True for what gives numbers another type, or copies those of a type of memory, and does nothing else."""
    factors = (yir.FloatConstant(1.0), yir.FloatConstant(0.0))
    is_copy = isinstance(instruction, yir.Axpby) and (instruction.alpha, instruction.beta) == factors
    return is_copy and all(each.is_real for each in elements)


def _check_factor(factor: yir.Scalar, element: yir.ScalarType, scope: Scope) -> Iterator[Diagnostic]:
    match factor:
        case yir.FloatConstant():
            yield from _check_constant(factor, element)
        case yir.Local(name=name, origin=origin):
            definition = scope.known(factor)
            if definition is not None and definition.type is not element:
                message = f"the factor `%{name}` does not have the type `{element.value}` of the entries"
                made = [(definition.local.origin, "defined here")]
                yield mistake("E0472", message, origin, "used as a factor", also=made)


def _check_constant(constant: yir.FloatConstant, element: yir.ScalarType) -> Iterator[Diagnostic]:
    with np.errstate(over="ignore"):
        value = np.float32(constant.value) if element is yir.ScalarType.F32 else np.float64(constant.value)
    if not np.isfinite(value):
        message = f"{constant.value!r} is out of range"
        yield mistake("E0463", message, constant.origin, f"not a finite `{element.value}`")


def _check_arith(instruction: yir.Arith) -> Iterator[Diagnostic]:
    if not instruction.type.is_floating:
        message = f"`arith.{instruction.operator.value}` on `{instruction.type.value}`"
        yield mistake("E0472", message, instruction.origin, "`arith` works on `f32` and `f64`")
        return
    for operand in (instruction.left, instruction.right):
        if isinstance(operand, yir.FloatConstant):
            yield from _check_constant(operand, instruction.type)


def check_loop(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """The variable has an integer type that holds all values of the loop."""
    if not isinstance(instruction, yir.For):
        return
    type_, start, stop = instruction.type, instruction.start, instruction.stop
    name = f"`%{instruction.variable.name}`"
    if type_.is_floating:
        message = f"the loop variable {name} has type `{type_.value}`"
        yield mistake("E0473", message, instruction.variable.origin, "an integer type counts")
    elif isinstance(stop, Polynomial):
        return  # any type that holds the sizes of arrays in memory will do
    elif start > stop:
        message = f"the loop from {start} to {stop} runs backwards"
        yield mistake("E0473", message, instruction.variable.origin, "starts after its end")
    elif start < stop and not (start in _values(type_) and stop - 1 in _values(type_)):
        message = f"`{type_.value}` cannot hold the values of {name}, {start} to {stop - 1}"
        yield mistake("E0473", message, instruction.variable.origin, f"of type `{type_.value}`")


def _values(type_: yir.ScalarType) -> range:
    bits = int(type_.value[1:])
    return range(-(1 << bits - 1), 1 << bits - 1) if type_.value[0] == "i" else range(1 << bits)

"""Numbers: entries, factors and constants are of one type; loops stay in the range of their variable."""

from collections.abc import Iterator

from einsum_front.core.diagnostics import Diagnostic, mistake
from einsum_front.core.extent import Polynomial
from einsum_front.core.numbers import bounds, fits
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import TensorOperation, accesses
from einsum_front.ir.yateto.verify.scope import Scope


def check_elements(instruction: yir.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """The operands have the same elements, and the factors are of that type; only a copy converts."""
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
    narrow = next((each for each in elements if not each.is_computed), None)
    if narrow is not None:
        message = f"`{narrow.value}` is a type of memory, which nothing computes with"
        note = f"`axpby` from `{narrow.value}` to `f32` or back copies, with 1.0 for α and 0.0 for β"
        yield mistake("E0472", message, instruction.origin, notes=(note,))
        return
    for source, _ in sources:
        if source.type.element is not element:
            message = f"`{source.type.element.value}` is mixed with `{element.value}`"
            also = [(target.origin, f"`{element.value}`")]
            yield mistake("E0472", message, source.origin, f"`{source.type.element.value}`", also=also)
    payload = instruction.payload.scalars() if isinstance(instruction, yir.Elementwise) else ()
    for factor in (instruction.alpha, instruction.beta, *payload):
        yield from _check_factor(factor, element, scope)


def _converts(instruction: TensorOperation, elements: set[ElementType]) -> bool:
    """True for what gives numbers another type, or copies those of a type of memory, and does nothing else."""
    if not isinstance(instruction, yir.Axpby):
        return False
    source, target = instruction.a.type.element, instruction.b.type.element
    is_copy = (instruction.alpha, instruction.beta) == (yir.Constant(1), yir.Constant(0))
    is_rounded = target.is_integer and not source.is_integer
    return is_copy and not is_rounded and not (source is target and target.is_computed)


def _check_factor(factor: yir.Scalar, element: ElementType, scope: Scope) -> Iterator[Diagnostic]:
    match factor:
        case yir.Constant():
            yield from _check_constant(factor, element)
        case yir.Local(name=name, origin=origin):
            definition = scope.known(factor)
            if definition is not None and definition.type is not element:
                message = f"the factor `%{name}` does not have the type `{element.value}` of the entries"
                made = [(definition.local.origin, "defined here")]
                yield mistake("E0472", message, origin, "used as a factor", also=made)


def _check_constant(constant: yir.Constant, element: ElementType) -> Iterator[Diagnostic]:
    is_whole = isinstance(constant.value, int)
    if is_whole is not element.is_integer:
        found, wanted = ("an integer", "1.0") if is_whole else ("a floating-point", "1")
        message = f"{constant.value!r} is {found} constant, among numbers of `{element.value}`"
        yield mistake("E0472", message, constant.origin, f"a constant of this type is written like `{wanted}`")
    elif is_whole and not fits(constant.value, element):
        low, high = bounds(element)
        message = f"{constant.value!r} is out of range"
        yield mistake("E0463", message, constant.origin, f"`{element.value}` is from {low} to {high}")
    elif not is_whole and not fits(constant.value, element):
        message = f"{constant.value!r} is out of range"
        yield mistake("E0463", message, constant.origin, f"not a finite `{element.value}`")


def _check_arith(instruction: yir.Arith) -> Iterator[Diagnostic]:
    kind = instruction.type
    if not kind.is_computed or kind is ElementType.BOOL:
        message = f"`arith.{instruction.operator.value}` on `{instruction.type.value}`"
        yield mistake("E0472", message, instruction.origin, "nothing computes with this type")
        return
    if kind.is_integer and instruction.operator is yir.ArithOperator.DIV:
        yield mistake("E0472", f"`arith.div` on `{kind.value}`", instruction.origin, "integers are not divided")
    for operand in (instruction.left, instruction.right):
        if isinstance(operand, yir.Constant):
            yield from _check_constant(operand, instruction.type)


def check_loop(instruction: yir.Instruction, _scope: Scope) -> Iterator[Diagnostic]:
    """The variable has an integer type that holds all values of the loop."""
    if not isinstance(instruction, yir.For):
        return
    type_, start, stop = instruction.type, instruction.start, instruction.stop
    name = f"`%{instruction.variable.name}`"
    if not type_.is_integer or type_ is ElementType.BOOL:
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


def _values(type_: ElementType) -> range:
    low, high = bounds(type_)
    return range(low, high + 1)

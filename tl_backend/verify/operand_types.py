"""Operands and operators: a value has the type that its use asks for, a constant is in the range of that type."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, Origin, mistake
from einsum_front.core.functions import SELECTIONS, Function
from einsum_front.core.numbers import BF16_MAX
from einsum_front.core.words import counted
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.scalars import DTYPES, fits_constant, integer_bounds
from einsum_front.tl_backend.semantics import ModeUse, allowed_ranks, mode_uses
from einsum_front.tl_backend.traverse import operands, typed_operands
from einsum_front.tl_backend.types import GroupType, ScalarType, Type
from einsum_front.tl_backend.unparse import unparse_type
from einsum_front.tl_backend.unparse.instructions import mnemonic
from einsum_front.tl_backend.verify.scope import Scope


@dataclass(frozen=True, slots=True)
class Use:
    """An operand with the type that its use asks for, the code if it differs, and the place of the written type."""

    operand: tl.Operand
    type: Type
    code: str = "E0420"
    role: str = "is used as"
    written: Origin = ()


def uses(instruction: tl.Instruction) -> tuple[Use, ...]:
    """Demands of the instruction on its operands; `lifetime_stop` asks for no type."""
    match instruction:
        case tl.GroupId() | tl.GroupSize() | tl.Barrier() | tl.LifetimeStop():
            return ()
        case tl.Alloca(sizes=sizes):
            return tuple(map(_index, sizes))
        case tl.ArithBinary(type=type_) | tl.Compare(type=type_) | tl.ArithUnary(type=type_) | tl.MathCall(type=type_):
            return tuple(Use(operand, type_) for operand in operands(instruction))
        case tl.Cast(operand=operand, from_type=type_):
            return (Use(operand, type_),)
        case tl.Fuse(operand=local, type=type_) | tl.Size(operand=local, type=type_):
            return (Use(local, type_),)
        case tl.Expand(type=type_) | tl.Load(type=type_) | tl.Subview(type=type_):
            viewed, *indices = operands(instruction)
            return Use(viewed, type_), *map(_index, indices)
        case tl.Store(value=value, target=target, indices=indices, type=type_):
            return Use(value, type_.element, role="is stored to a memref of"), Use(target, type_), *map(_index, indices)
        case tl.If(condition=condition):
            return (Use(condition, ScalarType.BOOL, "E0422", "the condition of an `if` is of type"),)
        case tl.For(type=type_) | tl.Foreach(type=type_):
            return tuple(Use(operand, type_, role="bounds a loop of type") for operand in operands(instruction))
        case tl.Yield(values=values, types=types):
            return tuple(Use(value, type_, role="is yielded as") for value, type_ in zip(values, types, strict=False))
        case tl.Collective():
            return tuple(Use(use.value, use.type, written=use.origin) for use in typed_operands(instruction))


def _index(operand: tl.Operand) -> Use:
    return Use(operand, ScalarType.INDEX, "E0421", "an index, offset or size is of type")


def check_operand_types(instruction: tl.Instruction, scope: Scope) -> Iterator[Diagnostic]:
    """Every operand is what its use asks for; an operand with a reported mistake is passed over."""
    for use in uses(instruction):
        match use.operand:
            case tl.Local() as local:
                yield from _check_local(local, use, scope)
            case tl.IntegerConstant() | tl.FloatConstant() | tl.ComplexConstant() as constant:
                yield from _check_constant(constant, use)


def _check_local(local: tl.Local, use: Use, scope: Scope) -> Iterator[Diagnostic]:
    type_ = scope.type_of(local)
    if type_ is None or type_ == use.type or _says_less(use.type, type_):
        return
    has, asked = unparse_type(type_), unparse_type(use.type)
    defined = (scope.visible[local.name].local.origin, f"`{has}`")
    message = f"`%{local.name}` is of type `{has}`, but {use.role} `{asked}`"
    if use.written:
        yield mistake(use.code, message, use.written, f"`%{local.name}` has another type", also=[defined])
    else:
        yield mistake(use.code, message, local.origin, f"expected `{asked}`", also=[defined])


def _says_less(written: Type, type_: Type) -> bool:
    """True if the text leaves out the offset of a group, which the group itself has."""
    return isinstance(type_, GroupType) and written == replace(type_, offset=0)


def _check_constant(constant: tl.Constant, use: Use) -> Iterator[Diagnostic]:
    word = f"`{constant.origin[0].text if constant.origin else constant.value}`"
    type_, scalar = f"`{unparse_type(use.type)}`", use.type
    if not isinstance(scalar, ScalarType):
        yield mistake(use.code, f"{word} stands where a {type_} is needed", constant.origin, f"expected {type_}")
    elif KINDS[type(constant)] != (wanted := _kind(scalar)):
        message = f"{word} is {KINDS[type(constant)]} constant, but {use.role} {type_}"
        yield mistake("E0423", message, constant.origin, f"not {wanted} constant")
    elif not fits_constant(constant.value, scalar):
        yield mistake("E0424", f"{word} does not fit into {type_}", constant.origin, _range(scalar))


KINDS = {tl.IntegerConstant: "an integer", tl.FloatConstant: "a floating-point", tl.ComplexConstant: "a complex"}


def _kind(scalar: ScalarType) -> str:
    return "a complex" if scalar.is_complex else "a floating-point" if scalar.is_floating else "an integer"


def _range(scalar: ScalarType) -> str:
    if not scalar.is_integer:
        greatest = BF16_MAX if scalar is ScalarType.BF16 else np.finfo(DTYPES[scalar]).max
        return f"the greatest `{scalar.value}` is {greatest:g}"
    low, high = integer_bounds(scalar)
    return f"`{scalar.value}` holds {low} to {high}"


# -- operators ---------------------------------------------------------------------------------------------------------


BITWISE = (tl.BinaryOperator.AND, tl.BinaryOperator.OR, tl.BinaryOperator.XOR, tl.UnaryOperator.NOT)
SHIFTS = (tl.BinaryOperator.SHL, tl.BinaryOperator.SHR)
QUOTIENTS = (tl.BinaryOperator.DIV, tl.BinaryOperator.REM)
OF_COMPLEX = (tl.UnaryOperator.CONJ, tl.UnaryOperator.IM, tl.UnaryOperator.RE)


def check_operator(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """Floating-point numbers have no bits to shift or combine, booleans have nothing else."""
    is_order = isinstance(instruction, tl.Compare) and instruction.condition not in (tl.Condition.EQ, tl.Condition.NE)
    if isinstance(instruction, tl.Compare) and is_order and instruction.type.is_complex:
        message = f"`{mnemonic(instruction)}` works on numbers that have an order, not on `{instruction.type.value}`"
        yield mistake("E0425", message, instruction.origin)
    if not isinstance(instruction, tl.ArithBinary | tl.ArithUnary):
        return
    operator, scalar = instruction.operator, instruction.type
    if scalar.is_complex is not (operator in OF_COMPLEX) and (
        operator in OF_COMPLEX or operator is tl.BinaryOperator.REM
    ):
        kind = "complex" if operator in OF_COMPLEX else "real"
        message = f"`{mnemonic(instruction)}` works on {kind} numbers, not on `{scalar.value}`"
        yield mistake("E0425", message, instruction.origin)
    elif not scalar.is_integer and operator in (*BITWISE, *SHIFTS):
        message = f"`{mnemonic(instruction)}` works on integers, not on `{scalar.value}`"
        yield mistake("E0425", message, instruction.origin)
    elif scalar is ScalarType.BOOL and operator not in BITWISE:
        message = f"`{mnemonic(instruction)}` works on numbers, not on `i1`"
        note = "`i1` has `arith.and`, `arith.or`, `arith.xor`, `arith.not` and `cmp`"
        yield mistake("E0425", message, instruction.origin, notes=(note,))


COMPLEX_FUNCTIONS = (Function.ABS, Function.EXP, Function.EXP2)


def check_function(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """A function has as many operands as its kind takes, which are floating-point numbers.

    Of integers there are the larger, the smaller, and the choice by a comparison.
    """
    if not isinstance(instruction, tl.MathCall):
        return
    function, given = instruction.function, len(instruction.operands)
    if given != function.arity:
        message = f"`{mnemonic(instruction)}` has {counted(given, 'operand')}, and takes {function.arity}"
        yield mistake("E0454", message, instruction.origin)
    elif not (
        instruction.type.is_floating
        or (instruction.type.is_complex and function in COMPLEX_FUNCTIONS)
        or (instruction.type.is_integer and (function.is_extremum or function in SELECTIONS))
    ):
        message = f"`{mnemonic(instruction)}` works on floating-point numbers, not on `{instruction.type.value}`"
        yield mistake("E0454", message, instruction.origin)


def check_cast(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """A complex number becomes no real one."""
    if not isinstance(instruction, tl.Cast):
        return
    if instruction.from_type.is_complex and not instruction.to_type.is_complex:
        message = f"`{instruction.from_type.value}` is not cast to `{instruction.to_type.value}`"
        note = "`arith.re`, `arith.im` and `math.abs` give real numbers"
        yield mistake("E0425", message, instruction.origin, notes=(note,))


def check_result(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """A constant right operand leaves the operation a result."""
    if not isinstance(instruction, tl.ArithBinary) or not isinstance(instruction.right, tl.IntegerConstant):
        return
    right, scalar = instruction.right, instruction.type
    if instruction.operator in QUOTIENTS and right.value == 0:
        yield mistake("E0426", "an integer is divided by 0", right.origin, "has no result")
    elif instruction.operator in SHIFTS and not 0 <= right.value < scalar.bits:
        message = f"`{scalar.value}` is shifted by {right.value} bits"
        yield mistake("E0427", message, right.origin, f"0 to {scalar.bits - 1} are possible")


def check_loop(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """A loop counts upwards in an integer type."""
    if not isinstance(instruction, tl.For | tl.Foreach):
        return
    if not instruction.type.is_integer or instruction.type is ScalarType.BOOL:
        message = f"a loop cannot count in `{instruction.type.value}`"
        yield mistake("E0428", message, instruction.variable.origin, "an integer type other than `i1` is needed")
    elif (
        isinstance(instruction, tl.For)
        and isinstance(instruction.step, tl.IntegerConstant)
        and instruction.step.value < 1
    ):
        step = instruction.step
        yield mistake("E0429", f"the step of a loop is {step.value}", step.origin, "must be at least 1")


# -- collective instructions -------------------------------------------------------------------------------------------
# The ranks, shapes and element types of their operands, atomic updates.

RANKS = {0: "rank 0", 1: "a vector", 2: "a matrix"}


def check_ranks(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Every operand is a scalar, a vector or a matrix as the instruction asks."""
    for operand, allowed in allowed_ranks(instruction):
        if operand.type.order not in allowed:
            *others, last = (RANKS[rank] for rank in allowed)
            wanted = f"{', '.join(others)} or {last}" if others else last
            name = f"`%{operand.value.name}`"
            message = f"{name} has rank {operand.type.order}, but `{mnemonic(instruction)}` needs {wanted} here"
            yield mistake("E0440", message, operand.origin, f"not {wanted}")


def check_shapes(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Modes that run over the same index have the same size, as far as sizes are known."""
    clashes = []
    for axis, uses in mode_uses(instruction).items():
        known = [use for use in uses if use.size is not None]
        clash = next((use for use in known if use.size != known[0].size), None)
        if clash is not None:
            clashes.append((axis.letter, known[0], clash))
    if not clashes:
        return
    index, first, second = clashes[0]
    message = f"the shapes of `{mnemonic(instruction)}` do not fit: {index} is {first.size} and {second.size}"
    notes = tuple(
        f"{index} does not fit either: {first.size} in `{_name(first)}`, {second.size} in `{_name(second)}`"
        for index, first, second in clashes[1:]
    )
    also = [(first.operand.origin, _mode_label(first))]
    yield mistake("E0441", message, second.operand.origin, _mode_label(second), also=also, notes=notes)


def _name(use: ModeUse) -> str:
    return f"%{use.operand.value.name}"


def _mode_label(use: ModeUse) -> str:
    return f"{use.size}: mode {use.mode} of `{_name(use)}`"


def check_element_types(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Elements and factors are all floating-point numbers, of one width or mixed, or all of one integer type.

    Sums of `i1` are "or", products "and". A copy, `axpby` with the factors 1 and 0, also gives integers another type.
    """
    written = instruction.target
    element = written.type.element
    if _converts(instruction):
        return
    for operand in typed_operands(instruction)[:-1]:
        scalar = operand.type if isinstance(operand, tl.TypedScalar) else operand.type.element
        if scalar is not element and not _is_held(scalar, element):
            message = f"`{mnemonic(instruction)}` mixes `{scalar.value}` with `{element.value}`"
            also = [(written.origin, f"the target has `{element.value}`")]
            note = (
                "real numbers may be mixed, and become complex ones of as many bits; integers may be copied (1 and 0)"
            )
            yield mistake("E0442", message, operand.origin, f"`{scalar.value}`", also=also, notes=(note,))
            return


def _converts(instruction: tl.Collective) -> bool:
    """True for a copy that makes integers of integers, or real numbers of integers."""
    if not isinstance(instruction, tl.Axpby) or not (instruction.alpha.is_number(1) and instruction.beta.is_number(0)):
        return False
    (source,), target = instruction.inputs, instruction.target.type.element
    return source.type.element.is_integer and not target.is_complex


def _is_held(scalar: ScalarType, element: ScalarType) -> bool:
    """True if numbers of a type are used as those of another."""
    if element.is_complex:
        return (scalar.is_complex and scalar.bits <= element.bits) or (
            scalar.is_floating and 2 * scalar.bits <= element.bits
        )
    return scalar.is_floating and element.is_floating


def check_atomic(instruction: tl.Collective) -> Iterator[Diagnostic]:
    """Devices update 32 and 64 bits atomically."""
    written = instruction.target
    if instruction.atomic and written.type.element.bits not in (32, 64):
        message = f"`{written.type.element.value}` cannot be updated atomically"
        note = "atomic updates work on types of 32 and 64 bits"
        yield mistake("E0443", message, written.origin, "the target of `.atomic`", notes=(note,))


def check_collective(instruction: tl.Instruction) -> Iterator[Diagnostic]:
    """All of the above; shapes are compared once the ranks are right."""
    if not isinstance(instruction, tl.Collective):
        return
    ranks = list(check_ranks(instruction))
    yield from ranks or check_shapes(instruction)
    yield from check_element_types(instruction)
    yield from check_atomic(instruction)

"""Scalars: which operators a type has, and operations that have no result."""

from collections.abc import Iterator

from einsum_front.diagnostics import Diagnostic
from einsum_front.tl_backend.instructions import (
    ArithBinary,
    ArithUnary,
    BinaryOperator,
    For,
    Foreach,
    Instruction,
    IntegerConstant,
    UnaryOperator,
)
from einsum_front.tl_backend.types import ScalarType
from einsum_front.tl_backend.unparse.words import mnemonic
from einsum_front.tl_backend.verify.report import mistake

BITWISE = (BinaryOperator.AND, BinaryOperator.OR, BinaryOperator.XOR, UnaryOperator.NOT)
SHIFTS = (BinaryOperator.SHL, BinaryOperator.SHR)
QUOTIENTS = (BinaryOperator.DIV, BinaryOperator.REM)


def check_operator(instruction: Instruction) -> Iterator[Diagnostic]:
    """Floating-point numbers have no bits to shift or combine, booleans have nothing else."""
    if not isinstance(instruction, ArithBinary | ArithUnary):
        return
    operator, scalar = instruction.operator, instruction.type
    if scalar.is_floating and operator in (*BITWISE, *SHIFTS):
        message = f"`{mnemonic(instruction)}` works on integers, not on `{scalar.value}`"
        yield mistake("E0425", message, instruction.origin)
    elif scalar is ScalarType.BOOL and operator not in BITWISE:
        message = f"`{mnemonic(instruction)}` works on numbers, not on `i1`"
        note = "`i1` has `arith.and`, `arith.or`, `arith.xor`, `arith.not` and `cmp`"
        yield mistake("E0425", message, instruction.origin, notes=(note,))


def check_result(instruction: Instruction) -> Iterator[Diagnostic]:
    """A constant right operand leaves the operation a result."""
    if not isinstance(instruction, ArithBinary) or not isinstance(instruction.right, IntegerConstant):
        return
    right, scalar = instruction.right, instruction.type
    if instruction.operator in QUOTIENTS and right.value == 0:
        yield mistake("E0426", "an integer is divided by 0", right.origin, "has no result")
    elif instruction.operator in SHIFTS and not 0 <= right.value < scalar.bits:
        message = f"`{scalar.value}` is shifted by {right.value} bits"
        yield mistake("E0427", message, right.origin, f"0 to {scalar.bits - 1} are possible")


def check_loop(instruction: Instruction) -> Iterator[Diagnostic]:
    """A loop counts upwards in an integer type."""
    if not isinstance(instruction, For | Foreach):
        return
    if instruction.type.is_floating or instruction.type is ScalarType.BOOL:
        message = f"a loop cannot count in `{instruction.type.value}`"
        yield mistake("E0428", message, instruction.variable.origin, "an integer type other than `i1` is needed")
    elif isinstance(instruction, For) and isinstance(instruction.step, IntegerConstant) and instruction.step.value < 1:
        step = instruction.step
        yield mistake("E0429", f"the step of a loop is {step.value}", step.origin, "must be at least 1")

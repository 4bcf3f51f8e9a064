"""Arithmetic outside of payloads, on numbers and scalar arguments: coefficients of the graph.

%0 = arith.mulf %eps, %dt         ->         eps * dt
"""

from collections.abc import Sequence

from einsum_front.core.coefficient import (
    MINUS_ONE,
    Coefficient,
    Number,
    ScalarOperation,
    ScalarOperator,
    ScalarPower,
    ScalarUse,
    times,
)
from einsum_front.core.limits import DEEPEST_SCALAR
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.refuse import refused

OPERATORS = {
    "arith.addf": ScalarOperator.ADD,
    "arith.subf": ScalarOperator.SUB,
    "arith.mulf": ScalarOperator.MUL,
    "arith.divf": ScalarOperator.DIV,
}


def coefficient_of(operation: mlir.Scalar, operands: Sequence[Coefficient | None]) -> Coefficient:
    """What an operation gives. Raises `CompileError` (E0828) if the launch cannot know it; None is an unknown operand.

    A value that is used twice is there twice, so what is counted are operations, and not how deep they are.
    """
    known = [each for each in operands if each is not None]
    if len(known) < len(operands) or operation.name not in (*OPERATORS, "arith.negf"):
        message = f"`{operation.name}` outside of payloads is computed when compiling, of numbers that are known"
        note = "of scalar arguments there are `arith.addf`, `arith.subf`, `arith.mulf`, `arith.divf` and `arith.negf`"
        raise refused(message, operation.origin, note, code="E0828")
    if operation.name == "arith.negf":
        found = times(MINUS_ONE, known[0])
    else:
        left, right = known
        found = ScalarOperation(OPERATORS[operation.name], left, right, operation.origin)
    if _operations(found) > DEEPEST_SCALAR:
        message = f"a number of scalar arguments takes more than {DEEPEST_SCALAR} operations"
        raise refused(message, operation.origin, code="E0828")
    return found


def _operations(coefficient: Coefficient) -> int:
    match coefficient:
        case Number() | ScalarUse():
            return 0
        case ScalarPower(base=base):
            return 1 + _operations(base)
        case ScalarOperation(left=left, right=right):
            return 1 + _operations(left) + _operations(right)

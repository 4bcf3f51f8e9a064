"""Functions of entries as operations on numbers."""

import math
from collections.abc import Sequence

from einsum_front.core.coefficient import Coefficient, Number, ScalarOperation, ScalarOperator, ScalarPower, ScalarUse
from einsum_front.core.functions import Function
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir

SIMPLE = {
    Function.EXP: "math.exp",
    Function.LOG: "math.log",
    Function.SQRT: "math.sqrt",
    Function.TANH: "math.tanh",
    Function.ERF: "math.erf",
    Function.ABS: "math.absf",
    Function.ADD: "arith.addf",
    Function.SUB: "arith.subf",
    Function.MUL: "arith.mulf",
    Function.DIV: "arith.divf",
    Function.MAX: "arith.maximumf",
    Function.MIN: "arith.minimumf",
}
"""Functions that are one operation."""

COMPARISONS = {
    Function.WHERE_LT: "olt",
    Function.WHERE_LE: "ole",
    Function.WHERE_EQ: "oeq",
    Function.WHERE_NE: "une",
}

OPERATORS = {
    ScalarOperator.ADD: "arith.addf",
    ScalarOperator.SUB: "arith.subf",
    ScalarOperator.MUL: "arith.mulf",
    ScalarOperator.DIV: "arith.divf",
}


class Numbers:
    """Writes operations on numbers of one type, in order."""

    def __init__(self, type_: mlir.ScalarType, names: Names) -> None:
        self._type = type_
        self._names = names
        self.operations: list[mlir.PayloadOperation] = []

    def constant(self, value: float) -> mlir.Value:
        """A number."""
        return self._add(mlir.Literal(mlir.Value(self._names.numbered("c"), self._type), float(value)))

    def operation(self, name: str, *operands: mlir.Value) -> mlir.Value:
        """The result of an operation."""
        return self._add(mlir.Scalar(mlir.Value(self._names.numbered("v"), self._type), name, operands))

    def function(self, function: Function, arguments: Sequence[mlir.Value]) -> mlir.Value:
        """The value of a function, as `core.functions` defines it."""
        if function in SIMPLE:
            return self.operation(SIMPLE[function], *arguments)
        if function in COMPARISONS:
            return self._selected(COMPARISONS[function], *arguments)
        (a,) = arguments
        match function:
            case Function.RELU:
                zero = self.constant(0.0)
                return self._selected("olt", a, zero, zero, a)
            case Function.SIGMOID:
                one = self.constant(1.0)
                power = self.operation("math.exp", self.operation("arith.negf", a))
                return self.operation("arith.divf", one, self.operation("arith.addf", one, power))
            case Function.RECIPROCAL:
                return self.operation("arith.divf", self.constant(1.0), a)
            case _:  # gelu
                half = self.operation("arith.mulf", a, self.constant(0.5))
                inner = self.operation("math.erf", self.operation("arith.mulf", a, self.constant(math.sqrt(0.5))))
                return self.operation("arith.mulf", half, self.operation("arith.addf", inner, self.constant(1.0)))

    def coefficient(self, coefficient: Coefficient, scalars: dict[str, mlir.Value]) -> mlir.Value:
        """The value of a coefficient."""
        match coefficient:
            case Number(value=value):
                return self.constant(value)
            case ScalarUse(name=name):
                return scalars[name]
            case ScalarPower(base=base, exponent=exponent):
                factor = self.coefficient(base, scalars)
                found = self.constant(1.0)
                for _ in range(abs(exponent)):
                    found = self.operation("arith.mulf", found, factor)
                return self.operation("arith.divf", self.constant(1.0), found) if exponent < 0 else found
            case ScalarOperation(operator=operator, left=left, right=right):
                both = self.coefficient(left, scalars), self.coefficient(right, scalars)
                return self.operation(OPERATORS[operator], *both)

    def _selected(self, predicate: str, *operands: mlir.Value) -> mlir.Value:
        left, right, true, false = operands
        result = mlir.Value(self._names.numbered("v"), mlir.ScalarType.I1)
        self.operations.append(mlir.Scalar(result, "arith.cmpf", (left, right), predicate))
        return self.operation("arith.select", result, true, false)

    def _add(self, operation: mlir.Literal | mlir.Scalar) -> mlir.Value:
        self.operations.append(operation)
        return operation.result

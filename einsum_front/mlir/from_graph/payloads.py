"""Functions of entries as operations on numbers."""

from collections.abc import Sequence

from einsum_front.core.coefficient import Coefficient, Number, ScalarOperation, ScalarOperator, ScalarPower, ScalarUse
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic
from einsum_front.core.extent import Extent
from einsum_front.core.functions import Function, magnitude
from einsum_front.core.names import Names
from einsum_front.core.numbers import wrapped
from einsum_front.core.runs import Runs
from einsum_front.core.storage import ElementType
from einsum_front.core.zero_pattern import Pattern
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import operation_on

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
        """A number; integers wrap around."""
        number = float(value) if self._type.is_floating else wrapped(value, ElementType(self._type.value))
        return self._add(mlir.Literal(mlir.Value(self._names.numbered("c"), self._type), number))

    def operation(self, name: str, *operands: mlir.Value) -> mlir.Value:
        """The result of an operation, whose name is that of real numbers."""
        if name == "arith.negf" and not self._type.is_floating:
            name, operands = "arith.subf", (self.constant(0), *operands)
        word = operation_on(name, self._type)
        return self._add(mlir.Scalar(mlir.Value(self._names.numbered("v"), self._type), word, operands))

    def function(self, function: Function, arguments: Sequence[mlir.Value]) -> mlir.Value:
        """The value of a function, as `core.functions` defines it."""
        made_of = function.row.made_of
        if function is Function.ABS and not self._type.is_floating:
            made_of = magnitude
        elif function.row.mlir:
            return self.operation(function.row.mlir, *arguments)
        if function in COMPARISONS:
            return self._selected(COMPARISONS[function], *arguments)
        if made_of is None:
            raise CompilerBug(f"nothing says how `{function.value}` is computed")
        constants: dict[float, mlir.Value] = {}

        def call(called: Function, /, *inner: mlir.Value | float) -> mlir.Value:
            if called is Function.MUL and inner[0] == -1.0 and isinstance(inner[1], mlir.Value):
                return self.operation("arith.negf", inner[1])
            return self.function(called, [constant(each) if isinstance(each, float) else each for each in inner])

        def constant(value: float) -> mlir.Value:
            if value not in constants:
                constants[value] = self.constant(value)
            return constants[value]

        value: mlir.Value = made_of(call, *arguments)
        return value

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
        compared = ("arith.cmpf", predicate)
        if not self._type.is_floating:
            word = predicate[1:]
            compared = ("arith.cmpi", word if word in ("eq", "ne") else f"s{word}")
        self.operations.append(mlir.Scalar(result, compared[0], (left, right), compared[1]))
        return self.operation("arith.select", result, true, false)

    def _add(self, operation: mlir.Literal | mlir.Scalar) -> mlir.Value:
        self.operations.append(operation)
        return operation.result


# -- nodes as values, and what is done with their numbers --------------------------------------------------------------

BATCH = "#"
"""The index that walks the batch; no index of a graph is called so."""


@dataclass(frozen=True, slots=True)
class Held:
    """A node as a value: `axes` are the modes in the order of the type, behind the batch if it has one."""

    value: mlir.Value
    axes: tuple[int, ...]
    shape: tuple[Extent, ...]
    is_batched: bool

    def indices(self, names: Sequence[str]) -> tuple[str, ...]:
        """The index of each mode of the type, for those that walk the modes."""
        return (*((BATCH,) if self.is_batched else ()), *(names[axis] for axis in self.axes))


def added(numbers: Numbers, values: Sequence[mlir.Value]) -> mlir.Value:
    """The sum of numbers."""
    found = values[0]
    for each in values[1:]:
        found = numbers.operation("arith.addf", found, each)
    return found


def multiplied(numbers: Numbers, values: Sequence[mlir.Value]) -> mlir.Value:
    """The product of numbers."""
    found = values[0]
    for each in values[1:]:
        found = numbers.operation("arith.mulf", found, each)
    return found


def accumulated(numbers: Numbers, factors: Sequence[mlir.Value], output: mlir.Value) -> mlir.Value:
    """The product of the factors, added to the output."""
    return numbers.operation("arith.addf", output, multiplied(numbers, factors))


def copied(_: Numbers, values: Sequence[mlir.Value]) -> mlir.Value:
    """The number that is there."""
    return values[0]


def spelled(maps: Sequence[Sequence[str]], result: Sequence[str]) -> str:
    """The index maps as an index string: `kl,lp->kp`."""

    def word(names: Sequence[str]) -> str:
        return ("" if all(len(name) == 1 for name in names) else " ").join(names)

    return f"{','.join(map(word, maps))}->{word(result)}"


def nonzeros_of(pattern: Pattern | None, shape: Sequence[Extent], axes: Sequence[int]) -> Runs | None:
    """The runs of a pattern, of positions in the order of the type; None for open extents."""
    if pattern is None or not all(isinstance(size, int) for size in shape):
        return None
    return pattern.transposed(tuple(axes)[::-1]).runs()


def refused(name: str, why: str) -> CompileError:
    """The error for what has no form."""
    return CompileError([Diagnostic("E0842", f"`{name}` {why}: linalg has no form for it here")])

"""What elementwise primitives do with numbers."""

from collections.abc import Sequence

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.functions import Function as Entries
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.payloads import Numbers
from einsum_front.mlir.tpp.operations import WITH_ALPHA


class PayloadWriter(Numbers):
    """Writes the payload of operands whose last one is the output."""

    def __init__(self, operands: Sequence[mlir.Value]) -> None:
        self._arguments = tuple(mlir.Value(f"x{number}", each.element) for number, each in enumerate(operands))
        self._stored = self._arguments[-1].type
        computed = [mlir.ScalarType.F32 if each.type is mlir.ScalarType.BF16 else each.type for each in self._arguments]
        type_ = mlir.ScalarType.F64 if mlir.ScalarType.F64 in computed else mlir.ScalarType.F32
        super().__init__(type_, Names(each.name for each in self._arguments))

    def read(self, number: int) -> mlir.Value:
        """The number of an operand."""
        argument = self._arguments[number]
        return self.operation("arith.extf", argument) if argument.type is mlir.ScalarType.BF16 else argument

    def old(self) -> mlir.Value:
        """The number of the output."""
        return self.read(len(self._arguments) - 1)

    def apply(self, name: str, alpha: float | None) -> mlir.Value:
        """The number that an elementwise primitive computes of those of its inputs."""
        values = [self.read(number) for number in range(len(self._arguments) - 1)]
        first = values[0]
        match name:
            case "copy":
                return first
            case "square":
                return self.operation("arith.mulf", first, first)
            case "negate":
                return self.operation("arith.negf", first)
            case "muladd":
                return self.operation("arith.addf", self.operation("arith.mulf", *values[:2]), values[2])
            case "leaky_relu" | "elu":
                scaled = first if name == "leaky_relu" else self._exp_minus_one(first)
                slope = self.operation(
                    "arith.mulf", self.constant(WITH_ALPHA[name] if alpha is None else alpha), scaled
                )
                return self.function(Entries.WHERE_LT, (first, self.constant(0.0), slope, first))
            case "sqrt" | "exp" | "relu" | "tanh" | "sigmoid" | "gelu" | "reciprocal" | "add" | "sub" | "mul" | "div":
                return self.function(Entries(name), values)
            case _:
                raise CompilerBug(f"no payload is known of `{name}`")

    def _exp_minus_one(self, value: mlir.Value) -> mlir.Value:
        return self.operation("arith.subf", self.operation("math.exp", value), self.constant(1.0))

    def payload(self, value: mlir.Value) -> mlir.Payload:
        """The payload that yields a value."""
        if self._stored is mlir.ScalarType.BF16:
            rounded = mlir.Scalar(mlir.Value("rounded", mlir.ScalarType.BF16), "arith.truncf", (value,))
            return mlir.Payload(self._arguments, (*self.operations, rounded), (rounded.result,))
        return mlir.Payload(self._arguments, tuple(self.operations), (value,))


def numbers_of(inputs: Sequence[mlir.Value], target: mlir.Value) -> PayloadWriter:
    """A writer for the payload of an operation with these inputs and this output."""
    return PayloadWriter((*inputs, target))

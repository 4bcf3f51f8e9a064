"""Memory becomes values where that changes nothing: then a chain of operations in place is one expression.

    zero(%y); matmul(%x, %w) += %y; relu(%y)         ->         %y is relu(matmul(%x, %w)), and stored once

What a kernel writes it writes at its end. So this is done only where nobody sees a difference: all memory is used
whole, without views, and what an argument had before is read, if at all, where it is overwritten.
"""

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.tpp.operations import Kind, accumulates, kind_of


def promoted(function: mlir.Function) -> mlir.Function | None:
    """The function with values in place of memory, which its results replace; None if it has to stay as it is."""
    body = function.body or ()
    *_, last = body or (None,)
    whole = (
        mlir.Literal,
        mlir.Scalar,
        mlir.Structured,
        mlir.Primitive,
        mlir.Allocate,
        mlir.Copy,
        mlir.Free,
        mlir.Return,
    )
    if not all(isinstance(each, whole) for each in body) or (isinstance(last, mlir.Return) and last.values):
        return None
    memory = {each.name for each in function.arguments if isinstance(each.type, mlir.MemrefType)}
    written = [name for name in dict.fromkeys(_written(body)) if name in memory]
    if not written:
        return None
    made = _Values(function)
    operations = tuple(made.operations(body))
    results = tuple(made.current[name] for name in written)
    if made.is_moved or any(made.read_before(result) - {name} for name, result in zip(written, results, strict=True)):
        return None
    origin = last.origin if isinstance(last, mlir.Return) else function.origin
    types = tuple(each.type for each in results)
    targets = tuple((name, number) for number, name in enumerate(written))
    return replace(function, body=(*operations, mlir.Return(results, origin=origin)), results=types, targets=targets)


def _written(body: Iterable[mlir.Operation]) -> Iterator[str]:
    for operation in body:
        match operation:
            case mlir.Structured(outputs=outputs) | mlir.Primitive(outputs=outputs):
                yield from (each.name for each in outputs)
            case mlir.Copy(target=target):
                yield target.name
            case (
                mlir.Literal() | mlir.Scalar() | mlir.Allocate() | mlir.Free() | mlir.Slice() | mlir.InsertSlice()
                | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.Group() | mlir.Pack()
                | mlir.For() | mlir.Call() | mlir.Return()
            ):  # fmt: skip
                pass


@dataclass
class _Values:
    """The value that each memory has at a time; for each value the written arguments whose first contents it is of."""

    function: mlir.Function
    is_moved: bool = False
    current: dict[str, mlir.Value] = field(default_factory=dict)
    _first: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        body = self.function.body or ()
        written = set(_written(body))
        for each in self.function.arguments:
            if isinstance(each.type, mlir.MemrefType):
                self.current[each.name] = _tensor(each)
                self._first[each.name] = frozenset({each.name}) & written
        taken = [value.name for each in body for value in mlir.results_of(each)]
        self._names = Names([*taken, *(each.name for each in self.function.arguments)])

    def read_before(self, value: mlir.Value) -> frozenset[str]:
        """The written arguments whose first contents the value depends on."""
        return self._first.get(value.name, frozenset())

    def operations(self, body: Iterable[mlir.Operation]) -> Iterator[mlir.Operation]:
        """The same on values."""
        for operation in body:
            match operation:
                case mlir.Structured():
                    yield self._structured(operation)
                case mlir.Primitive():
                    yield self._primitive(operation)
                case mlir.Allocate(result=result):
                    self.current[result.name] = _tensor(result)
                    yield replace(operation, result=_tensor(result))
                case mlir.Copy(source=source, target=target):
                    self.current[target.name] = self._now(source)
                case mlir.Free() | mlir.Return():
                    pass
                case (
                    mlir.Literal() | mlir.Scalar() | mlir.Slice() | mlir.InsertSlice() | mlir.Reshape() | mlir.Permute()
                    | mlir.Cast() | mlir.Extent() | mlir.Group() | mlir.Pack() | mlir.For() | mlir.Call()
                ):  # fmt: skip
                    yield operation

    def _now(self, value: mlir.Value) -> mlir.Value:
        found = self.current.get(value.name, value)
        return mlir.Value(found.name, found.type, value.origin)

    def _structured(self, operation: mlir.Structured) -> mlir.Structured:
        inputs, outputs = tuple(map(self._now, operation.inputs)), tuple(map(self._now, operation.outputs))
        used = {each.name for step in operation.payload.operations for each in mlir.operands_of(step)}
        used |= {each.name for each in operation.payload.yields}
        count, arguments = len(inputs), operation.payload.arguments
        read = [
            (value, all(operation.maps[number] == each for each in operation.maps[count:]))
            for number, value in enumerate((*inputs, *outputs))
            if number < count or arguments[number].name in used
        ]
        results = self._results(operation.outputs, read)
        return replace(operation, inputs=inputs, outputs=outputs, results=results)

    def _primitive(self, operation: mlir.Primitive) -> mlir.Primitive:
        """The same on tensors, which read what they add to, or what they change in place, as an input."""
        if not operation.outputs:
            return operation
        inputs, kind = tuple(map(self._now, operation.inputs)), kind_of(operation)
        if not inputs or (operation.name == "muladd" and len(inputs) == 2):
            inputs = (*inputs, self._now(operation.outputs[0]))
        if kind is Kind.ZERO:
            inputs = inputs[:1]
        stays = [kind is Kind.ELEMENTWISE or (number >= 2 and accumulates(operation)) for number in range(len(inputs))]
        read = [] if kind is Kind.ZERO else list(zip(inputs, stays, strict=True))
        results = self._results(operation.outputs, read)
        return replace(operation, inputs=inputs, outputs=(), results=results)

    def _results(
        self, outputs: tuple[mlir.Value, ...], read: Iterable[tuple[mlir.Value, bool]]
    ) -> tuple[mlir.Value, ...]:
        """Values for what is written; `read` are values, and whether they are read where the outputs are written."""
        before: frozenset[str] = frozenset()
        for value, stays in read:
            first = self.read_before(value)
            self.is_moved |= bool(first) and not stays
            before |= first
        results = tuple(mlir.Value(self._names.numbered("m"), _tensor(each).type, each.origin) for each in outputs)
        for output, result in zip(outputs, results, strict=True):
            self._first[result.name] = before
            self.current[output.name] = result
        return results


def _tensor(value: mlir.Value) -> mlir.Value:
    if not isinstance(value.type, mlir.MemrefType):
        return value
    return mlir.Value(value.name, mlir.TensorType(value.type.shape, value.type.element), value.origin)

"""Positions of iterators in payloads: an entry that is taken at them becomes an operand, a number of them a constant.

%x = tensor.extract %t[%i, %j + 1]      ->      ins(…, %t) with the map (…, i, j + 1)
%i = linalg.index 0, as a number        ->      ins(…, dense<[0, 1, 2, …]>) with the map (i)
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.scalars import ENTRIES
from einsum_front.mlir.to_graph.batch import walk
from einsum_front.mlir.verify.structured import walked


def without_positions(function: mlir.Function) -> mlir.Function:
    """The function with operands in place of positions, as far as extents are known."""
    body = function.body or ()
    operations = list(walk(body))
    if not any(_has_positions(each) for each in operations):
        return function
    taken = [value.name for each in operations for value in mlir.results_of(each)]
    made = _Positions(Names([*taken, *(each.name for each in function.arguments)]), _numbers(operations))
    inner = tuple(made.operation(each) for each in body)
    return replace(function, body=(*made.constants.values(), *inner))


def _has_positions(operation: mlir.Operation) -> bool:
    return isinstance(operation, mlir.Structured) and any(
        isinstance(each, mlir.IndexOf) or (isinstance(each, mlir.Scalar) and each.name in ENTRIES)
        for each in operation.payload.operations
    )


def _numbers(operations: Iterable[mlir.Operation]) -> dict[str, int]:
    """The integers that the text has, by the names of their values."""
    return {
        each.result.name: each.value
        for each in operations
        if isinstance(each, mlir.Literal)
        and isinstance(each.value, int)
        and isinstance(each.result.type, mlir.ScalarType)
    }


@dataclass
class _Positions:
    """Names that are free, integers that are known, and the constants so far by their lengths."""

    names: Names
    numbers: Mapping[str, int]
    constants: dict[int, mlir.Literal] = field(default_factory=dict)

    def operation(self, operation: mlir.Operation) -> mlir.Operation:
        """The same without positions, in loops too."""
        if isinstance(operation, mlir.For):
            return replace(operation, body=tuple(map(self.operation, operation.body)))
        return self._structured(operation) if _has_positions(operation) else operation  # type: ignore[arg-type]  # it is structured

    def _structured(self, operation: mlir.Structured) -> mlir.Structured:
        payload, dims = operation.payload, len(operation.iterators)
        forms = dict(_forms(payload, {name: Linear(number) for name, number in self.numbers.items()}))
        inputs, maps, arguments = list(operation.inputs), list[mlir.AffineMap](), list[mlir.Value]()
        added: list[mlir.Value] = []
        gone: set[str] = set()
        for each in payload.operations:
            if isinstance(each, mlir.Scalar) and each.name in ENTRIES:
                source, *places = each.operands
                if all(place.name in forms for place in places):
                    added.append(source)
                    maps.append(mlir.AffineMap(dims, tuple(forms[place.name].expression for place in places)))
                    arguments.append(each.result)
                    gone.add(each.result.name)
        left = _used(payload, gone)
        extents = walked(operation)
        for each in left:
            extent = extents[each.dim][0] if isinstance(each, mlir.IndexOf) and each.dim in extents else None
            if isinstance(each, mlir.IndexOf) and extent is not None:
                added.append(self._constant(extent))
                maps.append(mlir.AffineMap.of_dims(dims, (each.dim,)))
                arguments.append(each.result)
                gone.add(each.result.name)
        count = len(inputs)
        kept = tuple(each for each in left if each.result.name not in gone)
        made = mlir.Payload(
            (*payload.arguments[:count], *arguments, *payload.arguments[count:]), kept, payload.yields, payload.origin
        )
        all_maps = (*operation.maps[:count], *maps, *operation.maps[count:])
        return replace(operation, inputs=(*inputs, *added), maps=all_maps, payload=made)

    def _constant(self, extent: int) -> mlir.Value:
        """The numbers from 0 on."""
        if extent not in self.constants:
            type_ = mlir.TensorType((extent,), mlir.ScalarType.INDEX)
            self.constants[extent] = mlir.Literal(
                mlir.Value(self.names.numbered("positions"), type_), tuple(range(extent))
            )
        return self.constants[extent].result


def _forms(payload: mlir.Payload, known: Mapping[str, Linear]) -> Iterator[tuple[str, Linear]]:
    """The values that are sums and multiples of positions."""
    found = dict(known)
    for each in payload.operations:
        form: Linear | None = None
        match each:
            case mlir.IndexOf(dim=dim):
                form = Linear(0, {dim: 1})
            case mlir.Literal(value=int(value)):
                form = Linear(value)
            case mlir.Scalar(name=name, operands=operands) if all(value.name in found for value in operands):
                form = _combined(name, [found[value.name] for value in operands])
            case _:  # open: all else is no sum of positions
                pass
        if form is not None:
            found[each.result.name] = form
    yield from found.items()


def _combined(name: str, forms: list[Linear]) -> Linear | None:
    expressions = [each.expression for each in forms]
    match name:
        case "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui":
            return forms[0]
        case "arith.addi":
            return linear(mlir.Add(*expressions))
        case "arith.subi":
            return linear(mlir.Add(expressions[0], mlir.Multiply(expressions[1], -1)))
        case "arith.muli" if not forms[0].factors or not forms[1].factors:
            factor, other = (0, 1) if not forms[0].factors else (1, 0)
            return linear(mlir.Multiply(expressions[other], forms[factor].constant))
        case _:  # open: nothing else is affine
            return None


def _used(payload: mlir.Payload, gone: set[str]) -> tuple[mlir.PayloadOperation, ...]:
    """The operations that something needs, without those that are gone."""
    needed = {each.name for each in payload.yields}
    found: list[mlir.PayloadOperation] = []
    for each in reversed(payload.operations):
        if each.result.name in needed and each.result.name not in gone:
            found.append(each)
            needed |= {value.name for value in mlir.operands_of(each)}
    return tuple(reversed(found))

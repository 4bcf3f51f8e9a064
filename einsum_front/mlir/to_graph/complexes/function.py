"""Complex numbers become their parts: a function of real ones, whose tensors have a last mode more, of extent 2.

    C[i,j] += A[i,k] * B[k,j]     ->     t = i B;     C[i,j,z] += A[i,k,0] * B[k,j,z] + A[i,k,1] * t[k,j,z]

Parts are walked by one iterator, so that vectors run through both. Of a product one factor stays whole and is
multiplied by the imaginary unit once; that is the one which the last index of the output walks, as in the notation.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod

from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.complexes.payload import Payload
from einsum_front.mlir.to_graph.complexes.values import as_real, both_parts, element_of, is_number
from einsum_front.mlir.to_graph.refuse import refused


def in_parts(function: mlir.Function) -> mlir.Function:
    """The function over parts; itself, if it has no complex numbers.

    Raises `CompileError` (E0826) with what has no such form.
    """
    types = [element_of(each.type) for each in function.arguments]
    types += [each for operation in _walk(function.body or ()) for each in _elements(operation)]
    if all(each.part is None for each in types):
        return function
    return _Function(function).made()


def _walk(operations: Iterable[mlir.Operation]) -> Iterator[mlir.Operation]:
    for each in operations:
        yield each
        if isinstance(each, mlir.For):
            yield from _walk(each.body)


def _elements(operation: mlir.Operation) -> Iterator[mlir.ScalarType]:
    """The types of what an operation uses and computes, in its payload too."""
    inside = operation.payload.operations if isinstance(operation, mlir.Structured) else ()
    values = (value for each in (operation, *inside) for value in (*mlir.operands_of(each), *mlir.results_of(each)))
    return (element_of(each.type) for each in values)


class _Function:
    """One function, operation by operation."""

    def __init__(self, function: mlir.Function) -> None:
        self._function = function
        given = (each.name for each in function.arguments)
        defined = (each.name for operation in _walk(function.body or ()) for each in mlir.results_of(operation))
        self.names = Names({*given, *defined})
        self.known: dict[str, complex] = {}
        self.numbers = {each.name: both_parts(each) for each in function.arguments if is_number(each)}
        self._reals: dict[str, float] = {}
        self._made: list[mlir.Operation] = []
        self._turned: dict[str, mlir.Value] = {}
        self._vectors: dict[tuple[tuple[float, float], mlir.ScalarType], mlir.Value] = {}

    def made(self) -> mlir.Function:
        """The function over parts."""
        function = self._function
        arguments = [part for each in function.arguments for part in self.numbers.get(each.name, (each,))]
        numbers = tuple((part.name, name) for name, parts in self.numbers.items() for part in parts)
        if len({each.name for each in arguments}) < len(arguments):
            raise refused("an argument has the name of a part of a complex one", function.origin)
        body = self._operations(function.body or ())
        *_, last = function.body or (None,)
        returned = last.values if isinstance(last, mlir.Return) else ()
        shaped = [each.name for each in (*function.arguments, *returned) if each.shape or not is_number(each)]
        complexes = [each.name for each in (*function.arguments, *returned) if element_of(each.type).part is not None]
        return replace(
            function,
            arguments=tuple(map(as_real, arguments)),
            results=tuple(as_real(mlir.Value("", each)).type for each in function.results),
            body=(*(mlir.Literal(value, pair) for (pair, _), value in self._vectors.items()), *body),
            nonzeros=tuple(
                (name, tuple((2 * start, 2 * stop) for start, stop in runs) if name in complexes else runs)
                for name, runs in function.nonzeros
            ),
            complexes=tuple(dict.fromkeys((*function.complexes, *(name for name in complexes if name in shaped)))),
            parts=numbers,
        )

    def _operations(self, operations: Sequence[mlir.Operation]) -> tuple[mlir.Operation, ...]:
        outer, self._made = self._made, []
        turned = dict(self._turned)
        for each in operations:
            self._operation(each)
        found, self._made, self._turned = self._made, outer, turned
        return tuple(found)

    def add(self, operation: mlir.Operation) -> None:
        """Writes an operation."""
        self._made.append(operation)

    def _operation(self, operation: mlir.Operation) -> None:  # noqa: C901 - a case for each node
        if not isinstance(operation, mlir.For) and all(each.part is None for each in _elements(operation)):
            if isinstance(operation, mlir.Literal) and not isinstance(operation.value, tuple):
                self._reals[operation.result.name] = operation.value
            self.add(operation)
            return
        match operation:
            case mlir.Literal(result=result, value=value):
                self._literal(operation, result, value)
            case mlir.Scalar(name="complex.create", result=result, operands=(real, imaginary)):
                self.numbers[result.name] = real, imaginary
                if {real.name, imaginary.name} <= self._reals.keys():
                    self.known[result.name] = complex(self._reals[real.name], self._reals[imaginary.name])
            case mlir.Structured():
                self.add(Payload(self, operation).made())
            case mlir.Allocate(result=result):
                self.add(replace(operation, result=as_real(result)))
            case mlir.Slice(result=result, source=source) | mlir.InsertSlice(result=result, source=source):
                box = ((*operation.offsets, 0), (*operation.sizes, 2), (*operation.strides, 1))
                part = replace(operation, result=as_real(result), source=as_real(source))
                part = replace(part, offsets=box[0], sizes=box[1], strides=box[2])
                if isinstance(part, mlir.InsertSlice):
                    part = replace(part, target=as_real(part.target))
                self.add(part)
            case mlir.Reshape(result=result, source=source, groups=groups):
                many = max(len(source.shape), len(result.shape))
                few = min(len(source.shape), len(result.shape))
                groups = (*groups, (many,)) if few else (tuple(range(many + 1)),)
                sizes = (*operation.sizes, 2) if operation.sizes else ()
                self.add(replace(operation, result=as_real(result), source=as_real(source), groups=groups, sizes=sizes))
            case mlir.Permute(result=result, source=source, permutation=order):
                order = (*order, len(order))
                self.add(replace(operation, result=as_real(result), source=as_real(source), permutation=order))
            case mlir.Cast(result=result, source=source):
                self.add(replace(operation, result=as_real(result), source=as_real(source)))
            case mlir.Extent(source=source):
                self.add(replace(operation, source=as_real(source)))
            case mlir.Copy(source=source, target=target):
                self.add(replace(operation, source=as_real(source), target=as_real(target)))
            case mlir.Free(memory=memory):
                self.add(replace(operation, memory=as_real(memory)))
            case mlir.For() if not any(map(is_number, operation.carried)):
                lists = operation.carried, operation.initial, operation.yields, operation.results
                carried, initial, yields, results = (tuple(map(as_real, each)) for each in lists)
                body = self._operations(operation.body)
                loop = replace(operation, carried=carried, initial=initial, yields=yields, results=results)
                self.add(replace(loop, body=body))
            case mlir.Return(values=values) if not any(map(is_number, values)):
                self.add(replace(operation, values=tuple(map(as_real, values))))
            case (
                mlir.For() | mlir.Return() | mlir.Scalar() | mlir.Primitive() | mlir.Group() | mlir.Pack() | mlir.Call()
            ):
                message = "complex numbers are entries of tensors here, and of operations on their entries"
                raise refused(message, operation.origin)

    def _literal(self, operation: mlir.Literal, result: mlir.Value, value: int | float | tuple[float, ...]) -> None:
        assert isinstance(value, tuple)
        if is_number(result):
            self.known[result.name] = complex(*value)
            self.numbers[result.name] = both_parts(result)
            for part, number in zip(both_parts(result), value, strict=True):
                self.add(replace(operation, result=part, value=number))
            return
        if len(value) == len(both_parts(result)):
            value = value * prod(size or 1 for size in result.shape)
        self.add(replace(operation, result=as_real(result), value=value))

    # -- what payloads need ----------------------------------------------------------------------------------------

    def vector(self, real: float, imaginary: float, element: mlir.ScalarType) -> mlir.Value:
        key = (real, imaginary), element
        if key not in self._vectors:
            self._vectors[key] = mlir.Value(self.names.fresh("parts"), mlir.TensorType((2,), element))
        return self._vectors[key]

    def zero(self, element: mlir.ScalarType) -> mlir.Value:
        value = mlir.Value(self.names.fresh("zero"), element)
        self._made.append(mlir.Literal(value, 0.0))
        return value

    def turned(self, value: mlir.Value) -> mlir.Value:
        if value.name in self._turned:
            return self._turned[value.name]
        real, rank = as_real(value), len(value.shape)
        memory = mlir.Value(self.names.fresh("turned"), mlir.MemrefType(real.shape, real.element))
        sizes: list[mlir.Number] = [each or 1 for each in value.shape]
        for mode, extent in enumerate(value.shape):
            if extent is None:
                number, size = (mlir.Value(self.names.fresh("size"), mlir.ScalarType.INDEX) for _ in range(2))
                self.add(mlir.Literal(number, mode))
                self.add(mlir.Extent(size, real, number))
                sizes[mode] = size
        self.add(mlir.Allocate(memory, tuple(each for each in sizes if isinstance(each, mlir.Value))))
        whole = mlir.AffineMap.of_dims(rank, tuple(range(rank)))
        for part in (0, 1):
            view = mlir.Value(self.names.fresh("part"), mlir.MemrefType(value.shape, real.element))
            box = (*(0,) * rank, part), (*sizes, 1), (1,) * (rank + 1)
            self.add(mlir.Slice(view, memory, *box))
            taken = mlir.AffineMap(rank, (*whole.results, mlir.Constant(1 - part)))
            given = mlir.Value("x0", real.element), mlir.Value("x1", real.element)
            minus = mlir.Scalar(mlir.Value("v0", real.element), "arith.negf", given[:1])
            payload = mlir.Payload(given, () if part else (minus,), given[:1] if part else (minus.result,))
            iterators = (mlir.IteratorType.PARALLEL,) * rank
            self.add(mlir.Structured("generic", (real,), (view,), (taken, whole), iterators, payload))
        if isinstance(value.type, mlir.TensorType):  # what lies in memory may be written
            self._turned[value.name] = memory
        return memory

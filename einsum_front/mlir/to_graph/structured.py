"""A structured operation as values of the graph builder: its payload over its iterators.

Iterators that walk a mode together with others, as those of a window of a convolution do, are unrolled until one index
walks the mode: `x + r` of three `r` is three products, each of a shifted part of the operand.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product as combinations
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.core.functions import Function
from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.ir import MINUS_ONE, GraphBuilder, Number, Position, Value, Window, is_zero
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.to_graph.dimensions import Mode
from einsum_front.mlir.to_graph.payload import Accumulation, PayloadReader
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_graph.symbolic import (
    At,
    Computed,
    Indices,
    Symbolic,
    TemporaryNeeded,
    Uniform,
    names_in,
    read,
    walked_by,
)

Binding = dict[int, At]
"""The position of each iterator."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One operation with what its operands are; `captured` are the values around its payload."""

    builder: GraphBuilder
    indices: Indices
    operation: mlir.Structured
    operands: tuple[Symbolic, ...]
    captured: Mapping[str, Symbolic]
    extent: Callable[[Mode], Extent]

    @property
    def unrolls_parallel(self) -> bool:
        """True if outputs are assigned at one position of an iterator after the other."""
        return any(self._is_parallel(each) for each in unrolled_iterators(self.operation, self.indices))

    def _is_parallel(self, iterator: int) -> bool:
        return self.operation.iterators[iterator] is mlir.IteratorType.PARALLEL

    def points(self, number: int) -> Iterator[tuple[At, ...]]:
        """The positions of an output at which it is assigned, one after the other; all at once without unrolling."""
        operation = self.operation
        unrolled = [each for each in unrolled_iterators(operation, self.indices) if self._is_parallel(each)]
        at = walked_by(self.operands[len(operation.inputs) + number], self.indices.whole(operation.outputs[number]))
        walked = self._walked(number)
        for point in combinations(*(range(self._static(each)) for each in unrolled)):
            fixed = dict(zip(unrolled, point, strict=True))
            yield tuple(
                (fixed[each.position],) if isinstance(each, mlir.Dim) and each.position in fixed else place
                for each, place in zip(walked, at, strict=True)
            )

    def _walked(self, number: int) -> tuple[mlir.AffineExpr, ...]:
        """What walks each mode of an output: an iterator, or 0, of a mode of one position."""
        operation = self.operation
        output, map_ = operation.outputs[number], operation.maps[len(operation.inputs) + number]
        for mode, each in enumerate(map_.results):
            if isinstance(each, mlir.Constant) and output.shape[mode] != 1:
                message = f"mode {mode} of `%{output.name}` has several positions, of which one is written"
                raise refused(message, operation.origin)
        return map_.results

    def _static(self, iterator: int) -> int:
        extent = self.indices.dimensions.extent(self.indices.dimensions.iterators(self.operation)[iterator])
        if extent is None:
            message = f"iterator d{iterator} walks a mode together with others, and its extent is not known"
            raise refused(message, self.operation.origin, code="E0828")
        return extent

    def uniform(self, number: int) -> Uniform | None:
        """The number that all entries of an output are, if the payload only passes one on."""
        payload = self.operation.payload
        name = payload.yields[number].name
        arguments = [each.name for each in payload.arguments]
        found = self.operands[arguments.index(name)] if name in arguments else self.captured.get(name)
        return found if isinstance(found, Uniform) else None

    # -- values --------------------------------------------------------------------------------------------------------

    def value(self, number: int, at: tuple[At, ...]) -> Value:
        """The entries of an output at positions. Raises `CompileError` (E0826) if the graph cannot compute them."""
        operation = self.operation
        binding: Binding = {
            each.position: place
            for each, place in zip(self._walked(number), at, strict=True)
            if isinstance(each, mlir.Dim)
        }
        name = operation.payload.yields[number].name
        reductions = [n for n in range(len(operation.iterators)) if not self._is_parallel(n)]
        if not reductions:
            return self._reader(binding).value(name)
        unrolled = [each for each in unrolled_iterators(operation, self.indices) if not self._is_parallel(each)]
        taken = names_in(at)
        roots = self.indices.dimensions.iterators(operation)
        for iterator in reductions:
            if iterator not in unrolled:
                atoms = self.indices.atoms_of(roots[iterator])
                binding[iterator] = tuple(self.indices.fresh(root, taken) for root in atoms)
        over = {str(each): root for n in reductions if n not in unrolled
                for each, root in zip(binding[n], self.indices.atoms_of(roots[n]), strict=True)}  # fmt: skip
        output = operation.payload.arguments[len(operation.inputs) + number].name
        accumulation = self._reader(binding).accumulation(name, output)
        points = combinations(*(range(self._static(each)) for each in unrolled))
        readers = [self._reader(binding | {n: (p,) for n, p in zip(unrolled, point, strict=True)}) for point in points]
        before = self.operands[len(operation.inputs) + number]
        if accumulation.function is None:
            return self._sum(accumulation, readers, over, before, at)
        return self._extremum(accumulation.function, accumulation.terms[0][1], readers, over, before, at)

    def _sum(
        self,
        accumulation: Accumulation,
        readers: list[PayloadReader],
        over: Mapping[str, Mode],
        before: Symbolic,
        at: tuple[At, ...],
    ) -> Value:
        builder, origin = self.builder, self.operation.origin
        terms: list[Value] = []
        for reader in readers:
            for sign, name in accumulation.terms:
                value = self._summed(reader.value(name), over)
                terms.append(value if sign > 0 else builder.scaled(MINUS_ONE, value))
        if not (isinstance(before, Uniform) and is_zero(before.number)):
            terms.insert(0, read(builder, before, at, origin))
        return terms[0] if len(terms) == 1 else builder.sum(terms, origin)

    def _summed(self, value: Value, over: Mapping[str, Mode]) -> Value:
        """The sum over indices; of those that the value lacks, it is a multiple."""
        had = {index.name for index in value.indices}
        times: list[int] = []
        for name, root in over.items():
            if name not in had:
                extent = self.extent(root)
                if not isinstance(extent, int):
                    message = (
                        "a value is summed along a mode that it does not depend on, of an extent that is not known"
                    )
                    raise refused(message, self.operation.origin, code="E0828")
                times.append(extent)
        summed = self.builder.product((value,), [name for name in over if name in had], self.operation.origin)
        return self.builder.scaled(Number(float(prod(times))), summed) if times else summed

    def _extremum(
        self,
        function: Function,
        name: str,
        readers: list[PayloadReader],
        over: Mapping[str, Mode],
        before: Symbolic,
        at: tuple[At, ...],
    ) -> Value:
        builder, origin = self.builder, self.operation.origin
        values: list[Value] = []
        for reader in readers:
            value = reader.value(name)
            had = [index.name for index in value.indices if index.name in over]
            values.append(builder.extremum(function, value, had, origin) if had else value)
        neutral = float("-inf") if function is Function.MAX else float("inf")
        if not (isinstance(before, Uniform) and before.number == Number(neutral)):
            values.append(read(builder, before, at, origin))
        found = values[0]
        for value in values[1:]:
            found = builder.elementwise(function, (found, value), origin)
        return found

    # -- operands ------------------------------------------------------------------------------------------------------

    def _reader(self, binding: Binding) -> PayloadReader:
        arguments = {each.name: number for number, each in enumerate(self.operation.payload.arguments)}

        def given(name: str) -> Value:
            if name in arguments:
                return self._read(arguments[name], binding)
            found = self.captured.get(name)
            if not isinstance(found, Uniform | Computed):
                raise refused(f"`%{name}` is not known when compiling", self.operation.origin, code="E0828")
            return read(self.builder, found, (), self.operation.origin)

        def known(name: str) -> float | None:
            found = self.captured.get(name)
            return found.number.value if isinstance(found, Uniform) and isinstance(found.number, Number) else None

        return PayloadReader(self.builder, self.operation.payload, given, known)

    def _read(self, number: int, binding: Binding) -> Value:
        """The entries of an operand at the position of the iterators."""
        operand, symbolic = self.operation.operands[number], self.operands[number]
        if isinstance(operand.type, mlir.ScalarType):
            return read(self.builder, symbolic, (), operand.origin)
        map_ = self.operation.maps[number]
        found: list[At] = []
        for mode, result in enumerate(map_.results):
            position = linear(result)
            if position.iterator is not None:
                found.append(binding[position.iterator])
            elif not self.indices.atoms(operand, mode):
                found.append(())
            else:
                found.append((self._position(position, binding),))
        _check_temporary(symbolic, found)
        return read(self.builder, symbolic, tuple(found), operand.origin)

    def _position(self, position: Linear, binding: Binding) -> Position:
        """A position that several iterators make, of which one index at most is left."""
        start, index, extent = position.constant, "", 1
        for iterator, factor in position.factors.items():
            (part,) = binding[iterator] or (0,)
            match part:
                case int():
                    start += factor * part
                case Window():
                    index, extent = part.index, self._static(iterator)
                    start += part.start
                case str():
                    index, extent = part, self._static(iterator)
        return Window(index, start, extent) if index else start


def _check_temporary(symbolic: Symbolic, at: list[At]) -> None:
    """What is computed and read at several positions is computed once, in memory."""
    if isinstance(symbolic, Computed) and any(not isinstance(each, str) for parts in at for each in parts):
        has_window = any(isinstance(each, Window) for parts in at for each in parts)
        if has_window or symbolic.uses > 1:
            raise TemporaryNeeded(symbolic.key, symbolic.value)


def unrolled_iterators(operation: mlir.Structured, indices: Indices) -> tuple[int, ...]:
    """The iterators that walk modes together with others, but for one that is left to walk them.

    That one has factor 1; of several, the one with the largest extent. Raises `CompileError` (E0826) if there are too
    many positions.
    """
    roots = indices.dimensions.iterators(operation)
    extents = [indices.dimensions.extent(root) or 0 for root in roots]
    found: dict[int, None] = {}
    for map_ in operation.maps:
        for result in map_.results:
            position = linear(result)
            if position.iterator is not None or not position.factors:
                continue
            left = [each for each in position.factors if each not in found]
            kept = [each for each in left if position.factors[each] == 1]
            keep = max(kept, key=lambda each: (extents[each], -each), default=None)
            found.update(dict.fromkeys(each for each in left if each != keep))
    count = prod(extents[each] for each in found)
    if count > LARGEST_RANGE:
        message = f"iterators that walk a mode together have {count} positions, more than {LARGEST_RANGE}"
        raise refused(message, operation.origin)
    return tuple(found)

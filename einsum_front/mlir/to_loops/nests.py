"""Structured operations as loops over their iterators, with the payload on single entries inside."""

from collections.abc import Mapping, Sequence

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.scalars import ENTRIES
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_loops.scalars import Scalars
from einsum_front.mlir.to_loops.views import Memory, Tensor, Undefined, Uniform, View
from einsum_front.mlir.verify.structured import alone, used_names
from einsum_front.tl_backend import Index, Number, Value
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import ScalarType


class Nests:
    """Numbers and tensors of a function so far, and loops that compute with them.

    `homes` are the memories of results, for values that are returned.
    """

    def __init__(
        self,
        memory: Memory,
        numbers: dict[str, Number],
        tensors: dict[str, Tensor],
        homes: Mapping[str, View],
        group: Value,
    ) -> None:
        self._memory = memory
        self._builder = memory.builder
        self._scalars = Scalars(memory.builder)
        self._numbers = numbers
        self._tensors = tensors
        self._homes = homes
        self._group = group
        self._depth = 0

    def tensor(self, value: mlir.Value) -> Tensor:
        """What the entries of a value are."""
        return self._tensors[value.name]

    def given(self, value: mlir.Value) -> Tensor:
        """What a value is, a number too."""
        return Uniform(self.number(value)) if value.name in self._numbers else self.tensor(value)

    def number(self, value: mlir.Value) -> Number:
        """A number."""
        return self._numbers[value.name]

    def _view(self, value: mlir.Value) -> View:
        found = self.tensor(value)
        if not isinstance(found, View):
            raise refused(f"`%{value.name}` is a constant, and is written", value.origin)
        return found

    def _apart(self, source: mlir.Value, targets: Sequence[mlir.Value]) -> Tensor:
        """The entries as they are before the targets are written: a copy, where they may share memory."""
        found = self.tensor(source)
        bases = {self._view(each).base for each in targets if isinstance(each.type, mlir.MemrefType)}
        if not isinstance(found, View) or found.base not in bases:
            return found
        copy = self._memory.temporary(source, found)
        self._memory.copy(found, source, copy, mlir.Copy(source, source))
        return copy

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _literal(self, result: mlir.Value, value: float | tuple[float, ...]) -> None:
        if isinstance(result.type, mlir.ScalarType):
            number = value if not isinstance(value, tuple) else value[0]
            self._numbers[result.name] = self._scalars.known(number, result.type)
        elif not isinstance(value, tuple):
            self._tensors[result.name] = Uniform(self._scalars.known(value, result.type.element))
        elif result.name not in self._tensors:  # else an argument has the entries
            message = f"`%{result.name}` has entries that are no finite numbers, or integers beyond 2^53"
            raise refused(message, result.origin)

    def _scalar(self, operation: mlir.Scalar) -> Number:
        if operation.name not in ENTRIES:
            return self._scalars.operation(operation, [self.number(each) for each in operation.operands])
        source, *places = operation.operands
        return self._entry(source, [self.number(each) for each in places], operation)

    def _entry(self, source: mlir.Value, places: Sequence[Number], operation: mlir.Scalar) -> Number:
        """An entry at a position that is computed; of one outside, the nearest one, so that nothing else is read."""
        tensor, builder, at = self.tensor(source), self._builder, list[Index]()
        for mode, place in enumerate(places):
            position = place if isinstance(place, Value) else int(place)
            if isinstance(tensor, View) and tensor.modes[mode] is None:
                raise refused("a position in the batch is computed", operation.origin)
            extent = self._memory.extent(source, mode, tensor)
            last = extent - 1 if isinstance(extent, int) else builder.arith(tl.BinaryOperator.SUB, extent, 1)
            position = self._nearest(self._nearest(position, 0, tl.Condition.LT), last, tl.Condition.GT)
            at.append(position)
        return self._memory.load(tensor, at, operation)

    def _nearest(self, position: Index, bound: Index, condition: tl.Condition) -> Index:
        """The position, or the bound if it lies behind that."""
        if isinstance(position, int) and isinstance(bound, int):
            return min(position, bound) if condition is tl.Condition.GT else max(position, bound)
        outside = self._builder.compare(condition, position, bound)
        (found,) = self._builder.if_else(outside, (ScalarType.INDEX,), lambda: (bound,), lambda: (position,))
        return found

    def _sum(self, terms: Sequence[tuple[Index, Index]]) -> Index:
        """The sum of products of positions."""
        total: Index = 0
        for value, factor in terms:
            term: Index
            if isinstance(value, int) and isinstance(factor, int):
                term = value * factor
            elif factor == 1:
                term = value
            else:
                one, other = (value, factor) if isinstance(value, Value) else (factor, value)
                term = self._builder.arith(tl.BinaryOperator.MUL, one, other)
            if isinstance(total, int) and isinstance(term, int):
                total += term
            elif total == 0:
                total = term
            elif term != 0:
                one, other = (total, term) if isinstance(total, Value) else (term, total)
                total = self._builder.arith(tl.BinaryOperator.ADD, one, other)
        return total

    def _home(self, value: mlir.Value, before: Tensor) -> View:
        """Memory for a value that has the shape of what was `before`: that of a result, if it is one."""
        home = self._homes.get(value.name) if not self._depth else None
        return home or self._memory.temporary(value, before)

    # -- structured operations -----------------------------------------------------------------------------------------

    def _structured(self, operation: mlir.Structured) -> None:
        inputs = [self._input(each, operation) for each in operation.inputs]
        outputs: list[Tensor] = []
        payload = operation.payload
        if operation.results and _is_uniform(operation):
            value = payload.yields[0]
            number = dict(zip((each.name for each in payload.arguments), inputs, strict=False)).get(value.name)
            if isinstance(number, Uniform):
                self._tensors[operation.results[0].name] = number
                return
        used = used_names(payload)
        for number_, output in enumerate(operation.outputs):
            before = self.tensor(output)
            if not operation.results:
                outputs.append(self._view(output))
                continue
            home = self._home(operation.results[number_], before)
            is_read = payload.arguments[len(inputs) + number_].name in used
            if is_read or not _is_whole(operation, number_):
                if is_read and isinstance(before, Undefined):
                    self._memory.load(before, (), operation)
                self._memory.copy(before, output, home, operation)
            outputs.append(home)
            self._tensors[operation.results[number_].name] = home
        self._nest(operation, [*inputs, *outputs], used)

    def _input(self, value: mlir.Value, operation: mlir.Structured) -> Tensor:
        if isinstance(value.type, mlir.ScalarType):
            return Uniform(self.number(value))
        found = self.tensor(value)
        for output, map_ in zip(operation.outputs, operation.maps[len(operation.inputs) :], strict=True):
            own = operation.maps[operation.inputs.index(value)]
            is_same = found == self._tensors.get(output.name) and own == map_ and map_.positions is not None
            if isinstance(output.type, mlir.MemrefType) and not is_same:
                found = self._apart(value, [output]) if found == self.tensor(value) else found
        return found

    def _nest(self, operation: mlir.Structured, tensors: list[Tensor], used: set[str]) -> None:
        """Loops over all iterators; work-items share one that each output has of its own."""
        outputs = operation.maps[len(operation.inputs) :]
        extents = self._extents(operation, tensors)
        walked = set.intersection(*map(alone, outputs))
        shared = [n for n, each in enumerate(operation.iterators) if each is mlir.IteratorType.PARALLEL and n in walked]
        order = [linear(each).iterator for each in outputs[0].results]
        along = next((n for n in reversed(order) if n in shared and extents[n] is not None), None)
        inner = [n for n, extent in enumerate(extents) if n not in shared and extent is not None]
        outer = [None if n in inner else extent for n, extent in enumerate(extents)]

        def iteration(at: list[Index]) -> None:
            self._innermost(operation, tensors, extents, inner, at, used)

        self._memory.nest(outer, along, iteration)

    def _innermost(
        self, operation: mlir.Structured, tensors: list[Tensor], extents: list[Index | None], left: list[int],
        at: list[Index], used: set[str],
    ) -> None:  # fmt: skip
        if left:
            number, *others = left
            with self._builder.for_loop(0, extents[number] or 1) as position:
                inside = [*at[:number], position, *at[number + 1 :]]
                self._innermost(operation, tensors, extents, others, inside, used)
            return
        at = [self._group if extent is None else position for position, extent in zip(at, extents, strict=True)]
        payload = operation.payload
        before = dict(self._numbers)
        for argument, tensor, map_ in zip(payload.arguments, tensors, operation.maps, strict=True):
            if argument.name in used:
                self._numbers[argument.name] = self._memory.load(tensor, self._places(map_, at), operation)
        for each in payload.operations:
            match each:
                case mlir.Literal(result=result, value=literal):
                    self._literal(result, literal)
                case mlir.IndexOf(result=result, dim=dim):
                    self._numbers[result.name] = at[dim]
                case mlir.Scalar(result=result):
                    self._numbers[result.name] = self._scalar(each)
        yields = [self.number(each) for each in payload.yields]
        for number_, value in enumerate(yields):
            target = tensors[len(operation.inputs) + number_]
            if isinstance(target, View):
                self._memory.store(value, target, self._places(operation.maps[len(operation.inputs) + number_], at))
        self._numbers = before

    def _places(self, map_: mlir.AffineMap, at: Sequence[Index]) -> list[Index]:
        return [self._position(linear(each), at) for each in map_.results]

    def _position(self, position: Linear, at: Sequence[Index]) -> Index:
        return self._sum([*((at[each], factor) for each, factor in position.factors.items()), (position.constant, 1)])

    def _extents(self, operation: mlir.Structured, tensors: list[Tensor]) -> list[Index | None]:
        """The number of positions of each iterator; None for that of the batch."""
        found: dict[int, Index | None] = {}
        dimensions = self._memory.dimensions
        for operand, tensor, map_ in zip(operation.operands, tensors, operation.maps, strict=True):
            for mode, result in enumerate(map_.results):
                iterator = linear(result).iterator
                if iterator is None or isinstance(found.get(iterator), int):
                    continue
                is_batch = dimensions.atoms(operand, mode) == (self._memory.batch,)
                is_known = iterator in found and operand.shape[mode] is None
                if not is_known:
                    found[iterator] = None if is_batch else self._memory.extent(operand, mode, tensor)
        return [found[number] for number in range(len(operation.iterators))]


def _is_whole(operation: mlir.Structured, number: int) -> bool:
    """True if all entries of an output are written: different iterators walk its modes alone."""
    positions = operation.maps[len(operation.inputs) + number].positions
    return positions is not None and len(set(positions)) == len(positions)


def _is_uniform(operation: mlir.Structured) -> bool:
    """True if a number is written to all entries of the only output."""
    payload = operation.payload
    return len(operation.outputs) == 1 and not payload.operations and _is_whole(operation, 0)

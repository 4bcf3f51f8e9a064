"""The operations of a function, one after the other: what each value is, and what is assigned."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.extent import Extent
from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.ir import GraphBuilder, Number
from einsum_front.ir import Value as Entries
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.scalars import ENTRIES, compute
from einsum_front.mlir.to_graph.coefficients import coefficient_of
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode, kept_modes, shape_of, walked_modes
from einsum_front.mlir.to_graph.indices import Indices
from einsum_front.mlir.to_graph.packing import blocks
from einsum_front.mlir.to_graph.payload import without_conversions
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_graph.structured import Evaluation
from einsum_front.mlir.to_graph.symbolic import (
    At,
    Computed,
    Stored,
    Symbolic,
    Undefined,
    Uniform,
    Walked,
    narrowed,
    positions_of,
    read,
    shifted,
    walked_by,
    whole,
)
from einsum_front.mlir.to_graph.temporaries import TemporaryNeeded


class Translator:
    """Runs through a function; `known` is what its values are so far."""

    def __init__(
        self,
        builder: GraphBuilder,
        dimensions: Dimensions,
        batch: Mode | None,
        known: dict[str, Symbolic],
        uses: Mapping[str, int],
        temporaries: Mapping[str, str],
        element: mlir.ScalarType,
        extent: Callable[[Mode], Extent],
    ) -> None:
        self._builder = builder
        self._dimensions = dimensions
        self._indices = Indices(dimensions, batch)
        self._known = known
        self._uses = uses
        self._temporaries = temporaries
        self._element = element
        self._extent = extent
        self._numbers: dict[str, int | float] = {}
        self._times: dict[str, int] = {}

    def run(self, operations: tuple[mlir.Operation, ...]) -> None:
        """All of them in order. Raises `CompileError` (E0826 to E0829), or `TemporaryNeeded`."""
        for operation in operations:
            self._operation(operation)

    def assign_result(self, tensor: str, value: mlir.Value) -> None:
        """What the function returns becomes a tensor of the graph."""
        at = self._indices.whole(value)
        entries = read(self._builder, self._of(value), at, value.origin)
        names = tuple(position for positions in at for position in positions)
        self._builder.assign(tensor, names, entries, value.origin)

    def _of(self, value: mlir.Value) -> Symbolic:
        found = self._known.get(value.name)
        if found is None:
            message = f"`%{value.name}` is known when the kernel runs only"
            raise refused(message, value.origin, code="E0828")
        return found

    def _number(self, number: mlir.Number) -> int:
        """An offset, a size or a bound, which has to be known now."""
        if isinstance(number, int):
            return number
        if number.name not in self._numbers:
            message = f"`%{number.name}` is not known when compiling"
            note = "sizes may be: those of whole modes, from `dim`"
            raise refused(message, number.origin, note, code="E0828")
        return int(self._numbers[number.name])

    def _operation(self, operation: mlir.Operation) -> None:  # noqa: C901 - a case for each node
        match operation:
            case mlir.Literal(result=result, value=value):
                if not isinstance(value, tuple):
                    self._numbers[result.name] = value
                    self._known[result.name] = Uniform(Number(float(value)))
            case mlir.Scalar():
                self._scalar(operation)
            case mlir.Structured():
                self._structured(operation)
            case mlir.Allocate(result=result):
                self._known[result.name] = Undefined(result.name)
                if isinstance(result.type, mlir.MemrefType):
                    self._known[result.name] = self._temporary(result)
            case mlir.Slice(result=result, source=source):
                self._known[result.name] = self._slice(operation, self._of(source))
            case mlir.InsertSlice():
                self._insert(operation)
            case mlir.Reshape(result=result, source=source):
                self._known[result.name] = self._reshape(operation, self._of(source))
            case mlir.Permute(result=result, source=source, permutation=permutation):
                order = {taken: Walked(mode) for mode, taken in enumerate(permutation)}
                self._known[result.name] = self._viewed(self._of(source), dict(order), result)
            case mlir.Cast(result=result, source=source):
                self._known[result.name] = self._of(source)
            case mlir.Extent(result=result, source=source, mode=mode):
                self._mode(result, source, mode)
            case mlir.Copy(source=source, target=target):
                at = walked_by(self._of(target), self._indices.whole(target))
                entries = read(self._builder, self._of(source), at, source.origin)
                self._assign(target, at, entries)
            case mlir.For():
                self._loop(operation)
            case mlir.Call(callee=callee):
                message = f"calls are not followed: `{callee}` is a kernel of its own"
                raise refused(message, operation.origin)
            case mlir.Free() | mlir.Return():
                pass
            case mlir.Pack():
                self._pack(operation)
            case mlir.Primitive() | mlir.Group():
                raise CompilerBug("there are no primitives left in an expanded module")

    def _scalar(self, operation: mlir.Scalar) -> None:
        if operation.name in ENTRIES:
            self._entry(operation)
            return
        values = [self._numbers.get(each.name) for each in operation.operands]
        type_ = operation.result.type
        if any(value is None for value in values) or not isinstance(type_, mlir.ScalarType):
            uniform = [self._known.get(each.name) for each in operation.operands]
            operands = [each.number if isinstance(each, Uniform) else None for each in uniform]
            self._known[operation.result.name] = Uniform(coefficient_of(operation, operands))
            return
        found = compute(operation.name, operation.predicate, [np.asarray(value) for value in values], type_)
        number = found.item()
        if not isinstance(number, int | float):
            raise CompilerBug(f"{number!r} is no number")
        self._numbers[operation.result.name] = number
        self._known[operation.result.name] = Uniform(Number(float(number)))

    def _entry(self, operation: mlir.Scalar) -> None:
        """An entry at a position that is known, of a tensor that need not be."""
        source, *places = operation.operands
        at = tuple((self._number(each),) for each in places)
        whole_ = self._of(source)
        if isinstance(whole_, Uniform | Undefined):
            self._known[operation.result.name] = whole_
            return
        if isinstance(whole_, Computed) and whole_.uses > 1:
            raise TemporaryNeeded(whole_.key, whole_.value)
        inner = tuple(place if self._indices.atoms(source, mode) else () for mode, place in enumerate(at))

        def entry(_: tuple[At, ...]) -> Entries:
            return read(self._builder, whole_, inner, operation.origin)

        self._known[operation.result.name] = Computed(operation.result, self._key(operation.result), entry)

    def _mode(self, result: mlir.Value, source: mlir.Value, mode: mlir.Value) -> None:
        number = self._number(mode)
        if not 0 <= number < len(shape_of(source)):
            raise refused(f"`%{source.name}` has no mode {number}", mode.origin, code="E0828")
        extent = self._dimensions.extent(self._dimensions.root(source, number))
        if extent is not None:
            self._numbers[result.name] = extent

    def _loop(self, loop: mlir.For) -> None:
        start, stop, step = (self._number(each) for each in (loop.start, loop.stop, loop.step))
        if step < 1 or len(range(start, stop, step)) > LARGEST_RANGE:
            message = f"a loop is unrolled, with 1 to {LARGEST_RANGE} iterations of a positive step"
            raise refused(message, loop.origin)
        carried = [self._of(each) for each in loop.initial]
        for position in range(start, stop, step):
            self._numbers[loop.variable.name] = position
            self._known.update({each.name: value for each, value in zip(loop.carried, carried, strict=True)})
            self.run(loop.body)
            carried = [self._of(each) for each in loop.yields]
        self._known.update({each.name: value for each, value in zip(loop.results, carried, strict=True)})

    # -- memory --------------------------------------------------------------------------------------------------------

    def _key(self, value: mlir.Value) -> str:
        """The name of a value with how often it was computed before: in loops it is computed again."""
        times = self._times[value.name] = self._times.get(value.name, 0) + 1
        return f"{value.name}@{times}"

    def _temporary(self, value: mlir.Value, key: str | None = None) -> Stored:
        """Memory for a value. Raises `TemporaryNeeded` if none is declared."""
        key = self._key(value) if key is None else key
        if key not in self._temporaries:
            raise TemporaryNeeded(key, value)
        return whole(self._temporaries[key], self._indices.slots(value), value.name)

    def _assign(self, target: mlir.Value, at: tuple[At, ...], entries: Entries) -> None:
        view = self._of(target)
        if not isinstance(view, Stored):
            raise CompilerBug(f"`%{target.name}` is no memory")
        self._builder.assign(view.tensor, positions_of(view, at, target.origin), entries, target.origin)

    # -- structured operations -----------------------------------------------------------------------------------------

    def _structured(self, operation: mlir.Structured) -> None:
        payload = without_conversions(operation.payload, self._element)
        steps = (each if each.origin else replace(each, origin=operation.origin) for each in payload.operations)
        operation = replace(operation, payload=replace(payload, operations=tuple(steps)))
        operands = tuple(
            Undefined(each.name)
            if isinstance(each.type, mlir.ScalarType) and each.name not in self._known
            else self._of(each)
            for each in operation.operands
        )
        captured = dict(self._known) if operation.payload.operations else self._known
        evaluation = Evaluation(self._builder, self._indices, operation, operands, captured, self._extent)
        if not operation.results:
            self._write(evaluation)
            return
        for number, result in enumerate(operation.results):
            key = self._key(result)
            if (same := evaluation.uniform(number)) is not None:
                self._known[result.name] = same
                continue
            if key in self._temporaries or evaluation.unrolls_parallel:
                memory = self._temporary(result, key)
                self._known[result.name] = memory
                for at in evaluation.points(number):
                    entries = evaluation.value(number, at)
                    self._builder.assign(memory.tensor, positions_of(memory, at, result.origin), entries, result.origin)
                continue

            def computed(at: tuple[At, ...], number: int = number) -> Entries:
                return evaluation.value(number, at)

            uses = self._uses.get(result.name, 0)
            self._known[result.name] = Computed(result, key, computed, uses)

    def _write(self, evaluation: Evaluation) -> None:
        """Outputs in memory: all values first, since one output may be read for another."""
        outputs = evaluation.operation.outputs
        writes = []
        for number, output in enumerate(outputs):
            for at in evaluation.points(number):
                writes.append((output, at, evaluation.value(number, at)))
                if len(outputs) == 1:
                    self._assign(*writes.pop())
        for write in writes:
            self._assign(*write)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def _pieces(
        self, operation: mlir.Slice | mlir.InsertSlice, whole_: mlir.Value, part: mlir.Value
    ) -> Iterator[tuple[dict[int, Walked | int], tuple[At, ...]]]:
        """The ranges of a slice with the positions of the part; where it takes steps, one position after the other."""
        steps = {mode: self._number(each) for mode, each in enumerate(operation.strides) if each != 1}
        sizes = {mode: self._number(operation.sizes[mode]) for mode in steps}
        stepped = [mode for mode, step in steps.items() if step != 1 and sizes[mode] > 1]
        if (count := prod(sizes[mode] for mode in stepped)) > LARGEST_RANGE:
            raise refused(f"a slice with steps has {count} positions, more than {LARGEST_RANGE}", operation.origin)
        numbers = {mode: number for number, mode in enumerate(kept_modes(operation, part))}
        for point in product(*(range(sizes[mode]) for mode in stepped)):
            at = list(self._indices.whole(part))
            fixed = {}
            for mode, place in zip(stepped, point, strict=True):
                at[numbers[mode]] = (place,)
                fixed[mode] = self._number(operation.offsets[mode]) + steps[mode] * place
            yield self._ranges(operation, whole_, part, fixed), tuple(at)

    def _ranges(
        self, operation: mlir.Slice | mlir.InsertSlice, whole_: mlir.Value, part: mlir.Value, fixed: dict[int, int]
    ) -> dict[int, Walked | int]:
        """For each mode of the whole: the mode of the part that walks it and from where, or its only position."""
        kept = {mode: number for number, mode in enumerate(kept_modes(operation, part))}
        found: dict[int, Walked | int] = {}
        for mode in range(len(shape_of(whole_))):
            number = kept.get(mode)
            if number is not None and self._dimensions.root(whole_, mode) == self._dimensions.root(part, number):
                found[mode] = Walked(number)
                continue
            offset, size = self._number(operation.offsets[mode]), self._number(operation.sizes[mode])
            if len(self._dimensions.atoms(whole_, mode)) > 1:
                message = f"mode {mode} of `%{whole_.name}` is put together of several modes, and a part of it is taken"
                raise refused(message, operation.origin)
            found[mode] = fixed.get(mode, offset if number is None else Walked(number, 0, offset, size))
        return found

    def _slice(self, operation: mlir.Slice, source: Symbolic) -> Symbolic:
        """A view; what is taken with a step is copied, from neighbour to neighbour."""
        if isinstance(source, Uniform | Undefined):
            return source
        pieces = list(self._pieces(operation, operation.source, operation.result))
        taken = zip(operation.strides, operation.sizes, strict=True)
        if len(pieces) == 1 and all(1 in each for each in taken):
            return self._viewed(source, pieces[0][0], operation.result)
        if isinstance(operation.result.type, mlir.MemrefType):
            message = "memory is taken with a step, and a contraction graph takes neighbours only"
            raise refused(message, operation.origin, "of a tensor, `tensor.extract_slice` takes a copy")
        if isinstance(source, Computed) and source.uses > 1:
            raise TemporaryNeeded(source.key, source.value)
        memory = self._temporary(operation.result)
        for ranges, at in pieces:
            entries = read(self._builder, self._viewed(source, ranges, operation.result), at, operation.origin)
            places = positions_of(memory, at, operation.origin)
            self._builder.assign(memory.tensor, places, entries, operation.origin)
        return memory

    def _viewed(self, source: Symbolic, modes: dict[int, Walked | int], result: mlir.Value) -> Symbolic:
        """A view of a value: for each of its modes, the mode of the result that walks it or a position."""
        match source:
            case Uniform() | Undefined():
                return source
            case Stored():
                return replace(narrowed(source, modes), name=result.name)
            case Computed():

                def taken(at: tuple[At, ...]) -> Entries:
                    inner = tuple(_taken(modes[mode], at) for mode in range(len(modes)))
                    return read(self._builder, source, inner, result.origin)

                return replace(source, read=taken, uses=1)

    def _insert(self, operation: mlir.InsertSlice) -> None:
        memory = self._temporary(operation.result)
        target = self._of(operation.target)
        at = self._indices.whole(operation.result)
        if not isinstance(target, Undefined):
            entries = read(self._builder, target, at, operation.origin)
            self._builder.assign(memory.tensor, positions_of(memory, at, operation.origin), entries, operation.origin)
        for ranges, inner in self._pieces(operation, operation.target, operation.source):
            part = narrowed(memory, ranges)
            entries = read(self._builder, self._of(operation.source), inner, operation.origin)
            self._builder.assign(part.tensor, positions_of(part, inner, operation.origin), entries, operation.origin)
        self._known[operation.result.name] = memory

    def _pack(self, operation: mlir.Pack) -> None:
        """Copies of blocks, into memory; what is computed is computed once, in memory as well."""
        source, key = self._of(operation.source), self._key(operation.result)
        if isinstance(source, Uniform | Undefined):
            self._known[operation.result.name] = source
            return
        if isinstance(source, Computed):
            raise TemporaryNeeded(source.key, source.value)
        memory = self._temporary(operation.result, key)
        for taken, given in blocks(operation, self._indices):
            entries = read(self._builder, source, taken, operation.origin)
            places = positions_of(memory, given, operation.origin)
            self._builder.assign(memory.tensor, places, entries, operation.origin)
        self._known[operation.result.name] = memory

    # -- reshapes ------------------------------------------------------------------------------------------------------

    def _reshape(self, operation: mlir.Reshape, source: Symbolic) -> Symbolic:
        if isinstance(source, Uniform | Undefined):
            return source
        slots = self._regrouped(operation)
        if isinstance(source, Stored):
            modes: list[Walked | int] = []
            for each in source.modes:
                slot = each if isinstance(each, int) else slots.get((each.mode, each.atom), 0)
                if isinstance(slot, int) or isinstance(each, int):
                    modes.append(each if isinstance(each, int) else each.offset)
                else:
                    modes.append(replace(each, mode=slot[0], atom=slot[1]))
            return Stored(source.tensor, tuple(modes), operation.result.name)
        counts = [len(self._indices.atoms(operation.source, mode)) for mode in range(len(shape_of(operation.source)))]

        def reshaped(at: tuple[At, ...]) -> Entries:
            inner: list[At] = []
            for mode, count in enumerate(counts):
                places = [slots.get((mode, atom)) for atom in range(count)]
                inner.append(tuple(0 if place is None else at[place[0]][place[1]] for place in places))
            return read(self._builder, source, tuple(inner), operation.origin)

        return replace(source, read=reshaped, uses=1)

    def _regrouped(self, operation: mlir.Reshape) -> dict[tuple[int, int], tuple[int, int]]:
        """The mode and atom of the result for each mode and atom of the source; modes of one position have none."""
        few, many = operation.source, operation.result
        if not operation.is_expansion:
            few, many = many, few
        found: dict[tuple[int, int], tuple[int, int]] = {}
        for mode, group in enumerate(operation.groups if shape_of(few) else ()):
            walked = walked_modes(many, group)
            places = [(each, atom) for each in walked for atom in range(len(self._indices.atoms(many, each)))]
            for number, place in enumerate(places):
                if operation.is_expansion:
                    found[mode, number] = place
                else:
                    found[place] = mode, number
        return found


def _taken(mode: Walked | int, at: tuple[At, ...]) -> At:
    """The position in a mode that a view walks, or holds."""
    if isinstance(mode, int):
        return (mode,)
    return tuple(shifted(position, mode) for position in at[mode.mode])

"""The operations of a function, one after the other: what each value is, and what is assigned."""

from dataclasses import replace

import numpy as np

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.limits import LARGEST_RANGE
from einsum_front.ir import Number
from einsum_front.ir import Value as Entries
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.scalars import ENTRIES, compute
from einsum_front.mlir.to_graph.coefficients import coefficient_of
from einsum_front.mlir.to_graph.parts import Parts
from einsum_front.mlir.to_graph.payload import without_conversions
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_graph.structured import Evaluation
from einsum_front.mlir.to_graph.symbolic import (
    At,
    Computed,
    Stored,
    TemporaryNeeded,
    Undefined,
    Uniform,
    Walked,
    positions_of,
    read,
    walked_by,
)


class Translator(Parts):
    """Runs through a function; `known` is what its values are so far."""

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
        if not 0 <= number < len(source.shape):
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

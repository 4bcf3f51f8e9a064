"""The operations of a function as loops over entries, one operation after the other."""

from collections.abc import Callable, Sequence

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.dimensions import kept_modes
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_loops.nests import Nests
from einsum_front.mlir.to_loops.scalars import check_type
from einsum_front.mlir.to_loops.views import Tensor, Undefined, View
from einsum_front.tl_backend import ALL, Index, Number, Part, Value


class Translator(Nests):
    """Runs through a function."""

    def run(self, operations: Sequence[mlir.Operation]) -> None:
        """All of them in order. Raises `CompileError` (E0826, E0828, E0829) for what loops cannot do."""
        for operation in operations:
            self._builder.origin = operation.origin
            for value in mlir.results_of(operation):
                check_type(value)
            self._operation(operation)

    def _operation(self, operation: mlir.Operation) -> None:  # noqa: C901 - a case for each node
        match operation:
            case mlir.Literal(result=result, value=value):
                self._literal(result, value)
            case mlir.Scalar(result=result):
                self._numbers[result.name] = self._scalar(operation)
            case mlir.Structured():
                self._structured(operation)
            case mlir.Allocate(result=result, sizes=sizes):
                left = iter(sizes)
                self._say_sizes(result, [next(left, None) if size is None else size for size in result.shape])
                is_memory = isinstance(result.type, mlir.MemrefType)
                self._tensors[result.name] = self._memory.temporary(result) if is_memory else Undefined()
            case mlir.Slice(result=result, source=source):
                self._say_sizes(result, [operation.sizes[mode] for mode in kept_modes(operation, result)])
                self._tensors[result.name] = self._slice(operation, self.tensor(source))
            case mlir.InsertSlice():
                self._insert(operation)
            case mlir.Reshape(result=result, source=source, sizes=sizes):
                if len(sizes) == len(result.shape):
                    self._say_sizes(result, sizes)
                self._tensors[result.name] = self._reshape(operation, self.tensor(source))
            case mlir.Permute(result=result, source=source, permutation=permutation):
                found = self.tensor(source)
                if isinstance(found, View):
                    modes = tuple(found.modes[mode] for mode in permutation)
                    found = View(found.memory, modes, found.base, found.element)
                self._tensors[result.name] = found
            case mlir.Cast(result=result, source=source):
                self._tensors[result.name] = self.tensor(source)
            case mlir.Extent(result=result, source=source, mode=mode):
                self._numbers[result.name] = self._extent(source, self.number(mode), operation)
            case mlir.Copy(source=source, target=target):
                self._memory.copy(self._apart(source, [target]), target, self._view(target), operation)
            case mlir.For():
                self._loop(operation)
            case mlir.Free() | mlir.Return():
                pass
            case mlir.Call(callee=callee):
                raise refused(f"`{callee}` is called, and has no body here", operation.origin)
            case mlir.Primitive() | mlir.Group() | mlir.Pack():
                raise CompilerBug("there are no primitives left in an expanded function")

    # -- numbers -------------------------------------------------------------------------------------------------------

    def _extent(self, source: mlir.Value, mode: Number, operation: mlir.Extent) -> Number:
        if not isinstance(mode, int) or not 0 <= mode < len(source.shape):
            raise refused("the number of a mode is known when compiling", operation.origin, code="E0828")
        if self._memory.dimensions.atoms(source, mode) == (self._memory.batch,):
            return self._builder.group_size()
        return self._memory.extent(source, mode, self._tensors.get(source.name))

    def _say_sizes(self, value: mlir.Value, sizes: Sequence[mlir.Number | None]) -> None:
        """Sizes that are numbers, in front of all loops: they are extents of temporaries too."""
        for mode, size in enumerate(sizes if not self._depth else ()):
            if isinstance(size, mlir.Value):
                self._memory.say_size(value, mode, self._index(size))

    def _index(self, number: mlir.Number) -> Index:
        found = number if isinstance(number, int) else self.number(number)
        return found if isinstance(found, Value) else int(found)

    # -- parts and other shapes ----------------------------------------------------------------------------------------

    def _part(self, operation: mlir.Slice | mlir.InsertSlice, whole: View, part: mlir.Value) -> View:
        """The view of a slice that takes neighbours."""
        kept = kept_modes(operation, part)
        parts: list[Part] = [ALL] * whole.memory.memref.order
        left: list[int] = []
        for mode, place in enumerate(whole.modes):
            if place is None:
                continue
            offset, size = self._index(operation.offsets[mode]), self._index(operation.sizes[mode])
            if mode in kept:
                left.append(place)
                parts[place] = (offset, size)
            else:
                parts[place] = offset
        memory = self._builder.subview(whole.memory, *parts)
        order = sorted(left)
        places = (whole.modes[mode] for mode in kept)
        modes = tuple(None if place is None else order.index(place) for place in places)
        return View(memory, modes, whole.base, whole.element)

    def _steps(self, operation: mlir.Slice | mlir.InsertSlice) -> list[Index]:
        return [self._index(each) for each in operation.strides]

    def _slice(self, operation: mlir.Slice, source: Tensor) -> Tensor:
        if not isinstance(source, View):
            return source
        steps = self._steps(operation)
        if all(each == 1 or size == 1 for each, size in zip(steps, operation.sizes, strict=True)):
            return self._part(operation, source, operation.result)
        if isinstance(operation.result.type, mlir.MemrefType):
            raise refused("memory is taken with a step, and loops take neighbours only", operation.origin)
        made = self._memory.temporary(operation.result)
        self._stepwise(operation, operation.result, made, lambda at, inner: self._memory.store(
            self._memory.load(source, at, operation), made, inner))  # fmt: skip
        return made

    def _stepwise(
        self,
        operation: mlir.Slice | mlir.InsertSlice,
        part: mlir.Value,
        view: View,
        body: Callable[[list[Index], list[Index]], None],
    ) -> None:
        """Runs through the positions of a slice with steps, in the whole and in the part."""
        kept, steps = kept_modes(operation, part), self._steps(operation)
        extents = [self._memory.extent(part, n, view) if view.modes[n] is not None else None for n in range(len(kept))]

        def inside(inner: list[Index]) -> None:
            at = [self._index(each) for each in operation.offsets]
            for number, mode in enumerate(kept):
                if extents[number] is not None:
                    at[mode] = self._sum([(at[mode], 1), (inner[number], steps[mode])])
            body(at, inner)

        walked = [number for number, extent in enumerate(extents) if extent is not None]
        self._memory.nest(extents, walked[-1] if walked else None, inside)

    def _insert(self, operation: mlir.InsertSlice) -> None:
        result, source = operation.result, operation.source
        before = self.tensor(operation.target)
        home = self._home(result, before)
        self._memory.copy(before, result, home, operation)
        entries = self.tensor(source)
        if all(each == 1 or size == 1 for each, size in zip(self._steps(operation), operation.sizes, strict=True)):
            self._memory.copy(entries, source, self._part(operation, home, source), operation)
        elif not isinstance(entries, Undefined):
            places = self._memory.places(source)
            shape = View(home.memory, places, home.base, home.element)
            self._stepwise(operation, source, shape, lambda at, inner: self._memory.store(
                self._memory.load(entries, inner, operation), home, at))  # fmt: skip
        self._tensors[result.name] = home

    def _reshape(self, operation: mlir.Reshape, source: Tensor) -> Tensor:
        if not isinstance(source, View):
            return source
        builder, is_expansion = self._builder, operation.is_expansion
        packed = self._memory.packed(source, operation.source, operation)
        memory = packed.memory
        groups = operation.groups
        if not operation.source.shape:
            made = self._memory.temporary(operation.result)
            self._memory.store(self._memory.load(source, (), operation), made, [0] * len(made.modes))
            return made
        if not groups:
            memory = builder.subview(memory, *([0] * memory.memref.order))
        elif is_expansion:
            sizes = iter(operation.result.shape)
            wanted = [[next(sizes) for _ in group] for group in groups]
            for mode, shape in enumerate(wanted):  # the slowest first: modes before it keep their numbers
                place = packed.modes[mode]
                if place is not None and len(shape) > 1:
                    memory = builder.expand(memory, place, self._shape(operation, groups[mode], shape))
        else:
            for group in groups:
                places = sorted(place for mode in group if (place := packed.modes[mode]) is not None)
                if len(places) > 1:
                    memory = builder.fuse(memory, places[0], places[-1])
        return View(memory, self._memory.places(operation.result), packed.base, packed.element)

    def _shape(
        self, operation: mlir.Reshape, group: tuple[int, ...], shape: list[mlir.Size]
    ) -> tuple[Index | None, ...]:
        """The sizes of an expansion, the fastest mode first; one that is open follows from the others."""
        if shape.count(None) < 2:
            return tuple(reversed(shape))
        if len(operation.sizes) != len(operation.result.shape):
            raise refused("a mode is taken apart into several of unknown sizes", operation.origin, code="E0828")
        return tuple(self._index(operation.sizes[mode]) for mode in reversed(group))

    # -- loops ---------------------------------------------------------------------------------------------------------

    def _loop(self, loop: mlir.For) -> None:
        builder, memory = self._builder, self._memory
        start, stop, step = (self._index(each) for each in (loop.start, loop.stop, loop.step))
        places: list[View] = []
        for carried, initial in zip(loop.carried, loop.initial, strict=True):
            place = memory.temporary(carried)
            places.append(place)
            memory.copy(self.given(initial), carried, place, loop)
        self._depth += 1
        with builder.for_loop(start, stop, step) as position:
            self._numbers[loop.variable.name] = position
            for carried, place in zip(loop.carried, places, strict=True):
                self._hold(carried, place, loop)
            self.run(loop.body)
            self._hand_on(loop, places)
        self._depth -= 1
        for result, place in zip(loop.results, places, strict=True):
            self._hold(result, place, loop)

    def _hold(self, value: mlir.Value, place: View, loop: mlir.For) -> None:
        """A value that a loop carries: what lies in its memory now."""
        if isinstance(value.type, mlir.ScalarType):
            self._numbers[value.name] = self._memory.load(place, (), loop)
        else:
            self._tensors[value.name] = place

    def _hand_on(self, loop: mlir.For, places: list[View]) -> None:
        """What an iteration yields goes to memory; what lies in the memory of another is copied first."""
        memory = self._memory
        bases = {each.base for each in places}
        given: list[Tensor] = []
        for value, place in zip(loop.yields, places, strict=True):
            found = self.given(value)
            if isinstance(found, View) and found != place and found.base in bases:
                copy = memory.temporary(value)
                memory.copy(found, value, copy, loop)
                found = copy
            given.append(found)
        for value, found, place in zip(loop.carried, given, places, strict=True):
            memory.copy(found, value, place, loop)

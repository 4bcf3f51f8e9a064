"""A function becomes the contraction graph of one kernel.

Tensors are computed where they are read: a chain of products becomes one contraction, and the planner finds its order.
What several operations read, or read at shifted positions, is computed once.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from math import prod

import numpy as np

from einsum_front.core.extent import Extent, Polynomial
from einsum_front.core.names import fresh_numbered
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir import ElementType, Graph, GraphBuilder, ScalarUse, Storage
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import NO_BATCH
from einsum_front.mlir.to_graph.batch import batch_of, for_one_element, outputs, returned, walk, written
from einsum_front.mlir.to_graph.complexes import in_parts
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode
from einsum_front.mlir.to_graph.operations import Translator
from einsum_front.mlir.to_graph.positions import without_positions
from einsum_front.mlir.to_graph.promote import promoted
from einsum_front.mlir.to_graph.refuse import refused
from einsum_front.mlir.to_graph.symbolic import Symbolic, Temporaries, TemporaryNeeded, Uniform, whole
from einsum_front.mlir.tpp.expand import expanded_function, without_groups

ELEMENTS = {mlir.ScalarType.F32: ElementType.F32, mlir.ScalarType.F64: ElementType.F64}


def graphs(module: mlir.Module, kernel: str | None = None, batch: str | None = None) -> tuple[Graph, ...]:
    """The graphs of the functions that have a body, or of the one that is called `kernel`.

    `batch` is the number of the mode of the results that is the batch, or `none`; see `batch_of`. Raises `CompileError`
    (E0826 to E0829) with what a graph cannot say.
    """
    found = [each for each in module.functions if each.body is not None and kernel in (None, kernel_name(each))]
    return tuple(_kernel(function, function.batch if batch is None else batch).graph() for function in found)


def _kernel(function: mlir.Function, batch: str | None) -> "_Kernel":
    """Without primitives, on values where it can be; a loop over the batch is a function for one element."""
    if batch is None and (inside := for_one_element(function)) is not None:
        function, batch = inside, NO_BATCH
    plain = without_groups(function)
    on_values = promoted(plain)
    real = in_parts(expanded_function(on_values or plain, keeps_packing=True))
    return _Kernel(without_positions(real), batch)


def kernel_name(function: mlir.Function) -> str:
    """The name of the kernel of a function."""
    return plain_name(function.name, "f")


def plain_name(name: str, letter: str) -> str:
    """A name with letters, digits and `_` only; one that begins with something else gets a letter before it."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return plain if re.match(r"[A-Za-z]", plain) else f"{letter}{plain}"


def returns(function: mlir.Function) -> bool:
    """True if a function gives values, instead of writing its arguments."""
    return bool(returned(function))


def kernel_arguments(function: mlir.Function) -> tuple[dict[str, str], tuple[str, ...]]:
    """The names of the kernel's arguments: by those of the function's, and for each of its results."""
    taken: set[str] = set()

    def fresh(name: str) -> str:
        found = fresh_numbered(name, taken)
        taken.add(found)
        return found

    names = {each.name: fresh(plain_name(each.name, "v")) for each in function.arguments}
    count = len(returned(function))
    targets = {number: names[name] for name, number in function.targets}
    results = (targets.get(n) or fresh("result" if count == 1 else f"result{n}") for n in range(count))
    return names, tuple(results)


class _Kernel:
    """One function on its way to a graph."""

    def __init__(self, function: mlir.Function, batch: str | None) -> None:
        for operation in walk(function.body or ()):
            if isinstance(operation, mlir.Structured):
                _check_outputs(operation)
        self.function = function
        self.dimensions = Dimensions(function)
        self._batch = batch_of(function, self.dimensions, batch)
        self._element = self._element_type()
        self._names, self._results = kernel_arguments(function)
        self._taken = {*self._names.values(), *self._results}

    def _element_type(self) -> ElementType:
        """The one type of all numbers; those of bf16 are narrow in memory only."""
        values = [*self.function.arguments, *outputs(self.function)]
        types = [each.type if isinstance(each.type, mlir.ScalarType) else each.type.element for each in values]
        for value, type_ in zip(values, types, strict=True):
            if type_ is mlir.ScalarType.BF16 and value.shape:
                continue
            if type_ not in ELEMENTS and (value.shape or type_ is not mlir.ScalarType.INDEX):
                message = f"kernels compute with f32 or f64, and `%{value.name}` is of `{type_.value}`"
                raise refused(message, value.origin)
        floating = list(dict.fromkeys(type_ for type_ in types if type_ in ELEMENTS))
        narrow = mlir.ScalarType.BF16 in types
        if narrow and not floating:
            return ElementType.F32
        if len(floating) > 1 or (narrow and mlir.ScalarType.F64 in floating):
            message = "a kernel computes with numbers of one type, f32 or f64"
            notes = ("with numbers of bf16 it computes in f32",) if narrow else ()
            raise refused(message, self.function.origin, *notes)
        if not floating or not outputs(self.function):
            why = "it returns no tensor and writes no memref"
            raise refused(f"`{self.function.name}` computes nothing", self.function.origin, why)
        return ELEMENTS[floating[0]]

    @property
    def _computed_in(self) -> mlir.ScalarType:
        return mlir.ScalarType.F64 if self._element is ElementType.F64 else mlir.ScalarType.F32

    def graph(self) -> Graph:
        """The graph; temporaries that turn out to be needed are declared in another attempt."""
        temporaries = Temporaries()
        while True:
            try:
                graph, needed = self._attempt(temporaries)
                return graph if len(needed) == len(temporaries.values) else self._attempt(temporaries.used(needed))[0]
            except TemporaryNeeded as needed:
                temporaries = temporaries.with_name(needed.name, needed.value)

    def _attempt(self, temporaries: Temporaries) -> tuple[Graph, set[str]]:
        """The graph, and the temporaries that it has."""
        function = self.function
        builder = GraphBuilder(kernel_name(function), self._element, function.origin)
        sizes = _Sizes(builder, self.dimensions, self._taken)
        known: dict[str, Symbolic] = {}
        targets = dict(function.targets)
        changed = written(function) | frozenset(targets)
        for argument in function.arguments:
            self._declare_argument(builder, sizes, argument, known, argument.name in changed)
        for number, value in enumerate(returned(function)):
            if number in targets.values():
                continue
            name, modes = self._results[number], self._modes(value)
            shape = [sizes.extent(root) for mode in modes for root in self.dimensions.atoms(value, mode)]
            narrow = _memory(value)
            is_complex = value.name in function.complexes
            lying = _row_major(shape)
            builder.tensor(
                name, shape, Storage.BATCHED, lying, origin=value.origin, memory=narrow, is_complex=is_complex
            )
        self._declare_constants(builder, known)
        taken = set(self._taken) | set(self._names.values()) | {f"t_{plain_name(name, 'v')}" for name in known}
        declared = temporaries.declare(builder, taken, sizes.extent, self.dimensions, self._batch)
        uses = Counter(value.name for operation in walk(function.body or ()) for value in mlir.operands_of(operation))
        regions = (each for each in walk(function.body or ()) if isinstance(each, mlir.For | mlir.Group))
        uses.update(yielded.name for region in regions for yielded in region.yields)
        translator = Translator(
            builder, self.dimensions, self._batch, known, uses, declared, self._computed_in, sizes.extent
        )
        translator.run(function.body or ())
        self._assign_results(translator)
        return builder.graph(), translator.needed

    def _modes(self, value: mlir.Value) -> list[int]:
        """The modes that are not the batch."""
        batch = self._batch
        return [mode for mode in range(len(value.shape)) if self.dimensions.atoms(value, mode) != (batch,)]

    def _slots(self, value: mlir.Value) -> tuple[tuple[int, int], ...]:
        """The mode and the part of it that each mode of a tensor of the graph is."""
        atoms = self.dimensions.atoms
        return tuple((mode, part) for mode in self._modes(value) for part in range(len(atoms(value, mode))))

    def _declare_argument(
        self, builder: GraphBuilder, sizes: "_Sizes", argument: mlir.Value, known: dict[str, Symbolic], is_written: bool
    ) -> None:
        name = self._names[argument.name]
        if isinstance(argument.type, mlir.ScalarType):
            if argument.type in ELEMENTS:
                builder.scalar(name, argument.origin, self._whole_of(argument.name))
                known[argument.name] = Uniform(ScalarUse(name))
            return
        modes = self._modes(argument)
        has_batch = len(modes) < len(argument.shape)
        is_constant = argument.name in self.function.constants
        if is_constant and is_written:
            raise refused(f"`%{argument.name}` is the same for all elements, and is written", argument.origin)
        is_batched = has_batch or (self._batch is None and not is_constant) or is_written
        parts = [[sizes.extent(root) for root in self.dimensions.atoms(argument, mode)] for mode in modes]
        shape = [extent for extents in parts for extent in extents]
        strides = _row_major(shape)
        if isinstance(argument.type, mlir.MemrefType) and argument.type.layout is not None:
            given = [argument.type.layout.strides[mode] for mode in modes]
            if None not in given:  # a mode that is taken apart is walked by its last part
                strides = [
                    inner * stride
                    for stride, extents in zip(given, parts, strict=True)
                    for inner in _row_major(extents)
                    if stride is not None
                ]
        storage = Storage.BATCHED if is_batched else Storage.CONSTANT
        nonzeros = self._nonzeros(argument, shape)
        narrow = _memory(argument)
        if narrow is not None and nonzeros is not None:
            raise refused(f"`%{argument.name}` is of bf16, and has zeros that are known", argument.origin)
        is_complex, place = argument.name in self.function.complexes, argument.origin
        builder.tensor(
            name, shape, storage, strides, nonzeros=nonzeros, origin=place, memory=narrow, is_complex=is_complex
        )
        known[argument.name] = whole(name, self._slots(argument), argument.name)

    def _whole_of(self, name: str) -> str:
        """The complex argument of the kernel that a number is a part of; empty for others."""
        found = dict(self.function.parts).get(name)
        return "" if found is None else plain_name(found, "v")

    def _nonzeros(self, argument: mlir.Value, shape: Sequence[Extent]) -> Pattern | None:
        """The runs of an argument, of column-major positions."""
        runs = dict(self.function.nonzeros).get(argument.name)
        if runs is None:
            return None
        sizes = tuple(size for size in shape if isinstance(size, int))
        if len(sizes) < len(shape) or (runs and runs[-1][1] > prod(sizes)):
            message = f"`einsum_front.nonzeros` of `%{argument.name}` counts the entries of an element of known sizes"
            raise refused(message, argument.origin)
        return Pattern.of_runs(runs, sizes[::-1]).transposed(range(len(sizes))[::-1])

    def _declare_constants(self, builder: GraphBuilder, known: dict[str, Symbolic]) -> None:
        """Tensors whose entries the text has."""
        for operation in walk(self.function.body or ()):
            if isinstance(operation, mlir.Literal) and isinstance(operation.value, tuple) and operation.result.shape:
                result = operation.result
                atoms = (self.dimensions.atoms(result, mode) for mode in range(len(result.shape)))
                shape = [self.dimensions.extent(root) or 1 for roots in atoms for root in roots]
                name = fresh_numbered(plain_name(f"c_{result.name}", "c"), set(self._taken) | set(self._names.values()))
                values = _column_major(operation.value, shape)
                nonzeros = Pattern.of_array(np.reshape(values, shape, order="F"))
                place = operation.origin
                lying = _row_major(shape)
                builder.tensor(name, shape, Storage.CONSTANT, lying, nonzeros=nonzeros, values=values, origin=place)
                known[result.name] = whole(name, self._slots(result), result.name)

    def _assign_results(self, translator: Translator) -> None:
        if not returns(self.function):
            return
        values = returned(self.function)
        for number in order_of_results(self.function):
            translator.assign_result(self._results[number], values[number])


def _check_outputs(operation: mlir.Structured) -> None:
    """Raises `CompileError` (E0826) unless each entry of an output belongs to one of the parallel iterations."""
    parallel = {n for n, each in enumerate(operation.iterators) if each is mlir.IteratorType.PARALLEL}
    for map_, output in zip(operation.maps[len(operation.inputs) :], operation.outputs, strict=True):
        walked = [each for each in map_.results if not isinstance(each, mlir.Constant)]
        positions = [each.position for each in walked if isinstance(each, mlir.Dim)]
        if len(positions) < len(walked) or sorted(positions) != sorted(parallel):
            message = f"`%{output.name}` is walked by something else than all parallel iterators, each once"
            raise refused(message, map_.origin or operation.origin)


def shape_in_kernel(function: mlir.Function) -> dict[str, tuple[int, ...]]:
    """For each argument and returned value, the number of modes of a kernel's tensor that each of its modes is."""
    if for_one_element(function) is not None:  # the function runs on the whole batch
        return {each.name: (1,) * len(each.shape) for each in function.arguments}
    kernel = _kernel(function, NO_BATCH)
    found = {}
    for value in (*kernel.function.arguments, *returned(kernel.function)):
        is_seen_whole = value.name in kernel.function.complexes and value.name not in function.complexes
        modes = range(len(value.shape) - is_seen_whole)
        found[value.name] = tuple(len(kernel.dimensions.atoms(value, n)) for n in modes)
    return found


def _row_major(shape: Sequence[Extent]) -> list[Extent]:
    strides: list[Extent] = []
    stride: Extent = 1
    for extent in reversed(shape):
        strides.insert(0, stride)
        stride = stride * extent
    return strides


def _column_major(values: tuple[float, ...], shape: list[int]) -> tuple[float, ...]:
    """Entries row by row, in column-major order."""
    return tuple(np.array(values, float).reshape(shape).flatten(order="F").tolist())


class _Sizes:
    """Extents; those that only the launch knows are sizes of the kernel: `n`, `n1`, …"""

    def __init__(self, builder: GraphBuilder, dimensions: Dimensions, taken: set[str]) -> None:
        self._builder = builder
        self._dimensions = dimensions
        self._taken = set(taken)
        self._sizes: dict[Mode, Polynomial] = {}

    def extent(self, root: Mode) -> Extent:
        """The extent of a mode."""
        known = self._dimensions.extent(root)
        if known is not None:
            return known
        if root not in self._sizes:
            name = fresh_numbered("n", self._taken)
            self._taken.add(name)
            self._sizes[root] = self._builder.size(name)
        return self._sizes[root]


def _memory(value: mlir.Value) -> ElementType | None:
    """The type that numbers lie in memory in, if they are computed with in another one."""
    return ElementType.BF16 if value.element is mlir.ScalarType.BF16 else None


# -- in which order results are stored, if they replace arguments that others are computed from ------------------------


def order_of_results(function: mlir.Function) -> tuple[int, ...]:
    """The numbers of the results: one that is computed from an argument stands before the one that replaces it.

    Raises `CompileError` (E0826) if two results replace arguments that the other one is computed from.
    """
    *_, last = function.body or (None,)
    values = last.values if isinstance(last, mlir.Return) else ()
    sources: dict[str, frozenset[str]] = {each.name: frozenset({each.name}) for each in function.arguments}
    _follow(function.body or (), sources)
    order = TopologicalSorter[int](dict.fromkeys(range(len(values)), ()))
    for name, number in function.targets:
        for other, value in enumerate(values):
            if other != number and name in sources.get(value.name, frozenset()):
                order.add(number, other)
    try:
        return tuple(order.static_order())
    except CycleError:
        message = "results replace arguments that they are computed from, each of the other's"
        raise refused(message, function.origin) from None


def _follow(operations: Iterable[mlir.Operation], sources: dict[str, frozenset[str]]) -> None:
    """Adds the arguments that each value is computed from."""
    for operation in operations:
        inner: frozenset[str] = frozenset()
        if isinstance(operation, mlir.For):
            for carried, initial in zip(operation.carried, operation.initial, strict=True):
                sources[carried.name] = sources.get(initial.name, frozenset())
            _follow(operation.body, sources)
            inner = inner.union(*(sources.get(each.name, frozenset()) for each in operation.yields))
        used = inner.union(*(sources.get(each.name, frozenset()) for each in mlir.operands_of(operation)))
        for result in mlir.results_of(operation):
            sources[result.name] = used

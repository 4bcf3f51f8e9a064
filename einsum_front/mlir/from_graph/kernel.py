"""A kernel as a function on tensors: each node of its graph is a structured operation, a slice or an insertion."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from einsum_front.core.extent import Extent
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.core.names import Names
from einsum_front.core.numbers import bounds
from einsum_front.core.runs import Runs
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir import Graph
from einsum_front.ir.contraction import nodes as cg
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import NO_BATCH
from einsum_front.mlir.from_graph.named import contraction, generic
from einsum_front.mlir.from_graph.payloads import (
    BATCH,
    Held,
    Numbers,
    accumulated,
    added,
    copied,
    multiplied,
    nonzeros_of,
    refused,
    spelled,
)
from einsum_front.mlir.named import make

ELEMENTS = {each: mlir.ScalarType(each.value) for each in ElementType if each.is_computed and each.value[0] in "fi"}
"""The types of MLIR, whose integers have no sign of their own: operations say it."""


def function_of(graph: Graph) -> mlir.Function:
    """A kernel as a function: tensors, then scalars, are its arguments, what is assigned its results."""
    return _Kernel(graph).function()


class _Kernel:
    """One function on its way."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._names = Names({*(tensor.name for tensor in graph.tensors), *(each.name for each in graph.scalars)})
        self._operations: list[mlir.Operation] = []
        self._held: dict[int, Held] = {}
        self._arguments: list[mlir.Value] = []
        self._shared: list[str] = []
        self._nonzeros: list[tuple[str, Runs]] = []
        self._extents: dict[Extent | None, tuple[mlir.Value, int]] = {}
        self._known: dict[Extent | None, mlir.Value] = {}
        self._filled: dict[tuple[mlir.TensorType, float], mlir.Value] = {}
        tensors = graph.tensors
        for tensor in tensors:
            if tensor.memory is not None:
                raise refused(tensor.name, f"lies in memory as {tensor.memory.value}")
        if graph.scatters:
            raise refused(graph.name, "adds where integers say")
        computed = (tensors[0] if tensors else graph.scalars[0]).element_type
        if computed not in ELEMENTS:
            raise refused(graph.name, f"computes in {computed.value}")
        self._element = ELEMENTS[computed]
        self._scalars = {each.name: mlir.Value(each.name, ELEMENTS[each.element_type]) for each in graph.scalars}

    def function(self) -> mlir.Function:
        """The whole function."""
        graph = self._graph
        for key, node in graph.nodes:
            if (
                isinstance(node, cg.Leaf)
                and node.tensor.storage is not Storage.TEMPORARY
                and node.tensor.values is None
            ):
                self._argument(key, node)
        arguments = (*self._arguments, *self._scalars.values())
        for key, node in graph.nodes:
            if key not in self._held:
                self._held[key] = self._node(key, node)
        last = graph.last_versions
        results = tuple(self._held[last[name]].value for name in graph.assigned)
        body = (*self._operations, mlir.Return(results))
        types = tuple(each.type for each in results)
        names = {each.name for each in arguments}
        targets = tuple((name, number) for number, name in enumerate(graph.assigned) if name in names)
        found = mlir.Function(graph.name, arguments, types, body, targets=targets, origin=graph.origin)
        batch = "0" if None in self._extents else NO_BATCH
        complexes = tuple(each.name for each in graph.arguments if each.is_complex and each.name in names)
        constants, nonzeros = tuple(self._shared), tuple(self._nonzeros)
        return replace(found, constants=constants, nonzeros=nonzeros, complexes=complexes, batch=batch)

    def _argument(self, key: int, leaf: cg.Leaf) -> None:
        tensor = leaf.tensor
        is_batched = tensor.storage in (Storage.BATCHED, Storage.GROUPED)
        axes = tuple(reversed(tensor.modes_by_stride))
        value = mlir.Value(tensor.name, self._type(tensor.shape, axes, is_batched), tensor.origin)
        self._arguments.append(value)
        if tensor.storage is Storage.CONSTANT:
            self._shared.append(tensor.name)
        if (runs := nonzeros_of(tensor.nonzeros, tensor.shape, axes)) is not None:
            self._nonzeros.append((tensor.name, runs))
        self._held[key] = Held(value, axes, tensor.shape, is_batched)
        if is_batched:
            self._extents.setdefault(None, (value, 0))
        for place, axis in enumerate(axes, start=int(is_batched)):
            self._extents.setdefault(tensor.shape[axis], (value, place))

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _node(self, key: int, node: cg.Node) -> Held:
        operands = [self._held[each] for each in self._graph.operands(key)]
        match node:
            case cg.Leaf():
                return self._leaf(node)
            case cg.Slice(space=space, parts=parts):
                names = [index.name for index in space.parallel]
                return self._sliced(operands[0], parts, names, [space.extents[name] for name in names])
            case cg.Embedding(space=space, parts=parts, shape=shape):
                zero = self._zeros(shape, operands[0].is_batched)
                return self._inserted(operands[0], zero, parts, list(space.result_map), space.extents)
            case cg.Gather():
                raise refused(self._graph.name, "reads where integers say")
            case cg.Contraction(space=space, maps=maps):
                return self._contracted(operands, maps, space.result_map, space.extents)
            case cg.Sum(space=space, maps=maps):
                return self._mapped(operands, maps, space.result_map, space.extents, added)
            case cg.Elementwise(space=space, maps=maps, function=function):
                return self._mapped(
                    *(operands, maps, space.result_map, space.extents),
                    lambda numbers, values: numbers.function(function, values),
                )
            case cg.Reduction(space=space, maps=maps, function=function):
                return self._reduced(operands[0], maps[0], space.result_map, space.extents, function)
            case cg.Scaling(space=space, coefficient=coefficient):
                factor = self._number(coefficient)
                both = [operands[0], Held(factor, (), (), False)]
                return self._mapped(both, [space.result_map, ()], space.result_map, space.extents, multiplied)
            case cg.ScalarTerm(value=value):
                number = self._number(value)
                return self._mapped([Held(number, (), (), False)], [()], (), {}, copied)
            case cg.Assignment():
                return self._assigned(node, operands)

    def _leaf(self, leaf: cg.Leaf) -> Held:
        tensor = leaf.tensor
        axes = tuple(reversed(tensor.modes_by_stride))
        if tensor.values is None:
            return self._zeros(tensor.shape, False)
        type_ = self._type(tensor.shape, axes, False)
        shape = tuple(size for size in tensor.shape if isinstance(size, int))
        numbers = np.reshape(np.asarray(tensor.values), shape, order="F")
        if tensor.nonzeros is not None:  # entries that are zero by declaration, whatever rounding left of them
            numbers = np.where(tensor.nonzeros.array(), numbers, numbers.dtype.type(0))
        numbers = numbers.transpose(axes).ravel()
        value = mlir.Value(self._names.fresh(tensor.name), type_)
        kind = float if self._element.is_floating else int
        self._operations.append(mlir.Literal(value, tuple(map(kind, numbers)), origin=tensor.origin))
        return Held(value, axes, tensor.shape, False)

    def _contracted(
        self, operands: list[Held], maps: Sequence[Sequence[str]], result: Sequence[str], extents: dict[str, Extent]
    ) -> Held:
        if all(name in result for names in maps for name in names):
            return self._mapped(operands, maps, result, extents, multiplied)
        indices, shape, is_batched = self._indices(operands, maps, result, extents)
        output = self._fill(shape, is_batched, 0.0)
        location = spelled(maps, result)
        maps_ = self._maps(indices)
        values = [each.value for each in operands]
        made = mlir.Value(self._names.numbered(""), output.type)
        found = contraction(values, output, maps_, (made,), location) if len(values) == 2 else None
        if found is None:
            payload = self._payload(values, lambda numbers, args: accumulated(numbers, args[:-1], args[-1]))
            found = generic(values, output, maps_, payload, (made,), location)
        self._operations.append(found)
        return Held(made, tuple(reversed(range(len(shape)))), shape, is_batched)

    def _reduced(
        self,
        operand: Held,
        map_: Sequence[str],
        result: Sequence[str],
        extents: dict[str, Extent],
        function: EntryFunction,
    ) -> Held:
        indices, shape, is_batched = self._indices([operand], [map_], result, extents)
        output = self._fill(shape, is_batched, -inf if function is EntryFunction.MAX else inf)
        made = mlir.Value(self._names.numbered(""), output.type)
        payload = self._payload([operand.value], lambda numbers, args: numbers.function(function, (args[1], args[0])))
        location = spelled([map_], result)
        self._operations.append(generic([operand.value], output, self._maps(indices), payload, (made,), location))
        return Held(made, tuple(reversed(range(len(shape)))), shape, is_batched)

    def _mapped(
        self,
        operands: Sequence[Held],
        maps: Sequence[Sequence[str]],
        result: Sequence[str],
        extents: dict[str, Extent],
        combine: Callable[[Numbers, Sequence[mlir.Value]], mlir.Value],
        is_batched: bool = False,
    ) -> Held:
        """An operation entry by entry; operands that lack indices, or the batch, are the same along them."""
        indices, shape, is_batched = self._indices(operands, maps, result, extents, is_batched)
        output = self._empty(shape, is_batched)
        values = [each.value for each in operands]
        payload = self._payload(values, lambda numbers, args: combine(numbers, args[:-1]))
        made = mlir.Value(self._names.numbered(""), output.type)
        self._operations.append(generic(values, output, self._maps(indices), payload, (made,), spelled(maps, result)))
        return Held(made, tuple(reversed(range(len(shape)))), shape, is_batched)

    def _sliced(self, held: Held, parts: Sequence[cg.Part], names: Sequence[str], shape: Sequence[Extent]) -> Held:
        walked = [part for part in parts if isinstance(part, cg.Along)]
        offsets, sizes = self._box(held, parts, dict(zip(names, shape, strict=True)))
        axes = tuple(axis for axis in held.axes if isinstance(parts[axis], cg.Along))
        by_name = dict(zip(names, shape, strict=True))
        kept = [part.index for part in walked]
        modes = {axis: number for number, axis in enumerate(n for n, p in enumerate(parts) if isinstance(p, cg.Along))}
        cut = tuple(by_name[name] for name in kept)
        inner = tuple(modes[axis] for axis in axes)
        type_ = self._type(cut, inner, held.is_batched)
        value = held.value
        if type_ != held.value.type or any(offsets):
            value = mlir.Value(self._names.numbered(""), type_)
            ones = (1,) * len(offsets)
            self._operations.append(mlir.Slice(value, held.value, tuple(offsets), tuple(sizes), ones))
        found = Held(value, inner, cut, held.is_batched)
        if len(set(kept)) == len(kept) and list(names) == kept:
            return found
        return self._mapped([found], [kept], names, by_name, copied)

    def _inserted(
        self, held: Held, whole: Held, parts: Sequence[cg.Part], names: list[str], extents: dict[str, Extent]
    ) -> Held:
        """The whole with the value in the place of the parts."""
        batched = (
            held if held.is_batched == whole.is_batched else self._mapped([held], [names], names, extents, copied, True)
        )
        offsets, sizes = self._box(whole, parts, extents)
        walked = [part.index for part in parts if isinstance(part, cg.Along)]
        order = [parts[axis] for axis in whole.axes]
        wanted = [part.index for part in order if isinstance(part, cg.Along)]
        if list(batched.indices(names))[int(batched.is_batched) :] != wanted:
            batched = self._transposed(batched, names, wanted, extents)
        made = mlir.Value(self._names.numbered(""), whole.value.type)
        ones = (1,) * len(offsets)
        location = spelled([names], walked)
        box = (tuple(offsets), tuple(sizes), ones)
        self._operations.append(mlir.InsertSlice(made, batched.value, whole.value, *box, location=location))
        return replace(whole, value=made)

    def _assigned(self, node: cg.Assignment, operands: list[Held]) -> Held:
        tensor, space, parts = node.tensor, node.space, node.parts
        is_batched = tensor.storage in (Storage.BATCHED, Storage.GROUPED) or operands[0].is_batched
        axes = tuple(reversed(tensor.modes_by_stride))
        names = [part.index for part in parts if isinstance(part, cg.Along)]
        value, map_ = operands[0], list(node.map)
        wanted = [part.index for axis in axes if isinstance(part := parts[axis], cg.Along)]
        found = self._transposed(value, map_, wanted, space.extents, is_batched)
        if cg.covers(parts, space, tensor.shape) and len(wanted) == len(axes):
            return Held(found.value, axes, tensor.shape, is_batched)
        whole = operands[1] if len(operands) > 1 else self._zeros(tensor.shape, is_batched, axes)
        if whole.is_batched != is_batched:
            every = [f"i{axis}" for axis in range(len(tensor.shape))]
            shape = dict(zip(every, tensor.shape, strict=True))
            whole = self._transposed(whole, every, [every[axis] for axis in axes], shape, is_batched)
            whole = replace(whole, axes=axes, shape=tensor.shape)
        if len(set(names)) < len(names):
            raise refused(self._graph.name, "assigns a diagonal")
        return self._inserted(found, whole, parts, wanted[::-1], space.extents)

    def _transposed(
        self,
        held: Held,
        names: Sequence[str],
        wanted: Sequence[str],
        extents: dict[str, Extent],
        is_batched: bool | None = None,
    ) -> Held:
        """The value with indices in this order of its type, repeated along those that it lacks."""
        batched = held.is_batched or bool(is_batched)
        if held.is_batched == batched and list(held.indices(names))[int(batched) :] == list(wanted):
            return Held(held.value, tuple(reversed(range(len(wanted)))), held.shape[: len(wanted)], batched)
        return self._mapped([held], [names], wanted[::-1], extents, copied, batched)

    # -- what operations are made of -----------------------------------------------------------------------------------

    def _indices(
        self,
        operands: Sequence[Held],
        maps: Sequence[Sequence[str]],
        result: Sequence[str],
        extents: dict[str, Extent],
        is_batched: bool = False,
    ) -> tuple[list[tuple[str, ...]], tuple[Extent, ...], bool]:
        """The indices of all types of an operation, the shape of its result, and whether that is batched."""
        is_batched = is_batched or any(each.is_batched for each in operands)
        found = [each.indices(names) for each, names in zip(operands, maps, strict=True)]
        found.append(((BATCH,) if is_batched else ()) + tuple(reversed(result)))
        return found, tuple(extents[name] for name in result), is_batched

    def _maps(self, indices: Sequence[Sequence[str]]) -> tuple[mlir.AffineMap, ...]:
        """Maps for operands with these indices; iterators of the output come first, in its order."""
        order = list(dict.fromkeys(name for each in (indices[-1], *indices[:-1]) for name in each))
        return tuple(mlir.AffineMap.of_dims(len(order), tuple(map(order.index, each))) for each in indices)

    def _payload(
        self, inputs: Sequence[mlir.Value], combine: Callable[[Numbers, Sequence[mlir.Value]], mlir.Value]
    ) -> mlir.Payload:
        """What is done with numbers of the inputs and of the output, in this order."""
        names = self._names.inner()
        arguments = tuple(mlir.Value(names.numbered("x"), self._element) for _ in (*inputs, None))
        numbers = Numbers(self._element, names)
        result = combine(numbers, arguments)
        return mlir.Payload(arguments, tuple(numbers.operations), (result,))

    def _number(self, coefficient: object) -> mlir.Value:
        numbers = Numbers(self._element, self._names)
        value = numbers.coefficient(coefficient, self._scalars)  # type: ignore[arg-type]  # a coefficient of a node
        self._operations.extend(each for each in numbers.operations if isinstance(each, mlir.Literal | mlir.Scalar))
        return value

    def _type(self, shape: Sequence[Extent], axes: Sequence[int], is_batched: bool) -> mlir.TensorType:
        sizes = [shape[axis] for axis in axes]
        known = tuple(size if isinstance(size, int) else None for size in sizes)
        return mlir.TensorType(((None,) if is_batched else ()) + known, self._element)

    def _empty(self, shape: Sequence[Extent], is_batched: bool, axes: Sequence[int] | None = None) -> mlir.Value:
        """Entries that nobody has written."""
        order = tuple(reversed(range(len(shape)))) if axes is None else tuple(axes)
        open_: list[Extent | None] = [None] if is_batched else []
        open_ += [shape[axis] for axis in order if not isinstance(shape[axis], int)]
        sizes = tuple(map(self._size, open_))
        value = mlir.Value(self._names.numbered(""), self._type(shape, order, is_batched))
        self._operations.append(mlir.Allocate(value, sizes))
        return value

    def _fill(
        self, shape: Sequence[Extent], is_batched: bool, number: float, axes: Sequence[int] | None = None
    ) -> mlir.Value:
        """A tensor of one number; the least and the greatest integer are what infinite ones are to real numbers."""
        empty = self._empty(shape, is_batched, axes)
        constant = mlir.Value(self._names.numbered("c"), self._element)
        if not self._element.is_floating:
            low, high = bounds(ElementType(self._element.value))
            number = int(min(max(number, low), high))
        self._operations.append(mlir.Literal(constant, number))
        filled = mlir.Value(self._names.numbered(""), empty.type)
        self._operations.append(make("fill", (constant,), (empty,), (filled,)))
        return filled

    def _zeros(self, shape: Sequence[Extent], is_batched: bool, axes: Sequence[int] | None = None) -> Held:
        order = tuple(reversed(range(len(shape)))) if axes is None else tuple(axes)
        return Held(self._fill(shape, is_batched, 0.0, order), order, tuple(shape), is_batched)

    def _size(self, extent: Extent | None) -> mlir.Value:
        """A dynamic extent as a value; None is that of the batch."""
        if extent not in self._known:
            if extent not in self._extents:
                raise refused(self._graph.name, f"has an extent {extent} that no argument has")
            self._known[extent] = self._extent(*self._extents[extent])
        return self._known[extent]

    def _number_of(self, extent: Extent) -> int | mlir.Value:
        return extent if isinstance(extent, int) else self._size(extent)

    def _extent(self, source: mlir.Value, place: int) -> mlir.Value:
        """The dynamic extent of a mode of a value."""
        mode, size = (mlir.Value(self._names.numbered("c"), mlir.ScalarType.INDEX) for _ in range(2))
        self._operations += [mlir.Literal(mode, place), mlir.Extent(size, source, mode)]
        return size

    def _box(
        self, held: Held, parts: Sequence[cg.Part], extents: dict[str, Extent]
    ) -> tuple[list[int], list[int | mlir.Value]]:
        """Offsets and sizes of the parts, in the order of the type."""
        offsets: list[int] = [0] if held.is_batched else []
        sizes: list[int | mlir.Value] = [self._extent(held.value, 0)] if held.is_batched else []
        for place, axis in enumerate(held.axes, start=len(sizes)):
            match parts[axis]:
                case cg.At(position=position):
                    offsets.append(position)
                    sizes.append(1)
                case cg.Along(index=name, offset=offset):
                    extent = extents[name]
                    offsets.append(offset)
                    is_open = not isinstance(extent, int)
                    is_whole = is_open and extent == held.shape[axis]
                    sizes.append(self._extent(held.value, place) if is_whole else self._number_of(extent))
        return offsets, sizes

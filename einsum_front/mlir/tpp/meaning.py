"""What primitives compute, said once: as structured operations of linalg.

    tpp.relu outs(%c)        linalg.generic of identity maps, whose payload is `x < 0 ? 0 : x`, from %c to %c

Numbers of bf16 are stored as such and computed in f32: an entry is widened where it is read and rounded where it is
written, a sum is rounded once, at its end.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf, isfinite

from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import Attributes, iterators_of, make, rank_of
from einsum_front.mlir.tpp.operations import Kind, accumulates, kind_of, source_of
from einsum_front.mlir.tpp.payload import numbers_of
from einsum_front.mlir.tpp.views import first_entries


def meaning_of(operation: mlir.Primitive, names: Names) -> list[mlir.Operation]:
    """The operations that a primitive stands for; `names` gives those of the values between them."""
    return _Writer(names, operation).lines()


class _Writer:
    """Writes what one primitive means."""

    def __init__(self, names: Names, operation: mlir.Primitive) -> None:
        self._names = names
        self._operation = operation
        self._lines: list[mlir.Operation] = []

    def lines(self) -> list[mlir.Operation]:
        """The operations."""
        operation = self._operation
        match kind_of(operation):
            case Kind.ZERO:
                self._fill(0.0, *self._target())
            case Kind.ELEMENTWISE:
                self._elementwise(operation.name, self._entries(), *self._target())
            case Kind.BROADCAST:
                source, (target, result) = source_of(operation), self._target()
                self._generic((source,), (_repeated(source, rank_of(target)),), target, result)
            case Kind.REDUCTION:
                self._reduce(source_of(operation), *self._target())
            case Kind.TRANSFORM:
                self._transform()
            case Kind.PRODUCT:
                self._sum(operation.inputs[0], operation.inputs[1], *self._sum_target())
            case Kind.FUSED:
                self._fused()
        return self._lines

    def _add(self, operation: mlir.Operation) -> None:
        self._lines.append(operation)

    # -- places --------------------------------------------------------------------------------------------------------

    def _target(self) -> tuple[mlir.Value, mlir.Value | None]:
        """The memory that is written, or entries that nobody wrote with the result."""
        if self._operation.outputs:
            return self._operation.outputs[0], None
        result = self._operation.results[0]
        return self._empty(result.type, self._places(result)), result

    def _sum_target(self) -> tuple[mlir.Value, mlir.Value | None]:
        """The same for a sum: what is added to comes in, or zeros."""
        operation = self._operation
        if accumulates(operation):
            old = operation.inputs[2]
            return (operation.outputs[0], None) if operation.outputs else (old, operation.results[0])
        target, result = self._target()
        if result is None:
            self._fill(0.0, target, None)
            return target, None
        zeros = self._value(result.type)
        self._fill(0.0, target, zeros)
        return zeros, result

    def _entries(self) -> tuple[mlir.Value, ...]:
        operation = self._operation
        if operation.name == "muladd":
            return (*operation.inputs[:2], operation.inputs[2] if operation.results else operation.outputs[0])
        return operation.inputs or operation.outputs

    def _places(self, result: mlir.Value) -> "Places":
        """The modes of inputs that the modes of the result are as large as."""
        first, *others = self._operation.inputs
        match kind_of(self._operation):
            case Kind.PRODUCT:
                return (first, rank_of(first) - 2), (others[0], rank_of(first) - 1)
            case Kind.FUSED:
                return _modes(others[1])
            case Kind.TRANSFORM if self._operation.name == "transpose":
                return _modes(first)[::-1]
            case Kind.BROADCAST:
                shape = first.shape
                kept = [None if size == 1 else (first, mode) for mode, size in enumerate(shape)]
                return (*[None] * (rank_of(result) - len(shape)), *kept)
            case Kind.ELEMENTWISE:
                return _largest(self._operation.inputs, rank_of(result))
            case Kind.ZERO | Kind.REDUCTION | Kind.TRANSFORM:
                return _modes(first)

    def _value(self, type_: mlir.Type) -> mlir.Value:
        return mlir.Value(self._names.numbered("p"), type_, self._operation.origin)

    def _empty(self, type_: mlir.Type, places: "Places") -> mlir.Value:
        """Entries that nobody wrote; open modes are as large as those of `places`, and of no size if one lacks a place.

        That is so in kernels, where a memref that is written has become a value: nobody asks for its size.
        """
        shape = () if isinstance(type_, mlir.ScalarType) else type_.shape
        wanted = [place for size, place in zip(shape, places, strict=False) if size is None]
        found = [self._size(*place) for place in wanted if place is not None] if None not in wanted else []
        value = self._value(type_)
        sizes = tuple(each if isinstance(each, mlir.Value) else self._integer(each) for each in found)
        self._add(mlir.Allocate(value, sizes, origin=self._operation.origin))
        return value

    def _size(self, value: mlir.Value, mode: int) -> mlir.Number:
        """The size of a mode; a value if only the launch knows it."""
        size = value.shape[mode]
        if size is not None:
            return size
        number, extent = self._integer(mode), self._value(mlir.ScalarType.INDEX)
        self._add(mlir.Extent(extent, value, number, origin=self._operation.origin))
        return extent

    def _integer(self, number: int) -> mlir.Value:
        value = self._value(mlir.ScalarType.INDEX)
        self._add(mlir.Literal(value, number, origin=self._operation.origin))
        return value

    def _number(self, number: float, type_: mlir.ScalarType) -> mlir.Value:
        value = self._value(type_)
        self._add(mlir.Literal(value, number, origin=self._operation.origin))
        return value

    # -- operations ----------------------------------------------------------------------------------------------------

    def _named(
        self, name: str, inputs: Sequence[mlir.Value], target: mlir.Value, result: mlir.Value | None, **more: object
    ) -> None:
        results = () if result is None else (result,)
        origin, location = self._operation.origin, self._operation.location
        attributes = Attributes(**more)  # type: ignore[arg-type]  # of the call
        self._add(make(name, inputs, (target,), results, attributes, location=location, origin=origin))

    def _generic(
        self,
        inputs: tuple[mlir.Value, ...],
        maps: tuple[mlir.AffineMap, ...],
        target: mlir.Value,
        result: mlir.Value | None,
        payload: mlir.Payload | None = None,
    ) -> None:
        """A nest whose output is walked as it lies; without a payload its only input is copied."""
        rank = rank_of(target)
        dims = max(map_.dims for map_ in maps)
        output = mlir.AffineMap.of_dims(dims, tuple(range(rank)))
        every = (*maps, output)
        if payload is None:
            numbers = numbers_of(inputs, target)
            payload = numbers.payload(numbers.read(0))
        results = () if result is None else (result,)
        origin, location = self._operation.origin, self._operation.location
        iterators = iterators_of(every)
        nest = mlir.Structured("generic", inputs, (target,), every, iterators, payload, results, location=location)
        self._add(replace(nest, origin=origin))

    def _fill(self, number: float, target: mlir.Value, result: mlir.Value | None) -> None:
        self._named("fill", (self._number(number, target.element),), target, result)

    def _elementwise(
        self, name: str, entries: tuple[mlir.Value, ...], target: mlir.Value, result: mlir.Value | None
    ) -> None:
        numbers = numbers_of(entries, target)
        payload = numbers.payload(numbers.apply(name, self._operation.alpha))
        dims = rank_of(target)
        self._generic(entries, tuple(_walked(each, target, dims) for each in entries), target, result, payload)

    def _reduce(self, source: mlir.Value, target: mlir.Value, result: mlir.Value | None) -> None:
        """Into a tensor without the modes that are reduced; modes of size 1 are put back."""
        shape, kept = source.shape, target.shape
        first = len(shape) - len(kept)
        dims = tuple(n for n, size in enumerate(shape) if n < first or (kept[n - first] == 1 and size != 1))
        left = tuple(n - first for n in range(len(shape)) if n not in dims)
        name, begin = ("add", 0.0) if self._operation.name == "reduce_add" else ("max", -inf)
        if len(kept) == len(left):
            self._reduced(name, begin, source, dims, target, result)
            return
        groups = (tuple(range(len(kept))),) if left else ()
        if result is None:
            view = self._value(_narrowed(target.type, left))
            self._add(mlir.Reshape(view, target, groups, is_expansion=False, origin=self._operation.origin))
            self._reduced(name, begin, source, dims, view, None)
            return
        type_ = mlir.TensorType(tuple(kept[n] for n in left), target.element)
        found = self._value(type_)
        places = [(source, n + first) for n in range(len(kept))]
        empty = self._empty(type_, [places[n] for n in left])
        self._reduced(name, begin, source, dims, empty, found)
        sizes = tuple(self._size(*place) if size is None else size for size, place in zip(kept, places, strict=True))
        self._add(mlir.Reshape(result, found, groups, is_expansion=True, sizes=sizes, origin=self._operation.origin))

    def _reduced(
        self,
        name: str,
        first: float,
        source: mlir.Value,
        dims: tuple[int, ...],
        target: mlir.Value,
        result: mlir.Value | None,
    ) -> None:
        begun = target
        if result is not None:
            begun = self._value(target.type)
            self._fill(first, target, begun)
        elif isfinite(first):
            self._fill(first, target, None)
        else:  # no number is infinite in memory: the entries of one position come first, and once more
            self._elementwise("copy", (self._first(source, dims),), target, None)
        rank = rank_of(source)
        kept = tuple(mode for mode in range(rank) if mode not in dims)
        maps = mlir.AffineMap.of_dims(rank, tuple(range(rank))), mlir.AffineMap.of_dims(rank, kept)
        numbers = numbers_of((source,), target)
        taken = "arith.addf" if name == "add" else "arith.maximumf"
        payload = numbers.payload(numbers.operation(taken, numbers.old(), numbers.read(0)))
        results = () if result is None else (result,)
        nest = mlir.Structured("generic", (source,), (begun,), maps, iterators_of(maps), payload, results)
        self._add(replace(nest, origin=self._operation.origin))

    def _first(self, source: mlir.Value, dims: tuple[int, ...]) -> mlir.Value:
        """The entries at position 0 of the modes."""
        name, origin = self._names.numbered("p"), self._operation.origin
        view = first_entries(name, source, dims, partial(self._size, source), origin)
        self._add(view)
        return view.result

    def _transform(self) -> None:
        source, (target, result) = source_of(self._operation), self._target()
        if self._operation.name == "transpose":
            self._named("transpose", (source,), target, result, dimensions=(1, 0))
            return
        if rank_of(source) == rank_of(target):  # packed already
            self._elementwise("copy", (source,), target, result)
            return
        pairs = mlir.AffineMap(
            3, (mlir.Add(mlir.Multiply(mlir.Dim(0), target.shape[2] or 1), mlir.Dim(2)), mlir.Dim(1))
        )
        self._generic((source,), (pairs,), target, result)

    def _sum(self, left: mlir.Value, right: mlir.Value, target: mlir.Value, result: mlir.Value | None) -> None:
        """`target += left right`, summed over the leading mode too if they have one."""
        if target.element is mlir.ScalarType.BF16:
            self._widened_sum(left, right, target, result)
            return
        is_batch, is_vnni = rank_of(left) == 3, rank_of(right) > rank_of(left)
        if not is_vnni and left.element is target.element:
            self._named("batch_reduce_matmul" if is_batch else "matmul", (left, right), target, result)
            return
        depth: mlir.AffineExpr = mlir.Dim(2)
        dims = 3 + is_batch
        walked: tuple[mlir.AffineExpr, ...] = (mlir.Dim(2), mlir.Dim(1))
        if is_vnni:
            pairs = right.shape[-1] or 1
            inner = mlir.Dim(dims)
            depth, walked, dims = (
                mlir.Add(mlir.Multiply(mlir.Dim(2), pairs), inner),
                (mlir.Dim(2), mlir.Dim(1), inner),
                dims + 1,
            )
        batch = (mlir.Dim(3),) if is_batch else ()
        maps = mlir.AffineMap(dims, (*batch, mlir.Dim(0), depth)), mlir.AffineMap(dims, (*batch, *walked))
        numbers = numbers_of((left, right), target)
        product = numbers.operation("arith.mulf", numbers.read(0), numbers.read(1))
        payload = numbers.payload(numbers.operation("arith.addf", numbers.old(), product))
        self._generic((left, right), maps, target, result, payload)

    def _widened_sum(self, left: mlir.Value, right: mlir.Value, target: mlir.Value, result: mlir.Value | None) -> None:
        """A sum in f32 whose end is rounded to bf16."""
        wide = _with_element(target.type, mlir.ScalarType.F32)
        is_tensor = result is not None
        old, begun = self._empty(wide, _modes(target)), self._value(wide) if is_tensor else None
        self._elementwise("copy", (target,), old, begun)
        summed = self._value(wide) if is_tensor else None
        self._sum(left, right, begun or old, summed)
        self._elementwise(
            "copy", (summed or old,), self._empty(target.type, _modes(target)) if is_tensor else target, result
        )

    # -- fused products ------------------------------------------------------------------------------------------------

    def _fused(self) -> None:
        """Operations on A and B, the product, an operation with D, one on C; what is asked for is kept on the way."""
        operation = self._operation
        a, b, c, d = operation.inputs
        kept = [*(operation.outputs or operation.results)[1:], None, None, None][:3]
        a = self._before(operation.unary_a, a, kept[1])
        b = self._before(operation.unary_b, b, kept[2])
        is_tensor = bool(operation.results)
        last = operation.results[0] if is_tensor else None
        steps = [name for name in (operation.binary, operation.unary) if name]
        names = [last if number == len(steps) else self._value(c.type) for number in range(len(steps) + 1)]
        if is_tensor and kept[0] is not None:
            names[len(steps) - bool(operation.unary)] = kept[0]
        current, found = c, names[0] if is_tensor else None
        self._sum(a, b, current, found)
        for number, name in enumerate(steps):
            if name == operation.unary and number == len(steps) - 1 and not is_tensor and kept[0] is not None:
                self._elementwise("copy", (current,), kept[0], None)
            source = found or current
            entries = (source, d) if number == 0 and operation.binary else (source,)
            following = names[number + 1] if is_tensor else None
            self._elementwise(name, entries, self._empty(c.type, _modes(c)) if is_tensor else current, following)
            found = following
        if not operation.unary and kept[0] is not None:
            if is_tensor:
                assert last is not None
                self._elementwise("copy", (kept[0],), self._empty(c.type, _modes(c)), last)
            else:
                self._elementwise("copy", (current,), kept[0], None)

    def _before(self, name: str, factor: mlir.Value, kept: mlir.Value | None) -> mlir.Value:
        """A factor behind its operation; it is copied if it is asked for without one."""
        if not name and kept is None:
            return factor
        is_tensor = bool(self._operation.results)
        if is_tensor:
            found = kept or self._value(factor.type)
            self._elementwise(name or "copy", (factor,), self._empty(factor.type, _modes(factor)), found)
            return found
        target = kept or self._empty(_packed_type(factor.type), _modes(factor))
        self._elementwise(name or "copy", (factor,), target, None)
        return target


# -- sizes, maps and types -------------------------------------------------------------------------------------------


Places = Sequence[tuple[mlir.Value, int] | None]
"""For each mode of a tensor, a mode of the same size if there is one."""


def _largest(values: Sequence[mlir.Value], rank: int) -> Places:
    """For each mode of a result, a mode of an operand that is not repeated along it."""
    found: list[tuple[mlir.Value, int] | None] = [None] * rank
    for each in values:
        first = rank - rank_of(each)
        for mode, size in enumerate(each.shape):
            if size != 1 and found[first + mode] is None:
                found[first + mode] = each, mode
    return found


def _modes(value: mlir.Value) -> tuple[tuple[mlir.Value, int], ...]:
    return tuple((value, mode) for mode in range(rank_of(value)))


def _walked(source: mlir.Value, target: mlir.Value, rank: int) -> mlir.AffineMap:
    """Where an operand of an elementwise operation is read: in place, or repeated."""
    if source.shape == target.shape:
        return mlir.AffineMap.of_dims(rank, tuple(range(rank)))
    return _repeated(source, rank)


def _repeated(source: mlir.Value, rank: int) -> mlir.AffineMap:
    """Where the entries of a number, a row or a column stand in the whole: modes of one position stay there."""
    shape = source.shape
    first = rank - len(shape)
    return mlir.AffineMap(
        rank, tuple(mlir.Constant(0) if size == 1 else mlir.Dim(first + n) for n, size in enumerate(shape))
    )


def _with_element(type_: mlir.Type, element: mlir.ScalarType) -> mlir.Type:
    """Packed, of other numbers."""
    if isinstance(type_, mlir.MemrefType):
        return mlir.MemrefType(type_.shape, element)
    return replace(type_, element=element) if isinstance(type_, mlir.TensorType) else element


def _packed_type(type_: mlir.Type) -> mlir.Type:
    return replace(type_, layout=None) if isinstance(type_, mlir.MemrefType) else type_


def _narrowed(type_: mlir.Type, modes: tuple[int, ...]) -> mlir.MemrefType:
    """The memref without its other modes, which have one position."""
    assert isinstance(type_, mlir.MemrefType)
    shape, layout = tuple(type_.shape[mode] for mode in modes), type_.layout
    strides = None if layout is None else mlir.Strided(tuple(layout.strides[mode] for mode in modes), layout.offset)
    return mlir.MemrefType(shape, type_.element, strides)

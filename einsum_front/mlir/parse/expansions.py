"""Operations that are read as several others: affine expressions, views of bytes, padding, softmax."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import DYNAMIC
from einsum_front.mlir.named import make, rank_of
from einsum_front.mlir.parse.operations import Reading
from einsum_front.mlir.parse.primitives import pack
from einsum_front.mlir.parse.scope import BYTES, is_bytes, wrong
from einsum_front.mlir.parse.syntax import Integer, Text, Use

EXPANDED = frozenset(
    {
        *("affine.apply", "affine.min", "affine.max", "memref.view", "tensor.from_elements", "tensor.pad"),
        *("linalg.softmax", "tensor.pack", "linalg.pack"),
    }
)
"""Operations that are read as several of those that there are nodes of."""

DIVISIONS = {"floordiv": "arith.floordivsi", "ceildiv": "arith.ceildivsi"}


def expanded(reading: Reading) -> tuple[mlir.Operation, ...]:
    """The operations that one of `EXPANDED` stands for. Raises `Mistake`."""
    made = _Expansion(reading)
    match reading.name:
        case "tensor.pad":
            made.pad()
        case "linalg.softmax":
            made.softmax()
        case "memref.view":
            made.view()
        case "tensor.from_elements":
            made.from_elements()
        case "tensor.pack" | "linalg.pack":
            made.pack()
        case "memref.alloc" | "memref.alloca":
            made.buffer()
        case _:  # open: what is left of `EXPANDED` is affine
            made.affine()
    return tuple(made.operations)


class _Expansion:
    """The operations so far, and names for what is between them."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._span = reading.raw.name.span
        self._stem = reading.raw.results[0].name if reading.raw.results else "v"
        self.operations: list[mlir.Operation] = []

    def _value(self, type_: mlir.Type) -> mlir.Value:
        return self._reading.scope.between(self._stem, type_, self._span)

    def _add(self, operation: mlir.Operation) -> None:
        self.operations.append(operation)

    def _number(self, number: int | float, type_: mlir.ScalarType = mlir.ScalarType.INDEX) -> mlir.Value:
        result = self._value(type_)
        self._add(mlir.Literal(result, number, origin=(self._span,)))
        return result

    def _scalar(self, name: str, *operands: mlir.Value, result: mlir.Value | None = None) -> mlir.Value:
        made = self._value(operands[-1].type) if result is None else result
        self._add(mlir.Scalar(made, name, operands, origin=(self._span,)))
        return made

    # -- affine expressions --------------------------------------------------------------------------------------------

    def affine(self) -> None:
        """The results of the map, of which `min` and `max` take one."""
        map_ = self._reading.attribute("map").value
        operands = self._reading.operands()
        if not isinstance(map_, mlir.AffineMap):
            raise self._reading.malformed("map", "an affine map")
        if not map_.results or (self._reading.name == "affine.apply" and len(map_.results) != 1):
            raise self._reading.malformed("map", "an affine map of one result")
        values = [self._expression(each, operands) for each in map_.results]
        word = "arith.maxsi" if self._reading.name == "affine.max" else "arith.minsi"
        found = values[0]
        for value in values[1:]:
            found = self._scalar(word, found, value)
        # the name of the whole is that of the last operation
        self._scalar("arith.addi", found, self._number(0), result=self._reading.result())

    def _expression(self, expression: mlir.AffineExpr, operands: Sequence[mlir.Value]) -> mlir.Value:
        match expression:
            case mlir.Dim(position=position):
                if position >= len(operands):
                    count = len(operands)
                    raise wrong("E0813", f"the map is of more than {count} values", self._reading.attribute("map").span)
                return operands[position]
            case mlir.Constant(value=value):
                return self._number(value)
            case mlir.Add(left=left, right=right):
                return self._scalar("arith.addi", self._expression(left, operands), self._expression(right, operands))
            case mlir.Multiply(expression=inside, factor=factor):
                return self._scalar("arith.muli", self._expression(inside, operands), self._number(factor))
            case mlir.Divide(expression=inside, word=word, divisor=divisor):
                number, by = self._expression(inside, operands), self._expression(divisor, operands)
                if word != "mod":
                    return self._scalar(DIVISIONS[word], number, by)
                whole = self._scalar("arith.muli", self._scalar("arith.floordivsi", number, by), by)
                return self._scalar("arith.subi", number, whole)  # from 0 on, also of a negative number

    # -- buffers of bytes ----------------------------------------------------------------------------------------------

    def buffer(self) -> None:
        """Memory for as many numbers as bytes are asked for."""
        made = self._reading.node()
        assert isinstance(made, mlir.Allocate)
        element = self._reading.scope.buffers[made.result.name]
        sizes = tuple(self._entries(each, element) for each in made.sizes)
        self._add(replace(made, sizes=sizes))

    def _entries(self, count: mlir.Value, element: mlir.ScalarType) -> mlir.Value:
        return self._scalar("arith.divui", count, self._number(BYTES[element]))

    def view(self) -> None:
        """A part of the buffer, in the shape of the view."""
        reading = self._reading
        source, shift, *sizes = reading.operands() if len(reading.raw.operands) > 1 else reading.operands(2)
        result = reading.result()
        element = reading.scope.buffers.get(source.name)
        type_ = result.type
        written = reading.raw.operands[0].type
        if element is None or written is None or not is_bytes(written.value):
            raise wrong("E0812", "`memref.view` is of a buffer of bytes, such as `memref<?xi8>`", self._span)
        if not isinstance(type_, mlir.MemrefType) or type_.layout or type_.shape.count(None) != len(sizes):
            message = "a view is a memref without a layout, and has a size for each extent that is not known"
            raise wrong("E0813", f"`memref.view`: {message}", self._span)
        left = iter(sizes)
        extents: list[mlir.Number] = [next(left) if size is None else size for size in type_.shape]
        total: mlir.Number = prod(each for each in extents if isinstance(each, int))
        for each in extents:
            if isinstance(each, mlir.Value):
                total = each if total == 1 else self._scalar("arith.muli", self._index(total), each)
        offset, place = self._entries(shift, element), (self._span,)
        flat = () if not extents else (total if isinstance(total, int) else None,)
        lying = mlir.MemrefType(flat, element, mlir.Strided((1,) * len(flat), None))
        part, row = self._value(lying), self._value(mlir.MemrefType(flat, element)) if len(extents) > 1 else result
        self._add(mlir.Slice(part, source, (offset,), (total,), (1,), origin=place))
        self._add(mlir.Cast(row, part, origin=place))
        if len(extents) > 1:
            groups = (tuple(range(len(extents))),)
            self._add(mlir.Reshape(result, row, groups, True, tuple(extents), reading.location, place))

    def _index(self, number: mlir.Number) -> mlir.Value:
        return self._number(number) if isinstance(number, int) else number

    # -- tensors of numbers --------------------------------------------------------------------------------------------

    def from_elements(self) -> None:
        """A tensor of the first number, into which all others are inserted."""
        values, result = self._reading.operands(), self._reading.result()
        type_, place = result.type, (self._span,)
        if not isinstance(type_, mlir.TensorType) or None in type_.shape or prod(_known(type_)) != len(values):
            raise wrong("E0813", "`tensor.from_elements` has a number for each entry of its result", self._span)
        if any(each.type is not type_.element for each in values):
            raise wrong("E0812", f"the entries are numbers of `{type_.element.value}`", self._span)
        shape = _known(type_)
        empty = self._value(type_)
        current = self._value(type_) if len(values) > 1 else result
        self._add(mlir.Allocate(empty, origin=place))
        self._add(make("fill", values[:1], (empty,), (current,), origin=place))
        one, units = mlir.TensorType((1,) * len(shape), type_.element), (1,) * len(shape)
        for number, value in enumerate(values[1:], start=1):
            empty, filled = self._value(one), self._value(one)
            self._add(mlir.Allocate(empty, origin=place))
            self._add(make("fill", (value,), (empty,), (filled,), origin=place))
            following = result if number == len(values) - 1 else self._value(type_)
            offsets = tuple(number // prod(shape[mode + 1 :]) % size for mode, size in enumerate(shape))
            self._add(mlir.InsertSlice(following, filled, current, offsets, units, units, origin=place))
            current = following

    def pack(self) -> None:
        """Tiles of the source; where they do not divide it, of the source in memory that is filled with the padding."""
        reading = self._reading
        padding = reading.optional("padding_value")
        operands = reading.operands()
        node = pack(reading)
        number = operands[2] if len(operands) == 3 else None
        if padding is not None and isinstance(padding.value, Text):
            number = reading.scope.value(Use(padding.value.value[1:], padding.span))
        type_ = node.source.type
        if number is None or isinstance(type_, mlir.ScalarType):
            self._add(node)
            return
        shape = list(type_.shape)
        for position, tile in zip(node.positions, node.tiles, strict=False):
            size = shape[position] if 0 <= position < len(shape) else 1
            if size is None:
                raise wrong("E0828", f"how far mode {position} is padded is not known when compiling", self._span)
            if 0 <= position < len(shape) and tile > 0:
                shape[position] = -(-size // tile) * tile
        if tuple(shape) == type_.shape:
            self._add(node)
            return
        padded = mlir.TensorType(tuple(shape), type_.element)
        rank, place = len(shape), (self._span,)
        sizes = tuple(self._extent(node.source, mode) for mode in range(rank) if type_.shape[mode] is None)
        empty, filled, whole = self._value(padded), self._value(padded), self._value(padded)
        self._add(mlir.Allocate(empty, sizes, origin=place))
        self._add(make("fill", (number,), (empty,), (filled,), origin=place))
        left = iter(sizes)
        taken = tuple(next(left) if size is None else size for size in type_.shape)
        self._add(mlir.InsertSlice(whole, node.source, filled, (0,) * rank, taken, (1,) * rank, origin=place))
        self._add(replace(node, source=whole))

    # -- padding -------------------------------------------------------------------------------------------------------

    def pad(self) -> None:
        """Memory that is filled with the padding, and the source in it."""
        reading = self._reading
        source, *dynamic = reading.operands()
        left = list(dynamic)
        rank = rank_of(source)

        def numbers(name: str) -> list[mlir.Number]:
            found: list[mlir.Number] = []
            for number in reading.integers(name):
                if number == DYNAMIC and not left:
                    raise wrong("E0813", f"`tensor.pad` lacks a value for its {name}", self._span)
                found.append(left.pop(0) if number == DYNAMIC else number)
            if len(found) != rank:
                raise wrong("E0813", f"`tensor.pad` pads {len(found)} modes of {rank}", self._span)
            return found

        low, high = numbers("static_low"), numbers("static_high")
        padding = self._padding()
        (type_,) = [each.value for each in reading.raw.result_types or ()] or (source.type,)
        if isinstance(type_, mlir.ScalarType) or len(type_.shape) != rank or isinstance(source.type, mlir.ScalarType):
            raise wrong("E0813", "`tensor.pad` makes a tensor of the rank of its source", self._span)
        self._check_padded(source.type.shape, type_.shape, low, high)
        extents = [self._extent(source, mode) for mode in range(rank)]
        sizes = [self._padded(extents[n], low[n], high[n]) for n in range(rank) if type_.shape[n] is None]
        empty, filled = self._value(type_), self._value(type_)
        self._add(mlir.Allocate(empty, tuple(sizes), origin=(self._span,)))
        self._add(make("fill", (padding,), (empty,), (filled,), origin=(self._span,)))
        shape = source.type.shape
        taken: list[mlir.Number] = [extents[n] if (size := shape[n]) is None else size for n in range(rank)]
        place = (self._span,)
        self._add(
            mlir.InsertSlice(
                reading.result(), source, filled, tuple(low), tuple(taken), (1,) * rank, reading.location, place
            )
        )

    def _check_padded(
        self,
        given: Sequence[mlir.Size],
        wanted: Sequence[mlir.Size],
        low: list[mlir.Number],
        high: list[mlir.Number],
    ) -> None:
        for mode, (size, padded) in enumerate(zip(given, wanted, strict=True)):
            before, behind = low[mode], high[mode]
            if isinstance(before, int) and isinstance(behind, int):
                if before < 0 or behind < 0:
                    raise wrong("E0813", "`tensor.pad` pads by 0 entries at least", self._span)
                if None not in (size, padded) and (size or 0) + before + behind != padded:
                    message = f"mode {mode} has {size} positions, and {before} and {behind} more are not {padded}"
                    raise wrong("E0815", message, self._span)

    def _padding(self) -> mlir.Value:
        """The number that the region yields, which is known outside of it."""
        region = self._reading.raw.regions[0] if self._reading.raw.regions else None
        statements = () if region is None else region.statements
        inner = self._reading.scope.inner()
        for argument in region.arguments if region is not None else ():
            inner.values[argument.name] = None
        ending = statements[-1] if statements else None
        if ending is None or ending.name.value != "tensor.yield" or len(ending.operands) != 1:
            raise wrong("E0818", "the region of `tensor.pad` ends with `tensor.yield` of a number", self._span)
        for each in statements[:-1]:
            made = Reading(each, inner)
            if each.name.value != "arith.constant":
                raise wrong("E0826", "what is padded with is known outside of `tensor.pad`", each.name.span)
            self._add(made.node())  # type: ignore[arg-type]  # a constant
        if inner.values.get(ending.operands[0].name, inner) is None:
            raise wrong("E0826", "what is padded with depends on no position", ending.operands[0].span)
        return inner.value(ending.operands[0])

    def _extent(self, source: mlir.Value, mode: int) -> mlir.Value:
        size = source.type.shape[mode] if not isinstance(source.type, mlir.ScalarType) else 1
        if size is not None:
            return self._number(size)
        result = self._value(mlir.ScalarType.INDEX)
        self._add(mlir.Extent(result, source, self._number(mode), origin=(self._span,)))
        return result

    def _padded(self, extent: mlir.Value, low: mlir.Number, high: mlir.Number) -> mlir.Value:
        for each in (low, high):
            extent = self._scalar("arith.addi", extent, self._index(each))
        return extent

    # -- softmax -------------------------------------------------------------------------------------------------------

    def softmax(self) -> None:
        """`exp(x - max x)` over its sum: the largest entries, the exponentials, their sums, the quotients."""
        reading = self._reading
        source, output = reading.operands(2)
        dimension = reading.attribute("dimension").value
        rank = rank_of(source)
        if not isinstance(dimension, Integer) or not 0 <= dimension.value < rank:
            raise wrong("E0823", f"`linalg.softmax` goes along one of the {rank} modes", self._span)
        if isinstance(source.type, mlir.ScalarType) or rank_of(output) != rank:
            raise wrong("E0813", "`linalg.softmax` has an input and an output of one shape", self._span)
        along, element, place = dimension.value, source.element, (self._span,)
        if not element.is_floating:
            raise wrong("E0819", f"`linalg.softmax` is for real numbers, not for {element.value}", self._span)
        shape = tuple(size for mode, size in enumerate(source.type.shape) if mode != along)
        is_memory = isinstance(output.type, mlir.MemrefType)
        reduced = mlir.MemrefType(shape, element) if is_memory else mlir.TensorType(shape, element)
        kept = tuple(mode for mode in range(rank) if mode != along)
        whole = mlir.AffineMap.of_dims(rank, tuple(range(rank)))
        rows = mlir.AffineMap.of_dims(rank, kept)
        parallel = (mlir.IteratorType.PARALLEL,) * rank
        reduction = tuple(
            mlir.IteratorType.REDUCTION if mode == along else mlir.IteratorType.PARALLEL for mode in range(rank)
        )
        sizes = tuple(self._extent(source, mode) for mode in kept if source.type.shape[mode] is None)

        def filled(number: float) -> mlir.Value:
            memory = self._value(reduced)
            self._add(mlir.Allocate(memory, sizes, origin=place))
            results = () if is_memory else (self._value(reduced),)
            self._add(make("fill", (self._number(number, element),), (memory,), results, origin=place))
            return results[0] if results else memory

        def generic(
            inputs: tuple[mlir.Value, ...],
            target: mlir.Value,
            maps: tuple[mlir.AffineMap, ...],
            iterators: tuple[mlir.IteratorType, ...],
            names: tuple[tuple[str, tuple[int, ...]], ...],
            results: tuple[mlir.Value, ...] | None = None,
        ) -> mlir.Value:
            arguments = tuple(mlir.Value(f"in{n}", element) for n in range(len(inputs) + 1))
            values, steps = list(arguments), list[mlir.PayloadOperation]()
            for number, (name, operands) in enumerate(names):
                result = mlir.Value(f"v{number}", element)
                steps.append(mlir.Scalar(result, name, tuple(values[n] for n in operands), origin=place))
                values.append(result)
            payload = mlir.Payload(arguments, tuple(steps), (values[-1],), place)
            given = ((self._value(target.type),) if not is_memory else ()) if results is None else results
            self._add(mlir.Structured("generic", inputs, (target,), maps, iterators, payload, given, origin=place))
            return given[0] if given else target

        largest = generic((source,), filled(float("-inf")), (whole, rows), reduction, (("arith.maximumf", (0, 1)),))
        steps = (("arith.subf", (0, 1)), ("math.exp", (3,)))
        powers = generic((source, largest), output, (whole, rows, whole), parallel, steps)
        sums = generic((powers,), filled(0.0), (whole, rows), reduction, (("arith.addf", (0, 1)),))
        results = () if is_memory else (reading.result(),)
        generic((powers, sums), output, (whole, rows, whole), parallel, (("arith.divf", (0, 1)),), results)


def _known(type_: mlir.TensorType) -> tuple[int, ...]:
    return tuple(size or 0 for size in type_.shape)

"""Operations that are read as several others: affine expressions, padding, softmax, nests of loops."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from einsum_front.core.diagnostics import Span
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.attributes import DYNAMIC
from einsum_front.mlir.named import element_of, make, rank_of
from einsum_front.mlir.parse.operations import Reading
from einsum_front.mlir.parse.scope import BYTES, Scope, is_bytes, wrong
from einsum_front.mlir.parse.syntax import Integer, Raw

EXPANDED = frozenset({"affine.apply", "affine.min", "affine.max", "memref.view", "tensor.pad", "linalg.softmax"})
"""Operations that are read as several of those that there are nodes of."""

NESTS = frozenset({"scf.parallel", "scf.forall"})
"""Loops of several variables, which are read as loops in loops."""

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
        along, element, place = dimension.value, element_of(source), (self._span,)
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


# -- nests of loops ----------------------------------------------------------------------------------------------------


def nest(
    raw: Raw, scope: Scope, body: Callable[[Raw, Scope], tuple[mlir.Operation, ...]]
) -> tuple[mlir.Operation, ...]:
    """`scf.parallel` and `scf.forall` as loops in loops, outer ones first; `body` makes the operations of a region.

    What the iterations of `scf.forall` insert into its tensors, each of these loops carries on.
    """
    reading = Reading(raw, scope)
    place = (raw.name.span,)
    region = raw.regions[0] if len(raw.regions) == 1 else None
    if region is None or not region.arguments:
        raise wrong("E0813", f"`{reading.name}` has a region with a variable for each loop", raw.name.span)
    head: list[mlir.Operation] = []
    shared = len(raw.result_types or ())
    count = len(region.arguments) - shared
    bounds, initial = _bounds(reading, count, shared, head)
    inner = scope.inner()
    variables = [inner.define(each.name, each.type, each.span) for each in region.arguments[:count]]
    carried = [tuple(inner.define(each.name, each.type, each.span) for each in region.arguments[count:])]
    for _ in range(count - 1):
        carried.insert(0, tuple(scope.between("c", each.type, each.origin[0]) for each in carried[-1]))
    inside = list(body(raw, inner))
    yields = carried[-1]
    statements = region.statements
    ending = statements[-1] if statements else None
    if ending is not None and ending.name.value == "scf.forall.in_parallel":
        current = {each.name: each for each in carried[-1]}
        for each in ending.regions[0].statements:
            made = Reading(each, inner)
            if each.name.value != "tensor.insert_slice" or len(each.operands) < 2:
                raise wrong("E0802", f"`{each.name.value}` stands in no `scf.forall.in_parallel`", each.name.span)
            target = each.operands[1].name
            if target not in current:
                raise wrong("E0825", f"`%{target}` is no tensor that the loop shares", each.operands[1].span)
            inserted = made.inserted(current[target])
            current[target] = inserted.result
            inside.append(inserted)
        yields = tuple(current.values())
    results = reading.results(shared)
    for level in reversed(range(count)):
        outside = results if level == 0 else tuple(scope.between("r", each.type, each.origin[0]) for each in carried[0])
        start, stop, step = bounds[level]
        entering = initial if level == 0 else carried[level - 1]
        loop = mlir.For(
            variables[level], start, stop, step, tuple(inside), carried[level], entering, yields, outside, "", place
        )
        inside, yields = [loop], outside
    return (*head, *inside)


def _bounds(
    reading: Reading, count: int, shared: int, head: list[mlir.Operation]
) -> tuple[list[tuple[mlir.Value, mlir.Value, mlir.Value]], tuple[mlir.Value, ...]]:
    """Start, stop and step of each loop, and the values that are shared; numbers are defined in `head`."""
    values = list(reading.operands())
    span: Span = reading.raw.name.span

    def numbers(name: str, default: int) -> list[mlir.Value]:
        static = reading.integers(name) if reading.optional(name) is not None else (default,) * count
        found = []
        for number in static:
            if number == DYNAMIC and values:
                found.append(values.pop(0))
                continue
            value = reading.scope.between("b", mlir.ScalarType.INDEX, span)
            head.append(mlir.Literal(value, number, origin=(span,)))
            found.append(value)
        return found

    if reading.name == "scf.parallel":
        if len(values) != 3 * count:
            raise wrong("E0813", f"`scf.parallel` has {count} starts, stops and steps", span)
        lists = [values[n * count : (n + 1) * count] for n in range(3)]
        return list(zip(*lists, strict=True)), ()
    given = numbers("staticLowerBound", 0), numbers("staticUpperBound", 0), numbers("staticStep", 1)
    if any(len(each) != count for each in given) or len(values) != shared:
        raise wrong("E0813", f"`scf.forall` has a stop for each of its {count} variables", span)
    return list(zip(*given, strict=True)), tuple(values)

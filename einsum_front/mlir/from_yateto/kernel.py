"""The instructions of a function as operations of linalg, scf and memref."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import inf

from einsum_front.core.coefficient import Number as Constant
from einsum_front.core.extent import Extent
from einsum_front.core.functions import Function as EntryFunction
from einsum_front.core.payload import Entry
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.named import contraction, generic
from einsum_front.mlir.from_graph.payloads import Numbers, accumulated, multiplied, spelled
from einsum_front.mlir.from_yateto.writer import Writer, converted, maps_of
from einsum_front.mlir.named import make
from einsum_front.mlir.to_graph.batch import written

Combine = Callable[[Numbers, Sequence[mlir.Value]], mlir.Value]
"""What is done with the entries of the operands."""

ARITH = {
    yir.ArithOperator.ADD: "arith.addf",
    yir.ArithOperator.SUB: "arith.subf",
    yir.ArithOperator.MUL: "arith.mulf",
    yir.ArithOperator.DIV: "arith.divf",
}
ZERO, ONE = yir.Constant(0.0), yir.Constant(1.0)


def function_of(function: yir.Function, *, is_for_one: bool = False) -> mlir.Function:
    """A function on memrefs that does the same to each element of the batch, or to one; others are constants then."""
    return _Kernel(function, is_for_one).function()


class _Kernel:
    """One function on its way."""

    def __init__(self, function: yir.Function, is_for_one: bool) -> None:
        self._function = function
        self._is_for_one = is_for_one
        taken = [argument.name.name for argument in function.arguments]
        self._writer = Writer(function.name, taken)
        self._groups: dict[str, yir.GroupType] = {}
        self._item: mlir.Value | None = None

    def function(self) -> mlir.Function:
        """The whole function."""
        writer, arguments = self._writer, tuple(map(self._argument, self._function.arguments))
        if self._groups and not self._is_for_one:
            batched = next(each for each in arguments if each.name in self._groups)
            with writer.loop(writer.index(0), writer.extent_of(batched, 0), "item", of_elements=True) as item:
                self._item = item
                self._region(self._function.body)
        else:
            self._region(self._function.body)
        body = (*writer.body, mlir.Return(()))
        memory = [each.name for each in arguments if isinstance(each.type, mlir.MemrefType)]
        found = mlir.Function(self._function.name, arguments, (), body, origin=self._function.origin)
        varying = self._groups.keys() | written(found)  # a prologue writes what is a constant of its kernel
        constants = tuple(name for name in memory if name not in varying) if self._is_for_one else ()
        return replace(found, constants=constants)

    def _argument(self, argument: yir.Argument) -> mlir.Value:
        name, type_ = argument.name.name, argument.type
        match type_:
            case ElementType():
                value = mlir.Value(name, self._writer.element(type_))
            case yir.MemrefType():
                value = mlir.Value(name, self._writer.memref(type_))
                self._writer.known_extents(value, tuple(reversed(type_.shape)))
            case yir.GroupType(memref=memref) if self._is_for_one:
                value = mlir.Value(name, self._writer.memref(memref))
                self._writer.known_extents(value, tuple(reversed(memref.shape)))
                self._groups[name] = type_
            case yir.GroupType(memref=memref, layout=yir.Distance(elements=distance)):
                value = mlir.Value(name, self._writer.memref(memref, distance))
                self._writer.known_extents(value, (None, *reversed(memref.shape)))
                self._groups[name] = type_
            case yir.GroupType(layout=yir.After()):
                raise self._writer.refuse("has a batch that is not the outermost mode")
            case yir.GroupType():
                raise self._writer.refuse("has a group of pointers")
        self._writer.values[name] = value
        return value

    def _region(self, region: yir.Region) -> None:
        for instruction in region:
            self._instruction(instruction)

    def _instruction(self, instruction: yir.Instruction) -> None:
        writer, values = self._writer, self._writer.values
        match instruction:
            case yir.Alloca(result=result, type=memref):
                values[result.name] = writer.allocate(result.name, memref)
            case yir.GetWorkItem():
                values[instruction.result.name] = self._work_item(instruction)
            case yir.Subview():
                values[instruction.result.name] = self._subview(instruction)
            case yir.Arith(result=result, operator=operator, left=left, right=right, type=type_):
                both = self._scalar(left, type_), self._scalar(right, type_)
                values[result.name] = writer.fresh(writer.element(type_))
                writer.add(mlir.Scalar(values[result.name], ARITH[operator], both))
            case yir.For(variable=variable, start=start, stop=stop, body=body):
                with writer.loop(writer.index(start), writer.bound(stop), variable.name) as position:
                    values[variable.name] = position
                    self._region(body)
            case yir.Log():
                self._log(instruction)
            case yir.Sum(map=map_, alpha=alpha, a=a, beta=beta, b=b):
                self._reduced([(a, map_.source)], (b, map_.target), alpha, beta, multiplied, EntryFunction.ADD)
            case yir.Product(map=map_, alpha=alpha, a=a, b=b, beta=beta, c=c):
                self._mapped([(a, map_.left), (b, map_.right)], (c, map_.target), alpha, beta, multiplied)
            case yir.Axpby():
                self._axpby(instruction)
            case yir.Broadcast(map=map_, alpha=alpha, a=a, beta=beta, b=b):
                self._mapped([(a, map_.source)], (b, map_.target), alpha, beta, multiplied)
            case yir.Fill(alpha=alpha, beta=beta, b=b):
                names = tuple(f"i{mode}" for mode in range(b.type.order))
                self._mapped([], (b, names), alpha, beta, lambda numbers, _: numbers.constant(1.0))
            case yir.Elementwise() | yir.Gather():
                self._elementwise(instruction)
            case yir.Barrier() | yir.LifetimeStop():
                pass

    # -- views ---------------------------------------------------------------------------------------------------------

    def _work_item(self, instruction: yir.GetWorkItem) -> mlir.Value:
        if instruction.offset is not None:
            raise self._writer.refuse("moves in a group by an offset")
        if self._is_for_one:
            return self._writer.values[instruction.group.name]
        assert self._item is not None
        memref = instruction.type.memref
        sizes: list[Extent] = [1, *reversed(memref.shape)]
        group = self._writer.values[instruction.group.name]
        return self._writer.cut(group, [self._item, *[0] * memref.order], sizes, [0])

    def _subview(self, instruction: yir.Subview) -> mlir.Value:
        offsets: list[int | mlir.Value] = []
        sizes: list[Extent] = []
        held = []
        parts = list(zip(instruction.parts, instruction.from_type.shape, strict=True))
        for mode, (part, size) in enumerate(reversed(parts)):
            match part:
                case yir.Position(index=index):
                    offsets.append(index if isinstance(index, int) else self._writer.values[index.name])
                    sizes.append(1)
                    held.append(mode)
                case yir.Slice(start=start, stop=stop):
                    offsets.append(start or 0)
                    sizes.append((size if stop is None else stop) - (start or 0))
        source = self._writer.values[instruction.operand.name]
        return self._writer.cut(source, offsets, sizes, held)

    # -- operations ----------------------------------------------------------------------------------------------------

    def _log(self, log: yir.Log) -> None:
        """Loops over a matrix product: on subviews, with indices that are seen as one collapsed."""
        writer, map_ = self._writer, log.map
        operands = [(log.a, map_.left), (log.b, map_.right), (log.c, map_.target)]
        extents: dict[str, Extent] = {}
        for operand, entries in operands:
            extents |= dict(zip(yir.flat_indices(entries), operand.type.shape, strict=True))
        every = dict.fromkeys(e.name for _, entries in operands for e in entries if isinstance(e, yir.Looped))
        location = spelled([yir.flat_indices(map_.left), yir.flat_indices(map_.right)], yir.flat_indices(map_.target))
        target = yir.flat_indices(map_.target)
        adds = any(name not in target for name in every)
        element = writer.element(log.c.type.element)
        if adds:  # what is looped over adds to the target: β comes once, before
            self._scaled(writer.values[log.c.value.name], log.beta, element, 0.0)
        with ExitStack() as loops:
            positions = {}
            for name in every:
                bounds = writer.index(0), writer.bound(extents[name])
                positions[name] = loops.enter_context(writer.loop(*bounds, name))
            views, names = [], []
            for operand, entries in operands:
                view, order = self._matrix(operand, entries, positions)
                views.append(view)
                names.append(order)
            if not adds:
                self._scaled(views[2], log.beta, element, 0.0)
            self._product(views, names, log.alpha, element, location)

    def _matrix(
        self, operand: yir.Operand, entries: tuple[yir.MapEntry, ...], positions: dict[str, mlir.Value]
    ) -> tuple[mlir.Value, tuple[str, ...]]:
        """A view without the modes that loops walk, and its indices from the slowest to the fastest."""
        writer = self._writer
        flat = list(reversed(yir.flat_indices(entries)))
        value = writer.values[operand.value.name]
        held = [mode for mode, name in enumerate(flat) if name in positions]
        if held:
            offsets = [positions.get(name, 0) for name in flat]
            sizes = [
                1 if name in positions else size for name, size in zip(flat, operand.type.shape[::-1], strict=True)
            ]
            value = writer.cut(value, offsets, sizes, held)
        groups: list[list[int]] = []
        names, mode = [], 0
        for entry in reversed(entries):
            match entry:
                case yir.Plain(name=name):
                    groups.append([mode])
                    names.append(name)
                    mode += 1
                case yir.Fused(names=group):
                    groups.append(list(range(mode, mode + len(group))))
                    names.append("".join(group))
                    mode += len(group)
                case yir.Looped():
                    pass
        return writer.collapsed(value, groups), tuple(names)

    def _product(
        self,
        views: Sequence[mlir.Value],
        names: Sequence[Sequence[str]],
        alpha: yir.Scalar,
        element: mlir.ScalarType,
        text: str,
    ) -> None:
        """The product is added to the last view."""
        maps = maps_of(names)
        found = contraction(views[:2], views[2], maps, (), text) if alpha == ONE else None
        if found is None:
            inputs, factor = [*views[:2]], self._factor(alpha, element)
            if factor is not None:
                inputs.append(factor)
                maps = (*maps[:2], mlir.AffineMap(maps[0].dims, ()), maps[2])
            payload = self._payload(
                inputs, element, lambda numbers, entries: accumulated(numbers, entries[:-1], entries[-1])
            )
            found = generic(inputs, views[2], maps, payload, (), text)
        self._writer.add(found)

    def _factor(self, scalar: yir.Scalar, element: mlir.ScalarType) -> mlir.Value | None:
        """A coefficient as one more operand; None for 1."""
        return None if scalar == ONE else self._scalar(scalar, None, element)

    def _scaled(self, target: mlir.Value, beta: yir.Scalar, element: mlir.ScalarType, neutral: float) -> None:
        """The target times beta, in place; for 0, what is there does not matter."""
        if beta == ONE:
            return
        if beta == ZERO:
            constant = self._writer.fresh(element)
            self._writer.add(mlir.Literal(constant, neutral))
            self._writer.add(make("fill", (constant,), (target,)))
            return
        rank = len(target.type.shape) if isinstance(target.type, mlir.MemrefType) else 0
        factor = self._scalar(beta, None, element)
        maps = (mlir.AffineMap(rank, ()), mlir.AffineMap.of_dims(rank, tuple(range(rank))))
        payload = self._payload([factor], element, multiplied)
        self._writer.add(generic([factor], target, maps, payload, (), "beta"))

    def _mapped(
        self,
        operands: Sequence[tuple[yir.Operand, Sequence[str]]],
        target: tuple[yir.Operand, Sequence[str]],
        alpha: yir.Scalar,
        beta: yir.Scalar,
        combine: Combine,
    ) -> None:
        """`target := alpha combine(operands) + beta target`, entry by entry."""
        c, indices = target
        if len(set(indices)) < len(indices):
            raise self._writer.refuse("writes a diagonal")
        element = self._writer.element(c.type.element)
        values = [self._writer.values[operand.value.name] for operand, _ in operands]
        names = [tuple(reversed(each)) for _, each in operands]
        own = len(values)
        factors = [each for each in (alpha, beta) if each not in (ZERO, ONE)]
        inputs = [*values, *(self._scalar(each, None, element) for each in factors)]
        names += [()] * len(factors)

        def whole(numbers: Numbers, entries: Sequence[mlir.Value]) -> mlir.Value:
            scalars, output = list(entries[own:-1]), entries[-1]
            value = numbers.constant(0.0) if alpha == ZERO else combine(numbers, entries[:own])
            if alpha not in (ZERO, ONE):
                value = numbers.operation("arith.mulf", scalars.pop(0), value)
            if beta == ZERO:
                return value
            before = output if beta == ONE else numbers.operation("arith.mulf", scalars.pop(0), output)
            return numbers.operation("arith.addf", before, value)

        payload = self._payload(inputs, element, whole)
        location = spelled([each for _, each in operands], indices)
        maps = maps_of([*names, tuple(reversed(indices))])
        self._writer.add(generic(inputs, self._writer.values[c.value.name], maps, payload, (), location))

    def _axpby(self, instruction: yir.Axpby) -> None:
        a, b, map_ = instruction.a, instruction.b, instruction.map
        if ElementType.BF16 in (a.type.element, b.type.element):
            both = self._writer.values[a.value.name], self._writer.values[b.value.name]
            self._writer.add(converted(*both, map_.source, map_.target))
        else:
            self._mapped([(a, map_.source)], (b, map_.target), instruction.alpha, instruction.beta, multiplied)

    def _reduced(
        self,
        operands: Sequence[tuple[yir.Operand, Sequence[str]]],
        target: tuple[yir.Operand, Sequence[str]],
        alpha: yir.Scalar,
        beta: yir.Scalar,
        combine: Combine,
        combiner: EntryFunction,
    ) -> None:
        """The same, combined over the indices that the target lacks."""
        c, indices = target
        element = self._writer.element(c.type.element)
        output = self._writer.values[c.value.name]
        room, is_sum = output, combiner is EntryFunction.ADD
        if is_sum:
            self._scaled(room, beta, element, 0.0)
        else:
            if alpha != ONE or beta != ZERO:
                room = self._writer.allocate("extremum", yir.MemrefType.packed(c.type.element, c.type.shape))
            self._scaled(room, ZERO, element, -inf if combiner is EntryFunction.MAX else inf)
        inputs = [self._writer.values[operand.value.name] for operand, _ in operands]
        own = len(inputs)
        names = [tuple(reversed(each)) for _, each in operands]
        factor = self._factor(alpha, element) if is_sum else None
        if factor is not None:
            inputs.append(factor)
            names.append(())

        def whole(numbers: Numbers, entries: Sequence[mlir.Value]) -> mlir.Value:
            value = combine(numbers, entries[:own])
            if factor is not None:
                value = numbers.operation("arith.mulf", entries[own], value)
            return numbers.function(combiner, (entries[-1], value))

        payload = self._payload(inputs, element, whole)
        location = spelled([each for _, each in operands], indices)
        maps = maps_of([*names, tuple(reversed(indices))])
        self._writer.add(generic(inputs, room, maps, payload, (), location))
        if room is not output:
            self._writer.values["#"] = room
            found = yir.Operand(yir.Local("#"), yir.MemrefType.packed(c.type.element, c.type.shape))
            self._mapped([(found, indices)], target, alpha, beta, multiplied)

    def _elementwise(self, instruction: yir.Elementwise | yir.Gather) -> None:
        if isinstance(instruction, yir.Gather):
            raise self._writer.refuse("reads where integers say")
        operands = list(zip(instruction.operands, instruction.map.sources, strict=True))
        target = instruction.c, instruction.map.target
        scalar_type = instruction.c.type.element
        outer = {
            each: self._scalar(each, scalar_type)
            for each in instruction.payload.scalars()
            if isinstance(each, yir.Local)
        }

        def combine(numbers: Numbers, entries: Sequence[mlir.Value]) -> mlir.Value:
            found = list(entries)
            for operation in instruction.payload.operations:
                arguments = []
                for argument in operation.arguments:
                    if isinstance(argument, Entry):
                        arguments.append(found[argument.number])
                    elif isinstance(argument, yir.Constant):
                        arguments.append(numbers.coefficient(Constant(argument.value), {}))
                    else:
                        arguments.append(outer[argument])
                found.append(numbers.function(operation.function, arguments))
            return found[-1]

        if instruction.combiner is None:
            self._mapped(operands, target, instruction.alpha, instruction.beta, combine)
        else:
            self._reduced(operands, target, instruction.alpha, instruction.beta, combine, instruction.combiner)

    # -- payloads ------------------------------------------------------------------------------------------------------

    def _scalar(
        self, scalar: yir.Scalar, type_: ElementType | None, element: mlir.ScalarType | None = None
    ) -> mlir.Value:
        """A scalar as a value in front of an operation."""
        match scalar:
            case yir.Local(name=name):
                return self._writer.values[name]
            case yir.Constant(value=number):
                known = element if type_ is None else self._writer.element(type_)
                value = self._writer.fresh(known or mlir.ScalarType.F64)
                self._writer.add(mlir.Literal(value, number))
                return value

    def _payload(self, inputs: Sequence[mlir.Value], element: mlir.ScalarType, combine: Combine) -> mlir.Payload:
        names = self._writer.names()
        arguments = tuple(mlir.Value(names.numbered("x"), element) for _ in (*inputs, None))
        numbers = Numbers(element, names)
        result = combine(numbers, arguments)
        return mlir.Payload(arguments, tuple(numbers.operations), (result,))

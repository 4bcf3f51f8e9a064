"""One function of the YATeTo language in the tensor language."""

from dataclasses import replace
from math import lcm

from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label
from einsum_front.core.extent import Extent, Polynomial, of_size, product, sizes_in
from einsum_front.core.payload import mapped
from einsum_front.ir.emit_tensor_language.access import (
    Access,
    argument_type,
    facts_of,
    memref_type,
    name_of,
)
from einsum_front.ir.emit_tensor_language.elementwise import emit_axpby, emit_broadcast, emit_fill
from einsum_front.ir.emit_tensor_language.functions import emit_elementwise
from einsum_front.ir.emit_tensor_language.gather import Reading, emit_gather, emit_scatter
from einsum_front.ir.emit_tensor_language.log import Factors, emit_log, emit_product, emit_sum
from einsum_front.ir.tensor import SOME
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import TensorOperation, accesses, instructions, moved_groups
from einsum_front.tl_backend import ALL, Builder, Index, Number, Part, Value
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

# -- values of dynamic extents: sizes of modes, and arithmetic on them -------------------------------------------------


class Sizes:
    """Sizes that the memrefs of a function show; extents are those of the YATeTo language."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._shown: dict[Polynomial, tuple[Value, int]] = {}

    def show(self, memref: Value, shape: tuple[Extent, ...]) -> None:
        """A memref, defined where all that uses its sizes sees it, has this shape."""
        for mode, extent in enumerate(shape):
            if isinstance(extent, Polynomial):
                self._shown.setdefault(extent, (memref, mode))

    def index(self, extent: Extent) -> Index:
        """The extent as an operand; for one that is dynamic, instructions that compute it are written.

        %n = size %X[0] : memref<f64x?x9>
        %t = arith.mul %n, 2 : index                  [2*n]
        """
        if isinstance(extent, int):
            return extent
        if extent in self._shown:
            return self._size(extent)
        divisor = lcm(*(factor.denominator for _, factor in extent.terms))
        total: Index = 0
        for monomial, factor in extent.terms:
            term: Index = int(factor * divisor)
            for size in monomial:
                term = self._arith(tl.BinaryOperator.MUL, self._size(of_size(size)), term)
            total = term if total == 0 else self._arith(tl.BinaryOperator.ADD, term, total)
        return self._arith(tl.BinaryOperator.DIV, total, divisor)

    def _size(self, extent: Polynomial) -> Value:
        if extent not in self._shown:
            raise CompilerBug(f"no argument shows the size {extent}")
        memref, mode = self._shown[extent]
        return self._builder.size(memref, mode)

    def _arith(self, operator: tl.BinaryOperator, left: Index, right: Index) -> Index:
        """The result; without an instruction where the right operand changes nothing, or both are known."""
        if right == 1 and operator is not tl.BinaryOperator.ADD:
            return left
        return self._builder.arith(operator, left, right)


def emit_function(function: yir.Function) -> Function:
    """The function with the same arguments, facts and meaning."""
    moved = moved_groups(function)
    types = {
        argument.name.name: argument_type(argument.type, argument.name.name in moved) for argument in function.arguments
    }
    builder = Builder(function.name, types)
    body = _Body(builder, function, moved)
    body.emit(function.body)
    lowered = builder.function(facts=facts_of(function, moved), limits=function.limits)
    prologue = None if function.prologue is None else emit_function(function.prologue)
    return replace(_with_origins(lowered, function), prologue=prologue)


def _with_origins(lowered: Function, function: yir.Function) -> Function:
    arguments = (
        Argument(replace(to.name, origin=of.name.origin), to.type, of.origin)
        for to, of in zip(lowered.arguments, function.arguments, strict=True)
    )
    return replace(lowered, arguments=tuple(arguments), origin=function.origin)


def _misplaced(alloca: yir.Alloca, why: str) -> CompileError:
    """The launch gives memory before the first instruction, to temporaries that are packed."""
    names = ", ".join(f"`{name}`" for name in sizes_in(alloca.type.shape))
    message = f"`%{alloca.result.name}`, whose size depends on {names}, {why}"
    note = "a temporary of such a size is packed, and stands in front of all loops"
    return CompileError(
        [Diagnostic("E0301", message, tuple(Label(span, "here") for span in alloca.origin[:1]), (note,))]
    )


class _Body:
    """One function while its instructions are emitted: what its values have become."""

    def __init__(self, builder: Builder, function: yir.Function, moved: frozenset[str]) -> None:
        self._builder = builder
        self._moved = moved
        self._values = {value.local.name: value for value in builder.arguments}
        self._sizes = Sizes(builder)
        self._depth = 0
        self._spread: dict[str, tuple[Extent, ...]] = {}
        for argument in function.arguments:
            if isinstance(argument.type, yir.MemrefType):
                self._sizes.show(self._values[argument.name.name], argument.type.shape)
        self._group_id = self._first_group_id(function)

    def _first_group_id(self, function: yir.Function) -> Value | None:
        """One number of the work-group for all instructions, loops included."""
        for instruction in instructions(function.body):
            if isinstance(instruction, yir.GetWorkItem):
                self._builder.origin = instruction.origin
                return self._builder.group_id()
        return None

    def emit(self, region: yir.Region) -> None:
        """Write the instructions one after the other."""
        for instruction in region:
            self._builder.origin = instruction.origin
            self._emit(instruction)

    def _emit(self, instruction: yir.Instruction) -> None:
        builder, values = self._builder, self._values
        match instruction:
            case yir.Alloca(result=result):
                values[result.name] = self._alloca(instruction)
            case yir.GetWorkItem(result=result):
                values[result.name] = self._work_item(instruction)
                self._sizes.show(values[result.name], instruction.type.memref.shape)
                if isinstance(instruction.type.layout, yir.After):
                    self._spread[result.name] = _spread(instruction.type.memref.strides, instruction.type.layout.modes)
            case yir.Subview(result=result, operand=operand, parts=parts):
                if (strides := self._spread.get(operand.name)) is not None:
                    kept = zip(strides, parts, strict=True)
                    self._spread[result.name] = tuple(each for each, part in kept if isinstance(part, yir.Slice))
                selected = map(self._part, parts, instruction.from_type.shape)
                values[result.name] = builder.subview(values[operand.name], *selected, name=result.name)
            case yir.Arith(result=result):
                values[result.name] = self._arith(instruction)
            case yir.For():
                self._loop(instruction)
            case yir.Barrier():
                builder.barrier()
            case yir.LifetimeStop(operand=operand):
                builder.lifetime_stop(values[operand.name])
            case yir.Axpby() | yir.Log() | yir.Product() | yir.Sum() | yir.Broadcast() | yir.Fill():
                self._tensor_operation(instruction)
            case yir.Elementwise():
                self._elementwise(instruction)
            case yir.Gather():
                self._gather(instruction)

    def _alloca(self, alloca: yir.Alloca) -> Value:
        """Memory; what only the launch can size is the launch's.

        %n = size %X[0] : memref<f64x?x9>
        %t = alloca.global %n -> memref<f64x?x9>
        """
        memref, name = alloca.type, alloca.result.name
        sizes = [self._sizes.index(extent) for extent in memref.shape]
        given = [size for size in sizes if isinstance(size, Value)]
        if given and (self._depth or not memref.is_packed):
            raise _misplaced(alloca, "stands in a loop" if self._depth else "has strides of its own")
        return self._builder.alloca(memref_type(memref), name=name, sizes=given)

    def _accesses(self, operation: TensorOperation) -> list[Access]:
        """The operands, the target last."""
        return [
            Access(
                self._values[of.value.name], indices, of.type.shape, self._spread.get(of.value.name, of.type.strides)
            )
            for of, indices in accesses(operation)
        ]

    def _gather(self, gather: yir.Gather) -> None:
        map_, values = gather.map, self._values
        numbers = {id(entry): number for number, entry in enumerate(map_.entries)}

        def source(number: int, item: Index | None) -> Value:
            of = gather.sources[number]
            if not isinstance(of.type, yir.GroupType) or not isinstance(item, Value):
                return values[of.value.name]
            return emit_work_item(self._builder, values[of.value.name], item, of.type.layout, f"{of.value.name}_there")

        memref, type_ = gather.sources[0].memref, gather.sources[0].type
        layout = type_.layout if isinstance(type_, yir.GroupType) else None
        if layout is None:
            spread = self._spread.get(gather.sources[0].value.name, memref.strides)
        else:
            spread = _spread(memref.strides, layout.modes) if isinstance(layout, yir.After) else memref.strides
        reading = Reading(
            source,
            len(gather.sources),
            memref.shape,
            spread,
            tuple((numbers[id(each)],) if isinstance(each, yir.Entry) else each for each in map_.places),
            tuple(
                Access(values[of.value.name], each.indices, of.type.shape, of.type.strides)
                for each, of in ((entry, entry.integers) for entry in map_.entries)
            ),
            None if map_.element is None else numbers[id(map_.element)],
            None if map_.member is None else numbers[id(map_.member)],
        )
        c = gather.c
        emit = emit_scatter if gather.adds else emit_gather
        emit(self._builder, reading, Access(values[c.value.name], map_.target, c.type.shape, c.type.strides))

    def _elementwise(self, operation: yir.Elementwise) -> None:
        alpha, beta = self._number(operation.alpha), self._number(operation.beta)
        *operands, target = self._accesses(operation)
        payload = mapped(operation.payload, self._number)
        emit_elementwise(self._builder, payload, operation.combiner, alpha, operands, beta, target)

    def _tensor_operation(
        self, operation: yir.Axpby | yir.Log | yir.Product | yir.Sum | yir.Broadcast | yir.Fill
    ) -> None:
        builder = self._builder
        alpha, beta = self._number(operation.alpha), self._number(operation.beta)
        *sources, target = self._accesses(operation)
        match operation:
            case yir.Log(map=map_):
                emit_log(builder, map_, Factors(alpha, sources[0], sources[1], beta, target))
            case yir.Product():
                emit_product(builder, Factors(alpha, sources[0], sources[1], beta, target))
            case yir.Axpby():
                emit_axpby(builder, alpha, sources[0], beta, target)
            case yir.Sum():
                emit_sum(builder, alpha, sources[0], beta, target)
            case yir.Broadcast():
                emit_broadcast(builder, alpha, sources[0], beta, target)
            case yir.Fill():
                emit_fill(builder, alpha, beta, target)

    def _loop(self, loop: yir.For) -> None:
        stop = self._sizes.index(loop.stop)
        with self._builder.for_loop(loop.start, stop, name=loop.variable.name) as variable:
            self._values[loop.variable.name] = variable
            self._depth += 1
            self.emit(loop.body)
            self._depth -= 1
            self._builder.origin = loop.origin

    def _arith(self, arith: yir.Arith) -> Value:
        """Two constants have no type of their own, so the first becomes a value."""
        left, right = self._number(arith.left), self._number(arith.right)
        if not isinstance(left, Value) and not isinstance(right, Value):
            left = self._builder.constant(left, ScalarType.of(arith.type))
        operator = tl.BinaryOperator(arith.operator.value)
        return self._builder.arith(operator, left, right, name=arith.result.name)

    def _work_item(self, instruction: yir.GetWorkItem) -> Value:
        if self._group_id is None:
            raise CompilerBug("a function with work items has their number")
        group, name = self._values[instruction.group.name], instruction.result.name
        if instruction.group.name not in self._moved:
            return emit_work_item(self._builder, group, self._group_id, instruction.type.layout, name)
        offset = 0 if instruction.offset is None else self._index(instruction.offset)
        return emit_moved_work_item(self._builder, self._sizes, group, instruction.type, self._group_id, offset, name)

    def _part(self, part: yir.Position | yir.Slice, size: Extent) -> Part:
        match part:
            case yir.Position(index=index):
                return index if isinstance(index, int) else self._index(index)
            case yir.Slice(start=start, stop=stop):
                first = 0 if start is None else start
                is_to_the_end = stop is None or (isinstance(stop, Polynomial) and stop == size)
                return first, None if stop is None or is_to_the_end else self._sizes.index(stop - first)

    def _index(self, local: yir.Local) -> Index:
        """The integer as type `index`: a variable of a loop has it, an argument is converted."""
        value = self._values[local.name]
        if value.scalar is ScalarType.INDEX:
            return value
        return self._builder.cast(value, ScalarType.INDEX, name=name_of(value, "index"))

    def _number(self, scalar: yir.Scalar) -> Number:
        match scalar:
            case yir.Local(name=name):
                return self._values[name]
            case yir.Constant(value=value):
                return value


def _spread(strides: tuple[Extent, ...], after: int) -> tuple[Extent, ...]:
    """Strides of an item that lies among others: modes on both sides of the batch do not follow each other."""
    return tuple(stride * SOME if mode >= after else stride for mode, stride in enumerate(strides))


# -- the memref of this work-group, moved by an offset or not ----------------------------------------------------------


def emit_work_item(builder: Builder, group: Value, group_id: Value, layout: yir.Layout, name: str) -> Value:
    """The work-group's item of a batched memref, or behind its pointer.

    %1 = subview %D[:,:,%group] : memref<f32x16x16x?>
    %1 = subview %D[%group,:,:] : memref<f32x?x16x16>
    %0 = load %A[%group] : group<memref<f32x16x8>>
    """
    match group.type:
        case MemrefType(order=order):
            place = layout.modes if isinstance(layout, yir.After) else order - 1
            return builder.subview(group, *([ALL] * place), group_id, *([ALL] * (order - 1 - place)), name=name)
        case GroupType():
            return builder.load(group, group_id, name=name)
        case ScalarType():
            raise CompilerBug("a group became a scalar")


def emit_moved_work_item(
    builder: Builder, sizes: Sizes, group: Value, type_: yir.GroupType, group_id: Value, offset: Index, name: str
) -> Value:
    """The packed item at an offset in flat memory; `sizes` says what dynamic extents are.

    %start  = arith.mul %group, 256 : index
    %start1 = arith.add %start, %offset : index
    %flat   = subview %D[%start1 : 256] : memref<f32x?>
    %1      = expand %flat[0 -> 16x16] : memref<f32x256>
    """
    shape = type_.memref.shape
    start: Index
    match type_.layout:
        case yir.Distance(elements=distance):
            memory, start = group, _add(builder, _start(builder, group, group_id, sizes.index(distance)), offset)
        case yir.Pointers():
            memory, start = builder.load(group, group_id, name=name_of(group, "memory")), offset
        case yir.After():
            raise CompilerBug("items among their modes, which are taken with an offset")
    if not shape:
        return builder.subview(memory, start, name=name)
    part = (start, sizes.index(product(shape)))
    if len(shape) == 1:
        return builder.subview(memory, part, name=name)
    flat = builder.subview(memory, part, name=name_of(group, "flat"))
    return builder.expand(flat, 0, tuple(map(sizes.index, shape)), name=name)


def _start(builder: Builder, group: Value, group_id: Value, distance: Index) -> Value:
    return builder.arith(tl.BinaryOperator.MUL, group_id, distance, name=name_of(group, "start"))


def _add(builder: Builder, start: Value, offset: Index) -> Value:
    return start if offset == 0 else builder.arith(tl.BinaryOperator.ADD, start, offset, name=start.local.name)

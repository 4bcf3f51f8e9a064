"""From plans to the YATeTo immediate language: one function a kernel, one instruction a step.

What lies in memory in a narrower type than it is computed with is widened first (constants once, in the prologue), and
narrowed at the end.

Buffers become arguments (batched and grouped ones are taken by `get_work_item`) and `alloca`s that live from their
first to their last step; views become `subview`s; coefficients become constants or `arith`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.coefficient import (
    ONE,
    Coefficient,
    Number,
    ScalarOperation,
    ScalarOperator,
    ScalarPower,
    ScalarUse,
)
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, capacity, static_shape, without_limits
from einsum_front.core.facts import Limit, Modes, Nonzeros, Values
from einsum_front.core.names import Names
from einsum_front.core.numbers import dtype_of, wrapped
from einsum_front.core.payload import Payload, mapped
from einsum_front.core.storage import ElementType, Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.gathering import as_stored, gather_of, group_type, indices_of, of_other_elements
from einsum_front.ir.plan.gemm import LoopsOverGemm, loops_over_gemm
from einsum_front.ir.plan.plan import Buffer, Plan, Step, StepKind, View
from einsum_front.ir.plan.widen import Widening, copied, with_widenings
from einsum_front.ir.tensor import Tensor
from einsum_front.ir.yateto import nodes as yir


def emit(plans: Iterable[Plan]) -> yir.Program:
    """The functions of several kernels as one program."""
    return yir.Program(tuple(emit_function(plan) for plan in plans))


def emit_function(plan: Plan) -> yir.Function:
    """The function that does what the plan says; tensor arguments come first, then scalars, both in text order.

    The modes of a memref are the tensor's, sorted by stride.
    """
    return _Emission(plan).function()


def _grouped(plan: Plan, number: Callable[[Buffer], int | None]) -> dict[int | None, list[Buffer]]:
    """The temporaries by the number of a step."""
    groups: dict[int | None, list[Buffer]] = {}
    for buffer in plan.buffers:
        if buffer.is_temporary:
            groups.setdefault(number(buffer), []).append(buffer)
    return groups


class _Emission:
    """The instructions of one function so far, and the names that they define."""

    def __init__(self, plan: Plan, *, before: Plan | None = None, taken: Iterable[str] = ()) -> None:
        """`before` is the plan that this one is the prologue of."""
        self._plan = plan
        self._whole = plan if before is None else before
        self._is_prologue = before is not None
        self._has_elements = any(each.tensor.storage in (Storage.BATCHED, Storage.GROUPED) for each in plan.buffers)
        self._tensors, self._body = plan.tensors, list[yir.Instruction]()
        self._names = Names((*self._tensors, *(scalar.name for scalar in plan.scalars), *taken))
        self._memrefs: dict[str, yir.Operand] = {}
        self._narrow: dict[str, yir.Operand] = {}
        self._allocated: dict[str, yir.Local] = {}
        self._views: dict[tuple[str, tuple[yir.Position | yir.Slice, ...]], yir.Operand] = {}
        self._scalars: dict[tuple[Coefficient, ElementType], yir.Scalar] = {}

    def function(self) -> yir.Function:
        """The whole function."""
        plan = self._plan
        arguments = [buffer.tensor for buffer in plan.buffers if not buffer.is_temporary]
        used = [each.tensor for each in plan.buffers if not each.is_temporary and each.first is not None]
        elsewhere = of_other_elements(plan)
        for tensor in used:
            if tensor.name not in elsewhere:
                self._enter(tensor)
        numbers = {view.buffer for step in plan.steps for view in (*step.operands, step.target)}
        narrow = [each for each in used if each.memory is not None and each.name in numbers]
        wide = [each for each in map(self._widen, narrow) if each]
        begins, ends = _grouped(plan, lambda buffer: buffer.first), _grouped(plan, lambda buffer: buffer.last)
        for number, step in enumerate(plan.steps):
            self._allocate(begins.get(number, ()))
            self._step(step)
            self._release(ends.get(number, ()))
        for tensor in used:
            if tensor.name in self._narrow and any(step.target.buffer == tensor.name for step in plan.steps):
                self._copy(self._memrefs[tensor.name], self._narrow[tensor.name], tensor)
        declared = [_argument(tensor) for tensor in arguments]
        declared += [each.widened for each in wide]
        declared += [
            yir.Argument(yir.Local(scalar.name), scalar.element_type, scalar.origin) for scalar in plan.scalars
        ]
        facts = [fact for tensor in arguments for fact in (*_facts(tensor), *indices_of(tensor, self._whole))]
        facts += [each.with_modes(lambda name: self._tensors[name].modes_by_stride) for each in plan.scatters]
        limits = tuple(Limit(size.name, size.least, size.most, size.hint) for size in plan.sizes)
        names = [each.widened.name.name for each in wide]
        before = plan.prologue
        prologue = None if before is None else _Emission(before, before=plan, taken=names).function()
        prologue = with_widenings(prologue, wide, plan)
        return yir.Function(plan.name, tuple(declared), tuple(self._body), tuple(facts), limits, prologue, plan.origin)

    def _enter(self, tensor: Tensor) -> None:
        """Make an argument's memref known."""
        local = yir.Local(tensor.name)
        type_ = _argument_type(tensor)
        if isinstance(type_, yir.GroupType):
            group, local = local, yir.Local(self._names.like(f"{tensor.name}_item"))
            self._body.append(yir.GetWorkItem(local, group, None, None, type_, tensor.origin))
        self._memrefs[tensor.name] = yir.Operand(local, _in_memory(tensor))

    def _widen(self, tensor: Tensor) -> Widening | None:
        """Another memref, in the type that is computed with; one for all elements is written by the prologue."""
        narrow = self._narrow[tensor.name] = self._memrefs[tensor.name]
        local = yir.Local(self._names.like(f"{tensor.name}_wide"))
        memref = _memref(tensor.packed(tensor.modes_by_stride, for_largest=False))
        wide = self._memrefs[tensor.name] = yir.Operand(local, memref)
        if tensor.storage is Storage.CONSTANT and not self._is_prologue and self._has_elements:
            copy = copied(narrow, wide, tensor.origin)
            return Widening(_argument(tensor), yir.Argument(local, memref, tensor.origin), copy, _facts(tensor))
        self._body.append(yir.Alloca(local, memref, tensor.origin))
        if not self._is_overwritten(tensor):
            self._copy(narrow, wide, tensor)
        return None

    def _is_overwritten(self, tensor: Tensor) -> bool:
        """True if the first step that knows the tensor writes all of it and reads nothing of it."""
        for step in self._plan.steps:
            if any(view.buffer == tensor.name for view in step.operands):
                return False
            if step.target.buffer == tensor.name:
                parts = (_part(step.target, mode, step.space.extents) for mode in range(tensor.order))
                is_whole = tuple(parts) == tuple(yir.Slice(0, without_limits(size)) for size in tensor.shape)
                is_diagonal = len(set(step.target.parts)) < tensor.order
                return is_whole and not is_diagonal and step.beta == Number(0)
        return False

    def _copy(self, source: yir.Operand, target: yir.Operand, tensor: Tensor) -> None:
        self._body.append(copied(source, target, tensor.origin))

    def _allocate(self, buffers: Iterable[Buffer]) -> None:
        for buffer in buffers:
            tensor = buffer.tensor
            origin = self._origin(buffer)
            name, memref = tensor.name, _memref(tensor)
            room = _memref(replace(tensor, shape=tuple(map(capacity, tensor.shape))))
            self._allocated[name] = yir.Local(name if room == memref else self._names.like(f"{name}_room"))
            self._body.append(yir.Alloca(self._allocated[name], room, origin))
            self._memrefs[name] = yir.Operand(yir.Local(name), memref)
            if room != memref:
                parts = tuple(yir.Slice(0, size) for size in memref.shape)
                view = yir.Subview(yir.Local(name), self._allocated[name], parts, room, memref, origin)
                self._body.append(view)

    def _release(self, buffers: Iterable[Buffer]) -> None:
        for buffer in buffers:
            origin = self._origin(buffer)
            self._body.append(yir.LifetimeStop(self._allocated[buffer.tensor.name], origin))

    def _origin(self, buffer: Buffer) -> Origin:
        """A temporary of the planner came from the statement that it is first used for."""
        first = () if buffer.first is None else self._plan.steps[buffer.first].statement
        return buffer.tensor.origin or first

    def _step(self, step: Step) -> None:
        origin = step.origin
        element = self._tensors[step.target.buffer].element_type
        alpha = self._scalar(step.alpha, element)
        beta = self._scalar(step.beta, element)
        operands = [self._view(view, step) for view in step.operands]
        c = self._view(step.target, step)
        maps = [self._indices(view) for view in (*step.operands, step.target)]
        match step.kind:
            case StepKind.ELEMENTWISE:
                self._elementwise(step, operands, c)
            case StepKind.GATHER | StepKind.SCATTER:
                self._gather(step, c)
            case StepKind.FILL:
                self._body.append(yir.Fill(alpha, beta, c, origin))
            case StepKind.AXPBY:
                self._body.append(yir.Axpby(yir.UnaryMap(maps[0], maps[1]), alpha, operands[0], beta, c, origin))
            case StepKind.BROADCAST:
                self._broadcast(yir.Broadcast(yir.UnaryMap(maps[0], maps[1]), alpha, operands[0], beta, c, origin))
            case StepKind.SUM:
                self._body.append(yir.Sum(yir.UnaryMap(maps[0], maps[1]), alpha, operands[0], beta, c, origin))
            case StepKind.PRODUCT:
                map_ = yir.BinaryMap(maps[0], maps[1], maps[2])
                self._body.append(yir.Product(map_, alpha, operands[0], operands[1], beta, c, origin))
            case StepKind.LOG:
                loops = loops_over_gemm(step, self._tensors, self._plan.machine)
                left, right, target = (log_entries(names, loops) for names in maps)
                log_map = yir.LogMap(left, right, target)
                self._body.append(yir.Log(log_map, alpha, operands[0], operands[1], beta, c, origin))

    def _elementwise(self, step: Step, operands: list[yir.Operand], c: yir.Operand) -> None:
        """The instruction of a step with a payload."""
        element = self._tensors[step.target.buffer].element_type
        *sources, target = (self._indices(view) for view in (*step.operands, step.target))
        payload = mapped(step.payload or Payload(), lambda coefficient: self._scalar(coefficient, element))
        alpha, beta = self._scalar(step.alpha, element), self._scalar(step.beta, element)
        map_ = yir.ElementwiseMap(tuple(sources), target)
        self._body.append(yir.Elementwise(map_, step.combiner, payload, alpha, tuple(operands), beta, c, step.origin))

    def _gather(self, step: Step, c: yir.Operand) -> None:
        """The instruction of a step that reads where integers say."""

        def entry(view: View) -> yir.Entry:
            return yir.Entry(self._view(view, step, is_stored=True), self._indices(view))

        def source(tensor: Tensor) -> yir.Source:
            if step.gathering is not None and step.gathering.element is not None:
                return yir.Source(yir.Local(tensor.name), group_type(tensor, _argument_type(tensor)))
            return yir.Source(self._memrefs[tensor.name].value, self._memrefs[tensor.name].type)

        gather = gather_of(step, self._tensors, entry, source, self._indices(step.target), c)
        self._body += as_stored(gather, self._names)

    def _broadcast(self, broadcast: yir.Broadcast) -> None:
        """The instruction; an index that stands more often than the instruction allows becomes a loop around it."""
        source, target = broadcast.map.source, broadcast.map.target
        crowded = next((index for index in target if max(source.count(index), target.count(index)) > 2), None)
        if crowded is None:
            self._body.append(broadcast)
            return
        outside, self._body = self._body, []
        variable = yir.Local(self._names.like(crowded))
        map_ = yir.UnaryMap(tuple(i for i in source if i != crowded), tuple(i for i in target if i != crowded))
        a = self._at(broadcast.a, source, crowded, variable, broadcast.origin)
        b = self._at(broadcast.b, target, crowded, variable, broadcast.origin)
        self._broadcast(replace(broadcast, map=map_, a=a, b=b))
        extent = broadcast.b.type.shape[target.index(crowded)]
        outside.append(yir.For(variable, ElementType.I64, 0, extent, tuple(self._body), broadcast.origin))
        self._body = outside

    def _at(
        self, operand: yir.Operand, indices: IndexMap, index: str, position: yir.Local, origin: Origin
    ) -> yir.Operand:
        """The operand with the modes of an index held at a position."""
        if index not in indices:
            return operand
        parts = tuple(
            yir.Position(position, ElementType.I64) if name == index else yir.Slice(0, size)
            for name, size in zip(indices, operand.type.shape, strict=True)
        )
        return self._subview(operand, parts, origin)

    # -- views ---------------------------------------------------------------------------------------------------------

    def _indices(self, view: View) -> IndexMap:
        """The indices of a view in the order of memory."""
        parts = [view.parts[mode] for mode in self._tensors[view.buffer].modes_by_stride]
        return tuple(part.index for part in parts if isinstance(part, cg.Along))

    def _view(self, view: View, step: Step, *, is_stored: bool = False) -> yir.Operand:
        """The memref of a view: the buffer itself if the view is all of it; as it `is_stored`, or as numbers."""
        tensor = self._tensors[view.buffer]
        memref = (self._narrow if is_stored and view.buffer in self._narrow else self._memrefs)[view.buffer]
        extents = step.space.extents
        parts = tuple(_part(view, mode, extents) for mode in tensor.modes_by_stride)
        if parts == tuple(yir.Slice(0, size) for size in memref.type.shape):
            return memref
        if (memref.value.name, parts) not in self._views:
            self._views[memref.value.name, parts] = self._subview(memref, parts, step.origin)
        return self._views[memref.value.name, parts]

    def _subview(self, memref: yir.Operand, parts: tuple[yir.Position | yir.Slice, ...], origin: Origin) -> yir.Operand:
        type_ = _subview_type(memref.type, parts)
        local = yir.Local(self._names.like("view"))
        self._body.append(yir.Subview(local, memref.value, parts, memref.type, type_, origin))
        return yir.Operand(local, type_)

    # -- scalars -------------------------------------------------------------------------------------------------------

    def _scalar(self, coefficient: Coefficient, element: ElementType) -> yir.Scalar:
        """The coefficient as a constant or a value; equal ones are computed once."""
        key = (coefficient, element)
        if key not in self._scalars:
            self._scalars[key] = self._computed(coefficient, element)
        return self._scalars[key]

    def _computed(self, coefficient: Coefficient, element: ElementType) -> yir.Scalar:
        match coefficient:
            case Number(value=value):
                return yir.Constant(wrapped(value, element) if element.is_integer else float(value))
            case ScalarUse(name=name):
                return yir.Local(name)
            case ScalarPower(base=base, exponent=exponent):
                return self._scalar(_without_powers(base, exponent), element)
            case ScalarOperation(operator=operator, left=left, right=right, origin=origin):
                operands = self._scalar(left, element), self._scalar(right, element)
                local = yir.Local(self._names.like("s"))
                kind = yir.ArithOperator(operator.name.lower())
                self._body.append(yir.Arith(local, kind, *operands, element, origin))
                return local


def _part(view: View, mode: int, extents: Mapping[str, Extent]) -> yir.Position | yir.Slice:
    match view.parts[mode]:
        case cg.Along(index=index, offset=offset):
            return yir.Slice(offset, without_limits(offset + extents[index]))
        case cg.At(position=position):
            return yir.Position(position)


def _subview_type(memref: yir.MemrefType, parts: Sequence[yir.Position | yir.Slice]) -> yir.MemrefType:
    """The type of a view: a mode for each slice, with the stride that it had."""
    shape, strides = [], []
    for part, stride in zip(parts, memref.strides, strict=True):
        if isinstance(part, yir.Slice) and part.start is not None and part.stop is not None:
            shape.append(part.stop - part.start)
            strides.append(stride)
    return yir.MemrefType(memref.element, tuple(shape), tuple(strides))


def log_entries(indices: IndexMap, loops: LoopsOverGemm) -> tuple[yir.MapEntry, ...]:
    """The indices of an operand of `log` with their modifiers."""
    entries: list[yir.MapEntry] = []
    for index in indices:
        group = next((group for group in (loops.m, loops.n, loops.k) if index in group), ())
        if index in loops.loops:
            entries.append(yir.Looped(index))
        elif len(group) == 1:
            entries.append(yir.Plain(index))
        elif index == group[0]:
            entries.append(yir.Fused(group))
    return tuple(entries)


def _without_powers(base: Coefficient, exponent: int) -> Coefficient:
    """`base ** exponent` by squaring."""
    if exponent < 0:
        return ScalarOperation(ScalarOperator.DIV, ONE, _without_powers(base, -exponent))
    if exponent == 0:
        return ONE
    if exponent == 1:
        return base
    half = _without_powers(base, exponent // 2)
    square = ScalarOperation(ScalarOperator.MUL, half, half)
    return square if exponent % 2 == 0 else ScalarOperation(ScalarOperator.MUL, square, base)


def _argument(tensor: Tensor) -> yir.Argument:
    return yir.Argument(yir.Local(tensor.name), _argument_type(tensor), tensor.origin)


def _argument_type(tensor: Tensor) -> yir.Type:
    """A group for what is one per work item."""
    match tensor.storage:
        case Storage.BATCHED:
            if tensor.batch_after is not None:
                return yir.GroupType(_in_memory(tensor), yir.After(tensor.batch_after))
            return yir.GroupType(_in_memory(tensor), yir.Distance(without_limits(tensor.distance)))
        case Storage.GROUPED:
            return yir.GroupType(_in_memory(tensor), yir.Pointers())
        case Storage.CONSTANT | Storage.TEMPORARY:
            return _in_memory(tensor)


def _in_memory(tensor: Tensor) -> yir.MemrefType:
    return replace(_memref(tensor), element=tensor.memory or tensor.element_type)


def _memref(tensor: Tensor) -> yir.MemrefType:
    modes = tensor.modes_by_stride
    shape = tuple(map(without_limits, map(tensor.shape.__getitem__, modes)))
    strides = tuple(map(without_limits, map(tensor.strides.__getitem__, modes)))
    return yir.MemrefType(tensor.element_type, shape, strides)


def _facts(tensor: Tensor) -> list[yir.Fact]:
    """How the memref's modes and entries relate to the tensor's, where that is not obvious."""
    facts: list[yir.Fact] = []
    modes = tensor.modes_by_stride
    if modes != tuple(range(tensor.order)):
        facts.append(Modes(tensor.name, modes))
    if tensor.nonzeros is not None:
        facts.append(Nonzeros(tensor.name, tensor.nonzeros.transposed(modes).runs()))
    if tensor.values is not None:
        facts.append(Values(tensor.name, _known_entries(tensor.values, tensor, modes)))
    return facts


def _known_entries(values: tuple[float, ...], tensor: Tensor, modes: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    """The values that are not zero, by their packed column-major position in the memref."""
    array = np.array(values, dtype_of(tensor.element_type)) if tensor.element_type.is_integer else np.array(values)
    flat = array.reshape(static_shape(tensor.shape), order="F").transpose(modes).ravel(order="F")
    return tuple((int(position), (flat[position] + 0).item()) for position in np.flatnonzero(flat))

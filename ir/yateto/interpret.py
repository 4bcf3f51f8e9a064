"""The meaning of the YATeTo immediate language: plain NumPy, slow and obvious."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from math import prod
from string import ascii_letters
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.binding import bound, shown_sizes
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label, Origin
from einsum_front.core.extent import Extent, Polynomial, static, static_shape
from einsum_front.core.functions import reduced
from einsum_front.core.numbers import bounds, dtype_of, is_bf16, number_in
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.payload import value_of
from einsum_front.core.scattered import Scatter, add
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.traverse import accesses, moved_groups, owned_memory

Array = NDArray[Any]
Value = Array | Sequence[Array] | np.generic | int
Values = dict[str, Value]
Shape = tuple[int, ...]


def interpret(function: yir.Function, arguments: Mapping[str, object], batch: int) -> None:
    """Run a function that `verify` accepts for the work items 0, …, batch - 1; memrefs are updated in place.

    `arguments` by name without `%`: a memref is an array of its shape, with any strides; a group is an array of shape
    (batch, *shape) or a sequence of `batch` arrays; a scalar is a number. A group that some `get_work_item` takes with
    an offset is memory instead, because the offset may lead anywhere in it: one flat array of all work items for
    `distance`, a flat array for each work item for `pointers`. If β is 0, the target is not read; memory from `alloca`
    starts as NaN. What is `scattered` is no argument:
    it is added after all work items. The prologue runs first, on arrays of zeros for what it writes. Sizes are
    those of the arrays. Raises CompileError (E0451) where an argument leads outside of a mode or of memory.
    """
    if function.prologue is not None:
        owned = {
            name: np.zeros(static_shape(memref.shape), _numpy_name(memref.element))
            for name, memref in owned_memory(function.prologue).items()
        }
        arguments = {**arguments, **owned}
        interpret(function.prologue, arguments, 1)
    moved = moved_groups(function)
    scatters = [fact for fact in function.facts if isinstance(fact, Scatter)]
    given = [a for a in function.arguments if a.name.name not in {*moved, *(each.source for each in scatters)}]
    shapes = (shape for a in given for shape in _shapes(a.type, arguments[a.name.name], batch))
    function = bound(function, shown_sizes(shapes))
    types = {argument.name.name: argument.type for argument in function.arguments}
    added = {each.source: _zeros(types[each.source], batch) for each in scatters}
    arguments = {**arguments, **added}
    with np.errstate(all="ignore"):
        for item in range(batch):
            values: Values = {
                argument.name.name: _argument_value(argument.type, arguments[argument.name.name])
                for argument in function.arguments
            }
            _Frame(item, values, moved).run(function.body)
    for each in scatters:
        add(each, added[each.source], arguments)


def _zeros(type_: yir.Type, batch: int) -> Array:
    """What all elements have of a group."""
    memref = cast(yir.GroupType, type_).memref
    return np.zeros((batch, *static_shape(memref.shape)), _numpy_name(memref.element))


def _shapes(type_: object, value: object, batch: int) -> Iterator[tuple[tuple[Extent, ...], Shape]]:
    """The shape of a memref, and that of the array: of the first work item where there is one for each."""
    match type_:
        case yir.MemrefType(shape=shape):
            yield shape, np.shape(cast(Array, value))
        case yir.GroupType(memref=yir.MemrefType(shape=shape)) if batch and any(
            isinstance(s, Polynomial) for s in shape
        ):
            yield shape, np.shape(cast(Sequence[Array], value)[0])


def _argument_value(type_: object, value: object) -> Value:
    if isinstance(type_, ElementType):
        return cast(np.generic, number_in(value, np.dtype(_numpy_name(type_))))
    return cast(Value, value)


def _numpy_name(type_: ElementType) -> str:
    return "bfloat16" if type_ is ElementType.BF16 else dtype_of(type_).name


def _unwritten(memref: yir.MemrefType) -> Array:
    """Memory that holds NaN, or large integers where the type has no NaN."""
    array = np.empty(static_shape(memref.shape), _numpy_name(memref.element))
    array[...] = number_in(bounds(memref.element)[1], array.dtype) if memref.element.is_integer else np.nan
    return array


class _Frame:
    """The values of one work item."""

    def __init__(self, item: int, values: Values, moved: frozenset[str]) -> None:
        self._item = item
        self._values = values
        self._moved = moved

    def run(self, region: yir.Region) -> None:
        """Run the instructions one after the other."""
        for instruction in region:
            match instruction:
                case yir.Alloca(result=result, type=memref):
                    self._values[result.name] = _unwritten(memref)
                case yir.GetWorkItem(result=result):
                    self._values[result.name] = self._work_item(instruction)
                case yir.Subview(result=result, operand=operand, parts=parts):
                    sizes = static_shape(instruction.from_type.shape)
                    selection = tuple(map(self._selected, parts, sizes, repeat(instruction)))
                    self._values[result.name] = self._memref(operand)[(*selection, ...)]
                case yir.Arith(result=result):
                    self._values[result.name] = self._arith(instruction)
                case yir.For(variable=variable, start=start, stop=stop, body=body):
                    for value in range(start, static(stop)):
                        self._values[variable.name] = value
                        self.run(body)
                case yir.Axpby() | yir.Log() | yir.Product() | yir.Sum() | yir.Broadcast() | yir.Fill():
                    self._assign(instruction)
                case yir.Elementwise():
                    self._elementwise(instruction)
                case yir.Gather():
                    self._gather(instruction)
                case yir.Barrier() | yir.LifetimeStop():
                    pass

    def _assign(self, operation: yir.Axpby | yir.Log | yir.Product | yir.Sum | yir.Broadcast | yir.Fill) -> None:
        """`target := alpha * sum of the product of the other operands + beta * target`."""
        *sources, (target, indices) = accesses(operation)
        left = tuple(dict.fromkeys(indices))
        view = _entries(self._memref(target.value), indices, left)
        like = _widened(view)
        operands = [(_as_computed(self._memref(source.value), like), names) for source, names in sources]
        value = self._scalar(operation.alpha, like.dtype) * _contracted(operands, left, like)
        beta = self._scalar(operation.beta, like.dtype)
        if beta != 0:
            value = value + beta * view
        view[...] = value

    def _elementwise(self, instruction: yir.Elementwise) -> None:
        """`target := alpha * payload + beta * target`, the largest or smallest payload where there is a combiner."""
        *sources, (target, indices) = accesses(instruction)
        view = self._memref(target.value)
        reduced_over = tuple(dict.fromkeys(name for _, names in sources for name in names if name not in indices))
        entries = [_aligned(self._memref(of.value), names, indices + reduced_over) for of, names in sources]
        payload = value_of(instruction.payload, entries, lambda each: np.asarray(self._scalar(each, view.dtype)))
        if instruction.combiner is not None:
            payload = np.broadcast_to(payload, np.broadcast_shapes(*(entry.shape for entry in entries)))
            axes = tuple(range(len(indices), len(indices) + len(reduced_over)))
            payload = reduced(instruction.combiner, payload, axes)
        value = self._scalar(instruction.alpha, view.dtype) * payload
        beta = self._scalar(instruction.beta, view.dtype)
        view[...] = value if beta == 0 else value + beta * view

    def _gather(self, gather: yir.Gather) -> None:
        """Entry by entry: the integers at the place, then the source there."""
        target = self._memref(gather.c.value)
        for place in np.ndindex(target.shape):
            at = dict(zip(gather.map.target, place, strict=True))
            said = {id(entry): self._said(entry, at) for entry in gather.map.entries}
            if any(number < 0 for number in said.values()):
                target[place] = target[place] if gather.adds else 0
                continue
            chosen = 0 if gather.map.member is None else said[id(gather.map.member)]
            if chosen >= len(gather.sources):
                raise _undefined(f"there is no source {chosen} among {len(gather.sources)}", gather.origin)
            source = self._source(gather, chosen, said)
            position = tuple(
                said[id(each)] if isinstance(each, yir.Entry) else at[each] if isinstance(each, str) else each
                for each in gather.map.places
            )
            if any(number >= size for number, size in zip(position, source.shape, strict=True)):
                raise _undefined(f"position {position} is outside of a tensor of {source.shape}", gather.origin)
            if gather.adds:
                source[position] += target[place]
            else:
                target[place] = source[position]

    def _said(self, entry: yir.Entry, at: Mapping[str, int]) -> int:
        return int(self._memref(entry.integers.value)[tuple(at[name] for name in entry.indices)])

    def _source(self, gather: yir.Gather, chosen: int, said: Mapping[int, int]) -> Array:
        value = self._values[gather.sources[chosen].value.name]
        if gather.map.element is None:
            return cast(Array, value)
        group, item = cast(Sequence[Array] | Array, value), said[id(gather.map.element)]
        if item >= len(group):
            raise _undefined(f"there is no work item {item} among {len(group)}", gather.origin)
        return group[item, ...] if isinstance(group, np.ndarray) else group[item]

    def _work_item(self, instruction: yir.GetWorkItem) -> Array:
        group = self._values[instruction.group.name]
        if instruction.group.name not in self._moved:
            return group[self._item, ...] if isinstance(group, np.ndarray) else cast(Sequence[Array], group)[self._item]
        offset = 0 if instruction.offset is None else self._integer(instruction.offset)
        return _item_in_memory(group, self._item, instruction, offset)

    def _selected(self, part: yir.Position | yir.Slice, size: int, subview: yir.Subview) -> int | slice:
        if isinstance(part, yir.Slice):
            return slice(part.start, None if part.stop is None else static(part.stop))
        index = self._integer(part.index) if isinstance(part.index, yir.Local) else part.index
        if not 0 <= index < size:
            raise _undefined(f"position {index} is outside of a mode of size {size}", subview.origin)
        return index

    def _arith(self, instruction: yir.Arith) -> np.generic:
        dtype = np.dtype(_numpy_name(instruction.type))
        left, right = self._scalar(instruction.left, dtype), self._scalar(instruction.right, dtype)
        match instruction.operator:
            case yir.ArithOperator.ADD:
                return cast(np.generic, left + right)
            case yir.ArithOperator.SUB:
                return cast(np.generic, left - right)
            case yir.ArithOperator.MUL:
                return cast(np.generic, left * right)
            case yir.ArithOperator.DIV:
                return cast(np.generic, left / right)

    def _scalar(self, scalar: yir.Scalar, dtype: np.dtype[Any]) -> Any:
        match scalar:
            case yir.Local(name=name):
                return self._values[name]
            case yir.Constant(value=value):
                return number_in(value, dtype)

    def _integer(self, local: yir.Local) -> int:
        return int(cast(int, self._values[local.name]))

    def _memref(self, local: yir.Local) -> Array:
        return cast(Array, self._values[local.name])


def _entries(array: Array, indices: yir.Indices, distinct: yir.Indices) -> Array:
    """A writable view with one mode for each distinct index; an index that stands twice walks the diagonal."""
    if indices == distinct:
        return array
    letter = _letters(distinct)
    return cast(Array, numpy_einsum(f"{_subscript(indices, letter)}->{_subscript(distinct, letter)}", array))


def _aligned(array: Array, indices: yir.Indices, target: yir.Indices) -> Array:
    """The array with a mode for each index of `target`, of size 1 for those that it lacks."""
    present = [name for name in target if name in indices]
    moved = array.transpose(*(indices.index(name) for name in present))
    return moved[(*(slice(None) if name in indices else np.newaxis for name in target), ...)]


def _contracted(operands: list[tuple[Array, yir.Indices]], target: yir.Indices, like: Array) -> Array:
    """The sum of the products of the operands' entries over the indices that `target` lacks, broadcast to `target`."""
    operands = [(np.ones(like.shape, like.dtype), target), *operands]
    letter = _letters(tuple(name for _, indices in operands for name in indices))
    subscripts = ",".join(_subscript(indices, letter) for _, indices in operands)
    arrays = [array for array, _ in operands]
    return cast(Array, numpy_einsum(f"{subscripts}->{_subscript(target, letter)}", *arrays))


def _letters(names: yir.Indices) -> dict[str, str]:
    return dict(zip(dict.fromkeys(names), ascii_letters, strict=False))


def _widened(memory: Array) -> Array:
    """The numbers in a type to compute with."""
    return memory.astype(np.float32) if is_bf16(memory.dtype) else memory


def _as_computed(memory: Array, like: Array) -> Array:
    """What is read, in the type of integers that is computed with: others would become f64."""
    return memory.astype(like.dtype, copy=False) if like.dtype.kind in "iub" else _widened(memory)


def _subscript(indices: yir.Indices, letter: dict[str, str]) -> str:
    return "".join(letter[name] for name in indices)


def _item_in_memory(memory: object, item: int, instruction: yir.GetWorkItem, offset: int) -> Array:
    shape = static_shape(instruction.type.memref.shape)
    match instruction.type.layout:
        case yir.Distance(elements=elements):
            flat, start = cast(Array, memory), item * static(elements) + offset
        case yir.Pointers():
            flat, start = cast(Sequence[Array], memory)[item], offset
        case yir.After():
            raise CompilerBug("items among their modes, which are taken with an offset")
    stop = start + prod(shape)
    if start < 0 or stop > flat.shape[0]:
        message = f"work item {item} at offset {offset} leaves its memory of {flat.shape[0]} elements"
        raise _undefined(message, instruction.origin)
    return flat[start:stop].reshape(shape, order="F")


def _undefined(message: str, origin: Origin) -> CompileError:
    return CompileError([Diagnostic("E0451", message, tuple(Label(span) for span in origin[:1]))])

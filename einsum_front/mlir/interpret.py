"""What functions mean, in NumPy: slow and plain.

    results = interpret(module, "f", [a, b])

Tensors are arrays that nobody changes, memrefs arrays that are changed in place. A view shares memory with its source.
"""

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.scalars import DTYPES, compute
from einsum_front.mlir.strides import dropped_modes
from einsum_front.mlir.tpp.expand import expanded
from einsum_front.mlir.verify.structured import alone

Array = NDArray[np.generic]
Environment = dict[str, Array]


def interpret(module: mlir.Module, name: str, arguments: Sequence[object]) -> tuple[Array, ...]:
    """Runs a function on arrays of the types of its arguments; memrefs are changed in place.

    Raises `CompileError` (E0815) where sizes that are known now do not fit.
    """
    functions = {function.name: function for function in expanded(module).functions}
    return _run(functions[name], [np.asarray(each) for each in arguments], functions)


def _run(function: mlir.Function, arguments: Sequence[Array], functions: dict[str, mlir.Function]) -> tuple[Array, ...]:
    if function.body is None:
        raise CompilerBug(f"`{function.name}` has no body to run")
    environment = {each.name: value for each, value in zip(function.arguments, arguments, strict=True)}
    return _operations(function.body, environment, functions)


def _operations(
    operations: Sequence[mlir.Operation], environment: Environment, functions: dict[str, mlir.Function]
) -> tuple[Array, ...]:
    for operation in operations:
        if isinstance(operation, mlir.Return):
            return tuple(environment[each.name] for each in operation.values)
        _operation(operation, environment, functions)
    return ()


def _operation(  # noqa: C901 - a case for each node
    operation: mlir.Operation, environment: Environment, functions: dict[str, mlir.Function]
) -> None:
    match operation:
        case mlir.Literal(result=result, value=value):
            environment[result.name] = _literal(result, value)
        case mlir.Scalar(result=result, name=name, operands=operands, predicate=predicate):
            values = [environment[each.name] for each in operands]
            environment[result.name] = compute(name, predicate, values, _scalar(result))
        case mlir.Structured():
            _structured(operation, environment)
        case mlir.Allocate(result=result, sizes=sizes):
            shape = _shape(result, [int(environment[each.name]) for each in sizes])
            environment[result.name] = np.zeros(shape, DTYPES[result.element])
        case mlir.Slice(result=result, source=source):
            environment[result.name] = _slice(operation, environment[source.name], environment)
        case mlir.InsertSlice(result=result, source=source, target=target):
            whole = environment[target.name].copy()
            part = _slice(operation, whole, environment)
            part[...] = environment[source.name].reshape(part.shape)
            environment[result.name] = whole
        case mlir.Reshape(result=result, source=source):
            environment[result.name] = _reshape(operation, environment[source.name], environment)
        case mlir.Permute(result=result, source=source, permutation=permutation):
            environment[result.name] = environment[source.name].transpose(permutation)
        case mlir.Cast(result=result, source=source):
            environment[result.name] = environment[source.name]
        case mlir.Extent(result=result, source=source, mode=mode):
            extent = environment[source.name].shape[int(environment[mode.name])]
            environment[result.name] = np.asarray(extent, np.int64)
        case mlir.Copy(source=source, target=target):
            environment[target.name][...] = environment[source.name]
        case mlir.For():
            _loop(operation, environment, functions)
        case mlir.Call(callee=callee, operands=operands, results=results):
            given = [environment[each.name] for each in operands]
            values_ = _run(functions[callee], given, functions)
            environment.update({each.name: value for each, value in zip(results, values_, strict=True)})
        case mlir.Free() | mlir.Return():
            pass
        case mlir.Primitive() | mlir.Group() | mlir.Pack():
            raise CompilerBug("there are no primitives left in an expanded module")


def _loop(loop: mlir.For, environment: Environment, functions: dict[str, mlir.Function]) -> None:
    start, stop, step = (int(environment[each.name]) for each in (loop.start, loop.stop, loop.step))
    carried = [environment[each.name] for each in loop.initial]
    for position in range(start, stop, max(step, 1)):
        inner = dict(environment)
        inner[loop.variable.name] = np.asarray(position, np.int64)
        inner.update({each.name: value for each, value in zip(loop.carried, carried, strict=True)})
        _operations(loop.body, inner, functions)
        carried = [inner[each.name] for each in loop.yields]
    environment.update({each.name: value for each, value in zip(loop.results, carried, strict=True)})


def _literal(result: mlir.Value, value: int | float | tuple[float, ...]) -> Array:
    dtype = DTYPES[result.element]
    if isinstance(value, tuple) and result.element.part is not None:
        numbers = np.array(value, DTYPES[result.element.part]).view(dtype)
        shape = [size or 1 for size in result.shape]
        return np.broadcast_to(numbers[0], shape).copy() if len(numbers) == 1 else numbers.reshape(shape)
    if not isinstance(result.type, mlir.ScalarType):
        shape = [size or 1 for size in result.type.shape]
        if isinstance(value, tuple):
            return np.array(value, dtype).reshape(shape)
        return np.full(shape, value, dtype)
    return np.asarray(value, dtype)


def _scalar(value: mlir.Value) -> mlir.ScalarType:
    if not isinstance(value.type, mlir.ScalarType):
        raise CompilerBug(f"`%{value.name}` is no number")
    return value.type


def _shape(value: mlir.Value, sizes: Sequence[int]) -> tuple[int, ...]:
    if not isinstance(value.type, mlir.TensorType | mlir.MemrefType):
        raise CompilerBug(f"`%{value.name}` is a number")
    left = list(sizes)
    return tuple(left.pop(0) if size is None else size for size in value.type.shape)


def _numbers(numbers: Sequence[mlir.Number], environment: Environment) -> list[int]:
    return [each if isinstance(each, int) else int(environment[each.name]) for each in numbers]


def _slice(operation: mlir.Slice | mlir.InsertSlice, whole: Array, environment: Environment) -> Array:
    """The part of an array as a view, without the modes that the slice leaves out."""
    offsets, sizes, strides = (
        _numbers(each, environment) for each in (operation.offsets, operation.sizes, operation.strides)
    )
    if any(stride < 1 for stride in strides):
        raise _unfit(f"a slice takes steps of {strides}", operation)
    ranges = tuple(
        slice(offset, offset + (size - 1) * stride + 1, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=True)
    )
    part = whole[ranges]
    if part.shape != tuple(sizes) or any(offset < 0 for offset in offsets):
        shown = f"offsets {offsets}, sizes {sizes} and steps {strides}"
        raise _unfit(f"the slice of {shown} leaves an array of shape {list(whole.shape)}", operation)
    typed = operation.result if isinstance(operation, mlir.Slice) else operation.source
    if isinstance(typed.type, mlir.ScalarType):
        raise CompilerBug("a slice is no number")
    static = tuple(each if isinstance(each, int) else None for each in operation.sizes)
    dropped = dropped_modes(static, typed.type.shape) or ()
    return part[
        (*(0 if mode in dropped else slice(None) for mode in range(part.ndim)), ...)
    ]  # also of one entry, a view


def _reshape(operation: mlir.Reshape, source: Array, environment: Environment) -> Array:
    if not operation.is_expansion:
        shape = [prod(source.shape[mode] for mode in group) for group in operation.groups]
    else:
        shape = _numbers(operation.sizes, environment)
        type_ = operation.result.type
        if isinstance(type_, mlir.TensorType | mlir.MemrefType) and len(shape) < len(type_.shape):
            rest = (source.shape[at] // prod(type_.shape[n] or 1 for n in g) for at, g in enumerate(operation.groups))
            shape = [type_.shape[n] or whole for g, whole in zip(operation.groups, rest, strict=True) for n in g]
    if prod(shape) != source.size:
        raise _unfit(f"an array of shape {source.shape} is made one of shape {tuple(shape)}", operation)
    return source.reshape(shape)


def _unfit(message: str, operation: mlir.Operation) -> CompileError:
    return CompileError([mistake("E0815", message, operation.origin)])


# -- structured operations ---------------------------------------------------------------------------------------------


def _structured(operation: mlir.Structured, environment: Environment) -> None:
    inputs = [environment[each.name] for each in operation.inputs]
    outputs = [environment[each.name] for each in operation.outputs]
    if operation.results:
        outputs = [each.copy() for each in outputs]
    else:  # what is read is what was there before
        inputs = [each.copy() if any(np.may_share_memory(each, out) for out in outputs) else each for each in inputs]
    _nest(operation, [*inputs, *outputs], environment)
    environment.update({each.name: value for each, value in zip(operation.results, outputs, strict=False)})


def _nest(operation: mlir.Structured, arrays: list[Array], environment: Environment) -> None:
    """All parallel iterations at once, one reduction iteration after the other.

    Parallel iterators that do not walk each output come one after the other too.
    """
    extents = iteration_space(operation, [each.shape for each in arrays])
    outer = set.intersection(*map(alone, operation.maps[len(operation.inputs) :]))
    parallel = [n for n, each in enumerate(operation.iterators) if each is mlir.IteratorType.PARALLEL and n in outer]
    reduced = [n for n in range(len(extents)) if n not in parallel]
    grids = np.ogrid[tuple(slice(extents[n]) for n in parallel)] if parallel else []
    walking: dict[int, Array] = {n: np.asarray(grid) for n, grid in zip(parallel, grids, strict=True)}
    count = len(operation.inputs)
    for point in product(*(range(extents[n]) for n in reduced)):
        at = walking | {n: np.asarray(position) for n, position in zip(reduced, point, strict=True)}
        places = [tuple(_position(linear(each), at) for each in map_.results) for map_ in operation.maps]
        taken = [array[place] for array, place in zip(arrays, places, strict=True)]
        results = _payload(operation, taken, at, environment)
        for array, place, value in zip(arrays[count:], places[count:], results, strict=True):
            array[place] = value


def _position(position: Linear, at: dict[int, Array]) -> Array:
    value: Array = np.asarray(position.constant)
    for iterator, factor in position.factors.items():
        value = value + factor * at[iterator]  # type: ignore[operator]  # these are integers
    return value


def _payload(
    operation: mlir.Structured, taken: list[Array], at: dict[int, Array], environment: Environment
) -> list[Array]:
    payload = operation.payload
    inner = dict(environment)
    inner.update({each.name: value for each, value in zip(payload.arguments, taken, strict=True)})
    for each in payload.operations:
        match each:
            case mlir.Literal(result=result, value=value):
                inner[result.name] = _literal(result, value)
            case mlir.Scalar(result=result, name=name, operands=operands, predicate=predicate):
                values = [inner[value.name] for value in operands]
                inner[result.name] = compute(name, predicate, values, _scalar(result))
            case mlir.IndexOf():
                inner[each.result.name] = at[each.dim]
    return [inner[each.name] for each in payload.yields]


def iteration_space(operation: mlir.Structured, shapes: Sequence[tuple[int, ...]]) -> list[int]:
    """The extent of each iterator, from the operands' shapes. Raises `CompileError` (E0815) if they do not fit."""
    extents: dict[int, int] = {}
    for map_, shape in zip(operation.maps, shapes, strict=True):
        for mode, result in enumerate(map_.results):
            iterator = linear(result).iterator
            if iterator is not None and extents.setdefault(iterator, shape[mode]) != shape[mode]:
                message = f"iterator d{iterator} has extents {extents[iterator]} and {shape[mode]}"
                raise _unfit(message, operation)
    for map_, shape in zip(operation.maps, shapes, strict=True):
        _check_inside(operation, map_, shape, extents)
    return [extents[iterator] for iterator in range(len(operation.iterators))]


def _check_inside(
    operation: mlir.Structured, map_: mlir.AffineMap, shape: tuple[int, ...], extents: dict[int, int]
) -> None:
    for mode, result in enumerate(map_.results):
        position = linear(result)
        if position.least(extents) < 0 or position.most(extents) >= shape[mode]:
            raise _unfit(f"a map leaves mode {mode} of {shape[mode]} positions", operation)

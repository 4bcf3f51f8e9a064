"""The meaning of the contraction graph: plain NumPy, slow and obvious."""

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.binding import bound, shown_sizes
from einsum_front.core.coefficient import evaluate, is_zero
from einsum_front.core.extent import static, static_shape
from einsum_front.core.functions import evaluate as function_value
from einsum_front.core.functions import reduced
from einsum_front.core.numbers import dtype_of, in_parts, number_in
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.scattered import add
from einsum_front.core.storage import Storage
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.index import IndexMap, IterationSpace, names
from einsum_front.ir.tensor import Tensor, pattern_of

Array = NDArray[Any]


def interpret(graph: Graph, arguments: Mapping[str, Array | complex]) -> None:
    """Run a kernel; the assigned arguments change in place.

    `arguments` by name: a batched or grouped tensor is an array (batch, *shape) in the mode order of the text, a
    constant an array of its shape, a scalar a number; complex ones are complex. Entries that a tensor declares to be
    zero are neither read nor written. Tensors with known values need no argument, nor do those that the prologue
    assigns. Sizes are those of the arrays.
    """
    _interpret(graph, _in_parts(graph, arguments))


def _interpret(graph: Graph, arguments: Mapping[str, Array | float]) -> None:
    if graph.prologue is not None:
        owned: dict[str, Array | float] = {
            name: np.zeros(static_shape(tensor.shape), dtype_of(tensor.element_type))
            for name, tensor in graph.prologue.assigned.items()
        }
        arguments = {**arguments, **owned}
        _interpret(graph.prologue, arguments)
    arrays = [(t.shape, np.shape(cast(Array, arguments[t.name]))) for t in graph.arguments if t.name in arguments]
    sizes = shown_sizes(arrays)
    arguments = {**arguments, **_added(graph, arguments, sizes)}
    types = {scalar.name: scalar.element_type for scalar in graph.scalars}
    scalars = {name: number_in(arguments[name], dtype_of(element_type)) for name, element_type in types.items()}
    element = next((dtype_of(tensor.element_type) for tensor in graph.tensors), np.dtype("float64"))
    values: list[Array] = []
    for key, node in graph.nodes:
        operands = [values[operand] for operand in graph.operands(key)]
        if isinstance(node, cg.Gather):  # integers as they are in memory: they are computed with as other numbers
            names_ = [graph.tensor_of(operand).name for operand in graph.operands(key)]
            said = (np.asarray(arguments.get(name, known)) for name, known in zip(names_, operands, strict=True))
            operands = [*operands[: node.sources], *list(said)[node.sources :]]
        values.append(value_of(bound(node, sizes), operands, arguments, scalars, element))
    for name, key in graph.last_versions.items():
        if name in arguments:
            mask = pattern_of(bound(_tensor_of(graph.node(key)), sizes)).array()
            np.copyto(cast(Array, arguments[name]), values[key], casting="unsafe", where=mask)
    for each in graph.scatters:
        named = {name: arguments.get(name, values[graph.leaves[name]]) for name in each.tensors}
        add(each, cast(Array, arguments[each.source]), named)


def _added(graph: Graph, arguments: Mapping[str, Array | float], sizes: Mapping[str, int]) -> dict[str, Array]:
    """Arrays for what elements add to others, which belongs to the kernel."""
    batched = {tensor.name for tensor in graph.arguments if tensor.storage in (Storage.BATCHED, Storage.GROUPED)}
    batch = next((len(cast(Array, each)) for name, each in arguments.items() if name in batched), 1)
    tensors = (_tensor_of(graph.node(graph.last_versions[each.source])) for each in graph.scatters)
    found = (bound(tensor, sizes) for tensor in tensors)
    return {each.name: np.zeros((batch, *static_shape(each.shape)), dtype_of(each.element_type)) for each in found}


def _in_parts(graph: Graph, arguments: Mapping[str, Array | complex]) -> Mapping[str, Array | float]:
    """The arguments as the graph has them: arrays with the parts of complex numbers along a last mode, real scalars."""
    found = {name: in_parts(each) if isinstance(each, np.ndarray) else each for name, each in arguments.items()}
    for pair in pairwise(graph.scalars):
        whole = pair[0].part_of
        if whole in arguments and pair[1].part_of == whole:
            number = complex(cast(complex, arguments[whole]))
            found |= zip((each.name for each in pair), (number.real, number.imag), strict=True)
    return cast(Mapping[str, Array | float], found)


def value_of(
    node: cg.Node,
    operands: Sequence[Array],
    arguments: Mapping[str, Array | float],
    scalars: Mapping[str, Any],
    element: np.dtype[Any] = np.dtype(np.float64),  # noqa: B008 - a type is a value
) -> Array:
    """The node's result with its modes last; modes before them, if any, are the batch. `element` is its type."""
    with np.errstate(all="ignore"):
        return _value_of(node, operands, arguments, scalars, element)


def _value_of(
    node: cg.Node,
    operands: Sequence[Array],
    arguments: Mapping[str, Array | float],
    scalars: Mapping[str, Any],
    element: np.dtype[Any],
) -> Array:
    match node:
        case cg.Leaf(tensor=tensor):
            return _leaf(tensor, arguments)
        case cg.Slice(space=space, parts=parts):
            return part_of(operands[0], parts, space).copy()
        case cg.Embedding():
            return _embedded(node, operands[0])
        case cg.Gather():
            return gathered(node, operands)
        case cg.Contraction(space=space, maps=maps):
            return _contracted(operands, maps, space)
        case cg.Sum(space=space, maps=maps):
            total = aligned(operands[0], maps[0], space.result_map)
            for operand, map_ in zip(operands[1:], maps[1:], strict=True):
                total = total + aligned(operand, map_, space.result_map)
            return total
        case cg.Elementwise(space=space, function=function, maps=maps):
            pairs = zip(operands, maps, strict=True)
            return function_value(function, [aligned(operand, map_, space.result_map) for operand, map_ in pairs])
        case cg.Reduction(space=space, function=function, maps=maps):
            operand = aligned(operands[0], maps[0], space.result_map + names(space.reduction))
            return reduced(function, operand, tuple(range(-len(space.reduction), 0)))
        case cg.Scaling(coefficient=coefficient) if is_zero(coefficient):
            return np.zeros_like(operands[0])  # a literal 0 takes all away, NaN too
        case cg.Scaling(coefficient=coefficient):
            factor = evaluate(coefficient, scalars, partial(number_in, dtype=operands[0].dtype))
            return cast(Array, operands[0] * factor)
        case cg.ScalarTerm(value=value):
            return np.asarray(evaluate(value, scalars, partial(number_in, dtype=element)), element)
        case cg.Assignment():
            return _assigned(node, operands)


def _leaf(tensor: Tensor, arguments: Mapping[str, Array | float]) -> Array:
    if tensor.storage is Storage.TEMPORARY:
        return np.zeros(static_shape(tensor.shape), dtype_of(tensor.element_type))
    if tensor.values is not None:
        return np.array(tensor.values, dtype_of(tensor.element_type)).reshape(static_shape(tensor.shape), order="F")
    entries = np.asarray(arguments[tensor.name]).astype(dtype_of(tensor.element_type), copy=False)
    return np.where(pattern_of(tensor).array(), entries, entries.dtype.type(0))


def _embedded(node: cg.Embedding, operand: Array) -> Array:
    batch = operand.shape[: operand.ndim - len(node.shape)]
    result = np.zeros((*batch, *static_shape(node.shape)), operand.dtype)
    part_of(result, node.parts, node.space)[...] = operand
    return result


def _contracted(operands: Sequence[Array], maps: tuple[IndexMap, ...], space: IterationSpace) -> Array:
    number = {index.name: position for position, index in enumerate(space.indices)}
    arguments: list[Any] = []
    for operand, map_ in zip(operands, maps, strict=True):
        arguments += [operand, [..., *(number[name] for name in map_)]]
    result: list[Any] = [..., *(number[name] for name in space.result_map)]
    return cast(Array, numpy_einsum(*arguments, result, optimize=True))


def _assigned(node: cg.Assignment, operands: Sequence[Array]) -> Array:
    value = aligned(operands[0], node.map, node.space.result_map)
    batch = value.shape[: value.ndim - len(node.space.parallel)]
    dtype, shape = dtype_of(node.tensor.element_type), static_shape(node.tensor.shape)
    if len(operands) == 1:
        result = np.zeros((*batch, *shape), dtype)
    else:
        previous = operands[1]
        batch = np.broadcast_shapes(batch, previous.shape[: previous.ndim - node.tensor.order])
        result = np.broadcast_to(previous, (*batch, *shape)).copy()
    part_of(result, node.parts, node.space)[...] = value
    return result


def _tensor_of(node: cg.Node) -> Tensor:
    return cast(cg.Assignment, node).tensor


# -- arrays seen through index maps and parts --------------------------------------------------------------------------
# Shared by the interpreter and the analyses of the planner.


def aligned(array: NDArray[Any], map_: IndexMap, target: IndexMap) -> NDArray[Any]:
    """The array with its last modes in the order of `target`, and modes of size 1 for the indices that it lacks.

    Modes before those of `map_` (the batch) stay in front.
    """
    batch = array.ndim - len(map_)
    present = [name for name in target if name in map_]
    moved = array.transpose(*range(batch), *(batch + map_.index(name) for name in present))
    lacking = tuple(slice(None) if name in map_ else np.newaxis for name in target)
    return moved[(*[slice(None)] * batch, *lacking)]


def part_of(array: NDArray[Any], parts: tuple[cg.Part, ...], space: IterationSpace) -> NDArray[Any]:
    """A view of the part, writable if the array is; its last modes are the indices of the space in order.

    An index of a dynamic extent runs through all of its mode, however many positions the array has.
    """
    chosen = tuple(_chosen(part, space) if isinstance(part, cg.Along) else part.position for part in parts)
    picked = array[(..., *chosen)]
    if not space.parallel:
        return picked
    number = {name: position for position, name in enumerate(space.result_map)}
    modes: list[Any] = [..., *(number[part.index] for part in parts if isinstance(part, cg.Along))]
    result: list[Any] = [..., *number.values()]
    view: NDArray[Any] = numpy_einsum(picked, modes, result)
    return view


def _chosen(part: cg.Along, space: IterationSpace) -> slice:
    extent = space.extents[part.index]
    return slice(part.offset, part.offset + extent if isinstance(extent, int) else None)


# -- meaning of a gather in NumPy --------------------------------------------------------------------------------------


def gathered(node: cg.Gather, operands: Sequence[Array]) -> Array:
    """The entries that the integers say, with the modes of the result last; modes before them are the batch."""
    result, source = node.space.result_map, operands[0]
    is_batched = source.ndim > len(node.parts)
    said = {id(entry): _integers(entry, operands[entry.operand], node.space) for entry in node.entries}
    places: list[Any] = [
        _place(part, said, node, source.shape[mode - len(node.parts)]) for mode, part in enumerate(node.parts)
    ]
    if is_batched and node.element is not None:
        places.insert(0, said[id(node.element)])
    elif is_batched:
        places.insert(0, np.arange(source.shape[0]).reshape(-1, *(1 for _ in result)))
    is_there = np.asarray(reduce(np.minimum, said.values())) >= 0
    at = tuple(np.maximum(each, 0) for each in places)
    shape = [static(index.extent) for index in node.space.parallel]
    if source.size == 0:  # no element is there, and every integer is negative
        return np.zeros((*is_there.shape[: is_there.ndim - len(shape)], *shape), source.dtype)
    found = np.asarray(source[at])
    for number, other in enumerate(operands[1 : node.sources] if node.member is not None else (), start=1):
        found = np.where(said[id(node.member)] == number, other[at], found)
    chosen = np.where(is_there, found, source.dtype.type(0))
    return np.broadcast_to(chosen, np.broadcast_shapes(chosen.shape, shape)).copy()


def _integers(entry: cg.Entry, array: Array, space: IterationSpace) -> Array:
    """The integers with modes of size 1 for the indices that they lack."""
    named = dict.fromkeys(part.index for part in entry.parts if isinstance(part, cg.Along))
    own = IterationSpace(tuple(index for index in space.parallel if index.name in named))
    return aligned(part_of(array, entry.parts, own), own.result_map, space.result_map)


def _place(part: cg.Part | cg.Entry, said: dict[int, Array], node: cg.Gather, size: int) -> Any:
    """The positions of a mode along the modes of the result."""
    match part:
        case cg.Entry():
            return said[id(part)]
        case cg.At(position=position):
            return position
        case cg.Along(index=index):
            return np.arange(size).reshape([-1 if name == index else 1 for name in node.space.result_map])

"""A loop over the batch, as `--emit linalg-loops` writes it: its body is the function for one element.

scf.for %e = 0 to dim(%Q, 0) { %q = subview %Q[%e, 0, 0] [1, 9, 20]; … %q … %K … }
    ->      … subview %Q[0, 0] [9, 20] … %K …, with a Q for each element and one K
"""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.batch import walk, written


def for_one_element(function: mlir.Function) -> mlir.Function | None:
    """The function for one element, with arguments that are the same for all marked; None if it is no such loop."""
    body = function.body or ()
    loops = [each for each in body if isinstance(each, mlir.For)]
    if len(loops) != 1 or function.results:
        return None
    (loop,) = loops
    place = body.index(loop)
    head, tail = body[:place], body[place + 1 :]
    if not all(isinstance(each, mlir.Literal | mlir.Extent | mlir.Allocate) for each in head):
        return None
    if not all(isinstance(each, mlir.Free | mlir.Return) for each in tail):
        return None
    numbers = {each.result.name: each.value for each in head if isinstance(each, mlir.Literal)}
    arguments = {each.name: each for each in function.arguments}
    taken = dict.fromkeys(each.source.name for each in _slices(loop))
    if not _counts_elements(loop, head, numbers, arguments, taken) or not all(name in arguments for name in taken):
        return None
    others = [each for each in walk(loop.body) if not (isinstance(each, mlir.Slice) and _takes(each, loop.variable))]
    used = {value.name for each in (*others, *tail) for value in mlir.operands_of(each)}
    if used & {loop.variable.name, loop.stop.name, *taken}:
        return None
    shared = [each.name for each in function.arguments if each.name not in taken and each.shape]
    if written(function) & set(shared):
        return None
    inner = {name: mlir.Value(name, _of_one(arguments[name]), arguments[name].origin) for name in taken}

    def of_one(operation: mlir.Operation) -> mlir.Operation:
        if isinstance(operation, mlir.For):
            return replace(operation, body=tuple(map(of_one, operation.body)))
        if not isinstance(operation, mlir.Slice) or not _takes(operation, loop.variable):
            return operation
        offsets, sizes, strides = operation.offsets[1:], operation.sizes[1:], operation.strides[1:]
        return replace(operation, source=inner[operation.source.name], offsets=offsets, sizes=sizes, strides=strides)

    kept = tuple(each for each in head if not (isinstance(each, mlir.Extent) and each.source.name in taken))
    if used & {each.result.name for each in head if isinstance(each, mlir.Extent) and each not in kept}:
        return None
    return replace(
        function,
        arguments=tuple(inner.get(each.name, each) for each in function.arguments),
        body=(*kept, *map(of_one, loop.body), *tail),
        constants=tuple(dict.fromkeys((*function.constants, *shared))),
    )


def _slices(loop: mlir.For) -> Iterator[mlir.Slice]:
    return (each for each in walk(loop.body) if isinstance(each, mlir.Slice) and _takes(each, loop.variable))


def _takes(operation: mlir.Slice, variable: mlir.Value) -> bool:
    """True if one element is taken, and the mode of the batch is left out."""
    first, *rest = operation.offsets or (None,)
    is_element = isinstance(first, mlir.Value) and first.name == variable.name and operation.sizes[0] == 1
    is_other = any(isinstance(each, mlir.Value) and each.name == variable.name for each in rest)
    return is_element and not is_other and len(operation.result.shape) < len(operation.sizes)


def _counts_elements(
    loop: mlir.For,
    head: tuple[mlir.Operation, ...],
    numbers: dict[str, int | float | tuple[float, ...]],
    arguments: dict[str, mlir.Value],
    taken: dict[str, None],
) -> bool:
    """True for a loop from 0, by 1, to the extent of the first mode of what it takes elements of."""
    if not taken or loop.carried or numbers.get(loop.start.name) != 0 or numbers.get(loop.step.name) != 1:
        return False
    stop = next((each for each in head if loop.stop in mlir.results_of(each)), None)
    extents = {arguments[name].shape[:1] for name in taken if name in arguments}
    if isinstance(stop, mlir.Extent):
        return stop.source.name in taken and numbers.get(stop.mode.name) == 0
    return isinstance(stop, mlir.Literal) and extents == {(stop.value,)}


def _of_one(argument: mlir.Value) -> mlir.Type:
    type_ = argument.type
    assert not isinstance(type_, mlir.ScalarType)
    shape = type_.shape[1:]
    if isinstance(type_, mlir.MemrefType):
        layout = None if type_.layout is None else mlir.Strided(type_.layout.strides[1:], type_.layout.offset)
        return mlir.MemrefType(shape, type_.element, layout)
    return mlir.TensorType(shape, type_.element)

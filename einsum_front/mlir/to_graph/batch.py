"""The mode of a function's tensors that is the batch.

It leads all results (the memrefs that are written, if there are no results) and the arguments that have it. Operations
walk it in parallel, alone. Without being asked for, it is the batch if all tensors have it, or if the results have
three modes or more: in a product of two matrices, rows are none.
"""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.core.diagnostics import Origin
from einsum_front.core.words import listed
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import linear
from einsum_front.mlir.attributes import NO_BATCH
from einsum_front.mlir.to_graph.dimensions import Dimensions, Mode
from einsum_front.mlir.to_graph.refuse import refused


def batch_of(function: mlir.Function, dimensions: Dimensions, wanted: str | None = None) -> Mode | None:
    """The mode that is the batch, None if the function is for one element.

    `wanted` is the number of a mode of the results, or `none`. Raises `CompileError` (E0827) if that mode is no batch.
    """
    results = outputs(function)
    if wanted == NO_BATCH or not results:
        return None
    number = 0 if wanted is None else int(wanted)
    ranks = [len(result.shape) - (result.name in function.complexes) for result in results]
    if any(rank <= number for rank in ranks):
        if wanted is None:
            return None
        raise refused(f"a result of `{function.name}` has no mode {number}", function.origin, code="E0827")
    root = dimensions.root(results[0], number)
    reason = _reason(function, dimensions, root, number, results)
    if reason is None and (wanted is not None or _is_likely(function, dimensions, root, ranks)):
        return root
    if wanted is not None and reason is not None:
        message = f"mode {number} of the results of `{function.name}` is not the batch: {reason[0]}"
        raise refused(message, reason[1], code="E0827")
    return None


def _is_likely(function: mlir.Function, dimensions: Dimensions, root: Mode, ranks: list[int]) -> bool:
    shaped = [each for each in function.arguments if each.shape]
    return min(ranks) > 2 or all(root in _roots(dimensions, each) for each in shaped)


def _roots(dimensions: Dimensions, value: mlir.Value) -> list[Mode]:
    return [root for mode in range(len(value.shape)) for root in dimensions.atoms(value, mode)]


def _reason(
    function: mlir.Function, dimensions: Dimensions, root: Mode, number: int, results: tuple[mlir.Value, ...]
) -> tuple[str, Origin] | None:
    """Why the mode is not the batch, and where."""
    having = [each for each in function.arguments if root in _roots(dimensions, each)]
    if not having:
        return "no argument has it", function.origin
    for value in (*results, *having):
        places = [mode for mode in range(len(value.shape)) if root in dimensions.atoms(value, mode)]
        if places != [number] or dimensions.atoms(value, number) != (root,):
            where = listed([f"mode {place}" for place in places]) if places else "no mode"
            return f"it is {where} of `%{value.name}`", value.origin
    for operation in walk(function.body or ()):
        if (reason := _operation(operation, dimensions, root)) is not None:
            return reason, operation.origin
    return None


def _operation(operation: mlir.Operation, dimensions: Dimensions, root: Mode) -> str | None:
    match operation:
        case mlir.Structured():
            return _structured(operation, dimensions, root)
        case mlir.Slice(source=source, result=part):
            return _slice(source, part, dimensions, root)
        case mlir.InsertSlice(target=target, source=part):
            return _slice(target, part, dimensions, root)
        case mlir.Literal(result=result, value=tuple()) if root in _roots(dimensions, result):
            return "a constant has it"
        case mlir.Pack():
            return _slice(*operation.plain_and_packed, dimensions, root)
        case (
            mlir.Literal() | mlir.Scalar() | mlir.Allocate() | mlir.Free() | mlir.Reshape() | mlir.Permute()
            | mlir.Cast() | mlir.Extent() | mlir.Copy() | mlir.Primitive() | mlir.Group() | mlir.For() | mlir.Call()
            | mlir.Return()
        ):  # fmt: skip
            return None


def _slice(whole: mlir.Value, part: mlir.Value, dimensions: Dimensions, root: Mode) -> str | None:
    counts = [sum(each == root for each in _roots(dimensions, value)) for value in (whole, part)]
    return "a part of it is taken" if counts[0] != counts[1] else None


def _structured(operation: mlir.Structured, dimensions: Dimensions, root: Mode) -> str | None:
    iterators = [
        number for number, mode in enumerate(dimensions.iterators(operation)) if root in dimensions.atoms_of(mode)
    ]
    walks = [
        position.iterator
        for map_, operand in zip(operation.maps, operation.operands, strict=True)
        for mode, result in enumerate(map_.results)
        for position in [linear(result)]
        if root in dimensions.atoms(operand, mode) or any(each in position.factors for each in iterators)
    ]
    if not iterators and not walks:
        return None
    if len(iterators) > 1:
        return "two iterators walk it"
    if any(dim is None or dim not in iterators for dim in walks):
        return "a map walks it with something else"
    if operation.iterators[iterators[0]] is mlir.IteratorType.REDUCTION:
        return "an operation sums over it"
    return None


# -- what a function writes --------------------------------------------------------------------------------------------


def walk(operations: tuple[mlir.Operation, ...]) -> Iterator[mlir.Operation]:
    """All operations, those of loops behind the loop."""
    for operation in operations:
        yield operation
        if isinstance(operation, mlir.For):
            yield from walk(operation.body)


def outputs(function: mlir.Function) -> tuple[mlir.Value, ...]:
    """The values that a function returns, and the memrefs among its arguments that it writes."""
    names = written(function)
    return (*returned(function), *(each for each in function.arguments if each.name in names))


def returned(function: mlir.Function) -> tuple[mlir.Value, ...]:
    """The values that a function returns."""
    *_, last = function.body or (None,)
    return last.values if isinstance(last, mlir.Return) else ()


def written(function: mlir.Function) -> frozenset[str]:
    """The names of the memrefs that a function writes, views not."""
    sources: dict[str, str] = {}
    found: set[str] = set()
    for operation in walk(function.body or ()):
        match operation:
            case mlir.Slice(result=result, source=source) | mlir.Reshape(result=result, source=source):
                sources[result.name] = source.name
            case mlir.Permute(result=result, source=source) | mlir.Cast(result=result, source=source):
                sources[result.name] = source.name
            case mlir.Structured(outputs=outs):
                found |= {each.name for each in outs if isinstance(each.type, mlir.MemrefType)}
            case mlir.Copy(target=target):
                found.add(target.name)
            case (
                mlir.Literal() | mlir.Scalar() | mlir.Allocate() | mlir.Free() | mlir.InsertSlice() | mlir.Extent()
                | mlir.Primitive() | mlir.Group() | mlir.Pack() | mlir.For() | mlir.Call() | mlir.Return()
            ):  # fmt: skip
                pass
    return frozenset(_base(name, sources) for name in found)


def _base(name: str, sources: dict[str, str]) -> str:
    while name in sources:
        name = sources[name]
    return name


# -- a loop over the batch, as `--emit linalg-loops` writes it ---------------------------------------------------------
# Its body is the function for one element.
#
# scf.for %e = 0 to dim(%Q, 0) { %q = subview %Q[%e, 0, 0] [1, 9, 20]; … %q … %K … }
#     ->      … subview %Q[0, 0] [9, 20] … %K …, with a Q for each element and one K


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

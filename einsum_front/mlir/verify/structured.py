"""The rules of structured operations and of their payloads."""

from collections.abc import Iterator
from dataclasses import replace

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.diagnostics.diagnostic import mistake
from einsum_front.core.words import counted
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import Linear, linear
from einsum_front.mlir.attributes import map_text, type_text
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.scalars import ENTRIES, SCALARS, Kind


def check_structured(operation: mlir.Structured, scope: set[str]) -> Iterator[Diagnostic]:
    """Rules E0814 to E0820 and E0823."""
    yield from _operands(operation)
    yield from _dimensions(operation)
    if wrong := list(_maps(operation)):
        yield from wrong
        return
    yield from _extents(operation)
    yield from _outputs(operation)
    yield from _payload(operation, scope)


def _operands(operation: mlir.Structured) -> Iterator[Diagnostic]:
    if not operation.outputs:
        yield mistake("E0820", f"`linalg.{operation.name}` has no output", operation.origin)
    for output in operation.outputs:
        if isinstance(output.type, mlir.ScalarType):
            yield mistake("E0820", f"output `%{output.name}` is a number, no tensor", output.origin)
    kinds = {type(each.type) for each in operation.operands if not isinstance(each.type, mlir.ScalarType)}
    if len(kinds) > 1:
        yield mistake("E0820", "operands are all tensors or all memrefs", operation.origin)
    wanted = tuple(each.type for each in operation.outputs if isinstance(each.type, mlir.TensorType))
    given = tuple(each.type for each in operation.results)
    if wanted != given:
        shown = ", ".join(map(type_text, wanted)) or "none"
        yield mistake("E0820", f"the results are of the types of the outputs: {shown}", operation.origin)


def _dimensions(operation: mlir.Structured) -> Iterator[Diagnostic]:
    dimensions = operation.dimensions
    if not dimensions:
        return
    shaped = operation.inputs[0] if operation.name == "reduce" else operation.outputs[0]
    rank = rank_of(shaped)
    if len(set(dimensions)) < len(dimensions) or not all(0 <= each < rank for each in dimensions):
        message = f"`linalg.{operation.name}` names modes from 0 to {rank - 1}, each once, not {list(dimensions)}"
        yield mistake("E0823", message, operation.origin)


def _maps(operation: mlir.Structured) -> Iterator[Diagnostic]:
    if len(operation.maps) != len(operation.operands):
        maps, operands = counted(len(operation.maps), "map"), counted(len(operation.operands), "operand")
        yield mistake("E0814", f"there are {maps} for {operands}", operation.origin)
        return
    for map_, operand in zip(operation.maps, operation.operands, strict=True):
        if map_.dims != len(operation.iterators):
            iterators = counted(len(operation.iterators), "iterator")
            message = f"the map of `%{operand.name}` is from {map_.dims} iterators, and there are {iterators}"
            yield mistake("E0814", message, map_.origin or operation.origin)
        elif len(map_.results) != rank_of(operand):
            modes = counted(rank_of(operand), "mode")
            message = f"`%{operand.name}` has {modes}, and its map has {counted(len(map_.results), 'result')}"
            yield mistake("E0814", message, map_.origin or operation.origin, also=[(operand.origin, modes)])


def walked(operation: mlir.Structured) -> dict[int, tuple[int | None, mlir.Value, int]]:
    """For each iterator that walks a mode by itself: its extent, the operand and the mode that tell it."""
    found: dict[int, tuple[int | None, mlir.Value, int]] = {}
    for map_, operand in zip(operation.maps, operation.operands, strict=True):
        for mode, result in enumerate(map_.results):
            iterator = linear(result).iterator
            if iterator is None:
                continue
            extent = operand.shape[mode]
            if iterator not in found or found[iterator][0] is None:
                found[iterator] = extent, operand, mode
    return found


def _extents(operation: mlir.Structured) -> Iterator[Diagnostic]:
    known = walked(operation)
    for iterator in range(len(operation.iterators)):
        if iterator not in known:
            message = f"no operand tells the extent of iterator d{iterator}: no mode is walked by it alone"
            maps = tuple(f"`{map_text(map_)}`" for map_ in operation.maps)
            notes = (f"the maps are {', '.join(maps)}",)
            yield mistake("E0816", message, operation.origin, notes=notes)
            return
    extents = {iterator: extent for iterator, (extent, _, _) in known.items() if extent is not None}
    for map_, operand in zip(operation.maps, operation.operands, strict=True):
        for mode, result in enumerate(map_.results):
            yield from _mode(linear(result), extents, operand, mode, known)


def _mode(
    position: Linear,
    extents: dict[int, int],
    operand: mlir.Value,
    mode: int,
    known: dict[int, tuple[int | None, mlir.Value, int]],
) -> Iterator[Diagnostic]:
    size = operand.shape[mode]
    if size is None or any(iterator not in extents for iterator in position.factors):
        return
    iterator = position.iterator
    if iterator is not None:
        extent, other, place = known[iterator]
        if extent != size:
            message = f"iterator d{iterator} has extent {extent} in `%{other.name}` but {size} in `%{operand.name}`"
            also = [(other.origin, f"{extent}: mode {place} of `%{other.name}`")]
            yield mistake("E0815", message, operand.origin, f"{size}: mode {mode}", also=also)
    elif position.least(extents) < 0 or position.most(extents) >= size:
        message = f"mode {mode} of `%{operand.name}` has {size} positions, and its map walks from "
        message += f"{position.least(extents)} to {position.most(extents)}"
        yield mistake("E0815", message, operand.origin)


def _outputs(operation: mlir.Structured) -> Iterator[Diagnostic]:
    """What is read and written at once has an entry for each iteration of the parallel iterators."""
    parallel = {n for n, each in enumerate(operation.iterators) if each is mlir.IteratorType.PARALLEL}
    count, used = len(operation.inputs), used_names(operation.payload)
    for number, (map_, output) in enumerate(zip(operation.maps[count:], operation.outputs, strict=True), start=count):
        arguments = operation.payload.arguments
        if number >= len(arguments) or arguments[number].name not in used:
            continue
        for position in sorted(parallel - alone(map_)):
            message = f"iterator d{position} is parallel, and walks no mode of output `%{output.name}`"
            yield mistake("E0817", message, map_.origin or operation.origin)


def alone(map_: mlir.AffineMap) -> set[int]:
    """The iterators that walk a mode by themselves."""
    return {iterator for each in map_.results if (iterator := linear(each).iterator) is not None}


def used_names(payload: mlir.Payload) -> set[str]:
    """The values that a payload uses."""
    operands = (value for each in payload.operations for value in mlir.operands_of(each))
    return {each.name for each in (*operands, *payload.yields)}


# -- payloads ----------------------------------------------------------------------------------------------------------


def _payload(operation: mlir.Structured, scope: set[str]) -> Iterator[Diagnostic]:
    payload = operation.payload
    place = payload.origin or operation.origin
    wanted: tuple[mlir.Type, ...] = tuple(each.element for each in operation.operands)
    given = tuple(each.type for each in payload.arguments)
    if given != wanted:
        shown = ", ".join(map(type_text, wanted))
        yield mistake("E0818", f"the payload has an argument for each operand: {shown}", place)
        return
    inner = scope | {each.name for each in payload.arguments}
    for each in payload.operations:
        made = each if each.origin else replace(each, origin=operation.origin)  # of named operations it has none
        yield from _payload_operation(made, inner, len(operation.iterators))
        inner.add(each.result.name)
    for value in payload.yields:
        if value.name not in inner:
            yield mistake("E0810", f"`%{value.name}` is used before it is defined", value.origin)
    outputs = tuple(each.element for each in operation.outputs)
    if tuple(each.type for each in payload.yields) != outputs:
        shown = ", ".join(type_text(each) for each in outputs)
        yield mistake("E0818", f"the payload yields a number for each output: {shown}", place)


def _payload_operation(
    operation: mlir.Literal | mlir.Scalar | mlir.IndexOf, scope: set[str], dims: int
) -> Iterator[Diagnostic]:
    match operation:
        case mlir.Literal(result=result):
            if not isinstance(result.type, mlir.ScalarType):
                yield mistake("E0819", "a payload computes with numbers", operation.origin)
        case mlir.IndexOf(dim=dim):
            if not 0 <= dim < dims:
                yield mistake("E0819", f"there is no iterator d{dim}", operation.origin)
        case mlir.Scalar(operands=operands):
            for value in operands:
                if value.name not in scope:
                    yield mistake("E0810", f"`%{value.name}` is used before it is defined", value.origin)
            yield from check_scalar(operation)


def check_scalar(operation: mlir.Scalar) -> Iterator[Diagnostic]:
    """Rule E0819: an operation fits its numbers."""
    if operation.name in ENTRIES:
        yield from _entry(operation)
        return
    meaning = SCALARS.get(operation.name)
    if meaning is None:
        yield mistake("E0819", f"there is no operation `{operation.name}`", operation.origin)
        return
    types = [each.type for each in (*operation.operands, operation.result)]
    if any(not isinstance(each, mlir.ScalarType) for each in types):
        shaped = next(each for each in types if isinstance(each, mlir.TensorType | mlir.MemrefType))
        message = f"`{operation.name}` is for numbers, not for `{type_text(shaped)}`"
        yield mistake("E0819", message, operation.origin)
        return
    scalars = [each for each in types if isinstance(each, mlir.ScalarType)]
    shown = ", ".join(type_text(each.type) for each in operation.operands)
    if not _fits(meaning.kind, operation.name, scalars):
        message = f"`{operation.name}` is for {meaning.kind.value}, not for {shown}"
        yield mistake("E0819", message, operation.origin)


def _entry(operation: mlir.Scalar) -> Iterator[Diagnostic]:
    """Entries of a tensor are of its type, at a position of type `index` in each mode."""
    source, *places = operation.operands
    if isinstance(source.type, mlir.ScalarType):
        yield mistake("E0819", f"`{operation.name}` takes an entry of a tensor or memref", operation.origin)
    elif len(places) != len(source.type.shape):
        modes = counted(len(source.type.shape), "mode")
        message = f"`%{source.name}` has {modes}, and `{operation.name}` has {counted(len(places), 'position')}"
        yield mistake("E0819", message, operation.origin)
    elif operation.result.type != source.type.element or any(each.type is not mlir.ScalarType.INDEX for each in places):
        message = f"`{operation.name}` has positions of type `index`, and gives what the tensor has"
        yield mistake("E0819", message, operation.origin)


def _fits(kind: Kind, name: str, types: list[mlir.ScalarType]) -> bool:
    """True if operands and result, the last, are of types that go together."""
    match kind:
        case Kind.FLOATING:
            return len(set(types)) == 1 and types[0].is_floating
        case Kind.INTEGER:
            return len(set(types)) == 1 and not types[0].is_floating and types[0].part is None
        case Kind.COMPARISON:
            same = types[0] == types[1] and types[2] is mlir.ScalarType.I1
            is_complex = types[0].part is not None
            return same and (types[0].is_floating, is_complex) == (name == "arith.cmpf", name.startswith("complex."))
        case Kind.SELECTION:
            return types[0] is mlir.ScalarType.I1 and types[1] == types[2] == types[3]
        case Kind.POWER:
            return types[0] is types[2] and types[0].is_floating and not types[1].is_floating
        case Kind.CONVERSION:
            return types[0] is not types[1] and types[0].part is types[1].part is None
        case Kind.COMPLEX:
            return len(set(types)) == 1 and types[0].part is not None
        case Kind.PARTS:
            return types[0].part is types[1] and types[1].is_floating
        case Kind.CREATION:
            return types[0] is types[1] is types[2].part

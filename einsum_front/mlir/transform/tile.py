"""Tiling: loops over tiles of the iteration space, and the same operation on what a tile touches.

C[i, j] += A[i, k] * B[k, j]        of 20 x 9 x 20 iterations, by 8, 8 and 4, becomes

for i in 0, 8, 16: for j …: for k …:
  linalg.matmul on A[i:i+min(8, 20-i), k:k+min(4, 9-k)], …
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.affine import linear
from einsum_front.mlir.from_graph.named import contraction
from einsum_front.mlir.named import make
from einsum_front.mlir.strides import dropped_modes
from einsum_front.mlir.transform.editor import Editor, refused


def tiled(function: mlir.Function, operation: mlir.Structured, sizes: Sequence[int]) -> mlir.Function:
    """Walks tiles of `sizes` iterations, in the order of the iterators; 0 does not tile an iterator.

    Tiles at the end are smaller. Raises `CompileError` (E0846) for tensors, and for payloads that count iterations.
    """
    if len(sizes) > len(operation.iterators):
        raise refused(f"has {len(operation.iterators)} iterators, not {len(sizes)}", operation)
    given = (*sizes, *(0,) * (len(operation.iterators) - len(sizes)))
    editor = Editor(function)
    return editor.rewritten(operation, lambda wanted: _tiles(editor, wanted, given))


def walked_one_by_one(function: mlir.Function, operation: mlir.Structured, dims: Sequence[int]) -> mlir.Function:
    """Loops over single positions of the iterators `dims`; what is left is an operation of fewer modes.

    A product of which a matrix product is left becomes `linalg.matmul`. Over all iterators, numbers are left.
    """
    held = frozenset(dims)
    if any(dim not in range(len(operation.iterators)) for dim in held):
        raise refused(f"has the iterators 0 to {len(operation.iterators) - 1}", operation)
    for each in (linear(result) for map_ in operation.maps for result in map_.results):
        if held & set(each.factors) and each.iterator is None:
            raise refused("has a mode that iterators walk together: tile it", operation)
    editor = Editor(function)
    sizes = tuple(int(dim in held) for dim in range(len(operation.iterators)))
    return editor.rewritten(operation, lambda wanted: _tiles(editor, wanted, sizes, held))


def _tiles(
    editor: Editor, operation: mlir.Structured, sizes: Sequence[int], held: frozenset[int] = frozenset()
) -> list[mlir.Operation]:
    check_tiled(operation)
    before: list[mlir.Operation] = []
    extents = editor.extents(operation, before)
    starts: dict[int, mlir.Number] = dict.fromkeys(held, 0)
    tiles: dict[int, mlir.Number] = dict(enumerate(extents))
    loops: list[tuple[mlir.Value, mlir.Number, int]] = []
    body: list[mlir.Operation] = []
    for dim, (size, extent) in enumerate(zip(sizes, extents, strict=True)):
        if size == 0 or (isinstance(extent, int) and extent <= size):
            continue
        variable = editor.fresh(mlir.ScalarType.INDEX, "tile")
        loops.append((variable, extent, size))
        starts[dim] = variable
        is_even = size == 1 or (isinstance(extent, int) and extent % size == 0)
        rest = size if is_even else editor.compute("subi", extent, variable, body)
        tiles[dim] = size if is_even else editor.compute("minsi", size, rest, body)
    body += _on_parts(editor, operation, starts, tiles, held, body)
    for variable, extent, size in reversed(loops):
        start, stop, step = (editor.value(each) for each in (0, extent, size))
        body = [mlir.For(variable, start, stop, step, tuple(body))]
    return [*before, *body]


def _on_parts(
    editor: Editor,
    operation: mlir.Structured,
    starts: Mapping[int, mlir.Number],
    tiles: Mapping[int, mlir.Number],
    held: frozenset[int],
    into: list[mlir.Operation],
) -> list[mlir.Operation]:
    operands = [
        editor.part(operand, map_, starts, tiles, into, held)
        for operand, map_ in zip(operation.operands, operation.maps, strict=True)
    ]
    count = len(operation.inputs)
    inputs, outputs = tuple(operands[:count]), tuple(operands[count:])
    if not held:
        return [replace(operation, inputs=inputs, outputs=outputs)]
    return [_smaller(operation, inputs, outputs, held)]


def _smaller(
    operation: mlir.Structured, inputs: tuple[mlir.Value, ...], outputs: tuple[mlir.Value, ...], held: frozenset[int]
) -> mlir.Structured:
    """The operation without some iterators, under a name if one fits."""
    left = [dim for dim in range(len(operation.iterators)) if dim not in held]
    maps = tuple(_without(map_, held, left) for map_ in operation.maps)
    iterators = tuple(operation.iterators[dim] for dim in left)
    if is_product(operation) and left:
        named = contraction(inputs, outputs[0], maps, (), operation.location)
        if named is not None:
            return named
    rest = (operation.payload, (), operation.library_call)
    return mlir.Structured("generic", inputs, outputs, maps, iterators, *rest, location=operation.location)


def _without(map_: mlir.AffineMap, held: frozenset[int], left: Sequence[int]) -> mlir.AffineMap:
    """The map without modes of iterators that are gone; only modes of one iterator each are renumbered."""
    kept = [linear(each) for each in map_.results]
    positions = [each.iterator for each in kept if not held & set(each.factors)]
    if any(each is None for each in positions):
        raise refused("has a mode that iterators walk together: tile it")
    return mlir.AffineMap(len(left), tuple(mlir.Dim(left.index(each)) for each in positions if each is not None))


def is_product(operation: mlir.Structured) -> bool:
    """True for what adds the product of two inputs to its output."""
    payload = operation.payload
    if len(operation.inputs) != 2 or len(operation.outputs) != 1 or len(payload.operations) != 2:
        return False
    first, second = payload.operations
    if not isinstance(first, mlir.Scalar) or not isinstance(second, mlir.Scalar):
        return False
    names = [each.name for each in payload.arguments]
    return (
        (first.name, second.name) == ("arith.mulf", "arith.addf")
        and sorted(each.name for each in first.operands) == sorted(names[:2])
        and sorted(each.name for each in second.operands) == sorted([names[2], first.result.name])
        and payload.yields[0].name == second.result.name
        and mlir.IteratorType.REDUCTION in operation.iterators
    )


def check_tiled(operation: mlir.Structured) -> None:
    """Only operations on memory are cut, and those that do not count their iterations."""
    if not all(isinstance(each.type, mlir.MemrefType) for each in operation.outputs):
        raise refused("is on tensors: transformations are for memrefs", operation)
    if any(isinstance(each, mlir.IndexOf) for each in operation.payload.operations):
        raise refused("counts its iterations with `linalg.index`", operation)


# -- promotion ---------------------------------------------------------------------------------------------------------
# An operation on copies of its operands in memory of its own, which is small and packed.


def promoted(function: mlir.Function, operation: mlir.Structured, operands: Sequence[int]) -> mlir.Function:
    """Copies the operands `operands`, counted inputs first, into buffers; outputs are copied back.

    A buffer is allocated once, in front, as large as the largest tile. Raises `CompileError` (E0846) if that is not
    known, or for what is no memref.
    """
    count = len(operation.operands)
    if any(each not in range(count) for each in operands):
        raise refused(f"has the operands 0 to {count - 1}", operation)
    editor = Editor(function)
    slices = {each.result.name: each for each in _slices(function.body or ())}
    return editor.rewritten(operation, lambda wanted: _on_buffers(editor, wanted, operands, slices))


def _on_buffers(
    editor: Editor, operation: mlir.Structured, chosen: Sequence[int], slices: dict[str, mlir.Slice]
) -> list[mlir.Operation]:
    before: list[mlir.Operation] = []
    after: list[mlir.Operation] = []
    taken = list(operation.operands)
    for each in dict.fromkeys(chosen):
        operand = taken[each]
        if not isinstance(operand.type, mlir.MemrefType):
            raise refused("has a number there, which needs no memory", operation)
        buffer = _buffer(editor, operand, slices, before)
        before.append(make("copy", (operand,), (buffer,)))
        if each >= len(operation.inputs):
            after.append(make("copy", (buffer,), (operand,)))
        taken[each] = buffer
    count = len(operation.inputs)
    return [*before, replace(operation, inputs=tuple(taken[:count]), outputs=tuple(taken[count:])), *after]


def _buffer(
    editor: Editor, operand: mlir.Value, slices: dict[str, mlir.Slice], into: list[mlir.Operation]
) -> mlir.Value:
    """Memory for the operand, and the part of it that the operand has now."""
    sizes = _sizes(operand, slices)
    bounds = [editor.bound(each) if each is not None else None for each in sizes]
    if any(each is None for each in bounds):
        raise refused(f"has an operand `%{operand.name}` of unknown size: tile it first")
    shape = tuple(each for each in bounds if each is not None)
    memory = mlir.Value(editor.names.fresh("buffer"), mlir.MemrefType(shape, operand.element))
    editor.head.append(mlir.Allocate(memory))
    editor.tail.append(mlir.Free(memory))
    known: list[mlir.Number] = [each if each is not None else 0 for each in sizes]
    return editor.view(memory, [0] * len(shape), known, into)


def _sizes(operand: mlir.Value, slices: dict[str, mlir.Slice]) -> list[mlir.Number | None]:
    """The extents: integers, or the numbers that a view was cut with."""
    shape = operand.shape
    view = slices.get(operand.name)
    if view is None:
        return list(shape)
    dropped = dropped_modes(tuple(each if isinstance(each, int) else None for each in view.sizes), shape) or ()
    return [size for mode, size in enumerate(view.sizes) if mode not in dropped]


def _slices(body: Sequence[mlir.Operation]) -> list[mlir.Slice]:
    found: list[mlir.Slice] = []
    for each in body:
        if isinstance(each, mlir.Slice):
            found.append(each)
        elif isinstance(each, mlir.For):
            found += _slices(each.body)
    return found

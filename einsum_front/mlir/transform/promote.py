"""Promotion: an operation on copies of its operands in memory of its own, which is small and packed."""

from collections.abc import Sequence
from dataclasses import replace

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import make
from einsum_front.mlir.strides import dropped_modes
from einsum_front.mlir.transform.editor import Editor, refused


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

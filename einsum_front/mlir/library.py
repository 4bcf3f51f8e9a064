"""Operations that are calls of a library: `library_call = "name"` names the function that stands for one.

MLIR lowers such an operation on memrefs to a call of `@name` (`convert-linalg-to-std`). The functions made here are
what the library has to do: each has one operation, on packed memrefs of the same extents.
"""

from collections.abc import Iterator

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.transform.steps import structured


def library_functions(module: mlir.Module) -> mlir.Module | None:
    """The functions that the operations of a module call; None if no operation has a `library_call`.

    Raises CompileError: E0847 if operands are no memrefs, E0848 if operations of one name are not the same.
    """
    found: dict[str, mlir.Structured] = {}
    for operation in _called(module):
        _reject_values(operation)
        same = found.setdefault(operation.library_call, operation)
        if _looks(same) != _looks(operation):
            message = f"`{operation.library_call}` is called for two operations that differ"
            labels = tuple(Label(span) for span in operation.origin[:1])
            note = "extents, maps, iterators and payloads have to be the same: a function of C is one kernel"
            raise CompileError([Diagnostic("E0848", message, labels, notes=(note,))])
    return mlir.Module(tuple(_function(each) for each in found.values())) if found else None


def _called(module: mlir.Module) -> Iterator[mlir.Structured]:
    for function in module.functions:
        yield from (each for each in structured(function.body or ()) if each.library_call)


def _reject_values(operation: mlir.Structured) -> None:
    for operand in operation.operands:
        if not isinstance(operand.type, mlir.MemrefType):
            message = f"`{operation.library_call}` is called with `%{operand.name}`, which is no memref"
            labels = tuple(Label(span) for span in operation.origin[:1])
            note = "a library works on memory: `one-shot-bufferize` makes memrefs of tensors"
            raise CompileError([Diagnostic("E0847", message, labels, notes=(note,))])


def _looks(operation: mlir.Structured) -> tuple[object, ...]:
    types = [
        (each.type.shape, each.type.element) for each in operation.operands if isinstance(each.type, mlir.MemrefType)
    ]
    names = {each.name: number for number, each in enumerate(operation.operands)}
    return types, len(operation.inputs), operation.maps, operation.iterators, list(names.values())


def _function(operation: mlir.Structured) -> mlir.Function:
    """One operation on arguments of its own, `in0`, …, `out0`, …"""
    names = [f"in{n}" for n in range(len(operation.inputs))] + [f"out{n}" for n in range(len(operation.outputs))]
    arguments = []
    for name, operand in zip(names, operation.operands, strict=True):
        assert isinstance(operand.type, mlir.MemrefType)
        arguments.append(mlir.Value(name, mlir.MemrefType(operand.type.shape, operand.type.element)))
    count = len(operation.inputs)
    inside = mlir.Structured(
        "generic",
        tuple(arguments[:count]),
        tuple(arguments[count:]),
        operation.maps,
        operation.iterators,
        operation.payload,
        location=operation.location,
    )
    return mlir.Function(operation.library_call, tuple(arguments), (), (inside, mlir.Return(())))

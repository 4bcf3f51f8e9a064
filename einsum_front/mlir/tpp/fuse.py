"""A product, an operation with a matrix and one on its result become `fused_brgemm`, as groups do in the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import rank_of
from einsum_front.mlir.tpp.legal import are_legal, definitions
from einsum_front.mlir.tpp.operations import BINARY, UNARY
from einsum_front.mlir.tpp.views import with_unit_mode

COMMUTE = ("add", "mul")


def fused(
    operations: Sequence[mlir.Operation], names: Names, before: Mapping[str, mlir.Operation]
) -> list[mlir.Operation]:
    """The operations with products fused where the next steps on their result are such.

    `before` are the operations around them, by the names of their results.
    """
    left, found = list(operations), list[mlir.Operation]()
    while left:
        operation = left.pop(0)
        if (
            isinstance(operation, mlir.Primitive)
            and operation.name in ("matmul", "brgemm")
            and len(operation.inputs) == 3
            and None not in [size for each in operation.inputs for size in each.shape]
        ):
            rest = list(left)
            lines = _product(operation, rest, names)
            is_legal = are_legal(lines, {**before, **definitions(found)})
            found += lines if is_legal else [operation]
            left = rest if is_legal else left
        else:
            found.append(operation)
    return found


def _product(product: mlir.Primitive, left: list[mlir.Operation], names: Names) -> list[mlir.Operation]:
    """The product with the steps behind it that it takes in; these are removed from `left`."""
    target = product.outputs[0]
    before, binary, matrix = list[mlir.Operation](), "", None
    number = _next_use(left, target)
    step = left[number] if number is not None else None
    if isinstance(step, mlir.Primitive) and step.name in BINARY and step.outputs == (target,):
        other = _other(step, target)
        ready = None if number is None else left[:number]
        if other is not None and ready is not None and all(_is_preparation(each) for each in ready):
            before, binary, matrix = ready, step.name, other
            del left[: len(ready) + 1]
    number = _next_use(left, target)
    step = left[number] if number is not None else None
    unary = ""
    if isinstance(step, mlir.Primitive) and number == 0 and _is_in_place(step, target):
        unary = step.name
        left.pop(0)
    if not unary and not binary:
        return [product]
    a, b, c = product.inputs
    if product.name == "matmul":
        (a, first), (b, second) = (with_unit_mode(each, 0, names) for each in (a, b))
        before = [*before, first, second]
    whole = replace(product, name="fused_brgemm", inputs=(a, b, c, matrix or c), unary=unary, binary=binary)
    return [*before, whole]


def _next_use(operations: Sequence[mlir.Operation], value: mlir.Value) -> int | None:
    uses = (n for n, each in enumerate(operations) if value.name in {used.name for used in mlir.operands_of(each)})
    return next(uses, None)


def _is_in_place(step: mlir.Primitive, target: mlir.Value) -> bool:
    """True for an operation of one matrix on the target, of which `fused_brgemm` says all by its name."""
    is_known = step.name in UNARY and step.alpha is None
    return is_known and step.outputs == (target,) and step.inputs in ((), (target,))


def _other(step: mlir.Primitive, target: mlir.Value) -> mlir.Value | None:
    """The matrix that a step combines the target with."""
    one, other = step.inputs
    if one == target and other != target:
        return other
    return one if other == target and one != target and step.name in COMMUTE else None


def _is_preparation(operation: mlir.Operation) -> bool:
    """True for what may run before the product: it makes a matrix of its own."""
    if isinstance(operation, mlir.Primitive):
        return operation.name in ("broadcast", "transpose", "copy") and all(_is_own(each) for each in operation.outputs)
    return isinstance(operation, mlir.Allocate | mlir.Literal | mlir.Reshape)


def _is_own(value: mlir.Value) -> bool:
    return isinstance(value.type, mlir.MemrefType) and rank_of(value) > 0 and value.name.startswith("room")

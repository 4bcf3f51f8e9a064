"""Modules without primitives, groups and packing: what they mean in their place.

Interpreter, contraction graph and foreign compilers see what is left: linalg.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from typing import Any

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import Attributes, make
from einsum_front.mlir.tpp.meaning import meaning_of


def expanded(module: mlir.Module) -> mlir.Module:
    """The module without primitives, groups and packing: in their place is what they mean."""
    return replace(module, functions=tuple(map(expanded_function, module.functions)))


def expanded_function(function: mlir.Function, *, keeps_packing: bool = False) -> mlir.Function:
    """The function without primitives, groups and packing; a kernel keeps packing, which copies blocks there."""
    if function.body is None or not any(
        isinstance(each, mlir.Primitive | mlir.Group | mlir.Pack) for each in _walk(function.body)
    ):
        return function
    taken = [value.name for each in _walk(function.body) for value in mlir.results_of(each)]
    names = Names([*taken, *(each.name for each in function.arguments)])
    expander = _Expander(names, keeps_packing=keeps_packing)
    return replace(function, body=tuple(expander.operations(function.body)))


def without_groups(function: mlir.Function) -> mlir.Function:
    """The function with what its groups have in their place."""
    if not any(isinstance(each, mlir.Group) for each in function.body or ()):
        return function
    expander = _Expander(Names(), keeps_primitives=True, keeps_packing=True)
    return replace(function, body=tuple(expander.operations(function.body or ())))


def _walk(operations: Iterable[mlir.Operation]) -> Iterator[mlir.Operation]:
    for operation in operations:
        yield operation
        if isinstance(operation, mlir.For | mlir.Group):
            yield from _walk(operation.body)


@dataclass
class _Expander:
    """Writes what the operations of one function mean, in order."""

    names: Names
    keeps_primitives: bool = False
    keeps_packing: bool = False
    stands_for: dict[str, mlir.Value] = field(default_factory=dict)
    """The value that the result of a group is."""

    def operations(self, operations: Iterable[mlir.Operation]) -> Iterator[mlir.Operation]:
        """The same without primitives."""
        for written in operations:
            operation = _renamed(written, self.stands_for)
            match operation:
                case mlir.Primitive() if self.keeps_primitives:
                    yield operation
                case mlir.Pack() if self.keeps_packing:
                    yield operation
                case mlir.Primitive():
                    yield from meaning_of(operation, self.names)
                case mlir.Pack():
                    yield from _packed(self.names, operation)
                case mlir.Group(body=body):
                    yield from self.operations(body)
                    for result, value in zip(operation.results, operation.yields, strict=True):
                        self.stands_for[result.name] = self.stands_for.get(value.name, value)
                case mlir.For(body=body):
                    inner = tuple(self.operations(body))
                    yield replace(operation, body=inner, yields=tuple(map(self._value, operation.yields)))
                case (
                    mlir.Literal() | mlir.Scalar() | mlir.Structured() | mlir.Allocate() | mlir.Free() | mlir.Slice()
                    | mlir.InsertSlice() | mlir.Reshape() | mlir.Permute() | mlir.Cast() | mlir.Extent() | mlir.Copy()
                    | mlir.Call() | mlir.Return()
                ):  # fmt: skip
                    yield operation

    def _value(self, value: mlir.Value) -> mlir.Value:
        return self.stands_for.get(value.name, value)


# -- names -------------------------------------------------------------------------------------------------------------


def _renamed(operation: mlir.Operation, stands_for: Mapping[str, mlir.Value]) -> mlir.Operation:
    """The operation with each value that it uses replaced by the one that stands for it; regions stay as they are."""
    if not stands_for:
        return operation
    defined = {value.name for value in mlir.results_of(operation)}
    changed: dict[str, Any] = {
        each.name: _other(getattr(operation, each.name), stands_for, defined)
        for each in fields(operation)
        if each.name not in ("origin", "results", "result", "body", "payload", "yields")
    }
    return replace(operation, **changed)


def _other(found: object, stands_for: Mapping[str, mlir.Value], defined: set[str]) -> object:
    match found:
        case mlir.Value(name=name) if name not in defined:
            return stands_for.get(name, found)
        case tuple():
            return tuple(_other(each, stands_for, defined) for each in found)
        case _:  # open: fields that are no values stay
            return found


# -- packing -----------------------------------------------------------------------------------------------------------


def _packed(names: Names, operation: mlir.Pack) -> Iterator[mlir.Operation]:
    """Each mode is cut in two, then modes change places; unpacking goes the other way."""
    plain, blocked = operation.plain_and_packed
    shape = [size or 1 for size in plain.shape]
    tiles = dict(zip(operation.positions, operation.tiles, strict=True))
    cut, groups = list[int](), list[tuple[int, ...]]()
    for mode, size in enumerate(shape):
        parts = [size // tiles[mode], tiles[mode]] if mode in tiles else [size]
        groups.append(tuple(range(len(cut), len(cut) + len(parts))))
        cut += parts
    outer = operation.outer or tuple(range(len(shape)))
    order = tuple(groups[mode][0] for mode in outer) + tuple(groups[mode][1] for mode in operation.positions)
    element, origin = plain.element, operation.origin
    type_ = mlir.TensorType(tuple(cut), element)
    middle = mlir.Value(names.numbered("p"), type_, origin)
    made = Attributes(dimensions=order if not operation.is_unpack else tuple(order.index(n) for n in range(len(order))))
    if operation.is_unpack:
        empty = mlir.Value(names.numbered("p"), type_, origin)
        yield mlir.Allocate(empty, origin=origin)
        yield make("transpose", (blocked,), (empty,), (middle,), made, origin=origin)
        yield mlir.Reshape(operation.result, middle, tuple(groups), is_expansion=False, origin=origin)
    else:
        yield mlir.Reshape(middle, plain, tuple(groups), is_expansion=True, sizes=tuple(cut), origin=origin)
        yield make("transpose", (middle,), (operation.target,), (operation.result,), made, origin=origin)

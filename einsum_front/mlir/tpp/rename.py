"""Operations on other values: what stands for the results of a group that is no longer there."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from einsum_front.mlir.nodes import Operation, Value, results_of


def renamed(operation: Operation, stands_for: Mapping[str, Value]) -> Operation:
    """The operation with each value that it uses replaced by the one that stands for it; regions stay as they are."""
    if not stands_for:
        return operation
    defined = {value.name for value in results_of(operation)}
    changed: dict[str, Any] = {
        each.name: _value(getattr(operation, each.name), stands_for, defined)
        for each in fields(operation)
        if each.name not in ("origin", "results", "result", "body", "payload", "yields")
    }
    return replace(operation, **changed)


def _value(found: object, stands_for: Mapping[str, Value], defined: set[str]) -> object:
    match found:
        case Value(name=name) if name not in defined:
            return stands_for.get(name, found)
        case tuple():
            return tuple(_value(each, stands_for, defined) for each in found)
        case _:
            return found

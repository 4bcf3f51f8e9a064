"""Primitives that are made keep the rules that primitives which are read have to keep."""

from collections.abc import Iterable, Mapping

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.tpp.verify import check_primitive


def are_legal(operations: Iterable[mlir.Operation], defined: Mapping[str, mlir.Operation]) -> bool:
    """True if no primitive breaks a rule; `defined` are the operations before, by the names of their results."""
    known = dict(defined)
    for each in operations:
        if isinstance(each, mlir.Primitive) and next(check_primitive(each, known), None) is not None:
            return False
        known |= definitions((each,))
    return True


def definitions(operations: Iterable[mlir.Operation]) -> dict[str, mlir.Operation]:
    """The operations by the names of their results."""
    return {result.name: each for each in operations for result in mlir.results_of(each)}

"""In which order results are stored, if they replace arguments that others are computed from."""

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph.refuse import refused


def order_of_results(function: mlir.Function) -> tuple[int, ...]:
    """The numbers of the results: one that is computed from an argument stands before the one that replaces it.

    Raises `CompileError` (E0826) if two results replace arguments that the other one is computed from.
    """
    *_, last = function.body or (None,)
    values = last.values if isinstance(last, mlir.Return) else ()
    sources: dict[str, frozenset[str]] = {each.name: frozenset({each.name}) for each in function.arguments}
    _follow(function.body or (), sources)
    order = TopologicalSorter[int](dict.fromkeys(range(len(values)), ()))
    for name, number in function.targets:
        for other, value in enumerate(values):
            if other != number and name in sources.get(value.name, frozenset()):
                order.add(number, other)
    try:
        return tuple(order.static_order())
    except CycleError:
        message = "results replace arguments that they are computed from, each of the other's"
        raise refused(message, function.origin) from None


def _follow(operations: Iterable[mlir.Operation], sources: dict[str, frozenset[str]]) -> None:
    """Adds the arguments that each value is computed from."""
    for operation in operations:
        inner: frozenset[str] = frozenset()
        if isinstance(operation, mlir.For):
            for carried, initial in zip(operation.carried, operation.initial, strict=True):
                sources[carried.name] = sources.get(initial.name, frozenset())
            _follow(operation.body, sources)
            inner = inner.union(*(sources.get(each.name, frozenset()) for each in operation.yields))
        used = inner.union(*(sources.get(each.name, frozenset()) for each in mlir.operands_of(operation)))
        for result in mlir.results_of(operation):
            sources[result.name] = used

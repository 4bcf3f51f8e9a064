"""Statements of a case with anybody's einsum and arrays."""

from collections.abc import Callable, Mapping
from functools import reduce
from operator import add
from typing import Any

from benchmarks.case import Entrywise, Statement, Term

Einsum = Callable[..., Any]
"""`einsum(subscripts, *operands)` on the arrays of its library."""


Functions = Mapping[str, Callable[[Any], Any]]
"""By their names in `Entrywise`, on the arrays of a library."""


def evaluate(
    statements: tuple[Statement, ...],
    values: Mapping[str, Any],
    einsum: Einsum,
    last: Entrywise | None,
    functions: Functions,
) -> dict[str, Any]:
    """The targets after the statements; `+=` is done in place by libraries whose arrays allow it."""
    values = dict(values)
    for statement in statements:
        total = reduce(add, (_product(term, values, einsum) for term in statement.terms))
        if statement.adds:
            values[statement.target] += total
        else:
            values[statement.target] = total
    if last is not None:
        biased = values[last.target] + values[last.bias][:, None]
        values[last.target] = functions[last.function](biased)
    return {statement.target: values[statement.target] for statement in statements}


def _product(term: Term, values: Mapping[str, Any], einsum: Einsum) -> Any:
    product = einsum(term.subscripts, *(values[name] for name in term.operands))
    return product if term.scalar is None else values[term.scalar] * product

"""`if` in C, whatever schedule the statements around it have."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.types import ScalarType


class Scope(Protocol):
    """Knowledge of a schedule at the place of the `if`."""

    @property
    def names(self) -> Names:
        """The names in use."""

    @property
    def values(self) -> dict[str, Any]:
        """The values in sight."""

    def scalar(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """An operand in C."""


def lower_if(
    instruction: tl.If, types: Sequence[Scalar | Vector], scope: Scope, lower: Callable[[tl.Region], tree.Statements]
) -> tree.Statements:
    """Results are variables of these types that the `yield` of the branch taken gives their values."""
    results = tuple(tree.Name(scope.names.fresh(local_name(result.name))) for result in instruction.results)
    declarations = (tree.Declare(type_, name.text) for type_, name in zip(types, results, strict=True))
    condition = scope.scalar(instruction.condition, ScalarType.BOOL)
    then, otherwise = (
        (*lower(region), *_yielded(region, results, scope))
        for region in (instruction.then, instruction.otherwise or ())
    )
    scope.values.update(zip((result.name for result in instruction.results), results, strict=True))
    return (*declarations, tree.If(condition, then, otherwise))


def _yielded(region: tl.Region, results: Sequence[tree.Name], scope: Scope) -> tree.Statements:
    """The results from the `yield` at the end of a branch, if it has one."""
    last = region[-1] if region else None
    if not isinstance(last, tl.Yield):
        return ()
    values = zip(results, last.values, last.types, strict=True)
    return tuple(tree.Assign(result, scope.scalar(value, type_)) for result, value, type_ in values)

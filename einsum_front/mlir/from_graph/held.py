"""Nodes as values, and what is done with their numbers."""

from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.extent import Extent
from einsum_front.core.runs import Runs
from einsum_front.core.zero_pattern import Pattern
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.payloads import Numbers

BATCH = "#"
"""The index that walks the batch; no index of a graph is called so."""


@dataclass(frozen=True, slots=True)
class Held:
    """A node as a value: `axes` are the modes in the order of the type, behind the batch if it has one."""

    value: mlir.Value
    axes: tuple[int, ...]
    shape: tuple[Extent, ...]
    is_batched: bool

    def indices(self, names: Sequence[str]) -> tuple[str, ...]:
        """The index of each mode of the type, for those that walk the modes."""
        return (*((BATCH,) if self.is_batched else ()), *(names[axis] for axis in self.axes))


def added(numbers: Numbers, values: Sequence[mlir.Value]) -> mlir.Value:
    """The sum of numbers."""
    found = values[0]
    for each in values[1:]:
        found = numbers.operation("arith.addf", found, each)
    return found


def multiplied(numbers: Numbers, values: Sequence[mlir.Value]) -> mlir.Value:
    """The product of numbers."""
    found = values[0]
    for each in values[1:]:
        found = numbers.operation("arith.mulf", found, each)
    return found


def accumulated(numbers: Numbers, factors: Sequence[mlir.Value], output: mlir.Value) -> mlir.Value:
    """The product of the factors, added to the output."""
    return numbers.operation("arith.addf", output, multiplied(numbers, factors))


def spelled(maps: Sequence[Sequence[str]], result: Sequence[str]) -> str:
    """The index maps as an index string: `kl,lp->kp`."""

    def word(names: Sequence[str]) -> str:
        return ("" if all(len(name) == 1 for name in names) else " ").join(names)

    return f"{','.join(map(word, maps))}->{word(result)}"


def nonzeros_of(pattern: Pattern | None, shape: Sequence[Extent], axes: Sequence[int]) -> Runs | None:
    """The runs of a pattern, of positions in the order of the type; None for open extents."""
    if pattern is None or not all(isinstance(size, int) for size in shape):
        return None
    return pattern.transposed(tuple(axes)[::-1]).runs()


def refused(name: str, why: str) -> CompileError:
    """The error for what has no form."""
    return CompileError([Diagnostic("E0842", f"`{name}` {why}: linalg has no form for it here")])

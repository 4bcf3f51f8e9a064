"""Maps of nests over indices, and the nest between numbers of bf16 and f32."""

from collections.abc import Sequence

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.from_graph.held import spelled
from einsum_front.mlir.from_graph.named import generic


def maps_of(names: Sequence[Sequence[str]]) -> tuple[mlir.AffineMap, ...]:
    """Maps for operands with these indices; iterators of the last one come first, in its order."""
    order = list(dict.fromkeys(name for each in (names[-1], *names[:-1]) for name in each))
    return tuple(mlir.AffineMap.of_dims(len(order), tuple(map(order.index, each))) for each in names)


def converted(source: mlir.Value, target: mlir.Value, read: Sequence[str], stored: Sequence[str]) -> mlir.Structured:
    """`target := source`, which widens numbers of bf16 or rounds to them: no other instruction has them.

    `read` and `stored` are the indices of the operands, the fastest first.
    """
    arguments = tuple(mlir.Value(f"x{number}", value.element) for number, value in enumerate((source, target)))
    name = "arith.extf" if arguments[0].type is mlir.ScalarType.BF16 else "arith.truncf"
    step = mlir.Scalar(mlir.Value("v0", arguments[1].type), name, arguments[:1])
    is_copy = arguments[0].type is arguments[1].type
    payload = mlir.Payload(arguments, () if is_copy else (step,), arguments[:1] if is_copy else (step.result,))
    maps = maps_of([tuple(reversed(names)) for names in (read, stored)])
    return generic((source,), target, maps, payload, (), spelled([read], stored))

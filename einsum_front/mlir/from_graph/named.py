"""Structured operations under the most telling name: a named contraction, `linalg.contract`, or `linalg.generic`."""

from collections.abc import Sequence

from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.named import Attributes, make, shape_of
from einsum_front.mlir.named_tables import CONTRACTIONS

NAMES = tuple(name for name in CONTRACTIONS if "transpose" not in name and "mmt4d" not in name)
"""The named contractions that every release of MLIR writes alike."""


def contraction(
    inputs: Sequence[mlir.Value],
    output: mlir.Value,
    maps: Sequence[mlir.AffineMap],
    results: Sequence[mlir.Value],
    location: str,
) -> mlir.Structured | None:
    """A product of two operands that is added to the output, under a name; None if linalg has none for it.

    The operands may change places. A dimension that one input and nothing else has keeps it from being a contraction.
    """
    first, second = inputs
    wanted = canonical(maps)
    swapped = canonical((maps[1], maps[0], maps[2]))
    for name in NAMES:
        ranks = [len(each.results) for each in maps]
        known, _ = shape_of(name, (first, second), (output,), Attributes()) if _fits(name, ranks) else ((), ())
        if known and canonical(known) == wanted:
            return make(name, (first, second), (output,), results, location=location)
        if known and canonical(known) == swapped:
            return make(name, (second, first), (output,), results, location=location)
    kept = set(maps[-1].positions or ())
    has_depths = any(dim not in kept for dim in range(maps[0].dims))
    if has_depths and all(_uses(maps, dim) in CONTRACTED for dim in range(maps[0].dims)):
        return make("contract", (first, second), (output,), results, Attributes(tuple(maps)), location=location)
    return None


CONTRACTED = ((True, True, True), (True, False, True), (False, True, True), (True, True, False))
"""Which operands may have a dimension of a contraction: batch, rows, columns, depths."""


def _fits(name: str, ranks: Sequence[int]) -> bool:
    spec = CONTRACTIONS[name][1].replace("->", ",").split(",")
    lengths = [len(each) for each in spec]
    return lengths in (list(ranks), [ranks[1], ranks[0], ranks[2]])


def _uses(maps: Sequence[mlir.AffineMap], dim: int) -> tuple[bool, ...]:
    return tuple(dim in (each.positions or ()) for each in maps)


def canonical(maps: Sequence[mlir.AffineMap]) -> tuple[tuple[int, ...], ...]:
    """The maps with dimensions numbered by their first use, the output's first: equal for the same operation."""
    found: dict[int, int] = {}
    for each in (maps[-1], *maps[:-1]):
        for position in each.positions or ():
            found.setdefault(position, len(found))
    return tuple(tuple(found[each] for each in map_.positions or ()) for map_ in maps)


def generic(
    inputs: Sequence[mlir.Value],
    output: mlir.Value,
    maps: Sequence[mlir.AffineMap],
    payload: mlir.Payload,
    results: Sequence[mlir.Value],
    location: str,
) -> mlir.Structured:
    """Any other: iterators of the output are parallel, others reductions."""
    kept = set(maps[-1].positions or ())
    kinds = tuple(
        mlir.IteratorType.PARALLEL if dim in kept else mlir.IteratorType.REDUCTION for dim in range(maps[-1].dims)
    )
    whole = (tuple(inputs), (output,), tuple(maps), kinds, payload, tuple(results))
    return mlir.Structured("generic", *whole, location=location)

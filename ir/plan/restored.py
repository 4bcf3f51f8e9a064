"""Numbers that NumPy has made of sizes, with their polynomials again; counts of entries as polynomials."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

import numpy as np

from einsum_front.ir.contraction.graph import Graph
from einsum_front.ir.contraction.nodes import (
    Assignment,
    Contraction,
    Embedding,
    Leaf,
    Node,
    ScalarTerm,
    Scaling,
    Slice,
    Sum,
)
from einsum_front.ir.plan.pattern import Factor, constrained, count, is_dense
from einsum_front.ir.run_time import RunTimeNumber, interpolated
from einsum_front.ir.zero_pattern import Mask


class Restored:
    """Extents that only the launch knows, by the integers that they are when compiling."""

    def __init__(self, extents: Iterable[int] = ()) -> None:
        self._known = {int(extent): extent for extent in extents if isinstance(extent, RunTimeNumber)}

    def __bool__(self) -> bool:
        """Whether there are such extents."""
        return bool(self._known)

    def __call__(self, extent: int) -> int:
        """The extent with its polynomial, if it has one: an open mode has no parts, so nothing else is this integer."""
        return self._known.get(extent, extent)

    def entries(self, mask: Mask) -> int:
        """Number of entries that may differ from zero."""
        if is_dense(mask):
            return prod(map(self, mask.shape))
        return self.combinations([Factor(tuple(map(str, range(mask.ndim))), mask)])

    def combinations(self, factors: Sequence[Factor]) -> int:
        """How many assignments of positions to the indices of the factors are possible."""
        extents = {name: self(size) for f in factors for name, size in zip(f.indices, f.mask.shape, strict=True)}
        open_names = [name for name, extent in extents.items() if isinstance(extent, RunTimeNumber)]
        same = [name for name in open_names if all(_is_uniform(factor, name) for factor in factors)]
        left = [_at_first(factor, same) for factor in factors]
        return prod(extents[name] for name in same) * _interpolated(left, extents, set(open_names) - set(same))


def restored_of(graph: Graph) -> Restored:
    """The extents of a graph."""
    return Restored(extent for _, node in graph.nodes for extent in _extents(node))


def _extents(node: Node) -> Iterable[int]:
    match node:
        case Leaf(tensor=tensor):
            return tensor.shape
        case Slice(space=space) | Contraction(space=space) | Sum(space=space) | Scaling(space=space):
            return space.extents.values()
        case Assignment(tensor=tensor, space=space):
            return (*tensor.shape, *space.extents.values())
        case Embedding(shape=shape):
            return shape
        case ScalarTerm():
            return ()


def _is_uniform(factor: Factor, name: str) -> bool:
    """Whether the pattern is the same at all positions of an index."""
    if name not in factor.indices:
        return True
    axis = factor.indices.index(name)
    return bool((factor.mask == factor.mask.take([0], axis)).all())


def _at_first(factor: Factor, names: Sequence[str]) -> Factor:
    """The factor without some of its indices, which are at their first position."""
    at = tuple(0 if name in names else slice(None) for name in factor.indices)
    return Factor(tuple(name for name in factor.indices if name not in names), np.asarray(factor.mask[at]))


def _interpolated(factors: Sequence[Factor], extents: dict[str, int], names: set[str]) -> int:
    """The count as a polynomial of the extents of some indices, along which patterns are diagonals.

    Patterns of fewer positions are parts of these patterns, so the polynomial goes through their counts. Samples of
    sizes are chosen so that there are enough positions.
    """
    sizes = list(dict.fromkeys(extents[name] for name in extents if name in names))
    degrees = [sum(extents[name] == size for name in names) for size in sizes]
    counts: dict[tuple[int, ...], int] = {}
    for points in product(*(range(1, degree + 2) for degree in degrees)):
        stops = {name: points[sizes.index(extents[name])] for name in names}
        cut = [Factor(f.indices, f.mask[tuple(slice(stops.get(name)) for name in f.indices)]) for f in factors]
        counts[points] = count(constrained(cut)) * prod(_unconstrained(cut).values())
    return interpolated(sizes, counts)


def _unconstrained(factors: Sequence[Factor]) -> dict[str, int]:
    """The extents of the indices that no pattern constrains."""
    extents = {name: size for f in factors for name, size in zip(f.indices, f.mask.shape, strict=True)}
    taken = {name for factor in constrained(factors) for name in factor.indices}
    return {name: size for name, size in extents.items() if name not in taken}

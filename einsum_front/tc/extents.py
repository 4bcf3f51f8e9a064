"""Extents of iterators: what shapes say of them, and where positions lie. Sizes are 1 at least."""

from collections.abc import Iterable, Mapping

from einsum_front.tc.nodes import Affine, Definition
from einsum_front.tc.structure import all_accesses


def extents_of(definition: Definition) -> dict[str, Affine]:
    """The extent of each iterator that walks a mode by itself: that of the first such mode."""
    shapes = {each.name: each.shape for each in definition.tensors}
    found: dict[str, Affine] = {}
    for access in all_accesses(definition.body):
        for position, extent in zip(access.positions, shapes[access.tensor], strict=True):
            if position.name is not None:
                found.setdefault(position.name, extent)
    return found


def last_position(position: Affine, extents: Mapping[str, Affine]) -> tuple[Affine, Affine]:
    """The first and the last of the positions that iterators of these extents reach."""
    first = last = Affine((), position.constant)
    for name, factor in position.terms:
        reached = times(minus(extents[name], Affine((), 1)), factor)
        first, last = (first, plus(last, reached)) if factor > 0 else (plus(first, reached), last)
    return first, last


def least(affine: Affine) -> int | None:
    """A number from 0 on that the value is at least for all sizes; None if it may be below 0."""
    if any(factor < 0 for _, factor in affine.terms):
        return None
    value = affine.constant + sum(factor for _, factor in affine.terms)
    return value if value >= 0 else None


def plus(left: Affine, right: Affine) -> Affine:
    """The sum."""
    return _summed((*left.terms, *right.terms), left.constant + right.constant)


def minus(left: Affine, right: Affine) -> Affine:
    """The difference."""
    return plus(left, times(right, -1))


def times(affine: Affine, factor: int) -> Affine:
    """A multiple."""
    return Affine(tuple((name, each * factor) for name, each in affine.terms), affine.constant * factor)


def value_of(affine: Affine, sizes: Mapping[str, int]) -> int:
    """The number, where all names are known."""
    return affine.constant + sum(sizes[name] * factor for name, factor in affine.terms)


def _summed(terms: Iterable[tuple[str, int]], constant: int) -> Affine:
    found: dict[str, int] = {}
    for name, factor in terms:
        found[name] = found.get(name, 0) + factor
    return Affine(tuple(each for each in found.items() if each[1]), constant)

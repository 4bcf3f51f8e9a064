"""Which modes of tensors can be modes of matrices: one index, or a group of neighbours in memory."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from einsum_front.core.extent import Extent, hint, product
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.plan import View
from einsum_front.ir.tensor import Tensor

FEW = 3


class Mode(NamedTuple):
    """A mode of a view that the index of this name walks: its stride in elements and how far the index runs."""

    name: str
    stride: Extent
    extent: Extent


def modes_in_memory(view: View, extents: Mapping[str, Extent], tensor: Tensor) -> tuple[Mode, ...]:
    """The modes of a view that indices walk, from the fastest to the slowest."""
    strides, parts = tensor.spread, view.parts
    return tuple([
        Mode(part.index, strides[mode], extents[part.index])
        for mode in tensor.modes_by_stride
        if isinstance(part := parts[mode], cg.Along)
    ])  # fmt: skip


def groups(one: tuple[Mode, ...], other: tuple[Mode, ...], members: set[str]) -> list[IndexMap]:
    """The groups out of `members` that are one mode in both, the largest first, then the fastest in `one`.

    Of many, a few of the largest ones, and of those that vectors can run along; the empty one, if there are no members.
    """
    found = sorted(_runs(one, other, members), key=lambda group: -hint(product([mode.extent for mode in group])))
    kept = dict.fromkeys((*found[:FEW], *[group for group in found if group[0].stride == 1][:FEW]))
    return [tuple([mode.name for mode in group]) for group in kept] or [()]


def _runs(one: tuple[Mode, ...], other: tuple[Mode, ...], members: set[str]) -> Iterator[tuple[Mode, ...]]:
    """All runs of members that are neighbours in the same order, and one mode, in both."""
    names = [mode.name for mode in other]
    for start, first in enumerate(one):
        if first.name not in members:
            continue
        place, last = names.index(first.name), None
        for stop, pair in enumerate(zip(one[start:], other[place:], strict=False), start + 1):
            index = pair[0].name
            if index != pair[1].name or index not in members or not (last is None or _goes_on(last, pair)):
                break
            yield one[start:stop]
            last = pair


def _goes_on(before: tuple[Mode, Mode], behind: tuple[Mode, Mode]) -> bool:
    """True if the modes behind are where those before them end."""
    return all(fast.stride * fast.extent == slow.stride for fast, slow in zip(before, behind, strict=True))

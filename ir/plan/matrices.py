"""Which modes of tensors can be modes of matrices: one index, or a group of neighbours in memory."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.plan import View
from einsum_front.ir.tensor import Tensor

FEW = 3


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of a view that an index walks: its stride in elements and how far the index runs."""

    index: str
    stride: Extent
    extent: Extent


def modes_in_memory(view: View, extents: Mapping[str, Extent], tensor: Tensor) -> tuple[Mode, ...]:
    """The modes of a view that indices walk, from the fastest to the slowest."""
    modes = []
    for mode in tensor.modes_by_stride:
        part = view.parts[mode]
        if isinstance(part, cg.Along):
            modes.append(Mode(part.index, tensor.strides[mode], extents[part.index]))
    return tuple(modes)


def groups(one: Sequence[Mode], other: Sequence[Mode], members: set[str]) -> list[IndexMap]:
    """The groups out of `members` that are one mode in both, the largest first, then the fastest in `one`.

    Of many, a few of the largest ones, and of those that vectors can run along; the empty one, if there are no members.
    """
    found = [group for group in _runs(one, members) if _is_one_mode(group, other)]
    found.sort(key=lambda group: -hint(product(mode.extent for mode in group)))
    kept = dict.fromkeys((*found[:FEW], *[group for group in found if group[0].stride == 1][:FEW]))
    return [tuple(mode.index for mode in group) for group in kept] or [()]


def _runs(modes: Sequence[Mode], members: set[str]) -> list[tuple[Mode, ...]]:
    """All runs of neighbouring members that are one mode in memory."""
    runs = []
    for start in range(len(modes)):
        for stop in range(start + 1, len(modes) + 1):
            run = tuple(modes[start:stop])
            if all(mode.index in members for mode in run) and _fuses(run):
                runs.append(run)
    return runs


def _fuses(run: Sequence[Mode]) -> bool:
    pairs = pairwise(run)
    return all(fast.stride * fast.extent == slow.stride for fast, slow in pairs)


def _is_one_mode(group: tuple[Mode, ...], modes: Sequence[Mode]) -> bool:
    """True if the same indices are neighbours in the same order, and one mode, in `modes` too."""
    names = [mode.index for mode in modes]
    start = names.index(group[0].index)
    run = modes[start : start + len(group)]
    return [mode.index for mode in run] == [mode.index for mode in group] and _fuses(run)

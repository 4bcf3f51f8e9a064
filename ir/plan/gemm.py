"""Loops over matrix products: which indices of a product are the modes of the matrices, and which are looped over.

With I_m the indices of the left operand and the result, I_n of the right operand and the result, I_k of both operands,
a matrix product takes one index from each set, or one group of indices that are neighbours in memory in both tensors
that have them. The other indices of the sets, and those that all three tensors have, are loops around it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from ir.contraction.nodes import Along
from ir.index import IndexMap
from ir.plan.plan import Step, View
from ir.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode of a view that an index walks: its stride in elements and how far the index runs."""

    index: str
    stride: int
    extent: int


@dataclass(frozen=True, slots=True)
class LoopsOverGemm:
    """The groups of indices that are m, n and k, the fastest first, and the indices that are looped over."""

    m: IndexMap
    n: IndexMap
    k: IndexMap
    loops: IndexMap


def modes_in_memory(view: View, extents: Mapping[str, int], tensor: Tensor) -> tuple[Mode, ...]:
    """The modes of a view that indices walk, from the fastest to the slowest."""
    modes = []
    for mode in tensor.modes_by_stride:
        part = view.parts[mode]
        if isinstance(part, Along):
            modes.append(Mode(part.index, tensor.strides[mode], extents[part.index]))
    return tuple(modes)


def loops_over_gemm(step: Step, tensors: Mapping[str, Tensor]) -> LoopsOverGemm:
    """How a product with reduction becomes loops over matrix products; fewest loop iterations, then longest m."""
    extents = step.space.extents
    left, right = (modes_in_memory(view, extents, tensors[view.buffer]) for view in step.operands)
    result = modes_in_memory(step.target, extents, tensors[step.target.buffer])
    in_left, in_right, in_result = ({mode.index for mode in modes} for modes in (left, right, result))
    common = in_left & in_right & in_result
    m = _group(result, left, (in_left & in_result) - common)
    n = _group(result, right, (in_right & in_result) - common)
    k = _group(left, right, (in_left & in_right) - common)
    taken = {*m, *n, *k}
    return LoopsOverGemm(m, n, k, tuple(index.name for index in step.space.indices if index.name not in taken))


def _group(one: Sequence[Mode], other: Sequence[Mode], members: set[str]) -> IndexMap:
    """The largest group out of `members` that is one mode in both; the one that is fastest in `one` if tied."""
    groups = [group for group in _runs(one, members) if _is_one_mode(group, other)]
    largest = max(groups, key=lambda group: prod(mode.extent for mode in group), default=())
    return tuple(mode.index for mode in largest)


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
    """Whether the same indices are neighbours in the same order, and one mode, in `modes` too."""
    names = [mode.index for mode in modes]
    start = names.index(group[0].index)
    run = modes[start : start + len(group)]
    return [mode.index for mode in run] == [mode.index for mode in group] and _fuses(run)

"""The order of the modes of temporaries in memory, chosen for the whole kernel.

Every order of the modes of a temporary is a candidate (for many modes: the orders that neighbouring tensors suggest).
Temporaries that meet in a step are decided together: all combinations where they are few, else one temporary after the
other until nothing improves. The price of a step is in vector operations: a loop around a matrix product costs as much
as a few of them, and entries that are not neighbours in memory are handled one by one.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from math import prod

import networkx as nx

from ir.contraction.nodes import Along
from ir.index import IndexMap
from ir.plan.gemm import Mode, loops_over_gemm, modes_in_memory
from ir.plan.plan import Step, StepKind, View
from ir.tensor import Tensor

VECTOR = 8
"""Entries that one vector operation handles."""

GATHER = 4
"""Vector operations that a vector of entries costs which are not neighbours in memory."""

CALL = 8
"""Vector operations that a loop iteration around a matrix product costs."""

ALL_ORDERS = 4
"""Up to this number of modes all orders are candidates."""

COMBINATIONS = 64
"""Up to this number all combinations of candidates are compared."""

Tensors = dict[str, Tensor]
Modes = tuple[int, ...]


def choose_layouts(
    arguments: Sequence[Tensor], temporaries: Sequence[Tensor], steps: Sequence[Step]
) -> tuple[Tensor, ...]:
    """The temporaries with the packed strides that suit the steps best."""
    tensors = {tensor.name: tensor for tensor in (*arguments, *temporaries)}
    prices = _Prices(steps)
    for names in _meeting(temporaries, steps):
        candidates = {name: _candidates(tensors[name], steps, tensors) for name in names}
        if prod(len(orders) for orders in candidates.values()) <= COMBINATIONS:
            tensors |= _best_combination(candidates, tensors, prices)
        else:
            tensors |= _descent(candidates, tensors, prices)
    return tuple(tensors[tensor.name] for tensor in temporaries)


def price(step: Step, tensors: Mapping[str, Tensor]) -> int:
    """What the layouts cost in a step, in vector operations."""
    views = (*step.operands, step.target)
    modes = [modes_in_memory(view, step.space.extents, tensors[view.buffer]) for view in views]
    points = prod(step.space.extents.values())
    if step.kind is not StepKind.LOG:
        return _vectors(points, modes[-1], modes[:-1])
    loops = loops_over_gemm(step, tensors)
    calls = prod(step.space.extents[name] for name in loops.loops)
    along = loops.m if modes[-1] and modes[-1][0].index in loops.m else loops.n
    sharing = modes[0] if along is loops.m else modes[1]
    return calls * CALL + _vectors(points, modes[-1], [sharing], along)


def _vectors(
    points: int, target: Sequence[Mode], operands: Sequence[Sequence[Mode]], along: IndexMap | None = None
) -> int:
    """Vector operations along the fastest mode of the target; `along` are the modes that count as one with it."""
    if not target or target[0].stride > 1:
        return points
    first = target[0]
    if along is not None and first.index not in along:
        return points
    length = prod(mode.extent for mode in target if along is not None and mode.index in along) or first.extent
    vectors = -(-length // VECTOR) * (points // length)
    strided = sum(_is_strided(operand, first.index) for operand in operands)
    return vectors * (1 + strided * GATHER)


def _is_strided(operand: Sequence[Mode], index: str) -> bool:
    return any(mode.index == index and mode.stride > 1 for mode in operand)


def _meeting(temporaries: Sequence[Tensor], steps: Sequence[Step]) -> list[list[str]]:
    """The temporaries in groups that meet in some step, directly or by others."""
    names = [tensor.name for tensor in temporaries if tensor.order > 1]
    network: nx.Graph[str] = nx.Graph()
    network.add_nodes_from(names)
    for step in steps:
        present = [view.buffer for view in (*step.operands, step.target) if view.buffer in names]
        network.add_edges_from((present[0], other) for other in present[1:])
    return [sorted(group, key=names.index) for group in nx.connected_components(network)]


def _candidates(tensor: Tensor, steps: Sequence[Step], tensors: Mapping[str, Tensor]) -> list[Modes]:
    """Orders of modes, the fastest first; the order of the modes themselves is the first."""
    if tensor.order <= ALL_ORDERS:
        return list(permutations(range(tensor.order)))
    suggested = [order for step in steps for order in _suggested(tensor, step, tensors)]
    return list(dict.fromkeys((tuple(range(tensor.order)), *suggested)))


def _suggested(tensor: Tensor, step: Step, tensors: Mapping[str, Tensor]) -> Iterator[Modes]:
    """Orders in which the modes that a step shares with another tensor stand as in that one, at either end."""
    views = (*step.operands, step.target)
    for own in views:
        if own.buffer == tensor.name:
            for other in views:
                shared = _shared_modes(own, other, tensors[other.buffer])
                rest = [mode for mode in range(tensor.order) if mode not in shared]
                yield (*shared, *rest)
                yield (*rest, *shared)


def _shared_modes(own: View, other: View, tensor: Tensor) -> list[int]:
    """The modes of `own` whose indices `other` has, in the order of the other's memory."""
    place = {part.index: mode for mode, part in enumerate(own.parts) if isinstance(part, Along)}
    parts = (other.parts[mode] for mode in tensor.modes_by_stride)
    return [place[part.index] for part in parts if isinstance(part, Along) and part.index in place]


def _best_combination(candidates: Mapping[str, Sequence[Modes]], tensors: Tensors, prices: "_Prices") -> Tensors:
    """The layouts of a group with the lowest price, all combinations compared; the first one if tied."""
    touching = prices.touching(candidates)
    choices = (
        {name: ordered(tensors[name], order) for name, order in zip(candidates, orders, strict=True)}
        for orders in product(*candidates.values())
    )
    return min(choices, key=lambda choice: prices.total(touching, tensors | choice))


def _descent(candidates: Mapping[str, Sequence[Modes]], tensors: Tensors, prices: "_Prices") -> Tensors:
    """The layouts of a group, improved one temporary at a time until none can be."""
    chosen = {name: tensors[name] for name in candidates}
    improved = True
    while improved:
        improved = False
        for name, orders in candidates.items():
            best = _best_combination({name: orders}, tensors | chosen, prices)
            touching = prices.touching((name,))
            if prices.total(touching, tensors | chosen | best) < prices.total(touching, tensors | chosen):
                chosen |= best
                improved = True
    return chosen


class _Prices:
    """The prices of steps, each worked out once for the same layouts."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._buffers = [tuple(view.buffer for view in (*step.operands, step.target)) for step in steps]
        self._known: dict[tuple[int, tuple[tuple[int, ...], ...]], int] = {}

    def touching(self, names: Collection[str]) -> list[int]:
        """The numbers of the steps that use one of these buffers."""
        return [number for number, buffers in enumerate(self._buffers) if any(name in names for name in buffers)]

    def total(self, numbers: Sequence[int], tensors: Tensors) -> int:
        """The price of the steps with these numbers."""
        return sum(self._price(number, tensors) for number in numbers)

    def _price(self, number: int, tensors: Tensors) -> int:
        key = number, tuple(tensors[name].strides for name in self._buffers[number])
        if key not in self._known:
            self._known[key] = price(self._steps[number], tensors)
        return self._known[key]


def ordered(tensor: Tensor, order: Modes) -> Tensor:
    """The tensor packed with its modes in this order, the fastest first."""
    strides = [0] * tensor.order
    stride = 1
    for mode in order:
        strides[mode] = stride
        stride *= tensor.shape[mode]
    return replace(tensor, strides=tuple(strides))

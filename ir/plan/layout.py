"""The order of the modes of temporaries in memory, chosen for the whole kernel.

Every order of the modes of a temporary is a candidate (for many modes: the orders that neighbouring tensors suggest).
Temporaries that meet in a step are decided together, by the cycles that the steps take: see `gemm` and `waiting`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import inf
from operator import itemgetter

import networkx as nx

from ir.contraction.nodes import Along
from ir.plan.copies import prepared
from ir.plan.cycles import least_cycles
from ir.plan.plan import Step, View
from ir.plan.schedule import Schedule
from ir.tensor import Tensor

ALL_ORDERS = 4
"""Up to this number of modes all orders are candidates."""

MOST_TRIALS = 300
"""Layouts of single temporaries, beside those of others, that are tried before the search for the best ones ends.

Divided by the number of temporaries: each trial of one prices steps anew, and twelve factors have eleven of them.
"""

Tensors = dict[str, Tensor]
Modes = tuple[int, ...]


def choose_layouts(arguments: Sequence[Tensor], scheduled: Schedule, room: Sequence[int]) -> tuple[Tensor, ...]:
    """The temporaries with the packed strides that suit the steps best, each having so many bytes for copies."""
    temporaries, steps = scheduled.temporaries, scheduled.steps
    tensors = {tensor.name: tensor for tensor in (*arguments, *temporaries)}
    for names in _meeting(temporaries, steps):
        candidates = {
            name: [tensors[name].packed(order) for order in _candidates(tensors[name], steps, tensors)]
            for name in names
        }
        tensors |= _Search(candidates, steps, tensors, room).run()
    return tuple(tensors[tensor.name] for tensor in temporaries)


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


class _Search:
    """The layouts of temporaries that meet, with the lowest price of the steps that touch them.

    One temporary after the other gets its layouts, cheapest first, where a step counts as soon as all its temporaries
    have theirs; what is not cheaper than the best so far is given up. If that takes too long, the best so far is
    improved one temporary at a time.
    """

    def __init__(
        self, candidates: Mapping[str, Sequence[Tensor]], steps: Sequence[Step], tensors: Tensors, room: Sequence[int]
    ) -> None:
        self._candidates = candidates
        self._tensors = dict(tensors)
        self._prices = _Prices(steps, tensors, room)
        self._names = list(candidates)
        self._completed = self._prices.completed_by(self._names)
        self._least = self._least_behind()
        self._best: Tensors = {}
        self._lowest = inf
        self._trials = 0
        self._most_trials = MOST_TRIALS // len(self._names)

    def run(self) -> Tensors:
        """The layouts of all."""
        self._descend(0, 0.0)
        self._improve()
        return self._best

    def _descend(self, depth: int, spent: float) -> None:
        if depth == len(self._names):
            self._lowest, self._best = spent, {name: self._tensors[name] for name in self._names}
            return
        name = self._names[depth]
        for price, tensor in self._priced(name, self._completed[depth]):
            if spent + price + self._least[depth] >= self._lowest or (self._best and self._trials > self._most_trials):
                break
            self._tensors[name] = tensor
            self._descend(depth + 1, spent + price)

    def _least_behind(self) -> list[float]:
        """What the steps that are complete behind each temporary cost at least."""
        least = [sum(map(self._prices.least, steps)) for steps in self._completed]
        return [sum(least[depth:]) for depth in range(1, len(least) + 1)]

    def _priced(self, name: str, steps: Sequence[int]) -> list[tuple[float, Tensor]]:
        """The layouts of a temporary by their price in these steps; of equal ones the first candidate first."""
        self._trials += len(self._candidates[name])
        priced = []
        for tensor in self._candidates[name]:
            self._tensors[name] = tensor
            priced.append((self._prices.total(steps, self._tensors), tensor))
        return sorted(priced, key=itemgetter(0))

    def _improve(self) -> None:
        """Change one temporary at a time as long as something improves; nothing does if the search came to its end."""
        self._tensors |= self._best
        is_improved = self._trials > self._most_trials
        while is_improved and self._trials <= 2 * self._most_trials:
            is_improved = False
            for name in self._names:
                touching = self._prices.touching(name)
                before, kept = self._prices.total(touching, self._tensors), self._tensors[name]
                price, tensor = self._priced(name, touching)[0]
                is_better = price < before
                self._tensors[name] = tensor if is_better else kept
                is_improved = is_improved or is_better
        self._best = {name: self._tensors[name] for name in self._names}


class _Prices:
    """The prices of steps, each worked out once for the same layouts."""

    def __init__(self, steps: Sequence[Step], tensors: Tensors, room: Sequence[int]) -> None:
        self._steps = steps
        self._room = room
        self._buffers = [tuple(view.buffer for view in (*step.operands, step.target)) for step in steps]
        self._least = [least_cycles(step, tensors) for step in steps]
        self._known: dict[tuple[int, tuple[tuple[int, ...], ...]], float] = {}

    def touching(self, name: str) -> list[int]:
        """The numbers of the steps that use a buffer."""
        return [number for number, buffers in enumerate(self._buffers) if name in buffers]

    def completed_by(self, names: Sequence[str]) -> list[list[int]]:
        """For each buffer the numbers of the steps that use it and, of these buffers, only earlier ones besides."""
        return [
            [
                number
                for number in self.touching(name)
                if not any(later in self._buffers[number] for later in names[place:])
            ]
            for place, name in enumerate(names, start=1)
        ]

    def least(self, number: int) -> float:
        """What a step costs at least, whatever the layouts."""
        return self._least[number]

    def total(self, numbers: Sequence[int], tensors: Tensors) -> float:
        """The price of the steps with these numbers."""
        return sum(self._price(number, tensors) for number in numbers)

    def _price(self, number: int, tensors: Tensors) -> float:
        key = number, tuple(tensors[name].strides for name in self._buffers[number])
        if key not in self._known:
            self._known[key] = prepared(self._steps[number], tensors, self._room[number]).cycles
        return self._known[key]

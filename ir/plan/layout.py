"""The order of the modes of temporaries in memory, chosen for the whole kernel.

Every order of the modes of a temporary is a candidate (for many modes: the orders that neighbouring tensors suggest).
Temporaries that meet in a step are decided together, by the cycles that the steps take: see `gemm` and `cache_model`.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import accumulate, permutations
from math import inf
from operator import itemgetter

from einsum_front.core.machine import Machine
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.plan.copies import StepCycles
from einsum_front.ir.plan.plan import Step, View
from einsum_front.ir.plan.schedule import Schedule
from einsum_front.ir.tensor import Tensor

ALL_ORDERS = 4
"""Up to this number of modes all orders are candidates."""

MOST_TRIALS = 300
"""Layouts of single temporaries, beside those of others, that are tried before the search for the best ones ends.

Divided by the number of temporaries: each trial of one counts cycles of steps anew, and twelve factors have eleven.
"""

Tensors = dict[str, Tensor]
Modes = tuple[int, ...]


class KnownCycles:
    """The cycles of steps with their copies, worked out once for steps that differ in names of buffers only.

    Of equal orders of a contraction, which are all laid out, most steps are so.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._steps: dict[object, StepCycles] = {}

    def of(self, step: Step, tensors: Tensors, room: int) -> StepCycles:
        """Those of a step that has so many bytes for copies."""
        made = StepCycles(step, [tensors[view.buffer] for view in (*step.operands, step.target)], room, self.machine)
        return self._steps.setdefault(made.key, made)


def choose_layouts(
    arguments: Sequence[Tensor], scheduled: Schedule, room: Sequence[int], known: KnownCycles
) -> tuple[Tensor, ...]:
    """The temporaries with the packed strides that suit the steps best, each having so many bytes for copies."""
    temporaries, steps = scheduled.temporaries, scheduled.steps
    tensors = {tensor.name: tensor for tensor in (*arguments, *temporaries)}
    for names, numbers in _meeting(temporaries, steps):
        touching = [steps[number] for number in numbers]
        candidates = {
            name: [tensors[name].packed(order) for order in _candidates(tensors[name], touching, tensors)]
            for name in names
        }
        cycles = _Cycles(touching, tensors, [room[number] for number in numbers], known)
        tensors |= _Search(candidates, cycles, tensors).run()
    return tuple(tensors[tensor.name] for tensor in temporaries)


def _meeting(temporaries: Sequence[Tensor], steps: Sequence[Step]) -> Iterator[tuple[list[str], list[int]]]:
    """The temporaries in groups that meet in some step, directly or by others, with the numbers of these steps."""
    names = [tensor.name for tensor in temporaries if tensor.order > 1]
    if not names:
        return
    places = {name: place for place, name in enumerate(names)}
    present = [_buffers(step, places) for step in steps]
    group_of = {name: [name] for name in names}  # smaller groups are poured into larger ones
    for buffers in present:
        for other in buffers[1:]:
            larger, smaller = sorted((group_of[buffers[0]], group_of[other]), key=len, reverse=True)
            if larger is not smaller:
                larger += smaller
                group_of.update(dict.fromkeys(smaller, larger))
    touching: dict[int, list[int]] = {id(group): [] for group in group_of.values()}
    for number, buffers in enumerate(present):
        if buffers:
            touching[id(group_of[buffers[0]])].append(number)
    groups = {id(group): group for group in group_of.values()}
    for key, group in groups.items():
        yield sorted(group, key=places.__getitem__), touching[key]


def _buffers(step: Step, of: Container[str]) -> list[str]:
    """Those of these buffers that a step uses, each once."""
    used = dict.fromkeys(view.buffer for view in (*step.operands, step.target))
    return [buffer for buffer in used if buffer in of]


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
    place = {part.index: mode for mode, part in enumerate(own.parts) if isinstance(part, cg.Along)}
    parts = (other.parts[mode] for mode in tensor.modes_by_stride)
    return [place[part.index] for part in parts if isinstance(part, cg.Along) and part.index in place]


class _Search:
    """The layouts of temporaries that meet, with the fewest cycles of the steps that touch them.

    One temporary after the other gets its layouts, cheapest first, where a step counts as soon as all its temporaries
    have theirs; what is not cheaper than the best so far is given up. If that takes too long, the best so far is
    improved one temporary at a time.
    """

    def __init__(self, candidates: Mapping[str, Sequence[Tensor]], cycles: "_Cycles", tensors: Tensors) -> None:
        self._candidates = candidates
        self._tensors = dict(tensors)
        self._cycles = cycles
        self._names = list(candidates)
        self._completed = self._cycles.completed_by(self._names)
        self._least = self._least_behind()
        self._best: Tensors = {}
        self._lowest = inf
        self._trials = 0
        self._most_trials = MOST_TRIALS // len(self._names)

    def run(self) -> Tensors:
        """The layouts of all."""
        self._search()
        self._improve()
        return self._best

    def _search(self) -> None:
        """Depth first, without recursion: a kernel may have more temporaries than the interpreter has frames.

        Of each temporary that has a layout, the layouts that are left and the cycles of those before it.
        """
        pending = [(iter(self._ranked(self._names[0], self._completed[0])), 0.0)]
        while pending:
            (options, spent), depth = pending[-1], len(pending) - 1
            cycles, tensor = next(options, (inf, None))
            is_over = self._best and self._trials > self._most_trials
            if tensor is None or is_over or spent + cycles + self._least[depth] >= self._lowest:
                pending.pop()
                continue
            self._tensors[self._names[depth]] = tensor
            if len(pending) < len(self._names):
                name, steps = self._names[len(pending)], self._completed[len(pending)]
                pending.append((iter(self._ranked(name, steps)), spent + cycles))
            else:
                self._lowest, self._best = spent + cycles, {name: self._tensors[name] for name in self._names}

    def _least_behind(self) -> list[float]:
        """What the steps that are complete behind each temporary cost at least."""
        least = [sum(map(self._cycles.least, steps)) for steps in self._completed]
        return [*accumulate(reversed(least[1:]), initial=0.0)][::-1]

    def _ranked(self, name: str, steps: Sequence[int]) -> list[tuple[float, Tensor]]:
        """The layouts of a temporary by the cycles of these steps; of equal ones the first candidate first."""
        self._trials += len(self._candidates[name])
        ranked = []
        for tensor in self._candidates[name]:
            self._tensors[name] = tensor
            ranked.append((self._cycles.total(steps, self._tensors), tensor))
        return sorted(ranked, key=itemgetter(0))

    def _improve(self) -> None:
        """Change one temporary at a time as long as something improves; nothing does if the search came to its end."""
        self._tensors |= self._best
        is_improved = self._trials > self._most_trials
        while is_improved and self._trials <= 2 * self._most_trials:
            is_improved = False
            for name in self._names:
                touching = self._cycles.touching(name)
                before, kept = self._cycles.total(touching, self._tensors), self._tensors[name]
                cycles, tensor = self._ranked(name, touching)[0]
                is_better = cycles < before
                self._tensors[name] = tensor if is_better else kept
                is_improved = is_improved or is_better
        self._best = {name: self._tensors[name] for name in self._names}


class _Cycles:
    """The cycles of some steps of a kernel."""

    def __init__(self, steps: Sequence[Step], tensors: Tensors, room: Sequence[int], known: KnownCycles) -> None:
        self._steps = [known.of(step, tensors, left) for step, left in zip(steps, room, strict=True)]
        self._buffers = [tuple(view.buffer for view in (*step.operands, step.target)) for step in steps]
        self._touching: dict[str, list[int]] = {}
        for number, buffers in enumerate(self._buffers):
            for buffer in dict.fromkeys(buffers):
                self._touching.setdefault(buffer, []).append(number)

    def touching(self, name: str) -> list[int]:
        """The numbers of the steps that use a buffer."""
        return self._touching.get(name, [])

    def completed_by(self, names: Sequence[str]) -> list[list[int]]:
        """For each buffer the numbers of the steps that use it and, of these buffers, only earlier ones besides."""
        places = {name: place for place, name in enumerate(names)}
        completed: list[list[int]] = [[] for _ in names]
        for number, buffers in enumerate(self._buffers):
            last = max((places[buffer] for buffer in buffers if buffer in places), default=None)
            if last is not None:
                completed[last].append(number)
        return completed

    def least(self, number: int) -> float:
        """Lower bound on the cost of a step, whatever the layouts."""
        return self._steps[number].least

    def total(self, numbers: Sequence[int], tensors: Tensors) -> float:
        """The cycles of the steps with these numbers."""
        return sum([self._steps[n].of([tensors[buffer] for buffer in self._buffers[n]]) for n in numbers])

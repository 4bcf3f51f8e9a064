"""Products from both sides of a matrix, in the order that needs the fewest exchanges between work-items.

    t[m,q] = sum over k of K[m,k] x[k,q]              u[k,p] = sum over q of x[k,q] S[q,p]
    c[m,p] += sum over q of t[m,q] S[q,p]             c[m,p] += sum over k of K[m,k] u[k,p]

On the left, t comes from all work-items of the element: it goes through local memory, and they wait. On the right,
each entry of u is used by the work-item that computes it, at once, and several such sums read the same x. So S goes
first where its columns have few non-zeros. The planner, which counts multiplications, decides for processors with one
work-item.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import fresh_numbered
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.schedules.columns.steps import Factor, Step, group_of, is_constant
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions
from einsum_front.tl_backend.schedules.positions.zeros import Storage
from einsum_front.tl_backend.types import MemrefType

WAITING = 20
"""Accesses to local memory that a barrier takes as long as."""

MOST_SUMMANDS = 4
"""Non-zeros in a column of the second matrix: each is a coefficient in a register, and an access for each entry."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two steps that can change places: `lines` are the lines of the first that those of the second read, `lanes` the
    lanes of the first for each lane and depth of the second."""

    first: int
    second: int
    lines: Positions
    lanes: Positions
    moving: Factor


def commuted(steps: Sequence[Step], facts: Facts) -> tuple[tuple[Step, ...], Facts]:
    """The steps with pairs in the cheaper order, and the facts with the temporaries that these need."""
    finder = _Pairs(steps, facts)
    pairs = [pair for pair in map(finder.behind, range(len(steps))) if pair is not None]
    cheaper = {
        pair.second: pair for group in _sharing(pairs, steps, facts) for pair in group if _pays(group, steps, facts)
    }
    gone = {pair.first for pair in cheaper.values()}
    found: list[Step] = []
    for number, step in enumerate(steps):
        if number in cheaper:
            one, other, facts = _swapped(cheaper[number], steps, facts)
            found += [one, other]
        elif number not in gone:
            found.append(step)
    return tuple(found), facts


class _Pairs:
    """Who writes and reads what."""

    def __init__(self, steps: Sequence[Step], facts: Facts) -> None:
        self._steps, self._facts = steps, facts
        self._writers: dict[str, list[int]] = {}
        self._readers: dict[str, list[int]] = {}
        for number, step in enumerate(steps):
            self._writers.setdefault(step.base, []).append(number)
            for factor in step.factors:
                self._readers.setdefault(factor.base, []).append(number)

    def behind(self, number: int) -> _Pair | None:
        """The pair whose second step has this number."""
        step = self._steps[number]
        if len(step.factors) != 2 or any(is_constant(each.base, self._facts) for each in step.factors):
            return None
        moving = next((each for each in step.factors if self._is_temporary(each)), None)
        if moving is None or _other(step, moving).has_lines:
            return None
        first = self._first(moving.base, number)
        return None if first is None else _matched(first, number, moving, self._steps)

    def _has_matrix(self, step: Step) -> bool:
        """True for a product of a matrix that all elements have with lines."""
        constants = [each for each in step.factors if is_constant(each.base, self._facts)]
        if len(step.factors) != 2 or len(constants) != 1:
            return False
        return constants[0].positions.shape[1] == 1 and not _other(step, constants[0]).has_lines

    def _is_temporary(self, factor: Factor) -> bool:
        return bool(self._writers.get(factor.base)) and not self._facts.storages[factor.base].is_argument

    def _first(self, base: str, number: int) -> int | None:
        """The only step that writes a temporary that this one alone reads."""
        writers, readers = self._writers[base], self._readers[base]
        if len(writers) != 1 or readers != [number] or writers[0] >= number:
            return None
        first = self._steps[writers[0]]
        if not first.beta.is_number(0) or not self._has_matrix(first):
            return None
        sources = {factor.base for factor in first.factors}
        between = self._steps[writers[0] + 1 : number + 1]
        return None if any(each.base in sources for each in between) else writers[0]


def _other(step: Step, factor: Factor) -> Factor:
    return next(each for each in step.factors if each is not factor)


def _matched(first: int, second: int, moving: Factor, steps: Sequence[Step]) -> _Pair | None:
    """Lines of the second read lines of the first, from lanes that depend on lane and depth alone."""
    written, step = steps[first].target, steps[second]
    span = int(max(written.max(), moving.positions.max())) + 1
    line, lane = np.full(span, -1), np.full(span, -1)
    line[written] = np.arange(written.shape[0])[:, None]
    lane[written] = np.arange(written.shape[1])[None, :]
    places = np.broadcast_to(moving.positions, step.mask.shape)
    lines, lanes = line[places], lane[places]
    if (lines < 0).any() or not (lines == lines[:, :1, :1]).all() or not (lanes == lanes[:1]).all():
        return None
    return _Pair(first, second, lines[:, 0, 0], lanes[0], moving)


# -- which order -------------------------------------------------------------------------------------------------------


def _sharing(pairs: Sequence[_Pair], steps: Sequence[Step], facts: Facts) -> Iterator[list[_Pair]]:
    """Pairs that read the same entries in both orders."""
    groups: dict[tuple[str, bytes, bytes, bytes], list[_Pair]] = {}
    for pair in pairs:
        source, used = _source(steps[pair.first], facts), steps[pair.second].mask.any(axis=0)
        key = (source.base, source.positions.tobytes(), used.tobytes(), steps[pair.second].target.tobytes())
        groups.setdefault(key, []).append(pair)
    yield from groups.values()


def _source(step: Step, facts: Facts) -> Factor:
    return next(each for each in step.factors if not is_constant(each.base, facts))


def _matrix(step: Step, facts: Facts) -> Factor:
    return next(each for each in step.factors if is_constant(each.base, facts))


def _pays(pairs: Sequence[_Pair], steps: Sequence[Step], facts: Facts) -> bool:
    """By the entries of local memory that a work-item reads and writes."""
    summands = max(len(group_of(steps[pair.second], facts).summands) for pair in pairs)
    if summands > MOST_SUMMANDS:
        return False
    depth = max(int(steps[pair.first].mask.any(axis=(0, 1)).sum()) for pair in pairs)
    lines = sum(steps[pair.first].lines for pair in pairs)
    return depth * summands < depth + lines * (1 + summands) + WAITING


# -- the other order ---------------------------------------------------------------------------------------------------


def _swapped(pair: _Pair, steps: Sequence[Step], facts: Facts) -> tuple[Step, Step, Facts]:
    """Both steps in the other order, with a temporary of their own."""
    first, second = steps[pair.first], steps[pair.second]
    source, matrix, other = _source(first, facts), _matrix(first, facts), _other(second, pair.moving)
    depths = np.flatnonzero(first.mask.any(axis=(0, 1)))
    lanes = second.lanes
    name = fresh_numbered(f"{first.base}_columns", facts.storages)
    places = np.arange(depths.size)[:, None] + depths.size * np.arange(lanes)[None, :]
    taken = _read(source, depths, pair.lanes)
    mask = np.asarray(facts.patterns[source.base][taken] & facts.patterns[other.base][other.positions])
    kept = np.ones(places.shape, np.bool_)
    inner = Step(
        first.instruction, name, places, first.alpha, _zero(second), (Factor(source.base, taken), other),
        mask & np.asarray(second.mask.any(axis=0))[None], kept,
    )  # fmt: skip
    left = matrix.positions[:, :, depths][pair.lines] if matrix.positions.shape[2] > 1 else matrix.positions[pair.lines]
    used = facts.patterns[matrix.base][left] & np.asarray(inner.mask.any(axis=2)).T[None]
    outer = replace(
        second,
        factors=(Factor(matrix.base, left), Factor(name, places.T[None])),
        mask=np.broadcast_to(used, (second.lines, lanes, depths.size)) & second.kept[:, :, None],
    )
    return inner, outer, _with_temporary(facts, name, first.base, places, np.asarray(inner.mask.any(axis=2)))


def _zero(step: Step) -> tl.TypedScalar:
    """A coefficient of 0 of the type of the step."""
    return tl.TypedScalar(tl.FloatConstant(0.0), step.beta.type)


def _read(source: Factor, depths: Positions, lanes: Positions) -> Positions:
    """The entries of the first factor, depths x lanes of the second x its depths."""
    _, own, depth = source.positions.shape
    column = lanes if own > 1 else np.zeros_like(lanes)
    row = depths if depth > 1 else np.zeros_like(depths)
    return np.asarray(source.positions[0][column[None, :, :], row[:, None, None]])


def _with_temporary(facts: Facts, name: str, like: str, places: Positions, pattern: Mask) -> Facts:
    element = facts.storages[like].element
    memref = MemrefType(element, (places.shape[0], places.shape[1]), (1, places.shape[0]))
    mask = np.zeros(places.size, np.bool_)
    mask[places] = pattern
    storages: Mapping[str, Storage] = {**facts.storages, name: Storage(name, memref, False, False)}
    return replace(facts, storages=storages, patterns={**facts.patterns, name: mask})

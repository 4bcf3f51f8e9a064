"""Which axis of an instruction is the line of a work-item, and which is spread over work-items.

    C[m,n] = sum over k of K[m,k] B[k,n]         K is the same for all elements: the line runs with m, lanes with n
    C[m,n] = sum over k of A[m,k] K[n,k]         the other way round

So what a line is multiplied by is the same for all work-items. An instruction in a loop that moves both sides by the
same distance each time, as a product along the middle direction of a cube does, has the lanes of all iterations side by
side. Entries of element-wise instructions belong to the lines of those who computed them, or use them next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from einsum_front.tl_backend.schedules.columns.steps import Factor, Step, is_constant
from einsum_front.tl_backend.schedules.positions.facts import Facts
from einsum_front.tl_backend.schedules.positions.product import Positions

MOST_LANES = 512
"""Lanes that are put side by side: a work-group has an element at least."""


def oriented(steps: Sequence[Step], facts: Facts) -> tuple[Step, ...]:
    """The steps with lines and lanes as they run."""
    turned = [each if _is_elementwise(each) else _turned(each, facts) for each in steps]
    return tuple(_aligned(list(_joined(turned, facts))))


def _turned(step: Step, facts: Facts) -> Step:
    """Lines run with the axis of the matrix that is the same for all elements; else they are the columns."""
    uniform = [each for each in step.factors if is_constant(each.base, facts)]
    if len(uniform) == 1 and len(step.factors) == 2:
        shape = uniform[0].positions.shape
        if shape[0] > 1 and shape[1] == 1:
            return step
        if shape[1] > 1 and shape[0] == 1:
            return step.transposed()
    return step if step.lanes > 1 or step.lines == 1 else step.transposed()


# -- instructions of loops ---------------------------------------------------------------------------------------------


def _joined(steps: Sequence[Step], facts: Facts) -> Iterator[Step]:
    """Neighbours that are the same instruction at other places become one, as long as none needs another's result."""
    group: list[Step] = []
    for step in steps:
        if group and not _fits(group, step, facts):
            yield _side_by_side(group, facts)
            group = []
        group.append(step)
    if group:
        yield _side_by_side(group, facts)


def _fits(group: Sequence[Step], step: Step, facts: Facts) -> bool:
    first = group[0]
    if (
        step.instruction is not first.instruction
        or _is_elementwise(step)
        or step.target.shape != first.target.shape
        or step.lanes * (len(group) + 1) > MOST_LANES
    ):
        return False
    for mine, other in zip(step.factors, first.factors, strict=True):
        if is_constant(mine.base, facts) and not np.array_equal(mine.positions, other.positions):
            return False
        if mine.positions.shape != other.positions.shape or mine.base == step.base:
            return False
    return not any(np.isin(step.target, other.target).any() for other in group)


def _side_by_side(group: Sequence[Step], facts: Facts) -> Step:
    if len(group) == 1:
        return group[0]
    first, lanes = group[0], group[0].lanes

    def lined_up(number: int) -> Factor:
        factor = first.factors[number]
        if is_constant(factor.base, facts) and factor.positions.shape[1] == 1:
            return factor
        parts = [each.factors[number].positions for each in group]
        spread = [np.broadcast_to(part, (part.shape[0], lanes, part.shape[2])) for part in parts]
        return replace(factor, positions=np.concatenate(spread, axis=1))

    return replace(
        first,
        target=np.concatenate([each.target for each in group], axis=1),
        factors=tuple(map(lined_up, range(len(first.factors)))),
        mask=np.concatenate([each.mask for each in group], axis=1),
        kept=np.concatenate([each.kept for each in group], axis=1),
    )


def in_slices(steps: Sequence[Step], slices: int) -> tuple[Step, ...]:
    """The steps with a part of their lanes each, so that a work-item has so many lines of the one with the most."""
    most = max((step.lanes for step in steps), default=1)
    width = -(-most // slices)
    return tuple(part for step in steps for part in _parts(step, width))


def _parts(step: Step, width: int) -> Iterator[Step]:
    even = -(-step.lanes // -(-step.lanes // width))
    for first in range(0, step.lanes, even):
        lanes = slice(first, min(first + even, step.lanes))
        if step.lanes <= width:
            yield step
        elif step.kept[:, lanes].any():
            factors = (
                each if each.positions.shape[1] == 1 else replace(each, positions=each.positions[:, lanes])
                for each in step.factors
            )
            yield replace(
                step,
                target=step.target[:, lanes],
                factors=tuple(factors),
                mask=step.mask[:, lanes],
                kept=step.kept[:, lanes],
            )


# -- element-wise instructions -----------------------------------------------------------------------------------------


def _is_elementwise(step: Step) -> bool:
    return step.depth == 1 and all(each.positions.shape[:2] == step.target.shape for each in step.factors)


def _aligned(steps: Sequence[Step]) -> Iterator[Step]:
    """Element-wise instructions with the lines of the others."""
    owners = _owners(steps)
    for step in steps:
        yield _with_lines(step, owners) if _is_elementwise(step) else step


Owners = Mapping[str, list[Positions]]
"""For every base the lines of those who write it, or read it as a line, lines x lanes."""


def _owners(steps: Sequence[Step]) -> Owners:
    owners: dict[str, list[Positions]] = {}
    for step in steps:
        if _is_elementwise(step):
            continue
        owners.setdefault(step.base, []).append(step.target)
        for factor in step.factors:
            if not factor.has_lines and factor.positions.shape[1] == step.lanes:
                owners.setdefault(factor.base, []).append(factor.positions[0].T)
    return owners


def _with_lines(step: Step, owners: Owners) -> Step:
    """The entries of the step, dealt to the lanes that have them in another one; its own lanes if there is none."""
    bases = [(step.base, step.target), *((each.base, each.positions[:, :, 0]) for each in step.factors)]
    for base, positions in bases:
        for lines in owners.get(base, ()):
            order = _order(positions.ravel(), lines)
            if order is not None:
                return _dealt(step, order)
    return _split(step)


def _order(positions: Positions, lines: Positions) -> Positions | None:
    """Where the entries of each line stand among the positions, lines x lanes; None if lanes have different ones."""
    span = int(max(positions.max(), lines.max())) + 1
    lane, row = np.full(span, -1), np.full(span, -1)
    lane[lines] = np.arange(lines.shape[1])[None, :]
    row[lines] = np.arange(lines.shape[0])[:, None]
    size, lanes = positions.size, lines.shape[1]
    if size % lanes or (lane[positions] < 0).any():
        return _extended(positions, lines)
    order = np.lexsort((lane[positions], row[positions])).reshape(size // lanes, lanes)
    is_dealt = (lane[positions][order] == np.arange(lanes)).all()
    return order if is_dealt else None


def _extended(positions: Positions, lines: Positions) -> Positions | None:
    """The same where lines go on behind those that are known: columns at equal distances."""
    lanes = lines.shape[1]
    if lanes < 2 or positions.size % lanes:
        return None
    distance = int(lines[0, 1] - lines[0, 0])
    order = np.argsort(positions, kind="stable").reshape(lanes, -1).T if distance > 0 else None
    if order is None or not (np.diff(positions[order], axis=1) == distance).all():
        return None
    return order


def _dealt(step: Step, order: Positions) -> Step:
    return replace(
        step,
        target=step.target.ravel()[order],
        factors=tuple(replace(each, positions=each.positions.ravel()[order][:, :, None]) for each in step.factors),
        mask=step.mask.ravel()[order][:, :, None],
        kept=step.kept.ravel()[order],
    )


def _split(step: Step) -> Step:
    """A long line in lanes, as many as divide it."""
    if step.lanes > 1:
        return step
    size = step.lines
    lanes = max(each for each in range(1, 65) if size % each == 0)
    return _dealt(step, np.arange(size).reshape(size // lanes, lanes))

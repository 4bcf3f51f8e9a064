"""A term that is ready for its last step: everything before it is computed, only the target is missing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from einsum_front.core.coefficient import ONE, Coefficient, is_sign, is_zero
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Origin
from einsum_front.core.extent import Extent, product, total
from einsum_front.core.extent import total as sum_of
from einsum_front.core.functions import Function
from einsum_front.core.names import fresh_numbered
from einsum_front.core.payload import Entry, Operation, Payload
from einsum_front.ir.index import Index, IndexMap, IterationSpace
from einsum_front.ir.plan.pattern import Interval
from einsum_front.ir.plan.placement import Placement, Region, lengths, overlap, volume
from einsum_front.ir.plan.plan import Cost, EntryPayload, Step, View


@dataclass(frozen=True, slots=True)
class PendingStep:
    """`alpha` times the product of the operands, each walked by its map, over the given ranges of all indices.

    With a payload: `alpha` times that, and the `combiner` over the indices that are not in the result.

    `result` are the indices of the term; an index of the ranges that is not among them is summed over. `operations`
    are those of the product on nonzero entries, without what adding it to the target takes.
    """

    operands: tuple[tuple[Placement, IndexMap], ...]
    ranges: dict[str, Interval]
    result: IndexMap
    alpha: Coefficient
    operations: Extent
    origin: Origin
    payload: EntryPayload | None = None
    combiner: Function | None = None

    @property
    def reduction(self) -> IndexMap:
        """The indices that are summed over."""
        return tuple(name for name in self.ranges if name not in self.result)

    def reordered(self, result: IndexMap) -> "PendingStep":
        """The same term with the modes of its result in another order."""
        return replace(self, result=result)

    def walked_by(self, map_: IndexMap) -> "PendingStep":
        """The same term with the indices `map_` in place of its result's; summed indices get other names than these."""
        renaming = dict(zip(self.result, map_, strict=True))
        for name in self.reduction:
            renaming[name] = fresh_numbered(name, list(renaming.values()))
        operands = tuple((placement, tuple(renaming[name] for name in names)) for placement, names in self.operands)
        ranges = {renaming[name]: interval for name, interval in self.ranges.items()}
        return replace(self, operands=operands, ranges=ranges, result=map_)

    def moved(self, offsets: Mapping[str, int]) -> "PendingStep":
        """The same term where position p of each index of its result is called p + offset."""
        by = {name: offsets.get(name, 0) for name in self.ranges}
        ranges = {name: (start + by[name], stop + by[name]) for name, (start, stop) in self.ranges.items()}
        operands = tuple((placement.moved([by[name] for name in map_]), map_) for placement, map_ in self.operands)
        return replace(self, ranges=ranges, operands=operands)

    def views(self) -> tuple[View, ...]:
        """The operands as views."""
        return tuple(placement.view(map_, self.ranges) for placement, map_ in self.operands)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a value goes: a placement of its modes, walked by `indices`, of which `ranges` are written."""

    placement: Placement
    indices: IndexMap
    ranges: dict[str, Interval]

    def view(self) -> View:
        """The region that is written."""
        return self.placement.view(self.indices, self.ranges)

    def on(self, ranges: dict[str, Interval]) -> "Target":
        """The same place, of which other ranges are written."""
        return replace(self, ranges=ranges)

    def region(self, pending: PendingStep) -> dict[str, Interval]:
        """The part of the region that a pending step with these indices, or some of them, reaches."""
        return {name: pending.ranges.get(name, interval) for name, interval in self.ranges.items()}

    def takes(self, pending: PendingStep) -> bool:
        """True if one step can write what is pending: only a copy reaches a diagonal or is broadcast."""
        if pending.payload is not None:
            return not self.placement.has_diagonal and set(pending.result) == set(self.indices)
        is_copy = len(pending.operands) == 1 and not pending.reduction
        if self.placement.has_diagonal:
            return is_copy
        return is_copy or not pending.operands or set(pending.result) == set(self.indices)


def step_of(pending: PendingStep, target: Target, beta: Coefficient, added: Extent, entry_size: int) -> Step:
    """The step that adds it to `beta` times the target; `added` operations on nonzero entries are for that."""
    region = target.region(pending)
    reduction = {name: pending.ranges[name] for name in pending.reduction}
    space = IterationSpace(_indices(region), _indices(reduction))
    views = tuple(placement.view(map_, region | reduction) for placement, map_ in pending.operands)
    view = target.placement.view(target.indices, region)
    cost = _cost(pending, space, beta, added, entry_size)
    return Step(space, views, view, pending.alpha, beta, cost, pending.payload, pending.combiner, pending.origin)


def _indices(region: Region) -> tuple[Index, ...]:
    return tuple(Index(name, length) for name, length in lengths(region).items())


def _cost(pending: PendingStep, space: IterationSpace, beta: Coefficient, added: Extent, entry_size: int) -> Cost:
    entries = product(space.result_shape)
    points = product(space.extents.values())
    factors = len(pending.operands)
    if pending.payload is not None:
        executed = len(pending.payload.operations) * points + points - entries
    else:
        executed = factors * points - entries if space.reduction else max(factors - 1, 0) * entries
    kept = 0 if is_zero(beta) else entries
    is_added = factors > 0 or not is_zero(pending.alpha)
    executed = executed + (kept if is_added else 0) + (0 if is_zero(beta) or is_sign(beta) else entries)
    executed = executed + (0 if is_sign(pending.alpha) or not factors else entries)
    read = total(product(space.extents[name] for name in dict.fromkeys(map_)) for _, map_ in pending.operands) + kept
    return Cost(pending.operations + added, executed, read * entry_size, entries * entry_size)


# -- readers of what a target overwrites -------------------------------------------------------------------------------


def steps_read(steps: Iterable[Step], target: Target) -> bool:
    """True if one of the steps reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    return any(overlap(view, step.space.extents, written, extents) for step in steps for view in step.operands)


def pending_reads(pending: PendingStep, target: Target) -> bool:
    """True if a pending step, once made, reads an entry of the target's region."""
    written, extents = target.view(), lengths(target.ranges)
    own = lengths(pending.ranges)
    return any(overlap(view, own, written, extents) for view in pending.views())


def is_entrywise(pending: PendingStep, target: Target) -> bool:
    """True if the pending step reads an entry of the target for that entry alone."""
    if pending.reduction:
        return False
    replaced = target.placement.view(target.indices, target.region(pending))
    whole, extents = target.view(), lengths(target.ranges)
    own = lengths(pending.ranges)
    return all(view == replaced for view in pending.views() if overlap(view, own, whole, extents))


# -- terms of a sum that need no reduction, added in one loop behind the products --------------------------------------
#     Y[i,j] := X[i,j]                                     Y[i,j] := W[i,k] * h[k,j]
#     Y[i,j] := Y[i,j] + W[i,k] * h[k,j]                   Y[i,j] := Y[i,j] + (X[i,j] + b[i])
#     Y[i,j] := Y[i,j] + b[i]
#
# The product then starts without reading what it adds to, and a schedule may run the loop on its sums in registers.

_Add = Callable[..., Entry]


def joins(pending: PendingStep, target: Target) -> bool:
    """True if a pending step computes each entry of all of the target's region from one entry of each operand."""
    is_everywhere = target.region(pending) == target.ranges and not target.placement.has_diagonal
    is_pointwise = bool(pending.operands) and not pending.reduction and pending.combiner is None
    return is_everywhere and is_pointwise and not any(placement.has_diagonal for placement, _ in pending.operands)


def is_worth_it(joining: Sequence[PendingStep], others: Sequence[PendingStep], target: Target) -> bool:
    """True if the loop saves a pass over the target: there are several terms, or a product writes all of it first."""
    if not others:
        return len(joining) > 1
    return bool(joining) and any(bool(each.reduction) and target.region(each) == target.ranges for each in others)


def in_one_loop(joining: Sequence[PendingStep], target: Target) -> PendingStep:
    """The sum of pending steps that all `joins`, as one payload."""
    operands = tuple(dict.fromkeys(operand for each in joining for operand in each.operands))
    operations: list[Operation[Coefficient]] = []

    def add(function: Function, *arguments: Entry | Coefficient) -> Entry:
        operations.append(Operation(function, arguments))
        return Entry(len(operands) + len(operations) - 1)

    values = (_value(each, [Entry(operands.index(operand)) for operand in each.operands], add) for each in joining)
    total = reduce(lambda left, right: add(Function.ADD, left, right), values)
    if not operations:
        add(Function.MUL, ONE, total)
    origin = tuple(dict.fromkeys(span for each in joining for span in each.origin))
    added = (len(joining) - 1) * volume(target.ranges)
    counted = sum_of((added, *(each.operations for each in joining)))
    payload = Payload(tuple(operations))
    return PendingStep(operands, dict(target.ranges), target.indices, ONE, counted, origin, payload)


def _value(pending: PendingStep, entries: Sequence[Entry], add: _Add) -> Entry:
    """`alpha` times the product of the entries, or the payload on them."""
    if pending.payload is None:
        value = reduce(lambda left, right: add(Function.MUL, left, right), entries)
    else:
        value = _inlined(pending.payload, entries, add)
    return value if pending.alpha == ONE else add(Function.MUL, pending.alpha, value)


def _inlined(payload: EntryPayload, entries: Sequence[Entry], add: _Add) -> Entry:
    """The operations of a payload on other entries."""
    found = list(entries)
    for operation in payload.operations:
        arguments = (found[each.number] if isinstance(each, Entry) else each for each in operation.arguments)
        found.append(add(operation.function, *arguments))
    return found[-1]

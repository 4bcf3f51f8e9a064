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
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import Index, IndexMap, IterationSpace
from einsum_front.ir.plan.pattern import Interval
from einsum_front.ir.plan.plan import Cost, EntryPayload, Step, View

# -- where the value of a node lies ------------------------------------------------------------------------------------
# Which part of which buffer holds which of its modes.


@dataclass(frozen=True, slots=True)
class ModeOf:
    """A mode of a buffer that holds the mode `mode` of a value; position p of the value is at p + shift."""

    mode: int
    shift: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A value in a buffer, one part for each mode of the buffer."""

    buffer: str
    parts: tuple[ModeOf | cg.At, ...]

    @staticmethod
    def of_box(buffer: str, box: tuple[Interval, ...]) -> "Placement":
        """A buffer that holds the box of a value and has the value's modes."""
        return Placement(buffer, tuple(ModeOf(mode, -start) for mode, (start, _) in enumerate(box)))

    @property
    def has_diagonal(self) -> bool:
        """True if a mode of the value walks two modes of the buffer at once."""
        modes = [part.mode for part in self.parts if isinstance(part, ModeOf)]
        return len(set(modes)) < len(modes)

    def sliced(self, parts: tuple[cg.Part, ...], result: IndexMap) -> "Placement":
        """The part of the value that `parts` name, with a mode for each index of `result`."""
        return Placement(self.buffer, tuple(_sliced(part, parts, result) for part in self.parts))

    def moved(self, offsets: Sequence[int]) -> "Placement":
        """The value as a part of a larger one: its position p is position p + offset there, in each of its modes."""
        parts = (replace(p, shift=p.shift - offsets[p.mode]) if isinstance(p, ModeOf) else p for p in self.parts)
        return Placement(self.buffer, tuple(parts))

    def view(self, map_: IndexMap, ranges: Mapping[str, Interval]) -> View:
        """The value on the given ranges of the indices that walk its modes."""
        parts: list[cg.Part] = []
        for part in self.parts:
            match part:
                case ModeOf(mode=mode, shift=shift):
                    parts.append(cg.Along(map_[mode], ranges[map_[mode]][0] + shift))
                case cg.At():
                    parts.append(part)
        return View(self.buffer, tuple(parts))


def _sliced(part: ModeOf | cg.At, parts: tuple[cg.Part, ...], result: IndexMap) -> ModeOf | cg.At:
    match part:
        case cg.At():
            return part
        case ModeOf(mode=mode, shift=shift):
            match parts[mode]:
                case cg.Along(index=index, offset=offset):
                    return ModeOf(result.index(index), shift + offset)
                case cg.At(position=position):
                    return cg.At(position + shift)


def overlap(one: View, one_extents: Mapping[str, Extent], other: View, other_extents: Mapping[str, Extent]) -> bool:
    """True if two views can have an entry in common."""
    if one.buffer != other.buffer:
        return False
    pairs = zip(one.parts, other.parts, strict=True)
    return all(has_common(_interval(a, one_extents), _interval(b, other_extents)) for a, b in pairs)


def _interval(part: cg.Part, extents: Mapping[str, Extent]) -> Interval:
    match part:
        case cg.Along(index=index, offset=offset):
            return offset, offset + extents[index]
        case cg.At(position=position):
            return position, position + 1


# -- regions of a target -----------------------------------------------------------------------------------------------
# Ranges of its indices, and what is left of one beside another.

Region = Mapping[str, Interval]


def lengths(region: Region) -> dict[str, Extent]:
    """How far each index runs."""
    return {name: stop - start for name, (start, stop) in region.items()}


def volume(region: Region) -> Extent:
    """Number of positions."""
    return product(lengths(region).values())


def meet(one: Region, other: Region) -> bool:
    """True if two regions of the same indices have a position in common."""
    return all(has_common(interval, other[name]) for name, interval in one.items())


def has_common(one: Interval, other: Interval) -> bool:
    """True if two ranges of one mode have a position in common; of a dynamic mode, both are all of it."""
    if isinstance(one[1], int) and isinstance(other[1], int):
        return one[0] < other[1] and other[0] < one[1]
    return True


def _common(one: Interval, other: Interval) -> Interval:
    if isinstance(one[1], int) and isinstance(other[1], int):
        return max(one[0], other[0]), min(one[1], other[1])
    return one


def outside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, as disjoint regions."""
    if not meet(outer, inner):
        return [dict(outer)]
    return beside(outer, {name: _common(interval, inner[name]) for name, interval in outer.items()})


def beside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, which lies in it, as disjoint regions: two for each index at most."""
    slabs: list[dict[str, Interval]] = []
    core = dict(outer)
    for name, (start, stop) in outer.items():
        first, last = inner[name]
        if isinstance(stop, int) and isinstance(last, int):
            slabs += [{**core, name: slab} for slab in ((start, first), (last, stop)) if slab[0] < slab[1]]
        core[name] = inner[name]
    return slabs


def is_first(region: Region, written: list[Region]) -> bool:
    """True if none of the regions that are written meets this one, which is one of them from now on."""
    if any(meet(region, other) for other in written):
        return False
    written.append(region)
    return True


def without(region: dict[str, Interval], inner: Sequence[Region]) -> list[dict[str, Interval]]:
    """Rest of a region beside others."""
    left = [region]
    for each in inner:
        left = [part for outer in left for part in outside(outer, each)]
    return left


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

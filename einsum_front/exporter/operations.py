"""The operations of a kernel as YATeTo hands them over, and the contraction graph that they become.

    dest[kp] (= | +=) scalar * first[kl] * second[lp]

YATeTo has memory for the box around the non-zeros of a tensor only. Here a tensor is that box, with its strides; an
index walks the positions that the boxes and the patterns of all factors have in common, and all else is zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from math import prod
from typing import Any, Protocol

import numpy as np

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.zero_pattern import Pattern

MOST_ENTRIES = 1024
"""Entries of a matrix that is stored by its entries: each becomes a statement."""

Range = tuple[int, int]
"""Positions of an index, the last one excluded."""


class Description(Protocol):
    """What YATeTo says of an operand: `IndexedTensorDescription`."""

    @property
    def name(self) -> str:
        """How C++ calls it."""

    @property
    def indices(self) -> Any:
        """A letter for each mode."""

    @property
    def memoryLayout(self) -> Any:  # noqa: N802 - YATeTo's
        """Where its entries are."""

    @property
    def eqspp(self) -> Any:
        """Its pattern: other entries contribute nothing."""

    @property
    def is_compute_constant(self) -> bool:
        """Whether all elements share it."""

    @property
    def is_temporary(self) -> bool:
        """Whether it is in the kernel only."""


@dataclass(frozen=True, slots=True)
class Box:
    """Where an operand lies: the memory of its tensor, and where the operand's positions begin in it.

    `shape` and `strides` are those of the memory, empty for one that has entries only (`places`, by position of the
    operand). `ranges` are the positions that may differ from zero.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    starts: tuple[int, ...]
    within: tuple[Range, ...]
    ranges: tuple[Range, ...]
    places: Mapping[tuple[int, ...], int] | None = None


@dataclass(frozen=True, slots=True)
class Operand:
    """A tensor with a letter for each of its modes. `tensor` is its name in the graph."""

    tensor: str
    letters: tuple[str, ...]
    box: Box
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Argument:
    """A tensor of a kernel: what C++ calls it, and its storage."""

    spelling: str
    storage: ir.Storage
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """`target (= | +=) coefficient * factors`."""

    target: Operand
    factors: tuple[Operand, ...]
    coefficient: ir.Coefficient
    is_added: bool

    @property
    def ranges(self) -> dict[str, Range]:
        """The positions that each letter walks; it is empty somewhere if nothing is to be computed."""
        found: dict[str, Range] = {}
        for operand in (*self.factors, self.target):
            for letter, (start, stop) in zip(operand.letters, operand.box.ranges, strict=True):
                first, last = found.get(letter, (start, stop))
                found[letter] = max(start, first), min(stop, last)
        return found

    @property
    def flops(self) -> int:
        """Multiplications and additions of the loops over all of these positions."""
        points = prod(max(0, stop - start) for start, stop in self.ranges.values())
        products = len(self.factors) - 1 + (not isinstance(self.coefficient, ir.Number) or self.coefficient != ir.ONE)
        is_summed = any(letter not in self.target.letters for each in self.factors for letter in each.letters)
        return points * (products + (is_summed or self.is_added))


@dataclass(slots=True)
class Operations:
    """The operations of one kernel in their order, with the tensors and scalars that they name."""

    tensors: dict[str, Argument] = field(default_factory=dict)
    scalars: dict[str, str] = field(default_factory=dict)
    done: list[Operation] = field(default_factory=list)
    _temporaries: dict[str, int] = field(default_factory=dict)

    def add(self, target: Description, factors: Sequence[Any], *, is_added: bool) -> int:
        """Takes one more operation; gives its flops. Raises `CompileError` (E0166) for what there is no kernel for."""
        coefficient: ir.Coefficient = ir.ONE
        descriptions: list[Description] = []
        for each in factors:
            if hasattr(each, "memoryLayout"):
                descriptions.append(each)
            else:
                coefficient = ir.times(coefficient, self._coefficient(each))
        operands = tuple(self._operand(each) for each in descriptions)
        if target.is_temporary and not is_added:
            self._temporaries[target.name] = self._temporaries.get(target.name, 0) + 1
        assigned = self._operand(target)
        if assigned.box.places is not None:
            raise refused(f"`{target.name}` is stored by its entries, and is written")
        self.done.append(operation := Operation(assigned, operands, coefficient, is_added))
        return operation.flops

    def _coefficient(self, factor: Any) -> ir.Coefficient:
        if not hasattr(factor, "name"):
            return ir.Number(float(factor))
        name = _identifier(f"{factor.name()}")
        self.scalars[name] = str(factor.name())
        return ir.ScalarUse(name)

    def _operand(self, description: Description) -> Operand:
        box = _box(description)
        name = _identifier(description.name)
        storage = ir.Storage.CONSTANT if description.is_compute_constant else ir.Storage.GROUPED
        if description.is_temporary:
            # the same name may be another temporary later, of another shape
            name, storage = f"{name}_{self._temporaries.get(description.name, 0)}", ir.Storage.TEMPORARY
        argument = Argument(description.name, storage, box.shape, box.strides)
        known = self.tensors.setdefault(name, argument)
        if known != argument:
            raise refused(f"`{description.name}` is there with two layouts")
        return Operand(name, tuple(map(str, description.indices)), box, _pattern(description))


def refused(message: str) -> CompileError:
    """A kernel that cannot be exported."""
    return CompileError([Diagnostic("E0166", message)])


def _identifier(name: str) -> str:
    """`star(0)` is `star_0`."""
    word = "".join(letter if letter.isalnum() else "_" for letter in name).strip("_")
    return word if word[:1].isalpha() else f"v{word}"


def _pattern(description: Description) -> Pattern:
    """Its pattern; no array is made of one without zeros."""
    spp = description.eqspp
    return Pattern.full(map(int, spp.shape)) if spp.is_dense() else Pattern.of_array(np.asarray(spp.as_ndarray()))


def _box(description: Description) -> Box:
    """The memory behind a layout, which may be a slice of another, and the positions that count."""
    layout = description.memoryLayout
    shape = tuple(map(int, layout.shape()))
    starts, within = [0] * len(shape), [(0, size) for size in shape]
    while hasattr(layout, "base"):
        starts[layout.index] += int(layout.start)
        layout = layout.base
    bounds = [(int(each.start), int(each.stop)) for each in layout.bbox()]
    for mode, (first, last) in enumerate(bounds):
        low, high = within[mode]
        within[mode] = max(low, first - starts[mode]), min(high, last - starts[mode])
        starts[mode] -= first
    ranges = tuple(
        (max(low, first), min(high, last))
        for (low, high), (first, last) in zip(within, _bounds_of(_pattern(description)), strict=True)
    )
    if not layout.isCSC():
        sizes = tuple(max(1, last - first) for first, last in bounds)
        strides = tuple(map(int, layout.stride()))[: len(shape)]  # a tensor of rank 0 has one, too
        return Box(sizes, strides, tuple(starts), tuple(within), ranges)
    columns = [int(each) for each in layout.colPointer()]
    places: dict[tuple[int, ...], int] = {}
    for column, (first, last) in enumerate(pairwise(columns)):
        for place in range(first, last):
            row = int(layout.rowIndex()[place])
            (low, _), (left, _) = bounds
            places[row - low - starts[0], column - left - starts[1]] = place
    return Box((int(layout.requiredReals()),), (1,), tuple(starts), tuple(within), ranges, places)


def _bounds_of(pattern: Pattern) -> tuple[Range, ...]:
    """The positions of each mode between which all entries lie."""
    return pattern.bounds() or ((0, 0),) * pattern.ndim


# -- the graph ---------------------------------------------------------------------------------------------------------


def graph_of(operations: Operations, name: str, element: ir.ElementType) -> ir.Graph:
    """The contraction graph of a kernel: a statement for each operation, and those that clear what it leaves."""
    builder = ir.GraphBuilder(name, element)
    written = {each.target.tensor for each in operations.done}
    patterns = _patterns(operations.done)
    for tensor, argument in operations.tensors.items():
        known = None if tensor in written or argument.storage is ir.Storage.TEMPORARY else patterns.get(tensor)
        nonzeros = None if known is None or known.is_full else known
        builder.tensor(tensor, argument.shape, argument.storage, argument.strides, nonzeros=nonzeros)
    for scalar in operations.scalars:
        builder.scalar(scalar)
    for operation in operations.done:
        _write(builder, operation, is_clear=operations.tensors[operation.target.tensor].storage is ir.Storage.TEMPORARY)
    return builder.graph()


def _patterns(operations: Iterable[Operation]) -> dict[str, Pattern]:
    """The entries of each tensor that a factor has; others contribute nothing."""
    found: dict[str, Pattern] = {}
    for factor in (each for operation in operations for each in operation.factors):
        box = factor.box
        if box.places is not None:
            continue
        before = found.get(factor.tensor, Pattern.empty(box.shape))
        here = [(first, max(first, last)) for first, last in box.ranges]
        there = [(first + start, last + start) for (first, last), start in zip(here, box.starts, strict=True)]
        if all(first < last for first, last in here):
            before = before.with_part(there, range(len(there)), before.part(there) | factor.pattern.part(here))
        found[factor.tensor] = before
    return found


def _write(builder: ir.GraphBuilder, operation: Operation, *, is_clear: bool) -> None:
    ranges, target = operation.ranges, operation.target
    stored = [each for each in operation.factors if each.box.places is not None]
    is_empty = any(stop <= start for start, stop in ranges.values())
    if not operation.is_added and not is_clear:
        _clear(builder, target, None if is_empty or stored else ranges)
    if is_empty:
        return
    if not stored:
        _assign(builder, operation, ranges, {}, is_added=operation.is_added)
        return
    factor = stored[0]
    entries = factor.box.places or {}
    if len(stored) > 1 or len(entries) > MOST_ENTRIES:
        raise refused(f"`{factor.tensor}` is stored by its entries, {len(entries)} of them, in a product of such")
    for position in entries:
        held = dict(zip(factor.letters, position, strict=True))
        is_inside = all(ranges[each][0] <= at < ranges[each][1] for each, at in held.items())
        if is_inside and factor.pattern.part(position).is_full:
            _assign(builder, operation, ranges, held, is_added=True)


def _assign(
    builder: ir.GraphBuilder,
    operation: Operation,
    ranges: Mapping[str, Range],
    held: Mapping[str, int],
    *,
    is_added: bool,
) -> None:
    """One statement; letters that are `held` stand at a position."""
    target = operation.target
    factors = [builder.read(each.tensor, _positions(each, ranges, held)) for each in operation.factors]
    letters = dict.fromkeys(letter for each in operation.factors for letter in each.letters)
    summed = [letter for letter in letters if letter not in target.letters and letter not in held]
    value = builder.scaled(operation.coefficient, builder.product(factors, summed))
    places = _positions(target, ranges, held)
    if is_added:
        value = builder.sum([builder.read(target.tensor, places), value])
    builder.assign(target.tensor, places, value)


def _positions(operand: Operand, ranges: Mapping[str, Range], held: Mapping[str, int]) -> tuple[ir.Position, ...]:
    box = operand.box
    if box.places is not None:
        return (box.places[tuple(held[letter] for letter in operand.letters)],)
    found: list[ir.Position] = []
    for letter, start, size in zip(operand.letters, box.starts, box.shape, strict=True):
        if letter in held:
            found.append(held[letter] + start)
            continue
        first, last = ranges[letter]
        is_whole = (first + start, last - first) == (0, size)
        found.append(letter if is_whole else ir.Window(letter, first + start, last - first))
    return tuple(found)


def _clear(builder: ir.GraphBuilder, target: Operand, computed: Mapping[str, Range] | None) -> None:
    """Zeros where the memory of the target has entries that are not computed; all of them if nothing is."""
    around = dict(zip(target.letters, target.box.within, strict=True))
    if computed is None:
        _zero(builder, target, around)
        return
    for letter, (low, high) in tuple(around.items()):
        first, last = computed[letter]
        for part in ((low, first), (last, high)):
            if part[0] < part[1]:
                _zero(builder, target, {**around, letter: part})
        around[letter] = computed[letter]


def _zero(builder: ir.GraphBuilder, target: Operand, ranges: Mapping[str, Range]) -> None:
    builder.assign(target.tensor, _positions(target, ranges, {}), builder.number(ir.Number(0.0)))

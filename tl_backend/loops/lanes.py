"""Lanes of vectors: the elements of the batch or, where entries of an element are neighbours instead, its columns.

Columns are a mode of the arguments that is the fastest in memory, which every instruction runs through as a whole, and
none sums over, as the last index of `C[i,c] = K[i,j] * B[j,c]` in row-major arrays. Each is computed by itself then,
as an element is. They are taken where only the launch knows how many they are, or where fixed ones leave out zeros of a
constant, or multiply what each column has of its own.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Accesses
from einsum_front.tl_backend.program import Function, Sizes
from einsum_front.tl_backend.semantics import Axis, index_maps, memrefs
from einsum_front.tl_backend.types import GroupType, MemrefType

UNKNOWN = 1000
"""What is thought of a size that has neither a hint nor an upper bound."""

FEWEST_OPEN = 32
"""Columns from which on vectors of them pay, by the hint of an open number."""

FEWEST_FIXED = 16
"""The same where their number is known."""

SPARSE = 0.75
"""A constant with a smaller share of non-zeros is worth to leave them out."""


@dataclass(frozen=True, slots=True)
class Lanes:
    """What the lanes count: by argument and temporary, the modes that count it, the fastest first.

    Of columns, `axes` are the axes of instructions (by identity) that run through them, and loops (0) by their
    variables; `count` says how many columns there are, where that is known, and `likely` what is thought.
    """

    modes: dict[str, tuple[int, ...]]
    axes: frozenset["Through"] = frozenset()
    are_columns: bool = False
    count: int | None = None
    likely: int = 0


def lanes_of(function: Function) -> Lanes:
    """The lanes that loops of a function have, which `function.get` keeps."""
    return function.get(_lanes)


def close_rows(function: Function, name: str) -> tuple[tuple[int, int], ...]:
    """The modes of an argument with columns that must follow each other without gaps: the launch sees to that."""
    lanes = lanes_of(function).modes.get(name, ())
    type_ = next(each.type for each in function.arguments if each.name.name == name)
    if not lanes or not isinstance(type_, MemrefType):
        return ()
    kept = [mode for mode in range(type_.order) if mode not in lanes and mode != function.batch_modes.get(name)]
    return tuple(pair for pair in pairwise(kept) if None in (type_.strides[pair[0]], type_.strides[pair[1]]))


def _lanes(function: Function) -> Lanes:
    batch = Lanes({name: (mode,) for name, mode in function.batch_modes.items()})
    types = {each.name.name: each.type for each in function.arguments if isinstance(each.type, MemrefType)}
    if any(isinstance(each.type, GroupType) for each in function.arguments) or not batch.modes:
        return batch
    if any(mode < types[name].order - 1 for name, (mode,) in batch.modes.items()):
        return batch
    return _Finder(function, types).columns() or batch


Through = tuple[int, Axis | str]
"""What runs through modes: an instruction, by identity, along an axis; or a loop, 0, by its variable."""

Modes = tuple[str, tuple[int, ...]]
"""A buffer, and modes of it that are seen as one."""


class _Finder:
    """Uses of modes by axes, and modes of which an instruction takes a part."""

    def __init__(self, function: Function, types: dict[str, MemrefType]) -> None:
        self._function, self._types = function, dict(types)
        self._arguments = set(types)
        self._accesses = Accesses.of_arguments(function)
        self._covered: dict[str, list[tuple[int, ...]]] = {
            name: [(mode,) for mode in range(each.order)] for name, each in types.items()
        }
        self._parts: set[tuple[str, int]] = set()
        self._uses: list[tuple[Modes, Through]] = []
        self._instructions: list[tuple[tl.Collective, tuple[str, ...]]] = []
        self._bounds: dict[str, Modes | int] = {}
        self._sizes: dict[str, Modes] = {}

    def columns(self) -> Lanes | None:
        """The columns, if there are some that are worth it."""
        if not self._region(self._function.body, ()) or not self._instructions:
            return None
        first = {self._buffer(each.value) for each in memrefs(self._instructions[0][0])}  # all instructions have them
        batched = first & self._function.batch_modes.keys()
        for start in dict.fromkeys(modes for modes, _ in self._uses if modes[0] in batched and modes[1][0] == 0):
            found = self._lanes(start)
            if found is not None and self._is_worth_it(found):
                return found
        return None

    def _region(self, region: tl.Region, around: tuple[str, ...]) -> bool:
        return all(self._note(each, around) for each in region)

    def _note(self, instruction: tl.Instruction, around: tuple[str, ...]) -> bool:
        """False for an instruction that loops have no form of; `around` are the variables of loops."""
        self._accesses.note(instruction)
        match instruction:
            case tl.For() | tl.Foreach():
                return self._loop(instruction, around)
            case tl.Subview():
                self._subview(instruction, around)
            case tl.Size(operand=operand, mode=mode, result=result):
                self._sizes[result.name] = self._buffer(operand), self._covered[operand.name][mode]
            case tl.Fuse(operand=operand, result=result, first=first, last=last):
                covered = self._covered[operand.name]
                one = tuple(mode for modes in covered[first : last + 1] for mode in modes)
                self._covered[result.name] = [*covered[:first], one, *covered[last + 1 :]]
            case tl.Alloca(result=result, type=type_):
                self._types[result.name] = type_
                self._covered[result.name] = [(mode,) for mode in range(type_.order)]
            case tl.GroupId() | tl.LifetimeStop() | tl.ArithBinary():
                pass
            case tl.Collective(atomic=False):
                self._instructions.append((instruction, around))
                for memref, map_ in zip(memrefs(instruction), index_maps(instruction).operands, strict=True):
                    for modes, axis in zip(self._covered[memref.value.name], map_, strict=True):
                        self._uses.append(((self._buffer(memref.value), modes), (id(instruction), axis)))
            case _:  # open: what `loops_of` refuses
                return False
        return True

    def _buffer(self, memref: tl.Local) -> str:
        return self._accesses.memrefs[memref.name].buffer

    def _loop(self, loop: tl.For | tl.Foreach, around: tuple[str, ...]) -> bool:
        step = loop.step if isinstance(loop, tl.For) else tl.IntegerConstant(1)
        if (loop.start, step) == (tl.IntegerConstant(0), tl.IntegerConstant(1)):
            if isinstance(loop.stop, tl.IntegerConstant):
                self._bounds[loop.variable.name] = loop.stop.value
            elif loop.stop.name in self._sizes:
                self._bounds[loop.variable.name] = self._sizes[loop.stop.name]
        return self._region(loop.body, (*around, loop.variable.name))

    def _subview(self, view: tl.Subview, around: tuple[str, ...]) -> None:
        """A position that is the variable of a loop uses modes; others, and slices, take parts of them."""
        covered, buffer = self._covered[view.operand.name], self._buffer(view.operand)
        for pick, modes in zip(view.slices, covered, strict=True):
            if isinstance(pick, tl.Position) and isinstance(pick.index, tl.Local) and pick.index.name in around:
                self._uses.append(((buffer, modes), (0, pick.index.name)))
            elif isinstance(pick, tl.Position) or pick.offset != tl.IntegerConstant(0) or pick.size is not None:
                self._parts |= {(buffer, mode) for mode in modes}
        kept = zip(view.slices, covered, strict=True)
        self._covered[view.result.name] = [modes for pick, modes in kept if isinstance(pick, tl.Slice)]

    def _lanes(self, start: Modes) -> Lanes | None:
        """All that runs along with modes of a buffer; None if it is not in all instructions, or is summed over."""
        modes, axes = self._along(start)
        by_buffer = dict(sorted(modes))  # texts must not depend on the order of a set
        is_one = len(by_buffer) == len(modes) and not any(
            set(each) & set(by_buffer.get(buffer, ())) and each != by_buffer[buffer] for (buffer, each), _ in self._uses
        )
        own: dict[int, list[Axis | str]] = {}
        for number, axis in axes:
            own.setdefault(number, []).append(axis)
        targets = all(self._runs_once(each, around, own) for each, around in self._instructions)
        are_neighbours = all(
            of == tuple(range(len(of))) and self._types[name].strides[0] == 1
            for name, of in by_buffer.items()
            if name in self._arguments
        )
        if not (is_one and targets and are_neighbours) or self._parts & {(n, m) for n, of in modes for m in of}:
            return None
        shapes = [self._types[start[0]].shape[mode] for mode in start[1]]
        count = prod(each for each in shapes if each is not None) if None not in shapes else None
        bounds = [self._bounds.get(str(name)) for number, name in axes if number == 0]
        if not all(each == count if isinstance(each, int) else each in modes for each in bounds):
            return None  # a loop over a part of them
        return Lanes(by_buffer, frozenset(axes), are_columns=True, count=count, likely=self._likely(*start))

    def _along(self, start: Modes) -> tuple[set[Modes], set[Through]]:
        """The modes that run along with these, and what runs through them."""
        through: dict[Modes, list[Through]] = {}
        used: dict[Through, list[Modes]] = {}
        for each, axis in self._uses:
            through.setdefault(each, []).append(axis)
            used.setdefault(axis, []).append(each)
        modes, axes, todo = {start}, set[Through](), [start]
        while todo:
            for axis in through.get(todo.pop(), ()):
                if axis not in axes:
                    axes.add(axis)
                    new = [each for each in dict.fromkeys(used[axis]) if each not in modes]
                    modes.update(new)
                    todo += new
        return modes, axes

    @staticmethod
    def _runs_once(instruction: tl.Collective, around: tuple[str, ...], axes: dict[int, list[Axis | str]]) -> bool:
        """True if one of the axes is that of a loop around the instruction, or one of its target."""
        own, loops = axes.get(id(instruction), []), [name for name in around if name in axes.get(0, ())]
        return len(own) + len(loops) == 1 and all(axis in index_maps(instruction).target for axis in own)

    def _likely(self, name: str, modes: tuple[int, ...]) -> int:
        """How many columns there are by the hints of sizes."""
        facts = (fact for fact in self._function.facts if isinstance(fact, Sizes) and fact.argument == name)
        extents = next((fact.extents for fact in facts), ())
        shape = self._types[name].shape
        limits = {each.name: each.hint or each.most or UNKNOWN for each in self._function.limits}
        found = 1
        for mode in modes:
            extent = extents[mode] if mode < len(extents) else None
            sizes = {} if extent is None else {size.name: limits.get(size.name, UNKNOWN) for size in extent.sizes}
            found *= shape[mode] or (UNKNOWN if extent is None else int(extent.fraction_at(sizes)))
        return found

    def _is_worth_it(self, lanes: Lanes) -> bool:
        if lanes.count is None:
            return lanes.likely >= FEWEST_OPEN
        used = dict.fromkeys(buffer for (buffer, _), _ in self._uses)
        shared = [name for name in used if name not in lanes.modes]
        if not lanes.modes.keys() & self._arguments <= self._function.batch_modes.keys():
            return False
        is_sum = any(index_maps(each).reduction for each, _ in self._instructions)
        return lanes.count >= FEWEST_FIXED and ((is_sum and not shared) or any(self._sparse(shared)))

    def _sparse(self, names: list[str]) -> Iterator[bool]:
        """For each constant, whether its numbers are known, or many zeros."""
        for fact in self._function.facts:
            if fact.argument not in names or fact.argument in self._function.batch_modes:
                continue
            if isinstance(fact, Values):
                yield True
            elif isinstance(fact, Nonzeros):
                shape = [size or 1 for size in self._types[fact.argument].shape]
                yield sum(stop - start for start, stop in fact.runs) < SPARSE * prod(shape)

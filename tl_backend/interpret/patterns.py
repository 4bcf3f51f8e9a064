"""Zero patterns: the function is run on truth values, each of which says whether an entry may differ from zero.

Views, loops and numbers are those of the interpreter, as far as they are known when compiling. What is not known is no
value of the frame: a view at an unknown position may be any part of its memory, both regions of an `if` with an unknown
condition run, and a loop with unknown bounds runs until its patterns do not change.

An entry that joins a pattern stays in it, whatever overwrites it. What `;! nonzeros` or `;! values` state is taken as
it is, and what a product adds to it is `Excess`. A number that is stored is not followed, unless it is known.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from math import prod

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Origin
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.runs import Mask, mask_from_runs
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import viewed
from einsum_front.tl_backend.analysis.effects import operations
from einsum_front.tl_backend.interpret.evaluate import evaluate, position
from einsum_front.tl_backend.interpret.frame import Frame, allocate
from einsum_front.tl_backend.program import Argument, Function, of_element
from einsum_front.tl_backend.scalars import UndefinedResultError, make
from einsum_front.tl_backend.semantics import Axis, index_maps, writes
from einsum_front.tl_backend.traverse import operands, results, walk, walked
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType

MOST_OPERATIONS = 1 << 23
"""Multiplications and additions of a function that is followed."""

MOST_ENTRIES = 1 << 24
"""Entries of temporaries, and of arguments that have facts."""

MOST_STEPS = 1 << 13
"""Instructions in loops that are followed with the numbers that the loops count."""


Summands = Mapping[tl.Collective, Mask]
"""For products with a matrix: the terms, rows x depths x columns, that may differ from zero; a vector is one column."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A product that may put something else than zero where the facts about the memory of `buffer` leave it out.

    `position` is the first such entry, in the packed layout of one element; `stated` is the place of the facts, or that
    of the `alloca`.
    """

    instruction: tl.Collective
    buffer: str
    position: int
    stated: Origin


@dataclass(frozen=True, slots=True)
class ZeroPatterns:
    """The entries of each `alloca` that may differ from zero, at any time, with the shape of its memref.

    `excess` has one entry for each instruction that does not keep to what is stated.
    """

    temporaries: Mapping[tl.Alloca, Mask]
    summands: Summands
    excess: tuple[Excess, ...]


def has_zeros(function: Function) -> bool:
    """True if zeros of an argument or a temporary are stated."""
    is_stated = any(isinstance(fact, Nonzeros | Values) for fact in function.facts)
    return is_stated or any(isinstance(each, tl.Alloca) and each.nonzeros is not None for each in function.get(walked))


def find_zero_patterns(function: Function, zero: frozenset[str] = frozenset()) -> ZeroPatterns | None:
    """The patterns of a function without mistakes; None if it has too many operations or entries to follow them.

    Arguments that are `zero` before, as what a prologue writes, are followed as temporaries are.
    """
    if operations(function) > MOST_OPERATIONS or _entries(function) > MOST_ENTRIES:
        return None
    run = _Run()
    for argument in function.arguments:
        run.enter(argument, function, is_zero=argument.name.name in zero)
    run.region(function.body)
    temporaries = {alloca: memory.mask for alloca, memory in run.temporaries.items()}
    return ZeroPatterns(temporaries, run.summands, tuple(run.excess.values()))


def _entries(function: Function) -> int:
    named = {fact.argument for fact in function.facts}
    types = [each.type for each in function.arguments if each.name.name in named]
    memrefs = [each.memref if isinstance(each, GroupType) else each for each in types]
    memrefs += [each.type for each in function.get(walked) if isinstance(each, tl.Alloca) and not each.sizes]
    return sum(prod(size or 1 for size in each.shape) for each in memrefs if isinstance(each, MemrefType))


@dataclass(slots=True, eq=False)
class _Memory:
    """A buffer whose pattern is followed; `is_exact` unless an entry in it may be zero for all we know.

    `stated` is the place where its nonzeros are stated, None if they are not. Those of a temporary are an upper bound:
    passes state them, too.
    """

    name: str
    mask: Mask
    stated: Origin | None
    is_exact: bool = True


@dataclass(slots=True)
class _Run:
    """What is known in the middle of the run.

    `memories` has the buffer behind a memref. One that has none is an argument without zeros.
    """

    frame: Frame = field(default_factory=lambda: Frame({}, 0, 1))
    memories: dict[str, _Memory] = field(default_factory=dict)
    temporaries: dict[tl.Alloca, _Memory] = field(default_factory=dict)
    summands: dict[tl.Collective, Mask] = field(default_factory=dict)
    excess: dict[tl.Collective, Excess] = field(default_factory=dict)
    joined: int = 0
    """How often entries joined a pattern."""
    steps: int = 0

    def enter(self, argument: Argument, function: Function, *, is_zero: bool) -> None:
        """Take in an argument that is zero, or about whose zeros there are facts, for one work-group."""
        name, type_ = argument.name.name, argument.type
        facts = [fact for fact in function.facts if fact.argument == name and isinstance(fact, Nonzeros | Values)]
        if is_zero and not facts and isinstance(type_, MemrefType):
            sizes = tuple(size for size in type_.shape if size is not None)
            if len(sizes) == type_.order and prod(sizes) <= MOST_ENTRIES:
                self.memories[name] = _Memory(name, _room(type_, sizes), None)
                self.frame.values[name] = self.memories[name].mask
        if isinstance(type_, ScalarType) or not facts:
            return
        memref = type_.memref if isinstance(type_, GroupType) else type_
        mode = function.batch_modes.get(name)
        shape = of_element(memref.shape, mode)
        known = tuple(size for size in shape if size is not None)
        if len(known) < len(shape):
            return
        mask = _room(memref, known if mode is None else (*known[:mode], 1, *known[mode:]))
        mask[...] = stated_mask(facts, known).reshape(mask.shape)
        self.memories[name] = _Memory(name, mask, facts[-1].origin)
        self.frame.values[name] = [mask] if isinstance(type_, GroupType) else mask

    # -- instructions --------------------------------------------------------------------------------------------------

    def region(self, region: tl.Region) -> None:
        """Run the instructions in order."""
        for instruction in region:
            self._instruction(instruction)

    def _instruction(self, instruction: tl.Instruction) -> None:
        match instruction:
            case tl.Collective():
                self._update(instruction)
            case tl.Store():
                self._store(instruction)
            case tl.If():
                self._branch(instruction)
            case tl.For() | tl.Foreach():
                self._loop(instruction)
            case tl.Yield() | tl.Barrier() | tl.LifetimeStop():
                pass
            case (
                tl.Alloca() | tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse()
                | tl.GroupId() | tl.GroupSize() | tl.Load() | tl.MathCall() | tl.Size() | tl.Subview()
            ):  # fmt: skip
                self._value(instruction)

    def _value(self, instruction: tl.ValueInstruction) -> None:
        name, source = instruction.result.name, viewed(instruction)
        self.frame.values.pop(name, None)
        self.memories.pop(name, None)
        if source is not None and source.name in self.memories:
            self.memories[name] = self.memories[source.name]
        match instruction:
            case tl.Alloca():
                self._allocate(instruction)
            case tl.GroupId() | tl.GroupSize():
                pass
            case tl.Size(type=type_, mode=mode):
                if (size := type_.shape[mode]) is not None:
                    self.frame.values[name] = make(size, ScalarType.INDEX)
            case tl.Load(type=MemrefType()):
                pass
            case (
                tl.ArithBinary() | tl.ArithUnary() | tl.Cast() | tl.Compare() | tl.Expand() | tl.Fuse() | tl.Load()
                | tl.MathCall() | tl.Subview()
            ):  # fmt: skip
                self._evaluate(instruction)

    def _evaluate(self, instruction: tl.ValueInstruction) -> None:
        """The value, if it is known: that of an operand without which it is no different may be unknown."""
        if isinstance(instruction, tl.Subview):
            instruction = self._without_choice(instruction)
        elif isinstance(instruction, tl.Load):
            instruction = replace(instruction, indices=(tl.IntegerConstant(0),))
        if all(map(self._is_known, operands(instruction))):
            with suppress(CompileError, UndefinedResultError):
                self.frame.values[instruction.result.name] = evaluate(instruction, self.frame)

    def _without_choice(self, view: tl.Subview) -> tl.Subview:
        """The view; in a mode of size 1 there is one position, the number of the work-group included."""
        memory = self.frame.values.get(view.operand.name)
        if not isinstance(memory, np.ndarray):
            return view
        first = tl.Position(tl.IntegerConstant(0))
        picks = tuple(
            first if size == 1 and isinstance(pick, tl.Position) else pick
            for pick, size in zip(view.slices, memory.shape, strict=True)
        )
        return replace(view, slices=picks)

    def _allocate(self, alloca: tl.Alloca) -> None:
        if alloca.sizes:
            return
        memory = self.temporaries.get(alloca)
        if memory is None:
            shape = tuple(size or 0 for size in alloca.type.shape)
            mask = _room(alloca.type, shape)
            if alloca.nonzeros is not None:
                mask[...] = mask_from_runs(alloca.nonzeros, shape)
            is_stated = alloca.nonzeros is not None
            memory = _Memory(alloca.result.name, mask, alloca.origin if is_stated else None, is_exact=not is_stated)
            self.temporaries[alloca] = memory
        elif memory.mask.any():
            memory.is_exact = False  # new memory has none of the entries that were written before
        self.memories[alloca.result.name] = memory
        self.frame.values[alloca.result.name] = memory.mask

    def _is_known(self, operand: tl.Operand) -> bool:
        return not isinstance(operand, tl.Local) or operand.name in self.frame.values

    # -- control -------------------------------------------------------------------------------------------------------

    def _branch(self, branch: tl.If) -> None:
        is_known = self._is_known(branch.condition)
        if not is_known or self.frame.scalar(branch.condition, ScalarType.BOOL):
            self.region(branch.then)
        if not is_known or not self.frame.scalar(branch.condition, ScalarType.BOOL):
            self.region(branch.otherwise or ())
        for local in results(branch):
            self.frame.values.pop(local.name, None)

    def _loop(self, loop: tl.For | tl.Foreach) -> None:
        if self._changes_nothing(loop):
            return
        numbers = self._numbers(loop)
        if numbers is None:
            joined = -1
            while joined < self.joined:
                joined = self.joined
                self.frame.values.pop(loop.variable.name, None)
                self.region(loop.body)
        else:
            for number in numbers:
                self.frame.values[loop.variable.name] = make(number, loop.type)
                self.region(loop.body)

    def _changes_nothing(self, loop: tl.For | tl.Foreach) -> bool:
        """True if all that the loop writes is memory that is not followed, or may be full already."""
        memories: dict[str, _Memory | None] = dict(self.memories)
        for each in walk(loop.body):
            if isinstance(each, tl.Alloca | tl.Gemm | tl.Gemv):
                return False
            if isinstance(each, tl.ValueInstruction) and (source := viewed(each)) is not None:
                memories[each.result.name] = memories.get(source.name)
            found = [memories.get(target.name) for target in writes(each)]
            if any(memory is not None and (memory.is_exact or not memory.mask.all()) for memory in found):
                return False
        return True

    def _numbers(self, loop: tl.For | tl.Foreach) -> range | None:
        """What the loop counts, if that is known and not too much."""
        bounds = operands(loop)
        if not all(map(self._is_known, bounds)):
            return None
        first, last, *step = (int(self.frame.scalar(bound, loop.type)) for bound in bounds)
        if step and step[0] < 1:
            return None
        numbers = range(first, last, *step)
        needed = len(numbers) * sum(1 for _ in walk(loop.body))
        if self.steps + needed > MOST_STEPS:
            return None
        self.steps += needed
        return numbers

    # -- writes --------------------------------------------------------------------------------------------------------

    def _update(self, instruction: tl.Collective) -> None:
        maps = index_maps(instruction)
        masks = [self._mask(memref) for memref in instruction.inputs]
        known = [mask for mask in masks if mask is not None]
        if len(known) < len(masks):
            self._join(instruction, None, is_exact=False)
            return
        if isinstance(instruction, tl.Gemm | tl.Gemv):
            inputs, _ = maps.subscripts.split("->")
            columns = Axis.N.letter if Axis.N.letter in inputs else ""
            mask = numpy_einsum(f"{inputs}->{Axis.M.letter}{Axis.K.letter}{columns}", *known)
            whole = mask if columns else mask[:, :, None]
            self.summands[instruction] = whole | self.summands.get(instruction, False)
        is_exact = all(self._is_exact(memref.value) for memref in instruction.inputs)
        self._join(instruction, numpy_einsum(maps.subscripts, *known), is_exact=is_exact)

    def _mask(self, memref: tl.TypedMemref) -> Mask | None:
        """The pattern of an input; None if not even its shape is known."""
        mask = self.frame.values.get(memref.value.name)
        if isinstance(mask, np.ndarray):
            return mask
        shape = tuple(size for size in memref.type.shape if size is not None)
        return np.broadcast_to(np.True_, shape) if len(shape) == memref.type.order else None

    def _is_exact(self, memref: tl.Local) -> bool:
        memory = self.memories.get(memref.name)
        return memory is None or (memory.is_exact and memref.name in self.frame.values)

    def _store(self, store: tl.Store) -> None:
        value = self.frame.values.get(store.value.name)
        if isinstance(value, np.generic) and value == 0:
            return
        view, memory = self.frame.values.get(store.target.name), self.memories.get(store.target.name)
        if memory is None:
            return
        if not isinstance(view, np.ndarray) or not all(map(self._is_known, store.indices)):
            self._join(store, None, is_exact=False)
            return
        was_exact, memory.is_exact = memory.is_exact, False
        with suppress(CompileError):
            at = position(store, self.frame)
            if view[at] or memory.stated is not None:
                memory.is_exact = was_exact and bool(np.count_nonzero(view) <= view[at])
            else:
                self.joined += 1
                view[at] = True

    def _join(self, instruction: tl.Collective | tl.Store, written: Mask | None, *, is_exact: bool) -> None:
        """Bring what is written into the pattern of its memory; None: anything, in any part of the memory."""
        target = instruction.target if isinstance(instruction, tl.Store) else instruction.target.value
        memory, view = self.memories.get(target.name), self.frame.values.get(target.name)
        if memory is None:
            return
        if not isinstance(view, np.ndarray) or written is None:
            written, view, is_exact = np.ones((), np.bool_), memory.mask, False
        if memory.is_exact and (view & ~written).any():
            memory.is_exact = False  # what was there before may have been overwritten
        if not (written & ~view).any():
            return
        before = memory.mask if memory.stated is None else memory.mask.copy()
        view |= written
        if memory.stated is None:
            self.joined += 1
            memory.is_exact = memory.is_exact and is_exact
            return
        new = np.flatnonzero((memory.mask & ~before).ravel(order="F"))
        memory.mask[...] = before
        if is_exact and isinstance(instruction, tl.Collective):
            self.excess.setdefault(instruction, Excess(instruction, memory.name, int(new[0]), memory.stated))


def stated_mask(facts: Sequence[object], shape: tuple[int, ...]) -> Mask:
    """What the facts about an argument say of the zeros of one element of this shape."""
    mask = np.ones(shape, np.bool_)
    for fact in facts:
        if isinstance(fact, Nonzeros):
            mask &= mask_from_runs(fact.runs, shape)
        elif isinstance(fact, Values):
            mask &= mask_from_runs(tuple((number, number + 1) for number, value in fact.entries if value != 0), shape)
    return mask


def _room(memref: MemrefType, shape: tuple[int, ...]) -> Mask:
    """An array that lies as the memref says, for nothing but zeros."""
    return allocate(replace(memref, element=ScalarType.BOOL), shape)

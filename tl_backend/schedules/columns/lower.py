"""A function as a kernel of this schedule."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, groupby

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.features import features_of
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names, work_group, work_groups
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Group, Parameters, Value, View
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER, number
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.columns.addresses import Addresses
from einsum_front.tl_backend.schedules.columns.body import Frame, lower_unit
from einsum_front.tl_backend.schedules.columns.gathered import Gathering, gathered_in
from einsum_front.tl_backend.schedules.columns.homes import Home
from einsum_front.tl_backend.schedules.columns.plan import Planned
from einsum_front.tl_backend.schedules.columns.stages import TURNS, Staged
from einsum_front.tl_backend.schedules.columns.steps import Key
from einsum_front.tl_backend.schedules.columns.transfer import (
    Argument,
    Batch,
    cleared,
    copied_in,
    copied_out,
    less,
)

# -- what a work-group does for the elements that it has side by side --------------------------------------------------
# They are copied in, units run, results go out.

WORDS = ("elements", "item", "lane", "place", "first", "present", "element", "memory")


@dataclass(frozen=True, slots=True)
class Work:
    """The variables of a kernel that say what a work-item works on, by their words, and the values of arguments.

    `handed` are the temporaries that stages hand on, as they are in the part of the work-group in its present turn.
    """

    names: Names
    fresh: Mapping[str, tree.Name]
    values: Mapping[str, Value]
    handed: Mapping[str, View] = field(default_factory=dict)

    def items(self) -> tree.Statements:
        """The number of the work-item."""
        return (tree.Declare(Scalar.I32, self.fresh["item"].text, tree.ItemId(0)),)

    def first(self, number_: tree.Expression) -> tree.Statements:
        """The first of the elements side by side."""
        return (tree.Declare(Scalar.I64, self.fresh["first"].text, number_),)

    def lanes(self, plan: Planned) -> tree.Statements:
        """Which lane of which of the elements; nothing if there is one."""
        if plan.together == 1:
            return ()
        lanes, fresh = index.constant(plan.lanes), self.fresh
        return (
            tree.Declare(Scalar.I32, fresh["lane"].text, index.remainder(fresh["item"], lanes)),
            tree.Declare(Scalar.I32, fresh["place"].text, index.divide(fresh["item"], lanes)),
        )

    def present(self, plan: Planned) -> tree.Statements:
        """How many elements there are side by side; nothing if there is always one."""
        if plan.together == 1:
            return ()
        left = index.subtract(self.fresh["elements"], self.fresh["first"])
        present = tree.Cast(Scalar.I32, index.minimum(left, tree.Cast(Scalar.I64, index.constant(plan.together))))
        return (tree.Declare(Scalar.I32, self.fresh["present"].text, present),)


def lower_elements(plan: Planned, work: Work) -> tuple[tree.Statements, Addresses]:
    """The statements behind those of `work`, with the tables that they read."""
    element = _Element(plan, work)
    return without_unused(tuple(element.statements())), element.addresses


def without_unused(body: tree.Statements) -> tree.Statements:
    """The statements without declarations that none behind them uses: compilers warn of these."""
    used: set[str] = set()
    kept: list[tree.Statement] = []
    for statement in reversed(body):
        if isinstance(statement, tree.Declare) and statement.name not in used:
            continue
        kept.append(statement)
        used.update(features_of((statement,)).used)
    return tuple(reversed(kept))


class _Element:
    """The code while it is put together."""

    def __init__(self, plan: Planned, work: Work) -> None:
        names, fresh = work.names, work.fresh
        self._plan, self._names, self._fresh, self._handed = plan, names, fresh, work.handed
        self._values = values = {**work.values, **work.handed}
        self._type = REGISTER[plan.facts.element]
        alone = plan.together == 1
        lane = fresh["item"] if alone else fresh["lane"]
        self.addresses = Addresses(names, lane, plan.lanes, fresh["item"], None if alone else fresh["place"])
        self._batch = Batch(
            plan.together, plan.together * plan.lanes, fresh["item"], fresh["first"], fresh["present"], fresh["memory"],
            names, self.addresses,
        )  # fmt: skip
        is_present = None if alone else tree.Binary(tree.BinaryOperator.LESS, fresh["place"], fresh["present"])
        pointers = {base: self._pointer(base) for base in self._direct()}
        self._frame = Frame(plan, values, names, self.addresses, fresh["memory"], pointers, is_present, self._element)

    def statements(self) -> Iterator[tree.Statement]:
        """All of it."""
        plan = self._plan
        copies, units = (*self._gathered(0), *self._copies_in()), list[tree.Statement]()
        for number_, (unit, order) in enumerate(zip(plan.units, plan.orders, strict=True)):
            is_first = number_ == 0 or unit.epoch > plan.units[number_ - 1].epoch
            gathered = tuple(self._gathered(unit.epoch)) if is_first and unit.epoch else ()
            units += lower_unit(unit, order, number_, self._frame, gathered)
        results = tuple(self._results())
        yield from self._own_pointers()
        yield from self.addresses.declarations
        yield from self._frame.hoisted
        yield from copies
        yield from units
        yield from results

    # -- arguments -----------------------------------------------------------------------------------------------------

    def _direct(self) -> list[str]:
        """The arguments that work-items read or write in global memory."""
        homes = self._plan.homes
        return [base for base, each in homes.items() if each.home is Home.DIRECT or base in self._plan.direct]

    def _pointer(self, base: str) -> tuple[tree.Name, Pointer]:
        value = self._values[base]
        assert isinstance(value, View | Group)
        type_ = Pointer(value.pointer.target, value.pointer.space, value.pointer.is_const)
        return tree.Name(self._names.fresh(f"{local_name(base)}_own")), type_

    def _own_pointers(self) -> Iterator[tree.Statement]:
        """Pointers to the memory of the work-item's element."""
        if self._plan.together > 1:
            yield tree.Declare(Scalar.I64, self._fresh["element"].text, self._batch.element(self._fresh["place"]))
        for base, (name, type_) in self._frame.elements.items():
            yield tree.Declare(type_, name.text, self._argument(base).address(self._element))

    @property
    def _element(self) -> tree.Name:
        """The number of the work-item's element."""
        return self._fresh["element" if self._plan.together > 1 else "first"]

    def _argument(self, base: str) -> Argument:
        if base in self._handed:
            return Argument(self._handed[base], 0, self._type, self._fresh["first"])
        return Argument(self._values[base], self._plan.facts.places.batch_modes.get(base), self._frame.stored(base))

    # -- copies --------------------------------------------------------------------------------------------------------

    def _copies_in(self) -> Iterator[tree.Statement]:
        for base, memory in self._plan.homes.items():
            positions = np.flatnonzero(memory.read_first)
            if memory.home is not Home.LOCAL or not positions.size or base in self._plan.facts.gathers:
                continue
            layout = self._plan.layouts[base]
            if memory.is_argument:
                yield copied_in(self._batch, self._argument(base), positions, layout, self._type)
            else:
                yield cleared(self._batch, number(0.0, self._type), positions, layout)

    def _gathered(self, epoch: int) -> Iterator[tree.Statement]:
        """Copies of what elements read where integers say, in the epoch before it is used."""
        plan, fresh = self._plan, self._fresh
        for base in plan.gathered_in(epoch):
            types = self._frame.stored(base), self._type
            gathering = Gathering(
                self._element, self._values, fresh["memory"], plan.together, types, self._names, self.addresses
            )
            copies = tuple(gathered_in(plan.facts.gathers[base], plan.layouts[base], gathering))
            yield tree.Section((f"gather %{base}",), copies)

    def _results(self) -> Iterator[tree.Statement]:
        """Sums in registers to local memory, then everything to global memory."""
        plan = self._plan
        outputs = [memory for memory in plan.outputs() if memory.base not in plan.direct]
        if not outputs:
            return
        flushed = {each.base for each in outputs if each.home is Home.REGISTERS}
        if any(self._is_reused(base) for base in flushed):
            yield tree.Barrier(plan.fences)
        stores: list[tuple[Key, tree.Expression]] = [
            (key, number(-0.0, self._type)) for base in sorted(flushed) for key in plan.fillings(base)
        ]
        stores += [(key, name) for key, name in self._frame.kept.items() if key.base in flushed]
        for lanes, some in groupby(stores, key=lambda each: each[0].positions.size):
            written = tuple(tree.Assign(self._frame.local(key), value) for key, value in some)
            is_whole = lanes == plan.lanes
            yield from written if is_whole else (tree.If(less(self.addresses.lane, lanes), written),)
        yield tree.Barrier(plan.fences)
        for memory in outputs:
            positions = np.flatnonzero(plan.stored(memory.base))
            layout = plan.layouts[memory.base]
            argument = self._argument(memory.base)
            yield copied_out(self._batch, argument, positions, layout, self._type, is_added=memory.is_added)

    def _is_reused(self, base: str) -> bool:
        """True if something that the last unit uses was in the place."""
        plan, mine = self._plan, self._plan.layouts[base]
        own = range(mine.start, mine.start + mine.size)
        return any(
            other.start < own.stop and own.start < other.start + other.size
            for each, other in plan.layouts.items()
            if each != base and plan.lives[each].start < plan.last
        )


BYTES = Pointer(Scalar.U8, AddressSpace.GLOBAL)
BOTH = AddressSpace.LOCAL, AddressSpace.GLOBAL


def lower(plan: Staged, target: Target, taken: frozenset[str]) -> Kernel:
    """The kernel, which defines none of the names in `taken`. Raises `CompileError` (E06xx)."""
    first = plan.first
    check_target(first.function, target)
    names = free_names(target, taken)
    entries = [names.fresh(local_name(first.function.name)) for _ in range(plan.launches)]
    parameters = Parameters(first.function, names)
    types = {name: _constant(parameters.values[name]) for name, is_cached in plan.constants.items() if is_cached}
    fresh = {word: tree.Name(names.fresh(word)) for word in WORDS}
    work = Work(names, fresh, {**parameters.values, **types})
    more: tuple[tree.Parameter, ...] = ()
    if first.together > 1:
        more = (tree.Parameter(Scalar.I64, fresh["elements"].text),)
    if plan.launches < len(plan.stages):
        turns = _Turns(plan, work, *(tree.Name(names.fresh(word)) for word in TURN_WORDS))
        more = tree.Parameter(Scalar.I64, fresh["elements"].text), tree.Parameter(BYTES, turns.scratch.text)
        made = [turns.statements()]
    else:
        made = [_launched(stage, work) for stage in plan.stages]
    items = first.together * first.lanes
    cached = {view.base: view.pointer for view in types.values()}
    listed = (replace(each, type=cached.get(tree.Name(each.name), each.type)) for each in parameters.list)
    all_ = (*listed, *more)
    functions = [tree.Function(name, all_, body, (items, 1, 1)) for name, (body, _) in zip(entries, made, strict=True)]
    return Kernel(
        tree.File(tuple(functions), tables=tuple(chain.from_iterable(tables for _, tables in made))),
        (items, 1),
        local_memory=plan.local_bytes,
        elements_per_group=first.together,
        scratch=plan.scratch,
        stages=plan.launches,
    )


def _launched(stage: Planned, work: Work) -> tuple[tree.Statements, Sequence[tree.Table]]:
    """The body of a function that runs a stage for one turn of each work-group, and its tables."""
    inside, addresses = lower_elements(stage, work)
    start = index.multiply(index.constant(stage.together), work_group())
    place = *work.items(), *work.first(start), *work.lanes(stage), *work.present(stage)
    return without_unused((*_memory((stage,), work), *place, *inside)), addresses.tables


def _constant(value: Value) -> View:
    """An argument that comes through the cache for constants."""
    assert isinstance(value, View)
    return replace(value, pointer=replace(value.pointer, space=AddressSpace.CONSTANT))


def _memory(stages: Sequence[Planned], work: Work) -> tree.Statements:
    """Local memory of the work-group; stages use it one after the other."""
    entries = max(each.entries for each in stages) * stages[0].together
    type_ = REGISTER[stages[0].facts.element]
    return (tree.DeclareArray(type_, work.fresh["memory"].text, entries, AddressSpace.LOCAL),) if entries else ()


# -- stages ------------------------------------------------------------------------------------------------------------

TURN_WORDS = ("scratch", "own_scratch", "turns", "from", "to", "turn")


@dataclass(frozen=True, slots=True)
class _Turns:
    """The loops over stages.

        turns = how many a work-group has: it takes every n-th, where n is how many work-groups there are
        for (from = 0; from < turns; from += 4)
            to = min(from + 4, turns)
            for (turn = from; turn < to; ++turn) the first stage
            for (turn = from; turn < to; ++turn) the second one

    They are loops that run at least once: a launch has no work-group without a turn, and barriers in a loop that may
    not run at all are not for every device.
    """

    plan: Staged
    work: Work
    scratch: tree.Name
    own: tree.Name
    turns: tree.Name
    start: tree.Name
    stop: tree.Name
    turn: tree.Name

    def statements(self) -> tuple[tree.Statements, Sequence[tree.Table]]:
        """The body of the kernel, and its tables."""
        tables: list[tree.Table] = []
        inside: list[tree.Statement] = []
        for place, stage in enumerate(self.plan.stages):
            body, found = self._stage(stage)
            tables += found
            declared = (tree.Declare(Scalar.I64, self.turn.text, self.start),)
            first = declared if place == 0 else (tree.Assign(self.turn, self.start),)
            inside += [*first, tree.DoWhile(body, tree.Binary(tree.BinaryOperator.LESS, self.turn, self.stop))]
        some = tree.Cast(Scalar.I64, index.constant(TURNS))
        stop = index.minimum(index.add(self.start, some), self.turns)
        groups = work_groups()
        together = self.plan.first.together
        rounded = index.add(self.work.fresh["elements"], index.constant(together - 1))
        total = index.divide(rounded, index.constant(together))
        left = index.add(index.subtract(total, work_group()), index.subtract(groups, index.ONE))
        body = (
            *_memory(self.plan.stages, self.work),
            *self.work.items(),
            *self.work.lanes(self.plan.first),
            tree.Declare(BYTES, self.own.text, index.add(self.scratch, self._part())),
            tree.Declare(Scalar.I64, self.turns.text, index.divide(left, groups)),
            tree.Declare(Scalar.I64, self.start.text, tree.Cast(Scalar.I64, index.ZERO)),
            tree.DoWhile(
                (
                    tree.Declare(Scalar.I64, self.stop.text, stop),
                    *inside,
                    tree.Assign(self.start, some, tree.BinaryOperator.ADD),
                ),
                tree.Binary(tree.BinaryOperator.LESS, self.start, self.turns),
            ),
        )
        return without_unused(body), tables

    def _part(self) -> tree.Expression:
        """Where the part of the work-group begins, in bytes."""
        return index.multiply(tree.Cast(Scalar.I64, index.constant(self.plan.scratch)), work_group())

    def _stage(self, stage: Planned) -> tuple[tree.Statements, Sequence[tree.Table]]:
        """A stage in one turn, and what all work-items wait for behind it: its results and its places are free."""
        together = tree.Cast(Scalar.I64, index.constant(stage.together))
        number = index.add(work_group(), index.multiply(self.turn, work_groups()))
        names = self.work.names
        handed, pointers = self._handed(stage, names)
        inside, addresses = lower_elements(stage, replace(self.work, handed=handed))
        body = (
            *self.work.first(index.multiply(together, number)),
            *self.work.present(stage),
            *pointers,
            *inside,
            tree.Assign(self.turn, tree.Cast(Scalar.I64, index.ONE), tree.BinaryOperator.ADD),
            tree.Barrier(BOTH),
        )
        return without_unused(body), addresses.tables

    def _handed(self, stage: Planned, names: Names) -> tuple[Mapping[str, View], tree.Statements]:
        """What the stage has of temporaries in global memory, with pointers to the part of the turn."""
        views, declared = {}, []
        facts = stage.facts
        type_ = REGISTER[facts.element]
        pointer = Pointer(type_, AddressSpace.GLOBAL)
        for base, place in self.plan.handed.items():
            if base not in stage.homes:
                continue
            span = facts.storages[base].span
            name = tree.Name(names.fresh(f"{local_name(base)}_handed"))
            number = tree.Cast(Scalar.I32, index.subtract(self.turn, self.start))
            start = index.add(self.own, index.constant(place.start)) if place.start else self.own
            distance = index.multiply(index.constant(span * stage.together), number)
            declared.append(tree.Declare(pointer, name.text, index.add(tree.Cast(pointer, start), distance)))
            views[base] = View(facts.element, name, pointer, (), (index.constant(span),))
        return views, tuple(declared)

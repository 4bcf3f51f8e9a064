"""A function as a kernel of this schedule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel.tree import (
    Assign,
    Barrier,
    Binary,
    BinaryOperator,
    Cast,
    Declare,
    DeclareArray,
    DoWhile,
    Expression,
    File,
    Function,
    Name,
    Parameter,
    Statement,
    Statements,
    Table,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import work_group, work_groups
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.view import Value, View
from einsum_front.tl_backend.schedules.columns.element import WORDS, Work, lower_elements, without_unused
from einsum_front.tl_backend.schedules.columns.plan import Planned
from einsum_front.tl_backend.schedules.columns.stages import TURNS, Staged

BYTES = Pointer(Scalar.U8, AddressSpace.GLOBAL)
BOTH = AddressSpace.LOCAL, AddressSpace.GLOBAL


def lower(plan: Staged, target: Target, taken: frozenset[str]) -> Kernel:
    """The kernel, which defines none of the names in `taken`. Raises `CompileError` (E06xx)."""
    first = plan.first
    check_target(first.function, target)
    names = free_names(target, taken)
    entry = names.fresh(local_name(first.function.name))
    parameters = Parameters(first.function, names)
    types = {name: _constant(parameters.values[name]) for name, is_cached in plan.constants.items() if is_cached}
    fresh = {word: Name(names.fresh(word)) for word in WORDS}
    work = Work(names, fresh, {**parameters.values, **types})
    more: tuple[Parameter, ...] = ()
    if len(plan.stages) > 1:
        turns = _Turns(plan, work, *(Name(names.fresh(word)) for word in TURN_WORDS))
        more = Parameter(Scalar.I64, fresh["elements"].text), Parameter(BYTES, turns.scratch.text)
        body, tables = turns.statements()
    else:
        if first.together > 1:
            more = (Parameter(Scalar.I64, fresh["elements"].text),)
        inside, addresses = lower_elements(first, work)
        start = index.multiply(index.constant(first.together), work_group())
        place = *work.items(), *work.first(start), *work.lanes(first), *work.present(first)
        body, tables = without_unused((*_memory(plan, fresh["memory"]), *place, *inside)), addresses.tables
    items = first.together * first.lanes
    cached = {view.base: view.pointer for view in types.values()}
    listed = (replace(each, type=cached.get(Name(each.name), each.type)) for each in parameters.list)
    function = Function(entry, (*listed, *more), body, (items, 1, 1))
    return Kernel(
        File((function,), tables=tuple(tables)),
        (items, 1),
        local_memory=plan.local_bytes,
        elements_per_group=first.together,
        scratch=plan.scratch,
    )


def _constant(value: Value) -> View:
    """An argument that comes through the cache for constants."""
    assert isinstance(value, View)
    return replace(value, pointer=replace(value.pointer, space=AddressSpace.CONSTANT))


def _memory(plan: Staged, name: Name) -> Statements:
    """Local memory of the work-group; stages use it one after the other."""
    entries = max(each.entries for each in plan.stages) * plan.first.together
    type_ = REGISTER[plan.first.facts.element]
    return (DeclareArray(type_, name.text, entries, AddressSpace.LOCAL),) if entries else ()


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
    scratch: Name
    own: Name
    turns: Name
    start: Name
    stop: Name
    turn: Name

    def statements(self) -> tuple[Statements, Sequence[Table]]:
        """The body of the kernel, and its tables."""
        tables: list[Table] = []
        inside: list[Statement] = []
        for number, stage in enumerate(self.plan.stages):
            body, found = self._stage(stage)
            tables += found
            declared = (Declare(Scalar.I64, self.turn.text, self.start),)
            first = declared if number == 0 else (Assign(self.turn, self.start),)
            inside += [*first, DoWhile(body, Binary(BinaryOperator.LESS, self.turn, self.stop))]
        some = Cast(Scalar.I64, index.constant(TURNS))
        stop = index.minimum(index.add(self.start, some), self.turns)
        groups = work_groups()
        together = self.plan.first.together
        rounded = index.add(self.work.fresh["elements"], index.constant(together - 1))
        total = index.divide(rounded, index.constant(together))
        left = index.add(index.subtract(total, work_group()), index.subtract(groups, index.ONE))
        body = (
            *_memory(self.plan, self.work.fresh["memory"]),
            *self.work.items(),
            *self.work.lanes(self.plan.first),
            Declare(BYTES, self.own.text, index.add(self.scratch, self._part())),
            Declare(Scalar.I64, self.turns.text, index.divide(left, groups)),
            Declare(Scalar.I64, self.start.text, Cast(Scalar.I64, index.ZERO)),
            DoWhile(
                (
                    Declare(Scalar.I64, self.stop.text, stop),
                    *inside,
                    Assign(self.start, some, BinaryOperator.ADD),
                ),
                Binary(BinaryOperator.LESS, self.start, self.turns),
            ),
        )
        return without_unused(body), tables

    def _part(self) -> Expression:
        """Where the part of the work-group begins, in bytes."""
        return index.multiply(Cast(Scalar.I64, index.constant(self.plan.scratch)), work_group())

    def _stage(self, stage: Planned) -> tuple[Statements, Sequence[Table]]:
        """A stage in one turn, and what all work-items wait for behind it: its results and its places are free."""
        together = Cast(Scalar.I64, index.constant(stage.together))
        number = index.add(work_group(), index.multiply(self.turn, work_groups()))
        names = self.work.names
        handed, pointers = self._handed(stage, names)
        inside, addresses = lower_elements(stage, replace(self.work, handed=handed))
        body = (
            *self.work.first(index.multiply(together, number)),
            *self.work.present(stage),
            *pointers,
            *inside,
            Assign(self.turn, Cast(Scalar.I64, index.ONE), BinaryOperator.ADD),
            Barrier(BOTH),
        )
        return without_unused(body), addresses.tables

    def _handed(self, stage: Planned, names: Names) -> tuple[Mapping[str, View], Statements]:
        """What the stage has of temporaries in global memory, with pointers to the part of the turn."""
        views, declared = {}, []
        facts = stage.facts
        type_ = REGISTER[facts.element]
        pointer = Pointer(type_, AddressSpace.GLOBAL)
        for base, place in self.plan.handed.items():
            if base not in stage.homes:
                continue
            span = facts.storages[base].span
            name = Name(names.fresh(f"{local_name(base)}_handed"))
            number = Cast(Scalar.I32, index.subtract(self.turn, self.start))
            start = index.add(self.own, index.constant(place.start)) if place.start else self.own
            distance = index.multiply(index.constant(span * stage.together), number)
            declared.append(Declare(pointer, name.text, index.add(Cast(pointer, start), distance)))
            views[base] = View(facts.element, name, pointer, (), (index.constant(span),))
        return views, tuple(declared)

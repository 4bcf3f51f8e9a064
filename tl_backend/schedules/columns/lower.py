"""A function as a kernel of this schedule."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names, work_group, work_groups
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
        for number, stage in enumerate(self.plan.stages):
            body, found = self._stage(stage)
            tables += found
            declared = (tree.Declare(Scalar.I64, self.turn.text, self.start),)
            first = declared if number == 0 else (tree.Assign(self.turn, self.start),)
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

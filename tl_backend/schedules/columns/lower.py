"""A function as a kernel of this schedule: elements are copied in, units run, and results are copied out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby

import numpy as np

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import walk
from einsum_front.tl_backend.kernel.tree import (
    Assign,
    Barrier,
    Binary,
    BinaryOperator,
    Cast,
    Declare,
    DeclareArray,
    Expression,
    File,
    Function,
    If,
    ItemId,
    Name,
    Parameter,
    Statement,
    Statements,
)
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.geometry import work_group
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER, number
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.view import Group, Value, View
from einsum_front.tl_backend.schedules.columns.addresses import Addresses
from einsum_front.tl_backend.schedules.columns.body import Frame, lower_unit
from einsum_front.tl_backend.schedules.columns.groups import Key
from einsum_front.tl_backend.schedules.columns.homes import Home
from einsum_front.tl_backend.schedules.columns.plan import Planned
from einsum_front.tl_backend.schedules.columns.transfer import (
    Argument,
    Batch,
    cleared,
    copied_in,
    copied_out,
    less,
)


def lower(plan: Planned, target: Target, taken: frozenset[str]) -> Kernel:
    """The kernel, which defines none of the names in `taken`. Raises `CompileError` (E06xx)."""
    check_target(plan.function, target)
    names = free_names(target, taken)
    entry = names.fresh(local_name(plan.function.name))
    parameters = Parameters(plan.function, names)
    types = {name: _constant(parameters.values[name]) for name, is_cached in plan.constants.items() if is_cached}
    kernel = _Kernel(plan, {**parameters.values, **types}, names)
    body = _without_unused(tuple(kernel.statements()))
    items = plan.together * plan.lanes
    more = (Parameter(Scalar.I64, kernel.elements.text),) if plan.together > 1 else ()
    cached = {view.base: view.pointer for view in types.values()}
    listed = (replace(each, type=cached.get(Name(each.name), each.type)) for each in parameters.list)
    function = Function(entry, (*listed, *more), body, (items, 1, 1))
    return Kernel(
        File((function,), tables=tuple(kernel.addresses.tables)),
        (items, 1),
        local_memory=plan.local_bytes,
        elements_per_group=plan.together,
    )


def _without_unused(body: Statements) -> Statements:
    """The statements without declarations that none behind them uses: compilers warn of these."""
    used: set[str] = set()
    kept: list[Statement] = []
    for statement in reversed(body):
        if isinstance(statement, Declare) and statement.name not in used:
            continue
        kept.append(statement)
        for each in walk.statements((statement,)):
            for operand in walk.operands(each):
                used.update(part.text for part in walk.expressions(operand) if isinstance(part, Name))
    return tuple(reversed(kept))


def _constant(value: Value) -> View:
    """An argument that comes through the cache for constants."""
    assert isinstance(value, View)
    return replace(value, pointer=replace(value.pointer, space=AddressSpace.CONSTANT))


class _Kernel:
    """The kernel while it is put together."""

    def __init__(self, plan: Planned, values: Mapping[str, Value], names: Names) -> None:
        self._plan, self._values = plan, values
        words = ("elements", "item", "lane", "place", "first", "present", "element", "memory")
        fresh = {word: Name(names.fresh(word)) for word in words}
        self._names, self._fresh = names, fresh
        self.elements = fresh["elements"]
        self._type = REGISTER[plan.facts.element]
        alone = plan.together == 1
        lane = fresh["item"] if alone else fresh["lane"]
        self.addresses = Addresses(names, lane, plan.lanes, fresh["item"], None if alone else fresh["place"])
        self._batch = Batch(
            plan.together, plan.together * plan.lanes, fresh["item"], fresh["first"], fresh["present"], fresh["memory"],
            names, self.addresses,
        )  # fmt: skip
        is_present = None if alone else Binary(BinaryOperator.LESS, fresh["place"], fresh["present"])
        pointers = {base: self._pointer(base) for base in self._direct()}
        self._frame = Frame(plan, values, names, self.addresses, fresh["memory"], pointers, is_present)

    def statements(self) -> Iterator[Statement]:
        """All of the kernel."""
        plan = self._plan
        copies, units = tuple(self._copies_in()), list[Statement]()
        for number_, (unit, order) in enumerate(zip(plan.units, plan.orders, strict=True)):
            units += lower_unit(unit, order, number_, self._frame)
        results = tuple(self._results())
        if plan.entries:
            size = plan.entries * plan.together
            yield DeclareArray(self._type, self._fresh["memory"].text, size, AddressSpace.LOCAL)
        yield from self._place()
        yield from self._own_pointers()
        yield from self.addresses.declarations
        yield from self._frame.hoisted
        yield from copies
        yield from units
        yield from results

    # -- the place of a work-item --------------------------------------------------------------------------------------

    def _place(self) -> Iterator[Statement]:
        """Which element, and which lane of it."""
        plan, fresh = self._plan, self._fresh
        lanes, together = index.constant(plan.lanes), index.constant(plan.together)
        yield Declare(Scalar.I32, fresh["item"].text, ItemId(0))
        yield Declare(Scalar.I64, fresh["first"].text, index.multiply(together, work_group()))
        if plan.together == 1:
            return
        yield Declare(Scalar.I32, fresh["lane"].text, index.remainder(fresh["item"], lanes))
        yield Declare(Scalar.I32, fresh["place"].text, index.divide(fresh["item"], lanes))
        left = index.subtract(self.elements, fresh["first"])
        present = Cast(Scalar.I32, index.minimum(left, Cast(Scalar.I64, together)))
        yield Declare(Scalar.I32, fresh["present"].text, present)

    def _direct(self) -> list[str]:
        """The arguments that work-items read or write in global memory."""
        homes = self._plan.homes
        return [base for base, each in homes.items() if each.home is Home.DIRECT or base in self._plan.direct]

    def _pointer(self, base: str) -> tuple[Name, Pointer]:
        value = self._values[base]
        assert isinstance(value, View | Group)
        type_ = Pointer(value.pointer.target, value.pointer.space, value.pointer.is_const)
        return Name(self._names.fresh(f"{local_name(base)}_own")), type_

    def _own_pointers(self) -> Iterator[Statement]:
        """Pointers to the memory of the work-item's element."""
        pointers = self._frame.elements
        if not pointers:
            return
        element: Expression = self._fresh["first"]
        if self._plan.together > 1:
            yield Declare(Scalar.I64, self._fresh["element"].text, self._batch.element(self._fresh["place"]))
            element = self._fresh["element"]
        for base, (name, type_) in pointers.items():
            yield Declare(type_, name.text, self._argument(base).address(element))

    def _argument(self, base: str) -> Argument:
        return Argument(self._values[base], self._plan.facts.places.batch_modes[base])

    # -- copies --------------------------------------------------------------------------------------------------------

    def _copies_in(self) -> Iterator[Statement]:
        for base, memory in self._plan.homes.items():
            positions = np.flatnonzero(memory.read_first)
            if memory.home is not Home.LOCAL or not positions.size:
                continue
            layout = self._plan.layouts[base]
            if memory.is_argument:
                yield copied_in(self._batch, self._argument(base), positions, layout)
            else:
                yield cleared(self._batch, number(0.0, self._type), positions, layout)

    def _results(self) -> Iterator[Statement]:
        """Sums in registers to local memory, then everything to global memory."""
        plan = self._plan
        outputs = [memory for memory in plan.outputs() if memory.base not in plan.direct]
        if not outputs:
            return
        flushed = {each.base for each in outputs if each.home is Home.REGISTERS}
        if any(self._is_reused(base) for base in flushed):
            yield Barrier(plan.fences)
        stores: list[tuple[Key, Expression]] = [
            (key, number(-0.0, self._type)) for base in sorted(flushed) for key in plan.fillings(base)
        ]
        stores += [(key, name) for key, name in self._frame.kept.items() if key.base in flushed]
        for lanes, some in groupby(stores, key=lambda each: each[0].positions.size):
            written = tuple(Assign(self._frame.local(key), value) for key, value in some)
            is_whole = lanes == plan.lanes
            yield from written if is_whole else (If(less(self.addresses.lane, lanes), written),)
        yield Barrier(plan.fences)
        for memory in outputs:
            positions = np.flatnonzero(plan.stored(memory.base))
            layout = plan.layouts[memory.base]
            argument = self._argument(memory.base)
            yield copied_out(self._batch, argument, positions, layout, is_added=memory.is_added)

    def _is_reused(self, base: str) -> bool:
        """True if something that the last unit uses was in the place."""
        plan, mine = self._plan, self._plan.layouts[base]
        own = range(mine.start, mine.start + mine.size)
        return any(
            other.start < own.stop and own.start < other.start + other.size
            for each, other in plan.layouts.items()
            if each != base and plan.lives[each].start < plan.last
        )

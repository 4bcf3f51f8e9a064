"""The code of the units: sums in variables, what is read, and what is complete."""

from collections.abc import Iterator, Mapping
from dataclasses import field

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import comment
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Group as Addressed
from einsum_front.tl_backend.opencl.parameters import Value, View
from einsum_front.tl_backend.opencl.scalar import REGISTER, convert, literal, number
from einsum_front.tl_backend.schedules.columns.addresses import Addresses
from einsum_front.tl_backend.schedules.columns.homes import Home
from einsum_front.tl_backend.schedules.columns.nodes import Node, Order, Unit
from einsum_front.tl_backend.schedules.columns.plan import Planned
from einsum_front.tl_backend.schedules.columns.steps import Factor, Form, Group, Key, Summand
from einsum_front.tl_backend.schedules.columns.transfer import written
from einsum_front.tl_backend.schedules.lowering.gathered import integer
from einsum_front.tl_backend.schedules.lowering.product import added, scaled
from einsum_front.tl_backend.types import ScalarType


@dataclass(slots=True)
class Frame:
    """What all units share: the plan, the arguments, pointers, and the sums that outlive a unit (`kept`).

    `elements` are the pointers to the memory of the element, `element` its number, `members` the integers that choose a
    matrix, `hoisted` declarations at the top, and `is_present` is false where there is no element.
    """

    plan: Planned
    values: Mapping[str, Value]
    names: Names
    addresses: Addresses
    memory: tree.Name
    elements: Mapping[str, tuple[tree.Name, Pointer]]
    is_present: tree.Expression | None
    element: tree.Expression
    members: dict[str, tree.Name] = field(default_factory=dict)
    hoisted: list[tree.Statement] = field(default_factory=list)
    kept: dict[Key, tree.Name] = field(default_factory=dict)
    started: dict[str, set[int]] = field(default_factory=dict)

    @property
    def type(self) -> Scalar:
        """The type of all numbers."""
        return REGISTER[self.plan.facts.element]

    def stored(self, base: str) -> Scalar:
        """The type of an argument in memory."""
        return REGISTER[self.plan.facts.stored_as(base)]

    def scalar(self, operand: tl.Operand, type_: ScalarType) -> tree.Expression:
        """A coefficient."""
        if not isinstance(operand, tl.Local):
            return literal(operand, type_)
        value = self.values[operand.name]
        assert not isinstance(value, View | Addressed)  # the types of arguments were checked
        return value

    def zero_of(self, _operand: tl.Operand, type_: Scalar) -> tree.Expression:
        """Zero, to compare a coefficient with."""
        return number(0.0, type_)

    def entry(self, key: Key) -> tree.Expression:
        """Where an entry is in memory; a number where it is known."""
        memory = self.plan.homes[key.base]
        if memory.home is Home.CONSTANT:
            return self._constant(key)
        if memory.home is Home.DIRECT:
            return convert(self.global_(key), self.stored(key.base), self.type)
        return self.local(key)

    def member(self, base: str) -> tree.Name:
        """The integer of the element that chooses a matrix."""
        if base not in self.members:
            (piece,) = self.plan.facts.gathers[base]
            assert piece.member is not None  # several matrices have a number that chooses
            value = integer(piece.member, index.constant(piece.member.offset), self.element, self.values)
            self.members[base] = tree.Name(self.names.fresh("place"))
            self.hoisted.append(tree.Declare(Scalar.I64, self.members[base].text, value))
        return self.members[base]

    def local(self, key: Key) -> tree.Subscript:
        """The place of an entry in local memory."""
        layout = self.plan.layouts[key.base]
        start = layout.start * self.plan.together
        return self.addresses.local(self.memory, self.type, start, layout.size, layout.places(key.positions))

    def global_(self, key: Key) -> tree.Subscript:
        """The place of an entry of an element in global memory."""
        pointer, type_ = self.elements[key.base]
        return self.addresses.entry(pointer, type_, key.positions)

    def _constant(self, key: Key) -> tree.Expression:
        if key.base not in self.plan.constants:
            return number(float(self.plan.facts.known[key.base][key.positions[0]]), self.type)
        value = self.values[key.base]
        assert isinstance(value, View)
        assert isinstance(value.base, tree.Name)
        return self.addresses.entry(value.base, value.pointer, key.positions)


DEPTHS = 10
"""Numbers that a work-item has in registers while one of several matrices is chosen."""


def _product(factor: float, value: tree.Expression, type_: Scalar) -> tree.Expression:
    return tree.Binary(tree.BinaryOperator.MULTIPLY, number(float(factor), type_), value)


def lower_unit(unit: Unit, order: Order, number_: int, frame: Frame, copies: tree.Statements) -> tree.Statements:
    """The statements of a unit after its barrier, and after the copies that later units use."""
    lowered = _Unit(unit, order, number_, frame)
    body = tuple(lowered.statements())
    wait = (tree.Barrier(frame.plan.fences),) if unit.has_barrier else ()
    instructions = list(dict.fromkeys(group.step.instruction for group in unit.groups))
    lines = tuple(line for each in instructions for line in comment(each)[:1])
    origin = tuple(dict.fromkeys(span for each in instructions for span in each.origin))
    return *lowered.early, *wait, *copies, tree.Section(lines, body, origin)


class _Unit:
    """The nodes of a unit while they become statements."""

    def __init__(self, unit: Unit, order: Order, number_: int, frame: Frame) -> None:
        self._unit, self._order, self._frame, self._plan = unit, order, frame, frame.plan
        self._number = number_
        self._sums: dict[Key, tree.Name] = {}
        self._left = dict(order.writers)
        self._first: dict[Key, Group] = {}
        for group in unit.groups:
            for line in range(group.step.lines):
                if group.written(line):
                    self._first.setdefault(Key(group.step.base, group.step.target[line]), group)
        self._loaded: dict[Key, tree.Expression] = {}
        self._coefficients: dict[Key, tree.Expression] = {}
        self._turn: tuple[int, int] | None = None
        self._out: list[tuple[int, tree.Statement]] = []
        self._stores: list[tuple[Key, tree.Name]] = []
        self.early: list[tree.Statement] = []

    def statements(self) -> Iterator[tree.Statement]:
        """Entries that nothing is added to, the nodes in order, and what goes to global memory at once."""
        for key, group in self._first.items():
            if not self._left[key]:
                self._define(key, number(0.0, self._frame.type), group)
                self._complete(key, group)
        for node in self._order.nodes:
            if node.turn != self._turn:
                self._loaded, self._turn = {}, node.turn
            group = self._unit.groups[node.group]
            if group.members:
                self._chosen_matrix(group)
            elif group.form is Form.OUTER:
                self._outer(group, group.summands[node.part])
            else:
                self._inner(group, node)
        self._store_directly()
        yield from self._guarded()

    def _guarded(self) -> Iterator[tree.Statement]:
        """Statements of fewer lanes than an element has are for the work-items with these lanes."""
        first = 0
        while first < len(self._out):
            lanes, stop = self._out[first][0], first
            while stop < len(self._out) and self._out[stop][0] == lanes:
                stop += 1
            body = tuple(statement for _, statement in self._out[first:stop])
            if lanes < self._plan.lanes:
                less = tree.Binary(tree.BinaryOperator.LESS, self._frame.addresses.lane, index.constant(lanes))
                yield tree.If(less, body)
            else:
                yield from body
            first = stop

    # -- nodes ---------------------------------------------------------------------------------------------------------

    def _outer(self, group: Group, summand: Summand) -> None:
        """One depth: `x = …; c_0 += K[0] x; c_1 += K[1] x; …`."""
        step = group.step
        lines = np.flatnonzero(summand.lines).tolist()
        matrix = next(each for each in step.factors if each.has_lines)
        other = next(each for each in step.factors if not each.has_lines)
        value = self._value(group, other, lines[0], summand)
        if not step.alpha.is_number(1):
            value = self._named("scaled", scaled(step.alpha, value, self._frame.type, self._frame), step.lanes)
        for line in lines:
            factor = self._value(group, matrix, line, summand)
            product = tree.Binary(tree.BinaryOperator.MULTIPLY, factor, value)
            self._add(Key(step.base, step.target[line]), product, group)

    def _chosen_matrix(self, group: Group) -> None:
        """All of it: `if (side == 0) { c_0 += 0.5 x_0; … } else if (side == 1) { … }` for some depths at a time."""
        step, type_ = group.step, self._frame.type
        matrix = next(each for each in step.factors if each.has_lines)
        other = next(each for each in step.factors if not each.has_lines)
        keys = [Key(step.base, step.target[line]) for line in range(step.lines)]
        for key in keys:
            if key not in self._sums:
                self._define(key, number(0.0, type_), group)
        member = self._frame.member(matrix.base)
        for first in range(0, len(group.summands), DEPTHS):
            some = group.summands[first : first + DEPTHS]
            values = [self._value(group, other, 0, each) for each in some]
            if not step.alpha.is_number(1):
                values = [
                    self._named("scaled", scaled(step.alpha, each, type_, self._frame), step.lanes) for each in values
                ]
            branches: tree.Statements = ()
            for place, numbers in reversed(list(enumerate(group.members))):
                body = tuple(
                    tree.Assign(self._sums[keys[line]], _product(numbers[line, int(each.depths[0])], value, type_),
                                tree.BinaryOperator.ADD)
                    for each, value in zip(some, values, strict=True)
                    for line in np.flatnonzero(numbers[:, int(each.depths[0])]).tolist()
                )  # fmt: skip
                is_member = tree.Binary(tree.BinaryOperator.EQUAL, member, index.constant(place))
                branches = (tree.If(is_member, body, branches),)
            self._out += [(step.lanes, each) for each in branches]
        for key in keys:
            self._left[key] -= 1
            if not self._left[key]:
                self._complete(key, group)

    def _inner(self, group: Group, node: Node) -> None:
        """One entry: `c_0 += a_0 b_0 + a_1 b_1 + …`."""
        step, line = group.step, node.part
        if not group.written(line):
            return
        products = [self._product(group, line, each) for each in group.summands if each.lines[line]]
        if not products:
            return
        total = products[0]
        for product in products[1:]:
            total = tree.Binary(tree.BinaryOperator.ADD, total, product)
        total = scaled(step.alpha, total, self._frame.type, self._frame)
        self._add(Key(step.base, step.target[line]), total, group)

    def _product(self, group: Group, line: int, summand: Summand) -> tree.Expression:
        factors = sorted(group.step.factors, key=lambda each: each.has_lines)
        values = [self._value(group, each, line, summand) for each in factors]
        if summand.is_padded:
            values[0] = self._where_it_is(group, factors[0], line, summand, values[0])
        total = values[0]
        for value in values[1:]:
            total = tree.Binary(tree.BinaryOperator.MULTIPLY, total, value)
        return total

    def _where_it_is(
        self, group: Group, factor: Factor, line: int, summand: Summand, value: tree.Expression
    ) -> tree.Expression:
        """Zero in lanes that have fewer summands."""
        key = Key(f"{factor.base} {summand.number}", group.entry(factor, line, summand))
        if factor.has_lines or self._plan.homes[factor.base].home not in (Home.DIRECT, Home.CONSTANT):
            return self._chosen(group, summand, value)
        if key not in self._coefficients:
            self._coefficients[key] = self._coefficient("factor", self._chosen(group, summand, value), group)
        return self._coefficients[key]

    def _chosen(self, group: Group, summand: Summand, value: tree.Expression) -> tree.Expression:
        assert group.counts is not None
        count = self._frame.addresses.number(group.counts)
        has_it = tree.Binary(tree.BinaryOperator.LESS, index.constant(summand.number), count)
        return tree.Conditional(has_it, value, number(0.0, self._frame.type))

    # -- what is read --------------------------------------------------------------------------------------------------

    def _value(self, group: Group, factor: Factor, line: int, summand: Summand) -> tree.Expression:
        key = Key(factor.base, group.entry(factor, line, summand))
        home = self._plan.homes[factor.base].home
        if key in self._sums:
            return self._sums[key]
        if home is Home.REGISTERS:
            return self._frame.kept.get(key) or number(0.0, self._frame.type)
        is_moving = bool(np.ptp(key.positions))
        if home is Home.CONSTANT and not is_moving:
            return self._frame.entry(key)
        is_coefficient = group.form is Form.INNER and not factor.has_lines
        if is_coefficient and home is not Home.LOCAL:
            if key not in self._coefficients:
                self._coefficients[key] = self._coefficient(local_name(factor.base), self._frame.entry(key), group)
            return self._coefficients[key]
        if key not in self._loaded:
            self._loaded[key] = self._named(local_name(factor.base), self._frame.entry(key), group.step.lanes)
        return self._loaded[key]

    def _coefficient(self, stem: str, value: tree.Expression, group: Group) -> tree.Name:
        """A number from global memory, which is on its way while work-items wait for each other."""
        if group.step.lanes < self._plan.lanes:
            return self._named(stem, value, group.step.lanes)
        name = tree.Name(self._frame.names.fresh(stem if stem == "factor" else f"{stem}_value"))
        self.early.append(tree.Declare(self._frame.type, name.text, value))
        return name

    def _named(self, stem: str, value: tree.Expression, lanes: int) -> tree.Name:
        name = tree.Name(
            self._frame.names.fresh(f"{stem}_value" if not stem.startswith(("scaled", "factor")) else stem)
        )
        self._declare(name, value, lanes)
        return name

    def _declare(self, name: tree.Name, value: tree.Expression, lanes: int) -> None:
        """Variables of some lanes only are declared before all conditions."""
        if lanes == self._plan.lanes:
            self._out.append((lanes, tree.Declare(self._frame.type, name.text, value)))
        else:
            self._frame.hoisted.append(tree.Declare(self._frame.type, name.text))
            self._out.append((lanes, tree.Assign(name, value)))

    # -- what is written -----------------------------------------------------------------------------------------------

    def _add(self, key: Key, value: tree.Expression, group: Group) -> None:
        if key in self._sums:
            self._out.append((group.step.lanes, tree.Assign(self._sums[key], value, tree.BinaryOperator.ADD)))
        else:
            self._define(key, value, group)
        self._left[key] -= 1
        if not self._left[key]:
            self._complete(key, group)

    def _define(self, key: Key, value: tree.Expression, group: Group) -> None:
        """The first value of a sum, with what was there before."""
        first = self._first[key].step
        before, type_ = None if first.beta.is_number(0) else self._before(key), self._frame.type
        total = value if before is None else added(first.beta, before, value, number(0.0, type_), type_, self._frame)
        kept = self._frame.kept.get(key)
        if kept is not None:
            self._out.append((group.step.lanes, tree.Assign(kept, total)))
            self._sums[key] = kept
            return
        name = tree.Name(self._frame.names.fresh(f"{local_name(key.base)}_sum"))
        self._declare(name, total, group.step.lanes)
        self._sums[key] = name
        if self._plan.homes[key.base].home is Home.REGISTERS:
            self._frame.kept[key] = name

    def _before(self, key: Key) -> tree.Expression | None:
        """What an entry was before the unit; None if nothing was there."""
        memory = self._plan.homes[key.base]
        if memory.home is Home.REGISTERS:
            return self._frame.kept.get(key)
        if memory.is_added and self._frame.started.get(key.base, set()).isdisjoint(key.positions.tolist()):
            return None
        return self._frame.local(key)

    def _complete(self, key: Key, group: Group) -> None:
        memory = self._plan.homes[key.base]
        if self._plan.direct.get(key.base) == self._number:
            self._stores.append((key, self._sums[key]))
        elif memory.home is Home.LOCAL:
            self._frame.started.setdefault(key.base, set()).update(key.positions.tolist())
            target = self._frame.local(key)
            self._loaded = {each: value for each, value in self._loaded.items() if each.base != key.base}
            self._out.append((group.step.lanes, tree.Assign(target, self._sums[key])))

    def _store_directly(self) -> None:
        """Neighbours write neighbours."""
        by_lanes: dict[int, list[tree.Statement]] = {}
        for key, name in self._stores:
            types, is_added = (self._frame.type, self._frame.stored(key.base)), self._plan.homes[key.base].is_added
            store = written(self._frame.global_(key), name, types, is_added=is_added)
            by_lanes.setdefault(key.positions.size, []).append(store)
        for lanes, stores in by_lanes.items():
            present = self._frame.is_present
            self._out += [(lanes, each) for each in (stores if present is None else [tree.If(present, tuple(stores))])]

"""Expressions of a kernel tree in a work-group, for all of its work-items at once."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.memory import Address, Memory, Who
from einsum_front.tl_backend.kernel.types import Pointer, Scalar, Type, Vector, size_of
from einsum_front.tl_backend.kernel.values import (
    binary,
    constant,
    converted,
    dtype_of,
    math,
    unary,
)

Array = NDArray[Any]
Mask = NDArray[np.bool_]


class Located(NamedTuple):
    """A pointer: where it points to, and the type of what lies there."""

    address: Address
    target: Scalar | Vector


Value = Array | Located
"""Of an expression; see `values` for arrays."""


@dataclass(slots=True)
class Variable:
    """Value of a name; `defined` says for which work-items it has one, None: for all."""

    type: Type
    value: Value | None
    defined: Mask | None = None


class Evaluator:
    """The names in sight of a work-group, and the work-items that are running."""

    def __init__(self, size: tuple[int, int], group: int, groups: int, memory: Memory) -> None:
        self.rows = size[0]
        self.items = np.arange(size[0] * size[1])
        self.group, self.groups, self.memory = group, groups, memory
        self.names: dict[str, Variable] = {}
        self.mask = np.ones(self.items.size, bool)
        self._who = Who(self.items, group, self.items.size == 1, groups)
        self._constants: dict[int, tuple[tree.Expression, Array]] = {}

    @property
    def mask(self) -> Mask:
        """For which work-items the code runs."""
        return self._mask

    @mask.setter
    def mask(self, mask: Mask) -> None:
        self._mask = mask
        self.is_whole = np.count_nonzero(mask) == mask.size

    # -- memory --------------------------------------------------------------------------------------------------------

    def place(self, place: tree.Place) -> Located:
        """Where an entry is."""
        match place:
            case tree.Subscript(base=base, index=index):
                pointer, number = self.value(base), self.value(index)
                return self._moved(pointer, number)
            case tree.Access(pointer=pointer_type, address=address):
                pointer = self.value(address)
                return Located(pointer_of(pointer).address, pointer_type.target)
            case tree.Name(text=name):
                raise CompileError([Diagnostic("E0710", f"`{name}` is not in memory")])

    def _moved(self, pointer: Value, number: Value) -> Located:
        located = pointer_of(pointer)
        distance = array_of(number).astype(np.int64, copy=False) * size_of(located.target)
        return Located(located.address.moved(distance), located.target)

    def active_items(self) -> Who:
        """The work-items that are running."""
        return self._who if self.is_whole else Who(self.items[self.mask], self.group, False, self.groups)

    def active(self, values: Array) -> Array:
        """The values of the work-items that are running."""
        if values.shape[0] == 1 and self.items.size > 1:
            values = np.repeat(values, self.items.size, 0)
        return values if self.is_whole else values[self.mask]

    def active_addresses(self, place: Located) -> Address:
        """The addresses of the work-items that are running."""
        if self.is_whole:
            return place.address
        allocation, offset = (
            each[self.mask] if each.size > 1 else each for each in (place.address.allocation, place.address.offset)
        )
        return Address(allocation, offset)

    def _load(self, place: Located) -> Array:
        dtype, width = dtype_of(place.target), place.target.width if isinstance(place.target, Vector) else 1
        values = self.memory.load(self.active_addresses(place), dtype, width, self.active_items())
        if not self.is_whole:
            whole = np.zeros((self.items.size, width), dtype)
            whole[self.mask] = values
            values = whole
        return values if width > 1 else values[:, 0]

    def store(self, place: Located, value: Value) -> None:
        """The value of each work-item that is running goes to its place."""
        values = self.active(array_of(self.converted(value, place.target)))
        values = values if values.ndim == 2 else values[:, None]
        self.memory.store(self.active_addresses(place), values, self.active_items())

    # -- values --------------------------------------------------------------------------------------------------------

    def is_true(self, value: Value) -> Mask:
        """For which work-items a condition holds."""
        holds = array_of(value).astype(bool, copy=False)
        return holds if holds.size == self.items.size else np.broadcast_to(holds, self.items.size)

    def converted(self, value: Value, type_: Type) -> Value:
        """The value as one of what it goes to."""
        if isinstance(type_, Pointer):
            return Located(pointer_of(value).address, type_.target)
        return converted(array_of(value), type_)

    def chosen(self, condition: Mask, then: Value, otherwise: Value) -> Value:
        """Entry by entry, or for each work-item."""
        if isinstance(then, Located) or isinstance(otherwise, Located):
            one, other = pointer_of(then).address, pointer_of(otherwise).address
            allocation = np.where(condition, one.allocation, other.allocation)
            return Located(Address(allocation, np.where(condition, one.offset, other.offset)), pointer_of(then).target)
        if then.ndim == 2 and condition.ndim == 1:
            condition = condition[:, None]
        return np.where(condition, then, otherwise)

    def operation(self, operator: tree.BinaryOperator, left: Value, right: Value) -> Value:
        """An operator on numbers or vectors, or a pointer moved by a number of elements."""
        if isinstance(left, Located):
            number = array_of(right).astype(np.int64)
            return self._moved(left, number if operator is tree.BinaryOperator.ADD else -number)
        return binary(operator, left, array_of(right))

    def value(self, expression: tree.Expression) -> Value:
        """Value of an expression for each work-item; entries of those that are not running mean nothing."""
        match expression:
            case tree.Name(text=name):
                return self._named(name)
            case tree.Integer(value=value, type=type_) | tree.Floating(value=value, type=type_):
                found = self._constants.get(id(expression))  # of a node, since -0.0 is equal to 0.0
                if found is None:
                    found = self._constants[id(expression)] = expression, constant(value, type_)
                return found[1]
            case tree.Binary(operator=operator, left=left, right=right):
                return self.operation(operator, self.value(left), self.value(right))
            case tree.Subscript() | tree.Access():
                return self._load(self.place(expression))
            case tree.Unary(operator=operator, operand=operand):
                return unary(operator, array_of(self.value(operand)))
            case tree.Math(function=function, operands=operands):
                return math(function, [array_of(self.value(operand)) for operand in operands])
            case tree.Conditional():
                return self._conditional(expression)
            case tree.Cast(type=type_, operand=operand):
                return self._cast(type_, self.value(operand))
            case tree.Pack() | tree.Shuffle() | tree.Lanes():
                return self._vector(expression)
            case tree.GroupId() | tree.GroupCount() | tree.ItemId():
                return self._geometry(expression)

    def _named(self, name: str) -> Value:
        variable = self.names[name]
        is_defined = variable.defined is None or not (self.mask & ~variable.defined).any()
        if variable.value is None or not is_defined:
            raise CompileError([Diagnostic("E0712", f"`{name}` is read, which nothing has written")])
        return variable.value

    def _geometry(self, expression: tree.GroupId | tree.GroupCount | tree.ItemId) -> Array:
        match expression:
            case tree.GroupId():
                return np.array([self.group])
            case tree.GroupCount():
                return np.array([self.groups])
            case tree.ItemId(dimension=dimension):
                return self.items % self.rows if dimension == 0 else self.items // self.rows

    def _conditional(self, expression: tree.Conditional) -> Value:
        condition = array_of(self.value(expression.condition))
        if condition.ndim == 2:
            return self.chosen(condition, self.value(expression.then), self.value(expression.otherwise))
        outer, holds = self.mask, self.is_true(condition)
        results = []
        for branch, mask in ((expression.then, outer & holds), (expression.otherwise, outer & ~holds)):
            if mask.any():
                self.mask = mask
                results.append(self.value(branch))
        self.mask = outer
        return results[0] if len(results) == 1 else self.chosen(holds, results[0], results[1])

    def _cast(self, type_: Scalar | Vector | Pointer, value: Value) -> Value:
        match type_:
            case Pointer(target=target) if isinstance(value, Located):
                return Located(value.address, target)
            case Pointer(target=target):
                return Located(self.memory.address_of(array_of(value)), target)
            case Scalar() | Vector():
                number = value.address.offset if isinstance(value, Located) else array_of(value)
                return converted(number, type_)

    def _vector(self, expression: tree.Pack | tree.Shuffle | tree.Lanes) -> Array:
        match expression:
            case tree.Pack(type=type_, parts=parts):
                values = [array_of(self.value(part)) for part in parts]
                whole = _side_by_side([value if value.ndim == 2 else value[:, None] for value in values])
                whole = whole if whole.shape[1] == type_.width else np.repeat(whole, type_.width, 1)
                return whole if type_.width > 1 else whole[:, 0]
            case tree.Shuffle(first=first, second=second, lanes=lanes):
                both = [array_of(self.value(operand)) for operand in (first, second)]
                return _side_by_side(both)[:, list(lanes)]
            case tree.Lanes(operand=operand, lanes=lanes):
                entries = array_of(self.value(operand))[:, list(lanes)]
                return entries[:, 0] if len(lanes) == 1 else entries


def _side_by_side(vectors: Sequence[Array]) -> Array:
    """The entries of all, for each work-item."""
    if len(vectors) == 1:
        return vectors[0]
    count = max(each.shape[0] for each in vectors)
    alike = [each if each.shape[0] == count else np.broadcast_to(each, (count, each.shape[1])) for each in vectors]
    return np.concatenate(alike, axis=1)


def array_of(value: Value) -> Array:
    """A value that is a number or a vector."""
    if isinstance(value, Located):
        raise CompileError([Diagnostic("E0710", "a pointer stands where a number should")])
    return value


def pointer_of(value: Value) -> Located:
    """A value that is a pointer."""
    if isinstance(value, Located):
        return value
    raise CompileError([Diagnostic("E0710", "a number stands where a pointer should")])

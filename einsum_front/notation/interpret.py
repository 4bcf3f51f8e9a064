"""Meaning of a checked kernel in NumPy: slow and obvious.

A batched or grouped tensor is an array of shape (batch, *shape), a constant one of shape (*shape). The batch is one
more index, which batched tensors have in front and constant ones lack. Everything is computed in the element type, in
which integers wrap around.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from einsum_front.core.binding import bound, shown_sizes
from einsum_front.core.coefficient import (
    Coefficient,
    Number,
    ScalarOperation,
    ScalarOperator,
    ScalarPower,
    ScalarUse,
    is_zero,
)
from einsum_front.core.extent import static, static_shape
from einsum_front.core.functions import Function, evaluate, reduced
from einsum_front.core.numbers import COMPLEX, dtype_of, number_in
from einsum_front.core.storage import Storage
from einsum_front.notation.checked import (
    Access,
    Apply,
    Assignment,
    AssignmentOperator,
    CheckedProgram,
    Component,
    EntryPosition,
    Expression,
    Extremum,
    FixedPosition,
    Gather,
    IndexPosition,
    Kernel,
    Part,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    Tensor,
)
from einsum_front.notation.indexed_array import Array, IndexedArray, add_up, combine, contract, view
from einsum_front.notation.parts.complexity import IMAGINARY_UNIT

BATCH = "(batch)"
"""The name of the batch among index names; no text can spell it."""

Dtype = np.dtype[Any]

COMPLEX_TYPES: Mapping[Dtype, Dtype] = {part: whole for whole, part in COMPLEX.items()}

_OPERATORS = {
    ScalarOperator.ADD: np.add,
    ScalarOperator.SUB: np.subtract,
    ScalarOperator.MUL: np.multiply,
    ScalarOperator.DIV: np.divide,
}


def interpret(kernel: Kernel, program: CheckedProgram, arguments: Mapping[str, Array | complex]) -> None:
    """Run a kernel on arrays and scalars, by argument name; outputs are updated in place.

    Entries that a tensor declares to be zero are taken as zero whatever the array holds, and are not written. Constants
    with known values need no argument. Sizes are those of the arrays.
    What is stored in another type than the program's is computed with in the program's, and rounded once, at the end.
    """
    tensors = program.tensors
    if program.sizes:
        given = (tensor for tensor in tensors if tensor.name in arguments and tensor.storage is not Storage.TEMPORARY)
        sizes = shown_sizes((tensor.shape, np.shape(arguments[tensor.name])) for tensor in given)
        tensors, kernel = bound((tensors, kernel), sizes)
    of = {tensor.name: tensor for tensor in tensors}
    stored = [name for name, tensor in of.items() if tensor.memory is not None and name in arguments]
    computed = {name: np.asarray(arguments[name]).astype(_computed(of[name])) for name in stored}
    state = _State(of, {**arguments, **computed}, arguments)
    with np.errstate(all="ignore"):
        for statement in kernel.statements:
            state.assign(statement)
        state.scatter()
        for name in {statement.written for statement in kernel.statements} & computed.keys():
            np.copyto(np.asarray(arguments[name]), computed[name], casting="unsafe", where=_mask(of[name]))


class _State:
    """The arrays of one run; temporaries come into being when they are first written."""

    def __init__(
        self, tensors: Mapping[str, Tensor], arguments: Mapping[str, Array | complex], stored: Mapping[str, object]
    ) -> None:
        """`arguments` are in the type that is computed with, `stored` as they are in memory."""
        self._stored = stored
        self._tensors = tensors
        self._arguments = arguments
        self._temporaries: dict[str, Array] = {}
        self._scatters: list[tuple[Gather, AssignmentOperator, IndexedArray]] = []
        batched = (name for name, tensor in tensors.items() if _is_batched(tensor) and name in arguments)
        self._batch = next((np.asarray(arguments[name]).shape[0] for name in batched), 1)

    def assign(self, statement: Assignment) -> None:
        """Evaluate the right-hand side, then write what the target's pattern allows."""
        access = statement.target
        tensor = self._tensors[statement.written]
        value = _Evaluation(self, dtype_of(tensor.element_type)).expression(statement.value)
        if isinstance(access, Gather):
            self._scatters.append((access, statement.operator, value))
            return
        entries = view(self._array(tensor), access, (BATCH,))
        new = value.spread(entries.names)
        match statement.operator:
            case AssignmentOperator.SET:
                pass
            case AssignmentOperator.ADD:
                new = entries.data + new
            case AssignmentOperator.SUB:
                new = entries.data - new
        writable = view(_mask(tensor), access).data
        entries.data[...] = np.where(writable, new, entries.data)

    def read(self, access: Access) -> IndexedArray:
        """The entries of an access, zero where the tensor is declared to be."""
        tensor = self._tensors[access.tensor]
        array = self._array(tensor)
        leading = (BATCH,) if _is_batched(tensor) else ()
        return view(np.where(_mask(tensor), array, array.dtype.type(0)), access, leading)

    def gathered(self, gather: Gather) -> IndexedArray:
        """The entries where integers say, 0 where one of these is negative."""
        names = (BATCH, *(index.name for index in gather.indices))
        tensors = [self._tensors[name] for name in gather.tensors]
        axes, said = self._places(gather, names)
        shape = (1,) * len(names)
        is_there = reduce(np.logical_and, (each >= 0 for each in said), np.full(shape, fill_value=True))
        if self._array(tensors[0]).size == 0:  # no element is there, and every integer is negative
            extents = (1, *(static(index.extent) for index in gather.indices))
            return IndexedArray(names, np.zeros(np.broadcast_shapes(extents, is_there.shape)))
        axes = [np.maximum(each, 0) for each in axes]
        found = np.broadcast_to(self._array(tensors[0])[tuple(axes)], np.broadcast_shapes(shape, *map(np.shape, axes)))
        for number, tensor in enumerate(tensors[1:] if gather.member is not None else (), start=1):
            found = np.where(said[-1] == number, self._array(tensor)[tuple(axes)], found)
        return IndexedArray(names, np.where(is_there, found, found.dtype.type(0)))

    def scatter(self) -> None:
        """Adds what statements add where integers say, after all of them."""
        for target, operator, value in self._scatters:
            names = (BATCH, *(index.name for index in target.indices))
            axes, said = self._places(target, names)
            shape = (self._batch, *(static(index.extent) for index in target.indices))
            is_there = np.broadcast_to(reduce(np.logical_and, (each >= 0 for each in said)), shape)
            places = tuple(np.broadcast_to(axis, shape)[is_there] for axis in axes)
            added = np.broadcast_to(value.spread(names), shape)[is_there]
            array = self._array(self._tensors[target.tensors[0]])
            (np.add if operator is AssignmentOperator.ADD else np.subtract).at(array, places, added)

    def _places(self, gather: Gather, names: tuple[str, ...]) -> tuple[list[Array | int], list[Array]]:
        """Where along each axis of the tensor, and the integers that say so, with an axis for each of the names."""
        said = [self._integers(entry, names) for entry in gather.entries]
        places = iter(said)
        axes: list[Array | int] = []
        for position in gather.positions:
            match position:
                case FixedPosition(position=fixed):
                    axes.append(fixed)
                case EntryPosition():
                    axes.append(next(places))
                case IndexPosition(index=index, offset=offset):
                    axes.append(_along(names, index.name, np.arange(offset, offset + static(index.extent))))
        if _is_batched(self._tensors[gather.tensors[0]]):
            own = next(places) if gather.element is not None else _along(names, BATCH, np.arange(self._batch))
            axes.insert(0, own)
        return axes, said

    def _integers(self, entry: Access, names: tuple[str, ...]) -> Array:
        """The integers of an entry, with an axis for each of the names."""
        leading = (BATCH,) if _is_batched(self._tensors[entry.tensor]) else ()
        tensor = self._tensors[entry.tensor]
        integers = np.asarray(self._stored[tensor.name]) if tensor.values is None else self._array(tensor)
        return view(integers, entry, leading).spread(names)

    def scalar(self, name: str) -> Any:
        """The value of a scalar argument."""
        return 1j if name == IMAGINARY_UNIT else self._arguments[name]

    def _array(self, tensor: Tensor) -> Array:
        element_type = _computed(tensor)
        if tensor.values is not None:
            numbers = np.array(tensor.values, dtype_of(tensor.element_type))
            numbers = numbers.view(element_type) if tensor.is_complex else numbers
            return numbers.reshape(static_shape(tensor.shape), order="F")
        if tensor.storage is not Storage.TEMPORARY:
            return np.asarray(self._arguments[tensor.name])
        shape = (self._batch, *static_shape(tensor.shape))
        return self._temporaries.setdefault(tensor.name, np.zeros(shape, dtype=element_type))


class _Evaluation:
    """Expressions and coefficients, computed in one element type."""

    def __init__(self, state: _State, element_type: Dtype) -> None:
        self._state = state
        self._element_type = element_type

    def expression(self, expression: Expression) -> IndexedArray:
        """The value of an expression over its indices and the batch."""
        match expression:
            case Access():
                return self._state.read(expression)
            case Gather():
                return self._state.gathered(expression)
            case ScalarTerm(value):
                return self._number(value)
            case Scaled(coefficient, operand) if is_zero(coefficient):
                nothing = self.expression(operand)
                return replace(nothing, data=np.zeros_like(nothing.data))  # a literal 0 takes all away, NaN too
            case Scaled(coefficient, operand):
                return combine(_multiplied, (self._number(coefficient), self.expression(operand)))
            case Product(factors):
                return combine(_multiplied, map(self.expression, factors))
            case Sum(terms):
                return combine(np.add, map(self.expression, terms))
            case Apply(function, arguments):
                return self._function(function, arguments)
            case Quotient(dividend, divisor):
                return combine(_divided, (self.expression(dividend), self.expression(divisor)))
            case Component(part, operand):
                entries = self.expression(operand)
                return replace(entries, data=_COMPONENTS[part](entries.data))
            case Extremum(function, indices, operand):
                return _extremum(function, self.expression(operand), {index.name for index in indices})
            case Reduction(indices, operand):
                factors = operand.factors if isinstance(operand, Product) else (operand,)
                summed = (index.name for index in indices)
                return contract(_join, np.add, [self.expression(factor) for factor in factors], summed)

    def _function(self, function: Function, arguments: tuple[Expression, ...]) -> IndexedArray:
        values = [self.expression(argument) for argument in arguments]
        names = tuple(dict.fromkeys(name for value in values for name in value.names))
        data = [value.spread(names) for value in values]
        data = [each.astype(self._type_of(each), copy=False) for each in data]
        return IndexedArray(names, np.asarray(evaluate(function, data)))

    def _number(self, coefficient: Coefficient) -> IndexedArray:
        return IndexedArray((), np.asarray(self._coefficient(coefficient)))

    def _coefficient(self, coefficient: Coefficient) -> Any:
        match coefficient:
            case Number(value):
                return self._rounded(value)
            case ScalarUse(name):
                return self._rounded(self._state.scalar(name))
            case ScalarOperation(operator, left, right):
                return self._rounded(_OPERATORS[operator](self._coefficient(left), self._coefficient(right)))
            case ScalarPower(base, exponent):
                return self._rounded(self._coefficient(base) ** exponent)

    def _rounded(self, number: Any) -> Any:
        return number_in(number, self._type_of(number))

    def _type_of(self, value: Any) -> Dtype:
        """The type to compute in, of complex numbers for a complex value."""
        return COMPLEX_TYPES[self._element_type] if np.iscomplexobj(value) else self._element_type


def _extremum(function: Function, value: IndexedArray, indices: Set[str]) -> IndexedArray:
    kept = tuple(name for name in value.names if name not in indices)
    axes = tuple(axis for axis, name in enumerate(value.names) if name in indices)
    return IndexedArray(kept, reduced(function, value.data, axes))


def _multiplied(left: Array, right: Array) -> Array:
    """The product; a real factor multiplies each part of a complex one, also where that is infinite."""
    if np.iscomplexobj(left) is np.iscomplexobj(right):
        return np.asarray(left * right)
    left, right = np.broadcast_arrays(left, right)
    product = np.empty(left.shape, np.result_type(left, right))
    product.real, product.imag = (
        left.real * right.real,
        (left.imag if np.iscomplexobj(left) else left) * (right.imag if np.iscomplexobj(right) else right),
    )
    return product


def _divided(left: Array, right: Array) -> Array:
    if np.iscomplexobj(right) or not np.iscomplexobj(left):
        return np.asarray(evaluate(Function.DIV, (left, right)))
    quotient = np.empty(np.broadcast_shapes(left.shape, right.shape), left.dtype)
    quotient.real, quotient.imag = left.real / right, left.imag / right
    return quotient


_COMPONENTS: Mapping[Part, Callable[[Array], Array]] = {
    Part.CONJUGATE: np.conj,
    Part.REAL: np.real,
    Part.IMAGINARY: np.imag,
}


def _computed(tensor: Tensor) -> Dtype:
    """The type in which entries of a tensor are computed with."""
    real = dtype_of(tensor.element_type)
    return COMPLEX_TYPES[real] if tensor.is_complex else real


def _join(left: IndexedArray, right: IndexedArray, summed: frozenset[str]) -> IndexedArray:
    return add_up(np.add, combine(_multiplied, (left, right)), summed)


def _along(names: tuple[str, ...], name: str, numbers: Array) -> Array:
    """Numbers along the axis of a name."""
    return numbers.reshape([-1 if each == name else 1 for each in names])


def _is_batched(tensor: Tensor) -> bool:
    return tensor.storage is not Storage.CONSTANT


def _mask(tensor: Tensor) -> Array:
    """The entries that may differ from zero."""
    shape = static_shape(tensor.shape)
    return np.broadcast_to(np.True_, shape) if tensor.nonzeros is None else tensor.nonzeros.array()

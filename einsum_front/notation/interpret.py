"""Meaning of a checked kernel in NumPy: slow and obvious.

A batched or grouped tensor is an array of shape (batch, *shape), a constant one of shape (*shape). The batch is one
more index, which batched tensors have in front and constant ones lack. Everything is computed in the element type.
"""

from collections.abc import Mapping, Set
from dataclasses import replace

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
from einsum_front.core.extent import static_shape
from einsum_front.core.functions import Function, evaluate, reduced
from einsum_front.core.storage import ElementType, Storage
from einsum_front.notation.checked import (
    Access,
    Apply,
    Assignment,
    AssignmentOperator,
    CheckedProgram,
    Expression,
    Extremum,
    Kernel,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
    Tensor,
)
from einsum_front.notation.indexed_array import Array, IndexedArray, add_up, combine, contract, view

BATCH = "(batch)"
"""The name of the batch among index names; no text can spell it."""

NumpyReal = type[np.float32] | type[np.float64]

NUMPY_TYPES: Mapping[ElementType, NumpyReal] = {ElementType.F32: np.float32, ElementType.F64: np.float64}

_OPERATORS = {
    ScalarOperator.ADD: np.add,
    ScalarOperator.SUB: np.subtract,
    ScalarOperator.MUL: np.multiply,
    ScalarOperator.DIV: np.divide,
}


def interpret(kernel: Kernel, program: CheckedProgram, arguments: Mapping[str, Array | float]) -> None:
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
    computed = {name: np.asarray(arguments[name]).astype(NUMPY_TYPES[of[name].element_type]) for name in stored}
    state = _State(of, {**arguments, **computed})
    with np.errstate(all="ignore"):
        for statement in kernel.statements:
            state.assign(statement)
        for name in {statement.target.tensor for statement in kernel.statements} & computed.keys():
            np.copyto(np.asarray(arguments[name]), computed[name], casting="unsafe", where=_mask(of[name]))


class _State:
    """The arrays of one run; temporaries come into being when they are first written."""

    def __init__(self, tensors: Mapping[str, Tensor], arguments: Mapping[str, Array | float]) -> None:
        self._tensors = tensors
        self._arguments = arguments
        self._temporaries: dict[str, Array] = {}
        batched = (name for name, tensor in tensors.items() if _is_batched(tensor) and name in arguments)
        self._batch = next((np.asarray(arguments[name]).shape[0] for name in batched), 1)

    def assign(self, statement: Assignment) -> None:
        """Evaluate the right-hand side, then write what the target's pattern allows."""
        access = statement.target
        tensor = self._tensors[access.tensor]
        value = _Evaluation(self, NUMPY_TYPES[tensor.element_type]).expression(statement.value)
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

    def scalar(self, name: str) -> float:
        """The value of a scalar argument."""
        return float(self._arguments[name])

    def _array(self, tensor: Tensor) -> Array:
        element_type = NUMPY_TYPES[tensor.element_type]
        if tensor.values is not None:
            return np.array(tensor.values, dtype=element_type).reshape(static_shape(tensor.shape), order="F")
        if tensor.storage is not Storage.TEMPORARY:
            return np.asarray(self._arguments[tensor.name])
        shape = (self._batch, *static_shape(tensor.shape))
        return self._temporaries.setdefault(tensor.name, np.zeros(shape, dtype=element_type))


class _Evaluation:
    """Expressions and coefficients, computed in one element type."""

    def __init__(self, state: _State, element_type: NumpyReal) -> None:
        self._state = state
        self._element_type = element_type

    def expression(self, expression: Expression) -> IndexedArray:
        """The value of an expression over its indices and the batch."""
        match expression:
            case Access():
                return self._state.read(expression)
            case ScalarTerm(value):
                return self._number(value)
            case Scaled(coefficient, operand) if is_zero(coefficient):
                nothing = self.expression(operand)
                return replace(nothing, data=np.zeros_like(nothing.data))  # a literal 0 takes all away, NaN too
            case Scaled(coefficient, operand):
                return combine(np.multiply, (self._number(coefficient), self.expression(operand)))
            case Product(factors):
                return combine(np.multiply, map(self.expression, factors))
            case Sum(terms):
                return combine(np.add, map(self.expression, terms))
            case Apply(function, arguments):
                return self._function(function, arguments)
            case Quotient(dividend, divisor):
                return self._function(Function.DIV, (dividend, divisor))
            case Extremum(function, indices, operand):
                return _extremum(function, self.expression(operand), {index.name for index in indices})
            case Reduction(indices, operand):
                factors = operand.factors if isinstance(operand, Product) else (operand,)
                summed = (index.name for index in indices)
                return contract(_join, np.add, [self.expression(factor) for factor in factors], summed)

    def _function(self, function: Function, arguments: tuple[Expression, ...]) -> IndexedArray:
        values = [self.expression(argument) for argument in arguments]
        names = tuple(dict.fromkeys(name for value in values for name in value.names))
        data = [value.spread(names).astype(self._element_type, copy=False) for value in values]
        return IndexedArray(names, np.asarray(evaluate(function, data)))

    def _number(self, coefficient: Coefficient) -> IndexedArray:
        return IndexedArray((), np.asarray(self._coefficient(coefficient)))

    def _coefficient(self, coefficient: Coefficient) -> np.float32 | np.float64:
        match coefficient:
            case Number(value):
                return self._element_type(value)
            case ScalarUse(name):
                return self._element_type(self._state.scalar(name))
            case ScalarOperation(operator, left, right):
                result = _OPERATORS[operator](self._coefficient(left), self._coefficient(right))
                return self._element_type(result)
            case ScalarPower(base, exponent):
                return self._element_type(self._coefficient(base) ** exponent)


def _extremum(function: Function, value: IndexedArray, indices: Set[str]) -> IndexedArray:
    kept = tuple(name for name in value.names if name not in indices)
    axes = tuple(axis for axis, name in enumerate(value.names) if name in indices)
    return IndexedArray(kept, reduced(function, value.data, axes))


def _join(left: IndexedArray, right: IndexedArray, summed: frozenset[str]) -> IndexedArray:
    return add_up(np.add, combine(np.multiply, (left, right)), summed)


def _is_batched(tensor: Tensor) -> bool:
    return tensor.storage is not Storage.CONSTANT


def _mask(tensor: Tensor) -> Array:
    """The entries that may differ from zero."""
    shape = static_shape(tensor.shape)
    return np.broadcast_to(np.True_, shape) if tensor.nonzeros is None else tensor.nonzeros.array()

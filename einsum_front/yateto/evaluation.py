"""Formulas of tensors that are known, as arrays: their patterns, and their values where all tensors have some."""

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.yateto.aspp import ASpp, general
from einsum_front.yateto.deduction import Sizes, indices_of, summed_by
from einsum_front.yateto.formula import Add, Einsum, Factor, IndexedTensor, Node, Quotient, ScalarMultiplication
from einsum_front.yateto.identifiers import Scalar
from einsum_front.yateto.indices import Indices
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.type import Tensor

Array = NDArray[Any]
Indexed = tuple[tuple[str, ...], Array]
"""An array, and the index of each of its axes."""


def pattern_of(node: Node, indices: Indices, *, groupSpp: bool = True) -> ASpp:
    """Which entries of a formula with these indices may differ from zero: what its terms put there, never cancelled."""

    def entries(node: IndexedTensor) -> Array:
        return node.tensor.spp(groupSpp).as_ndarray().astype(np.float64)

    return general(_evaluated(node, indices, entries, lambda factor: float(factor != 0)))


def entries_pattern(node: IndexedTensor) -> ASpp:
    """The pattern of entries of a tensor, its own and not that of its group."""
    return pattern_of(node, node.indices, groupSpp=False)


def values_of(node: Node, indices: Indices, dtype: Any) -> Array:
    """The values of a formula with these indices, computed in `dtype`; raises AssertionError where one is not known."""

    def entries(node: IndexedTensor) -> Array:
        values = node.tensor.values_as_ndarray(dtype) if isinstance(node.tensor, Tensor) else None
        if values is None:
            raise rejected("E0178", f"the tensor `{node.name()}` of a constant expression has no values")
        return values

    def number(factor: Factor) -> Any:
        if isinstance(factor, Scalar):
            raise rejected("E0178", f"the scalar `{factor.name()}` of a constant expression has no value")
        return factor

    return _evaluated(node, indices, entries, number)


Entries = Callable[[IndexedTensor], Array]
Number = Callable[[Factor], Any]


def _evaluated(node: Node, indices: Indices, entries: Entries, number: Number) -> Array:
    letters, array = _array(node, indices.size(), entries, number)
    return np.broadcast_to(_ordered(letters, array, tuple(indices)), indices.shape()).copy()


def _array(node: Node, bound: Sizes, entries: Entries, number: Number) -> Indexed:
    match node:
        case IndexedTensor():
            parts = zip(node.offsets, node.indices.shape(), strict=True)
            return tuple(node.indices), entries(node)[tuple(slice(start, start + size) for start, size in parts)]
        case ScalarMultiplication():
            letters, array = _array(node.term(), bound, entries, number)
            return letters, number(node.scalar()) * array
        case Quotient():
            letters, array = _array(node.term(), bound, entries, number)
            return letters, array / number(node.divisor())
        case Einsum():
            return _contracted(node, bound, entries, number)
        case Add():
            terms = [_array(term, bound, entries, number) for term in node]
            letters = tuple(dict.fromkeys(letter for found, _ in terms for letter in found))
            return letters, reduce(np.add, (_ordered(found, array, letters) for found, array in terms))
        case _:
            raise CompilerBug(f"a {type(node).__name__} is no part of a formula")


def _contracted(node: Einsum, bound: Sizes, entries: Entries, number: Number) -> Indexed:
    result = tuple(indices_of(node, bound))
    factors = [_array(factor, {**bound, **summed_by(node, bound)}, entries, number) for factor in node]
    numbers: dict[str, int] = {}
    operands: list[Any] = []
    for letters, array in factors:
        operands += [array, [numbers.setdefault(letter, len(numbers)) for letter in letters]]
    array = numpy_einsum(*operands, [numbers[letter] for letter in result], optimize=True)
    return result, np.asarray(array)


def _ordered(letters: tuple[str, ...], array: Array, wanted: tuple[str, ...]) -> Array:
    """With an axis for each of the wanted indices, of length 1 for those that it lacks."""
    order = [letters.index(letter) for letter in wanted if letter in letters]
    lengths = [array.shape[letters.index(letter)] if letter in letters else 1 for letter in wanted]
    return array.transpose(order).reshape(lengths)

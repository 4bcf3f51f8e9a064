"""Formulas of tensors that are known: their patterns, and their values where all tensors have some."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.pattern_network import Factor as Walked
from einsum_front.core.pattern_network import contracted, over, walked
from einsum_front.core.runs import TooManyCellsError
from einsum_front.core.zero_pattern import Pattern
from einsum_front.yateto.aspp import ASpp, dense
from einsum_front.yateto.deduction import Sizes, indices_of, summed_by
from einsum_front.yateto.formula import Add, Assign, Einsum, Factor, IndexedTensor, Node, Quotient, ScalarMultiplication
from einsum_front.yateto.identifiers import Scalar
from einsum_front.yateto.indices import Indices
from einsum_front.yateto.mistakes import rejected
from einsum_front.yateto.type import Tensor

Array = NDArray[Any]
Indexed = tuple[tuple[str, ...], Array]
"""An array, and the index of each of its axes."""


def pattern_of(node: Node, indices: Indices, *, groupSpp: bool = True) -> ASpp:
    """Which entries of a formula with these indices may differ from zero: what its terms put there, never cancelled.

    All of them, if they would be too scattered to be followed.
    """
    try:
        return ASpp(over(_pattern(node, indices.size(), groupSpp=groupSpp), indices.size()))
    except TooManyCellsError:
        return dense(indices.shape())


def entries_pattern(node: IndexedTensor) -> ASpp:
    """The pattern of entries of a tensor, its own and not that of its group."""
    return pattern_of(node, node.indices, groupSpp=False)


def _pattern(node: Node, bound: Sizes, *, groupSpp: bool) -> Walked:
    match node:
        case IndexedTensor():
            parts = zip(node.offsets, node.indices.shape(), strict=True)
            whole = node.tensor.spp(groupSpp).entries
            return walked(whole.part([(start, start + size) for start, size in parts]), tuple(node.indices))
        case ScalarMultiplication():
            found = _pattern(node.term(), bound, groupSpp=groupSpp)
            return found if node.scalar() != 0 else Walked(found.indices, Pattern.empty(found.pattern.shape))
        case Quotient():
            return _pattern(node.term(), bound, groupSpp=groupSpp)
        case Einsum():
            inner = {**bound, **summed_by(node, bound)}
            factors = [_pattern(factor, inner, groupSpp=groupSpp) for factor in node]
            return contracted(factors, tuple(indices_of(node, bound)))
        case Add():
            terms = [_pattern(term, bound, groupSpp=groupSpp) for term in node]
            sizes = {n: size for each in terms for n, size in zip(each.indices, each.pattern.shape, strict=True)}
            return Walked(tuple(sizes), reduce(or_, (over(term, sizes) for term in terms)))
        case _:
            raise CompilerBug(f"a {type(node).__name__} is no part of a formula")


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


# -- statements that would write where the script says that a tensor is zero -------------------------------------------
# YATeTo writes such an entry where its memory has it, and no kernel reads it. Here an entry that is declared to be
# zero is neither read nor written, and the checker refuses a statement that could put something else there. So its
# value is multiplied by the pattern, which is known when compiling:
#
#     A[i,j] = T[k,i] * G[k,j]           A[i,j] = T[k,i] * G[k,j] * A_nonzeros[i,j]


class PatternTensor(Tensor):
    """One where `target` may differ from zero; its values are ours, and so known when compiling."""

    def __init__(self, name: str, target: Tensor) -> None:
        pattern = target.spp(groupSpp=False)
        super().__init__(name, pattern.shape, pattern.as_ndarray().astype(np.float64))
        self.target = target


def within_pattern(statement: Assign) -> Assign:
    """The statement, whose value is zero where its target is."""
    target = statement.target
    if target.tensor.spp(groupSpp=False).is_dense():
        return statement
    allowed = entries_pattern(target).entries
    written = pattern_of(statement.value, target.indices, groupSpp=False).entries
    if (written - allowed).is_empty:
        return statement
    return Assign(target, statement.value * _ones(target))


def _ones(target: IndexedTensor) -> IndexedTensor:
    tensor = target.tensor
    if not isinstance(tensor, Tensor):
        raise TypeError(f"an index list is of a `Tensor`, not of {tensor!r}")
    base = tensor.baseName()
    return target.of(PatternTensor(f"{base}_nonzeros{tensor.name().removeprefix(base)}", tensor))

"""Which indices a formula of a script has, and which it sums.

An index that stands in two factors of a product or more, and that nothing around the product has, is summed over it.
Whatever else an entry has, the left-hand side has to have: YATeTo refuses an index that one factor alone has.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.yateto.formula import (
    Add,
    Assign,
    Einsum,
    IndexedTensor,
    Node,
    Quotient,
    ScalarMultiplication,
    entries_of,
    letters_of,
)
from einsum_front.yateto.indices import Indices
from einsum_front.yateto.mistakes import rejected

Sizes = Mapping[str, int]
"""Extents by index, in the order in which a formula has them."""


def indices_of_assignment(statement: Assign) -> Indices:
    """The indices of the left-hand side; raises `CompileError` if the right-hand side does not fit it."""
    target = statement.target.indices
    indices_of(statement.value, target.size())
    return target


def indices_for(node: Node, target: Indices | str | None) -> Indices:
    """The indices of a formula in the order of `target`, which has to have all of them and no others.

    Without a target they are those that the formula does not sum.
    """
    if target is None:
        return Indices.of(indices_of(node, _sizes(node, unsummed(node))))
    letters = tuple(target)
    found = indices_of(node, target.size() if isinstance(target, Indices) else _sizes(node, letters))
    if set(found) != set(letters):
        raise rejected("E0173", f"the formula has indices `{''.join(found)}`, not `{''.join(letters)}`")
    return Indices.of({letter: found[letter] for letter in letters})


def indices_of(node: Node, bound: Sizes) -> Sizes:
    """The indices of a formula where those in `bound` are known around it."""
    match node:
        case IndexedTensor():
            _reject_unbound(node, bound)
            return node.indices.size()
        case ScalarMultiplication() | Quotient():
            return indices_of(node.term(), bound)
        case Einsum():
            return _indices_of_product(node, bound)
        case Add():
            if not len(node):
                raise rejected("E0174", "a sum has no terms", "`Add()` is what terms are added to")
            return {letter: size for term in node for letter, size in indices_of(term, bound).items()}
        case _:
            raise rejected("E0174", f"a formula is expected, not a {type(node).__name__}")


def unsummed(node: Node) -> tuple[str, ...]:
    """The indices of a formula that stands alone: those that stand in one factor of each product."""
    match node:
        case Einsum():
            counts = Counter(letter for factor in node for letter in letters_of(factor))
            return tuple(sorted(letter for factor in node for letter in unsummed(factor) if counts[letter] == 1))
        case IndexedTensor():
            return tuple(node.indices)
        case Add() | ScalarMultiplication() | Quotient():
            return tuple(dict.fromkeys(letter for child in node for letter in unsummed(child)))
        case _:
            raise CompilerBug(f"a {type(node).__name__} is no part of a formula")


def _indices_of_product(node: Einsum, bound: Sizes) -> Sizes:
    summed = summed_by(node, bound)
    around = {**bound, **summed}
    found = {letter: size for factor in node for letter, size in indices_of(factor, around).items()}
    return {letter: found[letter] for letter in sorted(found) if letter not in summed}


def summed_by(node: Einsum, bound: Sizes) -> Sizes:
    """The indices that a product is summed over where those in `bound` are known around it."""
    counts = Counter(letter for factor in node for letter in letters_of(factor))
    return _sizes(node, (letter for letter, count in counts.items() if count > 1 and letter not in bound))


def _sizes(node: Node, letters: Iterable[str]) -> dict[str, int]:
    """The extents that the first entries with these indices give them."""
    wanted, found = set(letters), dict[str, int]()
    for entries in entries_of(node):
        for letter, size in entries.indices.size().items():
            if letter in wanted:
                found.setdefault(letter, size)
    return found


def _reject_unbound(node: IndexedTensor, bound: Sizes) -> None:
    for letter, size in node.indices.size().items():
        if letter not in bound:
            note = "an index is on the left-hand side, or in two factors of a product, which is summed over it"
            raise rejected(
                "E0173", f"index `{letter}` of `{node}` is in no other factor and not on the left-hand side", note
            )
        if bound[letter] != size:
            raise rejected(
                "E0173", f"index `{letter}` has size {size} in `{node}`, but {bound[letter]} in what stands around it"
            )

"""Statements that would write where the script says that a tensor is zero.

YATeTo writes such an entry where its memory has it, and no kernel reads it. Here an entry that is declared to be zero
is neither read nor written, and the checker refuses a statement that could put something else there. So its value
is multiplied by the pattern, which is known when compiling:

    A[i,j] = T[k,i] * G[k,j]           A[i,j] = T[k,i] * G[k,j] * A_nonzeros[i,j]
"""

import numpy as np

from einsum_front.yateto.evaluation import entries_pattern, pattern_of
from einsum_front.yateto.formula import Assign, IndexedTensor
from einsum_front.yateto.type import Tensor


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

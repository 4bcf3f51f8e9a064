"""What batch vectorization knows about zeros, for products of a work-group that shares an element."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from einsum_front.tl_backend.instructions import Collective, Gemm, Gemv
from einsum_front.tl_backend.program import Nonzeros, Values
from einsum_front.tl_backend.schedules.batch_simd.facts import Facts
from einsum_front.tl_backend.schedules.batch_simd.product import product_of
from einsum_front.tl_backend.schedules.batch_simd.suitable import suitability
from einsum_front.tl_backend.schedules.batch_simd.zeros import summands
from einsum_front.tl_backend.schedules.schedule import Subject

Mask = NDArray[np.bool_]
Summands = Mapping[Collective, Mask]
"""For products of matrices: whether something in a row (first axis) at a depth (second) may differ from zero."""


def find_summands(subject: Subject) -> Summands:
    """Nothing where no zeros are known, or where the memory of the function is not understood."""
    if not any(isinstance(fact, Nonzeros | Values) for fact in subject.function.facts):
        return {}
    facts = subject.get(suitability)
    return _summands_of(facts) if isinstance(facts, Facts) else {}


def _summands_of(facts: Facts) -> Summands:
    """The summands of all products of matrices."""
    found: dict[Collective, Mask] = {}
    for instruction in facts.counts:
        if isinstance(instruction, Gemm | Gemv):
            (term,) = product_of(instruction, facts.places).terms
            found[instruction] = np.asarray(summands(term, facts.patterns).any(axis=1))
    return found

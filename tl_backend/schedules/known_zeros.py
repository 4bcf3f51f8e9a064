"""What the form with elements in the lanes knows about zeros, for products of a work-group that shares an element."""

import numpy as np

from einsum_front.tl_backend.instructions import Collective, Gemm, Gemv
from einsum_front.tl_backend.program import Function, Nonzeros, Values
from einsum_front.tl_backend.schedules.batch_simd.facts import Facts
from einsum_front.tl_backend.schedules.batch_simd.places import UnsuitableError
from einsum_front.tl_backend.schedules.batch_simd.product import product_of
from einsum_front.tl_backend.schedules.batch_simd.suitable import find_facts
from einsum_front.tl_backend.schedules.batch_simd.zeros import summands
from einsum_front.tl_backend.schedules.work_group.depths import Mask, Summands


def find_summands(function: Function) -> Summands:
    """Nothing where no zeros are known, or where the memory of the function is not understood."""
    if not any(isinstance(fact, Nonzeros | Values) for fact in function.facts):
        return {}
    try:
        return summands_of(find_facts(function))
    except UnsuitableError:
        return {}


def summands_of(facts: Facts) -> Summands:
    """The summands of all products of matrices."""
    found: dict[Collective, Mask] = {}
    for instruction in facts.counts:
        if isinstance(instruction, Gemm | Gemv):
            (term,) = product_of(instruction, facts.places).terms
            found[instruction] = np.asarray(summands(term, facts.patterns).any(axis=1))
    return found

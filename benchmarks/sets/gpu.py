"""What a GPU is judged by: ADER-DG, spectral elements and dense products from memory, single contractions, a product.

The rows of other sets, with data that no cache holds.
"""

from dataclasses import replace

from benchmarks.case import Case, StringSource, WorkingSet
from benchmarks.sets import ader_dg, batched, contractions, large, spectral

ORDERS, QUICK_ORDERS = (4, 6), (4,)
SIZES, QUICK_SIZES = (8, 16, 24, 32, 64), (16,)
SQUARE, QUICK_SQUARE = 1024, 256


def cases(quick: bool) -> tuple[Case, ...]:
    """All of them, in f64, and in a long run in f32."""
    reals = ("f64",) if quick else ("f64", "f32")
    seismic = (
        case
        for order in ader_dg.orders(QUICK_ORDERS if quick else ORDERS)
        for case in ader_dg.cases_of(order, WorkingSet.MEMORY)
    )
    sizes = tuple(f" {size}x{size}" for size in (QUICK_SIZES if quick else SIZES))
    dense = (case for case in batched.cases(quick) if case.name.endswith(sizes) and case.real in reals)
    return (
        *(replace(case, real=real) for case in seismic for real in reals),
        *(_from_memory(case) for case in spectral.cases(quick) if case.real in reals),
        *(_from_memory(case) for case in dense),
        *contractions.cases(quick),
        *(large.case_of(QUICK_SQUARE if quick else SQUARE, real) for real in reals),
    )


def _from_memory(case: Case) -> Case:
    assert not isinstance(case.source, StringSource), "a string says itself how much data there is"
    return replace(case, working_set=WorkingSet.MEMORY)

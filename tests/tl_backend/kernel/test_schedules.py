"""Every schedule, forced: its kernel tree keeps the restrictions, and means what the tensor language says."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from einsum_front.core.machines import SAPPHIRE_RAPIDS
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.packed.schedule import TILES
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.schedules.work_group.schedule import ALONE, SHARED
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare
from tests.tl_backend.schedules.batch_simd.strategies import lane_cases
from tests.tl_backend.schedules.test_meaning import Product, blocks, exact, function_with, products_of
from tests.tl_backend.strategies import Case

pytestmark = pytest.mark.generated

SIZES = st.one_of(st.sampled_from([1, 4, 7, 8, 9, 13]), st.integers(1, 14))
SMALL: dict[str, Any] = {
    "product": products_of(SIZES),
    "real": st.sampled_from([ScalarType.F32, ScalarType.F64]),
    "groups": st.integers(1, 6),
    "beta": st.sampled_from([0.0, 1.0, 3.0]),
}
WORK_GROUPS = st.sampled_from([(4, 1), (8, 2), (1, 3)])
GPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True)
AVX512 = replace(DEFAULT, vector_bytes=64, has_shuffles=True, vector_registers=32)
TOLD = replace(DEFAULT, instructions="avx512f,avx512vl")
CHOOSING = replace(TOLD, vector_bytes=64, vector_registers=32, machine=SAPPHIRE_RAPIDS)
"""Where batch vectorization chooses between vectors of 32 and of 64 bytes."""


@share(0.15)
@given(block=blocks(ALONE), target=st.sampled_from([DEFAULT, AVX512]), **SMALL)
def test_a_work_item_for_an_element(
    block: Any, target: Any, product: Product, real: ScalarType, groups: int, beta: float
) -> None:
    function = function_with([product], real)
    arguments = exact([product], real, groups, beta)
    compare(function, arguments, groups, tuning=Tuning(ScheduleKind.WORK_GROUP, block), target=target)


@share(0.15)
@given(
    block=blocks(SHARED),
    size=st.sampled_from([(4, 1), (8, 2), (1, 3)]),
    target=st.sampled_from([DEFAULT, GPU]),
    **SMALL,
)
def test_a_work_group_for_an_element(
    block: Any, size: tuple[int, int], target: Any, product: Product, real: ScalarType, groups: int, beta: float
) -> None:
    function = function_with([product], real, size)
    arguments = exact([product], real, groups, beta)
    compare(function, arguments, groups, tuning=Tuning(ScheduleKind.WORK_GROUP, block), target=target)


@share(0.15)
@given(target=st.sampled_from([DEFAULT, AVX512, TOLD, CHOOSING, GPU]), **SMALL)
def test_vectorization_over_the_batch(
    target: Any, product: Product, real: ScalarType, groups: int, beta: float
) -> None:
    function, tuning = function_with([product], real), Tuning(ScheduleKind.BATCH_SIMD)
    assume(is_possible(function, target, tuning))
    compare(function, exact([product], real, groups, beta), groups, tuning=tuning, target=target)


@share(0.15)
@given(case=lane_cases(), target=st.sampled_from([DEFAULT, AVX512, TOLD, CHOOSING, GPU]))
def test_vectorization_of_generated_functions(case: Case, target: Any) -> None:
    assume(is_possible(case.function, target, Tuning(ScheduleKind.BATCH_SIMD)))
    compare(case.function, case.arguments, case.groups, tuning=Tuning(ScheduleKind.BATCH_SIMD), target=target)


COLUMNS: dict[str, Any] = {
    "elements": st.sampled_from([None, 1, 2, 3]),
    "literals": st.booleans(),
    "lines": st.sampled_from([None, 1, 2, 3]),
}


@share(0.15)
@given(products=st.lists(products_of(SIZES), min_size=1, max_size=2), **COLUMNS, **(SMALL | {"product": st.none()}))
def test_lines_in_registers(
    products: list[Product],
    elements: int | None,
    literals: bool,
    lines: int | None,
    product: None,
    real: ScalarType,
    groups: int,
    beta: float,
) -> None:
    function = function_with(products, real)
    tuning = Tuning(ScheduleKind.COLUMNS, elements=elements, literals=literals, lines=lines)
    assume(is_possible(function, GPU, tuning))
    compare(function, exact(products, real, groups, beta), groups, tuning=tuning, target=GPU)


@share(0.1)
@given(block=blocks(TILES), target=st.sampled_from([DEFAULT, AVX512]), **SMALL)
def test_packed_panels(block: Any, target: Any, product: Product, real: ScalarType, groups: int, beta: float) -> None:
    function, tuning = function_with([product], real), Tuning(ScheduleKind.PACKED, block)
    assume(is_possible(function, target, tuning))
    compare(function, exact([product], real, groups, beta), groups, tuning=tuning, target=target)

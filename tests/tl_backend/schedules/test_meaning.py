"""Every schedule, forced: products of all sizes up to 70 mean what the interpreter says, and are the same bits again.

One kernel has several products, since building takes longer than anything else.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.packed.schedule import TILES
from einsum_front.tl_backend.schedules.tuning import Blocks, ScheduleKind, Tuning
from einsum_front.tl_backend.schedules.work_group.schedule import ALONE, SHARED
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import (
    ONLY_CPUS_HAVE_TILES,
    OWN,
    TARGET,
    compare,
    function_of,
    integers,
    run,
)

pytestmark = [pytest.mark.generated, pytest.mark.usefixtures("optimized_builds")]

EDGES = (1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65)
"""Multiples of everything that a block may have, and their neighbours."""

PRIVATE_MEMORY = min(OWN.private_memory, 2**16)
"""Of a work-item: drivers of CPUs keep the arrays of all 64 on the stack of a thread, which often has 8 MiB."""

NO_CPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, private_memory=PRIVATE_MEMORY)
SIZES = st.one_of(st.sampled_from(EDGES), st.integers(1, 70))


@dataclass(frozen=True)
class Product:
    """`C := alpha op(A) op(B) + beta C` with m x k and k x n matrices, each one for every element or one for all."""

    m: int
    n: int
    k: int
    left: str
    right: str
    alpha: str
    beta: str
    is_left_batched: bool
    is_right_batched: bool

    @property
    def shapes(self) -> dict[str, tuple[tuple[int, int], bool]]:
        """Of A, B and C, and whether each element has its own."""
        a = (self.m, self.k) if self.left == "n" else (self.k, self.m)
        b = (self.k, self.n) if self.right == "n" else (self.n, self.k)
        return {"A": (a, self.is_left_batched), "B": (b, self.is_right_batched), "C": ((self.m, self.n), True)}


def products_of(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[Product]:
    """Products whose m, n and k are of these sizes."""
    return st.builds(
        Product,
        m=sizes,
        n=sizes,
        k=sizes,
        left=st.sampled_from("nt"),
        right=st.sampled_from("nt"),
        alpha=st.sampled_from(["1.0", "2.0", "%alpha"]),
        beta=st.sampled_from(["0.0", "1.0", "-2.0", "%beta"]),
        is_left_batched=st.booleans(),
        is_right_batched=st.booleans(),
    )


KERNELS = {
    "products": st.lists(products_of(SIZES), min_size=1, max_size=3),
    "real": st.sampled_from([ScalarType.F32, ScalarType.F64]),
    "groups": st.one_of(st.sampled_from([1, 31, 32, 33]), st.integers(1, 70)),
    "beta": st.sampled_from([0.0, 1.0, 3.0]),
}


def function_with(products: list[Product], real: ScalarType, work_group: tuple[int, int] = (1, 1)) -> Function:
    """A function that computes all of them for its element."""
    arguments, views, instructions = [f"%alpha: {real.value}", f"%beta: {real.value}"], ["%id = group_id"], []
    for number, each in enumerate(products):
        types = {name: f"memref<{real.value}x{rows}x{columns}" for name, ((rows, columns), _) in each.shapes.items()}
        for name, (_, is_batched) in each.shapes.items():
            type_ = f"{types[name]}{'x?' if is_batched else ''}>"
            arguments.append(f"%{name}{number}: {type_}")
            if is_batched:
                views.append(f"%{name.lower()}{number} = subview %{name}{number}[:, :, %id] : {type_}")
        a, b, c = (f"%{name.lower() if own else name}{number}" for name, (_, own) in each.shapes.items())
        scalars = ", ".join((f"gemm.{each.left}.{each.right} {each.alpha}", a, b, each.beta, c))
        instructions.append(f"{scalars} : {real.value}, {types['A']}>, {types['B']}>, {real.value}, {types['C']}>")
    body = "\n".join((*views, *instructions))
    return function_of(f"func @products({', '.join(arguments)}) {{\n{body}\n}}", work_group)


def exact(products: list[Product], real: ScalarType, groups: int, beta: float) -> dict[str, Any]:
    """Numbers whose sums of products have no rounding."""
    arguments: dict[str, Any] = {"alpha": 2.0, "beta": beta}
    for number, each in enumerate(products):
        for name, (shape, is_batched) in each.shapes.items():
            whole = (*shape, groups) if is_batched else shape
            arguments[f"{name}{number}"] = integers(real, *whole, seed=number + ord(name))
    return arguments


def rough(arguments: dict[str, Any]) -> dict[str, Any]:
    """The same with fractions that every sum rounds."""
    return {name: value / 7 if isinstance(value, np.ndarray) else value for name, value in arguments.items()}


def check(
    function: Function, arguments: dict[str, Any], groups: int, tuning: Tuning, target: Target | None = None
) -> None:
    """The schedule means what the interpreter says, and computes the same bits in every launch."""
    compare(function, arguments, groups, tuning=tuning, target=target)
    first, second = (run(function, rough(arguments), groups, tuning=tuning, target=target) for _ in range(2))
    for name, arrays in first.items():
        assert [array.tobytes() for array in arrays] == [array.tobytes() for array in second[name]], f"%{name}"


def blocks(some: Blocks) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), st.sampled_from(some))


@share(0.12, of_long=0.4)
@given(block=blocks(ALONE), **KERNELS)
def test_group_with_one_work_item(
    block: Any, products: list[Product], real: ScalarType, groups: int, beta: float
) -> None:
    function = function_with(products, real)
    check(function, exact(products, real, groups, beta), groups, Tuning(ScheduleKind.WORK_GROUP, block))


@share(0.2, of_long=0.4)
@given(block=blocks(SHARED), work_group=st.sampled_from([(4, 1), (8, 2), (1, 3)]), **KERNELS)
def test_group_with_several(
    block: Any, work_group: tuple[int, int], products: list[Product], real: ScalarType, groups: int, beta: float
) -> None:
    function = function_with(products, real, work_group)
    check(function, exact(products, real, groups, beta), groups, Tuning(ScheduleKind.WORK_GROUP, block))


@share(0.16, of_long=0.4)
@given(prefetch=st.booleans(), **KERNELS)
def test_lanes_of_vectors(prefetch: bool, products: list[Product], real: ScalarType, groups: int, beta: float) -> None:
    function, tuning = function_with(products, real), Tuning(ScheduleKind.BATCH_SIMD, prefetch=prefetch)
    assume(is_possible(function, TARGET, tuning))
    check(function, exact(products, real, groups, beta), groups, tuning)


@share(0.08, of_long=0.4)
@given(**KERNELS)
def test_lanes_that_are_work_items(products: list[Product], real: ScalarType, groups: int, beta: float) -> None:
    function, tuning = function_with(products, real), Tuning(ScheduleKind.BATCH_SIMD)
    assume(is_possible(function, NO_CPU, tuning))
    check(function, exact(products, real, groups, beta), groups, tuning, NO_CPU)


@share(0.04, of_long=0.4)  # two seconds each
@given(elements=st.sampled_from([None, 1, 2, 5]), lines=st.sampled_from([None, 1, 2, 3]), **KERNELS)
def test_lines_in_registers(
    elements: int | None,
    lines: int | None,
    products: list[Product],
    real: ScalarType,
    groups: int,
    beta: float,
) -> None:
    function, tuning = function_with(products, real), Tuning(ScheduleKind.COLUMNS, elements=elements, lines=lines)
    assume(is_possible(function, NO_CPU, tuning))
    check(function, exact(products, real, groups, beta), groups, tuning, NO_CPU)


@pytest.mark.skipif(not TARGET.is_cpu, reason=ONLY_CPUS_HAVE_TILES)
@share(0.08, of_long=0.4)
@given(
    block=blocks(TILES),
    product=products_of(SIZES),
    real=KERNELS["real"],
    groups=st.integers(1, 9),
    beta=KERNELS["beta"],
)
def test_tiles(block: Any, product: Product, real: ScalarType, groups: int, beta: float) -> None:
    function, tuning = function_with([product], real), Tuning(ScheduleKind.PACKED, block)
    assume(is_possible(function, DEFAULT, tuning))
    check(function, exact([product], real, groups, beta), groups, tuning)


SCHEDULES = {
    "one work-item": (Tuning(ScheduleKind.WORK_GROUP), (1, 1)),
    "several": (Tuning(ScheduleKind.WORK_GROUP), (8, 2)),
    "batch_simd": (Tuning(ScheduleKind.BATCH_SIMD), (1, 1)),
    "packed": (Tuning(ScheduleKind.PACKED), (1, 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SCHEDULES)
@pytest.mark.parametrize("size", range(1, 71))
@pytest.mark.parametrize("real", [ScalarType.F32, ScalarType.F64])
def test_every_size_of_every_mode(size: int, kind: str, real: ScalarType) -> None:
    tuning, work_group = SCHEDULES[kind]
    if kind == "packed" and not TARGET.is_cpu:
        pytest.skip(ONLY_CPUS_HAVE_TILES)
    sizes = [(size, 9, 5), (13, size, 7), (9, 6, size), (size, 8, size)]
    products = [Product(*each, "n", "t", "2.0", "%beta", True, False) for each in sizes]
    for some in [[each] for each in products] if kind == "packed" else [products]:
        function = function_with(some, real, work_group)
        if not is_possible(function, TARGET, tuning) and not TARGET.is_cpu:
            pytest.skip("the elements have no room in the work-items of the device")
        check(function, exact(some, real, 35, 3.0), 35, tuning)

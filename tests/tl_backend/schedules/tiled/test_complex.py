"""Products of complex numbers in tiles of a GPU: found in every form that the pass over parts writes, and right."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.core.machines import MATRICES
from einsum_front.driver import Session, translate_text
from einsum_front.options import Level
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import choose, schedule
from einsum_front.tl_backend.schedules.schedule import Reason, complex_contraction_of
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, read_tuning
from einsum_front.tl_backend.traverse import results, typed_operands
from einsum_front.tl_backend.types import MemrefType, ScalarType
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare as compare_trees
from tests.tl_backend.opencl.harness import compare, integers
from tests.tl_backend.schedules.packed.test_meaning import F32, F64
from tests.tl_backend.schedules.tiled.test_meaning import GPU, TILED

SIZES = st.integers(1, 40)
ELEMENTS = 2


def product(
    m: int, n: int, k: int, statement: str = "C[i,j] = A[i,l] * B[l,j]", layouts: str = "rrr", real: str = "f64"
) -> Function:
    """Two complex matrices of each element, in `layouts` (rows or columns first), as the tensor language has them."""
    words = {"r": "row_major", "c": "column_major"}
    of = {"f64": "c128", "f32": "c64"}[real]
    shapes = {"A": (m, k), "B": (k, n), "C": (m, n)}
    declared = "\n".join(
        f"tensor {name}[{rows},{columns}] {of} {words[each]}"
        for (name, (rows, columns)), each in zip(shapes.items(), layouts, strict=True)
    )
    text = f"real {real}\n{declared}\nkernel f {{ {statement} }}\n"
    (stages,) = translate_text(Session(target=GPU), Source("test.ein", text), Level.EIN)
    return stages.tensor_language


def turn_of(function: Function) -> int:
    """That of the contraction of complex numbers, 0 if it is none."""
    found = function.get(complex_contraction_of)
    return 0 if isinstance(found, Reason) else found[1].turn


def arguments(function: Function, real: ScalarType = F64) -> dict[str, Any]:
    """Parts are small whole numbers, so that no sum is rounded."""
    shapes = {each.name.name: each.type.shape for each in function.arguments if isinstance(each.type, MemrefType)}
    return {
        name: integers(real, *(size or ELEMENTS for size in shape), seed=seed)
        for seed, (name, shape) in enumerate(shapes.items())
    }


@given(
    SIZES, SIZES, SIZES, st.sampled_from(["rrr", "rcr", "crr", "ccc", "rrc", "crc"]), st.sampled_from(["2x2", "4x1"])
)
@share(0.03)
def test_products_of_every_size_and_layout(m: int, n: int, k: int, layouts: str, block: str) -> None:
    function = product(m, n, k, layouts=layouts)
    if not isinstance(function.get(complex_contraction_of), Reason):
        compare(function, arguments(function), ELEMENTS, tuning=read_tuning(f"tiled:block={block}"), target=GPU)


@pytest.mark.parametrize("layouts", ["rrr", "rcr", "crr", "ccc"])
@pytest.mark.parametrize("statement", [
    "C[i,j] = A[i,l] * B[l,j]", "C[i,j] += A[i,l] * B[l,j]", "C[i,j] -= A[i,l] * B[l,j]",
])  # fmt: skip
def test_forms_that_are_found(statement: str, layouts: str) -> None:
    function = product(20, 18, 17, statement, layouts)
    assert turn_of(function) in (1, -1)
    compare(function, arguments(function), ELEMENTS, tuning=TILED, target=GPU)


def test_the_conjugate_of_the_factor_that_is_split() -> None:
    function = product(20, 18, 17, "C[i,j] = conj(A[i,l]) * B[l,j]")
    assert turn_of(function) == -1
    compare(function, arguments(function), ELEMENTS, tuning=TILED, target=GPU)


@pytest.mark.parametrize("statement", [
    "C[i,j] = A[i,l] * conj(B[l,j])", "C[i,j] = conj(A[i,l]) * conj(B[l,j])", "C[i,j] = real(A[i,l]) * B[l,j]",
    "C[i,j] = A[i,l] * B[l,j] + A[i,j]", "C[i,j] = 1j * A[i,l] * B[l,j]",
])  # fmt: skip
def test_other_forms_stay_what_they_are(statement: str) -> None:
    function = product(20, 20, 20, statement)
    assert not turn_of(function)


@pytest.mark.parametrize(("by", "block"), [("sm_80", "2x2"), ("sm_90", "4x2"), ("sm_90", "8x4")])
def test_sub_groups_multiply_matrices(by: str, block: str) -> None:
    function, target = product(24, 30, 20), replace(GPU, matrices=MATRICES[by])
    tuning = read_tuning(f"tiled:block={block}")
    assert "mma" in emit(function, target, tuning).source
    compare_trees(function, arguments(function), ELEMENTS, tuning=tuning, target=target)


def test_single_precision() -> None:
    function = product(33, 24, 18, real="f32")
    compare(function, arguments(function, F32), ELEMENTS, tuning=read_tuning("tiled:block=4x2"), target=GPU)


def test_long_sums_are_sums_of_parts() -> None:
    function = product(3, 5, 600)
    assert "part_sum" in emit(function, GPU, TILED).source
    compare(function, arguments(function), ELEMENTS, tuning=TILED, target=GPU)


def test_the_model_takes_tiles_from_24_rows_on_and_from_16_with_tensor_cores() -> None:
    for target, wanted in (
        (GPU, [False, False, True, True]),
        (replace(GPU, matrices=MATRICES["sm_90"]), [False, *[True] * 3]),
    ):
        kinds = [choose(product(rows, rows, rows), target).kind for rows in (12, 16, 24, 64)]
        assert [kind is ScheduleKind.TILED for kind in kinds] == wanted
    plan = schedule(product(32, 32, 32), GPU, TILED).plan
    assert any("complex" in line for line in plan.explained())


def test_a_temporary_that_is_not_the_imaginary_unit_times_a_factor_is_none() -> None:
    function = product(20, 20, 20)
    turned = [each for each in function.body if isinstance(each, tl.Axpby)]
    assert [each.alpha.value for each in turned] == [tl.FloatConstant(-1.0), tl.FloatConstant(1.0)]
    for alphas in ((1, 1), (-1, -1), (-2, 2)):
        changed = dict(zip(turned, alphas, strict=True))
        body = tuple(
            replace(each, alpha=replace(each.alpha, value=tl.FloatConstant(float(changed[each]))))
            if each in changed
            else each
            for each in function.body
        )
        assert not turn_of(replace(function, body=body))
    flipped = {turned[0]: 1.0, turned[1]: -1.0}
    body = tuple(
        replace(each, alpha=replace(each.alpha, value=tl.FloatConstant(flipped[each]))) if each in flipped else each
        for each in function.body
    )
    conjugate = replace(function, body=body)
    assert turn_of(conjugate) == -1
    compare(conjugate, arguments(conjugate), ELEMENTS, tuning=TILED, target=GPU)


def test_the_order_of_products_and_copies() -> None:
    function = product(20, 20, 20)
    first, second = (place for place, each in enumerate(function.body) if isinstance(each, tl.Axpby))
    plain, turned = (place for place, each in enumerate(function.body) if isinstance(each, tl.Gemm))
    assert first < second < plain < turned
    assert not turn_of(moved(function, turned, plain))
    assert not turn_of(moved(function, second, turned + 1))
    assert turn_of(moved(function, plain, first)) == 1


def moved(function: Function, place: int, to: int) -> Function:
    """With an instruction, and the views that it takes, elsewhere."""
    instruction = function.body[place]
    assert isinstance(instruction, tl.Collective)
    names = {each.value.name for each in typed_operands(instruction) if isinstance(each.value, tl.Local)}
    taken = [each for each in function.body[:place] if {name.name for name in results(each)} & names]
    own = [each for each in taken if not isinstance(each, tl.Alloca)]
    before, after = (
        [each for each in part if each is not instruction and each not in own]
        for part in (function.body[:to], function.body[to:])
    )
    return replace(function, body=(*before, *own, instruction, *after))

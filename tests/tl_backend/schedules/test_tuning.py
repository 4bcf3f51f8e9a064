"""Forms with parameters as texts, and the kernels that they give."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, CompilerBug
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import candidates, first_choice, with_work_group
from einsum_front.tl_backend.schedules.tuning import RegisterBlock, ScheduleKind, Tuning, read_tuning
from tests.tl_backend.opencl.harness import function_of

BLOCKS = st.builds(RegisterBlock, st.integers(1, 8), st.integers(1, 8))
WORK_GROUPS = st.tuples(st.integers(1, 32), st.integers(1, 32))
TUNINGS = st.one_of(
    st.builds(Tuning, st.just(ScheduleKind.PACKED), st.none() | BLOCKS),
    st.builds(Tuning, st.just(ScheduleKind.WORK_GROUP), st.none() | BLOCKS, work_group=st.none() | WORK_GROUPS),
    st.builds(Tuning, st.just(ScheduleKind.BATCH_SIMD), prefetch=st.sampled_from([None, False, True])),
    st.builds(
        Tuning,
        st.just(ScheduleKind.COLUMNS),
        elements=st.none() | st.integers(1, 1024),
        literals=st.sampled_from([None, False, True]),
        lines=st.none() | st.integers(1, 1024),
    ),
)

PRODUCT = """func @product(%A: memref<f64x8x8x?>, %B: memref<f64x8x8>, %C: memref<f64x8x8x?>) {
  %id = group_id
  %a = subview %A[:, :, %id] : memref<f64x8x8x?>
  %c = subview %C[:, :, %id] : memref<f64x8x8x?>
  gemm.n.n 1.0, %a, %B, 0.0, %c : f64, memref<f64x8x8>, memref<f64x8x8>, f64, memref<f64x8x8>
}"""

INTEGERS = "func @count(%n: memref<i32x4>) { axpby.n 1, %n, 2, %n : i32, memref<i32x4>, i32, memref<i32x4> }"


@given(TUNINGS)
def test_what_is_written_is_read(tuning: Tuning) -> None:
    assert read_tuning(str(tuning)) == tuning


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "there is no schedule ``: the schedules are `work_group`, `batch_simd`, "
            "`packed`, `tiled`, `columns`, `loops`; "
            "a file of recipes ends with `.sched`",
        ),
        (
            "Lanes",
            "there is no schedule `Lanes`: the schedules are `work_group`, `batch_simd`, "
            "`packed`, `tiled`, `columns`, `loops`; "
            "a file of recipes ends with `.sched`",
        ),
        ("batch_simd:block=2x3", "the schedule `batch_simd` has no parameter `block`: it has `prefetch`"),
        ("work_group:", "the schedule `work_group` has no parameter ``: it has `work_group`, `block`"),
        ("work_group:block=2x3,block=1x1", "`block` is given twice in `work_group:block=2x3,block=1x1`"),
        ("work_group:block=2", "`block=2` does not say how many rows and columns, as in `block=2x3`"),
        (
            "work_group:work_group=0x3",
            "`work_group=0x3` does not say how many rows and columns, as in `work_group=2x3`",
        ),
        ("packed:block=9x9", "`block=9x9` is too large: rows times columns are 64 at most"),
        ("work_group:work_group=64x32", "`work_group=64x32` is too large: rows times columns are 1024 at most"),
        ("batch_simd:prefetch=maybe", "`prefetch=maybe` is neither `prefetch=on` nor `prefetch=off`"),
        ("columns:literals=no", "`literals=no` is neither `literals=on` nor `literals=off`"),
        ("columns:elements=0", "`elements=0` is no number from 1 to 1024"),
        ("columns:lines=2000", "`lines=2000` is no number from 1 to 1024"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        read_tuning(text)
    assert str(caught.value) == f"error[E0304]: {message}"


def test_a_schedule_that_a_function_cannot_have() -> None:
    function = function_of(INTEGERS)
    with pytest.raises(CompileError) as caught:
        emit(function, DEFAULT, Tuning(ScheduleKind.BATCH_SIMD))
    assert (
        str(caught.value)
        == """\
error[E0305]: `count` cannot have the schedule `batch_simd`
  = note: it computes with integers"""
    )


def test_parameters_change_the_code_and_stand_in_its_first_line() -> None:
    function = function_of(PRODUCT)
    for kind, one, other in (("work_group", "block=1x2", "block=2x1"), ("batch_simd", "prefetch=on", "prefetch=off")):
        first, second = (
            emit(function, DEFAULT, read_tuning(f"{kind}:{each}"), "as asked for") for each in (one, other)
        )
        assert first.source.split("\n")[0] == f"// schedule `{kind}:{one}`: as asked for"
        assert first.source.split("\n")[1:] != second.source.split("\n")[1:]
    assert "__builtin_prefetch" not in emit(function, DEFAULT, read_tuning("batch_simd:prefetch=off")).source


@pytest.mark.parametrize("is_cpu", [True, False])
@pytest.mark.parametrize("vector_bytes", [16, 32, 64])
@pytest.mark.parametrize("work_group", [None, (1, 1), (8, 2)])
def test_the_candidates_are_texts_that_users_can_give(
    work_group: tuple[int, int] | None, vector_bytes: int, is_cpu: bool
) -> None:
    function = function_of(PRODUCT, work_group)
    registers = 32 if vector_bytes == 64 else 16
    target = replace(DEFAULT, vector_bytes=vector_bytes, is_cpu=is_cpu, vector_registers=registers)
    found = candidates(function, target)
    assert len(set(found)) == len(found) <= 33
    assert [read_tuning(str(tuning)) for tuning in found] == list(found)
    assert first_choice(function, target) in found
    assert any(tuning.work_group for tuning in found) == (work_group is None and not is_cpu)


def test_the_work_group_of_a_schedule_is_that_of_the_function() -> None:
    function = function_of(PRODUCT)
    assert with_work_group(function, None, DEFAULT) is function
    assert with_work_group(function, read_tuning("work_group"), DEFAULT) is function
    assert with_work_group(function, read_tuning("batch_simd"), DEFAULT).work_group_size == (1, 1)
    ready = with_work_group(function, read_tuning("work_group:work_group=8x2"), DEFAULT)
    assert emit(ready, DEFAULT, read_tuning("work_group:work_group=8x2")).work_group_size == (8, 2)
    with pytest.raises(CompilerBug):
        emit(function, DEFAULT, read_tuning("work_group:work_group=8x2"))


@pytest.mark.parametrize(
    ("attribute", "kind", "reason"),
    [
        ("work_group_size(8,2)", "work_group:work_group=4x4", "the function asks for work-groups of 8x2"),
        ("subgroup_size(16)", "work_group:work_group=8x2", "the function asks for sub-groups of 16"),
    ],
)
def test_a_function_with_wishes_of_its_own(attribute: str, kind: str, reason: str) -> None:
    function = function_of(PRODUCT.replace(") {", f") {attribute} {{"))
    with pytest.raises(CompileError) as caught:
        with_work_group(function, read_tuning(kind), DEFAULT)
    assert str(caught.value) == f"error[E0305]: `product` cannot have the schedule `{kind}`\n  = note: {reason}"

"""Forms with parameters as texts, and the kernels that they give."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagnostics import CompileError
from tests.tl_backend.opencl.harness import function_of
from tl_backend.opencl.candidates import candidates, first_choice
from tl_backend.opencl.emit import emit
from tl_backend.opencl.target import DEFAULT
from tl_backend.opencl.tuning import Form, RegisterBlock, Tuning, read_tuning

BLOCKS = st.builds(RegisterBlock, st.integers(1, 8), st.integers(1, 8))
TUNINGS = st.one_of(
    st.builds(Tuning, st.sampled_from([Form.GROUP, Form.TILES]), st.none() | BLOCKS),
    st.builds(Tuning, st.just(Form.LANES), prefetch=st.sampled_from([None, False, True])),
)

PRODUCT = """func @product(%A: memref<f64x16x16x?>, %B: memref<f64x16x16>, %C: memref<f64x16x16x?>) {
  %id = group_id
  %a = subview %A[:, :, %id] : memref<f64x16x16x?>
  %c = subview %C[:, :, %id] : memref<f64x16x16x?>
  gemm.n.n 1.0, %a, %B, 0.0, %c : f64, memref<f64x16x16>, memref<f64x16x16>, f64, memref<f64x16x16>
}"""

INTEGERS = "func @count(%n: memref<i32x4>) { axpby.n 1, %n, 2, %n : i32, memref<i32x4>, i32, memref<i32x4> }"


@given(TUNINGS)
def test_what_is_written_is_read(tuning: Tuning) -> None:
    assert read_tuning(str(tuning)) == tuning


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no form ``: the forms are `group`, `lanes`, `tiles`"),
        ("Lanes", "there is no form `Lanes`: the forms are `group`, `lanes`, `tiles`"),
        ("lanes:block=2x3", "the form `lanes` has no parameter `block`: it has `prefetch`"),
        ("group:", "the form `group` has no parameter ``: it has `block`"),
        ("group:block=2x3,block=1x1", "`block` is given twice in `group:block=2x3,block=1x1`"),
        ("group:block=2", "`block=2` is no block: it has rows and columns, as in `block=2x3`"),
        ("group:block=0x3", "`block=0x3` is no block: it has rows and columns, as in `block=2x3`"),
        ("tiles:block=9x9", "`block=9x9` is too large: a block has at most 64 rows times columns"),
        ("lanes:prefetch=maybe", "`prefetch=maybe` is neither `prefetch=on` nor `prefetch=off`"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        read_tuning(text)
    assert str(caught.value) == f"error[E0304]: {message}"


def test_a_form_that_a_function_cannot_have() -> None:
    function = function_of(INTEGERS)
    with pytest.raises(CompileError) as caught:
        emit(function, DEFAULT, Tuning(Form.LANES))
    assert (
        str(caught.value)
        == """\
error[E0305]: `count` cannot have the form `lanes`
  = note: lanes cannot be elements: no argument is one for each element"""
    )


def test_parameters_change_the_code_and_stand_in_its_first_line() -> None:
    function = function_of(PRODUCT)
    for form, one, other in (("group", "block=1x2", "block=4x1"), ("lanes", "prefetch=on", "prefetch=off")):
        first, second = (
            emit(function, DEFAULT, read_tuning(f"{form}:{each}"), "as asked for") for each in (one, other)
        )
        assert first.source.split("\n")[0] == f"// form `{form}:{one}`: as asked for"
        assert first.source.split("\n")[1:] != second.source.split("\n")[1:]
    assert "__builtin_prefetch" not in emit(function, DEFAULT, read_tuning("lanes:prefetch=off")).source


@pytest.mark.parametrize("vector_bytes", [16, 32, 64])
@pytest.mark.parametrize("work_group", [(1, 1), (8, 2)])
def test_the_candidates_are_texts_that_users_can_give(vector_bytes: int, work_group: tuple[int, int]) -> None:
    function, target = function_of(PRODUCT, work_group), replace(DEFAULT, vector_bytes=vector_bytes)
    found = candidates(function, target)
    assert len(set(found)) == len(found) <= 32
    assert [read_tuning(str(tuning)) for tuning in found] == list(found)
    assert first_choice(function, target) in found

"""Numbers as arguments: what is taken, and as what."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arrays.scalars import check_scalar
from einsum_front.runtime.arrays.storage import ScalarValue
from einsum_front.runtime.artifact import ScalarParameter


def value_of(kind: str, number: object) -> np.generic:
    value = check_scalar(ScalarParameter("x", kind), number)
    assert isinstance(value, ScalarValue)
    return value.value


@pytest.mark.parametrize(
    ("kind", "number", "value"),
    [
        ("f64", 1, np.float64(1)),
        ("f64", np.float32(0.1), np.float64(np.float32(0.1))),
        ("f64", Fraction(1, 3), np.float64(1 / 3)),
        ("f64", np.array(0.5), np.float64(0.5)),
        ("f32", 0.1, np.float32(0.1)),
        ("f32", np.int64(16777216), np.float32(16777216)),
        ("f32", float("inf"), np.float32("inf")),
        ("i8", -128, np.int8(-128)),
        ("u64", 2**64 - 1, np.uint64(2**64 - 1)),
        ("index", np.uint8(3), np.int64(3)),
    ],
)
def test_value(kind: str, number: object, value: np.generic) -> None:
    found = value_of(kind, number)
    assert found == value
    assert found.dtype == value.dtype


@given(st.floats(width=64))
def test_every_double_is_itself(number: float) -> None:
    assert np.array_equal(value_of("f64", number), number, equal_nan=True)


@given(st.integers(-(2**70), 2**70), st.sampled_from(["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "index"]))
def test_integers_keep_all_digits(number: int, kind: str) -> None:
    value = check_scalar(ScalarParameter("x", kind), number)
    assert isinstance(value, Diagnostic) or int(value.value) == number

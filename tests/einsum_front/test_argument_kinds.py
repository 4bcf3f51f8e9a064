"""Arguments of the public interface that are something else, which would silently mean another thing."""

from typing import Any

import numpy as np
import pytest

import einsum_front as ef

TEXT = "param B = 4\ntensor A[B]\ntensor C[B]\nscalar a\nkernel k { C[i] = a * A[i] }\n"
n = ef.Size("n", hint=5)
Q, P = ef.Tensor("Q", (3, 4)), ef.Tensor("P", (3, 4))


@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"tune": "no"}, TypeError, "`tune` is True or False, not 'no'"),
        ({"cache": None}, TypeError, "`cache` is True or False, not None"),
        ({"device": None}, TypeError, "`device` is a name or a number, not None"),
        ({"device": True}, TypeError, "`device` is a name or a number, not a bool"),
        ({"device": ["c"]}, TypeError, "`device` is a name or a number, not a list"),
        ({"device": ""}, ValueError, "`device` is a name or a number, not an empty text"),
        ({"dump_to": ""}, ValueError, "`dump_to` is the path of a folder, not an empty text"),
        ({"dump_to": 1}, TypeError, "`dump_to` is the path of a folder, not an int"),
        ({"max_temp": True}, TypeError, "`max_temp` is a number of bytes, not a bool"),
        ({"max_temp": "8"}, TypeError, "`max_temp` is a number of bytes, not a str"),
        ({"max_temp": -1}, ValueError, "`max_temp` is a number of bytes, not -1"),
        ({"defines": {"B": True}}, TypeError, "`defines` has True for `B`"),
        ({"defines": {"B": np.bool_(True)}}, TypeError, "`defines` has .*True.* for `B`"),
    ],
)
def test_options_of_compile(keywords: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ef.compile(ef.parse(TEXT), **keywords)


def test_numbers_of_numpy_are_numbers() -> None:
    options: dict[str, Any] = {"max_temp": np.int64(1000), "cache": np.bool_(False), "defines": {"B": np.int32(3)}}
    kernel = ef.compile(ef.parse(TEXT), **options)["k"]
    A, C = np.ones((2, 3)), np.zeros((2, 3))
    kernel(A=A, C=C, a=np.float32(2))
    assert np.array_equal(C, 2 * A)


def test_a_truth_value_is_no_number() -> None:
    kernel = ef.compile(ef.parse(TEXT))["k"]
    arrays = {"A": np.ones((2, 4)), "C": np.zeros((2, 4))}
    for value in (True, np.bool_(True)):
        with pytest.raises(TypeError, match="argument `a` is of type bool"):
            kernel(**arrays, a=value)
    launch = kernel.prepare(**arrays, a=1)
    with pytest.raises(TypeError, match="argument `a` is of type bool"):
        launch.set(a=True)
    with pytest.raises(TypeError, match="`measure` is True or False, not 'no'"):
        kernel.inspect(measure="no")  # type: ignore[arg-type] # as a user may


@pytest.mark.parametrize(
    "make",
    [
        lambda: ef.Tensor("T", (True, 3)),
        lambda: ef.Size("m", hint=True),
        lambda: Q["i", True],
        lambda: True * P["ij"],
        lambda: Q["ij"] <= False,
    ],
)
def test_in_python(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize("shape", [{3, 4}, {3: 4}, "34", 5, None])
def test_a_shape_has_an_order(shape: Any) -> None:
    with pytest.raises(TypeError):
        ef.Tensor("T", shape)


def test_a_shape_may_be_read_once() -> None:
    """Its sizes were declared from what was left of an iterator, which is nothing."""
    shapes: tuple[Any, ...] = iter((n, 3)), (each for each in (n, 3))
    for shape in shapes:
        tensor, other = ef.Tensor("T", shape, nonzeros=None), ef.Tensor("U", (n, 3))
        program = ef.program(ef.kernel("k", tensor["ij"] <= other["ij"]))
        T, U = np.zeros((2, 5, 3)), np.ones((2, 5, 3))
        ef.compile(program)["k"](T=T, U=U)
        assert np.array_equal(T, U)
    mask = np.eye(3, dtype=bool)
    once: Any = iter((3, 3))
    tensor = ef.Tensor("T", once, nonzeros=mask)
    assert repr(tensor) == repr(ef.Tensor("T", (3, 3), nonzeros=mask))

"""Lowering keeps the meaning: the tensor language computes what the YATeTo language says, for any program."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import Source
from einsum_front.core.facts import Nonzeros
from einsum_front.ir.emit_tensor_language import emit
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.interpret import interpret
from einsum_front.ir.yateto.parse import parse
from einsum_front.ir.yateto.traverse import moved_groups
from einsum_front.tl_backend.interpret import interpret as interpret_tensor_language
from einsum_front.tl_backend.verify import verify
from tests.ir.test_emit_tensor_language import SAMPLE
from tests.ir.yateto.strategies import OPERATIONS, functions, make_arguments

BATCH = 2


@pytest.mark.parametrize("operation", OPERATIONS)
@given(data=st.data(), seed=st.integers(0, 2**16))
def test_every_operation_keeps_its_meaning(operation: str, data: st.DataObject, seed: int) -> None:
    assert_same_meaning(data.draw(functions([operation])), seed)


@given(functions(), st.integers(0, 2**16))
def test_programs_keep_their_meaning(function: yir.Function, seed: int) -> None:
    assert_same_meaning(function, seed)


def assert_same_meaning(function: yir.Function, seed: int) -> None:
    """The arguments hold any numbers, so facts about them are left out that would not be true."""
    function = replace(function, facts=tuple(fact for fact in function.facts if not isinstance(fact, Nonzeros)))
    lowered = emit(yir.Program((function,)))
    assert verify(lowered) == ()
    expected = make_arguments(function, BATCH, seed)
    interpret(function, expected, BATCH)
    actual = lowered_arguments(function, make_arguments(function, BATCH, seed))
    interpret_tensor_language(lowered.functions[0], actual, BATCH)
    wanted = lowered_arguments(function, expected)
    for name in wanted:
        np.testing.assert_array_equal(actual[name], wanted[name])


def lowered_arguments(function: yir.Function, arguments: dict[str, Any]) -> dict[str, Any]:
    """A group at a distance has its batch mode last in the tensor language."""
    lowered = dict(arguments)
    for argument in function.arguments:
        name, type_ = argument.name.name, argument.type
        if (
            isinstance(type_, yir.GroupType)
            and isinstance(type_.layout, yir.Distance)
            and name not in moved_groups(function)
        ):
            lowered[name] = np.moveaxis(lowered[name], 0, -1)
    return lowered


def test_the_corrected_sample_of_the_draft_runs() -> None:
    rng = np.random.default_rng(0)
    shapes = {"A": (3, 16, 8), "B": (8, 8), "C": (8, 16), "D": (16, 16, 3)}
    data = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    products = np.einsum("eik,kl,lj->ije", data["A"], data["B"], data["C"], dtype=np.float64)
    expected = data["D"] + 5 * products
    (function,) = emit(parse(Source("sample.yir", SAMPLE))).functions
    interpret_tensor_language(function, {**data, "A": list(data["A"])}, 3)
    np.testing.assert_allclose(data["D"], expected, rtol=1e-4, atol=1e-4)


def test_a_work_item_at_an_offset_has_dynamic_extents() -> None:
    """Its memory is flat: what the size of X makes of distance, start and shape is computed."""
    (function,) = parse(Source("moved.yir", MOVED)).functions
    lowered = emit(yir.Program((function,)))
    assert verify(lowered) == ()
    rng = np.random.default_rng(0)
    data = {"X": rng.standard_normal((5, 3)), "D": rng.standard_normal(2 * 15 + 4)}
    expected, actual = ({name: array.copy() for name, array in data.items()} | {"at": 2} for _ in range(2))
    interpret(function, expected, BATCH)
    interpret_tensor_language(lowered.functions[0], actual, BATCH)
    np.testing.assert_array_equal(actual["X"], expected["X"])
    assert not np.array_equal(expected["X"], data["X"])


MOVED = """
define @moved(%X: memref<f64x[n]x3>, %D: group<memref<f64x[n]x3>,distance<[3*n]>>, %at: i64) {
  %0 = get_work_item %D, i64 %at : group<memref<f64x[n]x3>,distance<[3*n]>>
  axpby {ij to ij} 1.0, %0, 1.0, %X : memref<f64x[n]x3> to memref<f64x[n]x3>
}
"""

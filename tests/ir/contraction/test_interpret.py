"""The graph means what the checked program means."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction.interpret import interpret
from einsum_front.ir.contraction.verify import verify
from einsum_front.notation.interpret import interpret as interpret_checked
from tests.einsum_front.strategies import arguments_for, programs
from tests.ir.programs import copied, graph_of, program_of, simplified


@pytest.mark.generated
@given(programs(), st.integers(0, 2**16))
def test_elaboration_keeps_the_meaning(text: str, seed: int) -> None:
    program = program_of(text)
    arguments = arguments_for(program, 2, seed)
    expected, actual = copied(arguments), copied(arguments)
    interpret_checked(program.kernels[0], program, expected)
    graph = elaborate(program.kernels[0], program)
    assert verify(graph) == ()
    interpret(graph, actual)
    tolerance = 2e-3 if "real f32" in text else 1e-9
    for name, value in expected.items():
        np.testing.assert_allclose(actual[name], value, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.generated
@given(programs(), st.integers(0, 2**16))
def test_simplifying_keeps_the_meaning(text: str, seed: int) -> None:
    program = program_of(text)
    graph = elaborate(program.kernels[0], program)
    arguments = arguments_for(program, 2, seed)
    expected, actual = copied(arguments), copied(arguments)
    interpret(graph, expected)
    interpret(simplified(graph), actual)
    tolerance = 2e-3 if "real f32" in text else 1e-9
    for name, value in expected.items():
        np.testing.assert_allclose(actual[name], value, rtol=tolerance, atol=tolerance, err_msg=name)


def test_the_right_hand_side_comes_first() -> None:
    graph = graph_of("tensor A[3, 3]\nkernel f { A[i,j] = A[j,i] + A[i,j] }")
    before = np.arange(18.0).reshape(2, 3, 3)
    arguments = {"A": before.copy()}
    interpret(graph, arguments)
    np.testing.assert_array_equal(arguments["A"], before + before.transpose(0, 2, 1))


def test_declared_zeros_are_neither_read_nor_written() -> None:
    graph = graph_of("tensor A[3] nonzeros [(0), (2)]\ntensor B[3]\nkernel f { B[i] = A[i]\n A[i] = 2 * A[i] }")
    arguments = {"A": np.array([[1.0, np.nan, 3.0]]), "B": np.ones((1, 3))}
    interpret(graph, arguments)
    np.testing.assert_array_equal(arguments["B"], [[1, 0, 3]])
    np.testing.assert_array_equal(arguments["A"], [[2, np.nan, 6]])

"""Equivalent patterns: what is outside makes no difference, and in a product everything inside does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from einsum_front.core.runs import Mask
from einsum_front.elaborate import elaborate
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.contraction.interpret import Array, interpret
from einsum_front.ir.plan.sparsity import analyse
from tests.einsum_front.strategies import arguments_for, programs
from tests.ir.programs import copied, graph_of, program_of


@pytest.mark.generated
@given(programs(), st.integers(0, 2**16))
def test_entries_that_are_not_needed_make_no_difference(text: str, seed: int) -> None:
    program = program_of(text)
    graph = elaborate(program.kernels[0], program)
    arguments = arguments_for(program, 1, seed)
    needed = analyse(graph).needed
    changed = copied(arguments)
    for name, leaf in graph.leaves.items():
        if name in changed:
            value = np.asarray(changed[name])
            changed[name] = np.where(needed[leaf].array(), value, 7).astype(value.dtype)
    interpret(graph, arguments)
    interpret(graph, changed)
    for name in graph.last_versions:
        if name in changed:
            tensor_is_zero = np.isnan(np.asarray(arguments[name]))
            np.testing.assert_array_equal(np.where(tensor_is_zero, 0, changed[name]), np.nan_to_num(arguments[name]))


MASKS = st.lists(st.booleans(), min_size=9, max_size=9).map(lambda bits: np.array(bits, np.bool_).reshape(3, 3))


def declared(name: str, mask: NDArray[np.bool_]) -> str:
    entries = ", ".join(f"({i},{j})" for i, j in np.argwhere(mask))
    return f"tensor {name}[3, 3] nonzeros [{entries}]"


@pytest.mark.generated
@given(MASKS, MASKS, MASKS, MASKS)
def test_the_patterns_of_a_product_are_exact(a: Mask, b: Mask, c: Mask, d: Mask) -> None:
    """An entry counts if and only if some term of the sum has it and no zero, and lands where the target counts."""
    declarations = "\n".join(declared(name, mask) for name, mask in zip("ABC", (a, b, c), strict=True))
    selection = "\n".join(f"y[{n}] = T[{i},{j}]" for n, (i, j) in enumerate(np.argwhere(d)))
    statements = f"T[i,l] = A[i,j]*B[j,k]*C[k,l]\n y[0] = 1\n{selection}"
    text = f"{declarations}\ntensor y[9]\ntemp T[3,3]\nkernel f {{\n{statements}\n}}"
    graph = graph_of(text)
    sparsity = analyse(graph)
    joint = np.einsum("ij,jk,kl,il->ijkl", a, b, c, d)
    product = next(key for key, node in graph.nodes if isinstance(node, cg.Contraction))
    for position, axes in enumerate([(2, 3), (0, 3), (0, 1)]):
        np.testing.assert_array_equal(sparsity.operands[product, position].array(), joint.any(axis=axes))
    np.testing.assert_array_equal(sparsity.equivalent[product].array(), joint.any(axis=(1, 2)))


def patterns(text: str) -> dict[str, Array]:
    """The equivalent patterns of the leaves."""
    graph = graph_of(text)
    sparsity = analyse(graph)
    return {name: sparsity.equivalent[key].array().astype(int) for name, key in graph.leaves.items()}


def test_partners_decide_inside_nested_sums_too() -> None:
    """`S` has the columns 1 and 2 only, so of `B` and `C` the rows 1 and 2 count."""
    found = patterns(
        "tensor A[3]\ntensor S[3,3] nonzeros [(0,1), (2,2)]\ntensor B[3]\ntensor C[3]\n"
        "kernel f { A[i] = S[i,j]*(B[j] - 2*C[j]) }"
    )
    assert found["B"].tolist() == found["C"].tolist() == [0, 1, 1]


def test_the_left_hand_side_decides() -> None:
    """What is overwritten before it is read does not count."""
    found = patterns("tensor A[3]\ntensor B[3]\ntensor C[3]\nkernel f { A[i] = B[i]\n A[i=0:2] = C[i=0:2] }")
    assert found["B"].tolist() == [0, 0, 1]
    assert found["C"].tolist() == [1, 1, 0]
    assert found["A"].tolist() == [0, 0, 0]


def test_zero_coefficients_leave_nothing() -> None:
    assert patterns("tensor A[3]\ntensor B[3]\nkernel f { A[i] += 0 * B[i] }")["B"].tolist() == [0, 0, 0]
